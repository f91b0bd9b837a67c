"""Tests what the doctor reports about number pads and pods."""

import grp
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from companion.core.text import msg
from companion.devices import chip_checks, findings
from companion.devices.findings import Finding, Machine, Severity
from companion.devices.inputs.reader import get_evdev
from companion.devices.keypads.driver import look as look_at_pads
from companion.devices.keypads.pad_keys import pads_here
from companion.devices.keypads.usb_pads import PadWiring
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.pods.driver import look as look_at_pods
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Seen
from companion.devices.wiring import Wiring
from tests.devices.pad_fakes import plug_in

DIGITS = tuple(range(2, 12))
ANNA, BEN = "E66118604B3A5C21", "E66118604B3A0000"


class FakePods:
    def __init__(self):
        self.answering = []
        self.troubles = {}
        self.silent_ports = {}

    def seen(self):
        return self.answering

    def unbound(self):
        return [pod for pod in self.answering if pod.place is None]


class Fake:
    def __init__(self, folder):
        self.sysfs = folder
        self.broken = {}
        self.forbidden = set()
        self.ports = []
        self.pods = FakePods()
        self.asked = 0

    @contextmanager
    def open_pods(self, wiring) -> Iterator[FakePods]:
        self.asked += 1
        yield self.pods

    def look(self, *options) -> dict[str, Finding]:
        machine = Machine(why_not_imported=self.broken.get, may_use=lambda path: str(path) not in self.forbidden)
        found = [
            *look_at_pads(Wiring(*options).of(PadWiring), machine, self.sysfs),
            *look_at_pods(Wiring(*options).of(PodWiring), machine, lambda: self.ports, self.open_pods),
        ]
        assert len({finding.name for finding in found}) == len(found)
        assert all(finding.remedy for finding in found if finding.severity is not Severity.OK)
        return {str(finding.name): finding for finding in found}


@pytest.fixture
def fake(tmp_path):
    return Fake(tmp_path)


@pytest.fixture
def group(monkeypatch):
    """Return a function that sets the members of every group; the user is anna."""

    def has(*members):
        monkeypatch.setattr(findings.getpass, "getuser", lambda: "anna")
        monkeypatch.setattr(grp, "getgrnam", lambda name: SimpleNamespace(gr_mem=list(members)))

    return has


def told(found):
    return {name: (finding.severity.value, str(finding.found)) for name, finding in found.items()}


def test_table_without_pads_and_pods_checks_nothing(fake):
    fake.broken["evdev"] = "No module named 'evdev'"
    assert fake.look() == {}
    assert fake.asked == 0


# --- Number pads ------------------------------------------------------------------------------------------

PADS = PadWiring(seats=("usb-0000:01:00.0-1.3", "usb-0000:01:00.0-1.4"), house="A0815")


def test_each_pad_is_reported_with_its_uncertainty(fake):
    plug_in(fake.sysfs, 3, codes=DIGITS)
    plug_in(fake.sysfs, 4, codes=DIGITS)
    plug_in(fake.sysfs, 5, codes=DIGITS, uniq="A0815")
    found = fake.look(PADS)
    assert list(found) == ["[pads] house", "[pads] seat 1", "[pads] seat 2"]
    assert {finding.severity for finding in found.values()} == {Severity.OK}
    said = "usb-0000:01:00.0-1.3/input0 (Pad); each key is accurate to 10 ms"
    assert str(found["[pads] seat 1"].found) == said


def test_pad_bound_by_two_names_is_found(fake):
    plug_in(fake.sysfs, 3, codes=DIGITS, uniq="A0815")
    found = fake.look(PadWiring(seats=PADS.seats[:1], house="A0815"))
    assert [finding.severity for finding in found.values()] == [Severity.OK, Severity.BAD]
    assert "the keypad of the house and the keypad of seat 1 are the same" in str(found["[pads] seat 1"].found)


def test_missing_pad_is_named_with_those_plugged_in(fake):
    plug_in(fake.sysfs, 3, codes=DIGITS)
    found = fake.look(PadWiring(seats=PADS.seats))
    assert [finding.severity for finding in found.values()] == [Severity.OK, Severity.BAD]
    said = str(found["[pads] seat 2"].found)
    assert said.startswith("the keypad of seat 2: there is no 'usb-0000:01:00.0-1.4'; found: usb-0000:01:00.0-1.3")


@pytest.mark.parametrize(
    ("members", "remedy"),
    [
        ((), "sudo usermod -aG input anna, then log out and in again"),
        (("anna",), "You joined the group input after you logged in: log out and in again"),
    ],
)
def test_unreadable_pad_has_its_group_as_remedy(fake, group, members, remedy):
    group(*members)
    plug_in(fake.sysfs, 3, codes=DIGITS)
    [pad] = pads_here(fake.sysfs)
    fake.forbidden.add(str(pad.path))
    finding = fake.look(PadWiring(seats=PADS.seats[:1]))["[pads] seat 1"]
    assert finding.severity is Severity.BAD
    assert str(finding.found).endswith(f"no permission to use {pad.path}")
    assert str(finding.remedy) == remedy


