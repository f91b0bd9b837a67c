"""Tests the virtual devices and their faults."""

import pytest

from companion.core.clock import VirtualClock
from companion.core.console import KEYS, Lamp
from companion.core.place import HOUSE
from companion.core.signal import DEBOUNCED, LEVEL, PLUG, UNPLUG, Signal
from companion.devices.virtual import HOLD_NS, VirtualDevices

MS = 1_000_000


class Room:
    """The devices of two seats, and their reports with the times of arrival."""

    def __init__(self) -> None:
        self.clock = VirtualClock(1000 * MS)
        self.arrived: list[tuple[int, Signal]] = []
        self.devices = VirtualDevices(2, self.clock, self._deliver, 60 * MS)
        self.buzzer = self.devices.buzzers[1]

    def _deliver(self, signal: Signal) -> None:
        self.arrived.append((self.clock.now_ns(), signal))

    def until(self, ms: float) -> None:
        while (due_ns := self.clock.next_ns()) is not None and due_ns <= ms * MS:
            self.clock.act()
        self.clock.jump(round(ms * MS))

    def edges(self) -> list[tuple[float, bool]]:
        return [(signal.t_ns / MS, signal.pressed) for _, signal in self.arrived]


@pytest.fixture
def room() -> Room:
    return Room()


def test_press_reports_an_edge_and_its_release(room):
    room.buzzer.press()
    room.until(5000)
    assert room.arrived == [
        (1000 * MS, Signal("virtual", 1, "buzz", 1000 * MS, 0, 1000 * MS, True, (DEBOUNCED,))),
        (1000 * MS + HOLD_NS, Signal("virtual", 1, "buzz", 1000 * MS + HOLD_NS, 0, 1000 * MS + HOLD_NS, False)),
    ]


@pytest.mark.parametrize("stamp_ms", [970, 1000])
def test_press_may_have_timestamp_and_uncertainty(room, stamp_ms):
    room.buzzer.press(stamp_ms * MS, 250, hold_ns=40 * MS)
    room.until(5000)
    assert room.edges() == [(stamp_ms, True), (stamp_ms + 40, False)]
    assert {signal.uncertainty_ns for _, signal in room.arrived} == {250}
    assert [at_ns / MS for at_ns, _ in room.arrived] == [1000, 1040]
    assert all(signal.received_ns == at_ns for at_ns, signal in room.arrived)


