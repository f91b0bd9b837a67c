"""Tests a key matrix on mock pins: keys, bounce, ghosts and sleep."""

import queue

import pytest
from gpiozero.exc import PinInvalidState
from hypothesis import given
from hypothesis import strategies as st

from companion.core.console import KEYPAD, KEYS
from companion.core.place import HOUSE
from companion.core.signal import MERGED, PLUG, UNPLUG, USER_CLOCK, Signal
from companion.devices.errors import DeviceError
from companion.devices.keypads import matrix
from companion.devices.keypads.matrix import LATE_NS, Contacts, MatrixKeypad, ghosts
from companion.devices.lines import MatrixWiring
from tests.devices.pad_fakes import MS, FakeClock, Heard, WiredFactory

ROWS, COLUMNS = (4, 7, 8, 25), (9, 10, 11, 15)
ALL = [(row, column) for row in range(4) for column in range(4)]
KEY_1, KEY_2, KEY_4, KEY_5, KEY_9 = (0, 0), (0, 1), (1, 0), (1, 1), (2, 2)


@pytest.fixture
def factory():
    factory = WiredFactory(ROWS, COLUMNS)
    yield factory
    factory.reset()


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def pad(factory, clock, heard):
    pad = MatrixKeypad(MatrixWiring(2, ROWS, COLUMNS), factory, heard.append, clock)
    yield pad
    pad.close()


def scans(pad, clock, count=4):
    """Return whether the thread would go on."""
    more = True
    for _ in range(count):
        more = pad.scan()
        clock.t_ns += 10 * MS
    return more


def keys(heard):
    return [control for _, control in heard.controls]


@pytest.mark.parametrize("spot", ALL)
def test_each_key_is_reported_once(factory, pad, clock, heard, spot):
    factory.keys.press(spot)
    assert scans(pad, clock, 9)
    factory.keys.release(spot)
    assert not scans(pad, clock)
    assert heard.controls == [(1, KEYS[KEYS.index(KEYPAD[spot[0]][spot[1]])])]


def test_matrix_has_the_keys_of_the_companion():
    assert sorted("".join(KEYPAD)) == sorted(KEYS)


def test_key_can_be_repeated_beside_a_held_one(factory, pad, clock, heard):
    factory.keys.press(KEY_1)
    scans(pad, clock)
    factory.keys.press(KEY_5)
    scans(pad, clock)
    factory.keys.release(KEY_1)
    scans(pad, clock)
    factory.keys.press(KEY_1)
    scans(pad, clock)
    assert keys(heard) == ["1", "5", "1"]


