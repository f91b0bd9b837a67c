"""Opens what is wired to the lines of a GPIO chip: the board, then each device on it."""

from collections.abc import Iterator

from companion.core.clock import Clock
from companion.devices.buzzers.choice import board_for, choose, open_buzzers
from companion.devices.driver import Deliver, Device, Sections
from companion.devices.house import HouseButtons
from companion.devices.keypads.matrix import MatrixKeypad
from companion.devices.lamps import GpiozeroLamps
from companion.devices.lines import BuzzerWiring, HouseWiring, LampWiring, MatrixWiring


def open_lines(wiring: Sections, deliver: Deliver, clock: Clock) -> Iterator[Device]:
    """Open what is wired and yield each. Raise DeviceError naming what is missing and the remedy."""
    buzzers, matrix = wiring.of(BuzzerWiring), wiring.of(MatrixWiring)
    kind, notice = choose(buzzers.source)
    board = board_for(kind, buzzers, notice)
    yield board
    if len(wiring.lines) > len(buzzers.lines):
        # Buzzers alone do without gpiozero's pins: lgpio has no wheel for every Python.
        yield GpiozeroLamps(wiring.of(LampWiring), board.factory)
        yield HouseButtons(wiring.of(HouseWiring), board.factory, deliver, clock)
    if matrix.rows:
        yield MatrixKeypad(matrix, board.factory, deliver, clock)
    if buzzers.pins:
        yield open_buzzers(kind, board, buzzers, deliver, clock)
