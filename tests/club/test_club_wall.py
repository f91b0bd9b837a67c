"""The club's wall draws what its tables report, and ignores invalid messages."""

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club import topics
from companion.club.hall import A_PAGE, FINISH_NS, PAGE_NS, TABLES, Hall, standings
from companion.core.console import Call
from companion.core.place import Place
from companion.display import scenes, screens
from companion.display.canvas import Canvas
from companion.display.frame import Beat, Frame, Look, Wall
from companion.display.pages import wall_page
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.referee.events import Verdict
from companion.testing.playout import random_move
from tests.club.evenings_of_robots import begun, plan, played_on
from tests.club_line import ANYTHING
from tests.pictures import wrong

PICTURE: Final = Path(__file__).parents[2] / "docs" / "pictures" / "wall.png"
SIZE: Final = (1280, 720)
WHERE: Final = ("Window", "Door", "Stairs", "Bar", "Garden", "Küche")


def told_state(number: int, moves: int = 40) -> dict[str, Any]:
    game, luck = load(list(all_games())[number % 4]), random.Random(number)
    seats = luck.choice(list(game.rules.SEATS))
    match = new_match(game, NAMES[:seats], seed=str(number))
    state = match.state
    for _ in range(moves):
        if game.rules.outcome(state):
            break
        state = game.rules.apply(state, random_move(game.rules, state, luck.randrange))
    turn = [seat for seat in game.rules.to_act(state) if seat >= 0][:1]
    places = [Place(place) for place in range(seats)]
    return dict(topics.state("m", match, state, places, turn, since_s=0).message)


def told_verdict(names: tuple[str, ...], after_ns: int = 4_300_000) -> dict[str, Any]:
    found = Verdict((1,), after_ns, 0, (Call(1, 7, 150_000), Call(0, 7 + after_ns, 150_000)))
    return dict(topics.verdict("m", 3, names, ["#ffffff"] * len(names), found).message)


def hall(count: int = len(WHERE)) -> Hall:
    """Return a hall whose tables have reported; one is lost, another is idle."""
    made = Hall(all_games(), "Games club")
    for number, name in enumerate(WHERE[:count]):
        table = topics.table_topic(name)
        made.take(table, topics.ONLINE, topics.payload({"online": number != 4, "name": name}), 0)
        told = {"match": None} if number == 3 else told_state(number)
        made.take(table, topics.STATE, topics.payload(told), 0)
    names = tuple(told_state(5)["players"])
    made.take("kuche", topics.VERDICT, topics.payload(told_verdict(names)), 0)
    return made


def drawn(wall: Wall, size: tuple[int, int] = SIZE) -> pygame.Surface:
    surface = pygame.Surface(size, 0, 32)
    screens.draw(Canvas(surface), Frame(1, wall, ()))
    return surface


