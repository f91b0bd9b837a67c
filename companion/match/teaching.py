"""Decides when the pages of a lesson cover its match."""

from collections.abc import Callable
from functools import partial
from typing import Final

from companion.core.clock import PlanningClock
from companion.core.units import MS
from companion.match.lessons import Tutor
from companion.match.moment import Moment
from companion.match.reveal import Stays
from companion.referee.pacing import Pacing

WATCH_NS: Final = 2000 * MS
"""How long a step is visible before pages cover it."""

CARD_NS: Final = 1000 * MS
"""How long the table is visible before the next card."""

_HELD_NS: Final = 3_600_000 * MS


class Teaching:
    """Decides when pages may cover the match, and holds the dealer until they are read."""

    def __init__(
        self, tutor: Tutor, moment: Callable[[], Moment], pacing: Pacing, clock: PlanningClock, stays: Stays
    ) -> None:
        self.tutor = tutor
        self._moment = moment
        self._pacing = pacing
        self._clock = clock
        self._stays = stays
        self._watched: int | None = None  # number of entries of the position being watched
        self._enough = False  # it was watched for WATCH_NS
        self._number = 0

    def is_page_due(self) -> bool:
        """Return True if pages are to be shown now; otherwise schedule them."""
        if not self.tutor.pages:
            return False
        moment = self._moment()
        finish = moment.finish
        self._pacing.put_off(moment.now_ns, _HELD_NS)
        if moment.pauses or moment.reveals or finish.planned or finish.covers:
            self._watched = None
            return False
        entries = len(moment.match.entries)
        if self._watched != entries:
            self._watched, self._number = entries, self._number + 1
            self._enough = not entries or moment.stage.race is not None
            self._clock.at(moment.now_ns + self._stays(WATCH_NS), partial(self._end, self._number))
        return self._enough

    def _end(self, number: int) -> None:
        self._enough = self._enough or number == self._number

    def hasten(self) -> None:
        self._enough = self._watched is not None

    def turned_over(self) -> None:
        self.tutor.turn_over()
        now_ns = self._clock.now_ns()
        if self._pacing.draw_now(now_ns):
            self._pacing.put_off(now_ns, CARD_NS)
