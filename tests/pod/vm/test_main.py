"""Tests the whole firmware as main.py starts it."""

import os
import sys
import time

import machine
import main
import pins
import run
import safe
from clock import PERIOD_US
from machine import Pin
from sentences import Reader, build
from stream import Stream


class Stop(BaseException):
    """Raised to leave the main loop."""


class System:
    def __init__(self):
        self.stdin, self.stdout = Device(), Device()
        self.print_exception = sys.print_exception


class Device:
    def __init__(self):
        self.buffer = Stream()


class Board:
    """Each pass of the main loop calls the next step of a script."""

    def __init__(self, *, without_screen=False):
        for file in (main.PROMPT, main.CRASH):
            if file in os.listdir():
                os.remove(file)
        self.us = self.ticks = 0
        self.heard = []
        self.reader = Reader()
        self.interrupt_char = "not told"
        self.held = set()
        machine.mem32 = machine.Registers()
        main.sys = run.sys = safe.sys = self.system = System()
        time.ticks_us = lambda: self.ticks
        os.urandom = lambda count: bytes(range(0xA0, 0xA0 + count))
        run.micropython = self
        self.without_screen = without_screen

    def kbd_intr(self, char):
        self.interrupt_char = char

    def passes(self, us):
        self.us += us
        self.ticks = self.us % PERIOD_US  # not in the lambda: an interrupt reads it, and may not allocate

    def run(self, *script):
        steps = list(script)

        class Watchdog(machine.WDT):
            def feed(watchdog):
                super().feed()
                self.passes(1000)
                self.listen()
                if not steps:
                    raise Stop
                step = steps.pop(0)
                if step:
                    step()

        run.machine = Machine(Watchdog, self.without_screen)
        return self.start()

    def start(self):
        """Start main.py and return how it ends."""
        try:
            main.main()
        except Stop:
            return "stopped"
        except machine.Reset:
            return "reset"
        return "prompt"

    def listen(self):
        self.heard.extend(self.reader.feed(self.system.stdout.buffer.taken()))

    def says(self, kind, *fields):
        """Return a step in which the host sends a sentence."""

        def step():
            self.system.stdin.buffer.incoming += build(kind, *fields)

        return step

    def noise(self, data):
        def step():
            self.system.stdin.buffer.incoming += data

        return step

    def presses(self, level):
        return lambda: Pin.made[pins.BUZZER].drive(1 - level)

    def waits(self, us):
        return lambda: self.passes(us)

    def wires_keypad(self):
        """Connect the columns with driven rows through pressed keys."""
        for column, number in enumerate(pins.COLUMNS):
            Pin.made[number].sense = lambda column=column: self._column(column)

    def _column(self, column):
        for row, number in enumerate(pins.ROWS):
            if (row, column) in self.held and Pin.made[number].level == 0:
                return 0
        return 1

    def holds(self, *places):
        def step():
            self.held = set(places)

        return step

    def of(self, kind):
        return [fields for heard, *fields in self.heard if heard == kind]


class Machine:
    def __init__(self, watchdog, without_screen):
        self.WDT = watchdog
        self.without_screen = without_screen
        self.unique_id, self.reset = machine.unique_id, machine.reset

    def I2C(self, *args, **kwargs):
        bus = machine.I2C(*args, **kwargs)
        bus.present = not self.without_screen
        return bus


SESSION = "5B0C77E2"
HELLO = [b"1", b"E66118604B3A5C21", b"2.1", b"BKLTQ", b"A0A1A2A3", b"1"]


def test_pod_says_hello_and_feeds_its_watchdog():
    board = Board()
    assert board.run(board.says(b"HEY", 1, SESSION), None, None) == "stopped"
    assert board.of(b"HEL") == [HELLO + [b"-"], HELLO + [SESSION.encode()]]
    assert (machine.WDT.last.timeout, machine.WDT.last.fed) == (2000, 4)
    assert board.interrupt_char == -1


