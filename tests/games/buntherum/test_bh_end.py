"""The end of Buntherum: BH-R11, BH-R16 and their rulings."""

import pytest

from companion.core.move import TABLE
from companion.games.buntherum import rules
from companion.games.buntherum.rules import NO_CARD, Phase
from tests.games.buntherum.bh_table import BOX, Play, card
from tests.games.contract import find, kinds


def test_bh_r11_third_chip_eliminates():
    play = Play(3)
    play.wrong(1, 2)
    assert play.view.gone == ()
    events = play.wrong(1)
    assert find(events, "chip").facts == {"chips": 3}
    assert find(events, "eliminated").seat == 1
    assert play.view.gone == (1,)
    play.turn()
    assert play.view.callers == (0, 2)
    assert play.refused("call", 1) == "BH-R11"
    assert play.refused("tie", 0, 1) == "BH-R11"


def test_bh_r16_right_to_turn_the_last_card_wins():
    play = Play(3)
    play.right(2, 8)
    play.turn()
    assert play.view.outcome is None
    assert play.view.piles[2] == 1
    before = sum(map(len, play.view.rows)) + play.view.draw_pile
    events = play.right(2)
    assert "flip" not in kinds(events)
    assert play.view.phase == Phase.OVER
    assert play.view.outcome.winners == (2,)
    assert play.view.card == NO_CARD
    assert play.view.piles[2] == 1  # it is not played
    assert sum(map(len, play.view.rows)) + play.view.draw_pile == before + 1  # the card that was called


def test_bh_r16_nobody_moves_after_the_end():
    play = Play(2)
    play.right(0, 13)
    assert rules.to_act(play.state) == ()
    assert list(rules.legal(play.state, TABLE)) == []
    assert rules.draws(play.state) == ()
    assert play.refused("flip", card("sky car")) == "BH-R16"
    assert play.refused("call", 1) == "BH-R16"


@pytest.mark.parametrize(("seats", "needed"), [(2, 13), (3, 9), (4, 7), (5, 6)])
def test_bh_a1_bh_e8_one_right_call_per_dealt_card_wins(seats, needed):
    play = Play(seats)
    play.right(1, needed - 1)
    assert play.view.outcome is None
    events = play.right(1)
    assert find(events, "over").facts["reason"] == "last_card"
    assert play.view.outcome.winners == (1,)


def test_bh_a1_must_place_wins_by_calling_own_last_card():
    play = Play(5, last_card="must_place")
    play.right(4, 6)
    assert play.view.outcome is None
    assert (play.view.flipper, play.view.source) == (4, 4)
    play.turn()
    assert play.view.piles[4] == 0
    play.right(4)
    assert play.view.outcome.winners == (4,)


def test_bh_a1_must_place_loses_last_card_to_another_caller():
    play = Play(5, last_card="must_place")
    play.right(4, 6)
    play.turn()
    play.right(0)
    assert play.view.outcome is None
    assert play.view.piles[4] == 0
    assert (play.view.flipper, play.view.source) == (0, 0)
    play.right(4)
    assert play.view.outcome.winners == (4,)


def test_bh_a1_must_place_loses_last_card_to_wrong_call():
    play = Play(5, last_card="must_place")
    play.right(4, 6)
    play.wrong(4)
    assert play.view.outcome is None
    assert (play.view.chips[4], play.view.piles[4]) == (1, 0)
    play.right(4)
    assert play.view.outcome.winners == (4,)


def test_bh_a1_must_place_only_the_right_caller_wins():
    play = Play(5, last_card="must_place")
    for seat in (0, 1):
        play.right(seat, 6)
        play.turn()
        play.make("nobody")
    assert play.view.piles[:2] == (0, 0)
    play.right(0)
    assert play.view.outcome.ranking == ((0,), (1,), (2, 3, 4))


def test_bh_a7_eliminated_caller_may_turn_the_next_card():
    play = Play(3)
    play.wrong(1, 3)
    assert (play.view.flipper, play.view.source) == (1, TABLE)
    assert find(play.flip("sky car"), "flip").seat == 1


def test_bh_a8_eliminated_players_cards_are_set_aside():
    play = Play(3)
    play.right(1, 2)
    events = play.wrong(1, 3)
    assert find(events, "eliminated").facts == {"cards": 7}
    assert play.view.piles == (9, 0, 9)
    out_of_game = 58 - sum(map(len, play.view.rows)) - play.view.draw_pile - sum(play.view.piles)
    assert out_of_game == 7


def test_bh_a8_eliminated_players_chips_return_to_supply():
    play = Play(3)
    play.wrong(1, 3)
    assert play.view.chips == (0, 0, 0)


def test_bh_a9_bh_e9_last_player_left_wins_at_once():
    play = Play(4)
    play.wrong(1, 3)
    play.wrong(3, 3)
    assert play.view.outcome is None
    events = play.wrong(0, 3)
    assert find(events, "over").facts["reason"] == "last_standing"
    assert play.view.piles[2] == 7
    assert play.view.outcome.ranking == ((2,), (0,), (3,), (1,))  # of the eliminated the latest ranks first


def tiny_box():
    """Return a box that leaves three players one card to draw."""
    deck = tuple(card(f"{colour} car") for colour in BOX.colours) + tuple(
        card(f"{colour} telephone") for colour in BOX.colours[:5]
    )
    return BOX._replace(deck=deck, hands=(2, 2, 2, 2), chips_out=1)


def test_bh_a10_empty_draw_pile_fewest_cards_share_the_win():
    starters = ("red car", "green car", "pink car", "sky car", "purple car", "yellow car")
    play = Play(3, box=tiny_box(), starters=starters, early_buzz="chip")
    assert play.view.draw_pile == 1
    play.flip("green telephone")
    play.say(0, 3)
    assert (play.view.draw_pile, play.view.source) == (0, 0)
    events = play.make("early", 0)  # the due card's pile leaves the game
    assert find(events, "over").facts["reason"] == "empty_pile"
    assert play.view.outcome.ranking == ((1, 2), (0,))
    assert rules.to_act(play.state) == ()


def test_bh_a10_rejected_cards_come_back_in_order():
    play = Play(2)
    rejected = []
    while play.view.draw_pile > len(rejected):
        play.turn()
        rejected.append(play.view.card)
        play.make("nobody")
    assert len(rejected) == 26
    for one in rejected:
        assert [move.args[0] for move in rules.draws(play.state)] == [one]
        play.turn()
        play.make("nobody")


def test_bh_a23_nobody_runs_out_of_cards_before_the_end():
    play = Play(2)
    play.right(0, 12)
    play.turn()
    assert play.view.piles[0] == 1
    assert "over" in kinds(play.right(0))


def test_bh_r16_winner_does_not_share_with_equal_card_count():
    play = Play(5)
    play.right(0, 5)
    play.right(1, 5)
    play.turn()
    assert play.view.piles == (1, 1, 6, 6, 6)
    play.right(1)
    assert play.view.outcome.ranking == ((1,), (0,), (2, 3, 4))


def test_losers_are_ranked_by_cards_left_sharing_places():
    play = Play(5)
    play.wrong(2, 3)
    play.right(0, 2)
    play.right(4, 6)
    assert play.view.outcome.ranking == ((4,), (0,), (1, 3), (2,))
