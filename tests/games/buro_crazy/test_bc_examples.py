"""The worked examples of Büro Crazy, BC-E1 to BC-E12, number by number."""

from random import Random

import pytest
from bc_table import STAIRS, Play, at_the_roof, deal, find, kinds, own_in_g4, ranked

from companion.games.buro_crazy.rules import Phase


def test_bc_e1_twenty_three_against_four():
    play = Play(4)
    play.fight([20, 2, 1], [2, 2])
    assert (play.points(0), len(play.piles.hands[0])) == (129, 17)
    assert (play.roof, len(play.piles.roof)) == (23, 3)
    assert (play.points(1), len(play.piles.hands[1])) == (171, 24)
    assert play.kitchen == 61
    assert find(play.told, "gain").facts["cards"] == (10, 5, 2, 2)


def test_bc_e2_a_kitchen_that_runs_out():
    play = Play(4)
    play.put(kitchen=[10, 2])
    play.fight([20, 10], [5])
    assert (play.points(1), play.kitchen) == (164, 0)
    loser = play.duel[1]
    play.fight([5, 2, 2], [2])
    assert (play.points(loser), play.kitchen) == (152, 0)


@pytest.mark.parametrize(
    ("rounding", "tied", "roof", "ended", "total"),
    [("up", 140, 24, (130, 143), 34), ("down", 141, 22, (131, 144), 32)],
)
def test_bc_e3_a_tie_and_then_a_winner(rounding, tied, roof, ended, total):
    play = Play(4, tie_rounding=rounding)
    play.fight([20, 2, 1], [20, 2, 1])
    assert (play.points(0), play.points(1), play.roof) == (tied, tied, roof)
    play.fight([10], [5, 2])
    assert (play.points(0), play.points(1)) == ended
    assert (play.roof, play.kitchen) == (total, 77)
    assert sum(ended) + total + 77 == 384


def test_in_the_first_edition_the_twelve_were_shown_by_breaking_the_twenty():
    play = Play(4, edition=1)
    play.fight([20, 2, 1], [20, 2, 1])
    swaps = [happened.facts for happened in play.told if happened.kind == "swap"]
    assert [(swap["given"], swap["taken"], swap["pile"]) for swap in swaps] == [((20,), (10, 10), "stock")] * 2
    assert play.piles.roof == [2, 2, 10, 10]
    assert play.piles.hands[0].count(10) == 5  # the other half of the 20 and the 1 stay in the hand
    assert play.piles.hands[0].count(1) == 4


def test_in_the_first_edition_twenty_were_lost_without_change():
    play = Play(4, change="none", edition=1)
    play.fight([20, 2, 1], [20, 2, 1])
    assert play.piles.roof == [20, 20]
    assert (play.points(0), play.points(1)) == (132, 132)


def test_in_the_first_edition_a_single_five_was_broken():
    play = Play(4, edition=1)
    play.fight([5], [5])
    assert (play.points(0), play.points(1)) == (149, 149)
    assert play.piles.roof == [1, 1, 2, 2]
    for seat in (0, 1):
        assert play.piles.hands[seat].count(5) == 3
        assert play.piles.hands[seat].count(2) == 5


def test_bc_e5_nothing_against_nothing():
    play = Play(4)
    before = play.piles
    events = play.fight([], [])
    assert play.piles == before
    assert find(events, "duel").facts == {"pair": "P1", "seats": (0, 1), "attempt": 2}


def test_bc_e5_the_third_time_a_coin_is_thrown():
    play = Play(4, zero_tie_limit=3)
    for _ in range(2):
        play.fight([], [])
        assert play.view.phase == Phase.BID
    play.fight([], [])
    assert play.view.phase == Phase.COIN
    play.make("coin", 0)
    assert play.at("G1") == [0]