def test_bounce_follows_each_edge_and_settles(room):
    room.buzzer.fault.bounce_ns = 3 * MS
    room.buzzer.press()
    room.until(5000)
    closing = [edge for edge in room.edges() if edge[0] < 1050]
    opening = [edge for edge in room.edges() if edge[0] > 1050]
    for edges, first_ms, level in ((closing, 1000, True), (opening, 1080, False)):
        assert len(edges) > 2
        assert edges[0] == (first_ms, level)
        assert edges[-1][1] is level
        assert first_ms < edges[-1][0] <= first_ms + 3
        assert [pressed for _, pressed in edges] == [level, not level] * (len(edges) // 2) + [level]


def test_late_reports_keep_their_timestamps(room):
    room.buzzer.fault.late_ns = 20 * MS
    room.buzzer.press()
    assert room.arrived == []
    room.until(5000)
    assert room.edges() == [(1000, True), (1080, False)]
    assert [at_ns / MS for at_ns, _ in room.arrived] == [1020, 1100]


def test_stuck_contact_stays_closed_until_repaired(room):
    room.buzzer.stick()
    room.until(9000)
    assert room.edges() == [(1000, True)]
    assert room.buzzer.level()
    room.buzzer.mend()
    assert not room.buzzer.level()
    assert room.edges() == [(1000, True), (9000, False)]
    assert room.buzzer.fault.late_ns == room.buzzer.fault.bounce_ns == 0


def test_press_does_not_release_a_stuck_contact(room):
    room.buzzer.stick()
    room.buzzer.press()
    room.until(2000)
    assert room.buzzer.level()
    assert not any(not pressed for _, pressed in room.edges())


def test_level_follows_the_contact_before_its_report(room):
    room.buzzer.fault.late_ns = 500 * MS
    room.until(1100)
    assert not room.buzzer.level()
    room.buzzer.press()
    assert room.buzzer.level()
    room.until(1179)
    assert room.buzzer.level()
    room.until(1181)
    assert not room.buzzer.level()


def test_level_is_right_while_the_contact_bounces(room):
    room.buzzer.fault.bounce_ns = 10 * MS
    room.buzzer.press()
    room.until(1000.2)
    assert room.buzzer.level()
    room.until(1050)
    assert room.buzzer.level()
    room.until(1095)
    assert not room.buzzer.level()


@pytest.mark.parametrize("asked_ms", [1010, 1005])
def test_flush_reads_every_level_at_the_current_time(room, asked_ms):
    room.until(1008)
    room.buzzer.press()
    room.until(1010)
    assert list(room.devices.flush(asked_ms * MS)) == [
        Signal("virtual", 0, "buzz", 1010 * MS, 60 * MS, 1010 * MS, False, (LEVEL,)),
        Signal("virtual", 1, "buzz", 1010 * MS, 0, 1010 * MS, True, (LEVEL,)),
    ]


def test_open_contacts_uncertainty_covers_reports_still_due(room):
    def unsure_ms() -> list[float]:
        return [reading.uncertainty_ns / MS for reading in room.devices.flush(room.clock.now_ns())]

    assert unsure_ms() == [60, 60]  # a press that is not reported yet may have an earlier timestamp
    room.buzzer.press(990 * MS)
    room.until(1075)
    assert not room.buzzer.level()
    assert unsure_ms() == [60, 0]  # the release is not reported yet
    room.until(1081)
    assert unsure_ms() == [60, 60]
    room.buzzer.fault.late_ns = 200 * MS
    assert unsure_ms() == [60, 0]  # this press is recent, and its report comes later


def test_unplugged_seat_reports_nothing_until_plugged_in(room):
    room.devices.unplug(1)
    room.buzzer.press()
    room.devices.keypads[1].press("5")
    room.until(2000)
    assert [(signal.control, signal.place) for _, signal in room.arrived] == [(UNPLUG, 1)]
    assert [signal.place for signal in room.devices.flush(2000 * MS)] == [0]
    room.devices.plug(1)
    room.devices.keypads[1].press("5")
    assert [signal.control for _, signal in room.arrived] == [UNPLUG, PLUG, "5"]


def test_unplugging_loses_reports_on_their_way(room):
    room.buzzer.fault.late_ns = 20 * MS
    room.buzzer.press()
    room.devices.unplug(1)
    room.until(2000)
    assert [signal.control for _, signal in room.arrived] == [UNPLUG]


@pytest.mark.parametrize("key", KEYS)
def test_each_key_reports_itself(room, key):
    room.devices.press(0, key)
    room.devices.house_keypad.press(key)
    assert [(signal.place, signal.control) for _, signal in room.arrived] == [(0, key), (HOUSE, key)]


@pytest.mark.parametrize("key", ["E", "", "12", "buzz", "ok"])
def test_unknown_key_cannot_be_pressed(room, key):
    with pytest.raises(ValueError, match="is no key"):
        room.devices.keypads[0].press(key)


def test_house_controls_report_at_the_house(room):
    room.devices.house("skip")
    assert [(signal.place, signal.control) for _, signal in room.arrived] == [(HOUSE, "skip")]


def test_seat_can_press_buzzer_and_keys(room):
    room.devices.press(1, "buzz")
    room.devices.press(1, "4")
    assert [signal.control for _, signal in room.arrived] == ["buzz", "4"]


def test_lamps_remember_their_state(room):
    room.devices.show(1, Lamp.BLINK)
    assert room.devices.lamps == [Lamp.OFF, Lamp.BLINK]
