"""Any other game: clocks, also of a live match."""

from pathlib import Path

import pytest

from companion.core.console import HOUSE_CONTROLS, Call
from companion.core.move import TABLE, Move, Seat
from companion.games.any import console, rules
from companion.games.any.game import GAME
from companion.games.any.rules import Phase, Rulings
from companion.match.new_match import NAMES, new_match
from companion.match.virtual_table import VirtualTable
from companion.referee.journal import Journal, Unkept
from tests.games.any.an_table import Play, box_of
from tests.games.contract import find, kinds

MS = 1_000_000
SECOND = 1_000 * MS
SETTLE_S = 0.06
"""From a press to the picture of the next turn."""


def started(seats: int = 2, **rulings: object) -> Play:
    play = Play(seats, play="clock", minutes=1, **rulings)
    play.make("open")
    return play


def test_an_r18_buzzer_ends_the_turn_of_the_running_clock():
    play = Play(3, play="clock", minutes=1)
    assert console.key(play.own(0), Seat(0), "#", {}).move == Move(TABLE, "open")
    assert not console.key(play.own(1), Seat(1), "#", {}).accepted
    play.make("open")
    stage = console.stage(play.view)
    assert (stage.race.callers, stage.limit.ms, stage.limit.move) == ((0,), 60_000, Move(TABLE, "flag", (0,)))
    move = console.called(play.view, (Call(Seat(0), 5).timed(12_345 * MS),))
    assert move == Move(TABLE, "pass", (0, 12_345))
    play.push(move)
    assert (play.state.caller, play.state.rest_ms) == (1, (47_655, 60_000, 60_000))
    assert play.refused("pass", 0, 1) == "AN-R18"
    assert play.refused("pass", 1, 60_000) == "AN-R18"


def test_an_r18_next_round_begins_with_the_next_seat():
    play = Play(2, box=box_of('kind = "clock"', 'kind = "clock"', 'kind = "clock"'))
    begun = []
    for _ in range(3):
        begun.append(play.state.caller)
        play.make("skip")
    assert begun == [0, 1, 0]


def test_an_r19_fallen_flag_is_out_and_the_last_seat_wins():
    play = started(3)
    play.make("pass", 0, 10_000)
    assert play.refused("flag", 0) == "AN-R19"
    play.make("flag", 1)
    assert (play.state.caller, play.state.locked) == (2, (1,))
    play.make("pass", 2, 5)
    play.make("pass", 0, 5)
    assert play.state.caller == 2
    assert kinds(play.make("flag", 2))[:2] == ["flag", "won"]
    assert play.state.points == (1, 0, 0)


@pytest.mark.parametrize(
    ("clock", "rest_ms"),
    [("sudden_death", (40_000, 10_000)), ("increment", (45_000, 15_000)), ("hourglass", (90_000, 30_000))],
)
def test_an_r20_clock_runs_by_its_mode(clock, rest_ms):
    play = started(clock=clock, increment_s=5)
    play.make("pass", 0, 20_000)
    play.make("pass", 1, 50_000)
    assert play.state.rest_ms == rest_ms


def test_an_e4_hourglass_runs_into_the_next_clock():
    play = started(clock="hourglass")
    told = play.make("pass", 0, 20_000)
    assert (find(told, "pass").data.rest_ms, play.state.rest_ms) == (40_000, (40_000, 80_000))
    play.make("pass", 1, 50_000)
    assert play.state.rest_ms == (90_000, 30_000)


# --- A live match -------------------------------------------------------------------------------------------


class Live:
    """A match on the clock with virtual devices."""

    def __init__(self, journal: Path | None = None, **rulings: object) -> None:
        match = new_match(GAME, NAMES[:2], rulings=Rulings(play="clock", minutes=1, **rulings), seed="clock")
        self.journal = Journal.create(journal, match) if journal else Unkept()
        self.table = VirtualTable(match, self.journal)
        self.table.start()

    @property
    def rest_s(self) -> list[float]:
        return [ms / 1000 for ms in self.table.match.state.rest_ms]

    def after(self, seconds: float, seat: Seat, control: str) -> None:
        self.table.run(self.table.clock.now_ns() + round(seconds * SECOND))
        if control == "buzz":
            self.table.buzz(seat, self.table.clock.now_ns())
        elif control in HOUSE_CONTROLS:
            self.table.devices.house(control)
        else:
            self.table.devices.house_keypad.press(control)

    def wait(self, seconds: float = 1) -> None:
        self.table.run(self.table.clock.now_ns() + round(seconds * SECOND))


def test_an_r18_press_counts_by_its_timestamp():
    live = Live()
    live.after(1, TABLE, "ok")
    live.after(20, Seat(0), "buzz")
    live.wait()
    assert live.rest_s == [40, 60]
    live.after(10 - 1 + SETTLE_S, Seat(1), "buzz")
    live.wait()
    assert live.rest_s == [40, 50]


def test_an_r19_flag_falls_by_itself():
    live = Live()
    live.after(1, TABLE, "ok")
    live.wait(59)
    assert live.table.match.state.phase == Phase.CLOCK
    live.wait(2)
    assert live.table.match.outcome.winners == (1,)


def test_an_a4_pauses_do_not_count():
    live = Live()
    live.after(1, TABLE, "ok")
    live.after(10, TABLE, "pause")
    live.after(100, TABLE, "pause")
    live.after(5, TABLE, "pause")
    live.after(100, TABLE, "pause")
    live.after(5, Seat(0), "buzz")
    live.wait()
    assert live.rest_s == [40, 60]


@pytest.mark.parametrize(("percent", "rest_s"), [(200, 50), (0, 60)])
def test_an_a4_scaled_or_missing_limits_scale_the_clock(percent, rest_s):
    live = Live()
    live.table.referee.pacing.limit_percent = percent
    live.after(1, TABLE, "ok")
    live.after(20, Seat(0), "buzz")
    live.wait()
    assert live.rest_s == [rest_s, 60]


def test_an_a3_undo_gives_back_the_time_of_a_turn():
    live = Live()
    live.after(1, TABLE, "ok")
    live.after(20, Seat(0), "buzz")
    live.after(5, TABLE, "undo")
    assert live.rest_s == [60, 60]
    live.wait(30)  # the clock stands until somebody presses
    live.after(0, Seat(1), "buzz")  # in vain, but it goes on
    live.after(7, Seat(0), "buzz")
    live.wait()
    assert live.rest_s == [53, 60]


def test_an_a3_resumed_match_begins_the_turn_anew(tmp_path):
    path = tmp_path / "clock.record"
    live = Live(path)
    live.after(1, TABLE, "ok")
    live.after(20, Seat(0), "buzz")
    live.wait(15)
    live.journal.close()
    journal, opened = Journal.resume(path, {"any": GAME})
    assert opened.match.state.rest_ms == (40_000, 60_000)
    assert console.stage(opened.match.view()).limit.ms == 60_000
    journal.close()


def test_house_keys_points_while_clocks_run():
    live = Live()
    live.after(1, TABLE, "ok")
    for key in "25":
        live.after(1, TABLE, key)
    live.after(1, Seat(0), "buzz")
    live.after(1, TABLE, "A")
    live.wait()
    assert live.table.match.state.points == (0, 5)
    assert live.rest_s == [57, 60]
    assert rules.outcome(live.table.match.state) is None
