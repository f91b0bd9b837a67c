"""The rules of Dé et Boulanger, in the order of docs/rules/de_et_boulanger.md.

Nothing is secret. A tile is an index into the box's list.
"""

from companion.games.de_et_boulanger.rules.components import SEATS, Phase
from companion.games.de_et_boulanger.rules.end import outcome
from companion.games.de_et_boulanger.rules.legality import VERBS, belongs, draws, legal, to_act
from companion.games.de_et_boulanger.rules.start import setup
from companion.games.de_et_boulanger.rules.views import View, position, view

apply = VERBS.apply
DRAWS, SECRETS = VERBS.draws, VERBS.secrets
