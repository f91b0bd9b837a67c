"""What stands on the private screens of pods: two short lines, a long one page by page. Only its seat sees it."""

import textwrap
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from companion.referee.clock import PlanningClock

COLUMNS: Final = 16
"""Characters of one line of a pod's screen."""

PAGE_NS: Final = 2_000_000_000
"""How long one page of a long text stands."""

Lines = tuple[str, str]


class PrivateScreens:
    """Keeps each place's screen at what it should show; `say` takes a place and its two lines.

    Each place turns its pages by itself, so that no screen tells when another one has changed.
    """

    def __init__(self, say: Callable[[int, str, str], None], clock: PlanningClock) -> None:
        self._say = say
        self._clock = clock
        self._wanted: dict[int, Lines] = {}
        self._page: dict[int, int] = {}
        self._turns_ns: dict[int, int] = {}

    def show(self, wanted: Mapping[int, Lines]) -> None:
        """Show two texts at each place, from their first page if they are new."""
        for place, lines in wanted.items():
            if self._wanted.get(place) != lines:
                self._wanted[place], self._page[place] = lines, 0
                self._draw(place)

    def _turn(self, place: int) -> None:
        if self._turns_ns[place] <= self._clock.now_ns():  # else it shows something newer, which turns later
            self._page[place] += 1
            self._draw(place)

    def _draw(self, place: int) -> None:
        first, second = (pages(line) for line in self._wanted[place])
        page = self._page[place]
        self._turns_ns[place] = self._clock.now_ns() + PAGE_NS
        if len(first) > 1 or len(second) > 1:
            self._clock.at(self._turns_ns[place], partial(self._turn, place))
        self._say(place, first[page % len(first)], second[page % len(second)])


def pages(text: str) -> list[str]:
    """Break a text into pages of one line each; words that fit are not cut."""
    return textwrap.wrap(text, COLUMNS) or [""]
