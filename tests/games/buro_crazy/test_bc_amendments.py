"""Change, refills, forfeits, reports and colours, each with a worked example."""

from random import Random

import pytest

from companion.core.console import Keyed
from companion.core.errors import OptionError
from companion.core.move import TABLE, Move, SecretMove
from companion.games.buro_crazy import console, rules
from companion.games.buro_crazy.game import GAME
from companion.games.buro_crazy.rules import Phase, Rulings
from companion.match.new_match import new_match
from companion.match.robots import bots_named
from companion.match.virtual_table import VirtualTable
from tests.games.buro_crazy.bc_table import BOX, Play, at_the_roof, board_of, ended, ranked
from tests.games.contract import find, kinds

# BC-A8: payments


def lost(play: Play, seat: int) -> tuple[int, ...]:
    """Return the cards that a seat lost in the last tie."""
    (own,) = [event for event in play.told if event.kind == "lost_cards" and event.seat == seat]
    return own.facts["cards"]


def test_bc_e3_hand_cards_complete_the_exact_loss():
    play = Play(4)
    play.fight([20, 2, 1], [20, 2, 1])
    assert "swap" not in kinds(play.told)
    assert lost(play, 0) == lost(play, 1) == (5, 2, 2, 2, 1)  # of the bid first, then of the hand
    assert play.points(0) == 140


def test_bc_e4_single_five_is_kept_after_tie():
    play = Play(4)
    play.fight([5], [5])
    assert lost(play, 0) == (2, 1)
    assert play.piles.hands[0].count(5) == 4


def test_bc_a8_bid_cards_are_lost_first():
    play = Play(4)
    play.put({0: [10, 10, 5, 5], 1: [10, 10, 5, 5]})
    play.fight([10, 10], [10, 10])
    assert lost(play, 0) == (10,)
    play.fight([5, 5], [5, 5])
    assert lost(play, 0) == (5,)


def test_bc_a8_cards_are_changed_only_if_none_fit():
    play = Play(4)
    play.put({0: [20, 5], 1: [20, 5]}, stock=[10, 10, 10, 10])
    play.fight([20], [20])
    assert kinds(play.told).count("swap") == 2
    assert (play.points(0), play.points(1), play.roof) == (15, 15, 20)


@pytest.mark.parametrize("change", ["none", "stock_and_roof"])
@pytest.mark.parametrize(("rounding", "left"), [("up", 5), ("down", 20)])
def test_bc_a7_unpayable_loss_is_rounded_by_tie_rounding(change, rounding, left):
    play = Play(4, change=change, tie_rounding=rounding)
    play.put({0: [20, 5], 1: [20, 5]}, stock=[], roof=[])
    play.fight([20], [20])
    assert (play.points(0), play.points(1)) == (left, left)


@pytest.mark.parametrize(("rounding", "left"), [("up", [5]), ("down", [20])])
def test_bc_a12_unpayable_forfeit_is_rounded_by_tie_rounding(rounding, left):
    play = Play(3, change="none", tie_rounding=rounding).to("P7")
    single = play.at("P8")[0]
    play.put({single: [20, 5]})
    play.decide()
    assert play.piles.hands[single] == left


# BC-A4: the refill


def test_bc_a4_empty_kitchen_gets_cards_that_can_pay():
    play = Play(4).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=[], stock=[20] * 9 + [10] * 9 + [5, 2, 1] * 9)
    play.decide()
    assert play.piles.kitchen == [1] * 4 + [2] * 3 + [5] * 4 + [10] * 3


def test_bc_a4_refill_without_change_can_pay_exactly():
    play = Play(4, change="none").to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=[], stock=[20] * 9 + [10] * 9 + [5, 2, 1] * 9)
    play.decide()
    winner, loser = play.duel
    play.put({winner: [10, 5, 2, 2], loser: []})
    play.fight([10, 5, 2, 2], [])
    assert play.points(loser) == 19


def test_bc_a4_kitchen_surplus_leaves_cards_that_can_pay():
    play = Play(4).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=[20, 20, 10, 5, 2, 2, 1, 1, 1, 20])
    play.decide()
    assert play.piles.kitchen == [1, 1, 1, 2, 5, 10, 20, 20]


# BC-R21: refill


