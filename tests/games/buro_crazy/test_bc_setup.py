"""Büro Crazy's set-up: BC-R1 to BC-R6 and their rulings."""

from random import Random

import pytest

from companion.core.move import TABLE, Move
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.box import BuroCrazyBox
from companion.games.buro_crazy.rules import Phase
from tests.games.buro_crazy.bc_counting import arrangements
from tests.games.buro_crazy.bc_naive import Naive
from tests.games.buro_crazy.bc_table import BOX, STAIRS, Play, SetUp, board_of, cards_of, edited
from tests.games.contract import find, kinds

FIGURES = {3: 5, 4: 4, 5: 3}

each_number_of_seats = pytest.mark.parametrize("seats", rules.SEATS)


@each_number_of_seats
def test_bc_r1_each_seat_gets_its_figures(seats):
    play = Play(seats)
    board = board_of(play.view)
    standing = [seat for spaces in board.values() for seat in spaces]
    assert [standing.count(seat) for seat in range(seats)] == [FIGURES[seats]] * seats


@each_number_of_seats
def test_bc_r1_wrong_number_of_figures_is_refused(seats):
    table = SetUp(seats)
    swapped = [*STAIRS[seats]]
    swapped[swapped.index(1)] = 2
    assert table.refused("place", *swapped) == "BC-R1"
    assert table.refused("place", *STAIRS[seats][:-1]) == "BC-R1"
    assert table.refused("place", *STAIRS[seats], 0) == "BC-R1"


@each_number_of_seats
def test_bc_r2_figures_stand_from_the_left_as_placed(seats):
    play = Play(seats)
    spaces = [*STAIRS[seats], rules.EMPTY][:16]
    board = board_of(play.view)
    assert [seat for n in range(1, 9) for seat in board[f"P{n}"]] == spaces
    assert all(board[place] == [rules.EMPTY] * 2 for place in ("G1", "G2", "G3", "G4", "F1", "F2", "T"))
    assert board["B"] == [rules.EMPTY]


@each_number_of_seats
def test_bc_r2_every_placement_is_equally_likely(seats):
    start = SetUp(seats).state
    drawn, plain = rules.draws(start), Naive(seats)
    assert len(drawn) == arrangements(seats, FIGURES[seats])
    luck = Random(seats)
    numbers = sorted({0, len(drawn) - 1, *(luck.randrange(len(drawn)) for _ in range(300))})
    placed = [drawn[number].args for number in numbers]
    assert all(plain.is_placement(args) for args in placed)
    assert len(set(placed)) == len(numbers)
    assert drawn[-1] == drawn[len(drawn) - 1]
    for number in (len(drawn), -len(drawn) - 1):
        with pytest.raises(IndexError):
            drawn[number]


def test_bc_r2_draws_have_each_placement_once():
    drawn, plain = rules.draws(SetUp(3).state), Naive(3)
    seen = {move.args for move in drawn}
    assert len(seen) == len(drawn) == 80640
    assert all(map(plain.is_placement, seen))


@each_number_of_seats
def test_bc_r2_only_placements_are_drawn(seats):
    start = SetUp(seats).state
    assert {move.verb for move in rules.draws(start)[:50]} == {"place"}
    assert "colour" in {move.verb for move in rules.legal(start, TABLE)[:50]}
    assert rules.draws(Play(seats).state) == ()


