"""What stands on the private screens of pods: two short lines, a long one page by page. Only its seat sees it."""

import textwrap
from collections.abc import Callable, Mapping
from typing import Final

from companion.referee.clock import PlanningClock

COLUMNS: Final = 16
"""Characters of one line of a pod's screen."""

PAGE_NS: Final = 2_000_000_000
"""How long one page of a long text stands."""

Lines = tuple[str, str]


class PrivateScreens:
    """Keeps each place's screen at what it should show; `say` takes a place and its two lines."""

    def __init__(self, say: Callable[[int, str, str], None], clock: PlanningClock) -> None:
        self._say = say
        self._clock = clock
        self._wanted: dict[int, Lines] = {}
        self._page: dict[int, int] = {}
        self._turning = False

    def show(self, wanted: Mapping[int, Lines]) -> None:
        """Show two texts at each place, from their first page if they are new."""
        for place, lines in wanted.items():
            if self._wanted.get(place) != lines:
                self._wanted[place], self._page[place] = lines, 0
                self._draw(place)
        self._turn_later()

    def _turn_later(self) -> None:
        if not self._turning and any(len(pages(line)) > 1 for lines in self._wanted.values() for line in lines):
            self._turning = True
            self._clock.at(self._clock.now_ns() + PAGE_NS, self._turn)

    def _turn(self) -> None:
        self._turning = False
        for place, lines in self._wanted.items():
            if any(len(pages(line)) > 1 for line in lines):
                self._page[place] += 1
                self._draw(place)
        self._turn_later()

    def _draw(self, place: int) -> None:
        first, second = (pages(line) for line in self._wanted[place])
        page = self._page[place]
        self._say(place, first[page % len(first)], second[page % len(second)])


def pages(text: str) -> list[str]:
    """Break a text into pages of one line each; words that fit are not cut."""
    return textwrap.wrap(text, COLUMNS) or [""]
