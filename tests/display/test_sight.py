"""What a colour means can be seen by everybody: in the drawn pictures, by eyes of every kind."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations

import gallery
import pygame
import pytest
import shows
from colour_science import APART, SIGHTS, ciede2000, seen

from companion.display import theme
from companion.display.canvas import Canvas, Placed

SIZE = shows.SIZES[0]

LEAST_PX = 40
"""A colour of fewer pixels is the rim of something."""

SHOWN = 0.2
"""The share of a piece that stands apart from the face it lies on, by its colour or by its light or dark rim."""

PIECES = {"figure", "goblin", "goblin_on_pig", "baker", "bakery"}
"""The drawings that stand for a player, and so have a player's colour."""

NOBODYS = theme.FAINT
"""The colour of a piece that is nobody's yet."""


@pytest.fixture(scope="module", params=shows.all_shows())
def pictures(request: pytest.FixtureRequest, frames_of) -> list[tuple[str, Canvas]]:
    """Every frame of a show as it is drawn, with its name."""
    shown = frames_of(request.param).values()
    return [(name, gallery.drawn(frame, SIZE)) for frames in shown for name, frame in frames.items()]


def inks_in(canvas: Canvas) -> list[str]:
    """Return the inks of a picture, as they were drawn."""
    return [name for name, ink in theme.INKS.items() if _count(canvas.surface, ink) >= LEAST_PX]


def _count(surface: pygame.Surface, colour: theme.Colour) -> int:
    """Return how many pixels have just this colour."""
    return pygame.transform.threshold(None, surface, colour, (0, 0, 0), None, 0)


def _too_near(colours: set[theme.Colour]) -> Iterator[str]:
    """Name each two colours that somebody can hardly tell apart."""
    for one, other in combinations(sorted(colours), 2):
        for sight in SIGHTS:
            apart = ciede2000(seen(one, sight), seen(other, sight))
            if apart < APART:
                yield f"{one} and {other} are {apart:.1f} apart for {sight} eyes"


def _pixels(surface: pygame.Surface) -> Counter[int]:
    """Return how many pixels have each colour, as a word."""
    return Counter(memoryview(pygame.image.tobytes(surface, "RGBX")).cast("I"))


def test_the_inks_of_every_picture_stay_apart_for_all_eyes(pictures):
    faults = set()
    for name, canvas in pictures:
        inks = {theme.INKS[ink] for ink in inks_in(canvas)}
        faults |= {f"{name}: inks {fault}" for fault in _too_near(inks)}
    assert not faults, "\n".join(sorted(faults))


def test_the_players_pieces_stay_apart_for_all_eyes(pictures):
    """Whatever colours the game's own figures have."""
    faults = set()
    for name, canvas in pictures:
        colours = {item.colour for item in canvas.placed if item.what in PIECES} - {NOBODYS}
        faults |= {f"{name}: pieces {fault}" for fault in _too_near(colours)}
    assert not faults, "\n".join(sorted(faults))


def test_a_players_piece_shows_where_it_stands(pictures):
    faults = set()
    for name, canvas in pictures:
        for item in canvas.placed:
            if item.what in PIECES:
                faults |= {f"{name}: {item.what} {fault}" for fault in _hidden(canvas, item)}
    assert not faults, "\n".join(sorted(faults))


def _hidden(canvas: Canvas, item: Placed) -> Iterator[str]:
    """Yield for which eyes a piece is hardly seen."""
    counts = _pixels(canvas.surface.subsurface(item.rect))
    for sight in SIGHTS:
        shown = sum(count for word, count in counts.items() if _stands_apart(word, item.on, sight)) / counts.total()
        if shown < SHOWN:
            yield f"of {item.colour} on {item.on}: {shown:.2f} of it for {sight} eyes"


@cache
def _stands_apart(word: int, on: theme.Colour, sight: str) -> bool:
    colour = tuple(word.to_bytes(4, "little")[:3])
    return ciede2000(seen(colour, sight), seen(on, sight)) >= APART
