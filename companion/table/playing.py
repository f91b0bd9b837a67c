"""A match as the house and its people work it: what is pressed in it, its pauses, undo, lessons' pages, its end."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.core.menu import Item
from companion.core.move import TABLE
from companion.core.signal import Signal
from companion.core.text import Text, msg
from companion.match import centre
from companion.match.services import Premises
from companion.match.session import Session
from companion.match.teaching import Teaching
from companion.table.corrections import Corrections
from companion.table.detours import Detours
from companion.table.menus import help_about, lesson_menu, pause_menu, result_menu, sure_menu
from companion.table.overlays import Card, Visiting, any_press
from companion.table.showing import Showing
from companion.visits.lesson_pages import Reading

VERDICT_NS: Final = 3_000_000_000
"""How long the last verdict of a match is held before the result."""


@dataclass(frozen=True)
class Exits:
    """Where a match leads when it is left: to nobody playing, to the same once more, from a lesson to the menu."""

    leave: Callable[[], None]
    again: Callable[[], None]
    learnt: Callable[[], None]


class Playing:
    """A match or a lesson at the table: its menus, the pages of a lesson, its result."""

    def __init__(self, premises: Premises, showing: Showing, session: Session, exits: Exits) -> None:
        self.session = session
        self._premises = premises
        self._showing = showing
        self._detours = Detours(premises, showing)
        self._exits = exits
        self._corrections = Corrections(session, showing, self.pause_menu)
        self._teaching = Teaching(session, session.tutor) if session.tutor else None

    def look_further(self) -> None:
        """Show the pages that a lesson comes to, or the result when the last verdict could be seen."""
        if self._teaching:
            if self._teaching.is_page_due() and not self._showing.cover:
                self._read_pages(self._teaching)
        elif self.session.result_is_due and not self._showing.cover:
            self._show_result()

    def _show_result(self) -> None:
        match, read = self.session.match, self._premises.settings.read
        assert match.outcome
        self._showing.ask(
            result_menu(), self._take_after, self._exits.leave, centre.result(match, match.outcome, read)
        )

    def _take_after(self, item: Item) -> None:
        """Do what a line of the result says."""
        if item.act == "restart":
            self._exits.again()
        else:
            self._exits.leave()

    def hear(self, signal: Signal) -> None:
        """Act on what a device reports while nothing covers the match."""
        if signal.seat == TABLE and signal.control in {"pause", "menu", "undo"}:
            self.pause("undo" if signal.control == "undo" else "")
            return
        if self._teaching and self._teaching.tutor.pages and signal.control in {"ok", "skip"}:
            self._teaching.hasten()
        self.session.hear(signal)

    # --- Pauses ---------------------------------------------------------------------------------------

    def pause(self, act: str = "") -> None:
        """Let the match wait, and ask what is to be done; with an `act` at the line that does that."""
        self.session.pause(self._premises.clock.now_ns())
        self.pause_menu(act)

    def pause_menu(self, act: str = "") -> None:
        """Ask what is to be done in the pause, at the line that does `act` if there is one."""
        session, match = self.session, self.session.match
        helps = help_about(match.game, match.rulings)
        if self._teaching:
            menu = lesson_menu(helps)
        else:
            menu = pause_menu(
                session.referee.undo_takes(),
                correctable=bool(self._corrections.numbers),
                photo=session.finish.photo is not None,
                helps=helps,
                kept=session.is_kept,
            )
        asking = self._showing.ask(menu, self._take, self._go_on)
        if act:
            asking.select(act)

    def _take(self, item: Item) -> None:
        """Do what a line of the pause says."""
        acts: dict[str, Callable[[], None]] = {
            "go_on": self._go_on,
            "undo": lambda: self._undo(item.value),
            "correct": self._corrections.ask,
            "photo": self._show_photo,
            "help": lambda: self._detours.visit(item),
            "settings": self._detours.settings,
            "restart": lambda: self._ask_sure(msg("Start again?"), "sure_restart"),
            "sure_restart": self._exits.again,
            "leave": lambda: self._ask_sure(msg("Leave the match?"), "sure_leave"),
            "sure_leave": self._exits.leave,
            "leave_lesson": self._exits.learnt,
        }
        acts[item.act]()

    def _ask_sure(self, question: Text, act: str) -> None:
        self._showing.ask(sure_menu(question, act), self._take, self.pause_menu)

    def _go_on(self) -> None:
        self._showing.uncover()
        self.session.resume(self._premises.clock.now_ns())
        if self.session.referee.paused:  # it still waits for a device; else it was shown already
            self._showing.refresh()

    def _undo(self, confirmed: tuple[str, ...]) -> None:
        """Take back what the menu said; if a call was judged meanwhile, the menu has to say it anew."""
        if tuple(self.session.referee.undo_takes()) == confirmed:
            self.session.undo(self._premises.clock.now_ns())
        self.pause_menu()

    def _show_photo(self) -> None:
        """Show the last photo finish again, until something is pressed."""
        self._showing.lay(Card(lambda: centre.play(self.session, always_photo=True), any_press(self.pause_menu)))

    def _read_pages(self, teaching: Teaching) -> None:
        """Let the pages of a lesson that are due be read while the match waits."""
        premises = self._premises
        self.session.pause(premises.clock.now_ns())
        reading = Reading(teaching.tutor.pages, self.session.match.names, premises.clock, premises.settings.read)

        def end() -> None:
            if not reading.is_read:
                self.pause_menu()
                return
            teaching.turned_over()
            if teaching.tutor.over:
                self._exits.learnt()
            else:
                self._go_on()

        self._showing.lay(Visiting(reading, self._showing.refresh, end))
