"""The safe mode: shows why the table did not start, and remedies.

It opens no devices, records or plug-ins. From table.toml it uses only display and language, if readable. A separate
process checks whether the cause is gone, then the table starts. If only the screen was missing, the table starts as
soon as it opens.
"""

import logging
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from companion.config.settings import Settings
from companion.config.table_file import TableConfig, read_table
from companion.core.clock import PlanningClock
from companion.core.errors import CompanionError, OptionError
from companion.core.files import state_folder
from companion.core.menu import Choice, Item, Pager
from companion.core.plugins import PLUGINS
from companion.core.signal import Signal
from companion.core.text import Render, Text, msg
from companion.devices.virtual import VirtualDevices
from companion.diagnostics import failures
from companion.diagnostics.service import POWER_OFF, START_AGAIN, Service, Watchdog
from companion.display.frame import Frame, Poster
from companion.display.geometry import ScreenGeometry
from companion.display.window import DisplayError, Frames, Window, find_screen
from companion.games import all_games
from companion.match.seating import PLACES
from companion.match.services import TableServices
from companion.screens.overlays import Card, MenuOverlay, Overlay, Overlays
from companion.screens.self_test import SelfTestBoard
from companion.table import start_check

TITLE: Final = msg("Safe mode")

LOOK_S: Final = 5.0
"""Interval of checks."""

CHECK_S: Final = 60.0
"""Timeout of a check."""

SCREEN_S: Final = 1.0
"""Interval of attempts to open a screen that is off."""

PATIENCE_NS: Final = 60_000_000_000
"""How long a cause that checks did not find stays on screen."""

log = logging.getLogger(__name__)


class Cause(NamedTuple):
    """Why the table did not start. `when` may be empty."""

    when: str
    why: Text


