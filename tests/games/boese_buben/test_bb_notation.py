"""Tests of Böse Buben's notation."""

import pytest

from companion.core.errors import IllegalMove
from companion.core.match import Match
from companion.core.move import TABLE, Move, SecretMove
from companion.games.boese_buben import rules
from companion.games.boese_buben.game import GAME
from tests.games.boese_buben.bb_table import BOX

format_move, parse_move = GAME.notation.format_move, GAME.notation.parse_move


def test_exchange_parses_in_either_order():
    assert parse_move(BOX, "1 exchange 3.1 1.2") == parse_move(BOX, "1 exchange 1.2 3.1")


def test_answer_repr_reveals_nothing():
    assert "1" not in repr(parse_move(BOX, "1 answer buy")).replace("seat", "")
    assert repr(parse_move(BOX, "1 answer buy")) == repr(parse_move(BOX, "1 answer leave"))


@pytest.mark.parametrize(
    "move",
    [
        Move(0, "play", (4, 9)),
        Move(0, "play", (-1, 1)),
        Move(0, "play", (12, 1)),
        Move(0, "play", ()),
        Move(0, "exchange", (1, 1, 2)),
        Move(0, "eject", (1,)),
        Move(0, "reorder", ()),
        Move(0, "move_mc", (0,)),
        Move(0, "answer", (-1,)),
        Move(0, "answer", (7,)),
        Move(0, "decline", (1,)),
        Move(0, "skip"),
    ],
)
def test_nonsense_move_is_refused_with_a_paragraph(move):
    """Programs can make moves that no keypad can."""
    match = Match(GAME, ("Ada", "Bo"))
    match.push(Move(TABLE, "first", (0,)))
    with pytest.raises(IllegalMove, match="BB-"):
        match.push(move)
    assert match.length == 1


def test_invalid_answer_is_refused():
    match = Match(GAME, ("Ada", "Bo"))
    match.push(Move(TABLE, "first", (0,)))
    for index in range(7):
        match.push(Move(index % 2, "play", (index, 1)))
    assert match.view().phase == rules.Phase.BRIBERY
    with pytest.raises(IllegalMove):
        match.push(SecretMove(0, "answer", (-3,)))
    assert match.length == 8
