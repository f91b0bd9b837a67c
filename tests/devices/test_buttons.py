"""Tests buttons without evdev: Buzz! controllers, joysticks and keyboards, their lamps and their owners."""

import errno
from pathlib import Path

import pytest

from companion.core.console import BUZZ, Lamp
from companion.core.errors import OptionError
from companion.core.place import HOUSE
from companion.core.signal import AWAY, LEVEL, MERGED, PLUG, UNPLUG
from companion.devices.buttons.buttons import Buttons, buttons_here, name_of
from companion.devices.buttons.driver import look
from companion.devices.buttons.lights import BLINK_NS
from companion.devices.buttons.options import ButtonWiring
from companion.devices.errors import DeviceError
from companion.devices.findings import Machine, Severity
from companion.devices.inputs.interval import ENOUGH, SLOWEST_NS, Interval
from companion.devices.inputs.reader import uncertainty_ns
from tests.devices.pad_fakes import KEY, MS, SYN, SYN_DROPPED, FakeClock, FakeDevice, Heard, plug_in

ABS = 3
HAPPY = 0x2C0
BUZZ_KEYS = tuple(range(HAPPY, HAPPY + 20))
RAW_BUZZ_KEYS = (*range(0x120, 0x130), *range(HAPPY, HAPPY + 4))
STICK_KEYS = tuple(range(0x120, 0x12C))
HUB, STICK, PEDAL = (f"usb-0000:01:00.0-1.{socket}/input0" for socket in (1, 2, 3))
F5, LEFT_CLICK, B = 63, 0x110, 48

FIRST, SECOND, THIRD = f"{HUB} buzz1", f"{HUB} buzz2", f"{STICK} 288"


class Bench:
    """A Buzz! controller, a joystick and a pedal."""

    def __init__(self, folder: Path) -> None:
        self.sysfs = folder
        self.clock = FakeClock()
        self.heard = Heard()
        self.devices: dict[str, FakeDevice] = {}
        self.refused: OSError | None = None
        self.buttons: Buttons | None = None
        buzz = {"name": "Logitech Logitech Buzz(tm) Controller V1", "id/vendor": "054c", "id/product": "0002"}
        self.plug_in(1, BUZZ_KEYS, HUB, **buzz)
        self.plug_in(2, STICK_KEYS, STICK, name="DragonRise Inc. Generic USB Joystick")
        self.plug_in(3, range(1, 120), PEDAL, name="PCsensor FootSwitch Keyboard")

    def plug_in(self, number, codes, phys, **said):
        plug_in(self.sysfs, number, codes=codes, phys=phys, **said)
        self.devices[phys] = FakeDevice()

    def open(self, *seats, ask=False):
        self.buttons = Buttons(
            ButtonWiring(ask, seats), self.heard.append, self.clock, sysfs=self.sysfs, open_device=self.opened
        )
        return self.buttons

    def opened(self, here):
        if self.refused:
            raise self.refused
        if self.devices[here.phys].closed:
            self.devices[here.phys] = FakeDevice()
        return self.devices[here.phys]

    def press(self, phys, code, t_ns=None):
        self.devices[phys].press(code, self.clock.t_ns if t_ns is None else t_ns)
        self.buttons.serve(0)

    def report(self, phys, t_ns):
        """The device reports an axis at a time."""
        self.devices[phys].event(ABS, 0, t_ns % 7, t_ns)
        self.devices[phys].event(SYN, 0, 0, t_ns)

    def unplug(self, number, phys):
        (self.sysfs / f"event{number}").rename(self.sysfs / f"gone{number}")
        self.devices[phys].unplug()
        self.buttons.serve(0)

    def replug(self, number, phys):
        (self.sysfs / f"gone{number}").rename(self.sysfs / f"event{number}")
        self.devices[phys] = FakeDevice()
        self.buttons.serve(0)

    def add_lamps(self, folder):
        """Create the LED class of hid-sony for the controller."""
        device = folder / "0003:054C:0002.0001"
        for number in range(1, 5):
            light = device / "leds" / f"0003:054C:0002.0001::buzz{number}"
            light.mkdir(parents=True)
            (light / "brightness").write_text("0")
        (self.sysfs / "event1" / "device" / "device").symlink_to(device)
        self.lights = [device / "leds" / f"0003:054C:0002.0001::buzz{n}" / "brightness" for n in range(1, 5)]

    @property
    def lit(self):
        return "".join(light.read_text() for light in self.lights)


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "input")
    yield bench
    if bench.buttons:
        bench.buttons.close()


