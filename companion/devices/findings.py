"""The doctor's findings, each failure with its remedy, and the machine on which it looks."""

import getpass
import grp
import importlib
import importlib.util
import os
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.text import Text, msg
from companion.devices.lgpio_library import import_lgpio

FINE_NS: Final = 1_000
"""A clock that is coarser than this adds to the uncertainty of every stamp."""

LOOKS_AT_CLOCK: Final = 100_000
"""After this many equal readings the clock is taken to stand still."""

PI_GPIO: Final = "RPi.GPIO"
SHIM: Final = "rpi-lgpio"

PACKAGES: Final = ("table-companion", "gpiozero", "pygame-ce", "pygame", "gpiod", "lgpio", PI_GPIO, SHIM)


class Severity(StrEnum):
    """The meaning of a finding for the table; only `bad` keeps people from playing."""

    OK = "ok"
    WEAK = "weak"
    BAD = "bad"
    SKIPPED = "skipped"

    @property
    def word(self) -> str:
        """The severity in the reader's language."""
        return str(WORDS[self])


WORDS: Final = {
    Severity.OK: msg("ok"),
    Severity.WEAK: msg("weak"),
    Severity.BAD: msg("bad"),
    Severity.SKIPPED: msg("skipped"),
}


class Finding(NamedTuple):
    """A part that was looked at, what was found, and the remedy."""

    name: Text
    severity: Severity
    found: Text
    remedy: Text | None = None


def installed_version(package: str) -> str | None:
    """Return the version of a package, None without it."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  the first picture does not wait

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def why_not_imported(module: str) -> str | None:
    """Import a module; return why that fails, None when it does not."""
    try:
        if module in {"lgpio", PI_GPIO} and importlib.util.find_spec("lgpio"):
            import_lgpio()  # it leaves a pipe where it is imported; RPi.GPIO's shim imports it too
        importlib.import_module(module)
    except Exception as error:  # noqa: BLE001  a library may raise what it likes: it is what the doctor tells
        return str(error) or type(error).__name__
    return None


def may_use(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)


@dataclass(frozen=True)
class Machine:
    """Where and how the checks look; the tests let them look elsewhere."""

    dev: Path = Path("/dev")
    proc: Path = Path("/proc")
    version: Callable[[str], str | None] = installed_version
    why_not_imported: Callable[[str], str | None] = why_not_imported
    may_use: Callable[[Path], bool] = may_use
    now_ns: Callable[[], int] = time.monotonic_ns
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    sys: Path = Path("/sys")
    etc: Path = Path("/etc")


# --- The machine ------------------------------------------------------------------------------------------


def board(machine: Machine) -> str:
    """Return what kind of machine this is: what a Raspberry Pi calls itself, else the processor."""
    model = machine.proc / "device-tree" / "model"
    return model.read_text().strip("\0") if model.exists() else platform.machine()


def is_pi(machine: Machine) -> bool:
    return board(machine).startswith("Raspberry Pi")


def system(machine: Machine) -> Finding:
    """List the machine, its kernel, Python and the packages that matter here: what one is asked for first."""
    found = [f"{name} {number}" for name in PACKAGES if (number := machine.version(name))]
    linux, python, packages = platform.release(), platform.python_version(), ", ".join(found)
    return Finding(
        msg("system"),
        Severity.OK,
        msg(
            "{board}, Linux {linux}, Python {python}; {packages}",
            board=board(machine),
            linux=linux,
            python=python,
            packages=packages,
        ),
    )


def monotonic(machine: Machine) -> Finding:
    return clock(machine.now_ns, time.get_clock_info("monotonic").resolution)


def clock(now_ns: Callable[[], int], resolution_s: float) -> Finding:
    """Check that the clock of all stamps is fine and goes on."""
    resolution_ns = round(resolution_s * 1e9)
    began_ns = now_ns()
    if all(now_ns() == began_ns for _ in range(LOOKS_AT_CLOCK)):
        return Finding(
            msg("clock"),
            Severity.BAD,
            msg("CLOCK_MONOTONIC stands still"),
            msg("Start the machine again; if it stays so, another kernel is needed"),
        )
    found = msg("CLOCK_MONOTONIC goes on, in steps of {ns} ns", ns=resolution_ns)
    if resolution_ns > FINE_NS:
        remedy = msg("Use a kernel with high-resolution timers, as that of Raspberry Pi OS")
        return Finding(msg("clock"), Severity.WEAK, found, remedy)
    return Finding(msg("clock"), Severity.OK, found)


# --- Permission -------------------------------------------------------------------------------------------


def join(group: str) -> Text:
    """Return how this user comes into the group that some device files belong to."""
    try:
        members = grp.getgrnam(group).gr_mem
    except KeyError:
        members = []
    user = getpass.getuser()
    if user in members:
        return msg("You are in the group {group} since you logged in: log out and in again", group=group)
    return msg("sudo usermod -aG {group} {user}, then log out and in again", group=group, user=user)
