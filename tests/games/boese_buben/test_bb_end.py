"""The end of the match, BB-R25 to BB-R27: what MC cards cost, who cannot pay, who has won."""

import pytest

from companion.games.boese_buben import rules
from companion.games.boese_buben.rules import Phase
from tests.games.boese_buben.bb_table import Play, ender
from tests.games.contract import kinds


def ended(seats: int, purses: tuple[int, ...], mc: tuple[int, ...], hands: list[str] | None = None) -> Play:
    """Return a match that is over; `mc` as they are when it is paid for, of which red has one at least."""
    play = ender(seats, race=4, purses=purses, mc=(mc[0] - 1, *mc[1:]), hands=hands or [])
    play.end()
    assert play.mc == mc
    return play


@pytest.mark.parametrize(("cards", "cost"), [(1, 1), (2, 3), (3, 5), (4, 8), (5, 11), (7, 17)])
def test_bb_r25_bb_a15_mc_cards_cost_more_the_more_there_are(cards, cost):
    play = ended(2, (20, 10), (cards, 0))
    assert play.purses == (20 - cost, 10)
    assert play.bank == 84 - sum(play.purses)


def test_bb_r25_no_mc_card_costs_nothing():
    play = ended(3, (20, 3, 2), (1, 0, 1))
    assert play.purses == (19, 3, 1)


def test_bb_r25_mc_cards_are_paid_after_race_4_only():
    play = ender(2, race=3, purses=(9, 9))
    play.end()
    assert play.mc == (1, 0)
    assert play.purses == (9, 9)


def test_bb_r25_the_prizes_of_race_4_come_first():
    play = ender(2, race=4, purses=(0, 6), lanes=["R6 B5"])
    play.end()
    assert play.purses == (2, 6)  # 0 and the 3 of lane 1, of which 1 is paid
    assert play.ranking == ((1,), (0,))


def test_bb_r26_who_cannot_pay_is_last_even_with_the_most_ducats():
    play = ended(3, (2, 0, 1), (2, 0, 0))
    assert play.ranking == ((2,), (1,), (0,))


def test_bb_r26_who_can_pay_exactly_is_not_last():
    play = ended(2, (3, 0), (2, 0), ["6", "4"])
    assert play.purses == (0, 0)
    assert play.ranking == ((0,), (1,))  # equal in ducats, more points in hand


def test_bb_a32_who_cannot_pay_keeps_what_he_has():
    play = ended(3, (2, 5, 6), (2, 1, 0))
    assert play.purses == (2, 4, 6)
    assert play.ranking == ((2,), (1,), (0,))


@pytest.mark.parametrize(
    ("purses", "mc", "ranking"),
    [
        ((0, 0, 9), (1, 2, 0), ((2,), (0,), (1,))),  # 1 missing, 3 missing
        ((2, 0, 9), (2, 1, 0), ((2,), (0, 1))),  # 1 missing each
        ((2, 4, 9), (2, 3, 0), ((2,), (0, 1))),
        ((0, 4, 9), (2, 3, 0), ((2,), (1,), (0,))),
    ],
)
def test_bb_a31_those_who_cannot_pay_are_ranked_by_what_is_missing(purses, mc, ranking):
    """Their cards in hand do not part them."""
    assert ended(3, purses, mc, ["", "6 5", ""]).ranking == ranking


def test_bb_a31_nobody_can_pay():
    play = ended(2, (0, 2), (1, 3))
    assert play.ranking == ((0,), (1,))


@pytest.mark.parametrize(
    ("purses", "ranking"),
    [
        ((9, 7, 5), ((0,), (1,), (2,))),  # red pays 1
        ((5, 7, 9), ((2,), (1,), (0,))),
        ((7, 9, 5), ((1,), (0,), (2,))),
    ],
)
def test_bb_r27_the_most_ducats_win(purses, ranking):
    assert ended(3, purses, (1, 0, 0)).ranking == ranking


def test_bb_a30_what_is_still_tied_is_shared():
    play = ended(4, (7, 6, 6, 2), (1, 0, 0, 0), ["4 2", "6", "0 6", "6"])
    assert play.ranking == ((0, 1, 2), (3,))
    assert rules.outcome(play.state).winners == (0, 1, 2)


def test_bb_a33_the_bank_never_runs_out_but_warns():
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


def test_bb_a33_no_warning_while_there_is_money():
    play = Play(2, variant="action").put(["R5 B2", "", ""], hands=["4a 1", "1"], purses=(42, 41))
    play.lay("R4a", 3)
    assert "bank_empty" not in kinds(play.make("eject", 1, 1, seat=0))


def test_bb_a33_prizes_are_paid_in_full_by_an_empty_bank():
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
def test_the_outcome_says_why(purses, mc, hands, words):
    assert words in str(rules.outcome(ended(2, purses, mc, hands).state).reason)


def test_after_the_end_nobody_moves():
    play = ended(2, (9, 9), (1, 0))
    assert play.phase == Phase.OVER
    assert rules.to_act(play.state) == ()
    for seat in (-1, 0, 1):
        assert not rules.legal(play.state, seat)
        for verb in ("first", "play", "decline", "answer"):
            assert play.refused(verb, 0, seat=seat).startswith("BB-")


def test_there_is_no_outcome_before_the_end():
    play = ender(2, race=3)
    assert rules.outcome(play.state) is None
    play.end()
    assert rules.outcome(play.state) is None
