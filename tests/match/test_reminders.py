"""Reminders and time limits."""

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.config.sections import PaceOptions
from companion.config.table_file import TableConfig
from companion.core.console import BUZZ, Lamp
from companion.core.move import Seat
from companion.devices.virtual import VirtualDevices
from companion.games.buntherum.console import LEAST_MS
from companion.match.new_match import NAMES, new_match
from companion.match.reminders import Reminders
from companion.match.seat_devices import Seated
from companion.match.sounds import NUDGE
from tests.host_bench import GAME, MS, Bench, S, bid, duel

pytestmark = pytest.mark.usefixtures("fixed_secrets")


class Calls:
    """Reminders on a manual clock; `done` lists their effects."""

    def __init__(self) -> None:
        self.now = 0
        self.plans: list[tuple[int, Callable[[], None]]] = []
        self.done: list[object] = []
        self.waited_for = frozenset({0, 2})
        self.reminders = Reminders(
            self,
            waited_for=lambda: self.waited_for,
            sound=lambda: self.done.append("sound"),
            lamps=lambda seats: self.done.append(set(seats)),
            changed=lambda: self.done.append("changed"),
        )

    def now_ns(self) -> int:
        return self.now * S

    def at(self, t_ns: int, action: Callable[[], None]) -> None:
        self.plans.append((t_ns, action))

    def until(self, second: int) -> list[object]:
        """Advance the time; return new effects."""
        self.now = second
        due = sorted((plan for plan in self.plans if plan[0] <= second * S), key=lambda plan: plan[0])
        self.plans = [plan for plan in self.plans if plan not in due]
        self.done.clear()
        for _, action in due:
            action()
        return self.done


@pytest.fixture
def calls() -> Calls:
    return Calls()


# --- When -------------------------------------------------------------------------------------------------


def test_lamps_remind_first_and_then_a_sound(calls: Calls) -> None:
    calls.reminders.begin(PaceOptions(nudge_s=10, sound_s=30))
    assert calls.until(9) == []
    assert calls.until(10) == [{0, 2}, "changed"]
    assert calls.until(29) == []
    assert calls.until(30) == ["sound"]
    assert calls.until(1000) == []
    assert calls.reminders.seats == {0, 2}


@pytest.mark.parametrize(
    ("nudge_s", "sound_s", "done"), [(0, 30, ["sound"]), (10, 0, [{0, 2}, "changed"]), (0, 0, [])]
)
def test_zero_switches_a_reminder_off(calls: Calls, nudge_s: int, sound_s: int, done: list[object]) -> None:
    calls.reminders.begin(PaceOptions(nudge_s=nudge_s, sound_s=sound_s))
    assert calls.until(1000) == done


def test_new_position_restarts_the_reminders(calls: Calls) -> None:
    calls.reminders.begin(PaceOptions(nudge_s=10, sound_s=30))
    calls.until(9)
    calls.reminders.begin(PaceOptions(nudge_s=10, sound_s=30))
    assert calls.until(18) == []
    assert calls.until(19) == [{0, 2}, "changed"]
    calls.done.clear()
    calls.reminders.begin(PaceOptions(nudge_s=10, sound_s=30))
    assert calls.done == [set()]
    assert calls.until(48) == [{0, 2}, "changed"]


def test_press_stops_reminders_until_the_next_position(calls: Calls) -> None:
    calls.reminders.begin(PaceOptions(nudge_s=10, sound_s=30))
    calls.reminders.pressed(0)
    assert calls.until(10) == [{2}, "changed"]
    calls.reminders.pressed(2)
    assert calls.reminders.seats == set()
    calls.reminders.begin(PaceOptions(nudge_s=10, sound_s=30))
    assert calls.until(20) == [{0, 2}, "changed"]


def test_seats_without_a_move_are_not_reminded(calls: Calls) -> None:
    calls.reminders.begin(PaceOptions(nudge_s=10, sound_s=30))
    calls.waited_for = frozenset()
    assert calls.until(1000) == []


def test_ended_reminders_do_nothing(calls: Calls) -> None:
    calls.reminders.begin(PaceOptions(nudge_s=10, sound_s=30))
    calls.until(10)
    calls.reminders.end()
    assert calls.reminders.seats == set()
    assert calls.until(1000) == []


# --- Lamps ------------------------------------------------------------------------------------------------


