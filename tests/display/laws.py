"""Laws of every picture."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from pygame import Rect

from companion.display import theme
from companion.display.canvas import LEAST_CAP_PX, Placed
from companion.display.frame import Frame, Play
from companion.display.layout import LEAST_SHARE, layout
from tests.display import gallery

PIXEL = 1
"""Tolerated overlap: text is placed in whole pixels."""

GLANCE_SHARE = 0.475
"""Least capitals of numbers and long names, as a share of usual ones: 9 minutes of arc."""

Law = Callable[[Frame, list[Placed], tuple[int, int]], Iterator[str]]


def short(item: Placed) -> str:
    return f"{item.what!r} at {tuple(item.rect)}"


def stays_in_its_room(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    display = Rect((0, 0), size)
    for item in placed:
        if not item.room.inflate(2 * PIXEL, 2 * PIXEL).contains(item.rect):
            yield f"{short(item)} leaves its room {tuple(item.room)}"
        if not display.contains(item.rect):
            yield f"{short(item)} leaves the display"


def does_not_overlap(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    areas = [item.rect.inflate(-PIXEL, -PIXEL) for item in placed]
    for number, area in enumerate(areas):
        for other in area.collidelistall(areas[number + 1 :]):
            yield f"{short(placed[number])} overlaps {short(placed[number + 1 + other])}"


def can_be_read(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    least = layout(size, len(frame.sides)).cap_px * LEAST_SHARE
    for item in placed:
        if 0 < item.cap_px < least:
            shrunk = " (shrunk as far as it goes)" if item.cap_px <= LEAST_CAP_PX else ""
            yield f"{short(item)} has capitals of {item.cap_px} px, least {least:.1f}{shrunk}"


def is_large_at_a_glance(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    least = int(layout(size, len(frame.sides)).cap_px * GLANCE_SHARE)
    names = {side.name for side in frame.sides if side.name}
    rooms = [item.room for item in placed]
    for item in placed:
        # A row of a sentence may be a number or a name; rows share their room.
        alone = rooms.count(item.room) == 1
        number = isinstance(frame.screen, Play) and item.what.isdecimal()
        if alone and (number or item.what in names) and item.cap_px < least:
            yield f"{short(item)} has capitals of {item.cap_px} px, least {least}"


def stands_out(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    least = 7.0 if frame.look.high_contrast else 4.5
    for item in placed:
        if item.cap_px and theme.contrast(item.colour, item.on) < least:
            yield f"{short(item)} has a contrast of {theme.contrast(item.colour, item.on):.2f}"


def says_all(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> Iterator[str]:
    """Check that every name and every word of every note is there."""
    texts = " ".join(item.what for item in placed if item.cap_px)
    for side in frame.sides:
        for word in f"{side.name} {side.note}".split():
            if word not in texts:
                yield f"{word!r} of {side.name} is missing"


LAWS: tuple[Law, ...] = (
    stays_in_its_room,
    does_not_overlap,
    can_be_read,
    is_large_at_a_glance,
    stands_out,
    says_all,
)


Thing = TypeVar("Thing")
Glass = tuple[tuple[int, int], int]
Glasses = Sequence[Glass]


def in_turn(
    things: Iterable[Thing], first: int, glasses: Glasses = gallery.GLASSES
) -> Iterator[tuple[Thing, Glass]]:
    """Yield each thing with a display, grouped by display to share drawings."""
    things = list(things)
    for number, glass in enumerate(glasses):
        for thing in things[(number - first) % len(glasses) :: len(glasses)]:
            yield thing, glass


def faults(frame: Frame, placed: list[Placed], size: tuple[int, int]) -> list[str]:
    return [fault for law in LAWS for fault in law(frame, placed, size)]


def faults_by_turns(
    frames: Iterable[tuple[str, Frame]], first: int, laws: Iterable[Law] = LAWS, glasses: Glasses = gallery.GLASSES
) -> list[str]:
    """Return violations, each frame on one display in turn from `first` on."""
    found = []
    for (name, frame), (size, turn) in in_turn(frames, first, glasses):
        placed = gallery.placed(frame, size, turn)
        found += [f"{name} on {size}, {turn}: {fault}" for law in laws for fault in law(frame, placed, size)]
    return found
