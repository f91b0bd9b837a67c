"""Cutting rectangles into ordered parts without loss."""

from itertools import pairwise

import pytest
from pygame import Rect

from companion.display import cut

ROOM = Rect(13, 5, 101, 47)

each_way = pytest.mark.parametrize("upright", [False, True])


def ends(rect: Rect, *, upright: bool) -> tuple[int, int]:
    return (rect.top, rect.bottom) if upright else (rect.left, rect.right)


@pytest.mark.parametrize("gap", [0, 3])
@pytest.mark.parametrize("cut_off", [cut.left, cut.right, cut.top, cut.bottom])
def test_cut_leaves_everything_but_the_gap(cut_off, gap):
    part, rest = cut_off(ROOM, 20, gap)
    upright = cut_off in {cut.top, cut.bottom}
    assert part.union(rest) == ROOM
    before, after = sorted(ends(one, upright=upright) for one in (part, rest))
    assert after[0] - before[1] == gap
    assert 20 in part.size


@each_way
@pytest.mark.parametrize("gap", [0, 4])
def test_shares_fill_the_rectangle_with_equal_gaps(upright, gap):
    found = cut.shares(ROOM, (1, 2.5, 0, 1), gap, upright=upright)
    places = [ends(part, upright=upright) for part in found]
    assert (places[0][0], places[-1][1]) == ends(ROOM, upright=upright)
    assert all(after[0] - before[1] == gap for before, after in pairwise(places))
    lengths = [last - first for first, last in places]
    assert lengths[2] == 0
    assert abs(lengths[1] - 2.5 * lengths[0]) <= 2
    assert abs(lengths[3] - lengths[0]) <= 1


@pytest.mark.parametrize("count", [1, 3, 7])
def test_columns_fill_the_rectangle_nearly_equally(count):
    found = cut.columns(ROOM, count)
    assert [found[0].left, *(one.right for one in found)] == [*(one.left for one in found), ROOM.right]
    assert all((one.top, one.height) == (ROOM.top, ROOM.height) for one in found)
    assert max(one.width for one in found) - min(one.width for one in found) <= 1


@each_way
def test_equal_parts_lie_in_a_row(upright):
    found = cut.equal(ROOM, 3, upright=upright)
    assert found == cut.cells(ROOM, 3, 1 if upright else 3)
    assert len({part.size for part in found}) == 1
    assert ends(found[0], upright=not upright) == ends(ROOM, upright=not upright)


@pytest.mark.parametrize(
    ("room", "count", "across"), [(Rect(0, 0, 90, 30), 3, 3), (Rect(0, 0, 30, 90), 3, 1), (ROOM, 8, 4)]
)
def test_largest_cells_choose_the_best_columns(room, count, across):
    assert cut.largest_cells(room, count) == cut.cells(room, count, across)


def test_zero_cells_give_an_empty_list():
    assert cut.largest_cells(ROOM, 0) == []


def test_stack_and_grid_are_centred():
    rows = cut.stack(ROOM, 3, 10)
    assert rows[0].unionall(rows).center == ROOM.center
    squares = [square for row in cut.field(ROOM, 2, 3) for square in row]
    assert {square.size for square in squares} == {(ROOM.height // 2,) * 2}
    assert abs(squares[0].unionall(squares).centerx - ROOM.centerx) <= 1


def test_sides_of_a_part_end_at_the_gap():
    part = Rect(40, 20, 10, 10)
    sides = [side(ROOM, part, 2) for side in (cut.before, cut.after, cut.above, cut.below)]
    assert [sides[0].right, sides[1].left, sides[2].bottom, sides[3].top] == [38, 52, 18, 32]
    assert all(ROOM.contains(side) for side in sides)


def test_sized_rectangle_is_anchored_at_its_point():
    assert cut.sized(4, 6, midright=(80, 40)).midright == (80, 40)
    assert cut.square(ROOM, 0.5) == cut.square_at(ROOM.center, round(ROOM.height / 2))