class Noted(VirtualDevices):
    """Devices that record lamp commands."""

    def __init__(self) -> None:
        super().__init__(3, None, None, 0)  # type: ignore[arg-type]
        self.told: list[tuple[Seat, Lamp]] = []
        self.show = lambda seat, lamp: self.told.append((seat, lamp))  # type: ignore[method-assign]


@pytest.fixture
def devices() -> Noted:
    return Noted()


@pytest.fixture
def seated(devices: Noted) -> Seated:
    return Seated(devices, devices.places)


def test_reminded_lamp_blinks_and_is_then_restored(devices: Noted, seated: Seated) -> None:
    seated.show(0, Lamp.ON)
    seated.remind(frozenset({0, 1}))
    assert devices.told[1:] == [(0, Lamp.BLINK), (1, Lamp.BLINK)]
    seated.remind(frozenset({1}))
    seated.remind(frozenset())
    assert devices.told[3:] == [(0, Lamp.ON), (1, Lamp.OFF)]


def test_blinking_lamp_is_not_set_again(devices: Noted, seated: Seated) -> None:
    seated.show(0, Lamp.BLINK)
    seated.remind(frozenset({0}))
    seated.remind(frozenset())
    assert devices.told == [(0, Lamp.BLINK)]


def test_new_position_sets_a_reminded_lamp_at_once(devices: Noted, seated: Seated) -> None:
    seated.show(0, Lamp.ON)
    seated.remind(frozenset({0}))
    seated.show(0, Lamp.OFF)
    seated.remind(frozenset())
    assert devices.told[2:] == [(0, Lamp.OFF)]


# --- At a table -------------------------------------------------------------------------------------------


def paced(folder: Path, match: Any, **pace: Any) -> Bench:
    return Bench(folder, config=TableConfig(pace=PaceOptions(**pace)), match=match)


def called(folder: Path, **pace: Any) -> Bench:
    """Return Buntherum with the call at seat 1, and a minute to answer."""
    bench = paced(folder, new_match(GAME, NAMES[:3], rulings=GAME.rulings(declare_s=60)), **pace)
    bench.until(bench.open)
    bench.wait(120)
    bench.press(0, BUZZ)
    return bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return called(tmp_path)


def reminded(bench: Bench) -> list[Seat]:
    return [seat for seat, side in enumerate(bench.frame.sides) if side.tone == "nudge"]


def sounds(bench: Bench) -> int:
    return [clip.name for clip in bench.host.devices.sound.played].count(NUDGE)


def test_reminder_changes_lamp_and_strip(bench: Bench) -> None:
    assert bench.lamps[0] == Lamp.ON
    bench.wait(9.5)
    assert (reminded(bench), bench.lamps[0]) == ([], Lamp.ON)
    bench.wait(1)
    assert (reminded(bench), bench.lamps[:3]) == ([0], [Lamp.BLINK, Lamp.OFF, Lamp.OFF])
    assert bench.frame.sides[0].lit


def test_press_ends_the_reminder_without_secrets(bench: Bench) -> None:
    bench.wait(11)
    bench.press(0, "9")  # a refused key also shows that somebody is there
    assert (reminded(bench), bench.lamps[0]) == ([], Lamp.ON)
    bench.wait(15)
    assert (reminded(bench), sounds(bench)) == ([], 0)
    bench.wait(5)
    assert sounds(bench) == 1


def test_duel_reminds_only_seats_that_have_not_locked(tmp_path: Path) -> None:
    bench = duel(tmp_path)
    one, other = bench.view.duel
    bench.press(one, "5", "#")
    bench.wait(11)
    assert reminded(bench) == [other]
    bench.press(other, "5")
    assert reminded(bench) == [other], "else it would tell when a secret was typed"
    bench.press(other, "#")
    assert reminded(bench) == []


def test_slow_robots_are_not_reminded(tmp_path: Path) -> None:
    bench = duel(tmp_path, robot="random", config=TableConfig(pace=PaceOptions(nudge_s=1, sound_s=1)))
    waited_for = set()
    for _ in range(100):
        acting = len(bench.match.moves)
        bench.wait(0.5)
        waited_for.add(len(bench.match.moves) == acting)
        assert (reminded(bench), sounds(bench)) == ([], 0)
    assert waited_for == {True, False}, "a robot took longer than the reminder waits, and then did something"


def test_race_has_no_reminders(tmp_path: Path) -> None:
    bench = paced(tmp_path, new_match(GAME, NAMES[:3]))
    bench.until(bench.open)
    bench.wait(120)
    assert (reminded(bench), sounds(bench)) == ([], 0)


