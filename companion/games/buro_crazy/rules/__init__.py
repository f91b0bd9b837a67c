"""Büro Crazy: bid influence in secret for a place higher up the house. docs/rules/buro_crazy.md, in its order.

Components, building, start, duel, paying with change, floors, end; then legality, which says who may do what, and
views.

Cards are counts by value. With `tracking=points` a pile is a number of cards of value 1, its points: the same rules
play both. Spaces and pairs are those of building.
"""

from companion.games.buro_crazy.rules.building import EMPTY, FLOORS, NOBODY, ORDER
from companion.games.buro_crazy.rules.components import (
    SEATS,
    Box,
    Phase,
    Rulings,
    State,
    bid_verb,
    card_values,
)
from companion.games.buro_crazy.rules.end import outcome
from companion.games.buro_crazy.rules.legality import (
    DRAWS,
    SECRETS,
    VERBS,
    apply,
    draws,
    legal,
    released,
    to_act,
    undo_unit,
)
from companion.games.buro_crazy.rules.start import setup
from companion.games.buro_crazy.rules.views import View, view
