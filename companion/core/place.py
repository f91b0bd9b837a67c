"""A place: where one sits, whoever plays there. `companion/match/seating.py` tells whose seat it is."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple, NewType, TypeVar, cast

T = TypeVar("T")

Place = NewType("Place", int)
"""Where one sits: 0..4 clockwise in code; 1..5 in `table.toml` and on the screen. Who plays is a `Seat`."""

MOST_PLACES: Final = 5
"""How many people a table has room for."""

HOUSE: Final = Place(-1)
"""Where the controls stand that belong to no place; the display reports from there, too."""


class ScreenSize(NamedTuple):
    """How many characters a line of a place's private screen has, and how many lines there are."""

    columns: int = 16
    lines: int = 2


class PictureSize(NamedTuple):
    """How large a picture a place's private screen shows, in pixels; another `screen` there has another name."""

    width_px: int
    height_px: int
    screen: str = ""


class TouchArea(NamedTuple):
    """Something to touch on a place's private screen: the keys for which it stands, and its words.

    `area` is where it is in the picture: left, top, width and height as shares of the picture's. Without one it is
    a button beside the picture.
    """

    keys: str
    label: str
    area: tuple[float, float, float, float] | None = None


@cache
def each_place(count: int) -> tuple[Place, ...]:
    """Return the first places of a table, clockwise."""
    return tuple(map(Place, range(count)))


def by_place(items: Iterable[T]) -> "Iterator[tuple[Place, T]]":
    """Return each item with its place: the first is that of place 0."""
    return cast("Iterator[tuple[Place, T]]", enumerate(items))
