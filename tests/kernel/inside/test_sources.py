"""Tests buzzers, lamps and house buttons with the real libraries on simulated lines."""

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import gpiod
import gpiozero.pins.local
import pytest

from companion.core.clock import MonotonicClock
from companion.core.console import Lamp
from companion.core.inbox import Inbox
from companion.core.limits import EDGES_A_SECOND
from companion.core.place import HOUSE
from companion.core.signal import LEVEL, MERGED, PLUG, UNPLUG, Signal
from companion.devices.buzzers import choice, gpiod_lines
from companion.devices.buzzers.source import Edge
from companion.devices.buzzers.watch import STUCK_NS, Buzzers
from companion.devices.chips import find_chip, holders, read_line
from companion.devices.errors import DeviceError
from companion.devices.hardware import Hardware
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.wiring import Wiring
from companion.referee.debounce import Line
from tests.kernel.inside.gpiosim import COUNTED, LABEL, LINES, Chip, Move, World

MS = 1_000_000
S = 1_000_000_000
PATIENCE_S = 60

ANNA, BEN = 0, 1
PINS = (17, 27)
WIRING = BuzzerWiring(pins=PINS)
LOW, HIGH = 0, 1

A_PI_4 = 0xC03114

each_source = pytest.mark.parametrize("name", ["gpiod", "lgpio", "rpigpio"])
counted_only = pytest.mark.skipif(not COUNTED, reason="on the host's clock any stamp may be late")
kernel_stamps = pytest.mark.parametrize("name", ["gpiod", "lgpio"])


class Heard:
    def __init__(self) -> None:
        self.all: list[Any] = []
        self._changed = threading.Condition()

    def __call__(self, signal: Any) -> None:
        with self._changed:
            self.all.append(signal)
            self._changed.notify_all()

    def wait(self, enough: Callable[[list[Any]], bool]) -> list[Any]:
        with self._changed:
            assert self._changed.wait_for(lambda: enough(self.all), PATIENCE_S), self.all
            return list(self.all)

    def edges(self, count: int) -> list[Signal]:
        return self.wait(lambda heard: len(heard) >= count)[:count]


class Clock(MonotonicClock):
    ahead_ns = 0

    def now_ns(self) -> int:
        return super().now_ns() + self.ahead_ns


def soon(true: Callable[[], bool]) -> bool:
    """Return whether something becomes true before the timeout."""
    end = time.monotonic() + PATIENCE_S
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return true()


@pytest.fixture(autouse=True)
def a_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    """RPi.GPIO's shim, and gpiozero above it, need a Pi."""
    monkeypatch.setenv("RPI_LGPIO_REVISION", f"{A_PI_4:x}")
    factory = gpiozero.pins.local.LocalPiFactory
    original = factory._get_revision
    monkeypatch.setattr(
        factory, "_get_revision", lambda self: A_PI_4 if "RPiGPIO" in type(self).__name__ else original(self)
    )


@contextmanager
def opened(name: str, deliver: Any, wiring: BuzzerWiring = WIRING, clock: Any = None) -> Iterator[Buzzers]:
    kind, _ = choice.choose(name)
    board = choice.board_for(kind, wiring)
    try:
        buzzers = choice.open_buzzers(kind, board, wiring, deliver, clock or MonotonicClock())
        try:
            yield buzzers
        finally:
            buzzers.close()
    finally:
        board.close()


def presses(signals: list[Signal], seat: int) -> list[int]:
    line = Line()
    for signal in signals:
        if signal.place == seat:
            line.hear(signal)
    return [press.t_ns for press in line.presses() if press.confirmed]


# --- Timestamps -------------------------------------------------------------------------------------------


@each_source
@counted_only
def test_edge_timestamp_contains_the_true_time(chip: Chip, world: World, name: str) -> None:
    heard = Heard()
    with opened(name, heard):
        moves = [Move(1 * MS, 17, LOW), Move(60 * MS, 17, HIGH), Move(60 * MS, 27, LOW), Move(60 * MS, 27, HIGH)]
        moved = world.play(moves)
        signals = heard.edges(4)
    assert [(signal.place, signal.pressed) for signal in signals] == [
        (ANNA, True),
        (ANNA, False),
        (BEN, True),
        (BEN, False),
    ]
    for signal, times in zip(signals, moved, strict=True):
        assert signal.t_ns - signal.uncertainty_ns <= times.after_ns
        assert times.before_ns <= signal.t_ns + signal.uncertainty_ns


