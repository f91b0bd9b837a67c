"""The wall of a club, as a window, a web page or a picture."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from companion.club import ledger, topics
from companion.club.broker import Broker, connection
from companion.club.hall import KINDS, Hall
from companion.club.reported_results import TELLS_ALL_S
from companion.club.tournament import Tournament
from companion.config.sections import ClubOptions
from companion.config.table_file import TableConfig
from companion.core.clock import MonotonicClock
from companion.core.errors import CompanionError, OptionError
from companion.core.text import Render, _, language_of_system, msg, reader, reason
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones
from companion.display import screens
from companion.display.frame import Frame, Look, Wall
from companion.display.screen_drivers import has_desktop
from companion.display.window import Frames, Window
from companion.games import all_games
from companion.table.mirror import png

LOOK_S: Final = 0.2
"""Polling interval."""

FILE_S: Final = 2.0
PICTURE_PX: Final = (1920, 1080)
MOST_PER_S: Final = 5_000
HEARD: Final = 5_000
"""Maximum queued messages. More are dropped; each table's next one replaces them."""


def looks(ending: threading.Event) -> Iterator[int]:
    """Yield a count every LOOK_S until `ending` is set."""
    due_s = time.monotonic() + LOOK_S
    for number in count(1):
        if ending.wait(max(0.0, due_s - time.monotonic())):
            return
        yield number
        due_s = max(due_s + LOOK_S, time.monotonic())


class WallFeed:
    """Updates the wall from the broker and a tournament file."""

    def __init__(self, options: ClubOptions, title: str, file: Path | None, read: Render) -> None:
        """Raise DeviceError, RecordError or JournalError if something is missing or damaged."""
        self._topic, self._file = options.topic, file
        self._hall = Hall(all_games(), title, read)
        self._heard: queue.Queue[tuple[str, str, bytes]] = queue.Queue(HEARD)
        self._tournament: Tournament | None = ledger.read(file) if file else None
        self._changed_ns = file.stat().st_mtime_ns if file else 0
        self._looked_s = time.monotonic()
        self._read = read
        wanted = tuple(f"{options.topic}/+/{kind}" for kind in sorted(KINDS))
        self.broker = Broker(connection(options), wanted=wanted, hear=self._hear, most_per_s=MOST_PER_S)

    def _hear(self, topic: str, data: bytes) -> None:
        table, kind = topic.removeprefix(f"{self._topic}/").split("/", 1)
        try:
            self._heard.put_nowait((table, kind, data))
        except queue.Full:
            return

    def take_all(self) -> bool:
        taken = False
        now_ns = time.monotonic_ns()
        while not self._heard.empty():
            table, kind, data = self._heard.get()
            taken = True
            try:
                self._hall.take(table, kind, data, now_ns)
            except topics.NO_MESSAGE as error:
                topics.log_refused(f"{table}/{kind}", error)
        return taken

    def wall(self) -> Wall:
        self._look_at_file()
        wall = self._hall.wall(time.monotonic_ns(), self._tournament)
        trouble = self.broker.trouble
        return wall._replace(note=self._read(trouble)) if trouble else wall

    def _look_at_file(self) -> None:
        now_s = time.monotonic()
        if self._file is None or now_s - self._looked_s < FILE_S:
            return
        self._looked_s = now_s
        try:
            changed_ns = self._file.stat().st_mtime_ns
            if changed_ns != self._changed_ns:
                self._tournament, self._changed_ns = ledger.read(self._file), changed_ns
        except (OSError, CompanionError) as error:
            topics.log_refused(str(self._file), error)  # the last standings stay


def run(
    config: TableConfig,
    say: Callable[[str], None],
    *,
    tournament: Path | None = None,
    picture: Path | None = None,
    serve: bool = False,
) -> None:
    """Show the wall until its window is closed, or write one `picture`.

    Raise OptionError without a broker; DeviceError, RecordError, JournalError, DisplayError.
    """
    if not config.club.broker:
        raise OptionError(msg("[club]: broker is empty; enter the address of the club's broker in the table.toml"))
    read = reader(config.display.language)
    title = tournament.stem if tournament else read(msg("Tables of the club"))
    feed = WallFeed(config.club, title, tournament, read)
    look = config.display.look
    with ExitStack() as opened:
        if not picture:
            page = _page(opened, config) if serve else None
            for address in page.addresses if page else ():
                say(_("the wall: {address}").format(address=f"{address}table"))
            if page and not page.addresses:
                say(_("the wall has no page yet: this machine is not on a network"))
            show = _screen(opened, config, page, feed, look)
        feed.broker.start()
        opened.callback(feed.broker.stop)
        if picture:
            _write(feed, picture, look, say)
        else:
            show()


def _page(opened: ExitStack, config: TableConfig) -> Phones:
    """Open the wall's web page, where nobody can join."""
    options = config.wiring.of(PhoneOptions)
    asked = PhoneOptions(True, options.port, options.address, options.certificate, options.key)
    phones = Phones(asked, lambda _: None, MonotonicClock())
    phones.language = config.display.language or language_of_system()
    opened.callback(phones.close)
    phones.watch()
    return phones


def _screen(
    opened: ExitStack, config: TableConfig, page: Phones | None, feed: WallFeed, look: Look
) -> Callable[[], None]:
    """Return a loop for window and page, or only the page without a screen."""
    if page and not has_desktop():
        return partial(_serve, feed, page, look)
    window = Window(virtual=False, geometry=config.display.geometry)
    opened.callback(window.close)
    return partial(_show, window, feed, page, look)


def _show(window: Window, feed: WallFeed, page: Phones | None, look: Look) -> None:
    frames = Frames()
    ending = threading.Event()

    def follow() -> None:
        try:
            for serial in looks(ending):
                feed.take_all()
                frames.put(Frame(serial, feed.wall(), (), look=look))
        finally:
            frames.put(None)

    def watched(_now_ns: int) -> None:
        if page and page.wall.watched:
            page.wall.put(partial(png, *window.pixels()))

    with ThreadPoolExecutor(1, thread_name_prefix="wall") as threads:
        followed = threads.submit(follow)
        try:
            window.run(frames, lambda _: None, lambda *_: None, watched)
        finally:
            ending.set()
        followed.result()  # re-raises its error


def _serve(feed: WallFeed, page: Phones, look: Look) -> None:
    shown = None
    for serial in looks(threading.Event()):
        feed.take_all()
        wall = feed.wall()
        if wall != shown:
            shown = wall
            page.wall.put(partial(png, PICTURE_PX, screens.pixels(PICTURE_PX, Frame(serial, wall, (), look=look))))


def _write(feed: WallFeed, path: Path, look: Look, say: Callable[[str], None]) -> None:
    trouble = feed.broker.wait(TELLS_ALL_S, feed.take_all)
    if trouble:
        raise OptionError(msg("cannot use the broker: {why}", why=trouble))
    drawn = screens.pixels(PICTURE_PX, Frame(1, feed.wall(), (), look=look))
    try:
        path.write_bytes(png(PICTURE_PX, drawn))
    except OSError as error:
        raise OptionError(msg("{file}: {why}", file=path, why=reason(error))) from error
    say(_("{file} written").format(file=path))
