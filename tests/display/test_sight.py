"""What a colour means can be seen by everybody: in the drawn pictures, by eyes of every kind."""

from collections import Counter
from itertools import combinations

import gallery
import pygame
import pytest
import shows
from colour_science import APART, SIGHTS, ciede2000, seen

from companion.display import theme
from companion.display.canvas import Canvas

SIZE = shows.SIZES[0]

LEAST_PX = 40
"""A colour of fewer pixels is the rim of something."""

SHOWN_ON = 9
"""How far an ink is at least from the face that it lies on; its dark outline does the rest."""

PIECES = {"figure", "goblin", "goblin_on_pig", "baker", "bakery"}
"""The drawings that stand for a player, and so have a player's colour."""

SHOWS = pytest.mark.parametrize("show", shows.all_shows())


def inks_in(canvas: Canvas) -> list[str]:
    """Return the inks of a picture, as they were drawn."""
    counts = Counter(memoryview(pygame.image.tobytes(canvas.surface, "RGBX")).cast("I"))
    return [name for name, ink in theme.INKS.items() if counts[_word(ink)] >= LEAST_PX]


def _word(colour: theme.Colour) -> int:
    return int.from_bytes(bytes((*colour, 255)), "little")


@SHOWS
def test_the_inks_of_every_picture_stay_apart_for_all_eyes(frames_of, show):
    faults = set()
    for frames in frames_of(show).values():
        for name, frame in frames.items():
            for one, other in combinations(inks_in(gallery.drawn(frame, SIZE)), 2):
                for sight in SIGHTS:
                    apart = ciede2000(seen(theme.INKS[one], sight), seen(theme.INKS[other], sight))
                    if apart < APART:
                        faults.add(f"{name}: {one} and {other} are {apart:.1f} apart for {sight} eyes")
    assert not faults, "\n".join(sorted(faults))


@SHOWS
def test_a_players_piece_has_an_ink_that_shows_where_it_stands(frames_of, placed_of, show):
    inks = {ink: name for name, ink in theme.INKS.items()}
    faults = set()
    for frames in frames_of(show).values():
        for name, frame in frames.items():
            for item in placed_of(frame, SIZE, 0):
                if item.what not in PIECES:
                    continue
                if item.colour not in inks:
                    faults.add(f"{name}: {item.what} has the colour {item.colour}, which is no ink")
                    continue
                for sight in SIGHTS:
                    apart = ciede2000(seen(item.colour, sight), seen(item.on, sight))
                    if apart < SHOWN_ON:
                        faults.add(
                            f"{name}: {inks[item.colour]} {item.what} on {item.on} is {apart:.1f} for {sight}"
                        )
    assert not faults, "\n".join(sorted(faults))
