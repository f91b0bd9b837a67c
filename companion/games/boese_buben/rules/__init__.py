"""The rules of Böse Buben, in the order of docs/rules/boese_buben.md.

Lanes and places count from 1 in moves, events and `asked`. Place 1 of a track is its oldest card; place 1 of a
penalty zone is the card that fell first.
"""

from companion.games.boese_buben.rules.bribery import belongs, lookalikes, released
from companion.games.boese_buben.rules.cards import NOBODY, lane_result
from companion.games.boese_buben.rules.components import (
    BUY,
    FREE,
    LEAVE,
    PRIVATE,
    SEATS,
    Box,
    Phase,
    Rulings,
    State,
    mc_cost,
)
from companion.games.boese_buben.rules.end import outcome
from companion.games.boese_buben.rules.legality import DRAWS, SECRETS, VERBS, apply, draws, legal, to_act
from companion.games.boese_buben.rules.start import setup
from companion.games.boese_buben.rules.views import View, view
