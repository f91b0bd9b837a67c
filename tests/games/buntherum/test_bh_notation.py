"""Names of Buntherum's cards."""

from companion.games.buntherum.rules import VERBS
from companion.games.buntherum.rules.spelling import read_card
from tests.games.buntherum.bh_table import BOX, card
from tests.running import for_each

format_move, parse_move = VERBS.format_move, VERBS.parse_move


@for_each(*BOX.names)
def test_card_name_is_read_in_either_order(name):
    colour, thing = name.split()
    assert read_card(BOX, [colour, thing]) == read_card(BOX, [thing, colour]) == card(name)