class SafeMode:
    """Screen and keys of the safe mode. `show` receives frames; None ends it.

    `causes` are the newest first. `self_test` makes the self-test for a cause. `starts_itself`: a check is running.
    """

    def __init__(
        self,
        show: Callable[[Frame | None], None],
        causes: Sequence[Cause],
        service: Service,
        self_test: Callable[[Text], Overlay],
        read: Render = str,
        *,
        starts_itself: bool = False,
    ) -> None:
        self._send = show
        self._causes = causes or (Cause("", msg("The cause is unknown")),)
        self._service = service
        self._self_test = self_test
        self._read = read
        self._starts_itself = starts_itself
        self._page = 0
        self._serial = 0
        self._overlays = Overlays(self._refresh, self._refresh)

    def start(self) -> None:
        self._overlays.lay(MenuOverlay(self._menu, self._read), Card(self._cause))

    def lacks(self, why: str) -> None:
        """Show a new cause."""
        if why == self._read(self._causes[0].why):
            return
        self._causes = [Cause("", msg("{failure}", failure=why)), *self._causes]
        self._page = 0
        self._refresh()

    def press(self, signal: Signal) -> None:
        if self._overlays.top:
            self._overlays.top.hear(signal)
            if signal.pressed:
                self._overlays.press(signal.place, signal.control)

    def _menu(self) -> Choice:
        older = Pager(len(self._causes), self._page + 1).round.page
        count = msg("{n} of {last}", n=older + 1, last=len(self._causes))
        items = [
            Item(msg("The cause"), partial(self._show_cause, older), "wrench", count),
            Item(
                msg("Self-test"),
                self._test,
                "stethoscope",
                msg("Checks this machine and says what to fix"),
            ),
        ]
        if self._service.is_there:
            again = partial(self._ask, START_AGAIN, msg("The table restarts"))
            off = partial(self._ask, POWER_OFF, msg("The table is switching off"))
            items = [
                Item(msg("Start the table"), again, "arrow", msg("With all devices, as when it is switched on")),
                *items,
                Item(msg("Switch off"), off, "door"),
            ]
        else:
            items.append(Item(msg("End"), self._end, "door"))
        return Choice(TITLE, tuple(items), back=partial(self._show_cause, self._page))

    def _ask(self, request: str, said: Text) -> None:
        """Send a request to the service and show the answer."""
        try:
            self._service.ask(request)
        except CompanionError as error:
            said = error.text
        poster = Poster(self._read(TITLE), (self._read(said),), trouble=True, pictures=("wrench",))
        self._overlays.ask(Card(lambda: poster))

    def start_table(self) -> None:
        """Let the service start the table, or end without one."""
        if not self._service.is_there:
            self._end()
            return
        try:
            self._service.ask(START_AGAIN)
        except CompanionError as error:
            log.warning("%s", error)

    def _end(self) -> None:
        self._overlays.clear()
        self._send(None)

    def _test(self) -> None:
        self._overlays.ask(self._self_test(self._causes[0].why))

    def _show_cause(self, page: int) -> None:
        self._page = page
        self._overlays.ask(Card(self._cause))

    def _cause(self) -> Poster:
        when, why = self._causes[self._page]
        hint = self._read(
            msg("Touch the screen or press a key. The table starts by itself when this is fixed")
            if self._starts_itself
            else msg("Touch the screen or press a key. Or fix it, then unplug the table and plug it in again")
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
        self._send(Frame(self._serial, self._overlays.top.screen(), sides, house=""))  # PC digits work the menus


class StartChecks:
    """Checks repeatedly, in a thread, whether the table can start."""

    def __init__(self, check: Callable[[], str | None], is_seen: bool) -> None:
        """`check` returns the cause, or "". `is_seen`: a check can find the first cause."""
        self._check, self._is_seen = check, is_seen
        self._found: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._ending = threading.Event()
        self._began_ns: int | None = None
        threading.Thread(target=self._run, name="start checks", daemon=True).start()

    def look(self, now_ns: int, mode: SafeMode) -> bool:
        """Report new results to the safe mode. Return True if the table should start.

        A cause that no check found stays for PATIENCE_NS, to be read. Called in the window's thread.
        """
        self._began_ns = self._began_ns or now_ns
        while not self._ending.is_set() and not self._found.empty():
            why = self._found.get()
            if why:
                self._is_seen = True
                mode.lacks(why)
            elif self._is_seen or now_ns - self._began_ns >= PATIENCE_NS:
                self._ending.set()
                return True
        return False

    def close(self) -> None:
        self._ending.set()

    def _run(self) -> None:
        while not self._ending.is_set():
            found = self._check()
            if found is not None:
                self._found.put(found)
            self._ending.wait(LOOK_S)


def check_start(table: Path | None, *, virtual: bool) -> str | None:
    """Return why the table cannot start, "" if it can, or None if unknown."""
    kind = "virtual" if virtual else "real"
    command = [sys.executable, "-m", start_check.__name__, str(table or ""), kind]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=CHECK_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode == start_check.MISSING:
        return done.stdout.strip()
    return None if done.returncode else ""


def run(table: Path | None, *, virtual: bool) -> bool:
    """Show the safe mode. Return True if this process should start the table. Raise DisplayError."""
    PLUGINS.wanted = False
    service, frames, clock = Service(), Frames(), PlanningClock()
    config, wrong = _config(table)
    kind, watchdog = _kind_of_cause(), Watchdog(service, lambda: ())
    _wait_for_screen(service, watchdog, virtual=virtual)
    if kind == DisplayError.__name__ and not wrong:
        if service.is_there:
            service.ask(START_AGAIN)
        return not service.is_there
    devices = VirtualDevices(PLACES, clock, _ignore, 0)
    settings = Settings(config, devices.sound)

    services = TableServices(all_games(), settings, clock, devices, None, devices.sound)

    show, causes, self_test = frames.put, [*wrong, *_causes()], partial(SelfTestBoard, services)
    window = Window(virtual=virtual, geometry=ScreenGeometry() if virtual else config.display.geometry)
    mode = SafeMode(show, causes, service, self_test, settings.read, starts_itself=kind is not None)
    checks = None
    if kind is not None:
        # Reading the file was checked here already.
        checks = StartChecks(partial(check_start, table, virtual=virtual), bool(wrong))
    starts = False

    def shown(frame: Frame, t_ns: int) -> None:
        service.ready()

    def alive(now_ns: int) -> None:
        nonlocal starts
        clock.act_due()
        watchdog.look(now_ns)
        if checks and checks.look(now_ns, mode):
            starts = True
            mode.start_table()

    mode.start()
    try:
        window.run(frames, mode.press, shown, alive)
    finally:
        if checks:
            checks.close()
        service.stopping()
        window.close()
    return starts and not service.is_there


def _wait_for_screen(service: Service, watchdog: Watchdog, *, virtual: bool) -> None:
    """Wait for a screen. Without a service manager, raise DisplayError instead."""
    try:
        find_screen(virtual=virtual)
    except DisplayError as error:
        if not service.is_there:
            raise
        log.warning("%s", error)
    else:
        return
    service.ready()  # otherwise the wait would end with the unit's start timeout
    while True:
        time.sleep(SCREEN_S)
        watchdog.look(time.monotonic_ns())
        with suppress(DisplayError):
            find_screen(virtual=virtual)
            return


def _kind_of_cause() -> str | None:
    """Return the kind of a recent error that may go away by itself, or None."""
    folder = state_folder()
    kept = failures.last(folder)
    if not kept or failures.ended_by(os.environ) or not failures.is_recent(folder):
        return None
    return None if kept[-1].kind == failures.UNFORESEEN else kept[-1].kind


def _ignore(signal: Signal) -> None:
    """Ignore the virtual devices."""


def _config(table: Path | None) -> tuple[TableConfig, list[Cause]]:
    try:
        return read_table(table, all_games()), []
    except OptionError as error:
        return TableConfig(), [Cause("", error.text)]
    except Exception as error:  # noqa: BLE001  here of all places no table.toml may stop it
        log.warning("%s: %s", table, type(error).__name__)
        return TableConfig(), [Cause("", msg("{path}: {why}", path=table, why=type(error).__name__))]


def _causes() -> list[Cause]:
    ended = failures.ended_by(os.environ)
    last = reversed(failures.last(state_folder()))
    kept = [Cause(each.when, msg("{failure}", failure=each.text)) for each in last]
    return [Cause("", ended), *kept] if ended else kept
