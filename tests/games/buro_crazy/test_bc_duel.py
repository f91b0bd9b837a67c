"""A duel of Büro Crazy: BC-R7 to BC-R14 and their rulings."""

from itertools import product

import pytest

from companion.core.move import TABLE, Move, SecretMove
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Phase
from tests.games.buro_crazy.bc_table import STAIRS, Play, cards_of
from tests.games.contract import find, kinds

FULL = [1] * 4 + [2] * 4 + [5] * 4 + [10] * 4 + [20] * 4


@pytest.fixture
def play() -> Play:
    """A table of four where seats 0 and 1 duel."""
    return Play(4)


def test_bc_r7_bid_is_any_choice_of_hand_cards(play):
    play.put({0: [1, 2, 2, 20]})
    bids = {move.args for move in rules.legal(play.state, 0)}
    assert bids == {(a, b, 0, 0, c) for a, b, c in product((0, 1), (0, 1, 2), (0, 1))}
    assert len(rules.legal(play.state, 1)) == 5**5


@pytest.mark.parametrize("args", [(2, 0, 0, 0, 0), (0, 0, 1, 0, 0), (-1, 0, 0, 0, 0), (1, 0, 0, 0), (0,) * 6, ()])
def test_bc_r7_cards_outside_the_hand_are_refused(play, args):
    play.put({0: [1, 2, 2, 20]})
    assert play.refused("commit", *args, seat=0) == "BC-R7"


def test_bc_r7_only_the_duellists_bid(play):
    assert rules.to_act(play.state) == (0, 1)
    for seat in (2, 3, 4, TABLE):
        assert not play.accepts("commit", 0, 0, 0, 0, 0, seat=seat)
    assert not play.accepts("total", 5, seat=0)


def test_bc_r8_bids_are_hidden_until_both_lock(play):
    before = play.view
    assert kinds(play.bid(1, [20, 20])) == ["locked"]
    assert play.view == before._replace(locked=(1,))
    events = play.bid(0, [5])
    assert find(events, "reveal").facts == {
        "pair": "P1",
        "seats": (0, 1),
        "bids": ((5,), (20, 20)),
        "totals": (5, 40),
    }
    assert find(events, "reveal").seen_by is None


def test_bc_r8_order_of_locking_does_not_matter():
    one, other = Play(4), Play(4)
    one.bid(0, [20, 2, 1])
    told = one.bid(1, [2, 2])
    other.bid(1, [2, 2])
    assert (told, one.state) == (other.bid(0, [20, 2, 1]), other.state)


@pytest.mark.parametrize(
    ("left", "right", "winner"),
    [([2], [1], 0), ([1, 1, 1], [2], 0), ([], [1], 1), ([5, 5], [10, 1], 1), (FULL, FULL[1:], 0)],
)
def test_bc_r9_higher_total_wins(play, left, right, winner):
    events = play.fight(left, right)
    assert find(events, "up").seat == winner
    assert play.at("G1") == [winner]


def test_bc_r10_bid_goes_to_roof_and_figure_up(play):
    events = play.fight([2, 2], [20, 2, 1])
    assert play.piles.roof == [1, 2, 20]
    assert play.piles.hands[1] == [1] * 3 + [2] * 3 + [5] * 4 + [10] * 4 + [20] * 3
    assert (play.at("P1"), play.at("G1")) == ([0], [1])
    assert find(events, "discard").facts == {"points": 23, "cards": (20, 2, 1)}
    assert find(events, "up").facts == {"pair": "P1", "to": "G1"}
    assert play.pair == "P2"


def test_bc_r11_loser_keeps_bid_and_gets_the_difference(play):
    events = play.fight([2, 2], [20, 2, 1])
    assert play.points(0) == 152 + 19
    assert sorted(play.piles.hands[0]) == sorted([*FULL, 10, 5, 2, 2])
    assert play.kitchen == 61
    assert find(events, "gain").seat == 0
    assert find(events, "gain").facts == {"points": 19, "due": 19, "cards": (10, 5, 2, 2)}


def test_bc_r11_difference_comes_in_the_fewest_cards(play):
    play.put(kitchen=[1] * 10 + [2] * 5 + [5, 5, 10])
    play.fight([10], [])
    assert play.piles.kitchen == [1] * 10 + [2] * 5 + [5, 5]


@pytest.mark.parametrize(("kitchen", "gained"), [([], 0), ([1], 1), ([2, 5], 7), ([5, 5], 10), ([10, 5], 10)])
def test_bc_r12_kitchen_pays_what_it_has_stock_nothing(play, kitchen, gained):
    play.put(kitchen=kitchen)
    stock = play.stock
    events = play.fight([10], [])
    assert play.points(1) == 152 + gained
    assert play.kitchen == sum(kitchen) - gained
    assert play.stock == stock
    assert find(events, "gain").facts["points"] == gained


