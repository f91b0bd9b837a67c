"""The end of Büro Crazy: BC-R23 to BC-R27 and their rulings."""

from collections import Counter
from random import Random

import pytest

from companion.core.move import TABLE, SecretMove
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Phase
from tests.games.buro_crazy.bc_table import Play, at_the_roof, board_of, deal, ranked
from tests.games.contract import find, kinds

ROOF = [1] * 5 + [2] * 10 + [5] * 12 + [10] * 10 + [20] * 10  # 47 cards


@pytest.mark.parametrize(
    ("cards", "each", "dealt"), [(9, 1, 7), (17, 1, 7), (18, 2, 14), (47, 5, 35), (89, 9, 63), (90, 10, 70)]
)
def test_bc_r23_roof_makes_nine_equal_piles(cards, each, dealt):
    play = at_the_roof([1] + [5] * (cards - 1))
    assert play.view.pile_size == each
    assert find(play.told, "piles").facts["each"] == each
    assert find(play.told, "piles").facts["cards"] == play.view.roof_cards == cards
    assert len(deal(play, Random(cards))) == dealt
    assert play.view.phase == Phase.OVER
    assert rules.to_act(play.state) == ()


def test_bc_r23_each_roof_card_is_equally_likely_next():
    play = at_the_roof(ROOF)
    luck = Random(23)
    while play.view.phase == Phase.ROOF:
        assert play.view.pile_size == len(ROOF) // 9, "the piles are counted once, whatever was dealt of them"
        drawn = Counter(move.args[0] for move in rules.draws(play.state))
        assert drawn == Counter(play.piles.roof)
        assert {move.args for move in rules.legal(play.state, TABLE)} == {(value,) for value in drawn}
        play.make("roof", luck.choice(sorted(drawn)))


def test_bc_r23_only_cards_on_the_roof_are_dealt():
    play = at_the_roof([1] + [5] * 20)
    for value in (0, 2, 10, 20, 3, -1):
        assert play.refused("roof", value) == "BC-R23"
    play.make("roof", 1)
    assert play.refused("roof", 1) == "BC-R23"


def test_bc_r24_bc_e10_piles_go_three_two_one_one():
    play = at_the_roof(ROOF)
    board = board_of(play.view)
    owners = [play.at(place)[0] for place in ("B", "T", "F1", "F2")]
    assert owners == [0, 2, 1, 0]
    assert find(play.told, "piles").facts["seats"] == tuple(owners)
    assert find(play.told, "piles").facts["piles"] == (3, 2, 1, 1)
    before = [len(hand) for hand in play.piles.hands]
    deal(play, Random(24))
    gained = [len(hand) - had for hand, had in zip(play.piles.hands, before, strict=True)]
    assert gained == [20, 5, 10, 0]  # seat 0 is the boss and the semi-finalist of the right
    assert board_of(play.view) == board


def test_bc_r24_shares_follow_the_figures_on_either_side():
    play = at_the_roof(ROOF, winners={"F1": 1, "F2": 1, "T": 1})
    owners = [play.at(place)[0] for place in ("F1", "F2")]
    before = [len(hand) for hand in play.piles.hands]
    share = Counter(dict.fromkeys(range(4), 0))
    for place, piles in (("B", 3), ("T", 2), ("F1", 1), ("F2", 1)):
        share[play.at(place)[0]] += 5 * piles
    deal(play, Random(1))
    assert [len(hand) - had for hand, had in zip(play.piles.hands, before, strict=True)] == [
        share[seat] for seat in range(4)
    ]
    assert len(set(owners)) == 2


def test_bc_r25_score_is_hand_plus_piles():
    play = at_the_roof(ROOF)
    before = [sum(hand) for hand in play.piles.hands]
    dealt = deal(play, Random(25))
    boss, challenger, first, second = dealt[:15], dealt[15:25], dealt[25:30], dealt[30:]
    assert play.view.points == (
        before[0] + sum(boss) + sum(second),
        before[1] + sum(first),
        before[2] + sum(challenger),
        before[3],
    )
    points = play.view.points
    assert [points[seat] for place in play.view.outcome.ranking for seat in place] == sorted(points, reverse=True)
    assert find(play.told, "over").facts == {"ranking": play.view.outcome.ranking, "points": points}


def test_bc_r25_most_points_beat_the_boss():
    assert ranked({0: 100, 1: 101, 2: 99}, {"B": [0], "G1": [1, 2]}) == ((1,), (0,), (2,))


@pytest.mark.parametrize(
    ("first", "second"), [("B", "T"), ("T", "F1"), ("T", "F2"), ("F2", "G1"), ("F1", "G4"), ("B", "G2")]
)
def test_bc_r26_higher_figure_breaks_equal_points(first, second):
    points = {0: 200, 1: 200, 2: 10}
    assert ranked(points, {first: [0], second: [1], "G3": [2]}) == ((0,), (1,), (2,))
    assert ranked(points, {first: [1], second: [0], "G3": [2]}) == ((1,), (0,), (2,))


def test_bc_r26_offices_of_one_floor_are_equal():
    assert ranked({0: 200, 1: 200, 2: 10}, {"G1": [0], "G4": [1], "G2": [2]}) == ((0, 1), (2,))
    assert ranked({0: 200, 1: 200, 2: 10}, {"F1": [0], "F2": [1], "G2": [2]}) == ((0, 1), (2,))


def test_bc_r27_outside_event_names_who_cannot_win():
    play = at_the_roof([1] * 9)
    play.hold({seat: 100 * seat for seat in range(4)})
    spaces = [seat if seat in {0, 2} or space < 16 else 0 for space, seat in enumerate(play.view.board)]
    play.state = play.state._replace(board=tuple(spaces))
    for seat in range(4):
        play.make("report", 100 * seat, seat=seat)
    assert [happened.seat for happened in play.told if happened.kind == "outside"] == [1, 3]
    assert play.view.outcome.ranking == ((2,), (0,), (3,), (1,))


