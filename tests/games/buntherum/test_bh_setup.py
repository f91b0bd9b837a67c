"""Buntherum's set-up: BH-R1 to BH-R5, their rulings, BH-E1 to BH-E3."""

import pytest

from companion.core.errors import OptionError
from companion.core.move import TABLE
from companion.games.buntherum import rules
from companion.games.buntherum.rules import Phase, Rulings
from tests.games.buntherum.bh_table import BOX, STARTERS, Play, card, fitting
from tests.games.contract import find, kinds


def before_starters(**rulings) -> Play:
    """Return a table without starters."""
    return Play(4, starters=(), **rulings)


def fitting_now(play: Play, name: str) -> set[int]:
    """Return the rows that accept a card, by the engine."""
    return {row for row in range(1, 7) if rules.fits(play.state, card(name), row)}


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_only_two_to_five_can_play(seats):
    with pytest.raises(OptionError, match=f"2 to 5 players, not {seats}"):
        rules.setup(BOX, Rulings(), seats)


def test_bh_r1_each_side_gets_an_open_starter():
    play = before_starters()
    for side, name in enumerate(STARTERS, 1):
        assert play.view.phase == Phase.SETUP
        events = play.make("starter", side, card(name))
        assert find(events, "starter").facts == {"row": side, "card": name}
    assert play.view.rows == tuple((card(name),) for name in STARTERS)
    assert play.view.phase == Phase.READY


def test_bh_r1_each_side_gets_only_one_starter():
    play = before_starters()
    play.make("starter", 1, card("pink ball"))
    assert play.refused("starter", 1, card("sky car")) == "BH-R3"


def test_bh_r2_cards_fit_where_they_share_no_word():
    play = Play()
    for name in BOX.names:
        assert fitting_now(play, name) == fitting(play.state, card(name)), name


def test_bh_r3_dealer_draws_only_fitting_starters():
    play = before_starters()
    drawn = {move.args for move in rules.draws(play.state)}
    assert drawn == {(1, one) for one in BOX.deck if 1 in fitting(play.state, one)}


def test_bh_r3_starter_cannot_be_laid_twice():
    play = before_starters()
    play.make("starter", 1, card("sky telephone"))
    assert play.refused("starter", 2, card("sky telephone")) == "BH-R3"


@pytest.mark.parametrize(("seats", "each", "draw_pile"), [(2, 13, 26), (3, 9, 25), (4, 7, 24), (5, 6, 22)])
def test_bh_r4_bh_e1_deal_adds_up_to_58(seats, each, draw_pile):
    play = Play(seats, starters=STARTERS[:5])
    events = play.make("starter", 6, card(STARTERS[5]))
    assert find(events, "dealt").facts == {"each": each, "draw_pile": draw_pile}
    assert play.view.piles == (each,) * seats
    assert play.view.draw_pile == draw_pile == 58 - 6 - each * seats


def test_bh_r4_dealt_cards_stay_unseen():
    play = Play()
    for seat in (None, 0, 1, 2):
        view = rules.view(play.state, seat)
        shown = [one for row in view.rows for one in row]
        assert sorted(shown) == sorted(map(card, STARTERS))
        assert view.card == rules.NO_CARD


@pytest.mark.parametrize("seat", [0, 2])
def test_bh_r5_youngest_turns_first_card_from_draw_pile(seat):
    play = Play(3, youngest=seat)
    assert (play.view.flipper, play.view.source) == (seat, TABLE)
    events = play.flip("sky car")
    assert find(events, "flip").seat == seat
    assert play.view.draw_pile == 24
    assert play.view.piles == (9, 9, 9)


def test_bh_r5_youngest_is_named_once_and_first():
    play = before_starters()
    assert play.refused("youngest", 1) == "BH-R5"
    start = rules.setup(BOX, Rulings(), 3)
    assert [move.verb for move in rules.legal(start, TABLE)] == ["youngest"] * 3 + ["first"] * 3 + ["lot"] * 3
    assert {move.args[0] for move in rules.draws(start)} == {0, 1, 2}


def test_bh_e3_row_excludes_every_word_it_shows():
    play = Play(3, starters=("red car", *STARTERS[1:]))
    assert 1 in fitting_now(play, "blue butterfly")
    assert 1 not in fitting_now(play, "green flower") | fitting_now(play, "pink car")
    play.flip("blue butterfly")
    play.say(0, 1)
    shown = {"cube", "car", "butterfly", "green", "red", "blue"}
    for name in BOX.names:
        assert (1 in fitting_now(play, name)) == (not shown & set(name.split())), name


def test_bh_r3_bh_a3_bh_e2_refused_starter_returns_before_the_deal():
    play = before_starters()
    assert play.refused("starter", 1, card("pink cube")) == "BH-R3"
    assert play.refused("starter", 1, card("green car")) == "BH-R3"
    for side, name in enumerate(("sky telephone", "orange ball", *STARTERS[2:]), 1):
        play.make("starter", side, card(name))
    assert play.view.draw_pile == 24
    assert {card("pink cube"), card("green car")} <= {move.args[0] for move in rules.draws(play.state)}


def test_bh_a4_starters_of_different_rows_may_share_colour():
    assert all(name.startswith("pink") for name in STARTERS)
    play = Play(4)
    assert [len(row) for row in play.view.rows] == [1] * 6


def test_setup_events_come_in_order():
    play = before_starters()
    told = [kind for side, name in enumerate(STARTERS, 1) for kind in kinds(play.make("starter", side, card(name)))]
    assert told == ["starter"] * 6 + ["dealt", "next"]
