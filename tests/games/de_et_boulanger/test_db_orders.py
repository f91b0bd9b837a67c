"""What people key, and what they are told, keeps real bakers, tokens and tiles where the engine has them."""

from collections.abc import Callable

import pytest
from db_pieces import GOODS, Bakeries
from obedient import MATCHES, evenings

from companion.core.move import Move
from companion.core.rules import Rules
from companion.games.de_et_boulanger.game import GAME
from companion.games.de_et_boulanger.rules.components import State
from companion.testing.playout import Pick, random_move


def greedy(rules: Rules, state: State, pick: Pick) -> Move:
    """Return a random move, every other time of as much as can be had: else nobody has too much to sell."""
    move = random_move(rules, state, pick)
    if move.verb not in {*GOODS, "load", "bake"} or pick(2):
        return move
    same = [each for each in rules.legal(state, move.seat) if each.verb == move.verb]
    return max(same, key=lambda each: sum(each.args))


@pytest.mark.soak
def test_keys_and_orders_alone_keep_the_table_as_it_has_to_be(soak_count: Callable[..., int]) -> None:
    said = evenings(GAME, Bakeries, soak_count(MATCHES), greedy)
    assert said == set(Bakeries.ORDERS)
