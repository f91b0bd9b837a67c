"""The worked examples BC-E1 to BC-E12."""

import pytest

from tests.games.buro_crazy.bc_table import STAIRS, Play, ranked
from tests.games.contract import find, kinds


@pytest.mark.parametrize(
    ("rounding", "tied", "roof", "ended", "total"),
    [("up", 140, 24, (130, 143), 34), ("down", 141, 22, (131, 144), 32)],
)
def test_bc_e3_tie_costs_halves_then_winner_pays(rounding, tied, roof, ended, total):
    play = Play(4, tie_rounding=rounding)
    play.fight([20, 2, 1], [20, 2, 1])
    assert (play.points(0), play.points(1), play.roof) == (tied, tied, roof)
    play.fight([10], [5, 2])
    assert (play.points(0), play.points(1)) == ended
    assert (play.roof, play.kitchen) == (total, 77)
    assert sum(ended) + total + 77 == 384


@pytest.mark.parametrize(
    ("hand", "left", "paid"),
    [(None, 142, 10), ([5, 2], 0, 7), ([], 0, 0), ([1] * 9, 0, 9), ([10], 0, 10), ([10, 1], 1, 10), ([20], 10, 10)],
)
def test_bc_a12_bc_e6_forfeit_is_ten_or_all_points(hand, left, paid):
    play = Play(5).to("P7")
    owner = STAIRS[5][14]
    assert play.points(owner) == 152
    play.put({seat: [] for seat in play.duel} | ({} if hand is None else {owner: hand}), roof=[], kitchen=[20] * 3)
    play.decide()  # by a coin: only the forfeit moves points
    assert owner in play.at("G4")
    assert (play.points(owner), play.roof) == (left, paid)
    assert play.kitchen == 60


@pytest.mark.parametrize(
    ("kitchen", "adjust", "after", "to_stock"),
    [
        ([20, 20, 20, 1], "exact", 60, 1),
        ([20, 20, 20, 1], "top_up", 61, 0),
        ([20, 20, 20], "exact", 60, 0),
        ([20, 5], "exact", 60, -35),
        ([20, 5], "top_up", 60, -35),
        ([], "exact", 60, -60),
        ([], "top_up", 60, -60),
    ],
)
def test_bc_r19_bc_e7_kitchen_is_set_before_ground_floor(kitchen, adjust, after, to_stock):
    play = Play(4, kitchen_adjust=adjust).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=kitchen, roof=[])
    stock = play.stock
    play.decide()  # a coin: no cards move
    assert play.pair == "G4"
    assert (play.kitchen, play.stock - stock, play.roof) == (after, to_stock, 0)
    assert find(play.told, "kitchen").facts["change"] == -to_stock


@pytest.mark.parametrize(
    ("high", "low", "gain", "roof"), [([20, 20], [20, 10, 2, 1], 7, 73), ([20, 20, 20], [10], 20, 70)]
)
def test_bc_r22_bc_e9_last_duels_loser_discards_too(high, low, gain, roof):
    play = Play(4).to("T")
    winner, loser = play.duel
    play.put({winner: [20] * 4, loser: [20, 10, 10, 2, 1]}, kitchen=[10, 5, 2, 2, 1], roof=[])
    events = play.fight(high, low)
    assert [happened.seat for happened in events if happened.kind == "discard"] == sorted((winner, loser))
    assert play.points(winner) == 80 - sum(high)
    assert play.points(loser) == 43 - sum(low) + gain
    assert (play.roof, play.kitchen) == (roof, 20 - gain)


def test_bc_r27_bc_e11_stairs_cannot_win_and_boss_outranks():
    ranking = ranked({0: 210, 1: 210, 2: 260}, {"B": [0], "F1": [1]})
    assert ranking == ((0,), (1,), (2,))


def test_bc_r16_bc_r17_bc_r18_bc_e12_pairs_play_in_order():
    order = ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "G4", "G3", "G2", "G1", "F1", "F2", "T"]
    play = Play(4)
    assert [play.view.pair, *play.view.to_come] == order
    assert play.to("roof").decided == order
    assert "duel" not in kinds(play.told)
