"""Tests what the doctor reports about chips, libraries and lines."""

import importlib.util
import os
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from companion.core.install import install_command, replace_command
from companion.devices import chip_checks, chips, findings
from companion.devices.chips import Chip, ChipLine
from companion.devices.findings import Finding, Machine, Severity
from companion.devices.lgpio_library import get_lgpio
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.wiring import Wiring
from tests.gpio_fakes import make_process

PI_4 = "pinctrl-bcm2711"
PI_5 = "pinctrl-rp1"

WIRING = Wiring(BuzzerWiring(pins=(17, 27)), LampWiring(pins=(5, 6), siren=18), HouseWiring(undo=NOT_WIRED))

HELD = "anon_inode:gpio-line"
MODULES = ("gpiod", "lgpio", "RPi", "RPi.GPIO")


class Fake:
    """A machine: its chips, the holders of lines, and the installed modules."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.dev, self.proc = folder / "dev", folder / "proc"
        self.dev.mkdir()
        self.proc.mkdir()
        self.chips: dict[str, tuple[str, int]] = {}
        self.taken: dict[int, str] = {}
        self.versions: dict[str, str] = {}
        self.broken: dict[str, str] = {}
        self.environment = {"LG_WD": str(folder)}
        self.allowed = True
        monkeypatch.setattr(chips, "read_chip", self.read_chip)
        monkeypatch.setattr(chips, "read_line", lambda chip, pin: ChipLine(f"GPIO{pin}", self.taken.get(pin)))
        find_spec = importlib.util.find_spec
        monkeypatch.setattr(
            importlib.util,
            "find_spec",
            lambda name: None if name in MODULES and name not in sys.modules else find_spec(name),
        )

    def chip(self, number: int, label: str = PI_4, lines: int = 58) -> None:
        self.chips[f"gpiochip{number}"] = (label, lines)
        (self.dev / f"gpiochip{number}").touch()

    def read_chip(self, path: Path) -> Chip:
        if not self.allowed:
            raise PermissionError(13, "Permission denied", str(path))
        return Chip(path, *self.chips[path.name])

    def install(self, name: str, version: str = "2.5", **attributes: object) -> None:
        module = ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
        vars(module).update(attributes)
        self.monkeypatch.setitem(sys.modules, name, module)
        self.versions[name] = version

    def install_all(self) -> None:
        self.install("gpiod", request_lines=None)
        self.install("lgpio", "0.2.2.0")

    def machine(self) -> Machine:
        return Machine(
            self.dev,
            self.proc,
            self.versions.get,
            self.broken.get,
            lambda path: self.allowed,
            environment=self.environment,
        )

    def look(self, wiring: Wiring = WIRING) -> dict[str, Finding]:
        found = [findings.system(self.machine()), *chip_checks.look(wiring, self.machine())]
        assert len({finding.name for finding in found}) == len(found)
        return {str(finding.name): finding for finding in found}


@pytest.fixture
def fake(tmp_path, monkeypatch):
    for name in MODULES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    return Fake(tmp_path, monkeypatch)


@pytest.fixture
def pi(fake):
    """A healthy Raspberry Pi 4."""
    fake.chip(0)
    fake.install_all()
    return fake


def bad(found):
    return [name for name, finding in found.items() if finding.severity is Severity.BAD]


def test_healthy_machine_has_nothing_bad_or_weak(pi):
    found = pi.look()
    assert {finding.severity for finding in found.values()} == {Severity.OK, Severity.SKIPPED}
    assert [name for name, finding in found.items() if finding.severity is Severity.SKIPPED] == ["rpigpio"]
    assert list(found) == [
        "system",
        "gpiochip0",
        "chip",
        "permission",
        "gpiod",
        "lgpio",
        "rpigpio",
        "[buzzers] seat 1",
        "[buzzers] seat 2",
        "[lamps] seat 1",
        "[lamps] seat 2",
        "[lamps] siren",
        "[house] ok",
        "[house] pause",
        "[house] skip",
    ]


def test_system_is_reported_with_its_packages(pi):
    (pi.proc / "device-tree").mkdir()
    (pi.proc / "device-tree" / "model").write_text("Raspberry Pi 4 Model B Rev 1.4\0")
    said = str(pi.look()["system"].found)
    assert said.startswith("Raspberry Pi 4 Model B Rev 1.4, Linux ")
    assert said.endswith("gpiod 2.5, lgpio 0.2.2.0")


# --- The clock --------------------------------------------------------------------------------------------


def test_stopped_clock_is_bad():
    finding = findings.clock(lambda: 7, 1e-9)
    assert finding.severity is Severity.BAD
    assert finding.remedy


@pytest.mark.parametrize(("resolution_s", "verdict"), [(1e-9, "ok"), (1e-6, "ok"), (4e-3, "weak")])
def test_coarse_clock_is_weak(resolution_s, verdict):
    times = iter(range(9))
    assert findings.clock(lambda: next(times), resolution_s).severity.value == verdict


# --- The chip ---------------------------------------------------------------------------------------------


def test_machine_without_a_chip_suggests_virtual_table(fake):
    fake.install_all()
    found = fake.look()
    assert bad(found) == ["chip"]
    assert str(found["chip"].found) == "there is no GPIO chip on this machine"
    assert "companion play --virtual" in str(found["chip"].remedy)
    assert "permission" not in found
    assert str(found["[buzzers] seat 1"].found) == "line 17; no chip to check it with"


@pytest.mark.parametrize("label", [PI_4, PI_5, "pinctrl-bcm2835"])
def test_header_chip_is_used_at_any_number(fake, label):
    fake.install_all()
    fake.chip(0, "gpio-brcmstb", 32)
    fake.chip(11, label, 54)
    found = fake.look()
    assert str(found["gpiochip0"].found) == "gpio-brcmstb, 32 lines"
    assert str(found["chip"].found) == "gpiochip11 is used: the one behind a Raspberry Pi's header"


def test_other_boards_chip_must_be_named(fake):
    fake.install_all()
    fake.chip(0, "sunxi", 300)
    found = fake.look()
    assert bad(found) == ["chip"]
    assert "set chip to one of: sunxi" in str(found["chip"].remedy)
    named = Wiring(BuzzerWiring(chip="sunxi", pins=(17, 27)), WIRING.of(LampWiring), WIRING.of(HouseWiring))
    found = fake.look(named)
    assert bad(found) == []
    assert str(found["chip"].found) == "gpiochip0 is used: chosen in table.toml"


def test_unknown_chip_label_is_bad(pi):
    found = pi.look(Wiring(BuzzerWiring(chip="pinctrl-bcm2712")))
    assert bad(found) == ["chip"]
    assert f"did you mean '{PI_4}'" in str(found["chip"].found)


def test_line_beyond_the_chip_is_bad(pi):
    pi.chips["gpiochip0"] = (PI_4, 27)
    found = pi.look()
    assert bad(found) == ["[buzzers] seat 2"]
    assert str(found["[buzzers] seat 2"].found) == f"line 27: {PI_4} has only the lines 0 to 26"


# --- Permission -------------------------------------------------------------------------------------------


@pytest.fixture
def group(monkeypatch):
    """Return a function that sets the group of device files and its members."""

    def belong(name: str, number: int, members: list[str]) -> None:
        monkeypatch.setattr(chip_checks, "_group_name", lambda _: name)
        monkeypatch.setattr(chip_checks.grp, "getgrnam", lambda _: SimpleNamespace(gr_mem=members))
        monkeypatch.setattr(chip_checks.getpass, "getuser", lambda: "anna")
        stat = Path.stat

        def with_group(path: Path, **options: bool) -> os.stat_result:
            real = stat(path, **options)
            return os.stat_result((*real[:5], number, *real[6:])) if path.name.startswith("gpiochip") else real

        monkeypatch.setattr(Path, "stat", with_group)

    return belong


@pytest.mark.parametrize(
    ("name", "number", "members", "remedy"),
    [
        ("gpio", 997, ["ben"], "sudo usermod -aG gpio anna, then log out and in again"),
        ("gpio", 997, ["ben", "anna"], "You joined the group gpio after you logged in: log out and in again"),
        ("root", 0, [], "Give the chips to a group gpio: "),
    ],
)
def test_forbidden_chip_has_its_group_as_remedy(pi, group, name, number, members, remedy):
    group(name, number, members)
    path = pi.dev / "gpiochip0"
    finding = chip_checks.permission(path, allowed=False)
    assert finding.severity is Severity.BAD
    assert str(finding.found) == f"{path} belongs to the group {name}; no permission to use it"
    assert str(finding.remedy).startswith(remedy)


def test_unreadable_chip_is_bad_once(pi, group):
    group("gpio", 997, [])
    pi.allowed = False
    found = pi.look()
    assert found["gpiochip0"].severity is Severity.WEAK
    assert str(found["gpiochip0"].remedy) == "sudo usermod -aG gpio anna, then log out and in again"
    assert bad(found) == ["chip"]


def test_readable_but_unusable_chip_is_bad(pi, group):
    group("gpio", 997, [])
    pi.monkeypatch.setattr(chips, "read_chip", lambda path: Chip(path, PI_4, 58))
    pi.allowed = False
    found = pi.look()
    assert bad(found) == ["permission"]
    assert found["[buzzers] seat 1"].severity is Severity.SKIPPED


# --- What reads the buzzers -------------------------------------------------------------------------------


def test_best_library_is_named_when_none_is_installed(pi):
    for name in ("gpiod", "lgpio"):
        pi.monkeypatch.delitem(sys.modules, name)
    found = pi.look()
    assert bad(found) == ["source"]
    assert install_command("pi") in str(found["source"].found)
    assert str(found["gpiod"].found) == "not used; gpiod is not installed"


def test_lamps_need_lgpio_beside_gpiod(pi):
    pi.monkeypatch.delitem(sys.modules, "lgpio")
    found = pi.look()
    assert bad(found) == ["lgpio"]
    assert str(found["lgpio"].found) == "lamps and house buttons need it; lgpio is not installed"
    assert str(found["lgpio"].remedy) == get_lgpio()


@pytest.mark.parametrize(("version_1", "why"), [(False, "gpiod is not installed"), (True, "gpiod is too old")])
def test_lgpio_alone_is_weak_and_names_gpiod(pi, version_1, why):
    pi.monkeypatch.delitem(sys.modules, "gpiod")
    if version_1:
        pi.install("gpiod", "1.6.3")  # Debian 12's, without request_lines
    found = pi.look()
    assert bad(found) == []
    assert found["lgpio"].severity is Severity.WEAK
    assert "accurate to 1 ms" in str(found["lgpio"].found)
    assert str(found["lgpio"].remedy) == f"Better: {why}; {install_command('pi')}"


def test_missing_configured_source_is_bad(pi):
    pi.install("gpiod", "1.6.3")
    found = pi.look(Wiring(BuzzerWiring(source="gpiod", pins=(17, 27))))
    assert bad(found) == ["source"]
    assert "the old version 1" in str(found["source"].found)


def test_weaker_configured_source_is_weak(pi):
    found = pi.look(Wiring(BuzzerWiring(source="lgpio", pins=(17, 27))))
    assert bad(found) == []
    assert found["gpiod"].severity is Severity.SKIPPED
    assert str(found["lgpio"].remedy) == "Set [buzzers] source to auto, which picks the best"


def test_useless_lgpio_version_is_bad(pi):
    pi.versions["lgpio"] = "0.0.0.2"
    found = pi.look()
    assert bad(found) == ["lgpio"]
    assert "lgpio 0.0.0.2 does not work; 0.2.2.0 is needed" in str(found["lgpio"].found)
    assert str(found["lgpio"].remedy) == replace_command("lgpio", get_lgpio())


def test_library_that_fails_to_import_is_bad(pi):
    pi.broken["gpiod"] = "libgpiod.so.3: cannot open shared object file"
    found = pi.look()
    assert bad(found) == ["gpiod"]
    assert "does not start: libgpiod.so.3: cannot open" in str(found["gpiod"].found)


def test_unwritable_folder_of_lgpio_is_named(pi):
    folder = pi.dev / "gpiochip0" / "no folder"
    pi.environment["LG_WD"] = str(folder)
    found = pi.look()
    assert bad(found) == ["lgpio"]
    assert f"cannot write its pipe to {folder}" in str(found["lgpio"].found)
    assert "LG_WD" in str(found["lgpio"].remedy)


def test_missing_temporary_folder_for_lgpio_is_bad(pi):
    def none():
        raise FileNotFoundError

    del pi.environment["LG_WD"]
    pi.monkeypatch.setattr(chip_checks.tempfile, "gettempdir", none)
    pi.monkeypatch.setattr(chip_checks.os, "access", lambda path, mode: path != Path("/tmp"))
    found = pi.look()
    assert bad(found) == ["lgpio"]
    assert "cannot write its pipe to /tmp" in str(found["lgpio"].found)


def rpi_gpio(fake, *packages):
    fake.install("RPi")
    fake.install("RPi.GPIO")
    del fake.versions["RPi"], fake.versions["RPi.GPIO"]
    fake.versions |= dict.fromkeys(packages, "0.7")


RPIGPIO = Wiring(BuzzerWiring(source="rpigpio", pins=(17, 27)))


def test_rpi_gpio_is_bad_on_a_pi_5(pi):
    pi.chips["gpiochip0"] = (PI_5, 54)
    rpi_gpio(pi, "RPi.GPIO")
    found = pi.look(RPIGPIO)
    assert bad(found) == ["rpigpio"]
    assert str(found["rpigpio"].found) == "RPi.GPIO does not run on a Raspberry Pi 5"
    assert install_command("rpi-lgpio") in str(found["rpigpio"].remedy)


def test_rpi_lgpio_is_weak_on_a_pi_5(pi):
    pi.chips["gpiochip0"] = (PI_5, 54)
    rpi_gpio(pi, "rpi-lgpio")
    found = pi.look(RPIGPIO)
    assert bad(found) == []
    assert found["rpigpio"].severity is Severity.WEAK
    assert "accurate to 10 ms" in str(found["rpigpio"].found)


def test_rpi_gpio_and_rpi_lgpio_exclude_each_other(pi):
    rpi_gpio(pi, "RPi.GPIO", "rpi-lgpio")
    found = pi.look(RPIGPIO)
    assert bad(found) == ["rpigpio"]
    assert "pip uninstall -y RPi.GPIO rpi-lgpio && " in str(found["rpigpio"].remedy)
    found = pi.look()
    assert found["rpigpio"].severity is Severity.SKIPPED, "nobody uses it"
    assert "overwrite each other" in str(found["rpigpio"].found)


def test_mock_needs_no_chip_and_is_weak(fake):
    found = fake.look(Wiring(BuzzerWiring(source="mock")))
    assert list(found) == ["system", "gpiod", "lgpio", "rpigpio", "mock"]
    assert found["mock"].severity is Severity.WEAK
    assert "source to auto" in str(found["mock"].remedy), "whatever is not installed"


def test_import_error_is_the_reason(tmp_path, monkeypatch):
    (tmp_path / "spoilt.py").write_text("raise RuntimeError('This module can only be run on a Raspberry Pi!')")
    monkeypatch.syspath_prepend(tmp_path)
    assert findings.why_not_imported("spoilt") == "This module can only be run on a Raspberry Pi!"
    assert findings.why_not_imported("json") is None


# --- The lines --------------------------------------------------------------------------------------------


def test_busy_line_names_the_holding_processes(pi):
    make_process(pi.proc, 812, "python3", HELD)
    make_process(pi.proc, 813, "bash", "/dev/null")
    pi.taken = {17: "lg"}
    found = pi.look()
    assert bad(found) == ["[buzzers] seat 1"]
    assert str(found["[buzzers] seat 1"].found) == "line 17 (GPIO17), taken by 'lg'"
    assert str(found["[buzzers] seat 1"].remedy) == "End the process that holds GPIO lines: 812 (python3)"
    make_process(pi.proc, 900, "gpiomon", HELD)
    remedy = str(pi.look()["[buzzers] seat 1"].remedy)
    assert remedy.endswith("one of these: 812 (python3), 900 (gpiomon)")


def test_lines_open_at_this_table_are_not_busy(pi):
    pi.taken = {17: "lg"}
    found = list(chip_checks.look(WIRING, pi.machine(), holds_lines=True))
    told = {str(finding.name): str(finding.found) for finding in found}
    assert told["[buzzers] seat 1"] == "line 17 (GPIO17), in use by this table"
    assert Severity.BAD not in {finding.severity for finding in found}


def test_line_held_by_the_kernel_suggests_dtoverlay(pi):
    pi.taken = {18: "spi0 CS0"}
    found = pi.look()
    assert bad(found) == ["[lamps] siren"]
    assert "sudo companion doctor" in str(found["[lamps] siren"].remedy)
    assert "dtoverlay" in str(found["[lamps] siren"].remedy)


def test_missing_lamps_and_ok_are_weak(pi):
    found = pi.look(
        Wiring(BuzzerWiring(pins=(17, 27, 22)), LampWiring(pins=(5,), siren=NOT_WIRED), HouseWiring(NOT_WIRED))
    )
    assert bad(found) == []
    assert (found["[lamps]"].severity, str(found["[lamps]"].found)) == (Severity.WEAK, "seats 2, 3 have none")
    assert found["[lamps] siren"].severity is Severity.SKIPPED
    assert found["[house] ok"].severity is Severity.WEAK


def test_every_bad_or_weak_finding_has_a_remedy(fake, pi):
    """With as many faults as fit together."""
    pi.versions["lgpio"] = "0.0.0.2"
    pi.chips["gpiochip0"] = (PI_4, 27)
    pi.taken = {17: "lg"}
    spoilt = pi.look()
    assert len(bad(spoilt)) == 3
    for finding in spoilt.values():
        if finding.severity in {Severity.BAD, Severity.WEAK}:
            assert finding.remedy, finding.name
