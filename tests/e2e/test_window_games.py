"""A match with calls and one by keys alone under Xvfb, from the attract screen to the result, by real key events.

People sit wherever one of the PC's two keypads can be had; the test decides for them, and keys what they do.
"""

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from pc import Screen, Table, eventually, needs_a_screen
from test_window_match import right

from companion.core.match import Match, loads
from companion.core.move import TABLE, Seat
from companion.display import virtual_seats
from companion.games import all_games, load
from companion.games.buntherum.rules import Phase
from companion.games.typist import Typist
from companion.records.history import records

pytestmark = needs_a_screen

BUZZERS = "zqtpm"
"""The key of each place's buzzer."""

MIDDLE = virtual_seats.DISPLAY.inflate(-400, -280)
"""What the attract screen shows whoever sits at the table."""

LONGEST_S = 100
"""A match takes a quarter of that; the machine may be busy."""

CONTESTED = 3
"""The card of Buntherum for which both call."""

SEEN_S = 0.03
"""Nobody keys before the screen shows what the journal tells."""


class Sitting(NamedTuple):
    """Who sits down, clockwise from the first place, and what else the program is told."""

    game: str
    robots: int
    people: int
    arguments: tuple[str, ...] = ()


SITTINGS = (
    Sitting("buntherum", 1, 2),
    Sitting("de_et_boulanger", 0, 2, ("--deal", "table")),  # real dice: whoever rolls keys the face
)


def start(table: Table, sitting: Sitting) -> None:
    """Go from the attract screen to the first position of a match by default rulings."""
    for place in range(sitting.robots):
        table.and_see(lambda place=place: table.key(BUZZERS[place]))
        for _ in range(2):  # the first kind presses anything at any time
            table.and_see(lambda place=place: table.type(place, "B"))
    for place in range(sitting.robots, sitting.robots + sitting.people):
        table.and_see(lambda place=place: table.key(BUZZERS[place]))
    table.and_see(lambda: table.key("Return"))
    seats = sitting.robots + sitting.people
    line = [game.name for game in all_games().values() if seats in game.rules.SEATS].index(sitting.game) + 1
    table.and_see(lambda: table.key(str(line)))
    table.key("Return")
    eventually(lambda: records(table.folder), "a record")


# --- What people do ---------------------------------------------------------------------------------------


def call(table: Table, match: Match, seats: range) -> int:
    """Call, mostly the same one, and key the right row. Return how many moves that makes."""
    state = match.state
    if state.phase == Phase.OPEN:
        callers = seats if state.turn == CONTESTED else seats[1:] if state.turn % 4 == 0 else seats[:1]
        table.key(*(BUZZERS[seat] for seat in callers))
        return 1
    if state.phase == Phase.LOCKED and state.caller in seats:
        table.type(state.caller, str(right(state)))
        return 1
    return 0


def decide(table: Table, match: Match, seats: range) -> int:
    """Key all that one of them does now, as a planner would, or the face of a real die. Return how many moves."""
    length = match.length
    if match.to_act == (TABLE,) and match.tags["Deal"] == "table":
        faces = match.game.rules.draws(match.state)
        table.type_for_house(str(random.Random(length).randrange(len(faces)) + 1))
        return 1
    going_on = loads(match.dumps(), all_games())
    for seat in seats:
        keys = keys_of(going_on, seat)
        if keys:
            table.type(seat, keys)
            return going_on.length - length
    return 0


def keys_of(match: Match, seat: Seat) -> list[str]:
    """Return the keys of everything that a seat does until others have to act; make its moves in `match`."""
    robot = match.game.bots["planner"]
    assert isinstance(robot, Typist)
    keys: list[str] = []
    while seat in match.to_act:
        view = match.view(seat)
        move = robot.decide(view, seat, random.Random(match.length))
        if move is None:
            break
        keys += match.game.console.keys_for(view, move)
        match.push(move)
    return keys


def play(table: Table, act: Callable[[Table, Match, range], int], seats: range) -> Match:
    """Let people act whenever something has happened, until the match is over."""
    end_s = time.monotonic() + LONGEST_S
    reached = 0
    while time.monotonic() < end_s:
        assert table.process.poll() is None, table.said()
        match = table.match
        if match.outcome:
            return match
        if match.length < reached:
            time.sleep(0.005)
            continue
        time.sleep(SEEN_S)
        length = match.length
        reached = length + act(table, match, seats)
    raise AssertionError(f"not over within {LONGEST_S} s: {table.match.to_act} {table.match.view()}")


@pytest.mark.parametrize("sitting", SITTINGS, ids=[sitting.game for sitting in SITTINGS])
def test_a_match_from_attract_to_result_and_back(sitting: Sitting, screen: Screen, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("[display]\ndrum_ms = 0\n", "utf-8")
    seats = range(sitting.robots, sitting.robots + sitting.people)
    with Table(screen, tmp_path, "--table", str(config), *sitting.arguments) as table:
        table.ready()
        screen.still()
        attract = screen.part(MIDDLE)
        start(table, sitting)
        match = play(table, call if sitting.game == "buntherum" else decide, seats)
        assert match.game is load(sitting.game)
        assert match.rulings == match.game.rulings()
        assert len(match.names) == seats.stop
        assert all(any(move.seat == seat for move in match.moves) for seat in seats)
        over = screen.still()
        eventually(lambda: screen.pixels() != over, "the result")
        screen.still()
        table.key("2")  # another game
        eventually(lambda: screen.part(MIDDLE) == attract, "the attract screen again")
        assert table.opened().damage is None
        assert table.said() == ""
