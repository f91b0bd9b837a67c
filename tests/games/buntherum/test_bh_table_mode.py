"""Buntherum with real cards: what the Pi cannot see is keyed in, or judged by the house."""

import pytest

from companion.core.move import TABLE
from companion.games.buntherum import rules
from companion.games.buntherum.rules import UNKNOWN, Phase
from tests.games.buntherum.bh_table import Play, card
from tests.games.contract import find, kinds


@pytest.fixture
def unread() -> Play:
    """A table of three where a card was turned that nobody keyed in."""
    play = Play(3)
    play.flip("??")
    return play


def test_an_unread_card_is_turned_and_shown_as_unread(unread):
    assert unread.view.card == UNKNOWN
    assert unread.view.draw_pile == 24
    assert find(Play(3).flip("??"), "flip").facts["card"] == "??"


def test_the_dealer_never_draws_an_unread_card():
    assert UNKNOWN not in {move.args[0] for move in rules.draws(Play(3).state)}


@pytest.mark.parametrize("called", [False, True])
def test_bh_a27_the_card_is_named_while_it_is_open_or_after_the_call(unread, called):
    if called:
        unread.make("call", 1)
    unread.make("card", card("sky car"))
    assert unread.view.card == card("sky car")


def test_a_card_named_before_the_declaration_is_judged_with_it(unread):
    unread.make("call", 1)
    assert kinds(unread.make("card", card("sky car"))) == ["card"]
    events = unread.make("declare", 4, seat=1)
    assert kinds(events) == ["declare", "right", "placed", "next"]


@pytest.mark.parametrize(
    ("name", "said", "verdict"),
    [
        ("sky car", 4, "right"),
        ("red cup", 4, "wrong"),
        ("pink car", 0, "right"),
        ("sky car", 0, "wrong"),
    ],
)
def test_a_card_named_after_the_declaration_is_judged_at_once(unread, name, said, verdict):
    assert kinds(unread.say(1, said)) == ["call", "declare"]
    assert unread.view.phase == Phase.JUDGE
    assert verdict in kinds(unread.make("card", card(name)))
    assert unread.view.chips[1] == (verdict == "wrong")


def test_a_card_that_lies_open_already_cannot_be_named(unread):
    unread.make("call", 1)
    assert unread.refused("card", card("pink ball")) == "BH-R2"


def test_a_card_is_named_once(unread):
    unread.make("call", 1)
    unread.make("card", card("sky car"))
    assert unread.refused("card", card("red car")) == "BH-R2"


def test_the_house_judges_right_and_the_card_lies_unread_in_the_row(unread):
    unread.say(1, 4)
    assert kinds(unread.make("judge", 1)) == ["right", "placed", "next"]
    assert unread.view.rows[3] == (card("pink cup"), UNKNOWN)
    assert (unread.view.flipper, unread.view.source) == (1, 1)


def test_the_house_judges_wrong_and_the_card_goes_under(unread):
    unread.say(1, 4)
    assert kinds(unread.make("judge", 0)) == ["wrong", "under", "chip", "next"]
    assert unread.view.chips == (0, 1, 0)
    assert unread.view.draw_pile == 25


def test_the_house_judges_only_what_is_declared(unread):
    assert unread.refused("judge", 1) == "BH-R9"
    unread.make("call", 1)
    assert unread.refused("judge", 1) == "BH-R9"


@pytest.fixture
def unsure() -> Play:
    """A table of three where an unread card lies in row 4, beside the yellow ice-cream and the pink cup."""
    play = Play(3)
    play.flip("??")
    play.say(1, 4)
    play.make("judge", 1)
    return play


def test_a_row_with_an_unread_card_leaves_the_verdict_to_the_house(unsure):
    assert rules.fits(unsure.state, card("sky car"), 4) is None
    unsure.flip("sky car")
    assert kinds(unsure.say(0, 4)) == ["call", "declare"]
    assert unsure.view.phase == Phase.JUDGE
    assert unsure.refused("card", card("red car")) == "BH-R2"  # this one was read
    unsure.make("judge", 1)
    assert unsure.view.rows[3][-1] == card("sky car")