def test_wall_is_drawn_like_its_golden_picture(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    picture = drawn(hall().wall(1, played_on(begun(tmp_path / "t.club", plan(8, 2)))))
    if request.config.getoption("update_golden"):
        pygame.image.save(picture, PICTURE)
    assert wrong(picture, PICTURE) == 0


def test_photo_finish_covers_its_board_for_a_while() -> None:
    made = hall()
    beats = [
        {board.table: board.play.beat for board in made.wall(now_ns).boards if board.play}["Küche"]
        for now_ns in (0, FINISH_NS - 1, FINISH_NS)
    ]
    assert beats == [Beat.FINISH, Beat.FINISH, Beat.CALM]


@pytest.mark.parametrize("number", range(len(all_games())))
def test_every_state_of_a_match_is_drawable(number: int) -> None:
    """A board that cannot be drawn logs an error, which fails the test."""
    for moves in range(0, 60, 3):
        made = Hall(all_games(), "Games club")
        made.take("bar", topics.ONLINE, topics.payload({"online": True, "name": "Bar"}), 0)
        made.take("bar", topics.STATE, topics.payload(told_state(number, moves)), 0)
        drawn(made.wall(1, None))


def test_single_call_shows_no_photo_finish() -> None:
    made = hall()
    names = tuple(told_state(0)["players"])
    alone = topics.verdict("m", 3, names, ["#ffffff"] * 5, Verdict((1,), None, 0, (Call(1, 7),)))
    made.take("window", topics.VERDICT, topics.payload(alone.message), 0)
    boards = {board.table: board for board in made.wall(1).boards}
    assert boards["Window"].play
    assert boards["Window"].play.beat == Beat.CALM


def test_board_shows_scores_turn_and_leader() -> None:
    made = Hall(all_games(), "")
    made.take(
        "t", topics.STATE, topics.payload(told_state(1) | {"turn": [2], "leads": [1], "scores": [3, 9, None]}), 0
    )
    (board,) = made.wall(0).boards
    assert [(seat.score, seat.turn, seat.leads) for seat in board.seats] == [
        ("3", False, True),
        ("9", True, False),
        ("", False, False),
    ]


def test_lost_table_is_grey_and_stays() -> None:
    made = hall()
    lost = next(board for board in made.wall(0).boards if board.table == "Garden")
    assert (lost.lost, lost.note, lost.play is not None) == (True, "switched off", True)


def test_many_tables_are_shown_in_turn() -> None:
    made = Hall(all_games(), "")
    for number in range(TABLES + 7):
        made.take(f"t{number:03}", topics.ONLINE, topics.payload({"online": True, "name": f"T{number}"}), 0)
    pages = [made.wall(page * PAGE_NS) for page in range(-(-TABLES // A_PAGE) + 1)]
    shown = [board.table for wall in pages[:-1] for board in wall.boards]
    assert len(shown) == len(set(shown)) == TABLES
    assert pages[-1] == pages[0]
    assert pages[0].note == "and 7 more tables"


@pytest.mark.logs_errors  # for boards that no scene can draw
@given(data=st.data())
def test_any_reported_value_is_refused_or_drawn(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, 3))
    told, kind = told_state(number, 25), topics.STATE
    made = Hall(all_games(), "")
    made.take("t", kind, topics.payload(told), 0)
    if data.draw(st.booleans()):
        kind, told = topics.VERDICT, told_verdict(tuple(told["players"]))
    part = told
    while data.draw(st.booleans()):
        deeper = [key for key, value in part.items() if isinstance(value, dict) and value]
        if not deeper:
            break
        part = part[data.draw(st.sampled_from(deeper))]
    part[data.draw(st.sampled_from(sorted(part)))] = data.draw(ANYTHING)
    with suppress(*topics.NO_MESSAGE):
        made.take("t", kind, json.dumps(told | {"v": 1}).encode(), 0)
    drawn(made.wall(0), (320, 200))


def test_verdict_of_another_match_is_ignored() -> None:
    made = hall(1)
    before = made.wall(1)
    told = told_verdict(tuple(told_state(0)["players"]))
    made.take("window", topics.VERDICT, topics.payload(told | {"match": "of before"}), 0)
    assert made.wall(1) == before
    made.take("window", topics.VERDICT, topics.payload(told), 0)
    assert made.wall(1) != before


@pytest.mark.parametrize("scores", [[], [7], [7] * 6])
def test_missing_scores_are_refused(scores: list[int]) -> None:
    made = hall(1)
    before = made.wall(1)
    with pytest.raises(ValueError, match="not each player has a score"):
        made.take("window", topics.STATE, topics.payload(told_state(0) | {"scores": scores}), 0)
    assert made.wall(1) == before


NO_NUMBERS: Final = ("Infinity", "1e999", "NaN", "0.5", "true", '"1"', "9" * 400)


@pytest.mark.parametrize("number", NO_NUMBERS)
@pytest.mark.parametrize("key", ["margin_ns", "after_ns", "uncertainty_ns", "seat", "first"])
def test_invalid_number_in_a_verdict_is_refused(key: str, number: str) -> None:
    made = hall(1)
    told = told_verdict(tuple(told_state(0)["players"]))
    part = told if key in told else told["order"][0]
    part[key] = ["?"] if key == "first" else "?"
    before = made.wall(1)
    with pytest.raises(ValueError, match="is no whole number from"):
        made.take("window", topics.VERDICT, topics.payload(told).replace(b'"?"', number.encode()), 0)
    assert made.wall(1) == before


@pytest.mark.parametrize("number", NO_NUMBERS)
def test_invalid_score_is_refused(number: str) -> None:
    made, told = hall(1), told_state(0)
    told["scores"][0] = "?"
    before = made.wall(1)
    with pytest.raises(ValueError, match="is no whole number from"):
        made.take("window", topics.STATE, topics.payload(told).replace(b'"?"', number.encode()), 0)
    assert made.wall(1) == before


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"v":2}', b"\xff", b"[" * 60_000, b" " * 100_000])
def test_invalid_message_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  whatever it says is for the log
        Hall(all_games(), "").take("t", topics.STATE, data, 0)


@pytest.mark.logs_errors
def test_undrawable_board_is_logged(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_name: str) -> None:
        raise IndexError("this view is absurd")

    monkeypatch.setattr(scenes, "scene_of", fail)
    drawn(hall(1).wall(0), (640, 400))
    assert "a board of table 'Window'" in caplog.text


def test_unchanged_boards_are_not_redrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    made = hall()
    drawn(made.wall(1))
    again: list[object] = []
    monkeypatch.setattr(wall_page, "_board", lambda *given: again.append(given))
    made.take("window", topics.STATE, topics.payload({"match": None}), 0)
    drawn(made.wall(2))
    assert again == []


@pytest.mark.parametrize("count", range(1, 13))
def test_boards_never_overlap(count: int) -> None:
    room = pygame.Rect(0, 0, 1280, 660)
    found = wall_page.largest_cells(room, count, 8)
    assert len(found) == count
    assert all(room.contains(cell) for cell in found)
    assert not any(one.colliderect(other) for at, one in enumerate(found) for other in found[:at])
    assert min(cell.height for cell in found) > 100


def test_high_contrast_wall_has_a_black_background(tmp_path: Path) -> None:
    surface = pygame.Surface(SIZE, 0, 32)
    screens.draw(Canvas(surface), Frame(1, hall().wall(1), (), look=Look(high_contrast=True)))
    assert surface.get_at((0, 0))[:3] == (0, 0, 0)


def test_standings_are_those_of_the_tournament(tmp_path: Path) -> None:
    over = played_on(begun(tmp_path / "t.club", plan(8, 2)))
    rows = standings(over)
    assert [(row.rank, row.player) for row in rows] == [(each.rank, each.player) for each in over.standings()]
    assert all(0 <= row.share <= 1 for row in rows)


def test_renamed_table_leaves_the_wall() -> None:
    found = hall()
    found.take("window", topics.ONLINE, b"", 0)
    assert {board.table for board in found.wall(0).boards} == set(WHERE) - {"Window"}