# --- Presses ----------------------------------------------------------------------------------------------


def test_handsets_of_one_controller_have_their_seats(bench):
    bench.open(FIRST, SECOND)
    bench.press(HUB, HAPPY + 5)
    bench.press(HUB, HAPPY)
    assert bench.heard.controls == [(1, BUZZ), (0, BUZZ)]


@pytest.mark.parametrize(("offset", "key"), [(4, "1"), (3, "2"), (2, "3"), (1, "4")])
def test_coloured_keys_are_answers_from_the_top(bench, offset, key):
    bench.open(FIRST, SECOND)
    bench.press(HUB, HAPPY + 5 + offset)
    bench.devices[HUB].release(HAPPY + 5 + offset)
    bench.buttons.serve(0)
    assert bench.heard.controls == [(1, key)]


def test_controller_without_hid_sony_has_the_same_handsets(bench):
    bench.plug_in(4, RAW_BUZZ_KEYS, "usb-1-9/input0", name="Buzz", **{"id/vendor": "054c", "id/product": "1000"})
    bench.open("usb-1-9/input0 buzz1", "usb-1-9/input0 buzz4")
    bench.press("usb-1-9/input0", 0x120)
    bench.press("usb-1-9/input0", 0x12F)
    bench.press("usb-1-9/input0", HAPPY + 3)
    assert bench.heard.controls == [(0, BUZZ), (1, BUZZ), (1, "1")]


def test_every_edge_is_reported_without_debounce(bench):
    bench.open("", THIRD)
    for _ in range(3):
        bench.devices[STICK].press(288)
        bench.devices[STICK].event(KEY, 288, 2, 4_000 * MS)
        bench.devices[STICK].release(288)
    bench.buttons.serve(0)
    assert [(signal.control, signal.pressed, signal.flags) for signal in bench.heard] == [
        (BUZZ, True, ()),
        (BUZZ, False, ()),
    ] * 3


def test_other_buttons_of_a_device_do_nothing(bench):
    bench.open("", THIRD)
    bench.press(STICK, 289)
    assert bench.heard == []


def test_lost_events_widen_a_press_and_a_release(bench):
    bench.open(FIRST, SECOND)
    bench.press(HUB, HAPPY, 4_000 * MS)
    bench.devices[HUB].down = {HAPPY + 5}
    bench.devices[HUB].event(SYN, SYN_DROPPED, 0, 4_200 * MS)
    bench.buttons.serve(0)
    assert [(signal.place, signal.pressed, signal.flags) for signal in bench.heard[1:]] == [
        (0, False, (MERGED,)),
        (1, True, (MERGED,)),
    ]
    assert all(signal.t_ns - signal.uncertainty_ns <= 4_000 * MS for signal in bench.heard[1:])


def test_flush_reports_what_waits_and_each_level(bench):
    bench.devices[HUB] = FakeDevice(down=(HAPPY,))
    buttons = bench.open(FIRST, SECOND)
    bench.devices[HUB].press(HAPPY + 5, bench.clock.t_ns)
    levels = list(buttons.flush(bench.clock.t_ns))
    assert bench.heard.controls == [(1, BUZZ)]
    assert [(level.place, level.pressed, level.flags) for level in levels] == [
        (0, True, (LEVEL, AWAY)),  # since when is unknown
        (1, True, (LEVEL,)),
    ]
    assert all(level.t_ns + level.uncertainty_ns == bench.clock.t_ns for level in levels)
    bench.devices[HUB].release(HAPPY)
    assert [level.flags for level in buttons.flush(bench.clock.t_ns)] == [(LEVEL,), (LEVEL,)]


