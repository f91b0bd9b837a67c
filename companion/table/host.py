"""The host of a table: takes in what is pressed there and shows what becomes of it. Runs in a thread of its own.

It serves `run_live` as a referee does: signals and ticks in, frames out. Who holds whom:

    Host
      Premises          games, settings, clock and devices, handed to all below
      Showing           what lies over the match, and the frames
      Idle              asks what to play while nobody does
        Matches         begins, resumes and ends what is played
          Playing       one match: its presses and pauses; the screen of its referee
            Running     what is known of it: journal, seats, referee, what is told and sounds
            Staging     how each new position comes to the display

A press comes to `Host.signal`; one by a hand on the PC works a virtual device first, which reports it. `_arrived`
gives it to the cover that lies there (`covers`), or to `Playing.hear`, and that to the referee, by seat. When the
move is durable the referee tells `Running.follow`, and asks `Playing.show` for the new position: `Staging` decides
what waits for it, `Showing` makes a frame of it (`framing` for the centre, `strips` for the seats) and sends it to
the window. When that could be seen `Host.shown` makes a VISIBLE signal of it, which takes the same way in.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.config.settings import Settings
from companion.config.table_file import TableConfig
from companion.core.clock import PlanningClock
from companion.core.console import BUZZ, OFF
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.move import TABLE
from companion.core.signal import LOST, PC, PEEK, PLUG, UNPLUG, VISIBLE, Signal
from companion.core.text import msg
from companion.devices.sound import Player
from companion.devices.virtual import VirtualDevices
from companion.display.frame import Frame
from companion.match import centre
from companion.match.seating import PLACES, Wanted
from companion.match.services import Premises
from companion.match.session import Session
from companion.referee.debounce import Taps
from companion.referee.journal import DiskError
from companion.table.lobby import Idle
from companion.table.overlays import any_press
from companion.table.showing import Showing

if TYPE_CHECKING:
    from companion.devices.hardware import Hardware  # a table without wires does not import it

log = logging.getLogger(__name__)


class Host:
    """Runs everything that happens at one table; `show` takes the frames, in the thread of the host.

    `settle_ns` is how late virtual devices may report. `hardware` are the real devices, which deliver by `signal`;
    without it all of them are virtual. `player` is the sound card, if not a virtual one. `power_off` switches the
    machine off, where the table may; `end` ends the program, where nothing restarts it.
    """

    def __init__(
        self,
        games: Mapping[str, Game],
        config: TableConfig,
        clock: PlanningClock,
        show: Callable[[Frame], None],
        wanted: Wanted,
        *,
        settle_ns: int,
        hardware: "Hardware | None" = None,
        player: Player | None = None,
        power_off: Callable[[], None] | None = None,
        end: Callable[[], None] | None = None,
    ) -> None:
        self.devices = VirtualDevices(PLACES, clock, self._arrived, settle_ns)
        player = player or self.devices.sound
        self.premises = Premises(games, Settings(config, player), clock, self.devices, hardware, player)
        self._wanted = wanted
        self.showing = Showing(self.premises, wanted.seating(games, config.seats.names), show)
        self._idle = Idle(self.premises, self.showing, wanted, power_off, end)
        self._matches = self._idle.matches
        self._taps = [Taps() for _ in range(PLACES)]

    @property
    def session(self) -> Session | None:
        """The match that is played, None where nobody plays."""
        return self.showing.session

    # --- What run_live needs --------------------------------------------------------------------------

    @property
    def deadline_ns(self) -> int | None:
        """When `tick` is next due."""
        match_ns = self.session.deadline_ns if self.session else None
        due = [at for at in (match_ns, self.premises.clock.next_ns()) if at is not None]
        return min(due) if due else None

    def tick(self, now_ns: int) -> None:
        """Do what is due: of the match, and of the devices and robots."""
        with self._guarded():
            if self.session:
                self.session.tick(now_ns)
            self.premises.clock.act_due()
            self._look_further()

    def signal(self, signal: Signal) -> None:
        """Take in what a device or the PC reports."""
        with self._guarded():
            if signal.source == PC:
                self._by_hand(signal)
            elif not (
                self.session and self.session.is_robots(signal.seat)
            ):  # its real devices are not those it presses
                self._arrived(signal)
            self._look_further()

    def start(self) -> None:
        """Show what everybody should know, begin what is to be played at once, or wait for somebody."""
        with self._guarded():
            hardware = self.premises.hardware
            if hardware and hardware.notice:
                notice = centre.good_to_know(hardware.notice, self.premises.settings.read)
                self.showing.say(notice, any_press(self._begin))
            else:
                self._begin()
            self._idle.look_for_pods()
            self._look_further()

    def _begin(self) -> None:
        """Do what was asked for when the program began."""
        wanted = self._wanted
        if wanted.match:
            self._matches.keep(wanted.match)
        elif wanted.lesson and wanted.game:
            self._matches.learn(self.premises.games[wanted.game], TABLE)
        else:
            self._idle.start()

    def close(self) -> None:
        """End for now: what is played stays in the journal."""
        self._matches.end()

    def shown(self, frame: Frame, t_ns: int) -> Signal | None:
        """Return the signal that a frame became visible at `t_ns`, if it is the newest that was asked for."""
        return self.showing.shown(frame, t_ns)

    def _look_further(self) -> None:
        self.showing.follow()
        if self._matches.playing:
            self._matches.playing.look_further()
            self.showing.follow()

    # --- Signals --------------------------------------------------------------------------------------

    def _by_hand(self, signal: Signal) -> None:
        """Work a virtual device as a hand on the PC does."""
        place, control = signal.seat, signal.control
        if control == BUZZ:
            self.devices.buzzers[place].hold(signal.t_ns, signal.uncertainty_ns, pressed=signal.pressed)
        elif control == PEEK:
            self.showing.peek(signal.pressed)
        elif not signal.pressed:
            return
        elif control.startswith("fault "):
            self.devices.break_or_mend(place, control.removeprefix("fault "))
            self.showing.refresh()
        elif place == TABLE:
            self.devices.house(control)
        else:
            self.devices.keypads[place].press(control)

    def _arrived(self, signal: Signal) -> None:
        """Take in what a device reports: it is for the match, or for what covers it."""
        playing, cover = self._matches.playing, self.showing.cover
        if signal.control == OFF:
            self._idle.ask_power_off()
            return
        if signal.control == VISIBLE:
            if self.session and not cover:
                self.session.seen(signal.t_ns, self.showing.screen)
            return
        if cover:
            cover.hear(signal)
        if signal.control == LOST:
            if playing:  # else they are simply made again
                playing.session.lose(signal.seat)
        elif playing and not cover:
            playing.hear(signal)
        else:
            if playing:
                playing.session.hear_covered(signal)
            if self._is_press(signal) and cover:
                cover.press(signal.seat, signal.control)

    def _is_press(self, signal: Signal) -> bool:
        """Tell whether a signal is something newly pressed; contacts bounce in menus as they do in matches."""
        if signal.control != BUZZ:
            return signal.pressed and signal.control not in {PLUG, UNPLUG, VISIBLE}
        return 0 <= signal.seat < PLACES and self._taps[signal.seat].hear(signal)

    # --- What goes wrong ------------------------------------------------------------------------------

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn what goes wrong meanwhile into a screen that says so."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  it is logged and shown
            self._tell_trouble(error)

    def _tell_trouble(self, error: Exception) -> None:
        """Say on the screen what went wrong; the match, if one is played, stays in its journal."""
        if isinstance(error, CompanionError):
            log.warning("%s", error)
            text = error.text
        else:
            log.error("host", exc_info=error)
            text = msg("An internal error; the details are in the log. The match is kept.")
        self._idle.give_up_pods()
        if isinstance(error, DiskError) and self._matches.stake:
            self._matches.ask_unsaved(error.text)
            return
        self._matches.end()
        poster = centre.wrong(text, msg("Press any button"), self.premises.settings.read)
        self.showing.say(poster, any_press(self._idle.start))
