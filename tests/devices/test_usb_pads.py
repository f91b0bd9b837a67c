"""USB number pads without evdev: whose they are, what their keys mean and when, how they are lost and found."""

import errno
import queue
from pathlib import Path

import pytest

from companion.core.console import KEYS
from companion.core.place import HOUSE
from companion.core.signal import MERGED, PLUG, UNPLUG, Signal
from companion.devices.errors import DeviceError
from companion.devices.keypads.plugged_pads import find_pad, pads_here
from companion.devices.keypads.usb_pads import KEY_OF, UsbPads, open_pad, settle_ns, uncertainty_ns
from tests.devices.pad_fakes import KEY, MS, SYN, SYN_DROPPED, FakeClock, FakeDevice, Heard, here, plug_in

KP_1, KP_2, KP_3, KP_ENTER, NUMLOCK = 79, 80, 81, 96, 69
PAD = (71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 96, 98, 55)
ROW = tuple(range(2, 12))
LEFT, RIGHT = "usb-0000:01:00.0-1.1/input0", "usb-0000:01:00.0-1.2/input0"

NO_EVENT = 0


class Bench:
    """Pads that can be unplugged and put back."""

    def __init__(self, **bound: str) -> None:
        self.clock = FakeClock()
        self.heard = Heard()
        self.plugged = {LEFT: FakeDevice(), RIGHT: FakeDevice()}
        self.refused: OSError | None = None
        self.interval_ns = 8 * MS
        self.pads = self.opened({0: LEFT, 1: RIGHT})

    def opened(self, bound, deliver=None):
        return UsbPads(bound, deliver or self.heard.append, self.clock, find=self.find, open_device=self.open)

    def find(self, bound, what):
        if bound not in self.plugged:
            raise DeviceError(f"{what}: there is no {bound!r}")
        return here(1, bound, self.interval_ns)

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
    return find_pad(bound, "the keypad of seat 1", sysfs)


def test_what_has_all_digits_could_be_a_keypad(sysfs):
    assert [pad.path.name for pad in pads_here(sysfs)] == ["event1", "event2", "event3", "event10"]


@pytest.mark.parametrize("missing", PAD[:3])
def test_a_pad_without_a_digit_is_none(tmp_path, missing):
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
def test_a_pad_is_found_by_path_or_serial(sysfs, bound, event):
    assert find(sysfs, bound).path == Path("/dev/input") / event


def test_two_pads_of_one_model_are_told_apart_by_their_path(sysfs):
    left, right = find(sysfs, LEFT), find(sysfs, RIGHT)
    assert left.name == right.name
    assert left.path != right.path


def test_a_pad_that_is_not_there_is_named_with_those_that_are(sysfs):
    with pytest.raises(DeviceError) as error:
        find(sysfs, "usb-0000:01:00.0-1.9/input0")
    assert str(error.value).startswith(
        "the keypad of seat 1: there is no 'usb-0000:01:00.0-1.9/input0'; "
        f"found: {LEFT} (SIGMACHIP USB Keyboard), {RIGHT} (SIGMACHIP USB Keyboard), "
    )
    assert str(error.value).endswith("Plug it in, or name yours: [pads]")


def test_no_pad_at_all(tmp_path):
    with pytest.raises(DeviceError, match=r"found: none\. Plug it in"):
        find(tmp_path, LEFT)


def test_a_serial_that_two_pads_have_is_refused(sysfs):
    plug_in(sysfs, 11, codes=PAD, phys="usb-0000:01:00.0-1.5/input0", uniq="A0815")
    with pytest.raises(DeviceError, match=r"2 devices answer to 'A0815': .*1\.4.*1\.5.*by its path") as error:
        find(sysfs, "A0815")
    assert "[pads]" in str(error.value)


def test_a_pad_that_is_named_by_its_path_and_by_its_serial_is_one(bench):
    bound = {0: LEFT, HOUSE: "A0815"}
    with pytest.raises(DeviceError) as error:
        UsbPads(
            bound,
            bench.heard.append,
            bench.clock,
            find=lambda *_: here(1, LEFT, 8 * MS),
            open_device=lambda _: FakeDevice(),
        )
    said = f"the keypad of seat 1 and the keypad of the house have the same pad, {LEFT} (Pad)"
    assert str(error.value) == f"{said}: [pads] names it twice; allowed: one place a pad"


def test_a_part_of_a_path_is_no_path(sysfs):
    with pytest.raises(DeviceError):
        find(sysfs, "usb-0000:01:00.0-1")


def test_a_pad_that_is_unplugged_while_it_is_looked_at_is_left_out(sysfs):
    (sysfs / "event1" / "device" / "name").unlink()
    assert [pad.path.name for pad in pads_here(sysfs)] == ["event2", "event3", "event10"]


