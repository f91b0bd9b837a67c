"""Tests that corrections never carry an answer to another question."""

import pytest

from companion.core.errors import IllegalMove
from companion.core.match import Match
from companion.core.move import Move, SecretMove
from companion.games.boese_buben import rules
from companion.games.boese_buben.game import GAME
from tests.games.boese_buben.bb_table import Play, ender


def left_beside_a_right() -> Match:
    """Return a match in which blue may take all cards free and leaves the first."""
    match = Match(GAME, ("Red", "Blue"), rulings=GAME.rulings(variant="action", kostenlos="all"))
    plays = ("2 play 6 1", "1 play 3 1", "2 play 0 1", "1 play 4 1", "2 play 5 1", "1 play 2 1", "2 play 1a 1")
    for line in ("T first 2", *plays, "2 answer leave"):
        match.push(GAME.notation.parse_move(match.box, line))
    return match


def test_bb_a25_correction_cannot_pay_when_all_is_free():
    match = left_beside_a_right()
    paid, free = (GAME.notation.parse_move(match.box, f"2 answer {said}") for said in ("buy", "free"))
    ducats = match.view(1).purse
    with pytest.raises(IllegalMove) as refusal:
        match.amend(match.length, paid)
    assert refusal.value.rule == "BB-A13"
    match.amend(match.length, free)
    assert match.view(1).purse == ducats


def test_bb_a12_answer_is_void_for_another_card():
    """The correction changes which card fell in lane 1."""
    was, now, same = (ender(2, zones=[zone]) for zone in ("R1", "R4", "R1"))
    for play in (was, now, same):
        play.end()
    answer = SecretMove(0, "answer", (1,))
    rules.belongs(was.state, same.state, answer)
    with pytest.raises(IllegalMove) as refusal:
        rules.belongs(was.state, now.state, answer)
    assert refusal.value.rule == "BB-A12"
    turn = Play(2)
    rules.belongs(turn.state, turn.state, Move(0, "play", (1, 1)))


def test_bb_a12_answer_is_void_for_another_lane():
    was, now = ender(2, zones=["R1", ""]), ender(2, zones=["", "R1"])
    for play in (was, now):
        play.end()
        assert play.asked == "R1"
    with pytest.raises(IllegalMove):
        rules.belongs(was.state, now.state, SecretMove(0, "answer", (0,)))


@pytest.mark.parametrize("kostenlos", ["one", "all"])
def test_bb_a12_answer_is_void_once_card_is_free(kostenlos):
    """The correction changes which card ended the race."""
    was, now = (
        ender(2, zones=["R4"], closing=closing, variant="action", kostenlos=kostenlos) for closing in ("0", "1a")
    )
    for play in (was, now):
        play.end()
        assert play.asked == "R4"
    with pytest.raises(IllegalMove) as refusal:
        rules.belongs(was.state, now.state, SecretMove(0, "answer", (1,)))
    assert refusal.value.rule == "BB-A12"