def test_bc_r21_refill_roof_fills_the_kitchen():
    play = Play(4, refill="roof").to("P8")
    assert play.stock == 0
    play.put({seat: [] for seat in play.duel}, kitchen=[20], roof=[20, 10, 5, 5, 2, 2, 1])
    play.decide()
    assert (play.kitchen, play.roof, play.stock) == (60, 5, 0)
    told = find(play.told, "kitchen").facts
    assert (told["change"], told["roof_points"], told["added"]) == (40, 40, ())


def test_bc_r21_refill_roof_receives_the_kitchens_surplus():
    play = Play(4, refill="roof").to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=[20, 20, 20, 5], roof=[])
    play.decide()
    assert (play.kitchen, play.roof, play.stock) == (60, 5, 0)
    assert "The kitchen gives 5 to the roof, now 60" in [str(one.sentence("ABCD")) for one in play.told]


def short_by_five(**rulings: object) -> Play:
    play = Play(4, refill="roof", **rulings).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=[20, 20, 10, 5], roof=[10, 10, 10])
    play.decide()
    return play


def test_bc_r19_kitchen_and_roof_exchange_to_fill():
    play = short_by_five()
    assert (play.kitchen, play.roof, play.piles.roof) == (60, 25, [5, 20])
    assert play.piles.kitchen == [10, 10, 10, 10, 20]  # 10+10+20+20 would pay less
    happened = find(play.told, "kitchen")
    assert (happened.facts["change"], happened.facts["roof_points"]) == (5, 5)
    assert str(happened.sentence("ABCD")) == "The kitchen gets 5 from the roof, now 60"
    (order,) = GAME.teller.piece_tasks([happened], "ABCD")
    assert str(order.text) == "Kitchen changes 20 5 for 3x10 (roof)"


def test_bc_a24_without_change_kitchen_gets_nearest_amount():
    assert short_by_five(change="none").kitchen == 55


def test_bc_a4_exchange_with_roof_reaches_the_target():
    play = Play(4, refill="roof").to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=[20, 20, 10, 5, 2, 2], roof=[20, 10, 5, 5, 5, 2])
    play.decide()
    assert (play.kitchen, play.roof) == (60, 46)


def too_much_by_one(**rulings: object) -> Play:
    play = Play(4, refill="roof", **rulings).to("P8")
    play.put({seat: [] for seat in play.duel}, kitchen=[20, 20, 10, 5, 2, 2, 2], roof=[2, 2, 2])
    play.decide()
    return play


def test_bc_r19_kitchen_and_roof_exchange_a_surplus():
    play = too_much_by_one()
    assert (play.kitchen, play.roof, play.stock) == (60, 7, 0)
    assert play.piles.kitchen == [2, 2, 2, 2, 2, 10, 20, 20]
    happened = find(play.told, "kitchen")
    assert (happened.facts["change"], happened.facts["roof_points"]) == (-1, -1)
    assert str(happened.sentence("ABCD")) == "The kitchen gives 1 to the roof, now 60"
    (order,) = GAME.teller.piece_tasks([happened], "ABCD")
    assert str(order.text) == "Kitchen changes 5 for 2x2 (roof)"


@pytest.mark.parametrize("rulings", [{"change": "none"}, {"kitchen_adjust": "top_up"}])
def test_bc_a6_kitchen_keeps_surplus_without_an_exchange(rulings):
    play = too_much_by_one(**rulings)
    assert (play.kitchen, play.roof) == (61, 6)


# BC-A12: forfeit_short


def short_of_ten(**rulings: object) -> tuple[Play, int]:
    play = Play(5, **rulings).to("P7")
    single = play.at("P8")[0]
    play.put({single: [5, 2]})
    play.decide()
    return play, single


def test_bc_a12_forfeit_short_stays_keeps_figure_on_stairs():
    play, single = short_of_ten(forfeit_short="stays")
    assert play.points(single) == 7
    assert play.at("P8") == [single]
    assert find(play.told, "stays").facts == {"pair": "P8", "due": 10}
    (other,) = board_of(play.view)["F2"][1:]  # the other figure of G4 goes up alone
    assert find(play.told, "alone").seat == other
    assert play.pair == "G3"


# BC-A23: equal_end


EQUAL = {"F1": [0], "F2": [1], "G1": [1], "G2": [2]}


