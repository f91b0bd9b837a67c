"""The rules of any other game (docs/rules/any.md): rounds of five kinds, as data, in one plain engine."""

from companion.games.any.rules.components import (
    CLOCKS,
    KINDS,
    LOTS,
    NOBODY,
    SEATS,
    UNKNOWN,
    WINS,
    Box,
    Kind,
    Phase,
    Round,
    Rulings,
    State,
    bid_most,
)
from companion.games.any.rules.legality import AMOUNT_MOST, VERBS, draws, to_act
from companion.games.any.rules.rounds import outcome, setup
from companion.games.any.rules.views import Rest, View, lookalikes, released, view

DRAWS, SECRETS, legal, apply = VERBS.draws, VERBS.secrets, VERBS.legal, VERBS.apply
