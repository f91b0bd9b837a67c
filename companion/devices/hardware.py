"""All real devices of a table as one: buzzers, keypads, lamps, siren, house buttons, as `table.toml` wires them."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Self

from companion.core.console import BUZZ, Lamp
from companion.core.signal import Signal
from companion.core.text import Text
from companion.devices.buzzers.choice import board_for, choose, open_buzzers
from companion.devices.errors import DeviceError
from companion.devices.house import HouseButtons
from companion.devices.keypads.matrix import SETTLE_NS, MatrixKeypad
from companion.devices.keypads.usb_pads import UsbPads
from companion.devices.lamps import GpiozeroLamps
from companion.devices.plugs import Plugs
from companion.devices.wiring import Wiring
from companion.referee.clock import Clock
from companion.referee.inbox import Inbox

log = logging.getLogger(__name__)


class Hardware:
    """The devices that are wired. What they report goes into `inbox`, from threads of their own, by place.

    `notice` is what the people at the table should know before they play: that a weaker source reads the buzzers.
    """

    def __init__(self, wiring: Wiring, inbox: Inbox, clock: Clock) -> None:
        """Open everything. Raise DeviceError naming what is missing and the remedy; nothing stays open then."""
        kind, self.notice = choose(wiring.buzzers.source)
        plugs = Plugs(inbox.put)
        with ExitStack() as opened:
            self.board = board_for(kind, wiring.buzzers)
            opened.callback(self.board.close)
            self.lamps = GpiozeroLamps(wiring.lamps, self.board.factory)
            opened.callback(self.lamps.close)
            house = HouseButtons(wiring.house, self.board.factory, inbox.put, clock)
            opened.callback(house.close)
            self.pads = UsbPads(wiring.pads.bound, plugs.put, clock)
            opened.callback(self.pads.close)
            self.matrix: MatrixKeypad | None = None
            if wiring.matrix.rows:
                self.matrix = MatrixKeypad(wiring.matrix, self.board.factory, plugs.put, clock)
                opened.callback(self.matrix.close)
            self.buzzers = open_buzzers(kind, self.board, wiring.buzzers, plugs.put, clock)
            opened.callback(self.buzzers.close)
            self.buzzers.watch()
            self.pads.watch()
            if self.matrix:
                self.matrix.watch()
            self._opened = opened.pop_all()
        self._inbox = inbox

    @property
    def places(self) -> range:
        """The places that have a buzzer."""
        return self.buzzers.places

    @property
    def settle_ns(self) -> int:
        """How late a buzzer, or a seat's key, may be reported."""
        matrix_ns = SETTLE_NS if self.matrix and self.matrix.place in self.places else 0
        return max(self.buzzers.settle_ns, self.pads.settle_ns, matrix_ns)

    def settled_ns(self, now_ns: int) -> int:
        """Return up to when everything that happened has been reported by now."""
        return self.buzzers.settled_ns(now_ns)

    @property
    def troubles(self) -> dict[int, Text]:
        """What is wrong, by place."""
        matrix = self.matrix.troubles if self.matrix else {}
        return {**matrix, **self.pads.troubles, **self.buzzers.troubles}

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Return every edge that was reported and not handled yet, and then a level reading of every buzzer."""
        levels = self.buzzers.flush(now_ns)  # this empties the descriptor into the inbox
        edges = [
            signal
            for signal in self._inbox.waiting()
            if signal.source == self.buzzers.name and signal.control == BUZZ
        ]
        return [*edges, *levels]

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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _told_of_only() -> Iterator[None]:
    """Tell in the log that a lamp failed: the move that it should have shown was made, and the match goes on."""
    try:
        yield
    except DeviceError as error:
        log.warning("%s", error)