def test_press_is_repeated_until_acknowledged():
    board = Board()
    board.run(
        board.says(b"HEY", 1, SESSION),
        board.waits(100_000),
        board.presses(1),
        None,
        board.says(b"PNG", 1),
        None,
        board.waits(100_000),
        None,
        board.says(b"ACK", 1),
        board.waits(100_000),
        board.waits(100_000),
        None,
    )
    (press, again) = board.of(b"BUZ")
    assert press == again == [b"1", b"103000", b"1"]
    (pong,) = board.of(b"PON")
    assert pong == [b"1", b"105000", b"1", b"1", b"105000"]


def test_held_key_is_reported_once():
    board = Board()
    board.run(
        board.says(b"HEY", 1, SESSION),
        board.wires_keypad,
        board.holds((1, 1)),
        *[board.waits(5000)] * 3,
        board.holds(),
        *[board.waits(5000)] * 9,
        board.holds((3, 0)),
        *[board.waits(5000)] * 2,
    )
    keys = {seq: key for seq, _, key in board.of(b"KEY")}
    assert keys == {b"1": b"5", b"2": b"*"}


def test_lamp_follows_the_host_and_goes_dark_alone():
    board = Board()
    levels = []
    look = lambda: levels.append(Pin.made[pins.LAMP].level)  # noqa: E731
    board.run(
        board.says(b"HEY", 1, SESSION),
        board.says(b"LMP", 1, 1),
        board.says(b"TXT", 2, 0, "Los!"),
        None,
        look,
        board.waits(3_000_000),
        None,
        look,
        board.says(b"PNG", 1),
        None,
        look,
    )
    assert board.of(b"ACK") == [[b"1"], [b"2"]]
    assert levels == [1, 0, 1]


def test_new_host_session_turns_off_the_lamp():
    board = Board()
    levels = []
    look = lambda: levels.append(Pin.made[pins.LAMP].level)  # noqa: E731
    board.run(
        board.says(b"HEY", 1, SESSION),
        board.says(b"LMP", 1, 1),
        None,
        look,
        board.says(b"HEY", 1, "00000002"),
        None,
        look,
    )
    assert levels == [1, 0]


def test_noise_and_control_characters_are_harmless():
    board = Board()
    board.run(
        board.says(b"HEY", 1, SESSION),
        board.noise(b"\x03\x04$$TCPNG,1*00000000\r\n\xff\x00$TC"),
        board.noise(bytes(range(256)) * 8),
        *[None] * 40,
        board.says(b"PNG", 9),
        None,
        None,
    )
    assert [pong[0] for pong in board.of(b"PON")] == [b"9"]


def test_host_that_does_not_read_stops_nothing():
    board = Board()

    def shut():
        board.system.stdout.buffer.room = 0

    def open_again():
        board.system.stdout.buffer.room = 1 << 20

    presses = [step for at in range(100) for step in (board.presses(1 - at % 2), board.waits(40_000))]
    acknowledge = [step for seq in range(8, 80, 8) for step in (board.says(b"ACK", seq), None)]
    outcome = board.run(
        board.says(b"HEY", 1, SESSION), None, shut, *presses, open_again, *[board.waits(100_000)] * 4, *acknowledge
    )
    assert outcome == "stopped"
    told = {int(seq): int(level) for seq, _, level in board.of(b"BUZ")}
    assert told == {seq: seq % 2 for seq in range(1, 64)}
    lost = {int(seq): int(count) for seq, _, count in board.of(b"LST")}
    assert sorted(lost) == [64, 65]
    assert sum(lost.values()) == 100 - 63


def test_upd_restarts_into_the_prompt_once():
    board = Board()
    assert board.run(board.says(b"UPD"), None, None) == "reset"
    assert main.PROMPT in os.listdir()
    fed, board.interrupt_char = machine.WDT.last.fed, "untouched"
    assert board.start() == "prompt"
    assert main.PROMPT not in os.listdir()
    assert (machine.WDT.last.fed, board.interrupt_char) == (fed, "untouched")


def test_crash_is_stored_once_and_board_restarts():
    board = Board()

    def defect():
        raise KeyError("of the test")

    def another():
        raise KeyError("that followed")

    assert board.run(None, defect) == "reset"
    assert board.run(None, another) == "reset"
    with open(main.CRASH) as file:
        written = file.read()
    assert "of the test" in written and "that followed" not in written


def defect():
    raise KeyError("of the test")


