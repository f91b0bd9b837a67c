"""The position of Buntherum from which lines of moves are counted: no other is worth it."""

from companion.games.buntherum import rules
from tests.games.buntherum.bh_table import BOX

POSITIONS = {"start": lambda seats: rules.setup(BOX, rules.Rulings(), seats)}
