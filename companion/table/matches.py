"""Begins, resumes and ends matches and lessons, and asks what to do on a disk error.

The modules of a match are imported where one begins: the first picture does not wait for them.

A refused move changed nothing. The match waits until it is saved, or continues unsaved if the house agrees.
"""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.core import options
from companion.core.boxfile import NamedBox
from companion.core.console import BUZZ
from companion.core.dealer import DEALS
from companion.core.errors import RecordError
from companion.core.game import Game
from companion.core.match import Match
from companion.core.menu import Choice, Item, sure_menu
from companion.core.place import HOUSE, Place
from companion.core.rules import Rulings
from companion.core.tags import DEAL_TAG, box_of, is_demo, places_of, robots_of
from companion.core.text import msg
from companion.match.seating import Seating, Sitter, Wanted
from companion.match.services import TableServices
from companion.records import history
from companion.referee.durable import DiskError, JournalError, LostRecordError
from companion.referee.journal import Journal, Store, Unkept, open_record
from companion.screens.overlays import Card, MenuOverlay
from companion.table.frames import Frames

if TYPE_CHECKING:
    from companion.match.lessons import Tutor
    from companion.table.match_menus import MatchMenus

log = logging.getLogger(__name__)


class Stake(NamedTuple):
    """The running match and its record, for recovery. `path` is None if none could be created."""

    match: Match
    path: Path | None


