"""The worked examples, BH-E1 to BH-E10, as they could happen at the table."""

import pytest
from bh_table import BOX, STARTERS, Play, card, fitting, kinds

from companion.core.move import TABLE
from companion.games.buntherum import rules
from companion.games.buntherum.rules import Phase


def fits(play: Play, name: str, row: int) -> bool | None:
    return rules.fits(play.state, card(name), row)


@pytest.mark.parametrize(("seats", "dealt", "draw_pile"), [(2, 26, 26), (3, 27, 25), (4, 28, 24), (5, 30, 22)])
def test_bh_e1_the_deal_adds_up_to_58(seats, dealt, draw_pile):
    view = Play(seats).view
    assert sum(view.piles) == dealt
    assert view.draw_pile == draw_pile
    assert dealt + sum(map(len, view.rows)) + draw_pile == 58


def test_bh_e2_two_starters_of_side_1_are_refused():
    play = Play(4, starters=())
    play.refused("starter", 1, card("pink cube"))
    play.refused("starter", 1, card("green car"))
    play.make("starter", 1, card("sky telephone"))
    for side, name in enumerate(("orange ball", *STARTERS[2:]), 2):
        play.make("starter", side, card(name))
    assert play.view.draw_pile == 24
    assert {card("pink cube"), card("green car")} <= {move.args[0] for move in rules.draws(play.state)}


def test_bh_e3_what_fits_beside_a_green_cube_and_a_red_car():
    play = Play(3, starters=("red car", *STARTERS[1:]))
    assert fits(play, "blue butterfly", 1)
    assert not fits(play, "green flower", 1)
    assert not fits(play, "pink car", 1)
    play.flip("blue butterfly")
    play.say(0, 1)
    shown = {"cube", "car", "butterfly", "green", "red", "blue"}
    for name in BOX.names:
        assert fits(play, name, 1) == (not shown & set(name.split())), name


def after_e4() -> Play:
    """Return the table of BH-E4: seat 1 was right at once and has turned the top card of its pile."""
    play = Play(3)
    play.flip("red flower")
    play.say(1, 4)
    play.flip("green car")
    return play


def test_bh_e4_a_right_row():
    play = after_e4()
    assert card("red flower") in play.view.rows[3]
    assert play.view.piles == (9, 8, 9)
    assert play.view.source == 1  # the open card is seat 1's
    assert play.view.draw_pile == 24


def test_bh_e5_a_wrong_row():
    play = after_e4()
    play.say(2, 1)  # printed green
    assert play.view.chips == (0, 0, 1)
    assert play.view.draw_pile == 25
    assert (play.view.flipper, play.view.source) == (2, TABLE)
    play.turn()
    assert play.view.draw_pile == 24
    assert play.view.piles == (9, 8, 9)


def test_bh_e6_number_before_impossible():
    play = Play(3)
    play.flip("pink car")
    assert not fitting(play.state, card("pink car"))
    number_first = play.state
    play.say(2, 2)
    assert play.view.chips == (0, 0, 1)
    assert (play.view.flipper, play.view.source) == (2, TABLE)
    play.state = number_first
    play.say(0, 0)
    assert play.view.chips == (0, 0, 0)
    assert (play.view.flipper, play.view.source) == (0, 0)


def test_bh_e7_a_tie_of_seats_0_and_3():
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


def test_bh_e8_the_sixth_right_call_of_five_players_wins():
    play = Play(5)
    play.right(4, 5)
    play.flip("pink car")
    assert play.view.piles[4] == 1
    rows = play.view.rows
    events = play.say(4, 0)
    assert play.view.outcome.winners == (4,)
    assert play.view.phase == Phase.OVER
    assert "flip" not in kinds(events)
    assert play.view.rows == rows
    assert play.view.piles[4] == 1


def test_bh_e9_the_third_chip_of_one_of_two_players_ends_the_game():
    play = Play(2)
    play.right(1, 8)
    play.wrong(0, 2)
    play.turn()
    assert play.view.piles[1] == 5
    assert play.view.outcome is None
    play.wrong(0)
    assert play.view.gone == (0,)
    assert play.view.outcome.winners == (1,)
    assert play.view.piles[1] == 5


def test_bh_e10_impossible_although_row_6_would_fit():
    play = Play(3)
    play.flip("blue car")
    assert 6 in fitting(play.state, card("blue car"))
    play.say(1, 0)
    assert play.view.chips == (0, 1, 0)
    assert card("blue car") not in play.view.rows[5]
    assert play.view.draw_pile == 25
    assert play.view.source == TABLE
