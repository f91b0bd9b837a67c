"""Ties in Buntherum: BH-R15 and its rulings. The arbiter decides them."""

import pytest

from companion.core.console import BUZZ, Call
from companion.core.move import TABLE, Move
from companion.games.buntherum import console
from companion.games.buntherum.rules import Phase, Rulings
from tests.games.buntherum.bh_table import Play
from tests.games.contract import find, kinds


def tied(seats: int = 4, *group: int, youngest: int = 0, **rulings) -> Play:
    """Return a table whose first card was tied."""
    play = Play(seats, youngest=youngest, **rulings)
    play.flip("sky car")
    play.make("tie", *group)
    return play


def test_bh_r15_tie_puts_card_under_and_untied_player_turns():
    play = Play(4, youngest=0)
    play.flip("sky car")
    events = play.make("tie", 0, 3)
    assert kinds(events) == ["tie", "under", "next"]
    assert find(events, "tie").facts["seats"] == (0, 3)
    assert play.view.draw_pile == 24
    assert play.view.flipper in {1, 2}
    assert play.view.source == TABLE
    assert play.view.chips == (0, 0, 0, 0)


def test_bh_r15_bh_e7_tied_seats_alone_play_the_next_card():
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
    play.state = one_winner  # with a margin of 1 ms the arbiter names seat 0
    play.make("call", 0)
    assert play.view.caller == 0


def test_bh_r15_tie_needs_two_or_more_possible_callers():
    play = Play(3)
    assert play.refused("tie", 0, 1) == "BH-R15"  # no card is open
    play.flip("sky car")
    assert play.refused("tie") == "BH-R15"
    assert play.refused("tie", 1) == "BH-R15"
    assert play.refused("tie", 1, 1) == "BH-R15"
    play.make("tie", 0, 1, 2)


def test_bh_r15_locked_call_cannot_become_a_tie():
    play = Play(3)
    play.flip("sky car")
    play.make("call", 0)
    assert play.refused("tie", 0, 1) == "BH-R15"


def test_bh_a12_engine_receives_only_call_or_tie():
    assert Rulings().tie_margin_ms == 1
    play = Play(4)
    play.flip("sky car")
    # Presses 6 ms apart: the arbiter names one or both, and the engine never sees a time.
    apart = (Call(0, 2_000_000_000), Call(3, 2_006_000_000))
    assert console.called(play.view, apart[:1]) == Move(TABLE, "call", (0,))
    assert console.called(play.view, apart) == Move(TABLE, "tie", (0, 3))


def test_bh_a13_tie_counts_whatever_the_rows_called():
    play = Play(4, call_input="direct")
    play.flip("sky flower")
    same = console.called(play.view, (Call(3, 5, control="1"), Call(0, 5, control="1")))
    one_wrong = console.called(play.view, (Call(3, 5, control="1"), Call(0, 5, control="6")))
    assert same == one_wrong == Move(TABLE, "tie", (0, 3))  # the rows do not matter
    assert kinds(play.make("tie", 0, 3)) == ["tie", "under", "next"]
    assert play.view.chips == (0, 0, 0, 0)


@pytest.mark.parametrize("flipper", [0, 1])
def test_bh_a15_with_two_players_same_seat_turns_again(flipper):
    play = tied(2, 0, 1, youngest=flipper)
    assert play.view.flipper == flipper
    assert play.view.callers == (0, 1)


def test_bh_a15_same_seat_turns_again_when_all_tie():
    play = Play(4)
    play.wrong(1, 3)
    play.wrong(2)
    play.turn()
    play.make("tie", 0, 2, 3)
    assert play.view.flipper == 2
    assert play.view.source == TABLE


def test_bh_a16_tie_within_tie_break_narrows_the_group():
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


def test_bh_a17_wrong_call_ends_the_tie_break():
    play = tied(4, 0, 3)
    play.wrong(0)
    assert play.view.chips == (1, 0, 0, 0)
    assert (play.view.flipper, play.view.source) == (0, TABLE)
    assert play.view.callers == (0, 1, 2, 3)
    assert play.view.phase == Phase.READY  # seat 3 gets no second try


def test_bh_a18_uncalled_card_ends_the_tie_break():
    play = tied(4, 0, 3)
    play.turn()
    flipper = play.view.flipper
    play.make("nobody")
    assert play.view.callers == (0, 1, 2, 3)
    assert (play.view.flipper, play.view.source) == (flipper, TABLE)
    assert play.view.chips == (0, 0, 0, 0)


def test_bh_a19_right_call_in_tie_break_earns_the_turn():
    play = tied(4, 0, 3)
    play.right(3)
    assert (play.view.flipper, play.view.source) == (3, 3)
    assert play.view.callers == (0, 1, 2, 3)
    play.flip("blue car")
    assert play.view.piles == (7, 7, 7, 6)


def test_bh_a24_untied_buzzer_is_dead_without_penalty():
    play = tied(4, 0, 3)
    play.flip("red car")
    before = play.state
    assert play.refused("call", 1) == "BH-A24"
    assert play.state == before
    race = console.stage(play.view).race
    assert race is not None
    assert race.callers == (0, 3)
    assert race.controls == {BUZZ}


def test_bh_a24_untied_early_press_costs_nothing():
    play = tied(4, 0, 3, early_buzz="chip")
    assert console.early(play.view, 1) is None
    play.flip("red car")
    assert play.refused("early", 1) == "BH-A24"
