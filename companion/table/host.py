"""The host of a table handles every press and shows the effect. It runs in a separate thread.

It serves `run_live`. Its objects:

    Host
      TableServices     games, settings, clock and devices, shared by all
      Frames            numbered frames of the table
        Overlays        cover the match; the top one receives every press
      Lobby             asks what to play between matches
        Matches         begins, resumes and ends matches
          Session       one match: referee, journal, seats, lamps, sounds
          MatchMenus    pauses, lesson pages, result

`Host.signal` receives presses; a press on the PC first works a virtual device. Overlays or `Session.hear` handle
it. After the move is durable, `Frames.follow` sends one frame per press. `Frames.shown` returns a VISIBLE signal
for it, which arrives like a press.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.config.settings import Settings
from companion.config.table_file import TableConfig
from companion.core.clock import PlanningClock
from companion.core.console import BUZZ, HOUSE_KEY, KEYS, OFF
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.place import HOUSE, Place
from companion.core.plugins import PLUGINS
from companion.core.signal import ASKED, LEVEL, LOST, NAMED, PC, PEEK, PLUG, UNPLUG, VISIBLE, Signal
from companion.core.text import msg
from companion.devices.sound import Player
from companion.devices.virtual import VirtualDevices
from companion.display.frame import Frame
from companion.match import centre
from companion.match.seating import PLACES, Wanted
from companion.match.services import TableServices
from companion.records import history
from companion.referee.debounce import Taps
from companion.referee.durable import DiskError
from companion.screens.overlays import Card, Notice
from companion.table.frames import Frames, Pictures
from companion.table.lobby import Lobby
from companion.table.system import NO_SYSTEM, System

if TYPE_CHECKING:
    from companion.club.link import ClubLink
    from companion.devices.hardware import Hardware  # imported only with hardware
    from companion.match.session import Session
    from companion.table.club_desk import ClubDesk

log = logging.getLogger(__name__)


class Host:
    """Runs one table. `show` receives the frames, in the host's thread.

    `settle_ns`: settling time of virtual devices. `hardware`: real devices, else all are virtual. `club` receives
    what everybody saw, `paint` private pictures.
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
        club: "ClubLink | None" = None,
        paint: Callable[[Pictures], None] | None = None,
        system: System = NO_SYSTEM,
    ) -> None:
        self._system = system
        self.devices = VirtualDevices(PLACES, clock, self._arrived, settle_ns)
        player = player or self.devices.sound
        self.services = TableServices(
            games, Settings(config, player, notes=hardware is None), clock, self.devices, hardware, player, club
        )
        self._wanted = wanted
        self.frames = Frames(self.services, wanted.seating(games, config.seats.names), show, paint)
        self._lobby = Lobby(self.services, self.frames, wanted, system)
        self._matches = self._lobby.matches
        self._club = self._desk(club) if club else None
        self._taps = [Taps() for _ in range(PLACES)]
        self._covered = True  # without a match there is always an overlay

    def _desk(self, club: "ClubLink") -> "ClubDesk":
        from companion.table.club_desk import ClubDesk  # noqa: PLC0415  few tables are in a club

        return ClubDesk(club, self.frames, self._matches, self.services.settings.read)

    @property
    def session(self) -> "Session | None":
        return self.frames.session

    # --- For run_live ---------------------------------------------------------------------------------

    @property
    def deadline_ns(self) -> int | None:
        session = self.frames.session
        match_ns = session.deadline_ns if session else None
        due = [at for at in (match_ns, self.services.clock.next_ns()) if at is not None]
        return min(due) if due else None

    def tick(self, now_ns: int) -> None:
        """Do what is due."""
        with self._guarded():
            if self.frames.session:
                self.frames.session.tick(now_ns)
            self.services.clock.act_due()
            self._look_further()

    def signal(self, signal: Signal) -> None:
        with self._guarded():
            if signal.source == PC:
                self._by_hand(signal)
            elif (session := self.frames.session) and signal.place in session.robot_places:
                self._beside_robot(session, signal)
            else:
                self._arrived(signal)
            self._look_further()

    def start(self) -> None:
        """Show notices first, if any."""
        with self._guarded():
            hardware = self.services.hardware
            of_devices = [hardware.notice] if hardware and hardware.notice else []
            settings = self.services.settings
            newer = history.of_newer(settings.config.journal.path)
            of_files = [*settings.notices, *([newer] if newer else [])]
            notices = [*self._system.notices, *of_devices, *of_files, *PLUGINS.refused]
            if notices:
                notice = centre.good_to_know(notices, settings.read)
                self.frames.overlays.lay(Notice(lambda: notice, lambda *_: self._read_notices()))
            else:
                self._begin()
            self._lobby.look_for_new()
            self._look_further()

    def _read_notices(self) -> None:
        self._system.noticed()
        self._begin()

    def _begin(self) -> None:
        wanted = self._wanted
        if wanted.match:
            self._matches.keep(wanted.match)
        elif wanted.lesson and wanted.game:
            self._matches.learn(self.services.games[wanted.game], HOUSE)
        else:
            self._lobby.start()

    def close(self) -> None:
        self._matches.end()

    def _look_further(self) -> None:
        if self.frames.session:
            self.frames.session.wait_for_phones()
        self.frames.follow()
        if self._matches.menus:
            self._matches.menus.open_due()
            self.frames.follow()
        covers = self.frames.overlays.top is not None
        if covers and not self._covered:
            self._cover()
        self._covered = covers

    def _cover(self) -> None:
        """Read buzzers as menu keys. Ignore buttons already held, and their release."""
        now_ns = self.services.clock.now_ns()
        self._taps = [Taps() for _ in range(PLACES)]
        for reading in (self.services.hardware or self.devices).flush(now_ns):
            if LEVEL in reading.flags:
                self._taps[reading.place].hear(reading)

    # --- Signals --------------------------------------------------------------------------------------

    def _by_hand(self, signal: Signal) -> None:
        place, control, session = signal.place, signal.control, self.frames.session
        is_press = signal.pressed and control in {BUZZ, *KEYS}
        if is_press and session and place in session.robot_places and self.frames.overlays.top is None:
            self._beside_robot(session, signal)  # virtual devices here are the robot's
        elif control == BUZZ:
            self.devices.buzzers[place].hold(signal.t_ns, signal.uncertainty_ns, pressed=signal.pressed)
        elif control == PEEK:
            self.frames.peek(signal.pressed)
        elif not signal.pressed:
            return
        elif control.startswith("fault "):
            self.devices.break_or_mend(place, control.removeprefix("fault "))
            self.frames.refresh()
        elif place == HOUSE:
            self.devices.house(control)
        else:
            # A time in the middle of a long frame could precede the prompt.
            self.devices.keypads[place].press(control, signal.received_ns)

    def _arrived(self, signal: Signal) -> None:
        session, overlays = self.frames.session, self.frames.overlays
        covered = overlays.top is not None
        if signal.control in {VISIBLE, ASKED, NAMED, OFF}:
            self._of_table(signal)
            return
        if overlays.top:
            overlays.top.hear(signal)
        if signal.control == LOST:
            if session:  # without a match, people press again
                session.lose(signal.place)
        elif session and not covered:
            self._play(session, signal)
        else:
            if session:
                session.hear_covered(signal)
            if covered and self._is_press(signal):
                overlays.press(signal.place, signal.control)

    def _beside_robot(self, session: "Session", signal: Signal) -> None:
        """Handle a press at a robot's place: in menus, or for the lent keypad."""
        if self.frames.overlays.top:
            if signal.control != LOST and self._is_press(signal):
                self.frames.overlays.press(signal.place, signal.control)
        elif signal.pressed and signal.control == HOUSE_KEY and not session.tutor:
            session.lent.asked = True

    def _of_table(self, signal: Signal) -> None:
        session, covered = self.frames.session, self.frames.overlays.top is not None
        if signal.control == VISIBLE:
            if session is None or (not covered and session.seen(signal.t_ns, self.frames.screen)):
                if self._club:
                    self._club.tell(session, signal.t_ns)
                if session:
                    session.go_on(signal.t_ns)
        elif signal.control == ASKED:
            if self._club:
                self._club.act()
            self.frames.refresh_panels(always=True)
        elif signal.control == NAMED:
            self._lobby.seat_named(signal.place)
        elif signal.control == OFF:
            self._lobby.ask_power_off()

    def _play(self, session: "Session", signal: Signal) -> None:
        """Pass a signal to the match, but pause, menu and undo to its menu."""
        menus, control = self._matches.menus, signal.control if signal.place == HOUSE else ""
        assert menus
        if control in {"pause", "menu", "undo"}:
            menus.pause(undo=control == "undo")
        else:
            session.hear(signal)

    def _is_press(self, signal: Signal) -> bool:
        """Return True for a new press, without bounces."""
        if signal.control != BUZZ:
            return signal.pressed and signal.control not in {PLUG, UNPLUG, VISIBLE}
        return 0 <= signal.place < PLACES and self._tapped(signal.place, self._taps[signal.place].hear(signal))

    def _tapped(self, place: Place, pressed: bool) -> bool:
        """Return `pressed`. Look again later if it may be a spike."""
        known_ns = self._taps[place].known_ns
        if known_ns is not None:
            self.services.clock.at(known_ns, lambda: self._look_again(place))
        return pressed

    def _look_again(self, place: Place) -> None:
        pressed = self._taps[place].ask(self.services.clock.now_ns())
        if self._tapped(place, pressed) and self.frames.overlays.top is not None:
            self.frames.overlays.press(place, BUZZ)

    # --- Errors ---------------------------------------------------------------------------------------

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001  it is logged and shown
            self._tell_trouble(error)

    def _tell_trouble(self, error: Exception) -> None:
        if isinstance(error, CompanionError):
            log.warning("%s", error)
            text = error.text
        else:
            log.error("host", exc_info=error)
            text = msg("An internal error; the details are in the log. The match is saved.")
        if isinstance(error, DiskError) and self._matches.stake:
            self._matches.ask_unsaved(error)
            return
        self._matches.end()
        poster = centre.wrong(text, msg("Press any button"), self.services.settings.read)
        self.frames.overlays.lay(Card(lambda: poster, lambda *_: self._lobby.start()))