@each_source
@pytest.mark.parametrize(
    ("active_low", "normally_closed"), [(True, False), (True, True), (False, False), (False, True)]
)
def test_pressed_level_follows_the_wiring(
    chip: Chip, world: World, name: str, active_low: bool, normally_closed: bool
) -> None:
    wiring = BuzzerWiring(pins=PINS, active_low=active_low, normally_closed=normally_closed)
    heard = Heard()
    with opened(name, heard, wiring) as buzzers:
        world.play([Move(1 * MS, 27, LOW)])
        [signal] = heard.edges(1)
        low_is_pressed = active_low is not normally_closed
        assert (signal.place, signal.pressed) == (BEN, low_is_pressed)
        assert [level.pressed for level in buzzers.flush(0) if LEVEL in level.flags] == [
            not low_is_pressed,
            low_is_pressed,
        ]


BOUNCE = [Move(1 * MS, 17, LOW), *(Move(1 * MS, 17, (HIGH, LOW)[number % 2]) for number in range(6))]
"""Six milliseconds of bounce, low at the end."""


@kernel_stamps
@counted_only
def test_bouncier_button_does_not_lose(chip: Chip, world: World, name: str) -> None:
    """Anna is first and bounces for 6 ms; Ben follows 3 ms later without bounce."""
    moves = [*BOUNCE[:4], Move(500_000, 27, LOW), Move(500_000, *BOUNCE[4][1:]), *BOUNCE[5:]]
    heard = Heard()
    with opened(name, heard) as buzzers:
        moved = world.play(moves)
        signals = heard.edges(len(moves))
        uncertainty_ns = signals[0].uncertainty_ns
        assert list(buzzers.troubles) == []
    [anna], [ben] = presses(signals, ANNA), presses(signals, BEN)
    assert moved[0].before_ns - uncertainty_ns <= anna <= moved[0].after_ns + uncertainty_ns
    assert anna < ben
    assert ben - anna >= 3 * MS


@kernel_stamps
def test_kernel_does_not_debounce_the_lines(chip: Chip, name: str) -> None:
    with opened(name, Heard()), gpiod.Chip(chip.path) as found:
        for pin in PINS:
            info = found.get_line_info(pin)
            assert (info.debounced, info.debounce_period) == (False, timedelta(0))
            assert info.edge_detection is gpiod.line.Edge.BOTH
            assert info.event_clock is gpiod.line.Clock.MONOTONIC
            assert info.bias is gpiod.line.Bias.PULL_UP


@each_source
def test_button_held_at_start_counts_after_release(chip: Chip, world: World, name: str) -> None:
    world.play([Move(1 * MS, 17, LOW)])
    heard = Heard()
    with opened(name, heard, BuzzerWiring(pins=PINS, pull="none")) as buzzers:
        levels = list(buzzers.flush(0))
        assert [level.pressed for level in levels] == [True, False]
        assert heard.all == []
        world.play([Move(1 * MS, 17, HIGH), Move(100 * MS, 17, LOW)])
        signals = heard.edges(2)
    assert presses([*levels, *signals], ANNA) == [signals[1].t_ns]


# --- Many edges -------------------------------------------------------------------------------------------


@counted_only
def test_dropped_edges_are_marked_and_order_is_kept(chip: Chip) -> None:
    """Nobody reads while one line moves 10,000 times, and another twice."""
    heard, failed = Heard(), Heard()
    kind, _ = choice.choose("gpiod")
    board = choice.board_for(kind, WIRING)
    source: Any = kind.open(board, WIRING, heard, failed)
    flood = [Move(100_000, 17, number % 2) for number in range(10_000)]
    with World(chip, realtime=False) as world:
        with source._reading:
            world.play([Move(1 * MS, 27, LOW)])
            world.play(flood)
            moved = world.play([Move(1 * MS, 27, HIGH)])
        source.drain()
    edges: list[Edge] = list(heard.all)
    source.close()
    board.close()
    assert failed.all == []
    assert len(edges) <= gpiod_lines.BUFFER + 1  # one more may have been read before
    assert MERGED in next(edge for edge in edges if edge.place == ANNA).flags
    ben = [edge for edge in edges if edge.place == BEN]
    assert MERGED in ben[-1].flags  # its first edge was dropped
    assert ben[-1].t_ns - ben[-1].uncertainty_ns <= moved[0].before_ns <= ben[-1].t_ns + ben[-1].uncertainty_ns
    assert edges[-1] == ben[-1]
    assert [edge.t_ns for edge in edges if edge.place == ANNA] == sorted(
        edge.t_ns for edge in edges if edge.place == ANNA
    )