# --- The interval -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("interval_ms", [8, 10, 20])
def test_uncertainty_is_measured_from_the_devices_reports(bench, interval_ms):
    buttons = bench.open("", THIRD)
    bench.press(STICK, 288, 1_000 * MS)
    assert bench.heard[-1].uncertainty_ns == uncertainty_ns(SLOWEST_NS)
    assert not buttons.interval_of(1).measured
    for number in range(ENOUGH + 1):
        bench.report(STICK, 2_000 * MS + number * interval_ms * MS)
    bench.press(STICK, 288, 3_000 * MS)
    assert buttons.interval_of(1).measured
    signal = bench.heard[-1]
    assert signal.uncertainty_ns == uncertainty_ns(interval_ms * MS)
    assert signal.t_ns + signal.uncertainty_ns == 3_000 * MS
    assert buttons.settle_ns == 2 * signal.uncertainty_ns


def test_slow_presses_alone_narrow_nothing(bench):
    buttons = bench.open("", THIRD)
    for number in range(2 * ENOUGH):
        bench.press(STICK, 288, 1_000 * MS + number * 80 * MS)
        bench.devices[STICK].event(SYN, 0, 0, 1_000 * MS + number * 80 * MS)
    assert not buttons.interval_of(1).measured
    assert buttons.interval_of(1).ns == SLOWEST_NS


def test_repeats_of_the_kernel_are_no_reports(bench):
    buttons = bench.open("", THIRD)
    for number in range(2 * ENOUGH):
        bench.devices[STICK].event(KEY, 288, 2, 1_000 * MS + number * MS)
        bench.devices[STICK].event(SYN, 0, 0, 1_000 * MS + number * MS)
    buttons.serve(0)
    assert not buttons.interval_of(1).measured


def test_one_late_stamp_does_not_shorten_the_interval():
    interval = Interval(8 * MS)
    for number in range(ENOUGH + 2):
        interval.report(number * 8 * MS + (7 * MS if number == 5 else 0))
    assert interval.ns == 8 * MS


def test_interval_is_not_below_the_declared_one():
    interval = Interval(8 * MS)
    for number in range(4 * ENOUGH):
        interval.report(number * MS)  # a machine that is often late
    assert interval.measured
    assert interval.ns == 8 * MS


def test_slower_declared_interval_is_believed():
    assert Interval(64 * MS).ns == 64 * MS


# --- Plugging ---------------------------------------------------------------------------------------------


def test_unplugged_controller_unplugs_all_its_seats(bench):
    buttons = bench.open(FIRST, SECOND, THIRD)
    bench.unplug(1, HUB)
    assert sorted(bench.heard.controls) == [(0, UNPLUG), (1, UNPLUG)]
    assert str(buttons.troubles[1]) == "the button of seat 2 is disconnected. Plug it into the same socket again"
    bench.press(STICK, 288)
    assert bench.heard.controls[-1] == (2, BUZZ)
    bench.replug(1, HUB)
    assert sorted(bench.heard.controls[-2:]) == [(0, PLUG), (1, PLUG)]
    bench.press(HUB, HAPPY + 5)
    assert bench.heard.controls[-1] == (1, BUZZ)


def test_devices_of_seats_alone_are_grabbed(bench):
    bench.open(FIRST)
    assert [device.grabbed for device in bench.devices.values()] == [True, False, False]


def test_missing_button_is_named_with_those_found(bench):
    with pytest.raises(DeviceError, match=r"the button of seat 1: there is no 'usb-9'; found: .*Buzz.*\[buttons\]"):
        bench.open("usb-9 288")


@pytest.mark.parametrize("name", [f"{STICK} buzz1", f"{HUB} 288"])
def test_button_that_the_device_lacks_is_refused(bench, name):
    with pytest.raises(DeviceError, match=r"the button of seat 1: .* has no button (buzz1|288)"):
        bench.open(name)


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        ((FIRST,) * 2, "'usb-0000:01:00.0-1.1/input0 buzz1' has two seats, 1 and 2; give it one"),
        (("usb-1",), "'usb-1'; allowed: a path or serial number, a space, then buzz1 to buzz4 or a key's number"),
        (tuple(f"usb-1 {n}" for n in range(6)), "allowed: up to 5 buttons, one a seat"),
    ],
)
def test_wrong_options_are_named(seats, said):
    with pytest.raises(OptionError) as error:
        ButtonWiring(seats=seats).check("table.toml")
    assert str(error.value) == f"table.toml: [buttons]: seats: {said}"


