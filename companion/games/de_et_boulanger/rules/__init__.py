"""Dé et Boulanger: fetch, bake and sell for five days. docs/rules/de_et_boulanger.md, in its order.

Components, board, goods, start, moving, production, sale, end; then legality, which says who may
do what, and views.

Nothing is secret. A square is a number (board); tokens are counted; a tile is its place in the box's list.
"""

from companion.games.de_et_boulanger.rules.components import SEATS, Phase
from companion.games.de_et_boulanger.rules.end import outcome
from companion.games.de_et_boulanger.rules.legality import VERBS, belongs, draws, legal, to_act
from companion.games.de_et_boulanger.rules.start import setup
from companion.games.de_et_boulanger.rules.views import View, position, view

apply = VERBS.apply
DRAWS, SECRETS = VERBS.draws, VERBS.secrets
