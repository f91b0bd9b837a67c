"""What people key, and what they are told, keeps real cards and ducats where the engine has them."""

from collections.abc import Callable

import pytest
from bb_pieces import Lanes
from obedient import MATCHES, evenings

from companion.games.boese_buben.game import GAME


@pytest.mark.soak
def test_keys_and_orders_alone_keep_the_table_as_it_has_to_be(soak_count: Callable[..., int]) -> None:
    said = evenings(GAME, Lanes, soak_count(MATCHES))
    assert said >= set(Lanes.ORDERS) - {"The bank has no more ducats: note what it owes"}
