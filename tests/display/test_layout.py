"""The layout: each seat has a strip at its edge, clockwise."""

import math
from itertools import product

import pytest
from pygame import Rect

from companion.display.geometry import ScreenGeometry
from companion.display.layout import (
    BOTTOM,
    LARGE,
    LEFT,
    RIGHT,
    STRIP_CAPS,
    STRIP_MOST,
    TOP,
    Layout,
    layout,
    wanted_cap_px,
)
from tests.running import for_each

SIZES = ((800, 480), (1024, 600), (720, 1280), (1280, 720), (480, 480), (1921, 1081), (481, 801))
EVERYWHERE = for_each(*product(SIZES, range(1, 6), range(4)))


def thickness_px(plan: Layout) -> int:
    return min(min(strip.rect.size) for strip in plan.strips)


@EVERYWHERE
def test_layout_covers_the_display_without_overlap(size, seats, turn):
    plan = layout(size, seats, ScreenGeometry(turn=turn))
    parts = [plan.centre, *(strip.rect for strip in plan.strips)]
    display = Rect((0, 0), size)
    for number, part in enumerate(parts):
        assert display.contains(part)
        assert part.width > 0
        assert part.height > 0
        assert part.collidelist(parts[number + 1 :]) == -1
    uncovered = size[0] * size[1] - sum(part.width * part.height for part in parts)
    # Two seats share an edge of an odd length: one line of pixels stays free.
    assert 0 <= uncovered <= thickness_px(plan)


@EVERYWHERE
def test_each_strip_lies_at_its_readers_edge(size, seats, turn):
    width, height = size
    plan = layout(size, seats, ScreenGeometry(turn=turn))
    for strip in plan.strips:
        at = {
            BOTTOM: strip.rect.bottom == height,
            RIGHT: strip.rect.right == width,
            TOP: strip.rect.top == 0,
            LEFT: strip.rect.left == 0,
        }
        assert at[strip.turn]
        thickness = strip.rect.height if strip.turn in {BOTTOM, TOP} else strip.rect.width
        assert thickness == thickness_px(plan)


@EVERYWHERE
def test_seats_are_clockwise_from_the_bottom(size, seats, turn):
    """The bottom depends on the display's turn."""
    plan = layout(size, seats, ScreenGeometry(turn=turn))
    assert len(plan.strips) == seats
    assert plan.strips[0].turn == turn % 4
    middle = (size[0] / 2, size[1] / 2)
    # On a screen y grows downwards, so growing angles go clockwise as seen from above.
    angles = [math.atan2(s.rect.centery - middle[1], s.rect.centerx - middle[0]) for s in plan.strips]
    steps = [(after - before) % math.tau for before, after in zip(angles, angles[1:] + angles[:1], strict=True)]
    assert sum(steps) == pytest.approx(math.tau if seats > 1 else 0)


@EVERYWHERE
def test_at_most_two_strips_share_a_long_edge(size, seats, turn):
    width, height = size
    edges = [strip.turn for strip in layout(size, seats, ScreenGeometry(turn=turn)).strips]
    for edge in set(edges):
        if edges.count(edge) > 1:
            assert edges.count(edge) == 2
            assert (width if edge in {TOP, BOTTOM} else height) == max(size)


def test_all_strips_have_the_same_thickness():
    plan = layout((800, 480), 5)
    assert plan.cap_px == 38
    assert {min(strip.rect.size) for strip in plan.strips} == {82}


OFFICIAL, SMALL, FINE = ScreenGeometry(154, 86), ScreenGeometry(108, 65), ScreenGeometry(154, 90)


@pytest.mark.parametrize(
    ("size", "geometry", "reader_cm", "cap_px"),
    [
        ((800, 480), OFFICIAL, 60, 38),
        ((800, 480), OFFICIAL, 80, 57),
        ((800, 480), OFFICIAL, 100, 81),
        ((800, 480), SMALL, 60, 54),
        ((800, 480), SMALL, 100, 115),
        ((1024, 600), FINE, 60, 48),
        ((1024, 600), FINE, 80, 72),
        ((1024, 600), FINE, 100, 103),
    ],
)
def test_capitals_have_the_height_for_their_distance(size, geometry, reader_cm, cap_px):
    """20 minutes of arc, with eyes 45 cm above a flat display; pixels may be wider than high."""
    assert wanted_cap_px(size, geometry._replace(reader_cm=reader_cm)) == pytest.approx(cap_px, rel=0.04)


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (1280, 720), (720, 1280)])
def test_seven_inches_have_room_for_the_wanted_height(size):
    for seats in range(2, 6):
        plan = layout(size, seats)
        assert plan.cap_px == pytest.approx(wanted_cap_px(size, ScreenGeometry()), abs=1)
        assert thickness_px(plan) == pytest.approx(plan.cap_px * STRIP_CAPS, abs=1)


def test_small_display_limits_strips_and_capitals():
    plan = layout((800, 480), 4, SMALL._replace(reader_cm=100))
    assert thickness_px(plan) == round(480 * STRIP_MOST)
    assert plan.cap_px == round(thickness_px(plan) / STRIP_CAPS)


def test_turned_display_has_the_same_seats_turned():
    for seats in range(1, 6):
        upright, turned = layout((800, 480), seats), layout((480, 800), seats, ScreenGeometry(turn=1))
        assert [(strip.turn + 1) % 4 for strip in upright.strips] == [strip.turn for strip in turned.strips]
        assert turned.turn == 1


@pytest.mark.parametrize(("turn", "corner"), list(enumerate(("topleft", "bottomleft", "bottomright", "topright"))))
def test_upright_area_turns_with_the_display(turn, corner):
    plan = layout((800, 480), 3, ScreenGeometry(turn=turn))
    assert plan.on_display(plan.upright) == plan.centre
    stamp = plan.on_display(Rect(plan.upright.topleft, (5, 3)))
    assert stamp.size == ((3, 5) if turn % 2 else (5, 3))
    assert getattr(stamp, corner) == getattr(plan.centre, corner)


@EVERYWHERE
def test_large_text_has_higher_capitals_without_more_room(size, seats, turn):
    usual = layout(size, seats, ScreenGeometry(turn=turn))
    large = layout(size, seats, ScreenGeometry(turn=turn), large=True)
    assert (large.centre, large.strips, large.turn) == (usual.centre, usual.strips, usual.turn)
    assert large.cap_px == int(usual.cap_px * LARGE) > usual.cap_px
    assert large.usual == usual
    assert large.of_scene.cap_px == usual.cap_px


def test_thicker_strips_grow_only_towards_the_centre():
    for size in SIZES:
        plan = layout(size, 5, large=True)
        for strip, thicker in zip(plan.strips, plan.thicker_strips.strips, strict=True):
            assert thicker.rect.contains(strip.rect)
            assert Rect((0, 0), size).contains(thicker.rect)
            assert min(thicker.rect.size) - min(strip.rect.size) == plan.spare_px > 0


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
@pytest.mark.parametrize("places", [(0, 1), (1, 3), (2, 3), (4, 0, 1), (0, 1, 2, 3)])
def test_strips_keep_their_places_with_fewer_seats(
    size: tuple[int, int], turn: int, places: tuple[int, ...]
) -> None:
    geometry = ScreenGeometry(turn=turn)
    whole = layout(size, 5, geometry)
    plan = layout(size, len(places), geometry, places=places)
    for place, strip in zip(places, plan.strips, strict=True):
        assert strip.turn == whole.strips[place].turn
        assert strip.rect.contains(whole.strips[place].rect)
        assert not strip.rect.colliderect(plan.centre)