# --- Whose button is this? --------------------------------------------------------------------------------


def test_pressed_button_is_offered_with_its_time(bench):
    buttons = bench.open(ask=True)
    buttons.listen_to_all(on=True)
    buttons.serve(0)
    assert {unit.identity for unit in buttons.units(0)} == {HUB, STICK, PEDAL}
    bench.press(HUB, HAPPY + 12)
    pressed = [unit for unit in buttons.units(0) if unit.press]
    assert [(unit.identity, unit.place) for unit in pressed] == [(f"{HUB} buzz3", None)]
    buttons.bind(f"{HUB} buzz3", 0)
    buttons.serve(0)
    bench.press(HUB, HAPPY + 10)
    assert bench.heard.controls == [(0, BUZZ)]
    assert buttons.paired == ButtonWiring(True, (f"{HUB} buzz3",))


def test_two_seats_share_a_device_by_pairing(bench):
    buttons = bench.open(ask=True)
    buttons.listen_to_all(on=True)
    buttons.serve(0)
    for place, code in ((0, 288), (1, 290)):
        bench.press(STICK, code)
        buttons.bind(f"{STICK} {code}", place)
        buttons.serve(0)
    bench.press(STICK, 290)
    bench.press(STICK, 288)
    assert bench.heard.controls == [(1, BUZZ), (0, BUZZ)]
    assert buttons.places_to_ask == []


@pytest.mark.parametrize("code", [F5, LEFT_CLICK])
def test_keys_of_the_house_are_no_buttons(bench, code):
    buttons = bench.open(ask=True)
    buttons.listen_to_all(on=True)
    buttons.serve(0)
    bench.press(PEDAL, code)
    assert not any(unit.press for unit in buttons.units(0))
    bench.press(PEDAL, B)
    assert [unit.identity for unit in buttons.units(0) if unit.press] == [f"{PEDAL} {B}"]


def test_devices_without_owners_are_released_after_the_question(bench):
    buttons = bench.open(THIRD, ask=True)
    buttons.listen_to_all(on=True)
    buttons.serve(0)
    assert [device.grabbed for device in bench.devices.values()] == [False, True, False]
    buttons.listen_to_all(on=False)
    buttons.serve(0)
    assert [device.closed for device in bench.devices.values()] == [True, False, True]


def test_asking_table_starts_without_its_buttons(bench):
    buttons = bench.open("usb-9 288", ask=True)
    buttons.watch()
    assert bench.heard.controls == [(0, UNPLUG)]
    assert list(buttons.places_to_ask) == [0]


def test_power_buttons_mice_and_touchscreens_are_left_alone(bench):
    plug_in(bench.sysfs, 5, codes=(116,), phys="LNXPWRBN/button/input0")
    plug_in(bench.sysfs, 6, codes=(LEFT_CLICK, 0x111), phys="usb-0000:01:00.0-1.6/input0")
    plug_in(bench.sysfs, 7, codes=(0x14A,), phys="usb-0000:01:00.0-1.7/input0")
    plug_in(bench.sysfs, 8, codes=STICK_KEYS, phys="dc:a6:32:00:00:01", uniq="e4:17:d8:00:00:02")
    assert [here.path.name for here in buttons_here(bench.sysfs)] == ["event1", "event2", "event3", "event8"]
    assert name_of(buttons_here(bench.sysfs)[-1], 288) == "e4:17:d8:00:00:02 288"


# --- Lamps ------------------------------------------------------------------------------------------------


