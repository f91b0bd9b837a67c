"""Tests the firmware's parts on simulated pins in virtual time."""

import re

import pytest
from buzzer import BOUNCES_MAX, EDGES_MAX, QUIET_US, REST_US, STEADY_US, Buzzer
from clock import PERIOD_US, Clock
from hypothesis import given
from hypothesis import strategies as st
from keypad import RELEASE_US, SCAN_US, Keypad
from lamp import BLINK_US, BLINKING, OFF, ON, Lamp
from pod import Pod
from screen import Screen, fold
from sentences import Reader, build

from companion.core.text import LANGUAGES
from tests.messages import catalogue

KEYS = ("123A", "456B", "789C", "*0#D")


class Pin:
    def __init__(self, level=1):
        self.level = level
        self.sense = None

    def value(self, level=None):
        if level is None:
            return self.level if self.sense is None else self.sense()
        self.level = level
        return None


class Contact:
    def __init__(self, start_us=0, pressed=0):
        self.start_us = self.us = start_us
        self.pin = Pin(1 - pressed)
        self.interrupt = None
        self.interrupted = 0
        self.clock = Clock(self.ticks)
        self.buzzer = Buzzer(self.pin, self.clock, self.ticks, self._arm)
        self.told = []

    def _arm(self, handler):
        self.interrupt, self.edges = handler, 12
        return self._trigger

    def _trigger(self, edges=None):
        told, self.edges = self.edges, self.edges if edges is None else edges
        return told

    def ticks(self):
        return self.us % PERIOD_US

    def edge(self, at_us, level):
        self.us = self.start_us + at_us
        self.pin.level = 1 - level
        if self.edges:
            self.interrupted += 1
            self.interrupt(self.pin)

    def drain(self, at_us):
        self.us = self.start_us + at_us
        before = len(self.told)
        self.buzzer.drain(self.clock.now_us(), lambda t_us, level: self.told.append((t_us, level)))
        return self.told[before:]


def pulses(contact, begin_us, count, for_us, every_us):
    for at_us in range(begin_us, begin_us + count * every_us, every_us):
        contact.edge(at_us, 1)
        contact.edge(at_us + for_us, 0)


def test_edge_has_the_level_that_follows_it():
    contact = Contact()
    contact.edge(100_000, 0)  # it has opened again when the interrupt reads it
    contact.edge(100_040, 1)
    assert contact.drain(101_000) == [(100_000, 0), (100_040, 1)]
    assert contact.drain(101_000 + QUIET_US) == []


def test_spike_shorter_than_reading_is_one_open_edge():
    contact = Contact()
    contact.edge(100_000, 0)
    assert contact.drain(101_000) == [(100_000, 0)]
    assert contact.drain(100_000 + QUIET_US) == []


def test_bounces_are_limited_then_steady_level_follows():
    contact = Contact()
    for at in range(21):
        contact.edge(100_000 + 200 * at, 1 - at % 2)
    assert contact.drain(104_999) == [(100_000 + 200 * at, 1 - at % 2) for at in range(BOUNCES_MAX)]
    assert contact.drain(104_000 + STEADY_US) == [(104_000 + STEADY_US, 1)]
    contact.edge(200_000, 0)
    assert contact.drain(200_001) == [(200_000, 0)]


