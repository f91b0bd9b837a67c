"""Real cards: the house keys or judges unread cards."""

import pytest

from companion.core.move import TABLE
from companion.games.buntherum import rules
from companion.games.buntherum.rules import UNKNOWN, Phase
from tests.games.buntherum.bh_table import Play, card
from tests.games.contract import find, kinds


@pytest.fixture
def unread() -> Play:
    """A table of three with an unread open card."""
    play = Play(3)
    play.flip("??")
    return play


def test_turned_unread_card_is_shown_as_unread(unread):
    assert unread.view.card == UNKNOWN
    assert unread.view.draw_pile == 24
    assert find(Play(3).flip("??"), "flip").facts["card"] == "??"


def test_dealer_never_draws_an_unread_card():
    assert UNKNOWN not in {move.args[0] for move in rules.draws(Play(3).state)}


@pytest.mark.parametrize("called", [False, True])
def test_bh_a27_open_card_is_named_before_or_after_call(unread, called):
    if called:
        unread.make("call", 1)
    unread.make("card", card("sky car"))
    assert unread.view.card == card("sky car")


def test_card_named_before_declaration_is_judged_with_it(unread):
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
def test_card_named_after_declaration_is_judged_at_once(unread, name, said, verdict):
    assert kinds(unread.say(1, said)) == ["call", "declare"]
    assert unread.view.phase == Phase.JUDGE
    assert verdict in kinds(unread.make("card", card(name)))
    assert unread.view.chips[1] == (verdict == "wrong")


def test_card_in_a_row_cannot_be_named(unread):
    unread.make("call", 1)
    assert unread.refused("card", card("pink ball")) == "BH-R2"


def test_card_is_named_only_once(unread):
    unread.make("call", 1)
    unread.make("card", card("sky car"))
    assert unread.refused("card", card("red car")) == "BH-R2"


def test_house_judges_right_and_card_joins_row_unread(unread):
    unread.say(1, 4)
    assert kinds(unread.make("judge", 1)) == ["right", "placed", "next"]
    assert unread.view.rows[3] == (card("pink cup"), UNKNOWN)
    assert (unread.view.flipper, unread.view.source) == (1, 1)


def test_house_judges_wrong_and_card_goes_under(unread):
    unread.say(1, 4)
    assert kinds(unread.make("judge", 0)) == ["wrong", "under", "chip", "next"]
    assert unread.view.chips == (0, 1, 0)
    assert unread.view.draw_pile == 25


def test_house_judges_only_after_a_declaration(unread):
    assert unread.refused("judge", 1) == "BH-R9"
    unread.make("call", 1)
    assert unread.refused("judge", 1) == "BH-R9"


@pytest.fixture
def unsure() -> Play:
    """A table of three; row 4 has a pink cup and an unread card."""
    play = Play(3)
    play.flip("??")
    play.say(1, 4)
    play.make("judge", 1)
    return play


def test_house_judges_a_row_with_unread_card(unsure):
    assert rules.fits(unsure.state, card("sky car"), 4) is None
    unsure.flip("sky car")
    assert kinds(unsure.say(0, 4)) == ["call", "declare"]
    assert unsure.view.phase == Phase.JUDGE
    assert unsure.refused("card", card("red car")) == "BH-R2"  # the open card was read
    unsure.make("judge", 1)
    assert unsure.view.rows[3][-1] == card("sky car")


def test_house_judges_unread_card_beside_unread_card(unsure):
    unsure.flip("??")
    assert kinds(unsure.say(0, 4)) == ["call", "declare"]
    assert kinds(unsure.make("judge", 0)) == ["wrong", "under", "chip", "next"]


def test_partly_unread_row_still_refuses_known_clashes(unsure):
    assert rules.fits(unsure.state, card("red cup"), 4) is False
    unsure.flip("red cup")
    assert "wrong" in kinds(unsure.say(0, 4))


def test_impossible_is_wrong_when_another_row_surely_fits(unsure):
    unsure.flip("sky car")
    assert "wrong" in kinds(unsure.say(0, 0))


def test_house_judges_impossible_when_unread_row_may_fit(unsure):
    # "orange flower" fits rows 1 to 4: close rows 1 to 3 with orange cards first.
    for row, name in ((1, "orange car"), (2, "orange telephone"), (3, "orange cube")):
        unsure.flip(name)
        unsure.say(0, row)
    unsure.flip("orange flower")
    assert kinds(unsure.say(0, 0)) == ["call", "declare"]
    assert unsure.view.phase == Phase.JUDGE


def test_unread_card_can_go_under_unread(unread):
    events = unread.make("nobody")
    assert find(events, "under").facts == {"card": "??"}
    assert unread.view.draw_pile == 25


def test_unread_card_cannot_join_a_full_row():
    play = Play(3)
    row = play.state.rows[0] * 7
    play.state = play.state._replace(rows=(row, *play.state.rows[1:]))
    play.flip("??")
    assert "wrong" in kinds(play.say(0, 1))


def test_bh_a27_unread_row_card_is_named_later(unsure):
    assert kinds(unsure.make("read", 4, card("sky car"))) == ["read"]
    assert unsure.view.rows[3] == (card("pink cup"), card("sky car"))
    assert card("sky car") not in unsure.state.unseen
    assert rules.fits(unsure.state, card("red flower"), 4) is True
    assert rules.fits(unsure.state, card("red car"), 4) is False


def test_bh_a27_naming_refuses_cards_that_cannot_lie_there(unsure):
    assert unsure.refused("read", 4, card("red cup")) == "BH-A27"
    assert unsure.refused("read", 4, card("pink ball")) == "BH-A27"  # it lies in row 1
    assert unsure.refused("read", 1, card("sky car")) == "BH-A27"  # row 1 is fully known


def test_bh_a27_two_unread_cards_are_named_in_order(unsure):
    unsure.flip("??")
    unsure.say(0, 4)
    unsure.make("judge", 1)
    unsure.make("read", 4, card("sky car"))
    assert unsure.view.rows[3] == (card("pink cup"), card("sky car"), UNKNOWN)
    assert rules.fits(unsure.state, card("red flower"), 4) is None
    unsure.make("read", 4, card("red flower"))
    assert rules.fits(unsure.state, card("blue ball"), 4) is True


def test_bh_a27_naming_an_unread_card_settles_the_verdict(unsure):
    unsure.flip("sky telephone")
    unsure.say(0, 4)
    assert unsure.view.phase == Phase.JUDGE
    events = unsure.make("read", 4, card("red flower"))
    assert kinds(events) == ["read", "right", "placed", "next"]


def used_up(first: str) -> Play:
    """Return a table whose draw pile has only rejected cards, `first` on top."""
    play = Play(2)
    play.flip(first)
    play.make("nobody")
    while play.state.fresh:
        play.turn()
        play.make("nobody")
    return play


def test_known_top_card_may_be_turned_unread():
    play = used_up("sky car")
    assert play.refused("flip", card("red car")) == "BH-R6"
    play.flip("??")
    assert play.view.card == UNKNOWN
    play.make("call", 0)
    play.make("card", card("sky car"))
    play.make("declare", 1, seat=0)
    assert card("sky car") in play.view.rows[0]


def test_unread_top_card_may_be_any_unseen_card():
    play = used_up("??")
    hidden = play.state.unseen[-1]
    assert len(rules.draws(play.state)) == 27  # 26 in the two piles, and this one
    play.make("flip", hidden)
    assert play.view.card == hidden
    assert play.view.source == TABLE
