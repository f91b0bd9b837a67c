"""Tests number pads made by uinput, and a key matrix."""

import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import evdev
import pytest
from evdev import ecodes

from companion.config.sections import JournalOptions
from companion.config.table_file import TableConfig, read_config
from companion.core.clock import MonotonicClock, PlanningClock
from companion.core.inbox import Inbox
from companion.core.place import HOUSE
from companion.core.signal import PLUG, UNPLUG, Signal
from companion.devices.chips import find_chip
from companion.devices.errors import DeviceError
from companion.devices.hardware import Hardware
from companion.devices.keypads.matrix import MatrixKeypad
from companion.devices.keypads.pad_keys import KEY_OF, pads_here
from companion.devices.keypads.usb_pads import PadWiring, UsbPads
from companion.devices.lines import MatrixWiring
from companion.devices.pins import lgpio_factory
from companion.devices.wiring import Wiring
from companion.display.frame import Frame, Poster
from companion.games import all_games
from companion.match.seating import Sitter, Wanted
from companion.referee.serving import STOP, run_live
from companion.table.host import Host
from tests.kernel.inside.gpiosim import Chip, Move, World
from tests.kernel.inside.patience import PATIENCE_S, eventually

LEFT: Final = "usb-0000:01:00.0-1.1/input0"
RIGHT: Final = "usb-0000:01:00.0-1.2/input0"

KEYS: Final = [code for code in ecodes.keys if code < 256]
"""All keys of a keyboard."""

NAMES: Final = {
    "KEY_KP0 KEY_0 KEY_INSERT": "0",
    "KEY_KP1 KEY_1 KEY_END": "1",
    "KEY_KP2 KEY_2 KEY_DOWN": "2",
    "KEY_KP3 KEY_3 KEY_PAGEDOWN": "3",
    "KEY_KP4 KEY_4 KEY_LEFT": "4",
    "KEY_KP5 KEY_5 KEY_CLEAR": "5",
    "KEY_KP6 KEY_6 KEY_RIGHT": "6",
    "KEY_KP7 KEY_7 KEY_HOME": "7",
    "KEY_KP8 KEY_8 KEY_UP": "8",
    "KEY_KP9 KEY_9 KEY_PAGEUP": "9",
    "KEY_KPENTER KEY_ENTER": "#",
    "KEY_KPASTERISK KEY_BACKSPACE": "*",
    "KEY_KPSLASH KEY_SLASH": "A",
    "KEY_KPMINUS KEY_MINUS": "B",
    "KEY_KPPLUS": "C",
    "KEY_KPDOT KEY_DOT KEY_KPCOMMA KEY_DELETE": "D",
}


class Pad:
    """A plugged-in pad of one common model."""

    def __init__(self, phys: str) -> None:
        self._input = evdev.UInput({ecodes.EV_KEY: KEYS}, name="SIGMACHIP USB Keyboard", phys=phys)
        eventually(lambda: any(pad.phys == phys for pad in pads_here()), f"the kernel knows the pad at {phys}")

    @property
    def path(self) -> str:
        return str(self._input.device.path)

    def press(self, name: str) -> tuple[int, int]:
        """Return the times before and after the press."""
        before_ns = time.monotonic_ns()
        self.set(name, 1)
        after_ns = time.monotonic_ns()
        self.set(name, 0)
        return before_ns, after_ns

    def set(self, name: str, value: int) -> None:
        """Release (0), press (1) or repeat (2) a key."""
        self._input.write(ecodes.EV_KEY, ecodes.ecodes[name], value)
        self._input.syn()

    def unplug(self) -> None:
        self._input.close()


@pytest.fixture
def left() -> Iterator[Pad]:
    pad = Pad(LEFT)
    yield pad
    pad.unplug()


@pytest.fixture
def right() -> Iterator[Pad]:
    pad = Pad(RIGHT)
    yield pad
    pad.unplug()


class Table:
    def __init__(self) -> None:
        self.heard: queue.Queue[Signal] = queue.Queue()
        self.pads = UsbPads({0: LEFT, 1: RIGHT}, self.heard.put, MonotonicClock())
        self.pads.watch()

    def next(self) -> Signal:
        return self.heard.get(timeout=PATIENCE_S)


@pytest.fixture
def table(left: Pad, right: Pad) -> Iterator[Table]:
    table = Table()
    yield table
    table.pads.close()


def test_key_codes_match_the_kernels_names() -> None:
    assert {ecodes.ecodes[name]: key for names, key in NAMES.items() for name in names.split()} == KEY_OF


def test_two_pads_of_one_model_have_two_seats(table: Table, left: Pad, right: Pad) -> None:
    for pad, seat, name, key in (
        (right, 1, "KEY_KP7", "7"),
        (left, 0, "KEY_KP7", "7"),
        (right, 1, "KEY_KPENTER", "#"),
    ):
        pad.press(name)
        signal = table.next()
        assert (signal.place, signal.control) == (seat, key)


