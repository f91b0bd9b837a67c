"""Positions for perft: each kind of round at its beginning, with few numbers."""

from collections.abc import Callable
from functools import partial

from companion.games.any import rules
from companion.games.any.rules import Rulings, State
from tests.games.any.an_table import BOX


def _start(play: str, seats: int) -> State:
    return rules.setup(BOX, Rulings(play=play, largest=2, lots="begins"), seats)


POSITIONS: dict[str, Callable[[int], State]] = {kind: partial(_start, kind) for kind in ("sealed", "lots")}
