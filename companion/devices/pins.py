"""gpiozero's pins on the wired chip, whose number may change with each start."""

import errno
import importlib.util
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from gpiozero.exc import GPIOZeroError, PinUnknownPi

from companion.core.heartbeat import Heartbeat
from companion.core.install import install_command
from companion.core.text import Text, msg
from companion.devices.chips import Chip, explain
from companion.devices.driver import Device
from companion.devices.errors import DeviceError
from companion.devices.lgpio_library import LgpioHeartbeat, get_lgpio, import_lgpio

log = logging.getLogger(__name__)

_PI_4: Final = 0xC03114
"""A revision code: on a board that is not a Pi, gpiozero names the pins as on a Pi 4, which are line numbers."""


@contextmanager
def told_as(what: str) -> Iterator[None]:
    """Turn what the libraries raise into DeviceError: `what` was being done, why it failed, and the remedy."""
    try:
        yield
    except DeviceError:
        raise
    except (GPIOZeroError, RuntimeError, *_lgpio_errors()) as error:  # RPi.GPIO does not define its own error
        why = str(error).strip("'")
        raise DeviceError(msg("{what}: {why}. `companion doctor` says more", what=what, why=why)) from error


def _lgpio_errors() -> list[type[Exception]]:
    return [sys.modules["lgpio"].error] if "lgpio" in sys.modules else []


def lgpio_factory(chip: Chip | None) -> Any:
    """Return gpiozero's pins through lgpio. Raise DeviceError naming the remedy."""
    import_lgpio()
    from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin  # noqa: PLC0415  an extra: a PC has none

    class Pin(LGPIOPin):  # type: ignore[misc]
        def _disable_event_detect(self) -> None:
            with _let_go(self):
                super()._disable_event_detect()

        def close(self) -> None:
            with _let_go(self):
                super().close()

    class Factory(LGPIOFactory):  # type: ignore[misc]
        def __init__(self, chip: int) -> None:
            super().__init__(chip)
            self.pin_class = Pin

        def _get_revision(self) -> int:
            try:
                return int(super()._get_revision())
            except PinUnknownPi:
                return _PI_4

    assert chip
    if not os.access(chip.path, os.R_OK | os.W_OK):
        # What the kernel would say; lgpio has only a number for it.
        raise explain(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), str(chip.path))
    with told_as(str(chip.path)):
        return Factory(chip=chip.number)


@contextmanager
def _let_go(pin: object) -> Iterator[None]:
    """Let go of a line that lgpio frees and claims again, which the kernel refuses while its thread waits.

    The line is free anyway when that thread has stopped waiting.
    """
    try:
        yield
    except sys.modules["lgpio"].error as error:
        if "GPIO busy" not in str(error):
            raise
        log.info("%s was still waited for when it was let go", pin)


def lgpio_reports(pin: object) -> bool:
    """Tell whether a pin reports from lgpio's thread; RPi.GPIO's do where its shim stands in for it."""
    return any(each.__name__ in ("LGPIOPin", "RPiGPIOPin") for each in type(pin).__mro__)


def rpigpio_factory(chip: Chip | None) -> Any:
    """Return gpiozero's pins through RPi.GPIO or its shim rpi-lgpio. Raise DeviceError naming the remedy."""
    if importlib.util.find_spec("lgpio"):
        import_lgpio()  # the shim imports it too, and would leave its pipe in the working folder
    if chip:
        os.environ.setdefault("RPI_LGPIO_CHIP", str(chip.number))
    try:
        from gpiozero.pins.rpigpio import RPiGPIOFactory  # noqa: PLC0415
    except ImportError as error:
        raise DeviceError(msg("RPi.GPIO is not installed: {how}", how=install_command("rpi-lgpio"))) from error
    except RuntimeError as error:
        raise DeviceError(
            msg("RPi.GPIO does not run here ({error}). Use lgpio: {how}", error=error, how=get_lgpio())
        ) from error
    with told_as("RPi.GPIO"):
        return RPiGPIOFactory()


def mock_factory(chip: Chip | None) -> Any:
    """Return gpiozero's mock pins, for tests of wiring: they are wired to nothing."""
    from gpiozero.pins.mock import MockFactory  # noqa: PLC0415

    return MockFactory()


class Board(Device):
    """The chip that is wired, and gpiozero's pins on it, made when they are first needed.

    There is one for a whole table: gpiozero shares its pins between all factories of a process.
    """

    notice: Text | None = None
    heartbeats: tuple[Heartbeat, ...] = ()

    def __init__(self, chip: Chip | None, make: Callable[[Chip | None], Any], notice: Text | None = None) -> None:
        """`notice` says that the source of the buzzers is not the best one."""
        self.chip = chip
        self.notice = notice
        self.heartbeats = (LgpioHeartbeat("lgpio"),)
        self._make = make
        self._factory: Any = None

    @property
    def factory(self) -> Any:
        """gpiozero's pin factory. Raise DeviceError naming the remedy."""
        if self._factory is None:
            self._factory = self._make(self.chip)
        return self._factory

    def close(self) -> None:
        """Release all pins."""
        if self._factory is not None:
            self._factory.close()
            self._factory = None
