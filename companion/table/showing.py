"""What the table shows now: the match or what covers it, as numbered frames, and each pod's own lines."""

from collections.abc import Callable

from companion.core.menu import Choice, Item
from companion.core.move import TABLE, Seat
from companion.core.signal import VISIBLE, Signal
from companion.display.frame import Frame, Play, Poster, Result, Screen
from companion.match import centre, seat_panels
from companion.match.private_screens import PrivateScreens
from companion.match.running import Running
from companion.match.seating import Seating
from companion.match.services import Premises
from companion.table.overlays import Asking, Card, Cover


class Showing:
    """Shows who sits where, what is `running` and what lies over it; `send` takes the frames."""

    def __init__(self, premises: Premises, seating: Seating, send: Callable[[Frame], None]) -> None:
        self.seating = seating
        self.running: Running | None = None
        self.send = send
        self._peeking = False
        self._premises = premises
        self._cover: Cover | None = None
        self._serial = 0
        self._sent: Frame | None = None
        hardware = premises.hardware
        self._private = PrivateScreens(hardware.say, premises.clock) if hardware else None

    @property
    def cover(self) -> Cover | None:
        """What lies over the match, or is there because none is played; None while the match itself is shown."""
        return self._cover

    @property
    def screen(self) -> Screen | None:
        """What the centre of the newest frame shows."""
        return self._sent.screen if self._sent else None

    # --- What lies there ------------------------------------------------------------------------------

    def lay(self, cover: Cover) -> None:
        """Cover the table with something, instead of what lies there, and show it."""
        self._change(cover)
        self.refresh()

    def say(self, poster: Poster, pressed: Callable[[Seat, str], None]) -> None:
        """Cover the table with a message; `pressed` takes what is pressed then."""
        self.lay(Card(lambda: poster, pressed))

    def ask(
        self,
        choice: Choice,
        take: Callable[[Item], None],
        back: Callable[[], None],
        drawn: Screen | None = None,
    ) -> Asking:
        """Cover the table with a menu, and return it; `take` does what a line says, `back` goes back from it.

        With `drawn` that is what the centre shows instead of the lines.
        """
        asking = Asking(choice, take, back, self.refresh, self._premises.settings.read, drawn=drawn)
        self.lay(asking)
        return asking

    def turn_to(self, cover: Cover) -> None:
        """Cover the table with something that may look as what lies there: only then it is shown."""
        self._change(cover)
        self.refresh_panels(always=True)

    def uncover(self) -> None:
        """Let nothing lie over the match; its next frame shows it."""
        self._change(None)

    def _change(self, cover: Cover | None) -> None:
        before, self._cover = self._cover, cover
        if before and before is not cover:
            before.leave()

    # --- Frames ---------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Send a frame that asks to be seen: it is the newest that may be reported as visible."""
        self._serial += 1
        self._put(self._frame())
        self._tell_privately()

    def refresh_panels(self, *, always: bool = False) -> None:
        """Send a frame that looks different, but is no new request; `always` means also of what covers the match.

        What was asked to be shown before is still what is reported as visible. That report comes through here too:
        to answer it with the same picture would go on for ever.
        """
        if always or not self._cover:
            frame = self._frame()
            if not frame.looks_like(self._sent):
                self._put(frame)
            self._tell_privately()

    def peek(self, on: bool) -> None:
        """Show the private lines of those who share a PC while somebody holds the key for it."""
        self._peeking = on
        self.refresh_panels(always=True)

    def shown(self, frame: Frame, t_ns: int) -> Signal | None:
        """Return the signal that a frame became visible at `t_ns`, if it is the newest that was asked for."""
        if frame.serial != self._serial:
            return None
        return Signal("display", TABLE, VISIBLE, t_ns, 0, self._premises.clock.now_ns())

    def _put(self, frame: Frame) -> None:
        if self.running:
            self.running.sounding.asked()
        self._sent = frame
        self.send(frame)

    def _tell_privately(self) -> None:
        """Show on each pod what only its seat may read; of a reveal not before everybody can see it."""
        turning = self.running is not None and self.running.reveal.turning
        hardware, readers = self._premises.hardware, self._premises.settings.readers
        if self._private and hardware and not turning:
            self._private.show(
                {
                    place: seat_panels.private_lines(self.seating, self.running, place, readers)
                    for place in hardware.screen_places
                }
            )

    def _frame(self) -> Frame:
        running, seating, devices = self.running, self.seating, self._premises.devices
        read, readers = self._premises.settings.read, self._premises.settings.readers
        screen = self._screen()
        ended = isinstance(screen, Result)
        own = self._cover.sides() if self._cover else None
        return Frame(
            self._serial,
            screen,
            own or seat_panels.sides(seating, running, devices, ended, readers),
            seat_panels.panels(seating, running, devices, peeking=self._peeking, readers=readers),
            running is not None and running.referee.calls_may_come and not running.reveal.hidden,
            seat_panels.house_line(running, read),
            tuple(map(read, seat_panels.story(running))),
            self._premises.settings.look,
            seat_panels.time_left(running) if running and isinstance(screen, Play) else None,
        )

    def _screen(self) -> Screen:
        if self._cover:
            return self._cover.screen()
        assert self.running  # where nobody plays something lies on the table
        if troubles := self.running.troubles:
            return centre.troubles(troubles, self._premises.settings.read)
        return centre.play(self.running)