@each_source
@counted_only
def test_chattering_line_is_cut_off_and_others_heard(chip: Chip, name: str) -> None:
    inbox = Inbox()
    with hardware(inbox, name) as table, World(chip, realtime=False) as world:
        world.play([Move(100_000, 17, number % 2) for number in range(3_000)])
        moved = world.play([Move(50 * MS, 27, LOW)])
        assert soon(lambda: any(signal.place == BEN for signal in inbox.waiting()))
        assert list(table.troubles) == [ANNA]
        signals = inbox.waiting()
    assert [signal.control for signal in signals].count(UNPLUG) == 1
    assert sum(signal.place == ANNA for signal in signals) <= EDGES_A_SECOND + 1
    ben = signals[-1]
    assert moved[0].before_ns <= ben.t_ns + ben.uncertainty_ns
    assert ben.t_ns - ben.uncertainty_ns <= moved[0].after_ns


@each_source
def test_deaf_line_is_heard_again_after_listening(chip: Chip, name: str) -> None:
    heard = Heard()
    with opened(name, heard) as buzzers, World(chip, realtime=False) as world:
        buzzers.deafen(ANNA)
        # All contacts are open meanwhile: reconfiguring a line pulls it up, and a simulated contact is also a pull.
        world.play([Move(1 * MS, 17, LOW), Move(1 * MS, 17, HIGH), Move(1 * MS, 27, LOW), Move(9 * MS, 27, HIGH)])
        assert [signal.place for signal in heard.edges(2)] == [BEN, BEN]
        buzzers.listen(ANNA)
        world.play([Move(50 * MS, 17, LOW)])
        assert [signal.place for signal in heard.edges(3)] == [BEN, BEN, ANNA]


def test_flush_reports_all_earlier_edges(chip: Chip, world: World) -> None:
    heard = Heard()
    with opened("gpiod", heard) as buzzers:
        reader: Any = buzzers._source
        with reader._reading:
            moved = world.play([Move(1 * MS, 27, LOW), Move(200_000, 17, LOW)])
        levels = list(buzzers.flush(0))
        signals = list(heard.all)
    assert [signal.place for signal in signals] == [BEN, ANNA]
    assert signals[0].t_ns < moved[1].before_ns < signals[1].t_ns
    assert [level.pressed for level in levels] == [True, True]
    assert all(level.t_ns > moved[1].after_ns for level in levels)


# --- Faults -----------------------------------------------------------------------------------------------


@each_source
def test_stuck_line_is_reported_and_others_work(chip: Chip, world: World, name: str) -> None:
    heard, clock = Heard(), Clock()
    with opened(name, heard, clock=clock) as buzzers:
        world.play([Move(1 * MS, 17, LOW)])
        heard.edges(1)
        buzzers.look()
        clock.ahead_ns += STUCK_NS
        buzzers.look()
        assert [signal.control for signal in heard.edges(2)] == ["buzz", UNPLUG]
        assert list(buzzers.troubles) == [ANNA]
        world.play([Move(1 * MS, 27, LOW), Move(60 * MS, 17, HIGH)])
        heard.edges(4)
        buzzers.look()
        assert [(signal.place, signal.control) for signal in heard.edges(5)[2:]] == [
            (BEN, "buzz"),
            (ANNA, "buzz"),
            (ANNA, PLUG),
        ]


@each_source
@pytest.mark.logs_errors
def test_raising_handler_does_not_stop_the_source(chip: Chip, world: World, name: str) -> None:
    heard = Heard()
    raised = []

    def deliver(signal: Signal) -> None:
        if not raised:
            raised.append(signal)
            raise ValueError("full")
        heard(signal)

    with opened(name, deliver) as buzzers:
        world.play([Move(1 * MS, 17, LOW), Move(60 * MS, 17, HIGH)])
        told = heard.wait(lambda heard: [each.control for each in heard].count(UNPLUG) == 2)
        assert [signal.place for signal in told if signal.control == UNPLUG] == [ANNA, BEN]
        buzzers.look()
        heard.wait(lambda heard: [each.control for each in heard].count(PLUG) == 2)
        world.play([Move(100 * MS, 27, LOW)])
        heard.wait(lambda heard: (heard[-1].place, heard[-1].control) == (BEN, "buzz"))


