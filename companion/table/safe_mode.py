"""The safe mode: no device and no match; the screen says why the table did not start, and what can be done.

It needs a screen, and a keyboard or a finger on the glass. Of table.toml it takes only how the display hangs and
what it speaks, and not even that if the file cannot be read. It reads no record and loads nothing of others.
"""

import logging
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from companion.config.settings import Settings
from companion.config.table_file import TableConfig, read_config
from companion.core.clock import PlanningClock
from companion.core.errors import CompanionError, OptionError
from companion.core.files import state_folder
from companion.core.menu import Choice, Item, Pager
from companion.core.plugins import PLUGINS
from companion.core.signal import Signal
from companion.core.text import Render, Text, msg
from companion.devices.virtual import VirtualDevices
from companion.display.frame import Frame, Poster
from companion.display.geometry import ScreenGeometry
from companion.display.window import Frames, Window
from companion.games import all_games
from companion.health import failures
from companion.health.service import POWER_OFF, START_AGAIN, Service, Watchdog
from companion.match.seating import PLACES
from companion.match.services import TableServices
from companion.visits.overlays import Card, MenuOverlay, Overlay, Overlays
from companion.visits.self_test import SelfTestBoard

TITLE: Final = msg("Safe mode")

log = logging.getLogger(__name__)


class Cause(NamedTuple):
    """Why the table did not start, and when that was, empty if nobody knows."""

    when: str
    why: Text


class SafeMode:
    """What the safe mode shows, and what its keys do; `show` takes the frames, None ends it.

    `causes` are what went wrong, the newest first. `self_test` makes one, with why the table did not start.
    """

    def __init__(
        self,
        show: Callable[[Frame | None], None],
        causes: Sequence[Cause],
        service: Service,
        self_test: Callable[[Text], Overlay],
        read: Render = str,
    ) -> None:
        self._send = show
        self._causes = causes or (Cause("", msg("Nobody knows why")),)
        self._service = service
        self._self_test = self_test
        self._read = read
        self._page = 0
        self._serial = 0
        self._overlays = Overlays(self._refresh, self._refresh)

    def start(self) -> None:
        """Show what went wrong last, over the menu of what can be done."""
        self._overlays.lay(MenuOverlay(self._menu, self._read), Card(self._cause))

    def press(self, signal: Signal) -> None:
        """Handle a key, a click or a touch."""
        if self._overlays.top:
            self._overlays.top.hear(signal)
            if signal.pressed:
                self._overlays.press(signal.place, signal.control)

    def _menu(self) -> Choice:
        """Return what can be done; going back leads to what went wrong."""
        older = Pager(len(self._causes), self._page + 1).round.page
        count = msg("{n} of {last}", n=older + 1, last=len(self._causes))
        items = [
            Item(msg("What went wrong"), partial(self._show_cause, older), "wrench", count),
            Item(
                msg("Self-test"),
                self._test,
                "stethoscope",
                msg("What this machine has and lacks, and the remedies"),
            ),
        ]
        if self._service.is_there:
            again = partial(self._ask, START_AGAIN, msg("The table starts again"))
            off = partial(self._ask, POWER_OFF, msg("The table switches itself off"))
            items = [
                Item(msg("Start the table"), again, "arrow", msg("With all devices, as when it is switched on")),
                *items,
                Item(msg("Switch off"), off, "door"),
            ]
        else:
            items.append(Item(msg("End"), self._end, "door"))
        return Choice(TITLE, tuple(items), back=partial(self._show_cause, self._page))

    def _ask(self, request: str, said: Text) -> None:
        """Ask the service for something, and say so, or why nobody does it."""
        try:
            self._service.ask(request)
        except CompanionError as error:
            said = error.text
        poster = Poster(self._read(TITLE), (self._read(said),), trouble=True, pictures=("wrench",))
        self._overlays.ask(Card(lambda: poster))

    def _end(self) -> None:
        self._overlays.clear()
        self._send(None)

    def _test(self) -> None:
        self._overlays.ask(self._self_test(self._causes[0].why))

    def _show_cause(self, page: int) -> None:
        self._page = page
        self._overlays.ask(Card(self._cause))

    def _cause(self) -> Poster:
        """Return the screen with one of the causes."""
        when, why = self._causes[self._page]
        hint = self._read(
            msg("Touch the screen or press a key. Or mend it, then pull the plug and put it in again")
        )
        if when:
            hint = f"{when}. {hint}"
        title = self._read(msg("The table did not start"))
        text = self._read(why)
        return Poster(title, (text[:1].upper() + text[1:],), hint, trouble=True, pictures=("wrench",))

    def _refresh(self) -> None:
        assert self._overlays.top
        self._serial += 1
        sides = self._overlays.sides() or ()
        self._send(Frame(self._serial, self._overlays.top.screen(), sides, house=""))  # the digits are the house's


def run(table: Path | None, *, virtual: bool) -> None:
    """Show the safe mode until it is left. Raise DisplayError where there is no screen."""
    PLUGINS.wanted = False
    service, frames, clock = Service(), Frames(), PlanningClock()
    config, wrong = _config(table)
    devices = VirtualDevices(PLACES, clock, _ignore, 0)
    settings = Settings(config, devices.sound)

    services = TableServices(all_games(), settings, clock, devices, None, devices.sound)

    mode = SafeMode(frames.put, [*wrong, *_causes()], service, partial(SelfTestBoard, services), settings.read)
    window = Window(virtual=virtual, geometry=ScreenGeometry() if virtual else config.display.geometry)
    watchdog = Watchdog(service, lambda: ())

    def shown(frame: Frame, t_ns: int) -> None:
        service.ready()

    def alive(now_ns: int) -> None:
        clock.act_due()
        watchdog.look(now_ns)

    mode.start()
    try:
        window.run(frames, mode.press, shown, alive)
    finally:
        service.stopping()
        window.close()


def _ignore(signal: Signal) -> None:
    """Hear no virtual device: there are none, and nothing works them."""


def _config(table: Path | None) -> tuple[TableConfig, list[Cause]]:
    """Return the table's configuration, or the defaults and what is wrong with it."""
    try:
        return (read_config(table, all_games()) if table else TableConfig()), []
    except OptionError as error:
        return TableConfig(), [Cause("", error.text)]
    except Exception as error:  # noqa: BLE001  here of all places no table.toml may stop it
        log.warning("%s: %s", table, type(error).__name__)
        return TableConfig(), [Cause("", msg("{path}: {why}", path=table, why=type(error).__name__))]


def _causes() -> list[Cause]:
    """Return what is known of why the table did not start, the newest first."""
    ended = failures.ended_by(os.environ)
    kept = [Cause(when, msg("{failure}", failure=text)) for when, text in reversed(failures.last(state_folder()))]
    return [Cause("", ended), *kept] if ended else kept
