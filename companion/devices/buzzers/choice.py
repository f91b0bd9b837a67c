"""Chooses the source of the buzzers."""

import errno
import importlib.util
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from companion.core.clock import Clock
from companion.core.install import install_command
from companion.core.signal import Signal
from companion.core.text import Text, msg
from companion.devices import pins
from companion.devices.buzzers import gpiod_lines, gpiozero_pins
from companion.devices.buzzers.source import Failed, OnEdge, Source
from companion.devices.buzzers.watch import Buzzers
from companion.devices.chips import Chip, explain, find_chip, read_line
from companion.devices.errors import DeviceError
from companion.devices.lgpio_library import get_lgpio
from companion.devices.lines import BuzzerWiring
from companion.devices.pins import Board

get_gpiod = partial(install_command, "pi")


def _gpiod(board: Board, wiring: BuzzerWiring, report: OnEdge, failed: Failed) -> Source:
    assert board.chip
    _check_there(board.chip, wiring)
    try:
        lines = gpiod_lines.request(board.chip, wiring)
    except OSError as error:
        what = _taken(board.chip, wiring) if error.errno == errno.EBUSY else ""
        raise explain(error, what or f"{board.chip.path} ({board.chip.label})") from error
    return gpiod_lines.GpiodLines(lines, wiring, report, failed)


def _check_there(chip: Chip, wiring: BuzzerWiring) -> None:
    for seat, pin in enumerate(wiring.pins, 1):
        if pin >= chip.lines:
            raise DeviceError(
                msg(
                    "[buzzers] seat {n}, line {pin}: {label} has the lines 0 to {last}",
                    n=seat,
                    pin=pin,
                    label=chip.label,
                    last=chip.lines - 1,
                )
            )


def _taken(chip: Chip, wiring: BuzzerWiring) -> str:
    taken = []
    for seat, pin in enumerate(wiring.pins, 1):
        user = read_line(chip, pin).taken_by
        if user is not None:
            taken.append(f"[buzzers] seat {seat}, line {pin} ({user})")
    return ", ".join(taken)


def _gpiozero(
    stamps: gpiozero_pins.Stamps, board: Board, wiring: BuzzerWiring, report: OnEdge, failed: Failed
) -> Source:
    return gpiozero_pins.GpiozeroPins(board.factory, wiring, stamps, report)


def _gpiod_unfit() -> Text | None:
    try:
        gpiod = importlib.import_module("gpiod")
    except ImportError as error:
        return msg("gpiod does not start ({error}): {get}", error=error, get=get_gpiod())
    old = not hasattr(gpiod, "request_lines")
    return msg("this gpiod is the old version 1: {get}", get=get_gpiod()) if old else None


class Kind(NamedTuple):
    """A kind of source. `module` is its library; `make_factory` makes the gpiozero pins of all other devices."""

    name: str
    module: str
    get: Callable[[], str]
    stamped_by: Text
    uncertainty_ns: int
    make_factory: Callable[[Chip | None], Any]
    open: Callable[[Board, BuzzerWiring, OnEdge, Failed], Source]
    needs_chip: bool = True

    def missing(self) -> Text | None:
        """Return what has to be installed, or None."""
        if importlib.util.find_spec(self.module) is None:
            return msg("{module} is not installed: {get}", module=self.module, get=self.get())
        return _gpiod_unfit() if self.name == "gpiod" else None


KINDS: Final = {
    kind.name: kind
    for kind in (
        Kind(
            "gpiod",
            "gpiod",
            get_gpiod,
            msg("the kernel, in the interrupt"),
            gpiod_lines.UNCERTAINTY_NS,
            pins.lgpio_factory,
            _gpiod,
        ),
        Kind(
            "lgpio",
            "lgpio",
            get_lgpio,
            msg("the kernel, in the interrupt; reported late"),
            gpiozero_pins.LGPIO.uncertainty_ns,
            pins.lgpio_factory,
            partial(_gpiozero, gpiozero_pins.LGPIO),
        ),
        Kind(
            "rpigpio",
            "RPi",
            partial(install_command, "rpi-lgpio"),
            msg("the program, when it reads them"),
            gpiozero_pins.USER.uncertainty_ns,
            pins.rpigpio_factory,
            partial(_gpiozero, gpiozero_pins.USER),
        ),
        Kind(
            "mock",
            "gpiozero",
            install_command,
            msg("nothing: there are no wires"),
            gpiozero_pins.MOCK.uncertainty_ns,
            pins.mock_factory,
            partial(_gpiozero, gpiozero_pins.MOCK),
            needs_chip=False,
        ),
    )
}
"""Best first. The mock has to be requested."""


def choose(asked: str) -> tuple[Kind, Text | None]:
    """Return the kind of source, with a warning for players if it is not the best. Raise DeviceError."""
    if asked != "auto":
        kind = KINDS[asked]
        missing = kind.missing()
        if missing:
            raise DeviceError(missing)
        return kind, None if kind.name == "gpiod" else _weakness(kind, None)
    first_missing = None
    for kind in KINDS.values():
        missing = kind.missing()
        if missing is None and kind.name != "mock":
            return kind, _weakness(kind, first_missing) if first_missing else None
        first_missing = first_missing or missing
    assert first_missing
    raise DeviceError(
        msg(
            "nothing here can read buzzers. {missing}. Without a Raspberry Pi try `companion play --virtual`",
            missing=first_missing,
        )
    )


def _weakness(kind: Kind, better: Text | None) -> Text:
    if kind.name == "mock":
        return msg("The buzzers are a mock: nothing is wired to them")
    ms = f"{kind.uncertainty_ns / 1e6:g}"
    text = msg("The buzzers are read by {name}, which tells presses {ms} ms apart", name=kind.name, ms=ms)
    return msg("{text}. Better: {better}", text=text, better=better) if better else text


def board_for(kind: Kind, wiring: BuzzerWiring, notice: Text | None = None) -> Board:
    return Board(find_chip(wiring.chip) if kind.needs_chip else None, kind.make_factory, notice)


def open_buzzers(
    kind: Kind, board: Board, wiring: BuzzerWiring, deliver: Callable[[Signal], None], clock: Clock
) -> Buzzers:
    return Buzzers(kind.name, len(wiring.pins), partial(kind.open, board, wiring), deliver, clock)
