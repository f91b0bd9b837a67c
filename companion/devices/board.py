"""Opens everything on the lines of a GPIO chip."""

from collections.abc import Iterator

from companion.core.clock import Clock
from companion.devices.buzzers.choice import board_for, choose, open_buzzers
from companion.devices.driver import Deliver, Device, Sections
from companion.devices.house import HouseButtons
from companion.devices.keypads.matrix import MatrixKeypad
from companion.devices.lamps import GpiozeroLamps
from companion.devices.lines import BuzzerWiring, HouseWiring, LampWiring, MatrixWiring


def open_lines(wiring: Sections, deliver: Deliver, clock: Clock) -> Iterator[Device]:
    """Yield the board and each device on it. Raise DeviceError."""
    buzzers, matrix = wiring.of(BuzzerWiring), wiring.of(MatrixWiring)
    kind, notice = choose(buzzers.source)
    board = board_for(kind, buzzers, notice)
    yield board
    if len(wiring.lines) > len(buzzers.lines):
        # Buzzers alone do not need gpiozero's pins: lgpio lacks wheels for some Pythons.
        yield GpiozeroLamps(wiring.of(LampWiring), board.factory)
        yield HouseButtons(wiring.of(HouseWiring), board.factory, deliver, clock)
    if matrix.rows:
        yield MatrixKeypad(matrix, board.factory, deliver, clock)
    if buzzers.pins:
        yield open_buzzers(kind, board, buzzers, deliver, clock)
