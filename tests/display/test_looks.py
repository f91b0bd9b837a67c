"""High contrast and large text: every frame is easier to see, and nothing of it is lost."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import gallery
import laws
import pygame
import pytest
import shows
from colour_science import APART, SIGHTS, ciede2000, seen

from companion.display import screens, theme
from companion.display.canvas import Placed, lines_height
from companion.display.frame import Findings, Frame, Look, SelfTest
from companion.display.layout import LARGE, Glass
from companion.display.theme import Style

CONTRAST, LARGE_TEXT, BOTH = Look(high_contrast=True), Look(large_text=True), Look(True, True)

SEEN = 6.5
"""The contrast of a text with what is behind it, in the pixels: a ground may be uneven."""

LARGER = 1.2
"""So many times as large names and notes are at least, where there is room beside them."""

LOOKS = pytest.mark.parametrize(
    ("look", "size"),
    [(CONTRAST, shows.WIDE), (LARGE_TEXT, shows.WIDE), (BOTH, shows.TALL)],
    ids=["contrast", "large", "both"],
)

SHOWS = pytest.mark.parametrize("show", shows.all_shows())


def every(frames_of, show: str, look: Look) -> Iterator[tuple[str, Frame]]:
    """Return all frames of a show in a look, with what to call them."""
    for seats, frames in frames_of(show).items():
        for name, frame in frames.items():
            yield f"{name}, {seats} seats", frame._replace(look=look)


@SHOWS
@LOOKS
def test_every_frame_obeys_the_laws(frames_of, show, look, size):
    faults = [
        f"{name}: {fault}"
        for name, frame in every(frames_of, show, look)
        for law in (*laws.LAWS, shows_its_pictures, is_no_smaller, has_larger_names_and_notes)
        for fault in law(frame, gallery.placed(frame, size), size)
    ]
    assert not faults, "\n".join(faults)


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
    for name, frame in every(frames_of, show, CONTRAST):
        colours = {item.colour for item in gallery.placed(frame, shows.WIDE) if not item.cap_px}
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
def test_texts_stand_out_from_what_is_really_behind_them(frames_of, show):
    """Whatever draws past the canvas: the colour that is most often behind a text is far from its own."""
    faults = []
    for name, frame in every(frames_of, show, CONTRAST):
        canvas = gallery.drawn(frame, shows.WIDE)
        for item in canvas.placed:
            if item.cap_px and theme.contrast(item.colour, _behind(canvas.surface, item)) < SEEN:
                faults.append(f"{name}: {laws.short(item)} is on {_behind(canvas.surface, item)}")
    assert not faults, "\n".join(faults)


def _behind(surface: pygame.Surface, item: Placed) -> theme.Colour:
    """Return the most frequent colour of a text's rectangle that is not the text's own."""
    words = memoryview(pygame.image.tobytes(surface.subsurface(item.rect), "RGBX")).cast("I")
    colours = ((word & 255, word >> 8 & 255, word >> 16 & 255) for word, _ in Counter(words).most_common())
    return next((colour for colour in colours if colour != item.colour), item.on)


def test_large_text_takes_no_room_from_a_scene(frames_of):
    for _, frame in every(frames_of, "buntherum", LARGE_TEXT):
        for size in gallery.ALL_SIZES:
            large = screens.plan_of(size, frame, Glass())
            usual = screens.plan_of(size, frame._replace(look=Look()), Glass())
            assert large.centre == usual.centre
            assert large.of_scene.cap_px == usual.cap_px
            assert large.cap_px == int(usual.cap_px * LARGE)
            for strip in large.strips:
                assert not strip.rect.colliderect(large.centre)