def test_key_timestamps_use_the_monotonic_clock(table: Table, left: Pad) -> None:
    for _ in range(20):
        before_ns, after_ns = left.press("KEY_KP5")
        signal = table.next()
        stamp_ns = signal.t_ns + signal.uncertainty_ns  # truncated to microseconds
        assert before_ns - 1000 <= stamp_ns <= after_ns
        assert stamp_ns <= signal.received_ns
        assert signal.uncertainty_ns == 10_000_000


def test_held_key_is_pressed_once(table: Table, left: Pad) -> None:
    for value in (1, 2, 2, 2, 0):
        left.set("KEY_KP1", value)
    left.press("KEY_KP2")
    assert [table.next().control for _ in range(2)] == ["1", "2"]


def test_other_programs_do_not_receive_the_keys(left: Pad, right: Pad) -> None:
    console = evdev.InputDevice(left.path)
    left.press("KEY_KP1")
    assert [event.code for event in console.read() if event.value == 1] == [ecodes.KEY_KP1]
    table = Table()
    left.press("KEY_KP2")
    assert table.next().control == "2"
    with pytest.raises(BlockingIOError):
        list(console.read())
    table.pads.close()
    left.press("KEY_KP3")
    assert [event.code for event in console.read() if event.value == 1] == [ecodes.KEY_KP3]
    console.close()


def test_pad_grabbed_by_another_program_is_refused(left: Pad, right: Pad) -> None:
    with evdev.InputDevice(right.path).grab_context(), pytest.raises(DeviceError, match="seat 2: another program"):
        Table()


def test_missing_permission_names_the_group(left: Pad, right: Pad) -> None:
    nobody = 65534
    Path(left.path).chmod(0o600)
    os.seteuid(nobody)
    try:
        with pytest.raises(DeviceError, match=r"seat 1: no permission\. Join the group input"):
            Table()
    finally:
        os.seteuid(0)


def test_kernel_overflow_loses_no_key_held_down(left: Pad, right: Pad) -> None:
    heard: list[Signal] = []
    pads = UsbPads({0: LEFT}, heard.append, MonotonicClock())
    for _ in range(200):
        left.press("KEY_KP1")
    left.set("KEY_KP9", 1)
    for _ in range(200):
        left.press("KEY_KP2")
    pads.serve(0)
    assert len(heard) < 401, "the kernel has lost some"
    assert [signal.control for signal in heard].count("9") == 1
    heard.clear()
    left.set("KEY_KP9", 0)
    left.press("KEY_KP9")
    pads.serve(0)
    assert [signal.control for signal in heard] == ["9"]
    pads.close()


def test_pad_returns_at_its_place(table: Table, left: Pad, right: Pad) -> None:
    right.unplug()
    signal = table.next()
    assert (signal.place, signal.control) == (1, UNPLUG)
    assert str(table.pads.troubles[1]) == "the keypad of seat 2 is disconnected. Plug it into the same socket again"
    left.press("KEY_KP1")
    assert table.next().control == "1"
    again = Pad(RIGHT)
    signal = table.next()
    assert (signal.place, signal.control) == (1, PLUG)
    assert table.pads.troubles == {}
    again.press("KEY_KP4")
    signal = table.next()
    assert (signal.place, signal.control) == (1, "4")
    again.unplug()


# --- At a table -------------------------------------------------------------------------------------------


