"""Each value of each of Büro Crazy's house rules."""

import pytest

from companion.core.errors import OptionError
from companion.core.handicaps import badge_of
from companion.core.move import TABLE, SecretMove
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Phase, Rulings
from companion.games.buro_crazy.rules.change import worth
from tests.games.buro_crazy.bc_table import BOX, Play, at_the_roof, cards_of
from tests.games.contract import find, kinds

# tracking


def test_tracking_cards_bids_and_shows_cards():
    play = Play(4, tracking="cards")
    assert {move.verb for move in rules.legal(play.state, 0)} == {"commit"}
    assert play.refused("total", 5, seat=0) == "BC-R7"
    assert play.refused("counted", 5) == "BC-R23"
    play.bid(0, [20])
    assert find(play.bid(1, [5, 5]), "reveal").facts["bids"] == ((20,), (5, 5))


def test_tracking_points_bids_points():
    play = Play(4, tracking="points")
    assert {move.verb for move in rules.legal(play.state, 0)} == {"total"}
    assert len(rules.legal(play.state, 0)) == 153
    for points in (-1, 153):
        assert play.refused("total", points, seat=0) == "BC-R7"
    assert play.refused("commit", 1, 0, 0, 0, 0, seat=0) == "BC-R7"
    assert type(rules.legal(play.state, 0)[17]) is SecretMove
    play.bid(0, [])
    events = play.bid(1, [20, 3])
    assert find(events, "reveal").facts["totals"] == (0, 23)
    assert find(events, "reveal").facts["bids"] == ((), ())


def test_tracking_points_knows_the_points_everywhere():
    play = Play(4, tracking="points")
    assert play.piles.points == (152, 152, 152, 152, 80, 452, 0)
    assert (play.view.kitchen_points, play.view.stock_points) == (80, 452)
    assert play.own(2).hand == (152,)
    play.fight([20, 3], [4])
    assert play.piles.points == (129, 171, 152, 152, 61, 452, 23)


@pytest.mark.parametrize(("bid", "lost"), [(23, 12), (20, 10), (1, 1)])
def test_tracking_points_pays_every_amount_exactly(bid, lost):
    play = Play(4, tracking="points", change="none")
    play.fight([bid], [bid])
    assert play.piles.points[:2] == (152 - lost, 152 - lost)
    assert play.roof == 2 * lost
    assert "swap" not in kinds(play.told)


def test_tracking_points_kitchen_pays_what_it_has():
    play = Play(4, tracking="points")
    play.fight([100], [])
    assert play.piles.points[:2] == (52, 232)
    assert play.kitchen == 0


@pytest.mark.parametrize(("held", "paid"), [(152, 10), (11, 10), (10, 10), (7, 7), (0, 0)])
def test_tracking_points_forfeit_is_ten_or_all(held, paid):
    play = Play(3, tracking="points").to("P7")
    single = play.at("P8")[0]
    hands = [(held,) if seat == single else hand for seat, hand in enumerate(play.state.hands)]
    play.state = play.state._replace(hands=tuple(hands))
    play.decide()
    assert play.points(single) == held - paid
    assert single in play.at("G4")


def test_tracking_points_house_counts_the_roof():
    play = Play(4, tracking="points")
    assert play.view.roof_cards == 0
    before = play.state
    events = play.make("counted", 12)
    assert find(events, "counted").facts == {"cards": 12}
    assert play.view.roof_cards == 12
    assert play.state == before._replace(told=12)
    for cards in (-1, 151):
        assert play.refused("counted", cards) == "BC-R23"
    assert play.refused("counted", 5, 5) == "BC-R23"
    assert not play.accepts("counted", 5, seat=0)


def test_tracking_points_count_leaves_locked_bids_alone():
    play = Play(4, tracking="points")
    play.bid(1, [30])
    play.make("counted", 3)
    assert play.view.locked == (1,)
    assert find(play.bid(0, []), "reveal").facts["totals"] == (0, 30)