def test_press_timestamp_precedes_the_scan(factory, pad, clock, heard):
    seen_ns = clock.t_ns
    factory.keys.press(KEY_9)
    scans(pad, clock)
    assert heard == [
        Signal("matrix", 1, "9", seen_ns - LATE_NS // 2, LATE_NS // 2, seen_ns + 10 * MS, True, (USER_CLOCK,))
    ]


def test_matrix_can_be_the_houses(factory, clock, heard):
    pad = MatrixKeypad(MatrixWiring(0, ROWS, COLUMNS), factory, heard.append, clock)
    factory.keys.press(KEY_1)
    scans(pad, clock)
    pad.close()
    assert heard.controls == [(HOUSE, "1")]


def test_bouncing_contact_is_one_press(factory, pad, clock, heard):
    for _ in range(5):
        factory.keys.press(KEY_1)
        assert pad.scan()
        factory.keys.release(KEY_1)
        pad.scan()
    assert heard == []
    factory.keys.press(KEY_1)
    scans(pad, clock)
    factory.keys.release(KEY_1)
    pad.scan()
    factory.keys.press(KEY_1)
    scans(pad, clock)
    assert keys(heard) == ["1"]


# --- Ghosts -----------------------------------------------------------------------------------------------


def test_keys_at_three_corners_report_nothing(factory, pad, clock, heard):
    factory.keys.press(KEY_1, KEY_2, KEY_4)
    assert scans(pad, clock, 9)
    assert heard == []


def test_third_corner_is_reported_once_unambiguous(factory, pad, clock, heard):
    factory.keys.press(KEY_1)
    scans(pad, clock)
    factory.keys.press(KEY_2)
    scans(pad, clock)
    began_ns = clock.t_ns
    factory.keys.press(KEY_4)
    scans(pad, clock)
    assert keys(heard) == ["1", "2"]
    factory.keys.release(KEY_1)
    sure_ns = clock.t_ns
    scans(pad, clock)
    assert keys(heard) == ["1", "2", "4"]
    third = heard[-1]
    assert third.flags == (USER_CLOCK, MERGED)
    assert (third.t_ns - third.uncertainty_ns, third.t_ns + third.uncertainty_ns) == (began_ns - LATE_NS, sure_ns)


@given(st.sets(st.sampled_from(ALL), max_size=6))
def test_only_pressed_keys_are_reported(pressed):
    factory = WiredFactory(ROWS, COLUMNS)
    clock, heard = FakeClock(), Heard()
    pad = MatrixKeypad(MatrixWiring(0, ROWS, COLUMNS), factory, heard.append, clock)
    factory.keys.press(*pressed)
    scans(pad, clock)
    told = set(keys(heard))
    assert told <= {KEYPAD[row][column] for row, column in pressed}
    if len(pressed) < 3:
        assert len(told) == len(pressed)
    pad.close()
    factory.reset()


@given(st.sets(st.sampled_from(ALL), max_size=8))
def test_ghosts_are_the_corners_of_rectangles(spots):
    corners = set()
    for top in range(4):
        for bottom in range(top + 1, 4):
            for left in range(4):
                for right in range(left + 1, 4):
                    rectangle = {(row, column) for row in (top, bottom) for column in (left, right)}
                    corners |= rectangle if rectangle <= spots else set()
    assert ghosts(spots) == corners


def test_key_held_at_the_start_is_not_pressed(factory, clock, heard):
    factory.keys.press(KEY_1)
    pad = MatrixKeypad(MatrixWiring(0, ROWS, COLUMNS), factory, heard.append, clock)
    assert scans(pad, clock)
    factory.keys.press(KEY_2)
    assert scans(pad, clock)
    factory.keys.release(KEY_1, KEY_2)
    assert not scans(pad, clock)
    pad.close()
    assert keys(heard) == ["2"]


def test_contacts_at_rest_stay_at_rest():
    contacts = Contacts()
    assert contacts.scanned([], 0) == []
    assert contacts.resting


# --- Lines ------------------------------------------------------------------------------------------------


def test_columns_are_pulled_up_without_bounce_time(factory, pad):
    columns = [factory.pin(number) for number in COLUMNS]
    assert {(pin.function, pin.pull, pin.bounce) for pin in columns} == {("input", "up", None)}


def test_all_rows_are_low_at_rest(factory, pad, clock):
    def rows():
        return {(pin.function, pin.state) for pin in map(factory.pin, ROWS)}

    assert rows() == {("output", False)}
    factory.keys.press(KEY_1)
    scans(pad, clock)
    assert rows() == {("input", True)}
    factory.keys.release(KEY_1)
    scans(pad, clock)
    assert rows() == {("output", False)}


def test_edge_lost_before_sleep_loses_no_key(factory, pad, clock, heard):
    for number in COLUMNS:
        factory.pin(number).when_changed = None
    rest = pad._rest
    pad._rest = lambda: (factory.keys.press(KEY_5), rest())
    assert pad.scan()
    scans(pad, clock)
    assert keys(heard) == ["5"]


def test_closing_releases_the_lines(factory, pad):
    pad.close()
    assert {pin.function for pin in map(factory.pin, ROWS + COLUMNS)} == {"input"}
    assert {pin.when_changed for pin in map(factory.pin, COLUMNS)} == {None}


def test_invalid_line_is_named(factory, clock, heard):
    with pytest.raises(DeviceError, match=r"\[matrix\] column, line 99: .*companion doctor"):
        MatrixKeypad(MatrixWiring(0, ROWS, (9, 10, 11, 99)), factory, heard.append, clock)


# --- The thread -------------------------------------------------------------------------------------------


class Threaded:
    def __init__(self, factory, monkeypatch):
        self.heard = queue.Queue()
        self.scans = 0
        self.pad = MatrixKeypad(MatrixWiring(1, ROWS, COLUMNS), factory, self.heard.put, FakeClock())
        scan = self.pad.scan

        def counted():
            self.scans += 1
            return scan()

        monkeypatch.setattr(self.pad, "scan", counted)
        monkeypatch.setattr(matrix, "SCAN_S", 0)
        monkeypatch.setattr(matrix, "LOOK_S", 0)

    def next(self):
        signal = self.heard.get(timeout=60)
        return signal.place, signal.control


@pytest.fixture
def threaded(factory, monkeypatch):
    threaded = Threaded(factory, monkeypatch)
    yield threaded
    threaded.pad.close()


def test_key_wakes_the_thread_until_it_rests(factory, threaded, monkeypatch):
    rested = queue.Queue()
    clear = threaded.pad._awake.clear
    monkeypatch.setattr(threaded.pad._awake, "clear", lambda: (clear(), rested.put(threaded.scans)))
    threaded.pad.watch()
    rested.get(timeout=60)
    for spot, key in ((KEY_1, "1"), (KEY_9, "9")):
        factory.keys.press(spot)
        assert threaded.next() == (0, key)
        factory.keys.release(spot)
        rested.get(timeout=60)


def test_failed_lines_are_reported_and_retried(factory, threaded):
    threaded.pad.watch()
    factory.broken = PinInvalidState("the line is gone")
    factory.keys.press(KEY_1)
    assert threaded.next() == (0, UNPLUG)
    assert str(threaded.pad.troubles[0]) == "[matrix]: the line is gone. `companion doctor` says more"
    factory.keys.release(KEY_1)
    factory.broken = None
    assert threaded.next() == (0, PLUG)
    factory.keys.press(KEY_5)
    assert threaded.next() == (0, "5")
    assert threaded.pad.troubles == {}


@pytest.mark.logs_errors
def test_internal_error_does_not_end_the_keypad(factory, threaded):
    threaded.pad.watch()
    factory.broken = ZeroDivisionError()
    factory.keys.press(KEY_1)
    assert threaded.next() == (0, UNPLUG)
    factory.keys.release(KEY_1)
    factory.broken = None
    assert threaded.next() == (0, PLUG)