HOLDER = """
import gpiod, sys
with gpiod.request_lines(sys.argv[1], {27: None}, consumer="quizbox"):
    print("holds", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_program(chip: Chip) -> Iterator[int]:
    """Yield the process id."""
    process = subprocess.Popen(
        [sys.executable, "-Ic", HOLDER, chip.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout
        assert process.stdout.readline() == "holds\n"
        yield process.pid
        assert process.stdin
        process.stdin.close()


@each_source
def test_line_held_by_another_program_is_named(chip: Chip, name: str) -> None:
    with another_program(chip) as pid:
        why = r"^\[buzzers\] seat 2, line 27.*`companion doctor`"
        with pytest.raises(DeviceError, match=why) as caught, opened(name, Heard()):
            pass
        if name == "gpiod":
            assert "line 27 (quizbox): taken by another program" in str(caught.value)
        assert pid in [holder for holder, _ in holders()]
        assert read_line(find_chip(), 27).taken_by == "quizbox"
        assert read_line(find_chip(), 17).taken_by is None  # the other line was released


def test_line_beyond_the_chip_is_named(chip: Chip) -> None:
    wiring = BuzzerWiring(pins=(17, LINES))
    why = rf"seat 2, line {LINES}: {LABEL} has the lines 0 to {LINES - 1}"
    with pytest.raises(DeviceError, match=why), opened("gpiod", Heard(), wiring):
        pass


def test_chip_and_its_lines_are_found(chip: Chip) -> None:
    found = find_chip()
    assert (str(found.path), found.label, found.lines) == (chip.path, LABEL, LINES)
    assert read_line(found, 17) == ("GPIO17", None)
    with opened("gpiod", Heard()):
        assert read_line(found, 17) == ("GPIO17", gpiod_lines.CONSUMER)
    assert os.getpid() not in [holder for holder, _ in holders()]


# --- lgpio ------------------------------------------------------------------------------------------------

IN_A_PROCESS = """
import glob, os, sys
before = os.getcwd()
from companion.devices.buzzers import choice
from companion.devices.lines import BuzzerWiring
from companion.core.clock import MonotonicClock
wiring = BuzzerWiring(pins=(17, 27))
kind, _ = choice.choose("lgpio")
board = choice.board_for(kind, wiring)
heard = []
buzzers = choice.open_buzzers(kind, board, wiring, heard.append, MonotonicClock())
assert os.getcwd() == before, os.getcwd()
assert "LG_WD" not in os.environ
print(glob.glob("/tmp/companion-*"), flush=True)
"""


def run_inside(script: str, folder: Path | str, said: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS + script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stderr) == (0, said), done
    return done.stdout


def test_lgpio_pipe_is_left_nowhere(chip: Chip, tmp_path: Path) -> None:
    assert run_inside("buzzers.close(); board.close()", tmp_path) == "[]\n"
    assert list(tmp_path.iterdir()) == []


def test_read_only_working_folder_delivers_edges(chip: Chip) -> None:
    """lgpio's pipe has lost its name."""
    share = Path("/share")  # read-only, even for root
    with pytest.raises(OSError, match="Read-only"):
        (share / "try").touch()
    move = """
import time
pull = glob.glob("/sys/devices/platform/gpio-sim*/gpiochip*/sim_gpio17/pull")[0]
open(pull, "w").write("pull-down")
end = time.monotonic() + 30
while not heard and time.monotonic() < end:
    time.sleep(0.01)
print([(signal.place, signal.control) for signal in heard])
buzzers.close()
board.close()
"""
    assert run_inside(move, share) == "[]\n[(0, 'buzz')]\n"


