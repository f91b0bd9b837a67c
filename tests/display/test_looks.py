"""High contrast and large text where no frame of the gallery shows them: strips, what flies, a scene's room."""

from itertools import combinations, islice, pairwise

import gallery
import pygame
import pytest
import robots
import shows
from colour_science import APART, SIGHTS, ciede2000, seen
from test_golden import CONTRAST, LARGE_TEXT, left_in_contrast

from companion.display import scenes, screens, strips, theme
from companion.display.frame import Look, Play
from companion.display.geometry import ScreenGeometry
from companion.display.layout import LARGE
from companion.games import all_games, load

NAMES, FRAMES = ("Anna", "Ben", "Cleo", "Dan"), 60
"""Who plays where pieces fly, and how many frames of it are looked at."""

LEAST_CUT = 0.004
"""A tail that is cut off is more than this share of a sentence."""


@pytest.mark.parametrize("sight", SIGHTS)
def test_strips_in_high_contrast_are_told_apart_by_all_eyes(sight):
    strips = [theme.toned(colour, strong=True) for colour in (theme.LIT, theme.GOOD, theme.CHIP, theme.PANEL)]
    for one, other in combinations(strips, 2):
        assert ciede2000(seen(one, sight), seen(other, sight)) >= APART, (one, other)


@pytest.mark.parametrize("game", all_games())
def test_what_flies_has_the_colours_of_high_contrast(game, tmp_path):
    plays = [frame for _, frame in islice(robots.watched(game, NAMES, "looks", tmp_path), FRAMES)]
    faults, seen_flying = [], 0
    for before, after in pairwise(frame for frame in plays if isinstance(frame.screen, Play)):
        plan = screens.plan_of(shows.WIDE, after, ScreenGeometry()).of_scene
        for flight in scenes.scene_of(load(game).scene).flights(plan, before.screen, after.screen, CONTRAST):
            seen_flying += 1
            on_black = pygame.Surface(flight.picture.get_size(), 0, 32)
            on_black.blit(flight.picture, (0, 0))
            faults += [f"{flight.start} to {flight.end}: {fault}" for fault in left_in_contrast(on_black)]
    assert seen_flying
    assert not faults, "\n".join(faults)


def test_large_text_takes_no_room_from_a_scene(frames_of):
    for usual_frame in frames_of("buntherum")[5].values():
        frame = usual_frame._replace(look=LARGE_TEXT)
        for size in gallery.ALL_SIZES:
            large = screens.plan_of(size, frame, ScreenGeometry())
            usual = screens.plan_of(size, usual_frame, ScreenGeometry())
            assert large.centre == usual.centre
            assert large.of_scene.cap_px == usual.cap_px
            assert large.cap_px == int(usual.cap_px * LARGE)
            for strip in large.strips:
                assert not strip.rect.colliderect(large.centre)


@pytest.mark.parametrize("look", [Look(), LARGE_TEXT], ids=["usual", "large"])
@pytest.mark.parametrize("name", ["Ève", "Éléonore", "Marie-Hélène d’Été", "Ångström"])
def test_the_accent_of_a_name_is_not_cut_off_at_the_edge_of_its_strip(frames_of, look, name):
    for usual in frames_of("buntherum")[5].values():
        frame = usual._replace(look=look, sides=(usual.sides[0]._replace(name=name), *usual.sides[1:]))
        for size in gallery.ALL_SIZES:
            strip = strips.rects(screens.plan_of(size, frame, ScreenGeometry()))[0]
            placed = gallery.placed(frame, size)
            written = next(item for item in placed if item.what == name and strip.contains(item.rect))
            drawn = theme.text_surface(name, theme.Style(written.cap_px, written.colour))
            ink = drawn.get_bounding_rect().move(drawn.get_rect(center=written.rect.center).topleft)
            assert ink.top >= strip.top, (frame, size)


@pytest.mark.parametrize("look", [Look(), LARGE_TEXT], ids=["usual", "large"])
@pytest.mark.parametrize("show", ["table", "past"])
def test_the_tails_of_letters_are_not_cut_off(frames_of, show, look):
    """Of what is upright for whoever sits at the bottom: what is turned is drawn by the same painters."""
    faults = []
    for name, usual in frames_of(show)[2].items():
        frame = usual._replace(look=look)
        for size in ((480, 320), shows.WIDE):
            faults += [f"{name} on {size}: {what}" for what in _cut(frame, size)]
    assert not faults, "\n".join(faults)


def _cut(frame, size):
    """Yield each sentence in upright lines of which something else covers a part, or the edge of the display."""
    canvas = gallery.drawn(frame, size)
    turned = [strip.rect for strip in screens.plan_of(size, frame, ScreenGeometry()).strips if strip.turn]
    masks = {}
    for item in canvas.placed:
        if not item.cap_px or len(item.what) < 8 or any(rect.contains(item.rect) for rect in turned):
            continue
        if item.colour not in masks:
            masks[item.colour] = pygame.mask.from_threshold(canvas.surface, item.colour, (60, 60, 60, 255))
        seen, hidden = masks[item.colour], []
        for bold in (False, True):
            drawn = theme.text_surface(item.what, theme.Style(item.cap_px, item.colour, bold))
            if drawn.get_width() != item.rect.width:
                continue
            letters = pygame.mask.from_surface(drawn, 230)
            left, top = drawn.get_rect(center=item.rect.center).topleft
            hidden += [letters.count() - seen.overlap_area(letters, (left, top + by)) for by in (-1, 0, 1)]
        if hidden and min(hidden) > LEAST_CUT * letters.count():
            yield item.what
