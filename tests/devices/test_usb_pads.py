"""Tests USB number pads without evdev: binding, keys, loss and return."""

import errno
import queue
from pathlib import Path

import pytest

from companion.core.console import KEYS
from companion.core.place import HOUSE
from companion.core.signal import MERGED, PLUG, UNPLUG, Signal
from companion.devices.errors import DeviceError
from companion.devices.inputs.reader import open_input, uncertainty_ns
from companion.devices.inputs.watched import find_input
from companion.devices.keypads.pad_keys import KEY_OF, pads_here
from companion.devices.keypads.usb_pads import UsbPads, settle_ns
from tests.devices.pad_fakes import KEY, MS, SYN, SYN_DROPPED, FakeClock, FakeDevice, Heard, here, plug_in

KP_1, KP_2, KP_3, KP_ENTER, NUMLOCK = 79, 80, 81, 96, 69
PAD = (71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 96, 98, 55)
ROW = tuple(range(2, 12))
LEFT, RIGHT = "usb-0000:01:00.0-1.1/input0", "usb-0000:01:00.0-1.2/input0"

NO_EVENT = 0


class Bench:
    def __init__(self, **bound: str) -> None:
        self.clock = FakeClock()
        self.heard = Heard()
        self.plugged = {LEFT: FakeDevice(), RIGHT: FakeDevice()}
        self.refused: OSError | None = None
        self.interval_ns = 8 * MS
        self.pads = self.opened({0: LEFT, 1: RIGHT})

    def opened(self, bound, deliver=None):
        return UsbPads(
            bound, deliver or self.heard.append, self.clock, list_inputs=self.list_inputs, open_device=self.open
        )

    def list_inputs(self):
        return [here(1, phys, self.interval_ns) for phys in self.plugged]

    def open(self, found):
        if self.refused:
            raise self.refused
        return self.plugged[found.phys]

    @property
    def left(self):
        return self.plugged[LEFT]

    @property
    def right(self):
        return self.plugged[RIGHT]

    def serve(self):
        self.pads.serve(NO_EVENT)

    def unplug(self, phys):
        self.plugged.pop(phys).unplug()
        self.serve()


@pytest.fixture
def bench():
    bench = Bench()
    yield bench
    bench.pads.close()


# --- Which pad --------------------------------------------------------------------------------------------


@pytest.fixture
def sysfs(tmp_path):
    plug_in(tmp_path, 1, codes=PAD, phys=LEFT, name="SIGMACHIP USB Keyboard")
    plug_in(tmp_path, 2, codes=PAD, phys=RIGHT, name="SIGMACHIP USB Keyboard")
    plug_in(tmp_path, 3, codes=(*ROW, 30, 31), phys="usb-0000:01:00.0-1.3/input0", name="Small Keyboard")
    plug_in(tmp_path, 4, codes=(114, 115), phys="usb-0000:01:00.0-1.1/input1", name="Volume")
    plug_in(tmp_path, 10, codes=PAD, phys="usb-0000:01:00.0-1.4/input0", uniq="A0815", name="Pad With Serial")
    return tmp_path


def find(sysfs: Path, bound: str):
    return find_input(bound, "the keypad of seat 1", "pads", pads_here(sysfs))


def test_device_with_all_digits_is_listed(sysfs):
    assert [pad.path.name for pad in pads_here(sysfs)] == ["event1", "event2", "event3", "event10"]


@pytest.mark.parametrize("missing", PAD[:3])
def test_device_lacking_one_digit_is_not_listed(tmp_path, missing):
    plug_in(tmp_path, 1, codes=[code for code in PAD if code != missing])
    assert pads_here(tmp_path) == []


@pytest.mark.parametrize(
    ("bound", "event"),
    [
        (LEFT, "event1"),
        (RIGHT, "event2"),
        ("usb-0000:01:00.0-1.2", "event2"),
        ("usb-0000:01:00.0-1.3/input0", "event3"),
        ("A0815", "event10"),
    ],
)
def test_pad_is_found_by_path_or_serial(sysfs, bound, event):
    assert find(sysfs, bound).path == Path("/dev/input") / event


