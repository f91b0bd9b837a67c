"""Begins matches and lessons, resumes interrupted ones, and asks what to do about one that cannot be kept."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.core.errors import RecordError
from companion.core.game import Game
from companion.core.match import Match
from companion.core.menu import Item
from companion.core.move import TABLE, Seat
from companion.core.rules import Rulings
from companion.core.tags import DEAL_TAG, is_demo, places_of
from companion.core.text import Text, msg
from companion.match.begin import new_match
from companion.match.lessons import Tutor
from companion.match.seating import Seating, Wanted
from companion.match.services import Premises
from companion.match.session import Session
from companion.records import history
from companion.referee.journal import DiskError, Journal, Store, Unkept, open_record
from companion.table.menus import sure_menu
from companion.table.playing import Exits, Playing
from companion.table.showing import Showing
from companion.table.unsaved import Stake, unsaved_menu


class Matches:
    """Holds the match that is `playing`, None where nobody plays, and that at `stake` if it cannot be kept.

    `attract` shows that nobody plays, `learnt` asks what to do after a lesson.
    """

    def __init__(
        self,
        premises: Premises,
        showing: Showing,
        wanted: Wanted,
        *,
        attract: Callable[[], None],
        learnt: Callable[[], None],
    ) -> None:
        self.playing: Playing | None = None
        self.stake: Stake | None = None
        self._premises = premises
        self._showing = showing
        self._wanted = wanted
        self._attract = attract
        self._learnt = learnt

    # --- Begin and end --------------------------------------------------------------------------------

    def begin(self, game: Game, rulings: Rulings) -> None:
        """Begin a match of those who sit there."""
        self._begin(game, rulings, self._wanted.deal)

    def keep(self, match: Match) -> None:
        """Begin a match that was prepared, with those who sit there."""
        path = history.new_path(self._premises.settings.config.journal.path, match)
        self.stake = Stake(match, None)
        self._run(match, Journal.create(path, match), self._showing.seating)

    def learn(self, game: Game, pressed_at: Seat) -> None:
        """Teach a game to whoever has asked for it, or to who sits at the first real buzzer."""
        assert game.lesson
        real = self._premises.hardware.places if self._premises.hardware else ()
        place = min(real, default=0) if pressed_at == TABLE else pressed_at
        seating = self.empty_seating().to_learn(place, game.lesson.seats)
        tutor = Tutor(game, [sitter.name for sitter in seating.sitters])
        path = history.new_path(self._premises.settings.config.journal.path, tutor.match)
        self._run(tutor.match, Journal.create(path, tutor.match), seating, tutor)

    def end(self) -> None:
        """Leave what is played; nothing covers it any more."""
        self._showing.uncover()
        if self.playing:
            self.playing.session.close()
        self.playing, self.stake = None, None
        self._showing.session = None

    def _begin(self, game: Game, rulings: Rulings, deal: str, *, demo: bool = False) -> None:
        seating = self._showing.seating
        names = [sitter.name for sitter in seating.sitters]
        self.keep(new_match(game, names, rulings=rulings, deal=deal, demo=demo, places=seating.taken))

    def _again(self) -> None:
        """Begin another match like the one that is played."""
        assert self.playing
        match = self.playing.session.match
        self.end()
        deal = match.tags.get(DEAL_TAG, self._wanted.deal)
        self._begin(match.game, match.rulings, deal, demo=is_demo(match))

    def _leave_lesson(self) -> None:
        self.end()
        self._showing.seating = self.empty_seating()
        self._learnt()

    def _run(self, match: Match, journal: Store, seating: Seating, tutor: Tutor | None = None) -> None:
        self.stake = Stake(match, journal.path) if isinstance(journal, Journal) and not tutor else None
        session = Session(match, journal, seating, self._premises, tutor)
        exits = Exits(leave=self._attract, again=self._again, learnt=self._leave_lesson)
        self.playing = Playing(self._premises, self._showing, session, exits)
        self._showing.session, self._showing.seating = session, seating
        self._showing.uncover()
        session.start()

    def empty_seating(self) -> Seating:
        """Return who sits there before anybody has pressed something."""
        return self._wanted.seating(self._premises.games, self._premises.settings.config.seats.names)

    # --- Matches that were interrupted ----------------------------------------------------------------

    def resume(self, path: Path) -> None:
        """Go on with the match of a record, when the house says so."""
        try:
            journal, opened = Journal.resume(path, self._premises.games)
        except DiskError:
            self.stake = Stake(open_record(path, self._premises.games).match, path)
            raise
        self._run_paused(opened.match, journal)

    def _run_paused(self, match: Match, journal: Store) -> None:
        """Go on with a match where it was, when the house says so."""
        seating = self.empty_seating()
        try:
            where = places_of(match, len(seating.places))
        except RecordError:
            journal.close()
            raise
        self._run(match, journal, seating.again(dict(zip(where, match.names, strict=True)), match.game.bots))
        assert self.playing
        self.playing.pause()

    # --- Matches that cannot be kept ------------------------------------------------------------------

    def ask_unsaved(self, why: Text) -> None:
        """Ask what to do about the match at stake, whose record cannot be written."""
        stake = self.stake
        self.end()
        self.stake = stake
        self._showing.ask(unsaved_menu(why), partial(self._take_unsaved, why), self._attract)

    def _take_unsaved(self, why: Text, item: Item) -> None:
        acts: dict[str, Callable[[], None]] = {
            "try_again": self._try_again,
            "unsaved": lambda: self._ask_sure_unsaved(why),
            "sure_unsaved": self._play_unsaved,
            "sure_leave": self._attract,
        }
        acts[item.act]()

    def _try_again(self) -> None:
        assert self.stake
        match, path = self.stake
        if path:
            self.resume(path)
        else:
            self.keep(match)

    def _ask_sure_unsaved(self, why: Text) -> None:
        """Ask once more: the key may have been pressed for the match, before anybody saw what happened to it."""
        sure = sure_menu(msg("Play on unsaved?"), "sure_unsaved")
        self._showing.ask(sure, partial(self._take_unsaved, why), partial(self.ask_unsaved, why))

    def _play_unsaved(self) -> None:
        assert self.stake
        self._run_paused(self.stake.match, Unkept())