@pytest.mark.parametrize(("option", "ranking"), [("figures", ((1,), (0,), (2,))), ("shared", ((0, 1), (2,)))])
def test_bc_a23_equal_end_ranks_by_figures_or_shares(option, ranking):
    assert ranked({0: 9, 1: 9, 2: 1}, EQUAL, equal_end=option) == ranking


@pytest.mark.parametrize("option", ["figures", "shared"])
def test_bc_r26_higher_figure_decides_under_either_equal_end(option):
    assert ranked({0: 9, 1: 9, 2: 1}, {"T": [0], **EQUAL}, equal_end=option)[0] == (0,)


@pytest.mark.parametrize(
    ("points", "board", "rulings", "why"),
    [
        ({0: 9, 1: 8, 2: 1}, EQUAL, {}, "the most points with a figure in the building"),
        ({0: 9, 1: 9, 2: 1}, {**EQUAL, "T": [0]}, {}, "on equal points the higher figure"),
        ({0: 9, 1: 9, 2: 1}, EQUAL, {}, "on equal points more figures high up"),
        ({0: 9, 1: 9, 2: 1}, EQUAL, {"equal_end": "shared"}, "if all is equal, the place is shared"),
        ({0: 9, 1: 9, 2: 9}, {"G1": [0], "G2": [1], "B": [2]}, {}, "on equal points the higher figure"),
        ({0: 9, 1: 5, 2: 5}, {"G1": [0], "G2": [1], "F1": [2]}, {}, "on equal points the higher figure"),
    ],
)
def test_bc_r26_result_says_what_broke_the_tie(points, board, rulings, why):
    assert str(rules.outcome(ended(points, board, **rulings)).reason).endswith(why)


# BC-R23: reports, and the piles


def test_bc_r23_pile_size_is_constant_while_dealing():
    play, luck = at_the_roof([1] + [5] * 46), Random(23)
    while play.view.phase == Phase.ROOF:
        assert play.view.pile_size == 5
        play.make("roof", luck.choice(rules.draws(play.state)).args[0])


def test_bc_r23_report_lies_between_hand_and_best_piles():
    play = at_the_roof([1, *[2] * 8, *[10] * 5, *[20] * 4])  # two cards a pile
    boss, last = play.at("B")[0], play.at("F1")[0]
    for seat, piles in ((boss, 8), (last, 2), (3, 0)):
        hand = play.points(seat)
        best = sum(sorted(play.piles.roof, reverse=True)[:piles])
        assert play.own(seat).reportable == range(hand, hand + best + 1)
        assert play.accepts("report", hand, seat=seat)
        assert play.accepts("report", hand + best, seat=seat)
        assert not play.accepts("report", hand - 1, seat=seat)
        assert not play.accepts("report", hand + best + 1, seat=seat)
    assert play.view.reportable is None


def test_bc_r23_points_pile_owner_may_report_whole_roof():
    play = Play(4, tracking="points").to("roof")
    owners = {play.at(place)[0] for place in ("B", "T", "F1", "F2")}
    for seat in range(4):
        hand = play.points(seat)
        assert play.own(seat).reportable == range(hand, hand + (play.roof if seat in owners else 0) + 1)


def counted_roof(cards: int, **rulings: object) -> tuple[Play, int]:
    """Return a table that reports points after a roof count, and its boss."""
    play = Play(4, tracking="points", **rulings)
    play.fight([100], [0])
    play.to("roof")
    play.make("counted", cards)
    return play, play.at("B")[0]


@pytest.mark.parametrize("cards", [1, 8])
def test_bc_a20_under_nine_counted_cards_add_no_points(cards):
    play, boss = counted_roof(cards)
    assert play.roof > 100
    for seat in range(4):
        hand = play.points(seat)
        assert play.own(seat).reportable == range(hand, hand + 1)
    assert not play.accepts("report", play.points(boss) + 1, seat=boss)


def test_bc_r23_counted_cards_limit_a_piles_worth():
    play, boss = counted_roof(17)  # one card a pile
    for seat in range(4):
        piles = sum(n for place, n in {"B": 3, "T": 2, "F1": 1, "F2": 1}.items() if seat in play.at(place))
        hand = play.points(seat)
        assert play.own(seat).reportable == range(hand, hand + min(play.roof, 20 * piles) + 1)
    play.make("counted", 150)  # counted again: 150 cards can be worth the whole roof
    assert play.own(boss).reportable[-1] == play.points(boss) + play.roof