class Matches:
    """The current match: its `menus` and `stake`, None between matches.

    `attract`, `another`, `menu` and `learnt` are called on the way out; players stay seated.
    """

    def __init__(
        self,
        services: TableServices,
        frames: Frames,
        wanted: Wanted,
        *,
        attract: Callable[[], None],
        another: Callable[[], None],
        menu: Callable[[], None],
        learnt: Callable[[Game], None],
    ) -> None:
        self.menus: MatchMenus | None = None
        self.stake: Stake | None = None
        self._services = services
        self._frames = frames
        self._wanted = wanted
        self._attract = attract
        self._another = another
        self._menu = menu
        self._learnt = learnt
        self._after_lesson = frames.seating

    # --- Begin and end --------------------------------------------------------------------------------

    def begin(self, game: Game, rulings: Rulings, box: NamedBox) -> None:
        sitters = [sitter or Sitter("") for sitter in self._frames.seating.places]
        names, robots = zip(*sitters, strict=True)
        self._services.settings.remember(game, names, robots)
        self._begin(game, rulings, box, self._services.settings.config.cards.deal)

    def keep(self, match: Match) -> None:
        """Begin a prepared match with the current seating."""
        self.stake = Stake(match, None)
        path = history.new_path(self._services.settings.config.journal.path, match)
        self._run(match, Journal.create(path, match), self._frames.seating)

    def learn(self, game: Game, pressed_at: Place) -> None:
        """Teach the player at `pressed_at`, or for HOUSE at the first real device."""
        from companion.match.lessons import Tutor  # noqa: PLC0415

        assert game.lesson
        real = self._services.hardware.places if self._services.hardware else ()
        place = min(real, default=Place(0)) if pressed_at == HOUSE else pressed_at
        seating = self._frames.seating
        self._after_lesson = seating if seating.places[place] else seating.press(place, BUZZ)
        seating = self._after_lesson.to_learn(place, game.lesson.seats)
        own_box = self._services.settings.config.box_of(game)
        tutor = Tutor(game, [sitter.name for sitter in seating.sitters], own_box)
        try:
            path = history.new_path(self._services.settings.config.journal.path, tutor.match)
            journal: Store = Journal.create(path, tutor.match)
        except DiskError as error:
            log.warning("%s; the lesson is taught all the same", error)
            journal = Unkept()
        self._run(tutor.match, journal, seating, tutor)

    def end(self) -> None:
        self._frames.overlays.clear()
        if self.menus:
            self.menus.session.close()
        self.menus, self.stake = None, None
        self._frames.session = None

    def _begin(self, game: Game, rulings: Rulings, box: NamedBox, deal: str, *, demo: bool = False) -> None:
        from companion.match.new_match import new_match  # noqa: PLC0415

        seating = self._frames.seating
        names, robots = zip(*seating.sitters, strict=True)
        places = seating.taken
        match = new_match(game, names, rulings=rulings, box=box, deal=deal, demo=demo, places=places, robots=robots)
        self.keep(match)

    def _again(self) -> None:
        assert self.menus
        match = self.menus.session.match
        self._note_left()
        self.end()
        rulings = match.game.rulings(**options.changed(match.rulings))
        deal = match.tags.get(DEAL_TAG, self._services.settings.config.cards.deal)
        self._begin(match.game, rulings, box_of(match), deal, demo=is_demo(match))

    def _leave(self) -> None:
        self._note_left()
        self._attract()

    def _play_another(self) -> None:
        self._note_left()
        self.end()
        self._another()

    def _note_left(self) -> None:
        """Record that players left, so the match is not offered again."""
        assert self.menus
        if not history.is_over_or_for_show(self.menus.session.match):
            try:
                self.menus.session.journal.leave()
            except JournalError as error:
                log.warning("%s", error)

    def _end_lesson(self, then: Callable[[], None]) -> None:
        """Restore the seating from before the lesson, with the learner."""
        self.end()
        self._frames.seating = self._after_lesson
        then()

    def _run(
        self, match: Match, journal: Store, seating: Seating, tutor: "Tutor | None" = None, *, paused: bool = False
    ) -> None:
        from companion.match.session import Session  # noqa: PLC0415
        from companion.table.match_menus import Exits, MatchMenus  # noqa: PLC0415

        self.stake = Stake(match, journal.path) if isinstance(journal, Journal) and not tutor else None
        session = Session(match, journal, seating, self._services, tutor)
        exits = Exits(
            leave=self._leave,
            again=self._again,
            another=self._play_another,
            left=partial(self._end_lesson, self._menu),
            learnt=partial(self._end_lesson, partial(self._learnt, match.game)),
        )
        self.menus = MatchMenus(self._services, self._frames, session, exits)
        self._frames.session, self._frames.seating = session, seating
        if hints := self._frames.hints:
            session.learns |= any(hints.helps(name, match.game.name) for name in session.names_of_people)
        self._frames.overlays.clear()
        self._frames.door.shut()
        session.start(paused=paused)

    def empty_seating(self) -> Seating:
        """Return the initial seating."""
        club = self._services.club
        called = club.call.players if club and club.call else ()
        return self._wanted.seating(self._services.games, (*called, *self._services.settings.config.seats.names))

    # --- Interrupted matches --------------------------------------------------------------------------

    def rejoin(self, path: Path) -> None:
        """Resume a record once phones have joined again at the seats without a device, or at a press."""
        seating = self._seating_of(open_record(path, self._services.games).match)
        if self._frames.door.invite_back(seating) is None:
            self.resume(path)
        else:
            self._frames.seating = seating
            codes = partial(self._frames.door.back, seating)
            self._frames.overlays.lay(Card(codes, lambda *_: self.resume(path)))

    def resume(self, path: Path, entries: int | None = None) -> None:
        """Resume a record, paused. `entries`: the number of entries in memory after a disk error."""
        try:
            journal, opened = Journal.resume(path, self._services.games, entries)
        except DiskError:
            if entries is None:
                self.stake = Stake(open_record(path, self._services.games).match, path)
            raise
        self._run_paused(opened.match, journal)

    def give_up(self, path: Path) -> None:
        """Record that a match was left. Raise what `Journal.resume` raises."""
        journal, _ = Journal.resume(path, self._services.games)
        with journal:
            journal.leave()

    def _run_paused(self, match: Match, journal: Store) -> None:
        try:
            seating = self._seating_of(match)
        except RecordError:
            journal.close()
            raise
        self._run(match, journal, seating, paused=True)
        assert self.menus
        self.menus.pause()

    def _seating_of(self, match: Match) -> Seating:
        """Return who sat where in a match. Raise RecordError."""
        seating = self.empty_seating()
        where = places_of(match, len(seating.places))
        robots = robots_of(match) or [self._robot_there(seating, place, match) for place in where]
        names = dict(zip(where, match.names, strict=True))
        return seating.again(names, dict(zip(where, robots, strict=True)))

    def _robot_there(self, seating: Seating, place: Place, match: Match) -> str:
        """Return the robot at a place, if it can play on, or ""."""
        sitter, game = seating.places[place], match.game
        if not sitter or game.no_robots(match.rulings, match.tags.get(DEAL_TAG, DEALS[0])):
            return ""
        return sitter.robot if sitter.robot in game.bots else ""

    # --- Disk errors ----------------------------------------------------------------------------------

    def ask_unsaved(self, error: DiskError) -> None:
        """Ask what to do after a disk error.

        If the record was removed, retrying writes a complete new one.
        """
        stake, why = self.stake, error.text
        self.end()
        self.stake = stake._replace(path=None) if stake and isinstance(error, LostRecordError) else stake
        there = self.stake and self.stake.path
        kept = msg("The match so far stays under Past matches") if there else msg("This match is not being saved")
        items = (
            Item(msg("Try again"), self._try_again, "arrow", why),
            Item(
                msg("Play on unsaved"),
                self._ask_sure_unsaved,
                "cards",
                msg("From now on, play is lost when the table is switched off"),
            ),
            Item(msg("Leave"), self._attract, "door", kept),
        )
        choice = Choice(msg("This match cannot be saved"), items, back=self._attract)
        self._frames.overlays.lay(MenuOverlay(lambda: choice, self._services.settings.read))

    def _try_again(self) -> None:
        assert self.stake
        match, path = self.stake
        if path:
            self.resume(path, len(match.entries))
        elif match.entries:
            path = history.new_path(self._services.settings.config.journal.path, match)
            self._run_paused(match, Journal.create(path, match))
        else:
            self.keep(match)

    def _ask_sure_unsaved(self) -> None:
        """Confirm, since the press may have been meant for the match."""
        sure = sure_menu(msg("Play on unsaved?"), self._play_unsaved)
        self._frames.overlays.ask(MenuOverlay(lambda: sure, self._services.settings.read))

    def _play_unsaved(self) -> None:
        assert self.stake
        self._run_paused(self.stake.match, Unkept())