def test_dead_lgpio_thread_is_reported(chip: Chip, tmp_path: Path) -> None:
    """Another handler raised, which ends lgpio's only thread."""
    script = """
import lgpio, threading
threading.excepthook = lambda *_: None
def bad(*_): raise ValueError
[thread] = [each for each in threading.enumerate() if type(each).__module__ == "lgpio"]
buzzers.look()
assert not buzzers.troubles
class Bad:
    def changed(self, ticks, state): raise ValueError
bad, pin = Bad(), board.factory.pin(5)
pin.input_with_pull("up")
pin.edges = "both"
pin.when_changed = bad.changed
pull = glob.glob("/sys/devices/platform/gpio-sim*/gpiochip*/sim_gpio5/pull")[0]
open(pull, "w").write("pull-down")
thread.join(30)
assert not thread.is_alive()
buzzers.look()
buzzers.look()
print([str(text) for text in buzzers.troubles.values()])
print([(signal.place, signal.control) for signal in heard])
buzzers.close()
board.close()
"""
    said = "the buzzers: lgpio has stopped reporting. Restart the companion\n"
    _, troubles, heard = run_inside(script, tmp_path, said).splitlines()
    assert troubles.count("lgpio has stopped reporting. Restart the companion") == 2
    assert heard == "[(0, 'unplug'), (1, 'unplug')]"


# --- All devices ------------------------------------------------------------------------------------------


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@contextmanager
def hardware(inbox: Inbox, name: str, **lamps: Any) -> Iterator[Hardware]:
    wiring = Wiring(
        BuzzerWiring(source=name, pins=PINS),
        LampWiring(pins=(5, 6), **{"siren": 18, **lamps}),
        HouseWiring(),
    )
    with Hardware(wiring, inbox, MonotonicClock()) as opened:
        yield opened


@each_source
def test_lamps_and_siren_drive_their_lines(chip: Chip, inbox: Inbox, name: str) -> None:
    with hardware(inbox, name) as table:
        assert (chip.level(5), chip.level(6), chip.level(18)) == (0, 0, 0)
        table.show(BEN, Lamp.ON)
        assert (chip.level(5), chip.level(6)) == (0, 1)
        table.show(BEN, Lamp.OFF)
        assert chip.level(6) == 0
        table.show(ANNA, Lamp.BLINK)
        assert soon(lambda: chip.level(5) == 1)
        assert soon(lambda: chip.level(5) == 0)
        assert soon(lambda: chip.level(5) == 1)
        table.show(ANNA, Lamp.OFF)
        assert chip.level(5) == 0
        table.sound_siren()
        assert soon(lambda: chip.level(18) == 1)
        assert soon(lambda: chip.level(18) == 0)


def test_active_low_lamps_are_lit_by_low(chip: Chip, inbox: Inbox) -> None:
    with hardware(inbox, "gpiod", active_low=True, siren=NOT_WIRED) as table:
        assert (chip.level(5), chip.level(6)) == (1, 1)
        table.show(ANNA, Lamp.ON)
        assert (chip.level(5), chip.level(6)) == (0, 1)


@each_source
def test_house_buttons_are_heard_beside_buzzers(chip: Chip, world: World, inbox: Inbox, name: str) -> None:
    with hardware(inbox, name):
        world.play([Move(1 * MS, 16, LOW), Move(100 * MS, 16, HIGH)])
        ok = inbox.get(PATIENCE_S)
        assert ok
        assert (ok.source, ok.place, ok.control, ok.pressed) == ("house", HOUSE, "ok", True)
        world.play([Move(100 * MS, 27, LOW)])
        buzz = inbox.get(PATIENCE_S)
        assert buzz
        assert (buzz.place, buzz.control, buzz.pressed) == (BEN, "buzz", True)


def test_closed_table_does_not_silence_the_next(chip: Chip, world: World, inbox: Inbox) -> None:
    """A callback left in lgpio's list would end its only thread."""
    with hardware(inbox, "lgpio"):
        pass
    gc.collect()
    with hardware(inbox, "lgpio") as table:
        world.play([Move(1 * MS, 16, LOW), Move(100 * MS, 16, HIGH), Move(100 * MS, 17, LOW)])
        assert [
            (signal.source, signal.control) for signal in (inbox.get(PATIENCE_S), inbox.get(PATIENCE_S)) if signal
        ] == [
            ("house", "ok"),
            ("lgpio", "buzz"),
        ]
        table.of(Buzzers).look()
        assert table.troubles == {}


@each_source
def test_closing_releases_every_line(chip: Chip, inbox: Inbox, name: str) -> None:
    with hardware(inbox, name) as table:
        pins = [pin for _, pin in Wiring(WIRING, LampWiring(pins=(5, 6)), HouseWiring()).lines]
        assert all(read_line(find_chip(), pin).taken_by for pin in pins)
        table.show(ANNA, Lamp.BLINK)
    assert [pin for pin in pins if read_line(find_chip(), pin).taken_by] == []
    with hardware(inbox, name):  # they can be opened again
        pass