@pytest.mark.parametrize(
    ("hand", "left", "paid"), [(None, 142, 10), ([5, 2], 0, 7), ([20], 10, 10)], ids=["152", "7", "one 20"]
)
def test_bc_e6_the_single_figure_of_five_players(hand, left, paid):
    play = Play(5).to("P7")
    owner = STAIRS[5][14]
    assert play.points(owner) == 152
    play.put({seat: [] for seat in play.duel} | ({owner: hand} if hand else {}), roof=[], kitchen=[20] * 3)
    play.decide()  # by a coin: only the forfeit moves points
    assert owner in play.at("G4")
    assert (play.points(owner), play.roof) == (left, paid)
    assert play.kitchen == 60


@pytest.mark.parametrize(
    ("kitchen", "adjust", "after", "to_stock"),
    [
        ([20, 20, 20, 1], "exact", 60, 1),
        ([20, 20, 20, 1], "top_up", 61, 0),
        ([20, 5], "exact", 60, -35),
        ([20, 5], "top_up", 60, -35),
        ([], "exact", 60, -60),
        ([], "top_up", 60, -60),
    ],
)
def test_bc_e7_the_kitchen_before_the_ground_floor(kitchen, adjust, after, to_stock):
    play = Play(4, kitchen_adjust=adjust).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=kitchen)
    stock = play.stock
    play.decide()
    assert play.pair == "G4"
    assert (play.kitchen, play.stock - stock) == (after, to_stock)


def test_bc_e8_two_own_figures_in_g4():
    play = own_in_g4()
    play.put({seat: [] for seat in play.duel}, kitchen=[20] * 3)
    before = play.piles.points
    play.decide()
    assert (play.at("G4"), play.at("F2")) == ([0], [0])
    assert play.piles.points == before
    assert play.pair == "G3"


@pytest.mark.parametrize(
    ("high", "low", "gain", "roof"), [([20, 20], [20, 10, 2, 1], 7, 73), ([20, 20, 20], [10], 20, 70)]
)
def test_bc_e9_the_last_duel(high, low, gain, roof):
    play = Play(4).to("T")
    winner, loser = play.duel
    play.put({winner: [20] * 4, loser: [20, 10, 10, 2, 1]}, kitchen=[10, 5, 2, 2, 1], roof=[])
    play.fight(high, low)
    assert play.points(winner) == 80 - sum(high)
    assert play.points(loser) == 43 - sum(low) + gain
    assert (play.roof, play.kitchen) == (roof, 20 - gain)


def test_bc_e10_forty_seven_cards_on_the_roof():
    play = at_the_roof([1] * 5 + [2] * 10 + [5] * 12 + [10] * 10 + [20] * 10)
    boss, challenger, first, second = (play.at(place)[0] for place in ("B", "T", "F1", "F2"))
    assert play.view.pile_size == 5
    before = [len(hand) for hand in play.piles.hands]
    deal(play, Random(10))
    gained = [len(hand) - had for hand, had in zip(play.piles.hands, before, strict=True)]
    due = [0] * 4
    for seat, cards in ((boss, 15), (challenger, 10), (first, 5), (second, 5)):
        due[seat] += cards
    assert gained == due
    assert len(play.piles.roof) == 10 + 2  # two piles aside, two cards to the box


def test_bc_e10_eight_cards_on_the_roof():
    play = at_the_roof([1] * 8)
    assert play.view.phase == Phase.OVER
    assert len(play.piles.roof) == 8


def test_bc_e11_who_stays_on_the_stairs_cannot_win_and_the_boss_outranks():
    ranking = ranked({0: 210, 1: 210, 2: 260}, {"B": [0], "F1": [1]})
    assert ranking[0] == (0,)
    assert ranking == ((0,), (1,), (2,))


def test_bc_e12_the_order_of_the_pairs():
    order = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "G4", "G3", "G2", "G1", "F1", "F2", "T"]
    play = Play(4)
    assert [play.view.pair, *play.view.to_come] == order
    assert play.to("roof").decided == order
    assert "duel" not in kinds(play.told)
