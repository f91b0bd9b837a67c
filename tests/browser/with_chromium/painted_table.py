"""A table without a window, whose painter draws the pictures of real phones."""

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.config.sections import DisplayOptions, JournalOptions, Seats
from companion.config.table_file import TableConfig
from companion.core.match import Match
from companion.core.place import Place, each_place
from companion.devices.hardware import Hardware
from companion.devices.phones import driver as phones
from companion.devices.wiring import Wiring
from companion.display.frame import Frame
from companion.games import all_games
from companion.match.seating import Sitter, Wanted
from companion.table.host import Host
from companion.table.painter import Painter
from tests.browser.with_chromium.page import HERE
from tests.live_host import LiveHost
from tests.phone_sim import wait_for

LOOK_S = 0.02


class Drawer:
    """Runs a painter in a thread, as a window does."""

    def __init__(self, hardware: Hardware) -> None:
        self.painter = Painter(hardware)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._draw, name="drawer")
        self._thread.start()

    def close(self) -> None:
        self._ending.set()
        self._thread.join()
        self.painter.close()

    def _draw(self) -> None:
        while not self._ending.wait(LOOK_S):
            self.painter.look(time.monotonic_ns())


class PaintedTable(LiveHost):
    """A table whose phones join with `invite`; `play` then continues a match."""

    def __init__(self, folder: Path, languages: Sequence[str] = (), **display: object) -> None:
        super().__init__()
        self.frames: list[Frame] = []
        self.config = TableConfig(
            journal=JournalOptions(str(folder)),
            display=DisplayOptions(drum_ms=0, **display),
            seats=Seats(languages=tuple(languages)),
        )
        self.hardware = Hardware(Wiring(HERE), self.inbox, self.clock, lambda: (phones.DRIVER,))
        self._drawer = Drawer(self.hardware)
        self._plays = False

    def invite(self, count: int) -> list[str]:
        return [code.address for code in self.phones.invite(each_place(count)).values()]

    @property
    def phones(self) -> phones.Phones:
        found = self.hardware.of(phones.Phones)
        assert found
        return found

    def play(self, match: Match) -> None:
        """Start the match with the joined phones; robots take the other places."""
        joined = self.hardware.places
        sitters = [Sitter(name, "" if Place(n) in joined else "easy") for n, name in enumerate(match.names)]
        wanted = Wanted(sitters, match=match)
        self.host = Host(
            all_games(),
            self.config,
            self.clock,
            self._show,
            wanted,
            settle_ns=0,
            hardware=self.hardware,
            paint=self._drawer.painter.put,
        )
        self.start_host()
        self._plays = True
        wait_for(lambda: self.frames, "the match is shown")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._plays:
            self.stop_host(20)
        self._drawer.close()
        self.hardware.close()
