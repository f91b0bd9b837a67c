"""The position of Buntherum from which lines of moves are counted: no other is worth it."""

from bh_table import BOX

from companion.games.buntherum import rules

POSITIONS = {"start": lambda seats: rules.setup(BOX, rules.Rulings(), seats)}