def test_pads_without_an_owner_are_asked_for(fake):
    plug_in(fake.sysfs, 3, codes=DIGITS)
    finding = fake.look(PadWiring(ask=True))["[pads]"]
    assert finding.severity is Severity.WEAK
    assert str(finding.found) == "no pad has an owner yet; plugged in: usb-0000:01:00.0-1.3/input0 (Pad)"
    assert str(finding.remedy) == "Start `companion play --table table.toml`: it asks whose it is"


def test_missing_paired_pad_is_mended_at_the_table(fake):
    finding = fake.look(PadWiring(ask=True, house="A0815"))["[pads] house"]
    assert finding.severity is Severity.BAD
    assert str(finding.remedy) == "Plug it into its socket, or choose Number pads in the table's menu"


def test_missing_evdev_is_reported_with_its_remedy(fake):
    fake.broken["evdev"] = "No module named 'evdev'"
    plug_in(fake.sysfs, 3, codes=DIGITS)
    found = fake.look(PadWiring(seats=PADS.seats[:1]))
    assert told(found)["evdev"] == ("bad", "number pads cannot be read: No module named 'evdev'")
    assert str(found["evdev"].remedy) == get_evdev()
    assert found["[pads] seat 1"].severity is Severity.OK


# --- Pods -------------------------------------------------------------------------------------------------

PODS = PodWiring(seats=(ANNA, BEN))


def test_pods_are_reported_with_firmware_or_trouble(fake):
    fake.ports = ["/dev/ttyACM0"]
    fake.pods.answering = [Seen(BEN, "1.0", "/dev/ttyACM0", 1)]
    fake.pods.troubles = {0: msg("the pod of seat 1 ({id}): it is not plugged in", id=ANNA)}
    found = fake.look(PODS)
    assert told(found) == {
        "[pods] seat 1": ("bad", f"the pod of seat 1 ({ANNA}): it is not plugged in"),
        "[pods] seat 2": ("ok", f"{BEN} at /dev/ttyACM0, firmware 1.0, not paired"),
    }
    assert list(found) == ["[pods] seat 1", "[pods] seat 2"]


def test_doctor_waits_for_no_pod_without_ports(fake):
    found = fake.look(PodWiring(seats=("", BEN)))
    assert told(found) == {"[pods] seat 2": ("bad", f"the pod {BEN}: it is not plugged in")}
    assert fake.asked == 0


def test_unbound_pod_is_named_with_its_remedy(fake):
    fake.ports = ["/dev/ttyACM0"]
    fake.pods.answering = [Seen(ANNA, "1.0", "/dev/ttyACM0", None)]
    finding = fake.look()[f"pod {ANNA}"]
    assert finding.severity is Severity.WEAK
    assert str(finding.remedy) == "Start `companion play --table table.toml`: it asks whose it is"


def test_forbidden_port_is_reported_once_with_its_group(fake, group, tmp_path):
    group()
    port = tmp_path / "ttyACM0"
    port.touch()
    fake.forbidden.add(str(port))
    fake.ports = [str(port)]
    fake.pods.silent_ports = {str(port): msg("no permission. Join the group dialout")}
    found = fake.look()
    assert told(found) == {str(port): ("bad", "no permission to use this port")}
    assert str(found[str(port)].remedy) == "sudo usermod -aG dialout anna, then log out and in again"


def test_silent_port_is_reported_with_its_reason(fake, tmp_path):
    port, gone = tmp_path / "ttyACM0", tmp_path / "ttyACM1"
    port.touch()
    fake.pods.silent_ports = {str(port): msg("no pod answers there"), str(gone): msg("it is not there")}
    found = fake.look(PodWiring(ports=(str(port), str(gone))))
    assert told(found) == {str(port): ("weak", "no pod answers there"), str(gone): ("weak", "it is not there")}
    assert f"companion pod flash {port}" in str(found[str(port)].remedy)
    assert "[pods] ports" in str(found[str(gone)].remedy)


def test_missing_pyserial_is_reported_without_asking_pods(fake):
    fake.broken["serial"] = "No module named 'serial'"
    fake.ports = ["/dev/ttyACM0"]
    found = fake.look(PODS)
    assert told(found) == {"pyserial": ("bad", "pods cannot be read: No module named 'serial'")}
    assert fake.asked == 0


# --- A table without GPIO ---------------------------------------------------------------------------------


def test_table_without_lines_needs_no_chip_or_library(tmp_path):
    wiring = Wiring(
        BuzzerWiring(pins=()), LampWiring(pins=(), siren=NOT_WIRED), HouseWiring(*[NOT_WIRED] * 7), PODS
    )
    machine = Machine(dev=tmp_path, proc=tmp_path, why_not_imported=lambda module: f"{module} is broken")
    found = {str(finding.name): finding for finding in chip_checks.look(wiring, machine)}
    assert list(found) == ["chip", "[lamps] siren", "[house] ok"]
    assert told(found)["chip"] == ("skipped", "not needed: table.toml wires nothing to a chip")
    assert Severity.BAD not in {finding.severity for finding in found.values()}
