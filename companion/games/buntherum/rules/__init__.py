"""The rules of Buntherum: call the row that a card fits into before the others do (docs/rules/buntherum.md).

A card is `colour * len(objects) + object`. A position contains only counts of face-down
cards and an unordered list of unseen cards, so the order of an undealt deck cannot leak.
"""

from companion.games.buntherum.rules.components import (
    IMPOSSIBLE,
    NO_CARD,
    NOBODY,
    SEATS,
    SIDES,
    UNKNOWN,
    Box,
    Card,
    Phase,
    Rulings,
    State,
    active,
    callers,
    draw_pile,
    fits,
    keyed,
    mark,
)
from companion.games.buntherum.rules.end import outcome
from companion.games.buntherum.rules.legality import VERBS, draws, legal, to_act
from companion.games.buntherum.rules.start import setup, sides_laid
from companion.games.buntherum.rules.turn import in_place, overruled
from companion.games.buntherum.rules.views import View, view
from companion.games.buntherum.rules.words import card_words

DRAWS, SECRETS, apply = VERBS.draws, VERBS.secrets, VERBS.apply
