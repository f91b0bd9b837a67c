"""The starting position for perft."""

from companion.games.buntherum import rules
from tests.games.buntherum.bh_table import BOX

POSITIONS = {"start": lambda seats: rules.setup(BOX, rules.Rulings(), seats)}