def test_press_after_spikes_is_reported_at_once():
    contact = Contact()
    pulses(contact, 100_000, 10, 20, 400)  # 0.2 ms in all
    contact.edge(106_000, 1)
    told = contact.drain(107_000)
    assert told[:BOUNCES_MAX] == [
        (100_000 + 400 * (at // 2) + 20 * (at % 2), 1 - at % 2) for at in range(BOUNCES_MAX)
    ]
    assert told[BOUNCES_MAX:] == [(106_000, 1)]


def test_bounces_after_a_press_stay_limited():
    contact = Contact()
    pulses(contact, 100_000, 10, 200, 500)
    contact.edge(106_000, 1)
    told = contact.drain(106_100)
    assert (len(told), told[-1]) == (BOUNCES_MAX, (103_700, 0))
    assert contact.drain(107_000) == [(107_000, 1)]


def test_restless_contact_reports_few_edges_until_quiet():
    contact = Contact()
    for number in range(100):
        pulses(contact, 100_000 + number * 10_000, 1, 20, 10_000)
        contact.drain(100_030 + number * 10_000)
    assert len(contact.told) == EDGES_MAX
    contact.edge(2_000_000, 1)
    assert contact.drain(2_000_001) == [(2_000_000, 1)]


@pytest.mark.parametrize("every_us", [25, 50, 330])
def test_chattering_contact_is_muted_until_it_rests(every_us):
    contact = Contact()
    for at_us in range(100_000, 1_100_000, every_us):
        contact.edge(at_us, at_us // every_us % 2)
        if at_us % 2_000 < every_us:
            contact.drain(at_us)
    contact.edge(1_100_000, 0)
    contact.drain(1_100_100)
    # At most two rings, and then one edge after each rest.
    assert contact.interrupted <= 64 + 63 + 1_000_000 // REST_US
    assert len(contact.told) <= EDGES_MAX + 1
    for at_us in range(1_102_000, 1_150_000, 2_000):
        contact.drain(at_us)
    assert contact.told[-1][1] == 0
    contact.edge(1_150_000, 1)
    assert contact.drain(1_150_100) == [(1_150_000, 1)], "the next press has its own stamp again"


def test_two_presses_drained_late_stay_two():
    contact = Contact()
    for at_us, level in ((100_000, 1), (160_000, 0), (220_000, 1)):
        contact.edge(at_us, level)
    assert contact.drain(230_000) == [(100_000, 1), (160_000, 0), (220_000, 1)]


def test_unreported_level_comes_before_the_next_press():
    contact = Contact()
    for at in range(BOUNCES_MAX + 1):
        contact.edge(100_000 + 10 * at, 1 - at % 2)
    contact.edge(200_000, 0)
    told = contact.drain(200_001)
    assert told[BOUNCES_MAX:] == [(100_000 + 10 * BOUNCES_MAX + STEADY_US, 1), (200_000, 0)]


def test_edge_during_a_reading_keeps_its_timestamp():
    contact = Contact()

    def closes_now():
        contact.pin.sense = None
        contact.edge(100_003, 1)
        return 0

    contact.us = 100_000
    contact.pin.sense = closes_now
    assert contact.drain(100_000) == []
    assert contact.drain(101_000) == [(100_003, 1)]


def test_contact_held_at_the_start_is_not_pressed():
    contact = Contact(pressed=1)
    assert contact.buzzer.pressed() == 1
    assert contact.drain(100_000) == []
    contact.edge(200_000, 0)
    assert contact.drain(200_000) == [(200_000, 0)]


GAPS_US = st.sampled_from((5, 900, 29_999, 30_000, 80_000))


@given(
    start_us=st.integers(0, 3 * PERIOD_US),
    gaps=st.lists(st.tuples(GAPS_US, st.integers(0, 1), st.booleans()), max_size=40),
)
def test_timestamps_never_decrease_and_last_level_is_reported(start_us, gaps):
    contact = Contact(start_us)
    at_us, drained_us = 100_000, 0
    for gap_us, level, drains in gaps:
        at_us += gap_us
        contact.edge(at_us, level)
        if drains:
            told = contact.drain(at_us)
            assert all(t_us > drained_us for t_us, _ in told), "a PON has told of that time"
            drained_us = at_us
    contact.drain(at_us + QUIET_US)
    stamps = [t_us for t_us, _ in contact.told]
    assert stamps == sorted(stamps)
    last_level = gaps[-1][1] if gaps else 0
    assert (contact.told[-1][1] if contact.told else 0) == last_level


@given(st.lists(st.integers(0, PERIOD_US - 1), max_size=30), st.integers(0, PERIOD_US - 1))
def test_clock_continues_over_any_number_of_wraps(steps, start):
    now = start
    clock = Clock(lambda: now % PERIOD_US)
    for step in steps:
        now += step
        assert clock.now_us() == now - start
        for apart in (-PERIOD_US // 2 + 1, -1, 0, 1, PERIOD_US // 2 - 1):
            assert clock.extend((now + apart) % PERIOD_US) == now - start + apart


class Matrix:
    """Without diodes, so current flows through all pressed keys."""

    def __init__(self):
        self.rows, self.columns = [Pin() for _ in range(4)], [Pin() for _ in range(4)]
        for column, pin in enumerate(self.columns):
            pin.sense = lambda column=column: self._level(column)
        self.keypad = Keypad(self.rows, self.columns, KEYS)
        self.held = ""
        self.glitches = 0
        self.now_us = 0

    def _level(self, column):
        if self.glitches:
            self.glitches -= 1
            return 0
        reached = {column + 4}
        for _ in range(8):
            for key in self.held:
                ends = {place(key)[0], place(key)[1] + 4}
                if ends & reached:
                    reached |= ends
        return 0 if any(self.rows[end].level == 0 for end in reached if end < 4) else 1

    def scans(self, held, after_us=SCAN_US):
        self.held = held
        self.now_us += after_us
        told = []
        self.keypad.scan(self.now_us, lambda t_us, key: told.append((t_us, key)))
        assert all(t_us == self.now_us for t_us, _ in told)
        return "".join(key for _, key in told)


def place(key):
    return next((row, word.index(key)) for row, word in enumerate(KEYS) if key in word)


@pytest.mark.parametrize("key", "".join(KEYS))
def test_held_or_bouncing_key_is_reported_once(key):
    matrix = Matrix()
    assert [matrix.scans(held) for held in (key, key, "", key, "", "", key)] == [key, *[""] * 6]
    matrix.scans("", after_us=RELEASE_US)
    assert matrix.scans(key) == key


def test_key_pressed_beside_a_held_one_is_reported():
    matrix = Matrix()
    assert [matrix.scans(held) for held in ("1", "15", "5", "53")] == ["1", "5", "", "3"]


def test_two_keys_closed_at_once_report_nothing():
    matrix = Matrix()
    assert [matrix.scans(held) for held in ("15", "15", "1")] == ["", "", ""]


def test_ghost_key_is_not_reported():
    matrix = Matrix()
    assert [matrix.scans(held) for held in ("1", "12", "124", "124")] == ["1", "2", "", ""]


def test_three_held_keys_report_nothing_new():
    matrix = Matrix()
    assert [matrix.scans(held) for held in ("1", "15", "159", "59")] == ["1", "5", "", ""]


def test_glitch_is_not_a_key():
    matrix = Matrix()
    matrix.glitches = 1
    assert [matrix.scans("") for _ in range(3)] == ["", "", ""]


def test_keypad_is_scanned_every_5_ms():
    matrix = Matrix()
    assert matrix.scans("") == ""
    assert matrix.scans("7", after_us=SCAN_US - 1) == ""
    assert matrix.scans("7", after_us=1) == "7"


@pytest.mark.parametrize(("state", "levels"), [(OFF, [0, 0, 0]), (ON, [1, 1, 1]), (BLINKING, [1, 0, 1])])
def test_lamp_follows_its_state_while_connected(state, levels):
    pin = Pin()
    lamp = Lamp(pin)
    lamp.state = state
    seen = []
    for number in range(3):
        lamp.poll(number * BLINK_US, False)
        seen.append(pin.level)
    assert seen == levels
    lamp.poll(0, True)
    assert pin.level == 0


class Port:
    """A port that takes time to read."""

    def __init__(self, contact):
        self.contact = contact
        self.reader = Reader()
        self.incoming = b""
        self.heard = []
        self.begun_us = 0

    def read(self, _wait_ms):
        self.contact.us += 300
        self.begun_us = self.contact.clock.now_us()
        self.contact.us += 1_000
        data, self.incoming = self.incoming, b""
        return data

    def send(self, sentence):
        self.heard += self.reader.feed(sentence)

    def flush(self):
        self.contact.us += 100


def test_pong_follows_every_earlier_event():
    contact = Contact()
    port = Port(contact)
    pod = Pod(
        identity="E661",
        boot="9F3A11C0",
        key=None,
        draw=None,
        clock=contact.clock,
        port=port,
        buzzer=contact.buzzer,
        keypad=Matrix().keypad,
        lamp=Lamp(Pin()),
        screen=Screen(None),
        prompt=None,
    )
    port.incoming = build(b"HEY", 1, "5B0C77E2")
    pod.step()
    for ping in range(200):
        sent_us = contact.us
        port.incoming = build(b"PNG", ping)
        contact.edge(contact.us + 35_000, 1 - ping % 2)
        pressed_us = contact.us
        pod.step()
        *events, (kind, number, t_us, last, level, answered_us) = port.heard
        port.heard = []
        assert (kind, int(number), int(level)) == (b"PON", ping, 1 - ping % 2)
        assert sent_us < pressed_us < int(t_us) <= int(answered_us) - 1_000 <= contact.us - 1_000
        assert [(event[0], int(event[1]), int(event[2])) for event in events if event[0] == b"BUZ"] == [
            (b"BUZ", int(last), pressed_us)
        ]
        port.incoming = build(b"ACK", last)
        pod.step()
        port.heard = []


# --- Screen -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", [*LANGUAGES][1:])
def test_display_has_the_letters_of_every_language(language):
    said = [
        text
        for message in catalogue(language)
        if any(
            re.match(r"companion/(match/(?!fairness)|referee|games/\w+/(console|prompts|text|rules/\w+))", at)
            for at, _ in message.locations
        )
        for text in (message.string if isinstance(message.string, tuple) else (message.string,))
    ]
    assert len(said) > 500
    lost = {letter for text in said for letter in text if letter != "?" and b"?" in fold(letter.encode(), 2)}
    assert lost <= {"→"}, "only the story has an arrow"


def test_ligature_takes_two_places():
    assert fold("Œuf : « œ » ×2".encode(), 20) == b'OEuf : " oe " x2    '
