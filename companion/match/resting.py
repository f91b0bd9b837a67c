"""A verdict that is left to be read, before the card that turns by itself."""

from typing import TYPE_CHECKING, Final

from companion.core.tags import is_demo
from companion.match.reminders import SECOND_NS

if TYPE_CHECKING:
    from companion.match.session import Session

LEARNERS_S: Final = 5
"""How long a verdict stays at least for who learns."""


class Rest:
    """Puts the next card off; `on` while one is put off because of a verdict."""

    def __init__(self, session: "Session") -> None:
        self.on = False
        self._session = session
        self._dealt = True

    def look(self, next_s: int) -> None:
        """Begin, if a card that turns by itself follows a verdict: for so many seconds, for who learns longer."""
        session = self._session
        deal, was_dealt = session.referee.stage.deal, self._dealt
        self._dealt = deal is not None
        if was_dealt and deal:
            return  # the same verdict after a pause, or a set-up
        self.on = bool(deal and deal.early_controls and session.referee.dealer and not is_demo(session.match))
        if self.on:
            shown_s = max(next_s, LEARNERS_S) if session.learns else next_s
            session.referee.pacing.put_off(session.clock.now_ns(), session.stays(shown_s * SECOND_NS))
