"""A turn of Buntherum: BH-R6 to BH-R14 and their rulings."""

from functools import reduce
from operator import or_

import pytest

from companion.core.errors import IllegalMove
from companion.core.move import TABLE, Move
from companion.games.buntherum import console, rules
from companion.games.buntherum.rules import NO_CARD
from tests.games.buntherum.bh_table import BOX, Play, card
from tests.games.contract import find, kinds


@pytest.fixture
def play() -> Play:
    """A table of four: seat 2 has turned the sky flower from its pile."""
    table = Play(4, youngest=2)
    table.flip("blue car")
    table.say(2, 1)
    table.flip("sky flower")
    return table


@pytest.fixture
def hopeless() -> Play:
    """A table of four whose open card fits nowhere."""
    table = Play(4)
    table.flip("pink car")
    return table


def test_bh_r6_card_becomes_visible_to_all_in_one_move():
    play = Play(3)
    before = [rules.view(play.state, seat).card for seat in (None, 0, 1, 2)]
    events = play.flip("sky car")
    assert before == [NO_CARD] * 4
    assert find(events, "flip").seen_by is None
    assert [rules.view(play.state, seat).card for seat in (None, 0, 1, 2)] == [card("sky car")] * 4


def test_bh_r6_next_card_waits_for_the_verdict(play):
    assert play.refused("flip", card("red car")) == "BH-R6"
    play.make("call", 0)
    assert play.refused("flip", card("red car")) == "BH-R6"


def test_bh_r6_card_in_a_row_cannot_be_turned(play):
    play.say(0, 1)
    assert play.refused("flip", card("sky flower")) == "BH-R6"


