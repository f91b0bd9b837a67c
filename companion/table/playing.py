"""A match as the house and its people work it: what is pressed in it, from its begin to its end."""

import secrets
from typing import Final

from companion.core.console import BUZZ, KEYS, Lamp
from companion.core.move import TABLE, Seat
from companion.core.rules import View
from companion.core.signal import LEVEL, PLUG, UNPLUG, VISIBLE, Signal
from companion.core.tags import dealer_of
from companion.core.text import Text, msg
from companion.health import logbook
from companion.match.robots import Robots
from companion.match.running import Running
from companion.match.seat_devices import Seated
from companion.match.services import Premises
from companion.referee.referee import Referee
from companion.table.frames import Frames
from companion.table.match_menus import Exits, MatchMenus
from companion.table.staging import Staging
from companion.visits.lesson_pages import Teaching

VERDICT_NS: Final = 3_000_000_000
"""How long the last verdict of a match is held before the result."""


class Playing:
    """A match or a lesson at the table; it is the screen of its referee."""

    def __init__(self, premises: Premises, frames: Frames, running: Running, exits: Exits) -> None:
        self.running = running
        self._premises = premises
        self._frames = frames
        self._seat_devices()
        self._staging = Staging(running, frames)
        self._teaching = Teaching(running, running.tutor) if running.tutor else None
        self._menus = MatchMenus(premises, frames, running, exits, self._teaching)
        self._ended: tuple[int, int] | None = None  # (entries of the match, when its end could be seen)

    def _seat_devices(self) -> None:
        """Give the match its referee, with the devices and robots of those who play."""
        running, premises = self.running, self._premises
        match, tutor = running.match, running.tutor
        seated = Seated(premises.devices, running.places, running.reveal, premises.hardware, running.wired)
        dealer = tutor.dealer if tutor else dealer_of(match)
        running.referee = Referee(match, running.journal, inputs=seated, lamps=seated, screen=self, dealer=dealer)
        running.keep_pace()
        running.reminders.lamps, running.reminders.changed = seated.remind, self._frames.refresh_panels
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
        self._frames.refresh()
        return None

    def pause(self) -> None:
        """Make the match wait, and ask what is to be done."""
        self._menus.pause()

    def look_further(self) -> None:
        """Show the pages that a lesson comes to, or the result when the last verdict could be seen."""
        if self._teaching:
            if self._teaching.is_page_due() and not self._frames.overlays.top:
                self._menus.read_pages(self._teaching)
        elif self._is_result_due() and not self._frames.overlays.top:
            self._menus.show_result()

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

    # --- Signals --------------------------------------------------------------------------------------

    def is_robots(self, place: Seat) -> bool:
        """Tell whether a robot plays at a place."""
        return place in self.running.places and self.running.seating.is_robot(place)

    def lose(self, place: Seat) -> None:
        """Tell on a seat's strip that presses of its pod were lost."""
        if place in self.running.places:
            self.running.lost.add(self.running.places.index(place))
            self._frames.refresh_panels()

    def hear_covered(self, signal: Signal) -> None:
        """Tell the referee each contact's state, although the match is paused."""
        running = self.running
        if signal.seat in running.places and signal.control in {BUZZ, PLUG, UNPLUG}:
            running.referee.signal(signal._replace(seat=running.places.index(signal.seat)))
        elif signal.seat == TABLE and signal.control in {PLUG, UNPLUG}:
            running.referee.signal(signal)

    def hear(self, signal: Signal) -> None:
        """Handle what a device, or the display, reports while nothing covers the match."""
        if signal.control == VISIBLE:
            self._staging.visible(signal)
        elif signal.seat == TABLE:
            self._hear_house(signal)
        elif signal.seat in self.running.places:
            self._hear_seat(signal._replace(seat=self.running.places.index(signal.seat)))
        self._frames.refresh_panels()

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
            self._menus.pause()
        elif signal.control == "undo":
            self._menus.pause(undo=True)
        elif signal.control in {PLUG, UNPLUG}:
            self.running.referee.signal(signal)
        elif not self._is_meant(signal):
            return
        elif signal.pressed and signal.control in {"ok", "skip"} and self._shorten():
            self._frames.refresh()
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