@pytest.mark.parametrize(("said", "interval_ns"), [("10ms", 10 * MS), ("125us", 125_000)])
def test_usb_tells_how_often_a_pad_is_asked(tmp_path, said, interval_ns):
    interface = tmp_path / "usb1" / "1-1:1.0"
    device = plug_in(interface, 1, codes=PAD)
    (interface / "ep_81").mkdir()
    (interface / "ep_81" / "interval").write_text(f"{said}\n")
    by_class = tmp_path / "class"
    (by_class / "event1").mkdir(parents=True)
    (by_class / "event1" / "device").symlink_to(device)
    assert [pad.interval_ns for pad in pads_here(by_class)] == [interval_ns]


def test_a_name_can_be_any_bytes(sysfs):
    (sysfs / "event1" / "device" / "name").write_bytes(b"Clavier num\xe9rique\n")
    assert find(sysfs, LEFT).name == "Clavier num�rique"


def test_what_is_on_no_usb_is_taken_for_8_ms(sysfs):
    assert {pad.interval_ns for pad in pads_here(sysfs)} == {8 * MS}


# --- Keys -------------------------------------------------------------------------------------------------


def test_every_key_of_the_companion_is_on_a_pad():
    assert {KEY_OF[code] for code in PAD} == set(KEYS)


def test_keys_come_from_their_seats(bench):
    bench.right.press(KP_2)
    bench.left.press(KP_1)
    bench.serve()
    assert sorted(bench.heard.controls) == [(0, "1"), (1, "2")]


@pytest.mark.parametrize(("code", "key"), KEY_OF.items())
def test_every_code_is_its_key(bench, code, key):
    bench.left.press(code)
    bench.serve()
    assert bench.heard.controls == [(0, key)]


def test_a_key_is_stamped_so_that_its_contact_closed_before_the_kernel_knew(bench):
    bench.left.press(KP_1, 4_321 * MS)
    bench.serve()
    assert bench.heard == [Signal("usb", 0, "1", 4_311 * MS, 10 * MS, 5_000 * MS)]


@pytest.mark.parametrize(("interval_ms", "half_ms", "settle_ms"), [(8, 10, 28), (1, 6.5, 14), (10, 11, 32)])
def test_uncertainty_and_delay_follow_the_interval(interval_ms, half_ms, settle_ms):
    assert uncertainty_ns(interval_ms * MS) == half_ms * MS
    assert settle_ns(interval_ms * MS) == settle_ms * MS


def test_only_seats_make_a_verdict_wait(bench):
    assert bench.pads.settle_ns == 28 * MS
    bench.pads.close()
    bench.plugged[LEFT] = FakeDevice()
    house = bench.opened({HOUSE: LEFT})
    assert house.settle_ns == 0
    bench.left.press(KP_1)
    house.serve(NO_EVENT)
    assert bench.heard.controls == [(HOUSE, "1")]
    house.close()


def test_what_is_repeated_released_or_meaningless_is_no_press(bench):
    bench.left.press(KP_1)
    for _ in range(3):
        bench.left.event(KEY, KP_1, 2, 4_000 * MS)
    bench.left.release(KP_1)
    bench.left.press(NUMLOCK)
    bench.left.event(SYN, 0, 0, 4_000 * MS)
    bench.left.event(4, 4, KP_2, 4_000 * MS)
    bench.serve()
    assert bench.heard.controls == [(0, "1")]


def test_a_key_can_be_pressed_again(bench):
    for _ in range(2):
        bench.left.press(KP_1)
        bench.left.release(KP_1)
    bench.serve()
    assert bench.heard.controls == [(0, "1"), (0, "1")]


def test_a_key_that_is_held_when_its_pad_is_opened_is_not_pressed(bench):
    bench.unplug(LEFT)
    bench.plugged[LEFT] = FakeDevice(down=(KP_1,))
    bench.serve()
    bench.left.event(SYN, SYN_DROPPED, 0, 4_900 * MS)
    bench.serve()
    assert "1" not in [control for _, control in bench.heard.controls]


# --- Lost events ------------------------------------------------------------------------------------------


def test_after_a_loss_the_keys_that_are_down_are_looked_at(bench):
    bench.left.press(KP_1, 4_000 * MS)
    bench.left.down = {KP_2}  # 1 was let go and 2 pressed, and nobody told
    bench.left.event(SYN, SYN_DROPPED, 0, 4_200 * MS)
    bench.serve()
    bench.left.press(KP_1, 4_300 * MS)
    bench.serve()
    assert bench.heard.controls == [(0, "1"), (0, "2"), (0, "1")]
    lost = bench.heard[1]
    assert lost.flags == (MERGED,)
    assert lost.t_ns - lost.uncertainty_ns <= 4_000 * MS - 20 * MS
    assert lost.t_ns + lost.uncertainty_ns == 5_000 * MS


