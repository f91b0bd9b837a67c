"""When the pages of a lesson are read: what they hold back, and how long what happened is watched before."""

from typing import TYPE_CHECKING, Final

from companion.core.clock import MS
from companion.match.lessons import Tutor

if TYPE_CHECKING:
    from companion.match.session import Session

WATCH_NS: Final = 2000 * MS
"""How long what has happened is watched before pages cover it."""

CARD_NS: Final = 1000 * MS
"""How long the table is seen again before the next card."""

_HELD_NS: Final = 3_600_000 * MS


class Teaching:
    """Says when the pages that are due may cover the match of a lesson, and holds the dealer until then."""

    def __init__(self, session: "Session", tutor: Tutor) -> None:
        self.tutor = tutor
        self._session = session
        self._seen: tuple[int, int] | None = None  # (entries of the match, when they have been watched enough)

    def is_page_due(self) -> bool:
        """Tell whether pages are to be shown now; if only later, the session is due then."""
        if not self.tutor.pages:
            return False
        session, now_ns = self._session, self._session.clock.now_ns()
        finish = session.finish
        session.referee.pacing.put_off(now_ns, _HELD_NS)
        if session.referee.pauses or session.reveal.on or finish.planned or finish.covers:
            self._seen = None
            return False
        entries = len(session.match.entries)
        if self._seen is None or self._seen[0] != entries:
            at_once = not entries or session.referee.stage.race
            self._seen = entries, now_ns if at_once else now_ns + session.stays(WATCH_NS)
        if now_ns < self._seen[1]:
            session.look_again_at(self._seen[1])
            return False
        return True

    def hasten(self) -> None:
        """Show pages that are due at once: somebody has seen enough."""
        if self._seen:
            self._seen = self._seen[0], self._session.clock.now_ns()

    def turned_over(self) -> None:
        """Go on: the pages were read, and what they held back comes."""
        self.tutor.turn_over()
        if self._session.referee.pacing.draw_now(self._session.clock.now_ns()):
            self._session.referee.pacing.put_off(self._session.clock.now_ns(), CARD_NS)
