"""Reports the match to the club and carries out the club's requests."""

import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.club.topics import Note, PauseRequest
from companion.core.text import Render
from companion.match import centre
from companion.match.seat_lines import awaited
from companion.match.session import Session
from companion.referee.journal import SUFFIX, Journal
from companion.screens.overlays import Card
from companion.table.frames import Frames
from companion.table.matches import Matches

if TYPE_CHECKING:
    from companion.club.link import ClubLink

UNSAVED: Final = "unsaved"
"""Name of a match without a record."""

NOTES: Final = 8
"""Maximum open messages of the club. Each waits for a key."""

log = logging.getLogger(__name__)


class _FromClub(Card):
    """A message of the club."""


class ClubDesk:
    """Connects host and club."""

    def __init__(self, link: "ClubLink", frames: Frames, matches: Matches, read: Render) -> None:
        self._link, self._frames, self._matches, self._read = link, frames, matches, read

    def tell(self, session: Session | None, seen_ns: int) -> None:
        """Report what everybody saw at `seen_ns`, unless a newer frame is pending. Lessons are not reported."""
        if session is None or session.tutor:
            self._link.idle()
            return
        if seen_ns < session.sounds.asked_ns:
            return
        match, journal = session.match, session.journal
        record = journal.path.name.removesuffix(SUFFIX) if isinstance(journal, Journal) else UNSAVED
        self._link.tell(record, match, session.take_seen())
        self._link.show(record, match, session.state, session.places, sorted(awaited(session.moment())))
        if session.is_kept:
            self._link.end(record, match)

    def act(self) -> None:
        for asked in self._link.asked():
            if isinstance(asked, PauseRequest):
                self._pause()
            elif isinstance(asked, Note):
                if self._frames.overlays.how_many(_FromClub) >= NOTES:
                    log.warning("[club]: more than %d sentences wait for a key; the newest is left out", NOTES)
                    continue
                self._pause()
                self._frames.overlays.push(_FromClub(partial(centre.from_club, asked.text, self._read)))
            else:
                self._link.call = asked

    def _pause(self) -> None:
        if self._matches.menus and not self._frames.overlays.top:
            self._matches.menus.pause()
