"""Böse Buben's moves as text."""

import re

import pytest
from bb_table import BOX

from companion.core.errors import IllegalMove, NotationError
from companion.core.match import Match
from companion.core.move import TABLE, Move, SecretMove
from companion.games.boese_buben import rules
from companion.games.boese_buben.game import GAME

format_move, parse_move = GAME.notation.format_move, GAME.notation.parse_move

LINES = {
    "T first 3": Move(TABLE, "first", (2,)),
    "1 play 0 1": Move(0, "play", (0, 1)),
    "1 play 6 5": Move(0, "play", (6, 5)),
    "2 play 4 2": Move(1, "play", (4, 2)),
    "2 play 1a 2": Move(1, "play", (7, 2)),
    "4 play 5a 3": Move(3, "play", (11, 3)),
    "1 exchange 1.2 3.1": Move(0, "exchange", (1, 2, 3, 1)),
    "2 eject 1.1": Move(1, "eject", (1, 1)),
    "3 reorder 2 3 1 2": Move(2, "reorder", (2, 3, 1, 2)),
    "3 reorder 5 2 1": Move(2, "reorder", (5, 2, 1)),
    "1 decline": Move(0, "decline"),
    "2 move_mc 2 3": Move(1, "move_mc", (1, 2)),
    "1 answer buy": SecretMove(0, "answer", (1,)),
    "1 answer leave": SecretMove(0, "answer", (0,)),
    "1 answer free": SecretMove(0, "answer", (2,)),
}


@pytest.mark.parametrize(("text", "move"), LINES.items())
def test_every_move_prints_and_parses_back(text, move):
    assert format_move(BOX, move) == text
    assert parse_move(BOX, text) == move
    assert type(parse_move(BOX, text)) is type(move)


def test_an_exchange_is_read_in_either_order():
    assert parse_move(BOX, "1 exchange 3.1 1.2") == parse_move(BOX, "1 exchange 1.2 3.1")


def test_an_answer_is_a_secret_whose_repr_tells_nothing():
    assert "1" not in repr(parse_move(BOX, "1 answer buy")).replace("seat", "")
    assert repr(parse_move(BOX, "1 answer buy")) == repr(parse_move(BOX, "1 answer leave"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 play", "a card is played as: play CARD LANE"),
        ("1 play 4", "a card is played as: play CARD LANE"),
        ("1 play 4 2 2", "a card is played as: play CARD LANE"),
        ("1 play 7 2", "'7' is not understood; allowed: 0, 1, 1a, 2, 2a"),
        ("1 play 0a 2", "'0a' is not understood"),
        ("1 play 6a 2", "'6a' is not understood"),
        ("1 play 4A 2", "'4A' is not understood"),
        ("1 play 4 0", "'0'; allowed: a whole number from 1 to"),
        ("1 play 4 two", "'two'; allowed: a whole number from 1 to"),
        ("1 play 4 02", "'02'; allowed"),
        ("1 exchange 1.2", "1 cards named; allowed: 2, each as LANE.PLACE"),
        ("1 exchange 1.2 3", "''; allowed: a whole number"),
        ("1 exchange 1.2 3.1 2.2", "3 cards named; allowed: 2"),
        ("1 eject", "0 cards named; allowed: 1"),
        ("1 eject 1 1", "2 cards named; allowed: 1"),
        ("1 eject 1.1.2", "'1.2'; allowed: a whole number"),
        ("1 reorder", "a lane is put into order as: reorder LANE PLACE PLACE"),
        ("1 reorder 1", "a lane is put into order as: reorder LANE PLACE PLACE"),
        ("1 reorder 1 b", "'b'; allowed: a whole number"),
        ("1 decline now", "'now' is too much here"),
        ("1 move_mc 1", "a master of ceremonies is moved as: move_mc SEAT SEAT"),
        ("1 move_mc 1 6", "'6' is no seat"),
        ("1 answer", "'' is not understood"),
        ("1 answer yes", "'yes' is not understood; allowed: buy, free, leave"),
        ("1 answer 1", "'1' is not understood"),
        ("1 answer ??", "'??' is not understood"),
        ("T first", "'' is no seat"),
        ("T first 0", "'0' is no seat"),
    ],
)
def test_bad_text_is_refused_with_what_is_allowed(text, message):
    with pytest.raises(NotationError, match=re.escape(message)):
        parse_move(BOX, text)


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
def test_a_match_refuses_nonsense_by_a_paragraph(move):
    """What never comes from a keypad may come from a program: it is refused, not misread, and nothing breaks."""
    match = Match(GAME, ("Ada", "Bo"))
    match.push(Move(TABLE, "first", (0,)))
    with pytest.raises(IllegalMove, match="BB-"):
        match.push(move)
    assert match.length == 1


def test_a_match_does_not_take_nonsense_for_an_answer():
    match = Match(GAME, ("Ada", "Bo"))
    match.push(Move(TABLE, "first", (0,)))
    for index in range(7):
        match.push(Move(index % 2, "play", (index, 1)))
    assert match.view().phase == rules.Phase.BRIBERY
    with pytest.raises(IllegalMove):
        match.push(SecretMove(0, "answer", (-3,)))
    assert match.length == 8
