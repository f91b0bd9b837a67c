"""The self-test: shows at once what is pressed, lit, heard or wrong at the table.

It does not need any working device, so a broken table can also show it.
"""

import logging
import threading
import time
from functools import partial
from typing import Final

from companion.core.clock import Later
from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS, Lamp
from companion.core.place import HOUSE, Place, each_place
from companion.core.signal import LEVEL, PLUG, UNPLUG, Signal
from companion.core.text import Text, msg, seat_name
from companion.core.units import SECOND
from companion.devices.virtual import SOURCE as VIRTUAL
from companion.devices.voice import SPOKEN
from companion.diagnostics.failures import described
from companion.display.frame import Screen, Side
from companion.display.self_test_rows import Findings, Found, PlaceTest, SelfTest, Tried
from companion.match.services import TableServices
from companion.referee.debounce import QUIET_NS
from companion.screens.overlays import Overlay
from companion.screens.stations import Station, exactness, key_text

TWICE_NS: Final = 1_500_000_000
"""Two presses of a key within this time leave or turn the page; a single one only tests the key."""

SCALE: Final = ("flip", "go_on", "right", "call", "locked", "pay")
"""The clips that test the sound card, from low to high."""

NOTE_NS: Final = 350_000_000

LONG_NS: Final = 8_000_000_000
"""A buzzer that is down for this long is stuck, or somebody leans on it."""

LEAVING: Final = frozenset({"menu", "pause"})

SCALE_KEY: Final = "5"

log = logging.getLogger(__name__)


