"""The languages of the display and of each seat."""

from pathlib import Path

import pytest

from companion.config.sections import DisplayOptions, JournalOptions, Seats
from companion.config.settings import readers_of
from companion.config.table_file import TableConfig, parse_config
from companion.core.console import BUZZ
from companion.core.errors import OptionError
from companion.core.text import LANGUAGES, msg
from companion.display.frame import Play, Poster
from companion.games import all_games
from tests.host_bench import Bench

pytestmark = pytest.mark.usefixtures("fixed_secrets")


def table(folder: Path, display: str, *languages: str) -> TableConfig:
    return TableConfig(
        journal=JournalOptions(str(folder)),
        display=DisplayOptions(language=display),
        seats=Seats(languages=languages),
    )


def begun(folder: Path, config: TableConfig, game: str, people: int) -> Bench:
    """Begin a match with the default rulings."""
    bench = Bench(folder, config=config, game=game)
    for place in range(people):
        bench.press(place, BUZZ)
    bench.press(0, "#")
    bench.press(0, "1")
    return bench


def test_each_seat_reads_its_own_language(tmp_path: Path) -> None:
    bench = begun(tmp_path, table(tmp_path, "", "fr", "en", ""), "buro_crazy", 3)
    assert bench.until(lambda: isinstance(bench.screen, Play) and bool(bench.view.duel))
    bench.house("pause")
    assert [side.note for side in bench.frame.sides] == [
        "La partie est en pause",
        "The match is paused",
        "The match is paused",
    ]
    assert [panel.lines[0] for panel in bench.frame.panels][:2] == ["La partie est en pause", "The match is paused"]


def test_display_language_applies_where_none_is_chosen(tmp_path: Path) -> None:
    bench = Bench(tmp_path, config=table(tmp_path, "fr", "en"))
    bench.press(0, BUZZ)
    assert isinstance(bench.screen, Poster)
    assert bench.screen.title == "Qui joue\u202f?"
    assert [side.note for side in bench.frame.sides][1:] == ["libre"] * 4
    assert [panel.lines[0] for panel in bench.frame.panels][1:] == ["libre"] * 4


def test_story_and_photo_use_the_display_language(tmp_path: Path) -> None:
    bench = begun(tmp_path, table(tmp_path, "fr", "en", "en"), "buntherum", 2)
    assert bench.until(lambda: bench.host.session is not None and bench.host.session.referee.stage.race)
    bench.wait(2)
    bench.hand(0, BUZZ)
    bench.hand(1, BUZZ)
    bench.wait(0.2)
    assert any("retourne" in sentence for sentence in bench.frame.story)
    photo = bench.host.session.finish.photo
    assert "égalité" in photo.verdict
    assert bench.frame.sides[0].note.startswith(("First", "A dead heat"))


def test_seat_without_a_language_uses_the_displays() -> None:
    readers = readers_of(TableConfig(display=DisplayOptions(language="fr"), seats=Seats(languages=("", "en"))))
    assert [readers.places[place](msg("Who plays?"))[:3] for place in range(3)] == ["Qui", "Who", "Qui"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[display]\nlanguage = "fi"', "t: [display]: language = 'fi'; allowed: "),
        ('[seats]\nlanguages = ["fr", "xx"]', "t: [seats]: languages = 'xx'; allowed: "),
    ],
)
def test_unknown_language_is_named(text: str, message: str) -> None:
    with pytest.raises(OptionError) as refused:
        parse_config(text, "t", all_games())
    assert str(refused.value) == message + ", ".join(sorted(LANGUAGES))


def test_languages_are_read_from_the_file() -> None:
    config = parse_config('[display]\nlanguage = "fr"\n[seats]\nlanguages = ["", "en"]', "t", all_games())
    assert (config.display.language, config.seats.languages) == ("fr", ("", "en"))
