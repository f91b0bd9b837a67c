"""The four sides: every seat a strip of its own at its edge, clockwise, and nothing left over."""

import math

import pytest
from pygame import Rect

from companion.display.layout import BOTTOM, CAP_SHARE, LEFT, RIGHT, STRIP_SHARE, TOP, layout

SIZES = ((800, 480), (1024, 600), (720, 1280), (1280, 720), (480, 480), (1921, 1081), (481, 801))
EVERYWHERE = pytest.mark.parametrize(
    ("size", "seats", "turn"), [(size, seats, turn) for size in SIZES for seats in range(1, 6) for turn in range(4)]
)


@EVERYWHERE
def test_the_layout_covers_the_display_without_overlap(size, seats, turn):
    plan = layout(size, seats, turn)
    parts = [plan.centre, *(strip.rect for strip in plan.strips)]
    display = Rect((0, 0), size)
    for number, part in enumerate(parts):
        assert display.contains(part)
        assert part.width > 0
        assert part.height > 0
        assert part.collidelist(parts[number + 1 :]) == -1
    uncovered = size[0] * size[1] - sum(part.width * part.height for part in parts)
    # Two seats share an edge of an odd length: one line of pixels is nobody's.
    assert 0 <= uncovered <= round(min(size) * STRIP_SHARE)


@EVERYWHERE
def test_each_strip_lies_at_the_edge_that_it_is_turned_to(size, seats, turn):
    width, height = size
    for strip in layout(size, seats, turn).strips:
        at = {
            BOTTOM: strip.rect.bottom == height,
            RIGHT: strip.rect.right == width,
            TOP: strip.rect.top == 0,
            LEFT: strip.rect.left == 0,
        }
        assert at[strip.turn]
        thickness = strip.rect.height if strip.turn in {BOTTOM, TOP} else strip.rect.width
        assert thickness == round(min(size) * STRIP_SHARE)


@EVERYWHERE
def test_seats_are_clockwise_and_the_first_sits_below(size, seats, turn):
    """Below as the display's own turn has it: a turned display has its bottom elsewhere."""
    plan = layout(size, seats, turn)
    assert len(plan.strips) == seats
    assert plan.strips[0].turn == turn % 4
    middle = (size[0] / 2, size[1] / 2)
    # On a screen y grows downwards, so growing angles go clockwise as seen from above.
    angles = [math.atan2(s.rect.centery - middle[1], s.rect.centerx - middle[0]) for s in plan.strips]
    steps = [(after - before) % math.tau for before, after in zip(angles, angles[1:] + angles[:1], strict=True)]
    assert sum(steps) == pytest.approx(math.tau if seats > 1 else 0)


@EVERYWHERE
def test_at_most_two_share_an_edge_and_only_a_long_one(size, seats, turn):
    width, height = size
    edges = [strip.turn for strip in layout(size, seats, turn).strips]
    for edge in set(edges):
        if edges.count(edge) > 1:
            assert edges.count(edge) == 2
            assert (width if edge in {TOP, BOTTOM} else height) == max(size)


def test_all_seats_have_strips_of_one_thickness_and_letters_of_one_size():
    plan = layout((800, 480), 5)
    assert plan.cap_px == round(480 * CAP_SHARE)
    assert {min(strip.rect.size) for strip in plan.strips} == {82}


def test_a_turned_display_has_the_same_seats_turned():
    for seats in range(1, 6):
        upright, turned = layout((800, 480), seats), layout((480, 800), seats, 1)
        assert [(strip.turn + 1) % 4 for strip in upright.strips] == [strip.turn for strip in turned.strips]
        assert turned.turn == 1
