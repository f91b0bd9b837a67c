"""What people key, and what they are told, keeps real cards and chips where the engine has them."""

from collections.abc import Callable

import pytest
from bh_pieces import Cards
from obedient import MATCHES, evenings

from companion.core.move import TABLE, Move
from companion.core.rules import Rules
from companion.games.buntherum.game import GAME
from companion.games.buntherum.rules import UNKNOWN, State
from companion.testing.playout import Pick, random_move


def unread(rules: Rules, state: State, pick: Pick) -> Move:
    """Return a random move; two of three cards are turned without the companion seeing them."""
    move = random_move(rules, state, pick)
    return Move(TABLE, "flip", (UNKNOWN,)) if move.verb == "flip" and pick(3) else move


@pytest.mark.soak
def test_keys_and_orders_alone_keep_the_table_as_it_has_to_be(soak_count: Callable[..., int]) -> None:
    said = evenings(GAME, Cards, soak_count(MATCHES), unread)
    assert said == set(Cards.ORDERS)