class Playing:
    """The host of a table with real buzzers and pads."""

    def __init__(self, folder: Path, config: TableConfig) -> None:
        self._frames: queue.Queue[Frame] = queue.Queue()
        self._inbox, clock = Inbox(), PlanningClock()
        config = replace(config, journal=JournalOptions(str(folder)))
        self._hardware = Hardware(config.wiring, self._inbox, clock)
        sitters = [Sitter("Anna"), Sitter("Ben")]
        wanted = Wanted(sitters, "boese_buben")
        self._host = Host(
            all_games(), config, clock, self._frames.put, wanted, settle_ns=0, hardware=self._hardware
        )
        self._clock = clock
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        self._host.start()
        run_live(self._host, self._inbox, self._clock)
        self._host.close()

    def until(self, reached: Callable[[Frame], object], what: str) -> Frame:
        """Show frames until one meets a condition."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            frame = self._frames.get(timeout=PATIENCE_S)
            told = self._host.frames.shown(frame, self._clock.now_ns())
            if told:
                self._inbox.put(told)
            if reached(frame):
                return frame
        raise AssertionError(f"not within {PATIENCE_S:.0f} s: {what}")

    def house(self, control: str) -> None:
        now_ns = self._clock.now_ns()
        self._inbox.put(Signal("house", HOUSE, control, now_ns, 0, now_ns))

    def end(self) -> None:
        self._inbox.put(STOP)
        self._thread.join()
        self._hardware.close()


@pytest.fixture
def playing(chip: Chip, left: Pad, right: Pad, tmp_path: Path) -> Iterator[Playing]:
    playing = Playing(tmp_path, TableConfig(wiring=Wiring(PadWiring(seats=(LEFT, RIGHT)))))
    yield playing
    playing.end()


def test_match_waits_for_a_pad_and_names_seat(playing: Playing, left: Pad, right: Pad) -> None:
    begin(playing)
    right.unplug()
    frame = playing.until(lambda frame: frame.sides[1].note == "unplugged!", "seat 2 is told as unplugged")
    assert frame.sides[0].note == "The match is paused"
    assert isinstance(frame.screen, Poster)
    assert frame.screen.title == "The match waits"
    assert frame.screen.lines == ("the keypad of seat 2 is disconnected. Plug it into the same socket again",)
    again = Pad(RIGHT)
    frame = playing.until(lambda frame: frame.sides[1].note != "unplugged!", "seat 2 is back")
    assert not isinstance(frame.screen, Poster)
    assert frame.sides[0].note != "The match is paused"
    again.unplug()


def begin(playing: Playing) -> None:
    """Press ok until a match is played."""
    for _ in range(10):
        playing.house("ok")
        frame = playing.until(lambda _: True, "a frame")
        if type(frame.screen).__name__ == "Play":
            return
    raise AssertionError(f"no match after ten times ok, but {frame.screen}")


@pytest.fixture
def asking(left: Pad, right: Pad, tmp_path: Path) -> Iterator[Playing]:
    """Return a table at its first start: it asks whose its pads are."""
    toml = tmp_path / "table.toml"
    toml.write_text("[pads]\nask = true\n[buzzers]\npins = []\n[lamps]\npins = []\n")
    asking = Playing(tmp_path / "matches", read_config(toml, all_games()))
    yield asking
    asking.end()


def test_table_asks_whose_each_pad_is(asking: Playing, left: Pad, right: Pad, tmp_path: Path) -> None:
    until_line(asking, "Seat 1: press a key on your pad")
    until_open(right)
    right.press("KEY_KP5")
    until_line(asking, "Seat 2: press a key on your pad")
    console = evdev.InputDevice(right.path)
    with pytest.raises(OSError, match="busy"):
        console.grab()
    console.close()
    right.press("KEY_KP5")
    until_line(asking, "That one is seat 1's. Seat 2: press a key on your pad")
    left.press("KEY_KP5")
    until_line(asking, "Seat 3: press a key on your pad")  # the guest also has a keyboard
    asking.house("ok")
    asking.until(lambda frame: "Whose" not in str(frame.screen), "the question has ended")
    assert read_config(tmp_path / "table.toml", all_games()).wiring.of(PadWiring).seats == (RIGHT, LEFT)


def test_two_pads_at_once_belong_to_nobody(asking: Playing, left: Pad, right: Pad) -> None:
    until_line(asking, "Seat 1: press a key on your pad")
    until_open(left)
    until_open(right)
    left.press("KEY_KP5")
    right.press("KEY_KP5")
    until_line(asking, "Two were pressed at once. Seat 1: press a key on your pad")


def until_line(asking: Playing, line: str) -> None:
    asking.until(lambda frame: isinstance(frame.screen, Poster) and line in frame.screen.lines, line)


def until_open(pad: Pad) -> None:
    """Wait until this process reads a pad."""
    eventually(lambda: pad.path in map(os.path.realpath, Path("/proc/self/fd").iterdir()), f"{pad.path} is read")


# --- A matrix ---------------------------------------------------------------------------------------------


def test_pressed_column_wakes_matrix_and_reports_its_keys(chip: Chip, world: World) -> None:
    """Rows and columns are not connected: a low column looks like its four keys."""
    rows, columns = (4, 7, 8, 25), (9, 10, 11, 15)
    heard: queue.Queue[Signal] = queue.Queue()
    factory = lgpio_factory(find_chip())
    pad = MatrixKeypad(MatrixWiring(0, rows, columns), factory, heard.put, MonotonicClock())
    pad.watch()
    try:
        for column, keys in ((1, "2580"), (3, "ABCD")):
            assert eventually(lambda: [chip.level(row) for row in rows] == [0, 0, 0, 0], "all rows are low")
            world.play([Move(0, columns[column], 0)])
            signals = [heard.get(timeout=PATIENCE_S) for _ in keys]
            world.play([Move(0, columns[column], 1)])
            assert "".join(signal.control for signal in signals) == keys
            assert {signal.place for signal in signals} == {HOUSE}
    finally:
        pad.close()
        factory.close()