def test_path_distinguishes_pads_of_one_model(sysfs):
    left, right = find(sysfs, LEFT), find(sysfs, RIGHT)
    assert left.name == right.name
    assert left.path != right.path


def test_missing_pad_is_named_with_those_found(sysfs):
    with pytest.raises(DeviceError) as error:
        find(sysfs, "usb-0000:01:00.0-1.9/input0")
    assert str(error.value).startswith(
        "the keypad of seat 1: there is no 'usb-0000:01:00.0-1.9/input0'; "
        f"found: {LEFT} (SIGMACHIP USB Keyboard), {RIGHT} (SIGMACHIP USB Keyboard), "
    )
    assert str(error.value).endswith("Plug it in, or name yours: [pads]")


def test_missing_pad_error_says_none_were_found(tmp_path):
    with pytest.raises(DeviceError, match=r"found: none\. Plug it in"):
        find(tmp_path, LEFT)


def test_serial_shared_by_two_pads_is_refused(sysfs):
    plug_in(sysfs, 11, codes=PAD, phys="usb-0000:01:00.0-1.5/input0", uniq="A0815")
    with pytest.raises(DeviceError, match=r"2 devices match 'A0815': .*1\.4.*1\.5.*by its path") as error:
        find(sysfs, "A0815")
    assert "[pads]" in str(error.value)


def test_pad_bound_by_path_and_serial_is_refused(bench):
    bench.plugged[LEFT] = FakeDevice()
    bench.list_inputs = lambda: [here(1, LEFT)._replace(uniq="A0815")]
    with pytest.raises(DeviceError) as error:
        bench.opened({0: LEFT, HOUSE: "A0815"})
    said = f"the keypad of seat 1 and the keypad of the house are the same, {LEFT} (Pad)"
    assert str(error.value) == f"{said}: [pads] names it twice; allowed: one place each"


def test_partial_path_matches_nothing(sysfs):
    with pytest.raises(DeviceError):
        find(sysfs, "usb-0000:01:00.0-1")


def test_pad_unplugged_while_listing_is_left_out(sysfs):
    (sysfs / "event1" / "device" / "name").unlink()
    assert [pad.path.name for pad in pads_here(sysfs)] == ["event2", "event3", "event10"]


@pytest.mark.parametrize(("said", "interval_ns"), [("10ms", 10 * MS), ("125us", 125_000)])
def test_polling_interval_is_read_from_usb(tmp_path, said, interval_ns):
    interface = tmp_path / "usb1" / "1-1:1.0"
    device = plug_in(interface, 1, codes=PAD)
    (interface / "ep_81").mkdir()
    (interface / "ep_81" / "interval").write_text(f"{said}\n")
    by_class = tmp_path / "class"
    (by_class / "event1").mkdir(parents=True)
    (by_class / "event1" / "device").symlink_to(device)
    assert [pad.interval_ns for pad in pads_here(by_class)] == [interval_ns]


def test_pad_name_may_be_invalid_utf_8(sysfs):
    (sysfs / "event1" / "device" / "name").write_bytes(b"Clavier num\xe9rique\n")
    assert find(sysfs, LEFT).name == "Clavier num�rique"


def test_polling_interval_defaults_to_8_ms(sysfs):
    assert {pad.interval_ns for pad in pads_here(sysfs)} == {8 * MS}


# --- Keys -------------------------------------------------------------------------------------------------


def test_pad_has_every_key_of_the_companion():
    assert {KEY_OF[code] for code in PAD} == set(KEYS)


def test_keys_arrive_from_their_seats(bench):
    bench.right.press(KP_2)
    bench.left.press(KP_1)
    bench.serve()
    assert sorted(bench.heard.controls) == [(0, "1"), (1, "2")]


@pytest.mark.parametrize(("code", "key"), KEY_OF.items())
def test_each_key_code_has_its_key(bench, code, key):
    bench.left.press(code)
    bench.serve()
    assert bench.heard.controls == [(0, key)]


def test_timestamp_precedes_the_kernels_report(bench):
    bench.left.press(KP_1, 4_321 * MS)
    bench.serve()
    assert bench.heard == [Signal("usb", 0, "1", 4_311 * MS, 10 * MS, 5_000 * MS)]


