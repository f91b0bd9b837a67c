"""A lesson at the table: when its pages are read, what they look like, and what a pause of it offers."""

from collections.abc import Callable, Sequence
from typing import Final

from companion.core.clock import MS, PlanningClock
from companion.core.guide import Page
from companion.core.menu import BACK_CONTROLS, NEXT_CONTROLS, OK_CONTROLS, Pager
from companion.core.move import Seat
from companion.core.text import Render, msg, with_names
from companion.display.frame import Screen, Side
from companion.match import centre
from companion.match.lessons import LEARNER, Tutor
from companion.match.running import Running
from companion.visits.overlays import Overlay

WATCH_NS: Final = 2000 * MS
"""How long what has happened is watched before pages cover it."""

CARD_NS: Final = 1000 * MS
"""How long the table is seen again before the next card."""

MEANT_NS: Final = 500 * MS
"""A press this soon after a page came was meant for what was there before."""

_HELD_NS: Final = 3_600_000 * MS


class Teaching:
    """Says when the pages that are due may cover the match of a lesson, and holds the dealer until then."""

    def __init__(self, running: Running, tutor: Tutor) -> None:
        self.tutor = tutor
        self._running = running
        self._seen: tuple[int, int] | None = None  # (entries of the match, when they have been watched enough)

    def is_page_due(self) -> bool:
        """Tell whether pages are to be shown now; if only later, the host is woken."""
        if not self.tutor.pages:
            return False
        running, now_ns = self._running, self._running.clock.now_ns()
        running.referee.pacing.put_off(now_ns, _HELD_NS)
        if running.referee.paused or running.reveal.on or running.finish.is_due:
            self._seen = None
            return False
        entries = len(running.match.entries)
        if self._seen is None or self._seen[0] != entries:
            at_once = not entries or running.referee.calls_may_come
            self._seen = entries, now_ns if at_once else now_ns + WATCH_NS
            running.clock.at(self._seen[1], lambda: None)  # wakes the host, which comes back here
        return now_ns >= self._seen[1]

    def hasten(self) -> None:
        """Show pages that are due without further waiting: somebody has seen enough."""
        if self._seen:
            self._seen = self._seen[0], self._running.clock.now_ns()

    def turned_over(self) -> None:
        """Go on with what the pages held back: they were read."""
        self.tutor.turn_over()
        if self._running.referee.pacing.draw_now(self._running.clock.now_ns()):
            self._running.referee.pacing.put_off(self._running.clock.now_ns(), CARD_NS)


class LessonPages(Overlay):
    """Pages that are read one after the other; `done` hears whether all were, or whether somebody went back."""

    def __init__(
        self,
        pages: Sequence[Page],
        names: Sequence[str],
        clock: PlanningClock,
        read: Render,
        done: Callable[[bool], None],
    ) -> None:
        self._pages, self._names, self._clock, self._read, self._done = pages, names, clock, read, done
        self._pager = Pager(len(pages))
        self._since_ns = clock.now_ns()

    def screen(self) -> Screen:
        """Return the page that is read."""
        page = self._pages[self._pager.page]
        rows = tuple(row._replace(text=with_names(row.text, self._names)) for row in page.rows)
        hint = msg("# or buzzer: go on. *: back")
        return centre.help_page(page._replace(rows=rows), self._pager, hint, self._read)

    def sides(self) -> tuple[Side, ...]:
        """Return strips that say only who sits there: what happened is not to be read now."""
        return tuple(
            Side(name, lit=seat == LEARNER, picture="person" if seat == LEARNER else "robot")
            for seat, name in enumerate(self._names)
        )

    def press(self, place: Seat, control: str) -> bool:
        """Turn to the next page, or back."""
        if self._clock.now_ns() - self._since_ns < MEANT_NS:
            return True
        # Digits turn no page here: they are what a learner presses in the match.
        pager = self._pager.turned(control, OK_CONTROLS | NEXT_CONTROLS, BACK_CONTROLS)
        if not pager.within:
            self._done(pager.page > 0)
        elif pager != self._pager:
            self._pager, self._since_ns = pager, self._clock.now_ns()
        return True
