"""An answer belongs to its question: a correction carries none over to another one."""

import pytest

from companion.core.errors import IllegalMove
from companion.core.match import Match
from companion.core.move import Move, SecretMove
from companion.games.boese_buben import rules
from companion.games.boese_buben.game import GAME
from tests.games.boese_buben.bb_table import Play, ender


def left_beside_a_right() -> Match:
    """Blue ends the race with a Kostenlos for all, is asked for his 6 first, and leaves it."""
    match = Match(GAME, ("Red", "Blue"), rulings=GAME.rulings(variant="action", kostenlos="all"))
    plays = ("2 play 6 1", "1 play 3 1", "2 play 0 1", "1 play 4 1", "2 play 5 1", "1 play 2 1", "2 play 1a 1")
    for line in ("T first 2", *plays, "2 answer leave"):
        match.push(GAME.notation.parse_move(match.box, line))
    return match


def test_bb_a25_no_correction_pays_beside_a_right_to_all_cards():
    """With a right to all cards yes means free: a correction cannot say what no player can say."""
    match = left_beside_a_right()
    paid, free = (GAME.notation.parse_move(match.box, f"2 answer {said}") for said in ("buy", "free"))
    ducats = match.view(1).purse
    with pytest.raises(IllegalMove) as refusal:
        match.amend(match.length, paid)
    assert refusal.value.rule == "BB-A13"
    match.amend(match.length, free)
    assert match.view(1).purse == ducats


def test_bb_a12_an_answer_belongs_to_its_question():
    """Red corrects what fell in lane 1: his yes to R1 is no yes to the R4 that lies there now."""
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


def test_bb_a12_the_same_card_in_another_lane_is_another_question():
    was, now = ender(2, zones=["R1", ""]), ender(2, zones=["", "R1"])
    for play in (was, now):
        play.end()
        assert play.asked == "R1"
    with pytest.raises(IllegalMove):
        rules.belongs(was.state, now.state, SecretMove(0, "answer", (0,)))


@pytest.mark.parametrize("kostenlos", ["one", "all"])
def test_bb_a12_a_card_that_may_be_had_for_nothing_now_is_another_question(kostenlos):
    """What ended the race was the 1 with the text: red's yes to a price is no yes to a gift."""
    was, now = (
        ender(2, zones=["R4"], closing=closing, variant="action", kostenlos=kostenlos) for closing in ("0", "1a")
    )
    for play in (was, now):
        play.end()
        assert play.asked == "R4"
    with pytest.raises(IllegalMove) as refusal:
        rules.belongs(was.state, now.state, SecretMove(0, "answer", (1,)))
    assert refusal.value.rule == "BB-A12"
