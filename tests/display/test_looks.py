"""High contrast and large text: every frame is easier to see, and nothing of it is lost."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice, pairwise, product

import gallery
import laws
import pygame
import pytest
import robots
import shows
from colour_science import APART, SIGHTS, ciede2000, seen

from companion.display import scenes, screens, theme
from companion.display.canvas import Placed, lines_height
from companion.display.frame import Findings, Frame, Look, Play, SelfTest
from companion.display.geometry import Glass
from companion.display.layout import LARGE
from companion.display.theme import Style
from companion.games import all_games, load

CONTRAST, LARGE_TEXT, BOTH = Look(high_contrast=True), Look(large_text=True), Look(True, True)

SEEN = 6.5
"""The contrast of a text with what is behind it, in the pixels: a ground may be uneven."""

NAMES, FRAMES = ("Anna", "Ben", "Cleo", "Dan"), 60
"""Who plays where pieces fly, and how many frames of it are looked at."""

LARGER = 1.2
"""So many times as large names and notes are at least, where there is room beside them."""

LOOKS = (
    (CONTRAST, shows.WIDE),
    (LARGE_TEXT, shows.TALL),
    (BOTH, shows.WIDE),
    (LARGE_TEXT, shows.WIDE),
    (BOTH, shows.TALL),
)
"""The looks by turns: all frames in all of them would take minutes."""

REPLACED = tuple({*theme.STRONG} - {*theme.INKS.values(), theme.BACKGROUND, theme.PAPER})
"""The colours that are not to be seen in high contrast. Text on what is lit is as dark as the background, and
paper is nearly white."""

LEAST_PX = 40
"""So few pixels may have a colour by chance, where two others are mixed."""

SHOWS = pytest.mark.parametrize("show", shows.all_shows())


def by_turns(frames_of, show: str) -> Iterator[tuple[str, Frame, tuple[int, int]]]:
    """Yield each frame of a show in the look whose turn it is, on a display, with what to call it."""
    for turn, (seats, frames) in enumerate(frames_of(show).items()):
        for number, (name, frame) in enumerate(frames.items()):
            look, size = LOOKS[(number + turn) % len(LOOKS)]
            yield f"{name}, {seats} seats, {look}, {size}", frame._replace(look=look), size


def in_contrast(frames_of, show: str) -> Iterator[tuple[str, Frame]]:
    """Yield the frames of a show's fuller table in high contrast, with what to call them."""
    frames = frames_of(show)
    for name, frame in frames[max(frames)].items():
        yield name, frame._replace(look=CONTRAST)


@SHOWS
def test_every_frame_obeys_the_laws(frames_of, show):
    faults = [
        f"{name}: {fault}"
        for name, frame, size in by_turns(frames_of, show)
        for law in (*laws.LAWS, shows_its_pictures, is_no_smaller, has_larger_names_and_notes)
        for fault in law(frame, gallery.placed(frame, size), size)
    ]
    assert not faults, "\n".join(faults)


def test_every_kind_of_screen_meets_every_look(frames_of):
    met = {
        (type(frame.screen), frame.look) for show in shows.all_shows() for _, frame, _ in by_turns(frames_of, show)
    }
    assert met == set(product({screen for screen, _ in met}, (CONTRAST, LARGE_TEXT, BOTH)))


