"""The pages of a lesson, read one after the other."""

from collections.abc import Callable, Sequence
from typing import Final

from companion.core.clock import PlanningClock
from companion.core.guide import Page
from companion.core.menu import BACK_CONTROLS, NEXT_CONTROLS, OK_CONTROLS, Pager
from companion.core.place import Place
from companion.core.text import Render, msg
from companion.core.units import MS
from companion.display.frame import Screen, Side
from companion.match import centre
from companion.match.lessons import LEARNER
from companion.screens.overlays import Overlay

MEANT_NS: Final = 500 * MS
"""A press this soon after a new page was meant for the previous one."""


class LessonPages(Overlay):
    """Pages to read. `done` is called with True after the last one, with False if somebody goes back.

    The `sitters` are the names of the seats with their places.
    """

    def __init__(
        self,
        pages: Sequence[Page],
        sitters: Sequence[tuple[str, Place]],
        clock: PlanningClock,
        read: Render,
        done: Callable[[bool], None],
    ) -> None:
        self._pages = [page.named([name for name, _ in sitters]) for page in pages]
        self._sitters = sitters
        self._clock, self._read, self._done = clock, read, done
        self._pager = Pager(len(pages))
        self._since_ns = clock.now_ns()

    def screen(self) -> Screen:
        hint = msg("# or buzzer: go on. *: back")
        return centre.help_page(self._pages[self._pager.page], self._pager, hint, self._read)

    def sides(self) -> tuple[Side, ...]:
        return tuple(
            Side(name, lit=seat == LEARNER, picture="person" if seat == LEARNER else "robot", place=place)
            for seat, (name, place) in enumerate(self._sitters)
        )

    def press(self, place: Place, control: str) -> bool:
        if self._clock.now_ns() - self._since_ns < MEANT_NS:
            return True
        # Digits turn no page here, since a learner presses them in the match.
        pager = self._pager.turned(control, OK_CONTROLS | NEXT_CONTROLS, BACK_CONTROLS)
        if not pager.within:
            self._done(pager.page > 0)
        elif pager != self._pager:
            self._pager, self._since_ns = pager, self._clock.now_ns()
        return True
