"""Brings the positions of a match to the display: as they are, as a reveal, with the photo finish of a call."""

from dataclasses import dataclass

from companion.core.signal import Signal
from companion.display.frame import Beat, Play
from companion.match.news import ORDER_NS
from companion.match.photo_finish import NEXT_CARD_NS
from companion.match.reveal import HOLD_NS, NEVER_NS
from companion.match.running import Running
from companion.table.frames import Frames


@dataclass
class Staging:
    """Decides how each new position of a match is shown, and what waits for it."""

    running: Running
    frames: Frames

    def position(self) -> None:
        """Take in that the referee wants its position to be shown: a new one, or the same after a pause."""
        running = self.running
        reveal, finish, referee = running.reveal, running.finish, running.referee
        running.refused.clear()
        running.remind_later()
        if reveal.fresh:
            referee.listen_from(NEVER_NS)
            self._put_off(running.drum_ns + HOLD_NS)
            if not reveal.roll(self._turn):
                self._reveal()
            return
        if reveal.shows(running.match):  # it goes on after a pause
            if reveal.hidden:
                self._reveal()
            return
        reveal.end()
        running.turn_over()
        if not referee.dealer:
            # Orders that must not be lost give way to what may be done next.
            running.clock.at(running.clock.now_ns() + ORDER_NS, self._look_again)
        if referee.calls_may_come:
            finish.clear()
            if referee.dealer:
                running.orders.settle()
        elif not (referee.draws or referee.over):
            finish.uncover()  # somebody has to look at the scene
        elif finish.cover(self._look_again):
            self._put_off(NEXT_CARD_NS)

    def visible(self, signal: Signal) -> None:
        """Take in that the newest frame could be seen; of a reveal only the one frame that shows it counts."""
        reveal, referee = self.running.reveal, self.running.referee
        if reveal.hidden:
            screen = self.frames.screen
            turned = isinstance(screen, Play) and screen.beat == Beat.REVEALED
            if not turned or signal.t_ns < reveal.asked_ns:
                return
            reveal.seen(signal.t_ns, self._calm)
            if self.running.tutor:
                self.running.refused.clear()  # who learns has to see the hint again, not what came too soon
            referee.listen_from(signal.t_ns)
            self._put_off(HOLD_NS)
        self.running.sounding.seen(signal.t_ns, reveal=reveal.on)
        referee.signal(signal)

    def shorten(self) -> bool:
        """End the hold of a reveal, or a photo finish; tell whether that was all that could be meant."""
        running = self.running
        was = running.reveal.on
        running.reveal.end()
        was = running.finish.uncover() or was
        return was and (running.referee.pacing.draw_now(running.clock.now_ns()) or not running.referee.draws)

    def _put_off(self, for_ns: int) -> None:
        self.running.referee.pacing.put_off(self.running.clock.now_ns(), for_ns)

    def _turn(self) -> None:
        """End the drum; a screen that lies over the match, or a pause, keeps the secret until it is gone."""
        if not (self.frames.overlays.top or self.running.referee.paused or self.running.left):
            self._reveal()
            self.frames.refresh()

    def _reveal(self) -> None:
        """Let the next frame show what was secret."""
        running = self.running
        running.reveal.turn()
        running.turn_over()
        running.referee.listen_from(NEVER_NS)
        self._put_off(HOLD_NS)

    def _calm(self) -> None:
        """End the hold of a reveal."""
        if not self.running.left:
            self.running.reveal.end()
            self.running.remind_later()
            self._look_again()

    def _look_again(self) -> None:
        if not self.running.left:
            self.frames.refresh_panels()
