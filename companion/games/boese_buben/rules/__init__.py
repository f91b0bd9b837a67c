"""Böse Buben: four races in which those who stay on the track are paid. docs/rules/boese_buben.md, in its order.

Cards and components, start, turn, race, bribery, end; then legality, which says who may do what, and views. What a
single lane takes and pays is in cards, what hands and tracks allow in choices.

Lanes and places are counted from 1 in moves, events and `asked`; place 1 of a track is its oldest card, place 1 of
a penalty zone what was thrown out first.
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
