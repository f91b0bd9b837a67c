"""What lies over a match that waits or is over: pause, undo, photo finish, the pages of a lesson, result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from companion.core.menu import Act, Choice, Item, sure_menu
from companion.core.text import Text, msg
from companion.match import centre
from companion.match.services import Premises
from companion.match.session import Session
from companion.match.teaching import Teaching
from companion.table.corrections import Corrections
from companion.table.frames import Frames
from companion.visits.help import help_act
from companion.visits.lesson_pages import LessonPages
from companion.visits.overlays import Card, MenuOverlay


@dataclass(frozen=True)
class Exits:
    """Where a match leads when it is left: to nobody playing, to the same once more, from a lesson to the menu."""

    leave: Callable[[], None]
    again: Callable[[], None]
    learnt: Callable[[], None]


class MatchMenus:
    """Asks what is to be done with the match of a session, and shows a lesson's pages and how it ended."""

    def __init__(self, premises: Premises, frames: Frames, session: Session, exits: Exits) -> None:
        self.session = session
        self._premises = premises
        self._frames = frames
        self._overlays = frames.overlays
        self._exits = exits
        self._teaching = session.teaching
        self._corrections = Corrections(session, frames.overlays, self._pause_menu)
        self._read = premises.settings.read

    def open_due(self) -> None:
        """Show the pages that a lesson comes to, or the result when the last verdict could be seen."""
        if self._teaching and self.session.is_page_due and not self._overlays.top:
            self._read_pages(self._teaching)
        elif self.session.is_result_due and not self._overlays.top:
            self._show_result()

    # --- Pauses ---------------------------------------------------------------------------------------

    def pause(self, *, undo: bool = False) -> None:
        """Make the match wait, and ask what is to be done; for an `undo` at its line, if there is one."""
        self.session.pause(self._premises.clock.now_ns())
        self._overlays.lay(self._pause_menu(undo=undo))

    def _pause_menu(self, *, undo: bool = False) -> MenuOverlay:
        return MenuOverlay(partial(self._pause_choice, undo=undo), self._read)

    def _pause_choice(self, *, undo: bool) -> Choice:
        """Return what can be done in the pause."""
        session = self.session
        items = [
            Item(msg("Go on"), self._go_on, "arrow", None if session.is_kept else msg("This match is not kept"))
        ]
        undone = () if self._teaching else tuple(session.referee.undo_takes())
        if undone:
            moves = ", ".join(undone)
            undo_now = partial(self._undo, undone)
            items.append(Item(msg("Undo"), undo_now, "swap", msg("Takes back: {moves}", moves=moves)))
        if not self._teaching:
            items += self._corrections_and_photo()
        items += self._rules_and_settings()
        if self._teaching:
            items.append(Item(msg("Leave the lesson"), self._exits.learnt, "door"))
        else:
            items += self._ends()
        return Choice(msg("Pause"), tuple(items), 1 if undo and undone else 0, self._go_on)

    def _corrections_and_photo(self) -> Iterator[Item]:
        if self._corrections.numbers:
            yield Item(msg("Correct a move"), self._corrections.ask, "wrench")
        if self.session.finish.photo:
            yield Item(msg("Photo finish"), self._show_photo, "camera", msg("Shows the last contested call again"))

    def _rules_and_settings(self) -> Iterator[Item]:
        match, settings = self.session.match, self._premises.settings
        helped = help_act(self._premises, self._overlays, match.game, match.rulings)
        if helped:
            yield Item(
                msg("How to play"), helped, "question", msg("Which keys there are, and the rulings in force")
            )
        turned = partial(settings.menu, self.session.keep_pace)
        yield settings.item(lambda: self._overlays.push(MenuOverlay(turned, self._read)))

    def _ends(self) -> Iterator[Item]:
        again = partial(self._ask_sure, msg("Start again?"), self._exits.again)
        leave = partial(self._ask_sure, msg("Leave the match?"), self._exits.leave, "door")
        yield Item(msg("Start again"), again, "cards", msg("This match stays in the history, unfinished"))
        yield Item(msg("Leave"), leave, "door", msg("This match stays in the history, unfinished"))

    def _ask_sure(self, question: Text, act: Act, icon: str = "") -> None:
        self._overlays.ask(MenuOverlay(lambda: sure_menu(question, act, icon), self._read))

    def _go_on(self) -> None:
        self._overlays.clear()
        self.session.resume(self._premises.clock.now_ns())
        if self.session.referee.paused:  # it still waits for a device; else it was shown already
            self._frames.refresh()

    def _undo(self, confirmed: tuple[str, ...]) -> None:
        """Take back what the menu said; if a call was judged meanwhile, the menu has to say it anew."""
        if tuple(self.session.referee.undo_takes()) == confirmed:
            self.session.undo(self._premises.clock.now_ns())
        self._overlays.lay(self._pause_menu())

    def _show_photo(self) -> None:
        """Show the last photo finish again, until something is pressed."""
        self._overlays.ask(Card(lambda: centre.play(self.session, always_photo=True)))

    # --- Lessons and results --------------------------------------------------------------------------

    def _read_pages(self, teaching: Teaching) -> None:
        """Show the pages of a lesson that are due while the match waits."""
        self.session.pause(self._premises.clock.now_ns())

        def done(are_read: bool) -> None:
            if not are_read:
                self._overlays.lay(self._pause_menu())
                return
            teaching.turned_over()
            if teaching.tutor.over:
                self._exits.learnt()
            else:
                self._go_on()

        pages, names = teaching.tutor.pages, self.session.match.names
        self._overlays.lay(LessonPages(pages, names, self._premises.clock, self._read, done))

    def _show_result(self) -> None:
        """Show how the match ended, and ask whether it is to be played again."""
        match, leave = self.session.match, self._exits.leave
        assert match.outcome
        items = (Item(msg("Again"), self._exits.again, "cards"), Item(msg("Another game"), leave, "clock"))
        choice = Choice(msg("Again?"), items, back=leave)
        drawn = centre.result(match, match.outcome, self._read)
        self._overlays.lay(MenuOverlay(lambda: choice, self._read, drawn=drawn))
