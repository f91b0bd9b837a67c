"""Floors, kitchen and last duel: BC-R15 to BC-R22 and their rulings."""

import pytest

from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Phase
from tests.games.buro_crazy.bc_table import STAIRS, Play, own_in_g4
from tests.games.contract import find, kinds


def told(play: Play, kind: str) -> list[dict]:
    return [happened.facts for happened in play.told if happened.kind == kind]


@pytest.mark.parametrize("seats", [3, 5])
def test_bc_r15_bc_a13_single_figure_goes_up_and_pays_ten(seats):
    play = Play(seats).to("P7")
    owner = STAIRS[seats][14]
    play.put({owner: [20, 5, 5, 2]}, roof=[])
    play.put({play.duel[0]: [2], play.duel[1]: []})
    kitchen = play.kitchen
    events = play.decide()
    assert play.pair == "G4"
    assert (play.at("P8"), owner in play.at("G4")) == ([], True)
    assert play.points(owner) == 22
    assert play.piles.roof == [2, 5, 5]  # the winner's 2, and the 10
    assert find(events, "forfeit").seat == owner
    assert find(events, "forfeit").facts["points"] == 10
    assert find(events, "loss").facts["points"] == 10
    assert kitchen - 2 == 60 - find(events, "kitchen").facts["change"]  # the kitchen paid only for P7


@pytest.mark.parametrize(("pair", "target"), [("P1", 80), ("G4", 60), ("F1", 40), ("T", 20)])
def test_bc_r19_kitchen_is_set_before_each_floor(pair, target):
    play = Play(4).to(pair)
    assert play.kitchen == target
    assert find(play.told, "kitchen").facts["points"] == target


@pytest.mark.parametrize(("pair", "following"), [("P3", "P4"), ("G3", "G2"), ("F1", "F2")])
def test_bc_r19_kitchen_is_not_set_within_a_floor(pair, following):
    play = Play(4).to(pair)
    play.put(kitchen=[5, 5])
    events = play.fight([], [2, 1])
    assert play.pair == following
    assert play.kitchen == 7
    assert "kitchen" not in kinds(events)


def test_bc_r20_bc_a16_bc_e8_one_own_figure_goes_up_for_free():
    play = own_in_g4()
    owner = play.duel[0]
    play.put({seat: [] for seat in play.duel}, kitchen=[20, 20, 20])
    before = play.piles
    events = play.decide()
    assert find(events, "own_pair").seat == owner
    assert (play.at("G4"), play.at("F2")) == ([owner], [owner])
    assert play.piles == before
    assert play.pair == "G3"
    assert play.duel.count(owner) < 2
    assert "G4" not in play.decided


@pytest.mark.parametrize("stock", [[], [5], [20, 10]])
def test_bc_r21_roof_fills_kitchen_when_stock_is_short(stock):
    play = Play(4).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=[], stock=stock, roof=[20] * 3 + [10] * 3 + [5] * 3 + [2, 1])
    play.decide()
    assert play.kitchen == 60
    assert play.piles.stock == []
    assert play.roof == 108 - (60 - sum(stock))
    assert told(play, "kitchen")[0]["roof_points"] == 60 - sum(stock)


@pytest.mark.parametrize("pair", ["P1", "G4", "F1", "F2"])
def test_bc_r22_loser_keeps_bid_in_earlier_duels(pair):
    play = Play(4).to(pair)
    winner, loser = play.duel
    play.put({winner: [20, 20, 2], loser: [20, 10, 1]}, kitchen=[10, 5, 5], roof=[])
    play.fight([20, 20], [20, 10])
    assert play.points(loser) == 31 + 10
    assert play.roof == 40


@pytest.mark.parametrize("pair", ["G4", "F1", "T"])
def test_bc_a6_kitchen_gives_its_surplus_to_the_stock(pair):
    before = {"G4": "P8", "F1": "G1", "T": "F2"}[pair]
    play = Play(4).to(before)
    play.put({seat: [] for seat in play.duel}, kitchen=[20, 20, 20, 20, 2, 1])
    stock = play.stock
    play.decide()
    assert play.pair == pair
    assert play.kitchen == {"G4": 60, "F1": 40, "T": 20}[pair]
    assert play.stock == stock + 83 - play.kitchen


