"""The pages of a lesson, read one after the other."""

from collections.abc import Sequence
from typing import Final

from companion.core.clock import MS, PlanningClock
from companion.core.guide import Page
from companion.core.menu import BACK_CONTROLS, NEXT_CONTROLS, OK_CONTROLS
from companion.core.move import Seat
from companion.core.text import Render, msg, with_names
from companion.display.frame import Screen, Side
from companion.match import centre
from companion.match.lessons import LEARNER
from companion.visits.visit import PressesOnly

MEANT_NS: Final = 500 * MS
"""A press this soon after a page came was meant for what was there before."""


class Reading(PressesOnly):
    """Pages that are read one after the other: buzzer, `#` or ok goes on, `*` goes back."""

    def __init__(self, pages: Sequence[Page], names: Sequence[str], clock: PlanningClock, read: Render) -> None:
        self.is_read = False
        self._pages, self._names, self._clock, self._read = pages, names, clock, read
        self._place = 0
        self._since_ns = clock.now_ns()

    def screen(self) -> Screen:
        """Return the page that is read."""
        page = self._pages[self._place]
        rows = tuple(row._replace(text=with_names(row.text, self._names)) for row in page.rows)
        hint = msg("# or buzzer: go on. *: back")
        return centre.help_page(page._replace(rows=rows), self._place + 1, len(self._pages), hint, self._read)

    def sides(self) -> tuple[Side, ...]:
        """Return strips that say only who sits there: what happened is not to be read now."""
        return tuple(
            Side(name, lit=seat == LEARNER, picture="person" if seat == LEARNER else "robot")
            for seat, name in enumerate(self._names)
        )

    def press(self, place: Seat, control: str) -> bool:
        """Turn to the next page, or back; return False at either end."""
        if self._clock.now_ns() - self._since_ns < MEANT_NS:
            return True
        step = 1 if control in OK_CONTROLS | NEXT_CONTROLS else -1 if control in BACK_CONTROLS else 0
        if step:
            self._place += step
            self._since_ns = self._clock.now_ns()
        self.is_read = self._place == len(self._pages)
        return 0 <= self._place < len(self._pages)
