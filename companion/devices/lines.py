"""What hangs at the lines of a GPIO chip: buzzers, lamps, siren, the house's buttons and a matrix of keys."""

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from companion.core.clock import Clock
from companion.core.console import Lamp
from companion.core.move import TABLE
from companion.core.pulse import Pulse
from companion.core.signal import Signal
from companion.devices.buzzers.choice import board_for, choose, open_buzzers
from companion.devices.buzzers.watch import Buzzers
from companion.devices.errors import DeviceError
from companion.devices.house import HouseButtons
from companion.devices.keypads.matrix import SETTLE_NS, MatrixKeypad
from companion.devices.lamps import GpiozeroLamps
from companion.devices.pins import LgpioPulse
from companion.devices.wiring import Wiring

log = logging.getLogger(__name__)


class Lines:
    """The devices at the chip, as `table.toml` wires them. What they report goes to `deliver`, by place.

    `notice` is what the people at the table should know before they play: that a weaker source reads the buzzers.
    """

    def __init__(self, wiring: Wiring, deliver: Callable[[Signal], None], clock: Clock) -> None:
        """Open everything. Raise DeviceError naming what is missing and the remedy; nothing stays open then."""
        kind, self.notice = choose(wiring.buzzers.source)
        self.buzzers: Buzzers | None = None
        self.matrix: MatrixKeypad | None = None
        self._lgpio = LgpioPulse()
        with ExitStack() as opened:
            self.board = board_for(kind, wiring.buzzers)
            opened.callback(self.board.close)
            # Buzzers alone do without gpiozero's pins: lgpio has no wheel for every Python.
            factory = self.board.factory if set(wiring.used()) - set(wiring.buzzers_used()) else None
            self.lamps = GpiozeroLamps(wiring.lamps, factory)
            opened.callback(self.lamps.close)
            house = HouseButtons(wiring.house, factory, deliver, clock)
            opened.callback(house.close)
            if wiring.matrix.rows:
                self.matrix = MatrixKeypad(wiring.matrix, factory, deliver, clock)
                opened.callback(self.matrix.close)
            if wiring.buzzers.pins:
                self.buzzers = open_buzzers(kind, self.board, wiring.buzzers, deliver, clock)
                opened.callback(self.buzzers.close)
            self._opened = opened.pop_all()

    def watch(self) -> None:
        """Look after the devices from now on."""
        if self.buzzers:
            self.buzzers.watch()
        if self.matrix:
            self.matrix.watch()

    @property
    def pulses(self) -> list[Pulse | LgpioPulse]:
        """The signs of life of all threads that read the lines."""
        reading = (self.buzzers, self.matrix)
        return [self._lgpio, *(pulse for device in reading if device for pulse in device.pulses)]

    @property
    def places(self) -> frozenset[int]:
        """The places that have a buzzer."""
        return frozenset(self.buzzers.places if self.buzzers else ())

    @property
    def settle_ns(self) -> int:
        """How late a buzzer, or a seat's key, may be reported."""
        return max(self.buzzers.settle_ns if self.buzzers else 0, self.keys_settle_ns)

    @property
    def keys_settle_ns(self) -> int:
        """How late a seat's key may be reported; the house calls nothing."""
        return SETTLE_NS if self.matrix and self.matrix.place != TABLE else 0

    def show(self, place: int, lamp: Lamp) -> None:
        """Switch one place's lamp."""
        with _told_of_only():
            self.lamps.show(place, lamp)

    def sound(self) -> None:
        """Sound the siren."""
        with _told_of_only():
            self.lamps.sound()

    def close(self) -> None:
        """Let everything go; the lamps go out."""
        self._opened.close()


@contextmanager
def _told_of_only() -> Iterator[None]:
    """Tell in the log that a lamp failed: the move that it should have shown was made, and the match goes on."""
    try:
        yield
    except DeviceError as error:
        log.warning("%s", error)