def test_tracking_points_count_expires_when_roof_grows():
    play = Play(4, tracking="points")
    play.make("counted", 3)
    play.fight([], [])
    assert play.view.roof_cards == 3
    play.fight([5], [3])
    assert play.view.roof_cards == 0
    play.make("counted", 1)
    play.fight([4], [4])
    assert play.view.roof_cards == 0


def test_tracking_points_ends_with_everybodys_report():
    play = Play(4, tracking="points").to("roof")
    play.hold({0: 100, 1: 200, 2: 300, 3: 200})
    assert rules.draws(play.state) == ()
    assert set(rules.to_act(play.state)) == {TABLE, 0, 1, 2, 3}
    assert play.refused("roof", 1) == "BC-R23"
    events = play.make("counted", 47)
    assert find(events, "piles").facts["each"] == play.view.pile_size == 5
    for seat, points in enumerate((100, 200, 300, 200)):
        events = play.make("report", points, seat=seat)
    assert play.view.phase == Phase.OVER
    assert play.view.points == (100, 200, 300, 200)
    assert play.view.outcome.winners == (2,)


# kitchen_adjust


@pytest.mark.parametrize(("option", "kitchen"), [("exact", 60), ("top_up", 75)])
@pytest.mark.parametrize("tracking", ["cards", "points"])
def test_kitchen_adjust_decides_whether_surplus_leaves(option, kitchen, tracking):
    play = Play(4, kitchen_adjust=option, tracking=tracking, zero_tie_limit=1)
    while play.pair != "P8":
        play.fight([], [])
        play.make("coin", play.duel[0])
    play.fight([5], [])
    assert (play.pair, play.kitchen) == ("G4", kitchen)


# tie_rounding


@pytest.mark.parametrize(("option", "bid", "lost"), [("up", 7, 4), ("down", 7, 3), ("up", 8, 4), ("down", 8, 4)])
@pytest.mark.parametrize("tracking", ["cards", "points"])
def test_tie_rounding_applies_to_odd_bids(option, bid, lost, tracking):
    play = Play(4, tie_rounding=option, tracking=tracking)
    cards = [5, 2] if bid == 7 else [5, 2, 1]
    play.fight(cards, cards)
    assert play.piles.points[:2] == (152 - lost, 152 - lost)
    assert play.roof == 2 * lost


def test_tie_rounding_down_makes_one_point_ties_free():
    play = Play(4, tie_rounding="down")
    before = play.piles
    play.fight([1], [1])
    assert play.piles == before
    assert play.view.attempt == 2


# change


def test_change_stock_and_roof_pays_exactly():
    play = Play(4, change="stock_and_roof")
    play.put(kitchen=[20], stock=[10, 10])
    play.fight([10], [])
    assert (play.points(1), play.kitchen) == (162, 10)


def test_change_none_rounds_a_gain_down():
    play = Play(4, change="none")
    play.put(kitchen=[20, 5], stock=[10, 10])
    play.fight([10], [])
    assert (play.points(1), play.kitchen) == (157, 20)


@pytest.mark.parametrize(
    ("kitchen", "stock", "option", "after"),
    [
        ([20, 20, 10, 5, 2, 2, 2], [2, 2, 1], "none", 61),  # cannot show 60
        ([20, 20, 10, 5, 2, 2, 2], [2, 2, 1], "stock_and_roof", 60),
        ([20, 20, 10, 5], [20, 2], "none", 57),
        ([20, 20, 20, 5], [], "none", 60),
    ],
)
def test_change_helps_set_the_kitchen_exactly(kitchen, stock, option, after):
    play = Play(4, change=option).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=kitchen, stock=stock, roof=[])
    play.decide()
    assert (play.pair, play.kitchen) == ("G4", after)


# zero_tie_limit


