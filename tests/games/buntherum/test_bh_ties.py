"""Ties in Buntherum: BH-R15 and the rulings on it. Who tied is the arbiter's business, the engine is told."""

import pytest

from companion.core.console import BUZZ, Call
from companion.core.move import TABLE, Move
from companion.games.buntherum import console
from companion.games.buntherum.rules import Phase, Rulings
from tests.games.buntherum.bh_table import Play
from tests.games.contract import find, kinds


def tied(seats: int = 4, *group: int, youngest: int = 0, **rulings) -> Play:
    """Return a table where the first card, a sky car, was tied and the next one is about to be turned."""
    play = Play(seats, youngest=youngest, **rulings)
    play.flip("sky car")
    play.make("tie", *group)
    return play


def test_bh_r15_a_tie_puts_the_card_under_and_an_uninvolved_player_turns_the_next():
    play = Play(4, youngest=0)
    play.flip("sky car")
    events = play.make("tie", 0, 3)
    assert kinds(events) == ["tie", "under", "next"]
    assert find(events, "tie").facts["seats"] == (0, 3)
    assert play.view.draw_pile == 24
    assert play.view.flipper in {1, 2}
    assert play.view.source == TABLE
    assert play.view.chips == (0, 0, 0, 0)


def test_bh_r15_bh_e7_a_tie_of_seats_0_and_3_who_alone_play_the_next_card():
    play = Play(4)
    play.flip("sky car")
    one_winner = play.state
    play.make("tie", 0, 3)
    assert play.view.draw_pile == 24
    assert play.view.flipper in {1, 2}
    play.flip("red car")
    assert play.view.callers == (0, 3)
    play.say(3, 1)
    play.turn()
    assert play.view.piles == (7, 7, 7, 6)
    assert play.view.callers == (0, 1, 2, 3)
    play.state = one_winner  # with a margin of 1 ms the arbiter says: seat 0
    play.make("call", 0)
    assert play.view.caller == 0


def test_bh_r15_a_tie_is_between_two_or_more_who_may_call():
    play = Play(3)
    assert play.refused("tie", 0, 1) == "BH-R15"  # no card is open
    play.flip("sky car")
    assert play.refused("tie") == "BH-R15"
    assert play.refused("tie", 1) == "BH-R15"
    assert play.refused("tie", 1, 1) == "BH-R15"
    play.make("tie", 0, 1, 2)


def test_bh_r15_a_locked_call_cannot_become_a_tie():
    play = Play(3)
    play.flip("sky car")
    play.make("call", 0)
    assert play.refused("tie", 0, 1) == "BH-R15"


def test_bh_a12_the_engine_is_told_call_or_tie():
    assert Rulings().tie_margin_ms == 1
    play = Play(4)
    play.flip("sky car")
    # The same presses, 6 ms apart: the arbiter names one winner or two, the engine never sees a time.
    apart = (Call(0, 2_000_000_000), Call(3, 2_006_000_000))
    assert console.called(play.view, apart[:1]) == Move(TABLE, "call", (0,))
    assert console.called(play.view, apart) == Move(TABLE, "tie", (0, 3))


def test_bh_a13_a_tie_for_the_same_row_is_still_a_tie():
    play = Play(4, call_input="direct")
    play.flip("sky flower")
    same = console.called(play.view, (Call(3, 5, control="1"), Call(0, 5, control="1")))
    one_wrong = console.called(play.view, (Call(3, 5, control="1"), Call(0, 5, control="6")))
    assert same == one_wrong == Move(TABLE, "tie", (0, 3))  # the calls are not even heard
    assert kinds(play.make("tie", 0, 3)) == ["tie", "under", "next"]
    assert play.view.chips == (0, 0, 0, 0)


@pytest.mark.parametrize("flipper", [0, 1])
def test_bh_a15_with_two_players_the_one_who_turned_turns_again(flipper):
    play = tied(2, 0, 1, youngest=flipper)
    assert play.view.flipper == flipper
    assert play.view.callers == (0, 1)


def test_bh_a15_with_every_active_player_in_the_tie_the_same_seat_turns_again():
    play = Play(4)
    play.wrong(1, 3)
    play.wrong(2)
    play.turn()
    play.make("tie", 0, 2, 3)
    assert play.view.flipper == 2
    assert play.view.source == TABLE


def test_bh_a16_a_tie_inside_a_tie_break_is_played_off_by_the_smaller_group():
    play = tied(4, 0, 1, 3)
    play.turn()
    play.make("tie", 0, 3)
    assert play.view.flipper in {1, 2}
    play.turn()
    assert play.view.callers == (0, 3)
    play.make("tie", 0, 3)
    assert play.view.callers == (0, 3)
    assert play.view.flipper in {1, 2}


def test_bh_a16_nobody_joins_a_tie_break():
    play = tied(4, 0, 3)
    play.turn()
    assert play.refused("tie", 0, 1) == "BH-A24"


def test_bh_a17_a_wrong_call_in_a_tie_break_ends_it():
    play = tied(4, 0, 3)
    play.wrong(0)
    assert play.view.chips == (1, 0, 0, 0)
    assert (play.view.flipper, play.view.source) == (0, TABLE)
    assert play.view.callers == (0, 1, 2, 3)
    assert play.view.phase == Phase.READY  # seat 3 gets no second try


def test_bh_a18_nobody_calls_in_a_tie_break():
    play = tied(4, 0, 3)
    play.turn()
    flipper = play.view.flipper
    play.make("nobody")
    assert play.view.callers == (0, 1, 2, 3)
    assert (play.view.flipper, play.view.source) == (flipper, TABLE)
    assert play.view.chips == (0, 0, 0, 0)


def test_bh_a19_a_right_call_in_a_tie_break_earns_the_turn():
    play = tied(4, 0, 3)
    play.right(3)
    assert (play.view.flipper, play.view.source) == (3, 3)
    assert play.view.callers == (0, 1, 2, 3)
    play.flip("blue car")
    assert play.view.piles == (7, 7, 7, 6)


def test_bh_a24_an_uninvolved_buzzer_is_dead_for_this_card_without_penalty():
    play = tied(4, 0, 3)
    play.flip("red car")
    before = play.state
    assert play.refused("call", 1) == "BH-A24"
    assert play.state == before
    race = console.stage(play.view).race
    assert race is not None
    assert race.callers == (0, 3)
    assert race.controls == {BUZZ}


def test_bh_a24_an_uninvolved_early_press_costs_nothing_either():
    play = tied(4, 0, 3, early_buzz="chip")
    assert console.early(play.view, 1) is None
    play.flip("red car")
    assert play.refused("early", 1) == "BH-A24"