def test_bc_r13_tie_costs_half_and_is_fought_again(play):
    before = play.piles
    events = play.fight([10, 2], [5, 5, 2])
    assert (play.points(0), play.points(1), play.roof) == (146, 146, 12)
    assert play.piles.kitchen == before.kitchen
    assert (play.pair, play.duel) == ("P1", (0, 1))
    assert (play.at("P1"), play.at("G1")) == ([0, 1], [])
    assert find(events, "tie").facts == {"seats": (0, 1), "points": 12, "half": 6}
    assert find(events, "duel").facts["attempt"] == play.view.attempt == 2


def test_bc_r13_next_bid_comes_from_the_changed_hand(play):
    play.put({0: [2, 2], 1: [2, 2]})
    play.fight([2, 2], [2, 2])
    assert play.piles.hands[0] == play.piles.hands[1] == [2]
    play.fight([2], [])
    assert play.at("G1") == [0]


def test_bc_r14_losers_figure_never_moves_again(play):
    play.to("G4")
    losers = {place: play.at(place) for place in ("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8")}
    play.to("roof")
    assert {place: play.at(place) for place in losers} == losers
    assert losers == {"P1": [1], "P2": [3], "P3": [0], "P4": [2], "P5": [0], "P6": [1], "P7": [3], "P8": [2]}
    assert [len(play.at(place)) for place in ("G1", "G2", "G3", "G4", "F1", "F2", "T", "B")] == [1] * 8


def test_bc_a4_kitchen_changes_a_card_with_stock(play):
    play.put(kitchen=[20, 20], stock=[10, 5, 5, 2, 2, 1])
    events = play.fight([2, 1], [])
    assert play.points(1) == 155
    assert play.kitchen == 37
    assert play.stock == 25
    swap = find(events, "swap")
    assert swap.seen_by is None
    assert (swap.facts["payer"], swap.facts["pile"], swap.facts["given"]) == ("kitchen", "stock", (20,))
    assert sum(swap.facts["taken"]) == 20


def test_bc_a4_kitchen_changes_with_roof_if_stock_cannot(play):
    play.put(kitchen=[20, 20], stock=[20, 20], roof=[10, 5, 2, 2])
    events = play.fight([1, 2], [])
    assert play.points(1) == 155
    assert (play.kitchen, play.stock) == (37, 40)
    assert play.roof == 19 + 3
    assert find(events, "swap").facts["pile"] == "roof"


def test_bc_a4_unchangeable_gain_is_rounded_down(play):
    play.put(kitchen=[20, 5, 5], stock=[20])
    events = play.fight([10, 2], [])
    assert play.points(1) == 162
    assert find(events, "gain").facts == {"points": 10, "due": 12, "cards": (5, 5)}
    assert "swap" not in kinds(events)


@pytest.mark.parametrize(("kitchen", "gains"), [([10, 2], (12, 0)), ([20], (20, 0)), ([], (0, 0))])
def test_bc_a5_bc_e2_short_kitchen_pays_everything(play, kitchen, gains):
    play.put(kitchen=kitchen)
    play.fight([20, 10], [5])
    assert play.points(1) == 152 + gains[0]
    assert play.piles.kitchen == []
    play.fight([5, 2, 2], [2])
    assert play.points(3) == 152 + gains[1]


@pytest.mark.parametrize(
    ("bid", "lost"), [([1], 1), ([2, 1], 2), ([5, 2], 4), ([20, 2, 1], 12), ([2], 1), ([20], 10)]
)
def test_bc_a7_half_of_an_odd_bid_rounds_up(play, bid, lost):
    play.fight(bid, bid)
    assert (play.points(0), play.points(1), play.roof) == (152 - lost, 152 - lost, 2 * lost)


def test_bc_a8_roof_changes_what_the_stock_cannot(play):
    play.put(stock=[20], roof=[10, 10, 10, 10])
    play.fight([20], [20])
    assert (play.points(0), play.points(1)) == (142, 142)
    assert (play.roof, play.piles.stock) == (60, [20])


def test_bc_a8_lost_and_changed_cards_stay_private():
    play = Play(4)
    play.put({0: [20, 2, 1], 1: [20, 2, 1]})
    events = play.fight([20, 2, 1], [20, 1, 2])
    for seat in (0, 1):
        own = [happened for happened in events if happened.seen_by == (seat,)]
        assert kinds(tuple(own)) == ["swap", "lost_cards"]
        assert own[1].facts["cards"] == (10, 2)
    public = [happened for happened in events if happened.seen_by is None]
    assert [(one.seat, one.facts) for one in public if one.kind == "loss"] == [
        (seat, {"points": 12, "due": 12, "n": 2}) for seat in (0, 1)
    ]
    assert not {"swap", "lost_cards"} & {happened.kind for happened in public}


