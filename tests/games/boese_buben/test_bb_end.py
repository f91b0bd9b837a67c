"""Tests of the match's end, BB-R25 to BB-R27."""

import pytest

from companion.games.boese_buben import rules
from companion.games.boese_buben.rules import Phase
from tests.games.boese_buben.bb_table import Play, ender
from tests.games.contract import kinds


def ended(seats: int, purses: tuple[int, ...], mc: tuple[int, ...], hands: list[str] | None = None) -> Play:
    """Return a finished match; red needs at least one MC card."""
    play = ender(seats, race=4, purses=purses, mc=(mc[0] - 1, *mc[1:]), hands=hands or [])
    play.end()
    assert play.mc == mc
    return play


@pytest.mark.parametrize(("cards", "cost"), [(1, 1), (2, 3), (3, 5), (4, 8), (5, 11), (7, 17)])
def test_bb_r25_bb_a15_mc_cards_cost_by_their_number(cards, cost):
    play = ended(2, (20, 10), (cards, 0))
    assert play.purses == (20 - cost, 10)
    assert play.bank == 84 - sum(play.purses)


def test_bb_r25_having_no_mc_card_is_free():
    play = ended(3, (20, 3, 2), (1, 0, 1))
    assert play.purses == (19, 3, 1)


def test_bb_r25_mc_cards_are_paid_only_after_race_4():
    play = ender(2, race=3, purses=(9, 9))
    play.end()
    assert play.mc == (1, 0)
    assert play.purses == (9, 9)


def test_bb_r25_race_4_prizes_come_before_mc_costs():
    play = ender(2, race=4, purses=(0, 6), lanes=["R6 B5"])
    play.end()
    assert play.purses == (2, 6)  # 0 + 3 for lane 1 - 1
    assert play.ranking == ((1,), (0,))


def test_bb_r26_insolvent_player_is_last_despite_most_ducats():
    play = ended(3, (2, 0, 1), (2, 0, 0))
    assert play.ranking == ((2,), (1,), (0,))


def test_bb_r26_paying_exactly_is_not_last():
    play = ended(2, (3, 0), (2, 0), ["6", "4"])
    assert play.purses == (0, 0)
    assert play.ranking == ((0,), (1,))  # tied in ducats, more points in hand


def test_bb_a32_insolvent_player_keeps_their_ducats():
    play = ended(3, (2, 5, 6), (2, 1, 0))
    assert play.purses == (2, 4, 6)
    assert play.ranking == ((2,), (1,), (0,))


@pytest.mark.parametrize(
    ("purses", "mc", "ranking"),
    [
        ((0, 0, 9), (1, 2, 0), ((2,), (0,), (1,))),  # owes 1 and 3
        ((2, 0, 9), (2, 1, 0), ((2,), (0, 1))),  # owe 1 each
        ((2, 4, 9), (2, 3, 0), ((2,), (0, 1))),
        ((0, 4, 9), (2, 3, 0), ((2,), (1,), (0,))),
    ],
)
def test_bb_a31_insolvent_players_rank_by_debt(purses, mc, ranking):
    """Cards in hand do not matter."""
    assert ended(3, purses, mc, ["", "6 5", ""]).ranking == ranking


def test_bb_a31_smallest_debt_wins_when_nobody_can_pay():
    play = ended(2, (0, 2), (1, 3))
    assert play.ranking == ((0,), (1,))


@pytest.mark.parametrize(
    ("purses", "ranking"),
    [
        ((9, 7, 5), ((0,), (1,), (2,))),
        ((5, 7, 9), ((2,), (1,), (0,))),
        ((7, 9, 5), ((1,), (0,), (2,))),
    ],
)
def test_bb_r27_most_ducats_win(purses, ranking):
    assert ended(3, purses, (1, 0, 0)).ranking == ranking


def test_bb_a30_remaining_ties_share_the_place():
    play = ended(4, (7, 6, 6, 2), (1, 0, 0, 0), ["4 2", "6", "0 6", "6"])
    assert play.ranking == ((0, 1, 2), (3,))
    assert rules.outcome(play.state).winners == (0, 1, 2)


def test_bb_a33_empty_bank_pays_on_and_warns():
    play = Play(4, variant="action").put(
        ["R5 B2", "B6", "", "", ""], hands=["4a 1", "4a 1", "1", "1"], purses=(21, 21, 21, 21)
    )
    assert play.bank == 0
    play.lay("R4a", 3)
    events = play.make("eject", 1, 1, seat=0)
    assert "bank_empty" in kinds(events)
    assert play.purses == (22, 21, 21, 21)
    assert play.bank == -1
    play.lay("B4a", 4)
    play.make("eject", 2, 1, seat=1)
    assert play.purses == (22, 22, 21, 21)
    assert sum(play.purses) + play.bank == 84


def test_bb_a33_solvent_bank_does_not_warn():
    play = Play(2, variant="action").put(["R5 B2", "", ""], hands=["4a 1", "1"], purses=(42, 41))
    play.lay("R4a", 3)
    assert "bank_empty" not in kinds(play.make("eject", 1, 1, seat=0))


def test_bb_a33_empty_bank_pays_prizes_in_full():
    play = ender(2, lanes=["R6 B5", "B4"], purses=(42, 41))
    assert play.bank == 1
    events = play.end()
    assert play.purses == (45, 44)
    assert play.bank == -5
    assert kinds(events).count("bank_empty") == 1


@pytest.mark.parametrize(
    ("purses", "mc", "hands", "words"),
    [
        ((9, 7), (1, 0), [], "most ducats"),
        ((8, 7), (1, 0), ["6", "4"], "cards in hand"),
        ((8, 7), (1, 0), ["4", "4"], "tied in ducats and in points on the cards"),
        ((0, 2), (1, 3), [], "nobody could pay"),
        ((0, 2), (1, 3), [], "this debt is the smallest"),
        ((0, 2), (1, 2), ["6", ""], "these debts are the smallest"),
        ((0, 2), (1, 0), [], "most ducats"),
    ],
)
def test_outcome_names_its_reason(purses, mc, hands, words):
    assert words in str(rules.outcome(ended(2, purses, mc, hands).state).reason)


def test_nobody_moves_after_the_end():
    play = ended(2, (9, 9), (1, 0))
    assert play.phase == Phase.OVER
    assert rules.to_act(play.state) == ()
    for seat in (-1, 0, 1):
        assert not rules.legal(play.state, seat)
        for verb in ("first", "play", "decline", "answer"):
            assert play.refused(verb, 0, seat=seat).startswith("BB-")


def test_outcome_is_none_before_the_end():
    play = ender(2, race=3)
    assert rules.outcome(play.state) is None
    play.end()
    assert rules.outcome(play.state) is None
