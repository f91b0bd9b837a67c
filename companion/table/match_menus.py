"""Overlays of a match: pause, undo, photo finish, lesson pages, result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from companion.core.clock import Later
from companion.core.menu import NEXT_CONTROLS, Act, Choice, Item, sure_menu
from companion.core.place import Place
from companion.core.tags import box_of
from companion.core.text import Render, Text, listed, msg
from companion.display.frame import CELEBRATION_NS, Screen
from companion.match import match_screens
from companion.match.house_place import in_words
from companion.match.services import TableServices
from companion.match.session import Session
from companion.match.teaching import Teaching
from companion.referee.sentences import tell_last, write_move
from companion.screens.help import help_act
from companion.screens.lesson_pages import LessonPages
from companion.screens.overlays import Card, MenuOverlay
from companion.table.corrections import Corrections
from companion.table.frames import Frames

VERDICT_NS: Final = 3_000_000_000
"""How long the last verdict is shown before the result."""


@dataclass(frozen=True)
class Exits:
    """Ways out of a match or a lesson, with the same people."""

    leave: Callable[[], None]
    again: Callable[[], None]
    another: Callable[[], None]
    left: Callable[[], None]
    learnt: Callable[[], None]


class MatchMenus:
    """Opens the overlays of a session's match."""

    def __init__(self, services: TableServices, frames: Frames, session: Session, exits: Exits) -> None:
        self.session = session
        self._services = services
        self._frames = frames
        self._overlays = frames.overlays
        self._exits = exits
        self._teaching = session.teaching
        self._corrections = Corrections(session, frames.overlays, self._pause_menu)
        self._read = services.settings.read
        # The number of entries at the end on screen, and whether it was shown for long enough.
        self._ended, self._watched = -1, False
        self._plans = Later(services.clock)

    def open_due(self) -> None:
        """Show due lesson pages, or the result after the last verdict."""
        if self._teaching and self._teaching.is_page_due() and not self._overlays.top:
            self._read_pages(self._teaching)
        elif self.session.referee.over and self._is_end_watched() and not self._overlays.top:
            self._show_result()
        elif self.session.lent.asked:
            self._open_house()

    def _is_end_watched(self) -> bool:
        """Return True if the end was shown for long enough, after reveals and tasks."""
        session = self.session
        if session.tutor or session.reveal.on or session.piece_tasks:
            return False
        if self._ended != len(session.match.entries):
            self._ended, self._watched = len(session.match.entries), False
            self._plans.drop()
            self._plans.after(session.stays(VERDICT_NS), self._watch)
        return self._watched

    def _watch(self) -> None:
        self._watched = True

    # --- Pauses ---------------------------------------------------------------------------------------

    def pause(self, *, undo: bool = False) -> None:
        """Pause the match and open its menu. `undo` selects that line."""
        self.session.pause(self._services.clock.now_ns())
        self._overlays.lay(self._pause_menu(undo=undo))

    def _open_house(self) -> None:
        """List the house's controls for tables without house buttons."""
        self.session.lent.asked = False
        controls = in_words(list(self.session.referee.keys.house_controls()), self.session.moment())
        items = tuple(Item(text, partial(self._press, control)) for control, text in controls)
        self.session.pause(self._services.clock.now_ns())
        choice = Choice(msg("The house"), items, back=self._go_on)
        self._overlays.lay(MenuOverlay(lambda: choice, self._read))

    def _press(self, control: str) -> None:
        self._go_on()
        self._services.devices.house(control)

    def _pause_menu(self, *, undo: bool = False, done: Text | None = None) -> MenuOverlay:
        return MenuOverlay(partial(self._pause_choice, undo=undo, done=done), self._read)

    def _pause_choice(self, *, undo: bool, done: Text | None) -> Choice:
        """Return the pause menu. `done` reports the last action."""
        session = self.session
        said = done or (None if session.is_kept else msg("This match is not being saved"))
        items = [Item(msg("Go on"), self._go_on, "arrow", said)]
        undone = () if self._teaching else tuple(session.next_undo().moves)
        if undone:
            items.append(self._undo_item(undone))
        if not self._teaching:
            items += self._corrections_and_photo()
        items += self._rules_and_settings()
        if self._teaching:
            items.append(Item(msg("Leave the lesson"), self._exits.left, "door"))
        else:
            items += self._ends()
        return Choice(msg("Pause"), tuple(items), 1 if undo and undone else 0, self._go_on)

    def _undo_item(self, undone: tuple[str, ...]) -> Item:
        takes = msg("Takes back: {moves}", moves=self._in_words(len(undone)))
        return Item(msg("Undo"), partial(self._undo, undone), "swap", takes)

    def _in_words(self, count: int) -> Text:
        """Return the last moves as sentences, or in notation if they have none."""
        match = self.session.match
        return tell_last(match, count) or listed([write_move(match, move) for move in match.moves[-count:]])

    def _corrections_and_photo(self) -> Iterator[Item]:
        if self._corrections.numbers:
            yield Item(msg("Correct a move"), self._corrections.ask, "wrench")
        if self.session.finish.photo:
            yield Item(msg("Photo finish"), self._show_photo, "camera", msg("Shows the last contested call again"))

    def _rules_and_settings(self) -> Iterator[Item]:
        match, settings = self.session.match, self._services.settings
        lay, names = self._overlays.push, match.names
        helped = help_act(self._services, lay, match.game, match.rulings, box_of(match), names=names)
        if helped:
            yield Item(msg("How to play"), helped, "question", msg("The keys, and the house rules of this match"))
        turned = partial(settings.menu, self.session.keep_pace)
        yield settings.item(lambda: self._overlays.push(MenuOverlay(turned, self._read)))
        yield from self._frames.door.house_item(lay)

    def _ends(self) -> Iterator[Item]:
        is_kept, again = self.session.is_kept, partial(self._ask_sure, msg("Start again?"), self._exits.again)
        stays = (
            msg("This match stays under Past matches, unfinished")
            if is_kept
            else msg("This match is not being saved")
        )
        leave = partial(self._ask_sure, msg("Leave the match?"), self._exits.leave, "door")
        yield Item(msg("Start again"), again, "cards", stays)
        yield Item(msg("Leave"), leave, "door", stays)

    def _ask_sure(self, question: Text, act: Act, icon: str = "") -> None:
        self._overlays.ask(MenuOverlay(lambda: sure_menu(question, act, icon), self._read))

    def _go_on(self) -> None:
        self._overlays.clear()
        self.session.resume(self._services.clock.now_ns())
        if self.session.referee.pauses:  # still waiting for a device
            self._frames.refresh()

    def _undo(self, confirmed: tuple[str, ...]) -> None:
        """Undo the moves that the menu named. If others came, show the menu again."""
        now_ns = self._services.clock.now_ns()
        self.session.settle(now_ns)  # judges pending calls first
        done = None
        if tuple(self.session.next_undo().moves) == confirmed:
            done = msg("Undone: {moves}", moves=self._in_words(len(confirmed)))
            self.session.undo(now_ns)
        self._overlays.lay(self._pause_menu(done=done))

    def _show_photo(self) -> None:
        self._overlays.ask(Card(lambda: match_screens.last_photo(self.session.moment())))

    # --- Lessons and results --------------------------------------------------------------------------

    def _read_pages(self, teaching: Teaching) -> None:
        self.session.pause(self._services.clock.now_ns())

        def done(are_read: bool) -> None:
            if not are_read:
                self._overlays.lay(self._pause_menu())
                return
            teaching.turned_over()
            if teaching.tutor.over:
                self._exits.learnt()
            else:
                self._go_on()

        sitters = tuple(zip(self.session.match.names, self.session.places, strict=True))
        self._overlays.lay(LessonPages(teaching.tutor.pages, sitters, self._services.clock, self._read, done))

    def _show_result(self) -> None:
        match, leave = self.session.match, self._exits.leave
        assert match.outcome
        if self._frames.hints:
            self._frames.hints.learnt(self.session.names_of_people, match.game.name)
        items = (
            Item(msg("Rematch"), self._exits.again, "cards"),
            Item(msg("Another game"), self._exits.another, "clock"),
            Item(msg("Undo"), self._pause_at_undo, "swap"),
        )
        choice = Choice(msg("Rematch?"), items, back=leave)
        drawn = match_screens.result(match, match.outcome, self._read)._replace(celebrates=True)
        self.session.celebrate(on=True)
        self._plans.after(self.session.stays(CELEBRATION_NS), self._calm)
        self._overlays.lay(
            _ResultOverlay(lambda: choice, self._read, self._pause_at_undo, drawn, self._end_celebration)
        )

    def _calm(self) -> None:
        self._end_celebration()
        self._overlays.changed()

    def _end_celebration(self) -> None:
        self._plans.drop()
        self.session.celebrate(on=False)

    def _pause_at_undo(self) -> None:
        self.pause(undo=True)


class _ResultOverlay(MenuOverlay):
    """The result. Buzzers do not select lines, since players may still be pressing them."""

    def __init__(
        self,
        make: Callable[[], Choice],
        read: Render,
        undo: Callable[[], None],
        drawn: Screen,
        leave: Callable[[], None],
    ) -> None:
        super().__init__(make, read, drawn=drawn)
        self._undo = undo
        self._leave = leave

    def leave(self) -> None:
        self._leave()

    def press(self, place: Place, control: str) -> bool:
        if control in NEXT_CONTROLS:
            return True
        if control != "undo":
            return super().press(place, control)
        self._undo()
        return True
