"""A match with calls under Xvfb, from the attract screen to the result, by real key events.

People sit at the PC's two keypads, and the test decides for them. test_evenings.py plays the games without calls in
virtual time.
"""

import time
from pathlib import Path

from companion.core.match import Match
from companion.display.table_plan import table_plan
from companion.games import all_games, load
from companion.games.buntherum.rules import Phase
from companion.records.history import records
from companion.referee.calls import STOP_NS
from tests.e2e.pc import SIZE, Screen, Table, eventually, needs_a_screen, soon
from tests.e2e.test_window_match import right

pytestmark = needs_a_screen

BUZZERS = "zqtpm"

MIDDLE = table_plan(SIZE).display.inflate(-400, -280)
"""The unchanging part of the attract screen."""

LONGEST_S = 200
"""Four times the usual length of a match, for busy machines."""

CONTESTED = 3
"""The card of Buntherum that both people call."""

SEEN_S = 0.03
"""The delay between the journal and the screen."""


ROBOTS, PEOPLE = 1, 2
"""The numbers of each, clockwise from the first place."""


def start(table: Table) -> None:
    for place in range(ROBOTS):
        table.and_see(lambda place=place: table.key(BUZZERS[place]))
        for _ in range(2):  # the first level presses at random
            table.and_see(lambda place=place: table.type(place, "B"))
    for place in range(ROBOTS, ROBOTS + PEOPLE):
        table.and_see(lambda place=place: table.key(BUZZERS[place]))
    table.and_see(lambda: table.key("Return"))
    table.and_see(lambda: table.key(str([*all_games()].index("buntherum") + 1)))
    table.key("Return")
    eventually(lambda: records(table.folder), "a record")


# --- What people do ---------------------------------------------------------------------------------------


def call(table: Table, match: Match, seats: range) -> int:
    """Call, mostly from the same seat, and enter the right row; return the number of certain moves.

    The journal has a card before the screen, so a press that was too early is repeated.
    """
    state = match.state
    if match.length == 0 or (state.phase == Phase.READY and state.flipper in seats):
        time.sleep(2 * STOP_NS / 1e9)  # earlier presses may belong to the previous card
        table.key(BUZZERS[seats[0] if match.length == 0 else state.flipper])  # is the youngest, or turns a card
        soon(lambda: table.match.length > match.length)  # repeated at an open card it would be a call
        return 0
    if state.phase == Phase.OPEN:
        callers = seats if state.turn == CONTESTED else seats[1:] if state.turn % 4 == 0 else seats[:1]
        table.key(*(BUZZERS[seat] for seat in callers))
        return 0
    if state.phase == Phase.LOCKED and state.caller in seats:
        table.type(state.caller, str(right(state)))
        return 1
    return 0


def play(table: Table, seats: range) -> Match:
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
        reached = length + call(table, match, seats)
    raise AssertionError(f"not over within {LONGEST_S} s: {table.match.to_act} {table.match.view()}")


def test_match_runs_from_attract_screen_and_back(screen: Screen, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("[display]\ndrum_ms = 0\n", "utf-8")
    seats = range(ROBOTS, ROBOTS + PEOPLE)
    with Table(screen, tmp_path, "--table", str(config)) as table:
        table.ready()
        screen.still()
        attract = screen.part(MIDDLE)
        start(table)
        match = play(table, seats)
        assert match.game is load("buntherum")
        assert match.rulings == match.game.rulings()
        assert len(match.names) == seats.stop
        assert all(any(move.seat == seat for move in match.moves) for seat in seats)

        def left() -> bool:
            """Leave the match, which only works at the result."""
            table.key("BackSpace")
            return soon(lambda: screen.part(MIDDLE) == attract)

        eventually(left, "the result, and the attract screen again")
        assert table.opened().damage is None
        assert table.said() == ""
