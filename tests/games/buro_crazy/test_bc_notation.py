"""Büro Crazy's moves as text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.move import Move, SecretMove
from companion.games.buro_crazy.rules import VERBS
from tests.games.buro_crazy.bc_table import BOX


@given(st.lists(st.integers(0, 30), min_size=5, max_size=5).map(tuple), st.integers(0, 4))
def test_every_bid_prints_and_parses_back(args, seat):
    assert VERBS.parse_move(BOX, VERBS.format_move(BOX, Move(seat, "commit", args))) == SecretMove(
        seat, "commit", args
    )


@pytest.mark.parametrize("text", ["2 commit 1 2 20", "2 commit 2 1 20", "2 commit 20 2 1"])
def test_cards_are_read_in_any_order(text):
    assert VERBS.parse_move(BOX, text) == Move(1, "commit", (1, 1, 0, 0, 1))


@pytest.mark.parametrize("text", ["1 commit 20 2 1", "1 total 23", "1 report 230"])
def test_secret_move_hides_its_numbers(text):
    move = VERBS.parse_move(BOX, text)
    assert type(move) is SecretMove
    for shown in (repr(move), str(move), f"{move}"):
        assert not set(re.findall(r"\d+", shown)) - {"0"}