def test_bh_r7_everybody_may_call_any_row_or_impossible(play):
    assert play.view.callers == (0, 1, 2, 3)
    for seat in range(4):
        called = rules.apply(play.state, Move(TABLE, "call", (seat,)))
        assert {move.args[0] for move in rules.legal(called, seat)} == {0, 1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("said", [-1, 7])
def test_bh_r7_declaration_outside_the_rows_is_refused(play, said):
    play.make("call", 0)
    assert play.refused("declare", said, seat=0) == "BH-R7"


def test_bh_r7_nobody_declares_without_a_call(play):
    assert play.refused("declare", 1, seat=0) == "BH-R7"


def test_bh_r8_later_calls_have_no_effect_or_penalty(play):
    play.make("call", 3)
    locked = play.state
    assert play.refused("call", 1) == "BH-R8"
    assert play.refused("declare", 5, seat=1) == "BH-R8"
    assert play.state == locked
    play.make("declare", 1, seat=3)
    assert play.view.chips == (0, 0, 0, 0)


def test_bh_r9_bh_e4_right_row_takes_card_caller_turns_own(play):
    events = play.say(3, 2)
    assert find(events, "right").seat == 3
    assert find(events, "placed").facts == {"card": "sky flower", "row": 2}
    assert play.view.rows[1][-1] == card("sky flower")
    assert play.view.card == NO_CARD
    assert (play.view.flipper, play.view.source) == (3, 3)
    draw_pile = play.view.draw_pile
    play.flip("red car")
    assert play.view.piles == (7, 7, 6, 6)
    assert play.view.draw_pile == draw_pile


def test_bh_r10_bh_a5_bh_e5_wrong_row_costs_a_chip_and_the_card(play):
    before = play.view
    events = play.say(3, 6)  # the printed flower; rows 1 and 2 would take it
    assert find(events, "wrong").seat == 3
    assert find(events, "under").facts == {"card": "sky flower"}
    assert play.view.chips == (0, 0, 0, 1)
    assert play.view.rows == before.rows
    assert play.view.draw_pile == before.draw_pile + 1
    assert (play.view.flipper, play.view.source) == (3, TABLE)
    play.flip("red car")
    assert play.view.draw_pile == before.draw_pile
    assert play.view.piles == before.piles


def test_bh_r12_bh_e6_right_impossible_earns_the_turn(hopeless):
    events = hopeless.say(1, 0)
    assert find(events, "right").seat == 1
    assert find(events, "under").facts == {"card": "pink car"}
    assert hopeless.view.draw_pile == 24
    assert [len(row) for row in hopeless.view.rows] == [1] * 6
    assert (hopeless.view.flipper, hopeless.view.source) == (1, 1)
    assert hopeless.view.chips == (0, 0, 0, 0)
    hopeless.flip("red car")
    assert hopeless.view.piles == (7, 6, 7, 7)


def test_bh_r13_bh_e6_earlier_wrong_row_beats_true_impossible(hopeless):
    hopeless.make("call", 3)
    assert hopeless.refused("declare", 0, seat=1) == "BH-R8"
    hopeless.make("declare", 5, seat=3)
    assert hopeless.view.chips == (0, 0, 0, 1)
    assert (hopeless.view.flipper, hopeless.view.source) == (3, TABLE)


def test_bh_r14_bh_a6_bh_e10_false_impossible_costs_chip_and_caller_turns(play):
    before = play.view
    events = play.say(0, 0)
    assert find(events, "wrong").seat == 0
    assert play.view.chips == (1, 0, 0, 0)
    assert play.view.rows == before.rows
    assert play.view.draw_pile == before.draw_pile + 1
    assert play.view.source == TABLE
    assert find(play.flip("red car"), "flip").seat == 0


def test_bh_a11_uncalled_card_goes_under_without_a_chip(play):
    before = play.view
    events = play.make("nobody")
    assert kinds(events) == ["nobody", "under", "next"]
    assert play.view.chips == (0, 0, 0, 0)
    assert (play.view.flipper, play.view.source) == (2, TABLE)  # the same flipper as before
    assert play.view.callers == (0, 1, 2, 3)
    assert play.view.draw_pile == before.draw_pile + 1
    play.flip("red car")
    assert play.view.draw_pile == before.draw_pile
    assert play.view.piles == before.piles


def test_bh_a11_called_card_cannot_be_skipped(play):
    play.make("call", 1)
    assert play.refused("nobody") == "BH-A11"


def test_bh_a14_call_before_visible_card_does_not_count():
    play = Play()
    assert play.refused("call", 1) == "BH-A14"


def test_bh_a14_early_press_costs_nothing_by_default():
    play = Play()
    assert console.early(play.view, 1) is None
    assert play.refused("early", 1) == "BH-A14"
    play.flip("sky car")
    assert play.refused("early", 1) == "BH-A14"
    play.make("call", 1)  # pressed again after the card


def test_bh_a20_call_without_a_row_is_wrong(play):
    before = play.view
    play.make("call", 1)
    events = play.make("late")
    assert find(events, "late").seat == 1
    assert play.view.chips == (0, 1, 0, 0)
    assert play.view.draw_pile == before.draw_pile + 1
    assert (play.view.flipper, play.view.source) == (1, TABLE)


def test_bh_a20_nobody_is_late_without_a_call(play):
    assert play.refused("late") == "BH-A20"


def test_bh_a21_first_declaration_counts(play):
    play.say(0, 6)
    for said in (1, 5):
        with pytest.raises(IllegalMove):
            rules.apply(play.state, Move(0, "declare", (said,)))
    assert play.view.chips[0] == 1


def test_bh_a22_rejected_card_does_not_return_to_its_pile(play):
    assert (play.view.source, play.view.piles[2]) == (2, 6)
    draw_pile = play.view.draw_pile
    play.wrong(2)
    assert play.view.piles[2] == 6
    assert play.view.draw_pile == draw_pile + 1


def full_rows() -> tuple[tuple[int, ...], ...]:
    """Return six full rows of different cards, by multiplication in GF(8)."""
    double = (0, 2, 4, 6, 3, 1, 7, 5)
    return tuple(tuple((side ^ double[k]) * 8 + (side ^ k) for k in range(1, 8)) for side in range(6))


def test_bh_a25_impossible_is_right_when_rows_are_full():
    rows = full_rows()
    laid = [one for row in rows for one in row]
    assert len(set(laid)) == 42
    left = sorted(set(BOX.deck) - set(laid))
    assert len(left) == 16
    marks = tuple(
        reduce(or_, (rules.mark(BOX, one) for one in (*row, printed)))
        for row, printed in zip(rows, BOX.printed, strict=True)
    )
    play = Play(2)
    start = play.state._replace(rows=rows, marks=marks, unseen=tuple(left), piles=(2, 2), fresh=12)
    for one in left:
        play.state = start
        play.flip(BOX.names[one])
        assert "right" in kinds(play.say(1, 0)), BOX.names[one]


def test_bh_r9_house_overrules_the_companion():
    play = Play(3)
    assert rules.overruled(play.state, Move(TABLE, "flip", (card("pink car"),)), right=True) is None
    play.flip("pink car")
    assert rules.overruled(play.state, Move(TABLE, "call", (2,)), right=True) is None
    play.make("call", 2)
    assert rules.overruled(play.state, Move(2, "declare", (0,)), right=True) is None
    assert rules.overruled(play.state, Move(2, "declare", (0,)), right=False) == Move(TABLE, "judge", (0, 0))
    by_house = rules.overruled(play.state, Move(2, "declare", (1,)), right=True)
    assert by_house == Move(TABLE, "judge", (1, 1))
    assert rules.overruled(play.state, by_house, right=False) == Move(TABLE, "judge", (1, 0))
    events = play.make(by_house.verb, *by_house.args)
    assert kinds(events)[:3] == ["declare", "right", "placed"]
    assert play.state.piles[2] == 9
    assert play.state.rows[0][-1] == card("pink car")
    direct = Play(3, call_input="direct")
    direct.flip("sky car")
    judged = rules.overruled(direct.state, Move(TABLE, "call", (2, 1)), right=False)
    assert judged == Move(TABLE, "call", (2, 1, 0))
    assert rules.overruled(direct.state, Move(TABLE, "tie", (0, 2)), right=True) is None
    direct.make("call", 2, 1, 0)
    assert direct.state.chips == (0, 0, 1)


def test_bh_r9_house_overrules_itself_but_not_pending_verdicts():
    unread = Play(3, call_input="direct")
    unread.flip("??")
    assert rules.overruled(unread.state, Move(TABLE, "call", (2, 1)), right=False) is None
    unread.make("call", 2, 1)
    assert rules.overruled(unread.state, Move(TABLE, "judge", (1,)), right=False) == Move(TABLE, "judge", (0,))