def test_lamps_show_blink_and_go_out(bench, tmp_path):
    bench.add_lamps(tmp_path)
    buttons = bench.open(SECOND, f"{HUB} buzz4")
    buttons.show(0, Lamp.ON)
    assert bench.lit == "0100"
    buttons.show(1, Lamp.BLINK)
    seen = []
    for _ in range(4):
        bench.clock.t_ns += BLINK_NS
        buttons.serve(0)
        seen.append(bench.lit)
    assert seen in (["0101", "0100"] * 2, ["0100", "0101"] * 2)
    buttons.show(0, Lamp.OFF)
    assert bench.lit[1] == "0"
    buttons.show(0, Lamp.ON)
    buttons.close()
    assert bench.lit == "0000"


def test_lamp_of_a_returning_controller_is_lit_again(bench, tmp_path):
    bench.add_lamps(tmp_path)
    buttons = bench.open(FIRST)
    buttons.show(0, Lamp.ON)
    bench.unplug(1, HUB)
    bench.lights[0].write_text("0")  # the power was off
    bench.replug(1, HUB)
    assert bench.lit == "1000"


def test_forbidden_lamp_is_told_once(bench, tmp_path, caplog):
    bench.add_lamps(tmp_path)
    bench.lights[0].unlink()
    bench.lights[0].mkdir()
    buttons = bench.open(FIRST)
    for lamp in (Lamp.ON, Lamp.OFF, Lamp.ON):
        buttons.show(0, lamp)
    assert caplog.text.count("cannot be lit") == 1


# --- The doctor -------------------------------------------------------------------------------------------


def findings(bench, *seats, opened=None, forbidden="", ask=False):
    machine = Machine(
        why_not_imported=lambda _: None, may_use=lambda path: not forbidden or forbidden not in str(path)
    )
    return [
        (str(finding.name), finding.severity, str(finding.found))
        for finding in look(ButtonWiring(ask, seats), machine, opened, bench.sysfs)
    ]


def test_doctor_names_each_button_and_lamp(bench, tmp_path):
    bench.add_lamps(tmp_path)
    found = findings(bench, FIRST, THIRD, "usb-9 288")
    assert [(name, severity) for name, severity, _ in found] == [
        ("[buttons] seat 1", Severity.OK),
        ("[buttons] lamp of seat 1", Severity.OK),
        ("[buttons] seat 2", Severity.OK),
        ("[buttons] seat 3", Severity.BAD),
    ]
    assert found[0][2].endswith("how often it reports is measured while the table runs")


def test_doctor_lists_buttons_without_an_owner(bench):
    assert findings(bench) == []
    [(name, severity, found)] = findings(bench, ask=True)
    assert (name, severity) == ("[buttons]", Severity.WEAK)
    assert f"{STICK} (DragonRise Inc. Generic USB Joystick)" in found


def test_doctor_tells_the_measured_interval(bench):
    buttons = bench.open(THIRD)
    for number in range(ENOUGH + 1):
        bench.report(STICK, 2_000 * MS + number * 8 * MS)
    buttons.serve(0)
    [(_, severity, found)] = findings(bench, THIRD, opened=buttons)
    assert severity is Severity.OK
    assert found.endswith("reports every 8 ms; each press is accurate to 10 ms")


def test_doctor_names_forbidden_buttons_and_lamps(bench, tmp_path):
    bench.add_lamps(tmp_path)
    assert [severity for _, severity, _ in findings(bench, FIRST, forbidden="event1")] == [
        Severity.BAD,
        Severity.OK,
    ]
    assert [severity for _, severity, _ in findings(bench, FIRST, forbidden="brightness")] == [
        Severity.OK,
        Severity.WEAK,
    ]


def test_kernel_without_hid_sony_is_named(bench):
    _, (_, severity, found) = findings(bench, FIRST)
    assert (severity, found) == (Severity.WEAK, "the kernel shows no lamp: its module hid-sony is missing")


def test_refused_device_is_named_while_asking(bench):
    bench.refused = OSError(errno.EACCES, "Permission denied")
    buttons = bench.open(ask=True)
    buttons.listen_to_all(on=True)
    buttons.serve(0)
    assert "no permission" in str(buttons.remark(0))
    assert HOUSE not in buttons.pairable_places