@each_number_of_seats
def test_bc_r3_pair_of_one_seats_figures_is_refused(seats):
    table = SetUp(seats)
    for left in range(0, 14, 2):
        spaces = [*STAIRS[seats]]
        other = next(n for n in range(len(spaces)) if n // 2 != left // 2 and spaces[n] == spaces[left])
        spaces[left + 1], spaces[other] = spaces[other], spaces[left + 1]
        assert table.refused("place", *spaces) == "BC-R3"


def test_bc_r3_neighbouring_pairs_do_not_matter():
    stairs = (0, 1, 1, 0, 0, 1, 1, 0, 2, 3, 3, 2, 2, 3, 3, 2)
    assert Play(4, stairs=stairs).duel == (0, 1)


@pytest.mark.parametrize("seats", [3, 5])
def test_bc_r4_last_space_stays_empty(seats):
    play = Play(seats)
    assert board_of(play.view)["P8"] == [STAIRS[seats][14], rules.EMPTY]


def test_bc_r4_four_players_fill_every_space():
    assert rules.EMPTY not in board_of(Play(4).view)["P8"]


@each_number_of_seats
def test_bc_r5_hand_has_four_cards_of_each_value(seats):
    play = Play(seats)
    assert find(play.told, "dealt").facts == {"cards": 20, "points": 152}
    for hand in play.piles.hands:
        assert hand == [1] * 4 + [2] * 4 + [5] * 4 + [10] * 4 + [20] * 4


def test_bc_r5_hands_are_secret():
    play = Play(4)
    assert play.view.hand is None
    for seat in range(4):
        assert cards_of(play.own(seat).hand) == play.piles.hands[seat]
    play.put({1: [20]})
    assert play.own(1) != rules.view(Play(4).state, 1)
    assert all(rules.view(play.state, seat) == rules.view(Play(4).state, seat) for seat in (None, 0, 2, 3))


@pytest.mark.parametrize(("seats", "stock", "points"), [(3, 74, 604), (4, 54, 452), (5, 34, 300)])
def test_bc_r6_bc_a1_kitchen_has_80_and_stock_the_rest(seats, stock, points):
    play = Play(seats)
    assert play.view.stock_points == points
    assert (len(play.piles.stock), play.piles.roof) == (stock, [])
    assert play.piles.points == (*[152] * seats, 80, points, 0)
    assert play.piles.cards == sorted([1, 2, 5, 10, 20] * 30)


def test_bc_a2_box_sets_the_cards_of_each_value():
    assert dict(zip(BOX.values, BOX.deck, strict=True)) == {1: 30, 2: 30, 5: 30, 10: 30, 20: 30}
    text = edited("\n1 = 30\n2 = 30\n", "\n1 = 26\n2 = 34\n")
    assert Play(5, box=BuroCrazyBox.read(text, "mine.toml")).piles.cards == sorted(
        [1] * 26 + [2] * 34 + [5, 10, 20] * 30,
    )


def test_bc_a3_first_kitchen_comes_from_the_box():
    assert Play(3).piles.kitchen == [1] * 4 + [2] * 3 + [5] * 4 + [10] * 5
    text = edited("1 = 4, 2 = 3, 5 = 4, 10 = 5, 20 = 0", "1 = 0, 2 = 0, 5 = 0, 10 = 0, 20 = 4")
    assert Play(3, box=BuroCrazyBox.read(text, "mine.toml")).piles.kitchen == [20] * 4


def test_bc_a29_three_players_cannot_take_the_small_colour():
    black = BOX.colours.index("black")
    assert BOX.figures[black] == 4
    assert SetUp(3).refused("colour", 0, black) == "BC-A29"
    for seats in (4, 5):
        table = SetUp(seats)
        events = table.make("colour", 1, black)
        assert find(events, "colour").facts == {"colour": "black"}
        assert table.view.colours[1] == black


def test_bc_a29_colour_belongs_to_only_one_seat():
    table = SetUp(4)
    table.make("colour", 2, 0)
    assert table.refused("colour", 1, 0) == "BC-A29"
    table.make("colour", 2, 3)  # another choice frees the first colour
    table.make("colour", 1, 0)
    assert table.view.colours == (1, 0, 3, 2)


@pytest.mark.parametrize("args", [(), (0,), (0, 5), (0, -1), (4, 0), (-1, 0), (0, 0, 0)])
def test_bc_a29_colours_outside_the_box_are_refused(args):
    assert SetUp(4).refused("colour", *args) == "BC-A29"


def test_bc_a29_default_colours_skip_those_too_small():
    text = edited(
        "red = 5, blue = 5, green = 5, yellow = 5, black = 4", "red = 4, blue = 5, green = 5, grey = 5, black = 3"
    )
    box = BuroCrazyBox.read(text, "mine.toml")
    assert Play(3, box=box).view.colours == (1, 2, 3)
    assert Play(4, box=box).view.colours == (0, 1, 2, 3)
    assert Play(5, box=box).view.colours == (0, 1, 2, 3, 4)


def test_colours_and_placement_precede_the_first_duel():
    table = SetUp(4)
    assert rules.to_act(table.state) == (TABLE,)
    assert table.view.phase == Phase.SETUP
    events = table.make("place", *STAIRS[4])
    assert kinds(events) == ["placed", "dealt", "kitchen", "duel"]
    assert find(events, "placed").facts["seats"] == STAIRS[4]
    assert table.view.phase == Phase.BID
    assert table.refused("place", *STAIRS[4]) == "BC-R3"
    assert table.refused("colour", 0, 0) == "BC-A29"


def test_nobody_bids_before_the_figures_stand():
    table = SetUp(4)
    for seat in range(4):
        assert not table.accepts("commit", 0, 0, 0, 0, 0, seat=seat)
        assert not table.accepts("retract", seat=seat)
        assert not rules.legal(table.state, seat)


def test_players_cannot_place_figures():
    assert not SetUp(4).accepts("place", *STAIRS[4], seat=0)
    assert Move(TABLE, "place", STAIRS[4]) in rules.legal(SetUp(4).state, TABLE)
