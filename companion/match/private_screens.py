"""The private screens of pods: two texts, split into pages. Only the seat itself sees them."""

import textwrap
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

from companion.core.clock import PlanningClock
from companion.core.place import Place, ScreenSize

PAGE_NS: Final = 2_000_000_000

PAGE_KEY: Final = "C"
"""Turns the page if the game does not use it."""

USUAL: Final = ScreenSize()

MORE: Final = " >"

_NARROW_SPACE: Final = "\u202f"


class Private(NamedTuple):
    """The two texts of a private screen.

    The first page returns only if `about` changes. Each increase of `turned` shows the next page.
    """

    first: str
    second: str = ""
    about: str = ""
    turned: int = 0


class PrivateScreens:
    """Updates every place's screen; `say` takes a place and all its lines."""

    def __init__(
        self,
        say: Callable[..., None],
        clock: PlanningClock,
        size_of: Callable[[Place], ScreenSize] = lambda _: ScreenSize(),
    ) -> None:
        self._say = say
        self._clock = clock
        self._size_of = size_of
        self._wanted: dict[Place, Private] = {}
        self._size: dict[Place, ScreenSize] = {}
        self._page: dict[Place, int] = {}
        self._number: dict[Place, int] = {}  # of the planned page turn, to recognise an outdated one
        self._turns: set[Place] = set()  # places with a planned page turn

    def show(self, wanted: Mapping[Place, Private]) -> None:
        for place, private in wanted.items():
            last, size = self._wanted.get(place), self._size_of(place)
            if last == private and size == self._size[place]:
                continue
            if last is None or last.about != private.about or size != self._size[place]:
                self._turn_to(place, 0)
            elif last.turned != private.turned:
                self._turn_to(place, self._page[place] + 1)
            self._wanted[place], self._size[place] = private, size
            self._draw(place)

    def _turn_to(self, place: Place, page: int) -> None:
        self._page[place] = page
        self._number[place] = self._number.get(place, 0) + 1
        self._turns.discard(place)

    def _draw(self, place: Place) -> None:
        first, second = laid_out(self._wanted[place], self._size[place])
        page = self._page[place]
        self._say(place, *first[page % len(first)], *second[page % len(second)])
        if len(first) == len(second) == 1:
            self._turn_to(place, 0)
        elif place not in self._turns:
            self._turns.add(place)
            self._clock.at(self._clock.now_ns() + PAGE_NS, partial(self._turn, place, self._number[place]))

    def _turn(self, place: Place, number: int) -> None:
        if number == self._number[place]:
            self._turn_to(place, self._page[place] + 1)
            self._draw(place)


Pages = list[tuple[str, ...]]


def laid_out(private: Private, size: ScreenSize) -> tuple[Pages, Pages]:
    """Return the pages of both texts. Each has half of the lines, and those that the other does not need."""
    above, below = (len(wrapped(text, size.columns)) if text else 0 for text in private[:2])
    half = size.lines // 2
    upper = max(above, 1) if above <= half else size.lines - min(below, half)
    return _paged(private.first, size.columns, upper), _paged(private.second, size.columns, size.lines - upper)


def wrapped(text: str, columns: int = USUAL.columns) -> list[str]:
    return [_as_shown(line) for line in textwrap.wrap(text, columns)] or [""]


def pages(text: str, columns: int = USUAL.columns, high: int = 1) -> Pages:
    """Split a text into pages of `high` lines. Each page but the last ends with MORE, if it fits."""
    found, rest, room = [], text.strip(), columns - len(MORE)
    while len(lines := textwrap.wrap(rest, columns)) > high:
        for line in lines[: high - 1]:
            rest = rest[len(line) :].lstrip()
        last = textwrap.wrap(rest, room, break_long_words=False)[0]
        shown = last.ljust(room) + MORE
        if len(last) > room:
            shown = last = lines[high - 1]
        rest = rest[len(last) :].lstrip()
        found.append((*lines[: high - 1], shown))
    found.append((*lines, *[""] * (high - len(lines))))
    return [tuple(map(_as_shown, page)) for page in found]


def _paged(text: str, columns: int, high: int) -> Pages:
    return pages(text, columns, high) if high else [()]


def _as_shown(line: str) -> str:
    # The narrow no-break space before a French `!` is not in the screens' font.
    return line.replace(_NARROW_SPACE, " ")