def test_bc_r23_first_count_is_refused_after_a_report():
    play = Play(4, tracking="points")
    play.fight([100], [0])
    play.to("roof")
    boss = play.at("B")[0]
    play.make("report", play.points(boss) + play.roof, seat=boss)
    assert play.refused("counted", 8) == "BC-R23"
    assert play.refused("counted", 150) == "BC-R23", "nobody had counted: reports had the whole roof"
    assert TABLE not in rules.to_act(play.state)
    why = "the roof is counted before points are entered; undo the points first"
    assert str(console.key(play.view, TABLE, "8", {}).why) == why
    assert console.house_entry(play.view, "") is None


def test_bc_r23_count_may_only_rise_after_a_report():
    play, boss = counted_roof(17)
    other = next(seat for seat in range(4) if seat != boss)
    play.make("report", play.own(other).reportable[-1], seat=other)
    assert play.refused("counted", 16) == "BC-R23"
    why = "16 cards: the points entered need at least 17"
    assert str(console.key(play.view, TABLE, "#", {TABLE: "16"}).why) == why
    assert console.house_entry(play.view, "").openly
    most = play.own(boss).reportable[-1]
    play.make("counted", 27)
    assert play.own(boss).reportable[-1] > most


def test_bc_r23_refused_report_names_the_pile_size():
    play, boss = counted_roof(17)
    most = play.own(boss).reportable[-1]
    keyed = console.key(play.own(boss), boss, "#", {boss: str(most + 1)})
    assert str(keyed.why) == f"{most + 1} points: with your piles of 1 it is {most} at most"


def test_bc_r23_last_report_is_locked_twice():
    play = Play(4, tracking="points").to("roof")
    for seat in (0, 1, 2):
        keys = f"{play.points(seat)}#"
        play.make("report", typed(play, seat, keys).move.args[0], seat=seat)
    digits = str(play.points(3))
    assert typed(play, 3, digits + "#") == Keyed(digits + "#")
    assert "ends the match" in str(console.typed(play.own(3), digits + "#"))
    assert typed(play, 3, digits + "#*") == Keyed(digits)
    assert typed(play, 3, digits + "##").move == SecretMove(3, "report", (int(digits),))
    assert not console.key(play.own(3), 3, "1", {3: digits + "#"}).accepted


def typed(play: Play, seat: int, keys: str) -> Keyed:
    keyed = Keyed()
    for key in keys:
        keyed = console.key(play.own(seat), seat, key, {seat: keyed.entry})
        assert keyed.accepted, key
    return keyed


# Robots, colours


def test_robots_are_refused_with_tracking_points():
    assert bots_named(GAME, ["strong"], 4, Rulings())
    with pytest.raises(OptionError, match="every card"):
        bots_named(GAME, ["strong"], 4, Rulings(tracking="points"))
    assert GAME.no_robots(Rulings(), "pi") is None


def test_bc_r2_key_a_takes_the_next_free_colour():
    state = rules.setup(BOX, Rulings(), 4)
    seen = []
    for _ in range(5):
        keyed = console.key(rules.view(state, 1), 1, "A", {})
        assert keyed.move.seat == TABLE
        state = rules.apply(state, keyed.move)
        seen.append(BOX.colours[rules.view(state, None).colours[1]])
    assert seen == ["green", "yellow", "black", "red", "blue"]
    state = rules.apply(state, Move(TABLE, "colour", (0, 2)))
    assert console.key(rules.view(state, 1), 1, "A", {}).move == Move(TABLE, "colour", (1, 3))


def test_bc_r2_without_a_choice_figures_are_placed_sooner():
    state = rules.setup(BOX, Rulings(), 4)
    soon = console.stage(rules.view(state, None)).deal
    state = rules.apply(state, Move(TABLE, "colour", (0, 2)))
    assert console.stage(rules.view(state, None)).deal.pause_ms > soon.pause_ms


def test_bc_r2_colour_change_keeps_figures_already_keyed():
    table = VirtualTable(new_match(GAME, ("Ada", "Bo", "Cy"), deal="table"))
    table.start()
    for key in "1213":
        table.devices.house_keypad.press(key)
    table.press(2, "A")
    assert table.match.last == Move(TABLE, "colour", (2, 3))
    for key in "23123123123#":
        table.devices.house_keypad.press(key)
    assert table.match.last == Move(TABLE, "place", tuple(int(key) - 1 for key in "121323123123123"))