class SafeTime:
    """A stand-in for `time` in safe mode. Each look runs a step of a script and takes 20 ms."""

    def __init__(self, *script):
        self.ms, self.steps = 0, list(script)

    def ticks_ms(self):
        if not self.steps:
            raise Stop
        step = self.steps.pop(0)
        if step:
            step()
        self.ms += 20
        return self.ms


def crashed():
    """Return a board that has crashed three times."""
    board = Board()
    for _ in range(3):
        assert board.run(None, defect) == "reset"
    board.listen()
    board.heard = []
    return board


def in_safe_mode(board, *script):
    watchdog = machine.WDT.last
    safe.time = SafeTime(*script)
    outcome = board.start()
    assert machine.WDT.last is watchdog, "the firmware did not begin"
    board.listen()
    return outcome


def test_three_crashes_in_a_row_start_safe_mode():
    board = crashed()
    board.system.stdin.buffer.incoming += b"noise\r\n" + build(b"HEY", 1, SESSION) + build(b"PNG", 1)
    assert in_safe_mode(board, *[None] * 80) == "stopped"
    assert board.heard == [[b"HEL", b"0", b"E66118604B3A5C21"]]


def test_upd_leads_out_of_safe_mode():
    board = crashed()
    board.system.stdin.buffer.incoming += b"$TCPNG," + build(b"UPD")
    assert in_safe_mode(board, *[None] * 40) == "reset"
    assert board.start() == "prompt"
    assert board.run(None) == "stopped", "the firmware runs again"


def test_lamp_flashes_three_times_in_safe_mode():
    board = crashed()
    levels = []
    in_safe_mode(board, *[lambda: levels.append(Pin.made[pins.LAMP].level)] * 151)
    second = "".join(str(int(level)) for level in levels[75:150])
    assert "".join(str(int(level)) for level in levels[1:75]) == second[1:], "it repeats every 1.5 s"
    assert second == ("1" * 5 + "0" * 5) * 3 + "0" * 45


def test_safe_mode_runs_with_a_broken_pins_file():
    board = crashed()
    module = sys.modules.pop("pins")
    try:
        with open("pins.py") as file:
            kept = file.read()
        with open("pins.py", "w") as file:
            file.write("LAMP = (")
        board.system.stdin.buffer.incoming += build(b"HEY", 1, SESSION)
        in_safe_mode(board, *[None] * 40)
        assert len(board.of(b"HEL")) == 1
    finally:
        with open("pins.py", "w") as file:
            file.write(kept)
        sys.modules["pins"] = module


def test_hang_counts_as_a_crash():
    board = Board()
    for _ in range(3):
        assert board.run(None) == "stopped", "its watchdog would reset it"
    assert in_safe_mode(board, None) == "stopped"


def test_good_minute_clears_the_crashes():
    board = Board()
    assert board.run(None, defect) == board.run(None, defect) == "reset"
    assert board.run(board.waits(59_000_000), None, board.waits(1_000_000), None, defect) == "reset"
    assert board.run(None, defect) == "reset"
    assert board.run(None) == "stopped", "the third since the minute"
    assert in_safe_mode(board, None) == "stopped"


def test_defect_before_the_loop_counts_too():
    board = Board()
    known, pins.SCREEN = pins.SCREEN, "vfd"
    try:
        assert [board.run(None) for _ in range(3)] == ["reset"] * 3
    finally:
        pins.SCREEN = known
    assert in_safe_mode(board, None) == "stopped"


def test_prompt_clears_the_crashes():
    board = Board()
    for _ in range(3):
        assert board.run(board.says(b"UPD"), None, None) == "reset"
        assert board.start() == "prompt"
    assert board.run(None) == "stopped"


def test_missing_screen_is_announced():
    board = Board(without_screen=True)
    board.run(board.says(b"HEY", 1, SESSION), None)
    assert [fields[3] for fields in board.of(b"HEL")] == [b"BKL", b"BKL"]


def test_unknown_kind_of_screen_is_named():
    known, pins.SCREEN = pins.SCREEN, "vfd"
    try:
        run.driver()
    except ValueError as error:
        assert "'vfd'" in str(error) and '"lcd"' in str(error)
    else:
        raise AssertionError("no error")
    finally:
        pins.SCREEN = known
