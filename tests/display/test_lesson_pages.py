"""The pages, hints and refusals of lessons in each language."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Game
from companion.core.place import Place
from companion.core.text import LANGUAGES
from companion.display.frame import Frame, HelpPage, Look
from companion.games import load
from companion.match.lessons import LEARNER
from companion.match.seat_lines import private_picture, tell_seat
from tests.display import laws, shows
from tests.lesson_walk import LESSONS, begin, tutor_of, walk


def frames_of(folder: Path, game: Game) -> Iterator[Frame]:
    """Yield every page, every request, and a refusal of another key."""
    table = begin(folder, game)
    for frame in walk(table):
        yield frame
        if not isinstance(frame.screen, HelpPage) and tutor_of(table).controls(LEARNER)[0] != "D":
            table.press("D", place=0)
            yield table.frame
            while table.host.session and table.host.session.referee.entries.get(LEARNER, ""):
                table.press("*", place=0)


@pytest.fixture(scope="module", params=LESSONS, ids=[game.name for game in LESSONS])
def lesson(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Frame]]:
    shown = {}
    for language in LANGUAGES:
        with shows.in_language(language):
            shown[language] = list(frames_of(tmp_path_factory.mktemp(language), request.param))
    return shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_frame_can_be_read(lesson: dict[str, list[Frame]], language: str) -> None:
    frames = lesson[language]
    pages = [frame for frame in frames if isinstance(frame.screen, HelpPage)]
    assert len(frames) >= 2 * len(pages) > 0
    read = [law for law in laws.LAWS if law is not laws.is_large_at_a_glance]
    displays = [(size, 0) for size in shows.SIZES]
    faults = laws.faults_by_turns((("", frame) for frame in frames), LANGUAGES.index(language), read, displays)
    assert not faults, "\n".join(dict.fromkeys(faults))


@pytest.mark.parametrize("language", LANGUAGES)
def test_requested_seat_is_lit(lesson: dict[str, list[Frame]], language: str) -> None:
    asked = [frame for frame in lesson[language] if not isinstance(frame.screen, HelpPage)]
    assert asked
    assert all(frame.sides[LEARNER].lit or frame.sides[LEARNER].tone == "bad" for frame in asked)


@pytest.mark.parametrize("name", ["boese_buben", "buro_crazy"])
def test_learners_private_screen_is_that_of_a_match(tmp_path: Path, name: str) -> None:
    """It shows what the console gives."""
    console: Any = load(name).console
    table, seen = begin(tmp_path, load(name)), Counter[str]()
    for frame in walk(table):
        controls, session = tutor_of(table).controls(LEARNER), table.host.session
        if isinstance(frame.screen, HelpPage) or len(controls) < 2:
            continue
        if session.reveal.hidden:
            continue
        table.press(controls[0], place=0)
        given = session.match.view(LEARNER), session.referee.entries.get(LEARNER, "")
        picture = private_picture(session.moment(), Place(0), str, Look())
        assert tell_seat(session.moment(), LEARNER).typed == console.typed(*given)
        assert (picture and picture.own) == console.own(*given)
        seen += Counter(typed=console.typed(*given) is not None, picture=picture is not None)
        while session.referee.entries.get(LEARNER, ""):
            table.press("*", place=0)
    assert min(seen["typed"], seen["picture"]) > 1, seen
