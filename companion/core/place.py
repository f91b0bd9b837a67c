"""Places where players sit. `companion/match/seating.py` maps them to seats."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple, NewType, TypeVar, cast

T = TypeVar("T")

Place = NewType("Place", int)
"""Where somebody sits: 0..4 clockwise in code; 1..5 in `table.toml` and on the screen. The player is a `Seat`."""

MOST_PLACES: Final = 5

HOUSE: Final = Place(-1)
"""The place of the house's controls and of the display."""


class ScreenSize(NamedTuple):
    """The size of a text screen, in characters."""

    columns: int = 16
    lines: int = 2


class PictureSize(NamedTuple):
    """The size of the picture on a place's screen. `screen` distinguishes several screens there."""

    width_px: int
    height_px: int
    screen: str = ""


class TouchArea(NamedTuple):
    """Something to touch on a place's own screen, which stands for `keys`.

    `area` is left, top, width and height as shares of the picture; None for a button beside it.
    """

    keys: str
    label: str
    area: tuple[float, float, float, float] | None = None


class HouseSheet(NamedTuple):
    """The text of the house's own page; `own` is for the house's eyes only, so no repr shows it.

    `said` is what the house has keyed, or why a key was refused. `controls` have an effect now, each with its
    words; `touches` are keys to press, with their words. With `keys` the page shows a keypad.
    """

    due: str = ""
    own: str = ""
    said: str = ""
    points: str = ""
    controls: tuple[tuple[str, str], ...] = ()
    touches: tuple[tuple[str, str], ...] = ()
    keys: bool = False

    def __repr__(self) -> str:
        return f"HouseSheet(due={self.due!r})"


@cache
def each_place(count: int) -> tuple[Place, ...]:
    return tuple(map(Place, range(count)))


def by_place(items: Iterable[T]) -> "Iterator[tuple[Place, T]]":
    return cast("Iterator[tuple[Place, T]]", enumerate(items))
