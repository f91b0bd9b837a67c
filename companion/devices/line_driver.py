"""The driver of devices on GPIO lines. Libraries are imported only if a line is wired."""

from collections.abc import Iterable, Sequence
from typing import Final

from companion.core.clock import Clock
from companion.devices.driver import Deliver, Device, Driver, Sections
from companion.devices.findings import Finding, Machine
from companion.devices.lines import BuzzerWiring, HouseWiring, LampWiring, MatrixWiring


def _open(wiring: Sections, deliver: Deliver, clock: Clock) -> Iterable[Device]:
    from companion.devices.board import open_lines  # noqa: PLC0415

    return open_lines(wiring, deliver, clock) if wiring.lines else ()


def _look(wiring: Sections, machine: Machine, opened: Sequence[Device]) -> Iterable[Finding]:
    from companion.devices.chip_checks import look  # noqa: PLC0415

    return look(wiring, machine, holds_lines=bool(opened))


DRIVER: Final = Driver(
    "lines",
    {"buzzers": BuzzerWiring, "lamps": LampWiring, "matrix": MatrixWiring, "house": HouseWiring},
    _open,
    _look,
)