@pytest.mark.parametrize("limit", [1, 2, 3, 99])
def test_zero_tie_limit_calls_for_a_coin(limit):
    play = Play(4, zero_tie_limit=limit)
    for _ in range(limit - 1):
        play.fight([], [])
        assert play.view.phase == Phase.BID
    before = play.piles
    events = play.fight([], [])
    assert play.view.phase == Phase.COIN
    assert kinds(events) == ["reveal", "tie", "toss"]
    play.make("coin", 1)
    assert play.at("G1") == [1]
    assert play.piles == before
    assert play.view.zeros == 0


def test_zero_tie_limit_counts_consecutive_ties():
    play = Play(4, zero_tie_limit=2)
    play.fight([], [])
    play.fight([5], [5])
    play.fight([], [])
    assert play.view.phase == Phase.BID
    play.fight([], [])
    assert play.view.phase == Phase.COIN


def test_zero_tie_limit_counts_within_one_duel():
    play = Play(4, zero_tie_limit=2)
    play.fight([], [])
    play.fight([1], [])
    play.fight([], [])
    assert (play.pair, play.view.phase) == ("P2", Phase.BID)


def test_zero_tie_limit_never_delays_empty_hands_coin():
    play = Play(4, zero_tie_limit=5)
    play.put({0: [], 1: []})
    play.fight([], [])
    assert play.view.phase == Phase.COIN


# bid_entry


def test_bid_entry_changes_no_rule():
    one, other = Play(4, bid_entry="cards"), Play(4, bid_entry="total")
    for play in (one, other):
        play.fight([20, 1], [10, 10])
    assert one.piles == other.piles
    assert list(rules.legal(one.state, 2)) == list(rules.legal(other.state, 2))


def test_tracking_cards_roof_is_dealt_or_reported():
    play = at_the_roof([1] * 9, tracking="cards")
    assert {move.verb for seat in range(-1, 4) for move in rules.legal(play.state, seat)} == {"roof", "report"}
    assert cards_of(play.state.roof) == [1] * 9


def test_bc_a31_handicap_is_the_fewest_stock_cards():
    plain, state = (rules.setup(BOX, Rulings(**more), 3) for more in ({}, {"handicap_2": 18, "handicap_5": 30}))
    assert [cards_of(hand) for hand in state.hands[::2]] == [cards_of(hand) for hand in plain.hands[::2]]
    assert sorted(cards_of(state.hands[1])) == sorted([*cards_of(plain.hands[1]), 10, 5, 2, 1])
    assert sorted([*cards_of(state.stock), 10, 5, 2, 1]) == sorted(cards_of(plain.stock))
    assert [str(badge_of(Rulings(handicap_2=more), 1)) for more in (1, 18)] == ["+1 point", "+18 points"]


def test_bc_a31_tracking_points_adds_handicap_as_points():
    state = rules.setup(BOX, Rulings(tracking="points", handicap_1=18), 3)
    assert state.hands == ((170,), (152,), (152,))


def test_bc_a31_handicap_is_dealt_before_stock_leaves():
    state = rules.setup(BOX, Rulings(refill="roof", handicap_1=30), 5)
    assert worth(state.hands[0], BOX.values) == 182
    assert not sum(state.stock)


@pytest.mark.parametrize("points", range(31))
def test_bc_a31_box_has_cards_for_any_handicap(points):
    every = {f"handicap_{seat}": points for seat in range(1, 6)}
    state = rules.setup(BOX, Rulings(**every), 5)
    assert {worth(hand, BOX.values) for hand in state.hands} == {152 + points}


def test_bc_a31_stock_without_handicap_cards_is_refused():
    deck = tuple(5 * hand + kitchen for hand, kitchen in zip(BOX.hand, BOX.kitchen, strict=True))
    with pytest.raises(OptionError, match="the stock does not have the cards for a handicap of 5 points"):
        rules.setup(BOX._replace(deck=deck), Rulings(handicap_3=5), 5)
