"""The scene of games without their own scene."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.match import Match
from companion.display import scenes
from companion.display.frame import Beat, Frame, Plain
from companion.games import FOLDERS, all_games, load
from companion.match.new_match import new_match
from tests.display.gallery import NAMES, Frames, Table, drawn
from tests.display.laws import faults_by_turns

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"

LOOKS = [{}, {"high_contrast": True}, {"large_text": True}]


@pytest.fixture(scope="module")
def fifth_game() -> Iterator[None]:
    """Add the game of docs/examples."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDERS, str(EXAMPLES))
        all_games.cache_clear()
        scenes.scene_of.cache_clear()
        yield
    all_games.cache_clear()
    scenes.scene_of.cache_clear()


def match(seats: int, *moves: str) -> Match:
    game = load("driftwood")
    made = new_match(game, NAMES[:seats], seed="1")
    for move in moves:
        made.push(game.notation.parse_move(made.box, move))
    return made


@pytest.fixture(scope="module")
def frames(fifth_game: None, tmp_path_factory: pytest.TempPathFactory) -> dict[int, Frames]:
    """Every kind of position, with few and many seats."""
    folder = tmp_path_factory.mktemp("plain")
    return {seats: dict(positions(folder / str(seats), seats)) for seats in (2, 3, 5)}


def positions(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    yield "sea", Table(folder / "sea", match(seats)).frame
    yield "beach", Table(folder / "beach", match(seats, "T wash bottle")).frame
    table = Table(folder / "rocks", match(seats, "T wash crab", "T call 1", "T wash rope"))
    yield "rocks", table.frame
    for place in range(seats):
        table.press(str(place % 3), "#", place=place)
    yield "drum", table.frame
    yield "revealed", table.wait(800_000_000).frame
    yield "after", table.wait(3_100_000_000).frame


def plain(frame: Frame) -> Plain:
    assert frame.screen.plain
    return frame.screen.plain


@pytest.mark.parametrize("look", LOOKS, ids=["plain", "contrast", "large"])
def test_every_picture_obeys_the_laws(frames: dict[int, Frames], look: dict[str, bool]) -> None:
    for seats, shown in frames.items():
        looked = [(name, frame._replace(look=frame.look._replace(**look))) for name, frame in shown.items()]
        assert faults_by_turns(looked, seats) == []


def test_reveal_shows_the_throws_before_the_scores(frames: dict[int, Frames]) -> None:
    shown = frames[3]
    assert plain(shown["rocks"]).scores == plain(shown["drum"]).scores == (-2, 0, 0)
    assert plain(shown["drum"]).lines == plain(shown["rocks"]).lines
    assert shown["revealed"].screen.beat == Beat.REVEALED
    assert plain(shown["revealed"]).lines[0].startswith("Stones thrown: ")
    assert plain(shown["revealed"]).last == "Most stones thrown: 2"
    assert plain(shown["revealed"]).scores == (-2, 0, 0)
    assert plain(shown["after"]).scores == (-2, 0, 4)


def test_picture_shows_scores_and_the_last_event(frames: dict[int, Frames]) -> None:
    texts = [item.what for item in drawn(frames[3]["after"], (800, 480)).placed]
    assert {"Driftwood", "4", "-2"} <= set(texts)
    assert plain(frames[3]["after"]).last in " ".join(texts)


def test_winner_has_a_cup(fifth_game: None, tmp_path: Path) -> None:
    game = load("driftwood")
    box = 'stones = 1\n[finds]\nshell = { worth = 1, place = "beach", count = 1 }\n'
    over = Match(game, NAMES[:2], box_text=box, tags=new_match(game, NAMES[:2], seed="1").tags)
    over.push(game.notation.parse_move(over.box, "T wash shell"))
    table = Table(tmp_path, over).press("buzz", place=1)
    cups = [
        plain(frame).winners
        for frame in table.wait(2_000_000_000).plays
        if "cup_trophy" in [item.what for item in drawn(frame, (800, 480)).placed]
    ]
    assert set(cups) == {(1,)}


def test_game_with_a_scene_has_no_plain_text(tmp_path: Path) -> None:
    table = Table(tmp_path, new_match(load("buntherum"), NAMES[:2], seed="1"))
    assert table.frame.screen.plain is None