def test_an_unread_card_beside_an_unread_card_is_for_the_house(unsure):
    unsure.flip("??")
    assert kinds(unsure.say(0, 4)) == ["call", "declare"]
    assert kinds(unsure.make("judge", 0)) == ["wrong", "under", "chip", "next"]


def test_a_row_with_an_unread_card_still_refuses_what_its_other_cards_refuse(unsure):
    assert rules.fits(unsure.state, card("red cup"), 4) is False
    unsure.flip("red cup")
    assert "wrong" in kinds(unsure.say(0, 4))


def test_impossible_is_wrong_when_another_row_surely_fits(unsure):
    unsure.flip("sky car")
    assert "wrong" in kinds(unsure.say(0, 0))


def test_impossible_is_for_the_house_when_only_the_unread_row_may_fit(unsure):
    # "orange flower" fits rows 1 to 4; so shut 1 to 3 with other orange cards first.
    for row, name in ((1, "orange car"), (2, "orange telephone"), (3, "orange cube")):
        unsure.flip(name)
        unsure.say(0, row)
    unsure.flip("orange flower")
    assert kinds(unsure.say(0, 0)) == ["call", "declare"]
    assert unsure.view.phase == Phase.JUDGE


def test_an_unread_card_can_go_under_unread(unread):
    events = unread.make("nobody")
    assert find(events, "under").facts == {"card": "??"}
    assert unread.view.draw_pile == 25


def test_an_unread_card_cannot_go_into_a_full_row():
    play = Play(3)
    row = play.state.rows[0] * 7
    play.state = play.state._replace(rows=(row, *play.state.rows[1:]))
    play.flip("??")
    assert "wrong" in kinds(play.say(0, 1))


def test_bh_a27_an_unread_card_of_a_row_is_named_later(unsure):
    assert kinds(unsure.make("read", 4, card("sky car"))) == ["read"]
    assert unsure.view.rows[3] == (card("pink cup"), card("sky car"))
    assert card("sky car") not in unsure.state.unseen
    assert rules.fits(unsure.state, card("red flower"), 4) is True
    assert rules.fits(unsure.state, card("red car"), 4) is False


def test_bh_a27_what_a_row_shows_already_cannot_lie_unread_in_it(unsure):
    assert unsure.refused("read", 4, card("red cup")) == "BH-A27"
    assert unsure.refused("read", 4, card("pink ball")) == "BH-A27"  # it lies in row 1
    assert unsure.refused("read", 1, card("sky car")) == "BH-A27"  # all of them are known there


def test_bh_a27_two_unread_cards_are_named_one_after_the_other(unsure):
    unsure.flip("??")
    unsure.say(0, 4)
    unsure.make("judge", 1)
    unsure.make("read", 4, card("sky car"))
    assert unsure.view.rows[3] == (card("pink cup"), card("sky car"), UNKNOWN)
    assert rules.fits(unsure.state, card("red flower"), 4) is None
    unsure.make("read", 4, card("red flower"))
    assert rules.fits(unsure.state, card("blue ball"), 4) is True


def test_bh_a27_naming_the_unread_card_settles_the_verdict(unsure):
    unsure.flip("sky telephone")
    unsure.say(0, 4)
    assert unsure.view.phase == Phase.JUDGE
    events = unsure.make("read", 4, card("red flower"))
    assert kinds(events) == ["read", "right", "placed", "next"]


def used_up(first: str) -> Play:
    """Return a table of two whose draw pile holds rejected cards only, `first` on top."""
    play = Play(2)
    play.flip(first)
    play.make("nobody")
    while play.state.fresh:
        play.turn()
        play.make("nobody")
    return play


def test_a_known_top_card_turned_unread_may_be_any_card_again():
    play = used_up("sky car")
    assert play.refused("flip", card("red car")) == "BH-R6"
    play.flip("??")
    assert play.view.card == UNKNOWN
    play.make("call", 0)
    play.make("card", card("sky car"))
    play.make("declare", 1, seat=0)
    assert card("sky car") in play.view.rows[0]


def test_an_unread_card_on_top_of_the_pile_may_be_any_unseen_card():
    play = used_up("??")
    hidden = play.state.unseen[-1]
    assert len(rules.draws(play.state)) == 27  # 26 in the two piles, and this one
    play.make("flip", hidden)
    assert play.view.card == hidden
    assert play.view.source == TABLE
