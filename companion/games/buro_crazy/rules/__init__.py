"""The rules of Büro Crazy: secret bids for places in a building (docs/rules/buro_crazy.md).

Cards are counts by value. With `tracking=points` all cards have the value 1.
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