def shows_its_pictures(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    """A picture stands out by its colour or by its rim, in high contrast at least."""
    for item in placed:
        colours = [item.colour, *([item.rim] if item.rim else [])]
        best = max(theme.contrast(colour, item.on) for colour in colours)
        if frame.look.high_contrast and not item.cap_px and best < theme.PIECE_CONTRAST:
            yield f"{laws.short(item)} has a contrast of {best:.2f}"


def is_no_smaller(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    """No text pays for it that others are larger; texts that are broken otherwise have no counterpart."""
    usual, now = (_by_text(items) for items in (gallery.placed(frame._replace(look=Look()), size), placed))
    for text, sizes in now.items():
        if len(usual.get(text, ())) == len(sizes):
            for before, after in zip(usual[text], sizes, strict=True):
                if after < before:
                    yield f"{text!r} has capitals of {after} px, not {before}"


def _by_text(placed: list[Placed]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for item in placed:
        if item.cap_px:
            found.setdefault(item.what, []).append(item.cap_px)
    return found


def has_larger_names_and_notes(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    """What fills its line cannot grow, and a note that needs two lines leaves a name no more."""
    if not frame.look.large_text or isinstance(frame.screen, SelfTest | Findings):
        return
    before = frame._replace(look=Look())
    usual = _on_strips(before, gallery.placed(before, size), size)
    now = _on_strips(frame, placed, size)
    for (place, said), item in now.items():
        if (place, said) not in usual:
            continue
        wanted = round(usual[place, said].cap_px * LARGER) - laws.PIXEL
        whole = said if said == frame.sides[place].name else frame.sides[place].note
        if item.cap_px < wanted and _fits(whole, max(item.room.size), wanted):
            yield f"{laws.short(item)} has capitals of {item.cap_px} px, not {wanted}"


def _fits(text: str, width: int, cap_px: int) -> bool:
    """Tell whether a text has room on the line, or on the two lines, that it had."""
    usual, larger = Style(round(cap_px / LARGER)), Style(cap_px)
    rows = min(2, lines_height(text, width, usual) // lines_height("", width, usual))
    return lines_height(text, width, larger) <= rows * lines_height("", width, larger)


def _on_strips(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> dict[tuple[int, str], Placed]:
    """Return the names and the rows of the notes, by the place of the strip and what they say."""
    strips = screens.plan_of(size, frame, Glass()).strips
    return {
        (place, item.what): item
        for place, (side, strip) in enumerate(zip(frame.sides, strips, strict=True))
        for item in placed
        if strip.rect.contains(item.rect)
        and (item.what == side.name or (item.what in side.note and not item.what.isdecimal()))
    }


@SHOWS
def test_high_contrast_tells_pieces_apart_for_all_eyes(frames_of, show):
    """Their inks are what they were, and none is used for anything else."""
    for name, frame, size in by_turns(frames_of, show):
        if not frame.look.high_contrast:
            continue
        colours = {item.colour for item in gallery.placed(frame, size) if not item.cap_px}
        inks = colours & set(theme.INKS.values())
        for one, other in combinations(inks, 2):
            for sight in SIGHTS:
                assert ciede2000(seen(one, sight), seen(other, sight)) >= APART, (name, sight, one, other)


@pytest.mark.parametrize("sight", SIGHTS)
def test_strips_in_high_contrast_are_told_apart_by_all_eyes(sight):
    strips = [theme.toned(colour, strong=True) for colour in (theme.LIT, theme.GOOD, theme.CHIP, theme.PANEL)]
    for one, other in combinations(strips, 2):
        assert ciede2000(seen(one, sight), seen(other, sight)) >= APART, (one, other)


@SHOWS
def test_what_draws_past_the_canvas_has_the_colours_of_high_contrast(frames_of, show):
    """The colour that is most often behind a text is far from its own, and no colour is left as it was."""
    faults = []
    for name, frame in in_contrast(frames_of, show):
        canvas = gallery.drawn(frame, shows.WIDE)
        for item in canvas.placed:
            if item.cap_px and theme.contrast(item.colour, _behind(canvas.surface, item)) < SEEN:
                faults.append(f"{name}: {laws.short(item)} is on {_behind(canvas.surface, item)}")
        faults += [f"{name}: {fault}" for fault in _left(canvas.surface)]
    assert not faults, "\n".join(faults)


def _left(surface: pygame.Surface) -> Iterator[str]:
    """Name the colours of a picture that high contrast replaces."""
    for colour in REPLACED:
        count = pygame.transform.threshold(None, surface, colour, (0, 0, 0), None, 0)
        if count >= LEAST_PX:
            yield f"{count} pixels are {colour}"


@pytest.mark.parametrize("game", all_games())
def test_what_flies_has_the_colours_of_high_contrast(game, tmp_path):
    plays = [frame for _, frame in islice(robots.watched(game, NAMES, "looks", tmp_path), FRAMES)]
    faults, seen_flying = [], 0
    for before, after in pairwise(frame for frame in plays if isinstance(frame.screen, Play)):
        plan = screens.plan_of(shows.WIDE, after, Glass()).of_scene
        for flight in scenes.scene_of(load(game).scene).flights(plan, before.screen, after.screen, CONTRAST):
            seen_flying += 1
            on_black = pygame.Surface(flight.picture.get_size(), 0, 32)
            on_black.blit(flight.picture, (0, 0))
            faults += [f"{flight.start} to {flight.end}: {fault}" for fault in _left(on_black)]
    assert seen_flying
    assert not faults, "\n".join(faults)


def _behind(surface: pygame.Surface, item: Placed) -> theme.Colour:
    """Return the most frequent colour of a text's rectangle that is not the text's own."""
    words = memoryview(pygame.image.tobytes(surface.subsurface(item.rect), "RGBX")).cast("I")
    colours = ((word & 255, word >> 8 & 255, word >> 16 & 255) for word, _ in Counter(words).most_common())
    return next((colour for colour in colours if colour != item.colour), item.on)


def test_large_text_takes_no_room_from_a_scene(frames_of):
    for usual_frame in frames_of("buntherum")[5].values():
        frame = usual_frame._replace(look=LARGE_TEXT)
        for size in gallery.ALL_SIZES:
            large = screens.plan_of(size, frame, Glass())
            usual = screens.plan_of(size, usual_frame, Glass())
            assert large.centre == usual.centre
            assert large.of_scene.cap_px == usual.cap_px
            assert large.cap_px == int(usual.cap_px * LARGE)
            for strip in large.strips:
                assert not strip.rect.colliderect(large.centre)