def test_pause_restarts_the_reminder(bench: Bench) -> None:
    bench.wait(11)
    bench.house("pause")
    assert bench.lamps[0] == Lamp.ON
    bench.wait(120)
    assert sounds(bench) == 0
    bench.house("pause")
    bench.wait(9)
    assert reminded(bench) == []
    bench.wait(2)
    assert reminded(bench) == [0]


def test_reminder_counts_from_the_end_of_a_reveal(tmp_path: Path) -> None:
    bench = duel(tmp_path, config=TableConfig(pace=PaceOptions(nudge_s=2)))
    bid(bench, "5", "5")  # a tie: both bid again
    bench.wait(4)
    assert reminded(bench) == []
    bench.wait(2.2)
    assert len(reminded(bench)) > 0


def test_changed_setting_counts_from_the_next_position(bench: Bench) -> None:
    bench.choose("Settings", "Reminder")
    bench.house("pause", "pause")
    bench.wait(19)
    assert reminded(bench) == []
    bench.wait(2)
    assert reminded(bench) == [0]


@pytest.mark.parametrize("off", ["nudge_s", "sound_s"])
def test_each_reminder_can_be_switched_off(tmp_path: Path, off: str) -> None:
    bench = called(tmp_path, **{off: 0})
    bench.wait(50)
    assert (bool(reminded(bench)), bool(sounds(bench))) == (off != "nudge_s", off != "sound_s")


# --- Time limits ------------------------------------------------------------------------------------------


def test_frame_shows_whose_time_is_limited(tmp_path: Path) -> None:
    bench = called(tmp_path, timers="x1.5")
    limit = bench.frame.limit
    assert (limit.seats, limit.length_ns) == ((0,), 90 * S)
    assert limit.ends_ns == pytest.approx(bench.clock.t_ns + 90 * S, abs=S)
    bench.house("pause")
    assert bench.frame.limit is None
    bench.wait(1000)
    bench.house("pause")
    assert bench.frame.limit.ends_ns == pytest.approx(bench.clock.t_ns + 90 * S, abs=S)


def test_race_limit_starts_when_the_card_is_seen(tmp_path: Path) -> None:
    bench = paced(tmp_path, new_match(GAME, NAMES[:3], rulings=GAME.rulings(nobody_after_s=10)))
    bench.blind = True
    bench.until(bench.open)
    assert bench.frame.limit.ends_ns is None
    bench.wait(5)
    bench.blind = False
    bench.wait(0)
    assert bench.frame.limit == ((0, 1, 2), 10 * S, bench.clock.t_ns + 10 * S)
    assert not bench.until(lambda: not bench.open(), 9.9)
    assert bench.until(lambda: not bench.open(), 1)


def test_slow_disk_costs_no_time_to_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for a row runs from when its call is durable."""
    bench = paced(tmp_path, new_match(GAME, NAMES[:3]))
    assert bench.until(bench.open)
    durable_ns = []

    def sync(_: int) -> None:
        bench.clock.t_ns += 3 * S
        durable_ns.append(bench.clock.t_ns)

    with monkeypatch.context() as slow:
        slow.setattr(os, "fdatasync", sync)
        bench.press(0, BUZZ)
    limit_ns = LEAST_MS * MS
    assert bench.frame.limit == ((0,), limit_ns, durable_ns[0] + limit_ns)
    bench.until(lambda: bench.match.moves[-1].verb == "late", 3)
    assert bench.clock.t_ns == durable_ns[0] + limit_ns + 30 * MS


def test_without_limits_no_time_runs_out(tmp_path: Path) -> None:
    bench = called(tmp_path, timers="off")
    bench.wait(3600)
    assert bench.frame.limit is None
    assert bench.match.moves[-1].verb == "call"


def test_changed_limit_counts_from_the_next_question(bench: Bench) -> None:
    bench.choose("Settings")
    for _ in range(3):
        bench.take("Answer time")
    bench.house("pause", "pause")
    assert bench.until(lambda: bench.match.moves[-1].verb == "late", 61)
    bench.next_card()
    bench.press(1, BUZZ)
    bench.wait(600)
    assert bench.match.moves[-1].verb == "call"


def test_timer_choices_match_their_percentages() -> None:
    (timers,) = (field for field in dataclasses.fields(PaceOptions) if field.name == "timers")
    percents = [PaceOptions(timers=word).limit_percent for word in timers.metadata["choices"]]
    assert percents == [100, 150, 200, 0]