class SelfTestBoard(Overlay):
    """The board of the self-test, and the pages of the doctor.

    `why` says why the real devices could not be opened.
    """

    def __init__(self, services: TableServices, why: Text | None = None) -> None:
        self._services = services
        self._why = why
        self._read = services.settings.read
        wiring = services.settings.config.wiring
        self._virtual = services.hardware is None and why is None
        places = each_place(len(services.devices.buzzers))
        every = frozenset(places) if self._virtual else frozenset[Place]()
        self._stations = [
            Station(
                place,
                buzzer=place in every | wiring.buzzers.keys(),
                keypad=place in every | wiring.keypad_places,
                lamp=place in every | wiring.lamps.keys(),
            )
            for place in places
        ]
        self._house_pad = Station(HOUSE, keypad=HOUSE in wiring.keypad_places and not self._virtual)
        self._wired = frozenset(HOUSE_CONTROLS) if self._virtual else frozenset(wiring.controls)
        self._pressed: set[str] = set()
        self._heard: Text = msg("Press anything: it is shown here")
        self._last_key: tuple[Place, str, int] = (HOUSE, "", 0)
        self._plans, self._scale = Later(services.clock), Later(services.clock)
        self._played = False
        self._page: int | None = None
        self._doctor = _Doctor(services, why)
        self._began_ns = services.clock.now_ns()
        self._shown: Screen | None = None
        self._look()
        self._tick()

    # --- Overlay --------------------------------------------------------------------------------------------

    def screen(self) -> Screen:
        self._shown = self._board() if self._page is None else self._findings(self._page)
        return self._shown

    def sides(self) -> tuple[Side, ...]:
        troubles = self._troubles()
        return tuple(
            Side(str(place + 1), lit=station.held, tone="bad" if place in troubles else "")
            for place, station in enumerate(self._stations)
        )

    def hear(self, signal: Signal) -> None:
        """Note a report. The frame after a press shows it at once; bounces are shown when the contact rests."""
        place, control = signal.place, signal.control
        if control in {PLUG, UNPLUG}:
            self._tell()
        elif control == BUZZ and 0 <= place < len(self._stations):
            self._edge(self._stations[place], signal)
        elif not signal.pressed:
            return
        elif self._services.hardware and signal.source == VIRTUAL:
            # A keyboard or touch must not pass for the device of a place.
            self._heard = msg("Keyboard or touch: {control}", control=control)
        elif control in HOUSE_CONTROLS:
            self._pressed.add(control)
            self._heard = msg("The house: {control}", control=control)
        elif control in KEYS:
            (self._house_pad if place == HOUSE else self._stations[place]).key(control)
            self._heard = key_text(signal)

    def press(self, place: Place, control: str) -> bool:
        now_ns = self._services.clock.now_ns()
        twice = (place, control) == self._last_key[:2] and now_ns - self._last_key[2] <= TWICE_NS
        self._last_key = (place, "" if twice else control, now_ns)
        if control == BUZZ:
            self._stations[place].presses += 1
        if (place == HOUSE and control in LEAVING) or (control == "*" and twice):
            if self._page is None:
                return False
            self._page = None
        elif (place == HOUSE and control == "skip") or (control == "#" and twice):
            self._page = 0 if self._page is None else self._page + 1
            self._doctor.look()
        elif control in {"ok", SCALE_KEY}:
            self._play_scale()
        return True

    def leave(self) -> None:
        self._plans.drop()
        self._scale.drop()
        for station in self._stations:
            self._light(station.place, Lamp.OFF)

    # --- Buzzers and lamps ----------------------------------------------------------------------------------

    def _edge(self, station: Station, signal: Signal) -> None:
        was_held = station.held
        station.edge(signal)
        if station.held and not was_held:
            self._light(station.place, Lamp.ON)
            self._heard = station.newest()
            self._watch(station)
        self._plans.after(QUIET_NS, lambda: self._rest(station))

    def _look(self) -> None:
        """Find the buzzers that are down already, since they report no edge."""
        now_ns = self._services.clock.now_ns()
        for signal in (self._services.hardware or self._services.devices).flush(now_ns):
            if LEVEL in signal.flags and signal.pressed:
                self._edge(self._stations[signal.place], signal)

    def _rest(self, station: Station) -> None:
        was_held = station.held
        if not station.rest(self._services.clock.now_ns()):
            return
        if was_held and not station.held:
            self._light(station.place, Lamp.OFF)
        if station.held:
            self._heard = station.newest()
        self._tell()

    def _watch(self, station: Station) -> None:
        first = station.first

        def look() -> None:
            if station.held and station.first is first:
                station.stuck = True
                self._tell()

        self._plans.after(LONG_NS, look)

    def _light(self, place: Place, lamp: Lamp) -> None:
        self._services.devices.show(place, lamp)
        if self._services.hardware:
            self._services.hardware.show(place, lamp)

    def _troubles(self) -> dict[Place, Text]:
        if self._services.hardware:
            return self._services.hardware.troubles
        buzzers = self._services.devices.buzzers
        lost = {
            buzzer.place: msg("{who}: unplugged!", who=seat_name(buzzer.place))
            for buzzer in buzzers
            if not buzzer.plugged
        }
        return {HOUSE: self._why, **lost} if self._why else lost

    # --- Sound ----------------------------------------------------------------------------------------------

    def _play_scale(self) -> None:
        self._played = True
        self._scale.drop()
        for step, clip in enumerate(SCALE):
            self._scale.after(step * NOTE_NS, partial(self._services.player.play, clip))
        if self._services.settings.speaks:
            self._plans.after(len(SCALE) * NOTE_NS, self._speak)

    def _speak(self) -> None:
        settings = self._services.settings
        self._services.player.voice.say(settings.read(SPOKEN), settings.language)

    def _sound(self) -> tuple[Tried, Text]:
        options, trouble = self._services.settings.config.sound, self._services.player.trouble
        if options.mute or not options.volume:
            return Tried.ABSENT, msg("Sound is off: see the settings")
        if trouble:
            return Tried.WRONG, trouble
        if options.voice and self._services.player.voice.trouble:
            return Tried.WEAK, self._services.player.voice.trouble
        volume = msg("volume {n} of 10", n=options.volume)
        if not self._played:
            return Tried.WAITING, msg("ok or 5 plays a scale")
        if options.voice:
            return Tried.WORKS, msg("A scale was played, and a sentence said: {volume}", volume=volume)
        return Tried.WORKS, msg("A scale was played: {volume}", volume=volume)

    # --- Time -----------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        self._plans.after(SECOND, self._tick)
        self._tell()

    def _tell(self) -> None:
        if self._shown is not None and self._shown != self.screen():
            self.changed()

    def _stamps(self) -> tuple[Tried, Text]:
        hardware = self._services.hardware
        if hardware is None:
            return Tried.WORKS, msg("Virtual: presses are stamped by the window")
        from companion.devices.buzzers.choice import KINDS  # noqa: PLC0415  a virtual table needs no GPIO library
        from companion.devices.buzzers.watch import Buzzers  # noqa: PLC0415

        buzzers = hardware.of(Buzzers)
        if buzzers is None:
            return Tried.WORKS, msg("Presses are stamped by the pods")
        kind = KINDS[buzzers.source]
        ms = exactness(kind.uncertainty_ns)
        text = msg("{name}: stamped by {stamp}, ±{ms} ms", name=kind.name, stamp=kind.stamped_by, ms=ms)
        return (Tried.WEAK if hardware.notice else Tried.WORKS), text

    # --- Screens --------------------------------------------------------------------------------------------

    def _board(self) -> SelfTest:
        read = self._read
        sound, said = self._sound()
        exact, stamps = self._stamps()
        running_s = (self._services.clock.now_ns() - self._began_ns) // SECOND
        return SelfTest(
            read(self._heard),
            self._places(),
            tuple((control, self._control(control)) for control in HOUSE_CONTROLS),
            self._house_pad.told(read, trouble=False),
            self._sentences(),
            (sound, read(said)),
            read(msg("{time}, on for {s} s", time=time.strftime("%H:%M:%S"), s=running_s)),
            (exact, read(stamps)),
            read(msg("Is the edge complete, are all four corners yellow?")),
            (read(msg("menu or * twice: back")), read(msg("skip or # twice: the doctor"))),
        )

    def _findings(self, page: int) -> Findings:
        read, rows = self._read, self._doctor.found()
        return Findings(
            read(msg("The doctor's findings") if rows else msg("The doctor is checking …")),
            rows,
            page,
            self._places(),
            (read(msg("menu or * twice: back")), read(msg("skip or # twice: next page"))),
        )

    def _places(self) -> tuple[PlaceTest, ...]:
        troubles, readers = self._troubles(), self._services.settings.readers
        return tuple(
            station.told(readers.places[station.place], trouble=station.place in troubles)
            for station in self._stations
        )

    def _sentences(self) -> tuple[str, ...]:
        troubles = sorted(self._troubles().items(), key=lambda found: found[0])
        return tuple(dict.fromkeys(self._read(trouble) for _, trouble in troubles))

    def _control(self, control: str) -> Tried:
        if control in self._pressed:
            return Tried.WORKS
        return Tried.WAITING if control in self._wired else Tried.ABSENT


class _Doctor:
    """Runs the doctor in a separate thread, since parts of the machine may answer slowly."""

    def __init__(self, services: TableServices, why: Text | None) -> None:
        self._services = services
        self._why = why
        self._rows: tuple[Found, ...] = ()
        self._asked = False

    def look(self) -> None:
        if not self._asked:
            self._asked = True
            # A daemon, since a slow port must not delay the end of the program.
            threading.Thread(target=self._look, name="doctor", daemon=True).start()

    def found(self) -> tuple[Found, ...]:
        """Return the findings; () while it still looks."""
        return self._rows

    def _look(self) -> None:
        from companion.screens import doctor_at_table  # noqa: PLC0415  a virtual table needs no GPIO library

        services, read = self._services, self._services.settings.read
        try:
            found = doctor_at_table.look(services.settings.config, services.hardware, services.player, self._why)
            self._rows = doctor_at_table.told(found, read)
        except Exception as error:
            log.exception("the doctor")
            self._rows = (
                Found(Tried.WRONG, read(msg("The doctor: an internal error: {why}", why=described(error)))),
            )