@pytest.mark.parametrize(("interval_ms", "half_ms", "settle_ms"), [(8, 10, 28), (1, 6.5, 14), (10, 11, 32)])
def test_uncertainty_and_delay_follow_the_interval(interval_ms, half_ms, settle_ms):
    assert uncertainty_ns(interval_ms * MS) == half_ms * MS
    assert settle_ns(interval_ms * MS) == settle_ms * MS


def test_only_pads_of_seats_delay_a_verdict(bench):
    assert bench.pads.settle_ns == 28 * MS
    bench.pads.close()
    bench.plugged[LEFT] = FakeDevice()
    house = bench.opened({HOUSE: LEFT})
    assert house.settle_ns == 0
    bench.left.press(KP_1)
    house.serve(NO_EVENT)
    assert bench.heard.controls == [(HOUSE, "1")]
    house.close()


def test_repeats_releases_and_unknown_keys_are_ignored(bench):
    bench.left.press(KP_1)
    for _ in range(3):
        bench.left.event(KEY, KP_1, 2, 4_000 * MS)
    bench.left.release(KP_1)
    bench.left.press(NUMLOCK)
    bench.left.event(SYN, 0, 0, 4_000 * MS)
    bench.left.event(4, 4, KP_2, 4_000 * MS)
    bench.serve()
    assert bench.heard.controls == [(0, "1")]


def test_key_can_be_pressed_again(bench):
    for _ in range(2):
        bench.left.press(KP_1)
        bench.left.release(KP_1)
    bench.serve()
    assert bench.heard.controls == [(0, "1"), (0, "1")]


def test_key_held_at_opening_is_not_pressed(bench):
    bench.unplug(LEFT)
    bench.plugged[LEFT] = FakeDevice(down=(KP_1,))
    bench.serve()
    bench.left.event(SYN, SYN_DROPPED, 0, 4_900 * MS)
    bench.serve()
    assert "1" not in [control for _, control in bench.heard.controls]


# --- Lost events ------------------------------------------------------------------------------------------


def test_keys_down_after_dropped_events_are_reported(bench):
    bench.left.press(KP_1, 4_000 * MS)
    bench.left.down = {KP_2}  # 1 was released and 2 pressed without an event
    bench.left.event(SYN, SYN_DROPPED, 0, 4_200 * MS)
    bench.serve()
    bench.left.press(KP_1, 4_300 * MS)
    bench.serve()
    assert bench.heard.controls == [(0, "1"), (0, "2"), (0, "1")]
    lost = bench.heard[1]
    assert lost.flags == (MERGED,)
    assert lost.t_ns - lost.uncertainty_ns <= 4_000 * MS - 20 * MS
    assert lost.t_ns + lost.uncertainty_ns == 5_000 * MS


def test_second_drop_widens_uncertainty_to_the_first(bench):
    bench.left.press(KP_1, 4_000 * MS)
    bench.left.event(SYN, SYN_DROPPED, 0, 4_200 * MS)
    bench.left.release(KP_1, 4_300 * MS)
    bench.left.event(SYN, SYN_DROPPED, 0, 4_400 * MS)
    bench.left.down = {KP_2}
    bench.serve()
    assert bench.heard.controls == [(0, "1"), (0, "2")]
    assert bench.heard[1].t_ns - bench.heard[1].uncertainty_ns <= 4_000 * MS


def test_key_pressed_again_during_drop_is_reported(bench):
    bench.left.press(KP_1)
    bench.left.release(KP_1)
    bench.left.down = {KP_1}
    bench.left.event(SYN, SYN_DROPPED, 0, 4_200 * MS)
    bench.serve()
    assert bench.heard.controls == [(0, "1"), (0, "1")]


def test_event_after_a_drop_counts_once(bench):
    bench.left.event(SYN, SYN_DROPPED, 0, 4_200 * MS)
    bench.left.press(KP_3, 4_300 * MS)
    bench.left.press(NUMLOCK)
    bench.serve()
    assert bench.heard.controls == [(0, "3")]
    assert bench.heard[0].flags == ()


