"""A match as the house and its people work it: what is pressed in it, its pauses, undo, lessons' pages, its end."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.core.console import BUZZ, KEYS, Lamp
from companion.core.menu import Item
from companion.core.move import TABLE, Seat
from companion.core.rules import View
from companion.core.signal import LEVEL, PLUG, UNPLUG, VISIBLE, Signal
from companion.core.tags import dealer_of
from companion.core.text import Text, msg
from companion.health import logbook
from companion.match import centre
from companion.match.robots import Robots
from companion.match.running import Running
from companion.match.seat_devices import Seated
from companion.match.services import Premises
from companion.referee.referee import Referee
from companion.table.corrections import Corrections
from companion.table.detours import Detours
from companion.table.menus import help_about, lesson_menu, pause_menu, result_menu, sure_menu
from companion.table.overlays import Card, Visiting, any_press
from companion.table.showing import Showing
from companion.table.staging import Staging
from companion.visits.lesson_pages import Reading, Teaching

VERDICT_NS: Final = 3_000_000_000
"""How long the last verdict of a match is held before the result."""


@dataclass(frozen=True)
class Exits:
    """Where a match leads when it is left: to nobody playing, to the same once more, from a lesson to the menu."""

    leave: Callable[[], None]
    again: Callable[[], None]
    learnt: Callable[[], None]


class Playing:
    """A match or a lesson at the table; it is the screen of its referee."""

    def __init__(self, premises: Premises, showing: Showing, running: Running, exits: Exits) -> None:
        self.running = running
        self._premises = premises
        self._showing = showing
        self._detours = Detours(premises, showing)
        self._exits = exits
        self._seat_devices()
        self._staging = Staging(running, showing)
        self._corrections = Corrections(running, showing, self.pause_menu)
        self._teaching = Teaching(running, running.tutor) if running.tutor else None
        self._ended: tuple[int, int] | None = None  # (entries of the match, when its end could be seen)

    def _seat_devices(self) -> None:
        """Give the match its referee, with the devices and robots of those who play."""
        running, premises = self.running, self._premises
        match, tutor = running.match, running.tutor
        seated = Seated(premises.devices, running.places, running.reveal, premises.hardware, running.wired)
        dealer = tutor.dealer if tutor else dealer_of(match)
        running.referee = Referee(match, running.journal, inputs=seated, lamps=seated, screen=self, dealer=dealer)
        running.keep_pace()
        running.reminders.lamps, running.reminders.changed = seated.remind, self._showing.refresh_panels
        running.referee.heralds.append(running.herald)
        running.referee.followers += [running.follow, logbook.follow]
        bots = [match.game.bots[sitter.robot] if sitter.robot else None for sitter in running.seating.sitters]
        Robots.seated(running, tutor.partners if tutor else bots, secrets.token_hex(8))

    # --- From its begin to its end --------------------------------------------------------------------

    def start(self) -> None:
        """Show the position, and tell the referee which devices are missing."""
        running, premises = self.running, self._premises
        running.referee.start(premises.clock.now_ns())
        missing = premises.hardware.troubles if premises.hardware else {}
        for seat, place in enumerate(running.places):
            is_missing = place in missing and place in running.people
            if is_missing or not premises.devices.buzzers[place].plugged:
                running.referee.signal(self._own_signal("virtual", seat, UNPLUG))
        if TABLE in missing:
            running.referee.signal(self._own_signal("virtual", TABLE, UNPLUG))

    def end(self) -> None:
        """Leave it: what was played stays in the journal."""
        self.running.left = True
        self.running.journal.close()
        for place in range(len(self.running.seating.places)):
            self._premises.devices.lamps.show(place, Lamp.OFF)
            if self._premises.hardware:
                self._premises.hardware.show(place, Lamp.OFF)

    def show(self, view: View, prompt: Text) -> int | None:
        """Send the new position to the display; a VISIBLE signal will answer."""
        self._staging.position()
        self._showing.refresh()
        return None

    def look_further(self) -> None:
        """Show the pages that a lesson comes to, or the result when the last verdict could be seen."""
        if self._teaching:
            if self._teaching.is_page_due() and not self._showing.cover:
                self._read_pages(self._teaching)
        elif self._is_result_due() and not self._showing.cover:
            self._show_result()

    def _is_result_due(self) -> bool:
        """Tell whether the end has been watched enough; if only later, the host is woken."""
        running, clock = self.running, self._premises.clock
        if not running.match.outcome or running.reveal.on:
            return False
        now_ns, entries = clock.now_ns(), len(running.match.entries)
        if self._ended is None or self._ended[0] != entries:
            self._ended = (entries, now_ns)
            clock.at(now_ns + VERDICT_NS, lambda: None)  # wakes the host, which comes back here
        return now_ns - self._ended[1] >= VERDICT_NS

    def _show_result(self) -> None:
        match, read = self.running.match, self._premises.settings.read
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

    # --- Signals --------------------------------------------------------------------------------------

    def is_robots(self, place: Seat) -> bool:
        """Tell whether a robot plays at a place."""
        return place in self.running.places and self.running.seating.is_robot(place)

    def lose(self, place: Seat) -> None:
        """Tell on a seat's strip that presses of its pod were lost."""
        if place in self.running.places:
            self.running.lost.add(self.running.places.index(place))
            self._showing.refresh_panels()

    def hear_covered(self, signal: Signal) -> None:
        """Let the referee know each contact's state, although the match is paused."""
        running = self.running
        if signal.seat in running.places and signal.control in {BUZZ, PLUG, UNPLUG}:
            running.referee.signal(signal._replace(seat=running.places.index(signal.seat)))
        elif signal.seat == TABLE and signal.control in {PLUG, UNPLUG}:
            running.referee.signal(signal)

    def hear(self, signal: Signal) -> None:
        """Take in what a device, or the display, reports while nothing covers the match."""
        if signal.control == VISIBLE:
            self._staging.visible(signal)
        elif signal.seat == TABLE:
            self._hear_house(signal)
        elif signal.seat in self.running.places:
            self._hear_seat(signal._replace(seat=self.running.places.index(signal.seat)))
        self._showing.refresh_panels()

    def _hear_seat(self, signal: Signal) -> None:
        running, seat = self.running, signal.seat
        if signal.pressed:
            running.refused.pop(seat, None)  # what was refused is about the key before
            if signal.control in KEYS and not self._is_meant(signal):
                running.refused[seat] = msg("not taken: pressed before it was shown")
                return
            if signal.control in {BUZZ, *KEYS} and LEVEL not in signal.flags:
                running.pressed(seat)
        if running.tutor:
            running.tutor.hear(signal, running)
        running.referee.signal(signal)

    def _hear_house(self, signal: Signal) -> None:
        """Take a control of the house, or a key of its keypad; ok and skip also end what is only being shown."""
        if signal.control in {"pause", "menu"}:
            self.pause()
        elif signal.control == "undo":
            self.pause("undo")
        elif signal.control in {PLUG, UNPLUG}:
            self.running.referee.signal(signal)
        elif not self._is_meant(signal):
            return
        elif signal.pressed and signal.control in {"ok", "skip"} and self._shorten():
            self._showing.refresh()
        else:
            self.running.referee.signal(signal)

    def _is_meant(self, signal: Signal) -> bool:
        """Tell whether a press can have been meant for what is shown."""
        return self.running.reveal.meant(signal.t_ns + signal.uncertainty_ns)

    def _shorten(self) -> bool:
        """End what is only being shown; tell whether that was all that could be meant."""
        if self._teaching and self._teaching.tutor.pages:
            self._teaching.hasten()
        return self._staging.shorten()

    def _own_signal(self, source: str, seat: Seat, control: str) -> Signal:
        now_ns = self._premises.clock.now_ns()
        return Signal(source, seat, control, now_ns, 0, now_ns)

    # --- Pauses ---------------------------------------------------------------------------------------

    def pause(self, act: str = "") -> None:
        """Let the match wait, and ask what is to be done; with an `act` at the line that does that."""
        if ("house", TABLE) not in self.running.referee.pauses:
            self._press_pause()
        self.pause_menu(act)

    def _press_pause(self) -> None:
        """Let the match wait for the house, or go on if it does."""
        self.running.referee.signal(self._own_signal("host", TABLE, "pause"))

    def pause_menu(self, act: str = "") -> None:
        """Ask what is to be done in the pause, at the line that does `act` if there is one."""
        running, match = self.running, self.running.match
        helps = help_about(match.game, match.rulings)
        if self._teaching:
            menu = lesson_menu(helps)
        else:
            menu = pause_menu(
                running.referee.undo_takes(),
                correctable=bool(self._corrections.numbers),
                photo=running.finish.photo is not None,
                helps=helps,
                kept=running.is_kept,
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
        self._press_pause()
        if self.running.referee.paused:  # it still waits for a device; else it was shown already
            self._showing.refresh()

    def _undo(self, confirmed: tuple[str, ...]) -> None:
        """Take back what the menu said; if a call was judged meanwhile, the menu has to say it anew."""
        referee = self.running.referee
        if tuple(referee.undo_takes()) == confirmed:
            referee.undo_now(self._premises.clock.now_ns())
        self.pause_menu()

    def _show_photo(self) -> None:
        """Show the last photo finish again, until something is pressed."""
        self._showing.lay(Card(lambda: centre.play(self.running, always_photo=True), any_press(self.pause_menu)))

    def _read_pages(self, teaching: Teaching) -> None:
        """Let the pages of a lesson that are due be read while the match waits."""
        self._press_pause()
        premises = self._premises
        reading = Reading(teaching.tutor.pages, self.running.match.names, premises.clock, premises.settings.read)

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
