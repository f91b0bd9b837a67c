"""What stands on the private screens of pods: two short lines, a long one page by page. Only its seat sees it."""

import textwrap
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from companion.core.clock import PlanningClock
from companion.core.place import Place

COLUMNS: Final = 16
"""Characters of one line of a pod's screen."""

PAGE_NS: Final = 2_000_000_000
"""How long one page of a long text stands."""

Lines = tuple[str, str]

_NARROW_SPACE: Final = "\u202f"


class PrivateScreens:
    """Keeps each place's screen at what it should show; `say` takes a place and its two lines."""

    def __init__(self, say: Callable[[Place, str, str], None], clock: PlanningClock) -> None:
        self._say = say
        self._clock = clock
        self._wanted: dict[Place, Lines] = {}
        self._number: dict[Place, int] = {}  # of texts that were shown there, so that a page of an old one is known

    def show(self, wanted: Mapping[Place, Lines]) -> None:
        """Show two texts at each place, from their first page if they are new."""
        for place, lines in wanted.items():
            if self._wanted.get(place) != lines:
                self._wanted[place] = lines
                self._number[place] = self._number.get(place, 0) + 1
                self._draw(place, self._number[place], 0)

    def _draw(self, place: Place, number: int, page: int) -> None:
        """Show one page, and the next one later, unless something else stands there then."""
        if number != self._number[place]:
            return
        first, second = (pages(line) for line in self._wanted[place])
        self._say(place, first[page % len(first)], second[page % len(second)])
        if len(first) > 1 or len(second) > 1:
            self._clock.at(self._clock.now_ns() + PAGE_NS, partial(self._draw, place, number, page + 1))


def pages(text: str) -> list[str]:
    """Break a text into pages of one line each; words that fit are not cut."""
    # The narrow space before a French `!` is a space that nothing breaks at, and the screens do not have it.
    return [page.replace(_NARROW_SPACE, " ") for page in textwrap.wrap(text, COLUMNS)] or [""]
