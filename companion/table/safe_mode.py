"""The safe mode: no device and no match; the screen says why the table did not start, and what can be done.

It needs a screen, and a keyboard or a finger on the glass. Of table.toml it takes only how the display hangs and
what it speaks, and not even that if the file cannot be read.
"""

import os
import queue
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from companion.config.settings import Settings
from companion.config.table_file import TableConfig, read_config, state_folder
from companion.core.clock import PlanningClock
from companion.core.errors import CompanionError, OptionError
from companion.core.menu import Choice, Item
from companion.core.signal import Signal
from companion.core.text import Render, Text, msg
from companion.devices.virtual import VirtualDevices
from companion.display.frame import Frame, Poster
from companion.display.geometry import Glass
from companion.display.window import Window
from companion.games import all_games
from companion.health import failures
from companion.health.service import POWER_OFF, START_AGAIN, Service, Watchdog
from companion.match.seating import PLACES
from companion.match.services import Premises
from companion.table.menus import SELF_TEST
from companion.table.overlays import Asking, Card, Cover, Visiting, any_press
from companion.visits.self_test import open_self_test
from companion.visits.visit import Visit

TITLE: Final = msg("Safe mode")


class Cause(NamedTuple):
    """Why the table did not start, and when that was, empty if nobody knows."""

    when: str
    why: Text


class SafeMode:
    """What the safe mode shows, and what its keys do; `show` takes the frames, None ends it.

    `causes` are what went wrong, the newest first. `self_test` begins one, with why the table did not start and
    with what it calls when it has something new to show.
    """

    def __init__(
        self,
        show: Callable[[Frame | None], None],
        causes: Sequence[Cause],
        service: Service,
        self_test: Callable[[Text, Callable[[], None]], Visit],
        read: Render = str,
    ) -> None:
        self._send = show
        self._causes = causes or (Cause("", msg("Nobody knows why")),)
        self._service = service
        self._self_test = self_test
        self._read = read
        self._page = 0
        self._serial = 0
        self._cover: Cover = Card(self._cause, any_press(self._open))

    def start(self) -> None:
        """Show what went wrong last."""
        self._refresh()

    def press(self, signal: Signal) -> None:
        """Take a key, a click or a touch."""
        cover = self._cover
        cover.hear(signal)
        if signal.pressed:
            cover.press(signal.seat, signal.control)

    def _open(self) -> None:
        """Ask what to do; there is nothing to go back to."""
        self._lay(Asking(self._menu(), self._take, lambda: None, self._refresh, self._read))

    def _take(self, item: Item) -> None:
        try:
            self._do(item)
        except CompanionError as error:
            self._say(error.text)

    def _do(self, item: Item) -> None:
        """Do what a line of the menu says. Raise ServiceError if nobody does it."""
        if item.act == "again":
            self._service.ask(START_AGAIN)
            self._say(msg("The table starts again"))
        elif item.act == "off":
            self._service.ask(POWER_OFF)
            self._say(msg("The table switches itself off"))
        elif item.act == "end":
            self._send(None)
        elif item.act == SELF_TEST:
            self._lay(Visiting(self._self_test(self._causes[0].why, self._refresh), self._refresh, self._open))
        else:
            self._page = item.value
            self._lay(Card(self._cause, any_press(self._open)))

    def _menu(self) -> Choice:
        older = (self._page + 1) % len(self._causes)
        count = msg("{n} of {last}", n=older + 1, last=len(self._causes))
        items = [
            Item(msg("What went wrong"), "cause", older, count),
            Item(msg("Self-test"), SELF_TEST, None, msg("What this machine has and lacks, and the remedies")),
        ]
        if self._service.is_there:
            again = Item(msg("Start the table"), "again", None, msg("With all devices, as when it is switched on"))
            items = [again, *items, Item(msg("Switch off"), "off")]
        else:
            items.append(Item(msg("End"), "end"))
        return Choice(TITLE, tuple(items))

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

    def _say(self, text: Text) -> None:
        poster = Poster(self._read(TITLE), (self._read(text),), trouble=True, pictures=("wrench",))
        self._lay(Card(lambda: poster, any_press(self._open)))

    def _lay(self, cover: Cover) -> None:
        """Show something instead of what is shown."""
        self._cover.leave()
        self._cover = cover
        self._refresh()

    def _refresh(self) -> None:
        self._serial += 1
        sides = self._cover.sides() or ()
        self._send(Frame(self._serial, self._cover.screen(), sides, house=""))  # the digits are the house's


def run(table: Path | None, *, virtual: bool) -> None:
    """Show the safe mode until it is left. Raise DisplayError where there is no screen."""
    service, frames, clock = Service(), queue.SimpleQueue[Frame | None](), PlanningClock()
    config, wrong = _config(table)
    devices = VirtualDevices(PLACES, clock, _ignore, 0)
    settings = Settings(config, devices.sound)

    def self_test(why: Text, changed: Callable[[], None]) -> Visit:
        premises = Premises(all_games(), settings, clock, devices, None, devices.sound, changed)
        return open_self_test(premises, why)

    mode = SafeMode(frames.put, [*wrong, *_causes()], service, self_test, settings.read)
    window = Window(virtual=virtual, glass=Glass() if virtual else config.display.glass)
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


def _causes() -> list[Cause]:
    """Return what is known of why the table did not start, the newest first."""
    ended = failures.ended_by(os.environ)
    kept = [Cause(when, msg("{failure}", failure=text)) for when, text in reversed(failures.last(state_folder()))]
    return [Cause("", ended), *kept] if ended else kept