def test_bc_a9_ties_repeat_without_limit():
    play = Play(4)
    bids = [*[[20]] * 7, [1], [1], [20]]
    for attempt, bid in enumerate(bids, 2):
        events = play.fight(bid, bid)
        assert kinds(events)[-1] == "duel"
        assert (play.pair, play.view.attempt) == ("P1", attempt)
    play.fight([], [20])
    assert (play.pair, play.view.attempt) == ("P2", 1)


@pytest.mark.parametrize("ties", [1, 5, 40])
def test_bc_a10_bc_e5_tie_of_nothing_is_free_and_repeated(play, ties):
    before = play.piles
    for _ in range(ties):
        events = play.fight([], [])
        assert kinds(events) == ["reveal", "tie", "duel"]
    assert find(events, "duel").facts == {"pair": "P1", "seats": (0, 1), "attempt": ties + 1}
    assert play.piles == before
    assert (play.pair, play.view.phase) == ("P1", Phase.BID)


def test_bc_a11_coin_decides_two_empty_hands(play):
    play.put({0: [], 1: []})
    before = play.piles
    events = play.fight([], [])
    assert kinds(events) == ["reveal", "tie", "toss"]
    assert play.view.phase == Phase.COIN
    assert rules.to_act(play.state) == (TABLE,)
    assert {move.args for move in rules.draws(play.state)} == {(0,), (1,)}
    for seat in (0, 1):
        assert not rules.legal(play.state, seat)
    assert play.refused("coin", 2) == "BC-A10"
    events = play.make("coin", 1)
    assert find(events, "coin").seat == play.view.last.winner == 1
    assert (play.at("P1"), play.at("G1"), play.pair) == ([0], [1], "P2")
    assert play.piles == before


def test_bc_a11_one_card_is_enough_to_bid_again(play):
    play.put({0: [], 1: [1]})
    play.fight([], [])
    assert play.view.phase == Phase.BID
    play.fight([], [1])
    assert play.at("G1") == [1]


def test_bc_a25_bid_can_be_retracted_until_rival_locks(play):
    play.bid(0, [20])
    assert [tuple(move) for move in rules.legal(play.state, 0)] == [(0, "retract", ())]
    assert kinds(play.make("retract", seat=0)) == ["unlocked"]
    assert play.view.locked == ()
    play.bid(0, [5])
    assert find(play.bid(1, []), "reveal").facts["totals"] == (5, 0)
    assert play.refused("retract", seat=0) == "BC-A25"


def test_bc_a25_only_own_locked_bid_can_be_retracted(play):
    assert play.refused("retract", seat=0) == "BC-A25"
    play.bid(0, [20])
    assert play.refused("retract", seat=1) == "BC-A25"
    assert play.refused("retract", seat=2) == "BC-A25"
    assert play.refused("retract", 1, seat=0) == "BC-A25"


def test_bc_a25_locked_bid_cannot_be_replaced(play):
    play.bid(0, [20])
    assert play.refused("commit", 0, 0, 0, 0, 0, seat=0) == "BC-R7"


def test_bc_a26_points_and_counts_of_hands_stay_secret(play):
    other = Play(4)
    other.put({seat: [1] for seat in range(4)})
    assert other.view == play.view
    assert rules.view(other.state, 2)._replace(hand=None) == rules.view(play.state, 2)._replace(hand=None)
    assert play.view.hand is None
    assert play.view.points == ()


def test_bc_a28_bc_e1_seating_does_not_change_the_example():
    results = []
    for names in ((0, 1, 2, 3), (3, 2, 1, 0)):
        play = Play(4, stairs=tuple(names[seat] for seat in STAIRS[4]))
        winner, loser = names[:2]
        assert play.duel == (winner, loser)
        play.fight([20, 2, 1], [2, 2])
        results.append((play.points(winner), play.points(loser), play.kitchen, play.roof))
    assert results == [(129, 171, 61, 23)] * 2


def test_bids_are_secret_moves(play):
    legal = rules.legal(play.state, 0)
    assert {type(legal[n]) for n in (0, 7, len(legal) - 1)} == {SecretMove}
    assert type(next(iter(legal))) is SecretMove
    play.bid(0, [])
    assert {type(move) for move in rules.legal(play.state, 0)} == {Move}


def test_bid_is_seen_only_by_its_owner(play):
    play.bid(0, [20, 2])
    assert cards_of(play.own(0).bid) == [2, 20]
    for seat in (None, 1, 2, 3):
        assert rules.view(play.state, seat).bid is None
