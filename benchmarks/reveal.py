"""Measures the time from locking the second bid of a duel to the flip of its frame."""

import os
import queue
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

from companion.config.sections import JournalOptions
from companion.config.table_file import TableConfig
from companion.core.clock import PlanningClock
from companion.core.inbox import Inbox
from companion.core.signal import PC, Signal
from companion.display.frame import Play, Screen
from companion.display.window import Frames, Window
from companion.games import all_games, load
from companion.games.buro_crazy.rules.components import Phase
from companion.match.new_match import new_match
from companion.match.seating import Sitter, Wanted
from companion.referee.serving import STOP, run_live
from companion.table.app import SETTLE_NS
from companion.table.host import Host

Report = Callable[..., None]

MATCHES: Final = 4
DUELS: Final = 12

WAIT_S: Final = 10
READ_S: Final = 0.5
DRUM_MS: Final = TableConfig().display.drum_ms
NAMES: Final = ("Anna", "Ben", "Cleo")


class Table:
    def __init__(self, folder: Path, window: Window, seed: str) -> None:
        self._frames = Frames()
        self._window = window
        self._inbox, self._clock = Inbox(), PlanningClock()
        self.host = Host(
            all_games(),
            TableConfig(journal=JournalOptions(str(folder))),
            self._clock,
            self._frames.put,
            Wanted([Sitter(name) for name in NAMES], match=new_match(load("buro_crazy"), NAMES, seed=seed)),
            settle_ns=SETTLE_NS,
        )

    @contextmanager
    def served(self) -> Iterator[None]:
        """Run the host in a thread and the window in this one."""
        self.host.start()
        thread = threading.Thread(target=partial(run_live, self.host, self._inbox, self._clock))
        thread.start()
        try:
            yield
        finally:
            self._inbox.put(STOP)
            thread.join()
            self.host.close()

    def press(self, seat: int, key: str) -> float:
        began, now_ns = time.perf_counter(), self._clock.now_ns()
        self._inbox.put(Signal(PC, seat, key, now_ns, 0, now_ns))
        return began

    def until(self, reached: Callable[[Play], bool]) -> tuple[Play, float, float]:
        """Flip frames until one fits; return its screen, and when it was handed over and flipped."""
        while True:
            screen, handed, flipped = self._flip(WAIT_S)
            if isinstance(screen, Play) and reached(screen):
                return screen, handed, flipped

    def read(self) -> None:
        """Flip frames until a question is read: keys do not count before that."""
        end = time.perf_counter() + READ_S
        while (left_s := end - time.perf_counter()) > 0:
            with suppress(queue.Empty):
                self._flip(left_s)

    def _flip(self, patience_s: float) -> tuple[Screen, float, float]:
        frame = self._frames.get(timeout=patience_s)
        handed = time.perf_counter()
        assert frame
        self._window.show(frame)
        flipped = time.perf_counter()
        answer = self.host.frames.shown(frame, self._clock.now_ns())
        if answer:
            self._inbox.put(answer)
        return frame.screen, handed, flipped


def run(report: Report) -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    window = Window(virtual=True)
    spans: list[tuple[float, float]] = []
    try:
        for number in range(MATCHES):
            with tempfile.TemporaryDirectory(dir=".") as folder:
                table = Table(Path(folder), window, f"reveal {number}")
                with table.served():
                    spans += _reveals(table)
    finally:
        window.close()
    flip = "target: p99 below 16.7 ms"
    for what, place, target in (("handed to the window", 0, ""), ("flipped", 1, flip)):
        found = sorted(span[place] * 1e3 - DRUM_MS for span in spans)
        figures = f"{statistics.median(found):.1f}, {found[int(len(found) * 0.99)]:.1f} ms"
        report(f"last lock to both bids {what}, beyond the drum: median, p99", figures, target)


def _reveals(table: Table) -> Iterator[tuple[float, float]]:
    """Bid a small card against nothing in each duel; yield the times until handing over and flip."""
    screen, _, _ = table.until(lambda screen: bool(screen.view.duel))
    for _ in range(DUELS):
        if screen.view.phase != Phase.BID:
            return
        one, other = screen.view.duel
        table.read()
        assert table.host.session
        hand = table.host.session.match.state.hands[one]
        table.press(one, str(next(place for place, cards in enumerate(hand, 1) if cards)))
        table.press(one, "#")
        table.until(lambda screen: bool(screen.view.locked))
        table.read()
        table.press(other, "#")  # bidding nothing must be confirmed
        table.read()
        before = _attempt(screen)
        began = table.press(other, "#")
        screen, handed, flipped = table.until(lambda screen, before=before: _attempt(screen) != before)  # type: ignore[misc]
        yield handed - began, flipped - began


def _attempt(screen: Play) -> tuple[int, int]:
    return screen.view.step, screen.view.attempt
