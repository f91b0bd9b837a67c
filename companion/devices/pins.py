"""gpiozero pin factories."""

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
"""The Pi 4's revision code: makes gpiozero accept line numbers on other boards."""


@contextmanager
def told_as(what: str) -> Iterator[None]:
    """Convert errors of GPIO libraries to DeviceError; `what` names the line."""
    try:
        yield
    except DeviceError:
        raise
    except (GPIOZeroError, RuntimeError, *_lgpio_errors()) as error:  # RPi.GPIO does not define an error
        why = str(error).strip("'")
        raise DeviceError(msg("{what}: {why}. `companion doctor` says more", what=what, why=why)) from error


def _lgpio_errors() -> list[type[Exception]]:
    return [sys.modules["lgpio"].error] if "lgpio" in sys.modules else []


def lgpio_factory(chip: Chip | None) -> Any:
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
        # The kernel's message; lgpio has only an error number.
        raise explain(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), str(chip.path))
    with told_as(str(chip.path)):
        return Factory(chip=chip.number)


@contextmanager
def _let_go(pin: object) -> Iterator[None]:
    """Ignore "GPIO busy", which lgpio raises if its thread waits; the line becomes free anyway."""
    try:
        yield
    except sys.modules["lgpio"].error as error:
        if "GPIO busy" not in str(error):
            raise
        log.info("%s was still waited for when it was let go", pin)


def lgpio_reports(pin: object) -> bool:
    """Return True if a pin reports from lgpio's thread, which RPi.GPIO's shim also uses."""
    return any(each.__name__ in ("LGPIOPin", "RPiGPIOPin") for each in type(pin).__mro__)


def rpigpio_factory(chip: Chip | None) -> Any:
    if importlib.util.find_spec("lgpio"):
        import_lgpio()  # else the shim would import it and leave its pipe in the working folder
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
    from gpiozero.pins.mock import MockFactory  # noqa: PLC0415

    return MockFactory()


class Board(Device):
    """The wired chip and its gpiozero factory, one per table: gpiozero shares its pins between factories."""

    notice: Text | None = None
    heartbeats: tuple[Heartbeat, ...] = ()

    def __init__(self, chip: Chip | None, make: Callable[[Chip | None], Any], notice: Text | None = None) -> None:
        self.chip = chip
        self.notice = notice
        self.heartbeats = (LgpioHeartbeat("lgpio"),)
        self._make = make
        self._factory: Any = None

    @property
    def factory(self) -> Any:
        """gpiozero's pin factory, made on first use. Raises DeviceError."""
        if self._factory is None:
            self._factory = self._make(self.chip)
        return self._factory

    def close(self) -> None:
        if self._factory is not None:
            self._factory.close()
            self._factory = None