def test_after_two_losses_a_key_may_have_been_pressed_in_the_first(bench):
    bench.left.press(KP_1, 4_000 * MS)
    bench.left.event(SYN, SYN_DROPPED, 0, 4_200 * MS)
    bench.left.release(KP_1, 4_300 * MS)
    bench.left.event(SYN, SYN_DROPPED, 0, 4_400 * MS)
    bench.left.down = {KP_2}
    bench.serve()
    assert bench.heard.controls == [(0, "1"), (0, "2")]
    assert bench.heard[1].t_ns - bench.heard[1].uncertainty_ns <= 4_000 * MS


def test_a_key_that_was_let_go_and_then_pressed_in_a_loss_is_told(bench):
    bench.left.press(KP_1)
    bench.left.release(KP_1)
    bench.left.down = {KP_1}
    bench.left.event(SYN, SYN_DROPPED, 0, 4_200 * MS)
    bench.serve()
    assert bench.heard.controls == [(0, "1"), (0, "1")]


def test_what_comes_after_a_loss_is_told_once(bench):
    bench.left.event(SYN, SYN_DROPPED, 0, 4_200 * MS)
    bench.left.press(KP_3, 4_300 * MS)
    bench.left.press(NUMLOCK)
    bench.serve()
    assert bench.heard.controls == [(0, "3")]
    assert bench.heard[0].flags == ()


# --- Unplugged --------------------------------------------------------------------------------------------


def test_a_lost_pad_is_told_once_with_the_reason_and_others_go_on(bench):
    bench.unplug(LEFT)
    bench.serve()
    bench.right.press(KP_2)
    bench.serve()
    assert bench.heard.controls == [(0, UNPLUG), (1, "2")]
    assert {place: str(text) for place, text in bench.pads.troubles.items()} == {
        0: "the keypad of seat 1 is gone. Plug it in again, at the same place"
    }


def test_a_pad_that_is_back_at_its_place_is_heard_again(bench):
    gone = bench.left
    bench.unplug(LEFT)
    assert gone.closed
    bench.plugged[LEFT] = FakeDevice()
    bench.serve()
    bench.left.press(KP_1)
    bench.serve()
    assert bench.heard.controls == [(0, UNPLUG), (0, PLUG), (0, "1")]
    assert bench.pads.troubles == {}


def test_a_pad_that_is_back_but_refused_is_tried_until_it_opens(bench):
    bench.unplug(RIGHT)
    bench.plugged[RIGHT] = FakeDevice()
    bench.refused = PermissionError(errno.EACCES, "Permission denied")
    bench.serve()
    assert bench.heard.controls == [(1, UNPLUG)]
    bench.refused = None
    bench.serve()
    assert bench.heard.controls == [(1, UNPLUG), (1, PLUG)]


def test_what_was_read_before_the_plug_came_out_counts(bench):
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
def test_an_error_of_the_program_loses_the_pad_and_not_the_others(bench):
    bench.left.read = lambda: 1 // 0
    bench.left.press(KP_1)
    bench.unplug(RIGHT)
    assert sorted(bench.heard.controls) == [(0, PLUG), (0, UNPLUG), (1, UNPLUG)]


def test_a_thread_reads_and_ends(bench):
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
            "the keypad of seat 1: Input/output error. Plug it out and in again",
        ),
    ],
)
def test_a_pad_that_cannot_be_opened_is_an_error_with_its_remedy(bench, error, said):
    bench.refused = error
    with pytest.raises(DeviceError) as raised:
        bench.opened({0: LEFT})
    assert str(raised.value) == said


def test_when_the_second_is_missing_the_first_is_let_go(bench):
    first = bench.plugged[LEFT] = FakeDevice()
    with pytest.raises(DeviceError, match="the keypad of the house: there is no 'nowhere'"):
        bench.opened({0: LEFT, HOUSE: "nowhere"})
    assert first.closed
    assert bench.heard == []


def test_without_evdev_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "evdev", None)
    with pytest.raises(DeviceError, match=r"evdev is not installed: .*(\[usb\]|python3-evdev)"):
        open_pad(here(1, LEFT))


def test_pads_that_are_closed_write_to_no_descriptor_that_may_be_another_ones_now(monkeypatch):
    bench = Bench()
    bench.pads.close()
    written = []
    monkeypatch.setattr("os.eventfd_write", lambda *write: written.append(write))
    bench.pads.listen(0)
    assert not written