# --- Unplugged --------------------------------------------------------------------------------------------


def test_lost_pad_is_reported_once_and_others_work(bench):
    bench.unplug(LEFT)
    bench.serve()
    bench.right.press(KP_2)
    bench.serve()
    assert bench.heard.controls == [(0, UNPLUG), (1, "2")]
    assert {place: str(text) for place, text in bench.pads.troubles.items()} == {
        0: "the keypad of seat 1 is disconnected. Plug it into the same socket again"
    }


def test_returning_pad_is_heard_again(bench):
    gone = bench.left
    bench.unplug(LEFT)
    assert gone.closed
    bench.plugged[LEFT] = FakeDevice()
    bench.serve()
    bench.left.press(KP_1)
    bench.serve()
    assert bench.heard.controls == [(0, UNPLUG), (0, PLUG), (0, "1")]
    assert bench.pads.troubles == {}


def test_refused_pad_is_retried_until_it_opens(bench):
    bench.unplug(RIGHT)
    bench.plugged[RIGHT] = FakeDevice()
    bench.refused = PermissionError(errno.EACCES, "Permission denied")
    bench.serve()
    assert bench.heard.controls == [(1, UNPLUG)]
    bench.refused = None
    bench.serve()
    assert bench.heard.controls == [(1, UNPLUG), (1, PLUG)]


def test_events_read_before_unplugging_count(bench):
    bench.left.press(KP_1)
    read = bench.left.read

    def read_and_lose():
        events = read()
        bench.left.gone = OSError(errno.ENODEV, "No such device")
        bench.left.read = read
        return events

    bench.left.read = read_and_lose
    bench.serve()
    assert bench.heard.controls[:2] == [(0, "1"), (0, UNPLUG)]


@pytest.mark.logs_errors
def test_internal_error_loses_only_its_pad(bench):
    bench.left.read = lambda: 1 // 0
    bench.left.press(KP_1)
    bench.unplug(RIGHT)
    assert sorted(bench.heard.controls) == [(0, UNPLUG), (1, UNPLUG)]
    bench.serve()
    assert sorted(bench.heard.controls) == [(0, PLUG), (0, UNPLUG), (1, UNPLUG)]


def test_thread_reads_keys_until_closed(bench):
    heard: queue.Queue[Signal] = queue.Queue()
    bench.pads.close()
    bench.plugged[LEFT] = FakeDevice()
    pads = bench.opened({0: LEFT}, heard.put)
    pads.watch()
    bench.left.press(KP_1)
    assert heard.get(timeout=60).control == "1"
    device = bench.left
    pads.close()
    assert device.closed
    pads.close()


# --- At the start -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            PermissionError(errno.EACCES, "Permission denied"),
            "the keypad of seat 1: no permission. Join the group input: sudo usermod -aG input $USER, "
            "then log in again",
        ),
        (
            OSError(errno.EBUSY, "Device or resource busy"),
            "the keypad of seat 1: another program has grabbed it. End that program",
        ),
        (
            OSError(errno.EIO, "Input/output error"),
            "the keypad of seat 1: Input/output error. Unplug it and plug it in again",
        ),
    ],
)
def test_pad_that_cannot_open_has_a_remedy(bench, error, said):
    bench.refused = error
    with pytest.raises(DeviceError) as raised:
        bench.opened({0: LEFT})
    assert str(raised.value) == said


def test_missing_second_pad_releases_the_first(bench):
    first = bench.plugged[LEFT] = FakeDevice()
    with pytest.raises(DeviceError, match="the keypad of the house: there is no 'nowhere'"):
        bench.opened({0: LEFT, HOUSE: "nowhere"})
    assert first.closed
    assert bench.heard == []


def test_missing_evdev_error_says_how_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "evdev", None)
    with pytest.raises(DeviceError, match=r"evdev is not installed: .*(\[usb\]|python3-evdev)"):
        open_input(here(1, LEFT))


def test_closed_pads_write_to_no_descriptor(monkeypatch):
    bench = Bench()
    bench.pads.close()
    written = []
    monkeypatch.setattr("os.eventfd_write", lambda *write: written.append(write))
    bench.pads.listen(0)
    assert not written