def test_bc_r27_points_rank_those_on_the_stairs():
    assert ranked({0: 10, 1: 5, 2: 30, 3: 30}, {"G1": [1]}) == ((1,), (2, 3), (0,))


@pytest.mark.parametrize("cards", [1, 8])
def test_bc_a20_bc_e10_fewer_than_nine_roof_cards_go_nowhere(cards):
    play = at_the_roof([1] + [5] * (cards - 1))
    assert play.view.phase == Phase.OVER
    assert play.view.points == tuple(sum(hand) for hand in play.piles.hands)
    assert find(play.told, "piles").facts["each"] == 0
    assert kinds(play.told)[-1] == "over"


def test_bc_a21_piles_are_dealt_in_order_of_rank():
    play = at_the_roof([1] + [5] * 17)  # two cards a pile
    play.put({seat: [] for seat in range(4)})
    order = []
    for _ in range(14):
        before = [len(hand) for hand in play.piles.hands]
        play.make("roof", 5)
        order.append(next(seat for seat in range(4) if len(play.piles.hands[seat]) > before[seat]))
    boss, challenger, first, second = (play.at(place)[0] for place in ("B", "T", "F1", "F2"))
    assert order == [boss] * 6 + [challenger] * 4 + [first] * 2 + [second] * 2
    assert play.piles.roof == [1, 5, 5, 5]  # the piles set aside stay unseen


@pytest.mark.parametrize("place", ["G1", "G4", "F1", "F2", "T", "B"])
def test_bc_a22_any_place_above_stairs_is_the_building(place):
    assert ranked({0: 1, 1: 500, 2: 500}, {place: [0]}) == ((0,), (1, 2))


def test_bc_a22_single_figures_advance_counts():
    play = Play(3).to("P7")
    single = play.at("P8")[0]
    play.decide()
    assert single in play.at("G4")
    board = {"G4": [single]}
    assert ranked({0: 1, 1: 500, 2: 1}, board)[0] == (single,)


def test_bc_a23_more_figures_on_a_floor_decide_next():
    assert ranked({0: 9, 1: 9, 2: 1}, {"F1": [0], "F2": [1], "G1": [1], "G2": [2]}) == ((1,), (0,), (2,))
    assert ranked({0: 9, 1: 9, 2: 1}, {"G1": [0], "G2": [1], "G3": [1], "T": [2]}) == ((1,), (0,), (2,))


def test_bc_a23_one_higher_figure_beats_many_lower():
    assert ranked({0: 9, 1: 9, 2: 1}, {"F1": [0], "G1": [1], "G2": [1], "G3": [1]})[0] == (0,)


def test_bc_a23_equal_figures_share_the_place():
    assert ranked({0: 9, 1: 9, 2: 9, 3: 1}, {"G1": [0], "G2": [1], "G3": [2], "B": [3]}) == ((0, 1, 2), (3,))


def test_bc_a27_kitchen_counts_for_nobody():
    play = at_the_roof(ROOF)
    play.put(kitchen=[20] * 5, stock=[20] * 5)
    held = sum(sum(hand) for hand in play.piles.hands)
    dealt = deal(play, Random(27))
    assert sum(play.view.points) == held + sum(dealt)


def test_reports_are_revealed_together_after_the_last():
    play = at_the_roof(ROOF)
    play.hold({2: 300, 0: 100, 3: 0, 1: 1140})
    assert set(rules.to_act(play.state)) == {TABLE, 0, 1, 2, 3}
    for seat, points in ((2, 300), (0, 100), (3, 0)):
        events = play.make("report", points, seat=seat)
        assert kinds(events) == ["reported"]
        assert events[0].facts == {}
        assert play.view.points == ()
        assert rules.draws(play.state) == ()
    assert rules.to_act(play.state) == (1,)
    assert set(play.view.reported) == {0, 2, 3}
    events = play.make("report", 1140, seat=1)
    assert kinds(events) == ["reported", "over"]
    assert play.view.points == (100, 1140, 300, 0)
    assert play.view.outcome.ranking == ((1,), (2,), (0,), (3,))


def test_report_cannot_be_changed_or_taken_back():
    play = at_the_roof(ROOF)
    play.hold({1: 10})
    play.make("report", 10, seat=1)
    assert play.refused("report", 11, seat=1) == "BC-R23"
    assert play.refused("retract", seat=1) == "BC-A25"
    assert play.refused("roof", 5) == "BC-R23"


def test_nobody_reports_while_the_roof_is_dealt():
    play = at_the_roof(ROOF)
    play.make("roof", 5)
    assert rules.to_act(play.state) == (TABLE,)
    for seat in range(4):
        assert play.refused("report", 10, seat=seat) == "BC-R23"


def test_nobody_reports_before_last_duel_or_after_end():
    play = Play(4)
    assert play.refused("report", 10, seat=0) == "BC-R23"
    over = at_the_roof([1])
    assert over.refused("report", 10, seat=0) == "BC-R25"
    assert over.refused("roof", 1) == "BC-R25"  # the match is over
    assert all(not rules.legal(over.state, seat) for seat in range(-1, 4))


def test_reports_are_secret_moves():
    play = at_the_roof(ROOF)
    legal = rules.legal(play.state, 0)
    assert len(legal) == len(play.own(0).reportable) > 1
    assert {type(legal[n]) for n in (0, len(legal) - 1)} == {SecretMove}
