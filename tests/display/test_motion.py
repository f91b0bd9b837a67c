"""Motion: pieces fly over the new picture, and leave nothing behind."""

from functools import partial
from itertools import pairwise

import pygame
import pytest
from pygame import Rect

from companion.display import motion
from companion.display.motion import SHAKE_NS, TIME_NS, Flight, Motion
from companion.games import load
from tests.display import gallery

SIZE = (120, 80)
ROOM = Rect(0, 0, 110, 80)
OLD, NEW, PIECE = (10, 20, 30), (200, 190, 180), (250, 0, 0)
MS = 1_000_000


def plain(colour) -> pygame.Surface:
    surface = pygame.Surface(SIZE, 0, 32)
    surface.fill(colour)
    return surface


def piece(colour=PIECE, size=(10, 10)) -> pygame.Surface:
    surface = pygame.Surface(size, pygame.SRCALPHA, 32)
    surface.fill(colour)
    return surface


def moved_by(*flights: Flight) -> Motion:
    return Motion(plain(OLD), plain(NEW), flights, 1_000, ROOM)


def moment(moved: Motion, after_ns: float) -> tuple[pygame.Surface, bool]:
    surface = plain((1, 2, 3))
    goes_on = moved.draw(surface, moved.begin_ns + round(after_ns))
    return surface, goes_on


def found(surface: pygame.Surface, colour=PIECE) -> Rect | None:
    mask = pygame.mask.from_threshold(surface, colour, (1, 1, 1, 255))
    rects = mask.get_bounding_rects()
    return rects[0].unionall(rects[1:]) if rects else None


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


ACROSS = Flight(piece(), (20, 40), (100, 40))


def test_piece_moves_from_start_to_end():
    ways = [found(moment(moved_by(ACROSS), share * TIME_NS / 10)[0]) for share in range(10)]
    assert ways[0] == Rect(15, 35, 10, 10)
    lefts = [way.left for way in ways if way]
    assert lefts == sorted(set(lefts))
    steps = [after - before for before, after in pairwise(lefts)]
    assert steps == sorted(steps, reverse=True), "fast at first, then slower"
    assert all(way.top == 35 for way in ways if way)


def test_last_moment_is_exactly_the_new_picture():
    for late_ns in (0, 1, 10**12):
        surface, goes_on = moment(moved_by(ACROSS, ACROSS._replace(lift_px=9)), TIME_NS + late_ns)
        assert not goes_on
        assert pixels(surface) == pixels(plain(NEW))


def test_motion_continues_until_its_end():
    assert moment(moved_by(ACROSS), 0)[1]
    assert moment(moved_by(ACROSS), TIME_NS * 0.99)[1]


def test_landing_place_keeps_the_old_picture_until_then():
    surface, _ = moment(moved_by(ACROSS), TIME_NS / 10)
    assert surface.get_at((100, 40))[:3] == OLD
    assert found(surface, OLD) == Rect(95, 35, 10, 10)
    assert surface.get_at((60, 70))[:3] == NEW, "everywhere else it is new at once"


def test_landing_outside_its_room_shows_no_old_pixels():
    half_outside = ACROSS._replace(end=(110, 40))
    surface, _ = moment(moved_by(half_outside), 0)
    assert found(surface, OLD) == Rect(105, 35, 5, 10)


def test_moment_does_not_depend_on_earlier_ones():
    moved = moved_by(ACROSS, Flight(piece((0, 250, 0)), (60, 10), (60, 70), lift_px=12, begins=0.4))
    once = pygame.Surface(SIZE, 0, 32)
    for share in (1, 7, 3):
        moved.draw(once, moved.begin_ns + share * TIME_NS // 10)
        assert pixels(once) == pixels(moment(moved, share * TIME_NS // 10)[0])


def test_lift_raises_only_the_middle_of_a_flight():
    low = [found(moment(moved_by(ACROSS._replace(lift_px=20)), share * TIME_NS / 20)[0]) for share in range(20)]
    tops = [rect.top for rect in low if rect]
    assert tops[0] == 35
    assert 15 <= min(tops) <= 17
    assert abs(tops[-1] - 35) <= 2


def test_later_flight_waits_at_its_start():
    green = (0, 250, 0)
    early, late = ACROSS, Flight(piece(green), (20, 60), (100, 60), begins=0.5)
    moved = moved_by(early, late)
    waiting, _ = moment(moved, TIME_NS * 0.45)
    assert found(waiting, green) == Rect(15, 55, 10, 10)
    landed, goes_on = moment(moved, TIME_NS * 0.55)
    assert goes_on
    assert found(landed) is None, "the first has landed: the picture shows it"
    assert found(landed, green)
    assert landed.get_at((100, 40))[:3] == NEW
    assert landed.get_at((100, 60))[:3] == OLD


@pytest.mark.parametrize("begins", [1.0, 7.0])
def test_flight_that_begins_at_the_end_still_moves(begins):
    moved = moved_by(ACROSS._replace(begins=begins))
    assert found(moment(moved, TIME_NS * 0.9)[0]) != found(moment(moved, 0)[0])
    assert not moment(moved, TIME_NS)[1]


def test_shaking_piece_stays_near_its_place_and_stops():
    moved = moved_by(Flight(piece(), (60, 40), (60, 40), shake_px=3))
    seen = [found(moment(moved, after * 7 * MS)[0]) for after in range(280)]
    places = {rect.topleft for rect in seen if rect}
    assert len(places) > 10
    assert all(abs(left - 55) <= 3 and abs(top - 35) <= 3 for left, top in places)
    assert None not in seen, "it goes on for longer than pieces fly"
    surface, goes_on = moment(moved, SHAKE_NS)
    assert not goes_on
    assert pixels(surface) == pixels(plain(NEW))


def test_pieces_may_enter_and_leave_the_picture():
    moved = moved_by(Flight(piece(), (-20, 40), (60, 40)), Flight(piece(), (60, 10), (60, 200)))
    for share in range(10):
        assert moment(moved, share * TIME_NS / 10)[1]
    assert pixels(moment(moved, TIME_NS)[0]) == pixels(plain(NEW))


def test_motion_does_not_change_its_two_pictures():
    moved = moved_by(ACROSS)
    moment(moved, TIME_NS / 2)
    assert pixels(moved.before) == pixels(plain(OLD))
    assert pixels(moved.after) == pixels(plain(NEW))


# --- The pieces of scenes ---------------------------------------------------------------------------------


def test_first_ten_pieces_turn_with_the_centre():
    wide = piece(size=(20, 10))
    shown = motion.shown((Flight(wide, (number, 0), (number, 9), begins=0.1) for number in range(99)), 1)
    assert [flight.start for flight in shown] == [(number, 0) for number in range(motion.MOST)]
    assert {flight.picture.get_size() for flight in shown} == {(10, 20)}
    assert shown[1][1:] == ((1, 0), (1, 9), 0, 0.1, 0.0)


@pytest.mark.parametrize("name", ["boese_buben", "buntherum", "buro_crazy", "de_et_boulanger"])
def test_few_pieces_fly_and_stay_on_the_display(name):
    game, screen = load(name), Rect((0, 0), gallery.WIDE)
    for seats in (game.rules.SEATS[0], game.rules.SEATS[-1]):
        views = (partial(game.rules.view, state) for state in gallery.played(game, seats, 3))
        for before, after in pairwise([gallery.frame_of(game, view, seats) for view in views]):
            _, found = gallery.flown(before, after)
            assert len(found) <= motion.MOST
            assert all(screen.collidepoint(point) for flight in found for point in (flight.start, flight.end))
            assert not gallery.flown(after, after)[1], "nothing has moved"
