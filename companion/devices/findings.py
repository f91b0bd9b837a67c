"""Findings of the doctor, and checks of the machine."""

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
"""The coarsest resolution that does not matter."""

LOOKS_AT_CLOCK: Final = 100_000
"""Equal readings after which a clock is considered stopped."""

PI_GPIO: Final = "RPi.GPIO"
SHIM: Final = "rpi-lgpio"

PACKAGES: Final = ("table-companion", "gpiozero", "pygame-ce", "pygame", "gpiod", "lgpio", PI_GPIO, SHIM)


class Severity(StrEnum):
    """How bad a finding is. Only BAD prevents playing."""

    OK = "ok"
    WEAK = "weak"
    BAD = "bad"
    SKIPPED = "skipped"

    @property
    def word(self) -> str:
        return str(WORDS[self])


WORDS: Final = {
    Severity.OK: msg("ok"),
    Severity.WEAK: msg("weak"),
    Severity.BAD: msg("bad"),
    Severity.SKIPPED: msg("skipped"),
}


class Finding(NamedTuple):
    """A checked part, the result, and the remedy."""

    name: Text
    severity: Severity
    found: Text
    remedy: Text | None = None


def installed_version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  the first picture does not wait

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def why_not_imported(module: str) -> str | None:
    """Import a module. Return the error message, or None on success."""
    try:
        if module in {"lgpio", PI_GPIO} and importlib.util.find_spec("lgpio"):
            import_lgpio()  # keeps its pipe out of the working folder; RPi.GPIO's shim imports it too
        importlib.import_module(module)
    except Exception as error:  # noqa: BLE001  a library may raise what it likes: it is what the doctor tells
        return str(error) or type(error).__name__
    return None


def may_use(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)


@dataclass(frozen=True)
class Machine:
    """Where the checks look; tests replace it."""

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
    """Return the Raspberry Pi's model, or the processor."""
    model = machine.proc / "device-tree" / "model"
    return model.read_text().strip("\0") if model.exists() else platform.machine()


def is_pi(machine: Machine) -> bool:
    return board(machine).startswith("Raspberry Pi")


def system(machine: Machine) -> Finding:
    """List what every bug report needs."""
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
    """Check the clock of all timestamps."""
    resolution_ns = round(resolution_s * 1e9)
    began_ns = now_ns()
    if all(now_ns() == began_ns for _ in range(LOOKS_AT_CLOCK)):
        return Finding(
            msg("clock"),
            Severity.BAD,
            msg("CLOCK_MONOTONIC stands still"),
            msg("Restart the machine; if that does not help, another kernel is needed"),
        )
    found = msg("CLOCK_MONOTONIC runs, in steps of {ns} ns", ns=resolution_ns)
    if resolution_ns > FINE_NS:
        remedy = msg("Use a kernel with high-resolution timers, such as that of Raspberry Pi OS")
        return Finding(msg("clock"), Severity.WEAK, found, remedy)
    return Finding(msg("clock"), Severity.OK, found)


# --- Permission -------------------------------------------------------------------------------------------


def join(group: str) -> Text:
    try:
        members = grp.getgrnam(group).gr_mem
    except KeyError:
        members = []
    user = getpass.getuser()
    if user in members:
        return msg("You joined the group {group} after you logged in: log out and in again", group=group)
    return msg("sudo usermod -aG {group} {user}, then log out and in again", group=group, user=user)