def test_bc_a6_kitchen_changes_cards_to_shed_surplus():
    play = Play(4).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=[20] * 4 + [5], stock=[10, 10, 5, 5, 5])
    play.decide()
    assert (play.kitchen, play.stock) == (60, 60)


def test_bc_a14_single_figure_moves_after_p7():
    play = Play(3).to("P7")
    assert play.at("P8") == [2]
    play.decide()
    assert play.at("P8") == []
    assert [(facts["pair"], facts["to"]) for facts in told(play, "up")] == [("P7", "G4"), ("P8", "G4")]
    assert kinds(play.told).index("forfeit") > kinds(play.told).index("gain")


def test_bc_a15_own_pairs_advance_on_upper_floors_too():
    play = Play(4, stairs=(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3))
    while play.pair != "G1":
        play.decide()
    assert play.duel == (0, 2)
    play.put({0: [], 2: []}, kitchen=[20, 20])
    before = play.piles
    play.decide()  # a coin; seat 0 has won everything: F1, F2 and T are its own figures
    assert [facts["pair"] for facts in told(play, "own_pair")] == ["F1", "F2", "T"]
    assert (play.at("F1"), play.at("F2"), play.at("T"), play.at("B")) == ([0], [0], [0], [0])
    assert play.piles.hands == before.hands
    assert play.piles.roof == before.roof
    assert play.view.phase == Phase.ROOF


def test_bc_a17_left_figure_of_own_pair_goes_up():
    play = own_in_g4()
    play.decide()
    board = play.view.board
    assert board[22:24] == (rules.EMPTY, 0)


BRACKET = {
    "G1": ("P1", "P2"), "G2": ("P3", "P4"), "G3": ("P5", "P6"), "G4": ("P7", "P8"),
    "F1": ("G1", "G2"), "F2": ("G3", "G4"), "T": ("F1", "F2"),
}  # fmt: skip


@pytest.mark.parametrize("side", [0, 1])
def test_bc_a18_neighbouring_winners_meet_in_the_office_above(side):
    play = Play(5, stairs=(0, 1, 1, 0, 2, 3, 3, 2, 0, 4, 4, 1, 2, 4, 3))
    winners: dict[str, int] = {"P8": 3}
    while play.view.phase == Phase.BID:
        pair, duel = play.pair, play.duel
        if pair in BRACKET:
            left, right = BRACKET[pair]
            assert duel == (winners[left], winners[right])
        winners[pair] = duel[side]
        play.decide(side)
        winners |= {one.facts["pair"]: one.seat for one in play.told if one.kind == "own_pair"}
    assert play.at("B") == [winners["T"]]


def test_bc_a19_last_duel_ties_like_any_other():
    play = Play(4).to("T")
    left, right = play.duel
    play.put({left: [10, 10, 2], right: [10, 10, 1]}, kitchen=[20], roof=[], stock=[5] * 20 + [2, 2, 1] * 5)
    play.fight([10, 10], [10, 10])
    assert (play.points(left), play.points(right), play.roof) == (12, 11, 20)
    play.fight([2], [1])
    assert (play.points(left), play.points(right)) == (10, 10 + 1)
    assert (play.roof, play.kitchen) == (20 + 3, 19)


def test_bc_a24_kitchen_gets_all_that_is_left():
    play = Play(4).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=[5], stock=[20, 2], roof=[10, 1])
    play.decide()
    assert play.piles.kitchen == [1, 2, 5, 10, 20]
    assert (play.piles.stock, play.piles.roof) == ([], [])
    assert told(play, "kitchen")[0]["points"] == 38


def test_bc_a24_kitchen_never_exceeds_its_target():
    play = Play(4).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=[20, 20, 10], stock=[5], roof=[20, 20])
    play.decide()
    assert play.piles.kitchen == [5, 10, 20, 20]
    assert play.piles.roof == [20, 20]


def test_bc_a30_player_without_figures_keeps_hand_and_waits():
    play = Play(4).to("T")
    waiting = [seat for seat in range(4) if seat not in play.duel]
    hands = {seat: play.piles.hands[seat] for seat in waiting}
    assert all(hands.values())
    for seat in waiting:
        assert not rules.legal(play.state, seat)
    play.put(roof=[5] * 30)
    play.decide()
    assert {seat: play.piles.hands[seat] for seat in waiting} == hands
    assert play.view.phase == Phase.ROOF
