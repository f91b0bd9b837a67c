"""Measures press to lamp while one device reports 10,000 times a second.

The table is the real program without its window; idle time is skipped.
"""

import os
import select
import statistics
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final

from companion.club.link import ClubLink
from companion.config.sections import JournalOptions, PaceOptions
from companion.config.table_file import TableConfig
from companion.core.clock import MonotonicClock, PlanningClock
from companion.core.console import BUZZ, Lamp
from companion.core.inbox import Inbox
from companion.core.signal import DEBOUNCED, Signal
from companion.core.units import MS
from companion.devices.driver import Deliver, Device, Driver
from companion.devices.hardware import Hardware
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods
from companion.devices.pods.sentences import Reader, sentence
from companion.devices.wiring import Wiring
from companion.display.frame import Frame, Play
from companion.games import all_games, load
from companion.games.buntherum.rules import Phase
from companion.match.new_match import new_match
from companion.match.seating import Sitter, Wanted
from companion.table.host import Host

PLACE: Final = 4
"""The bad device's place; nobody plays there."""

A_SECOND: Final = 10_000
EACH_S: Final = 0.001

IDENTITY: Final = "E66118604B3A00FF"

MATCHES: Final = 10
RACES: Final = 30
"""Races in each match."""

WAIT_S: Final = 60

Report = Callable[[int], None]

Open = Callable[[Deliver, Any], Iterator[Device]]

Opened = Iterator[tuple[Open, Report]]
"""The opener of the bad device, and its reporting function."""


class Flood:
    """Reports until `end`; `sent` counts the reports."""

    def __init__(self, report: Report) -> None:
        self.sent = 0
        self._report = report
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="flood", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        began = time.monotonic()
        while not self._ended.wait(EACH_S):
            due = round((time.monotonic() - began) * A_SECOND) - self.sent
            # A busy machine does not catch up all at once.
            self._report(min(due, A_SECOND // 10))
            self.sent += due


@contextmanager
def flooded(report: Report) -> Iterator[Flood]:
    flood = Flood(report)
    try:
        yield flood
    finally:
        flood.end()


class BadPod:
    """A pod behind a pseudo-terminal that floods with valid edges."""

    def __init__(self, identity: str = IDENTITY) -> None:
        self._identity = identity
        self._board, self._port = os.openpty()
        tty.setraw(self._port)
        os.set_blocking(self._board, False)
        self.path = os.ttyname(self._port)
        self._number = 0
        self._closed = os.eventfd(0)
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._answer, name="bad pod", daemon=True)
        self._thread.start()

    def report(self, count: int) -> None:
        with self._lock:
            first, self._number = self._number + 1, self._number + count
            t_us = time.monotonic_ns() // 1000
            edges = (sentence("BUZ", n, t_us, n % 2) for n in range(first, first + count))
            self._write(b"".join(edge.encode() for edge in edges))

    def close(self) -> None:
        os.eventfd_write(self._closed, 1)
        self._thread.join()
        for descriptor in (self._board, self._port, self._closed):
            os.close(descriptor)

    def _write(self, data: bytes) -> None:
        with suppress(BlockingIOError):  # nobody reads: the data is dropped, as by a board
            os.write(self._board, data)

    def _answer(self) -> None:
        reader = Reader()
        while True:
            ready, _, _ = select.select([self._board, self._closed], [], [])
            if self._closed in ready:
                return
            with suppress(BlockingIOError):
                for heard in reader.feed(os.read(self._board, 4096)):
                    with self._lock:
                        if heard.kind == "HEY":
                            told = sentence(
                                "HEL", 1, self._identity, "bad", "B", "1", self._number + 1, heard.fields[1]
                            )
                            self._write(told.encode())
                        elif heard.kind == "PNG":
                            t_us = time.monotonic_ns() // 1000
                            self._write(sentence("PON", heard.fields[0], t_us, self._number, 0, t_us).encode())


@contextmanager
def pod() -> Opened:
    bad = BadPod()

    def open_(deliver: Deliver, clock: Any) -> Iterator[Device]:
        seats = ("",) * PLACE + (IDENTITY,)
        # The pod's clock does not skip.
        yield Pods(PodWiring(seats=seats, ports=(bad.path,)), deliver, MonotonicClock(), find=tuple)

    yield open_, bad.report
    bad.close()


@contextmanager
def of_others(place: int = PLACE) -> Opened:
    """A driver that never stops reading."""
    delivers: list[Deliver] = []

    class Other(Device):
        source = "other"
        places: tuple[int, ...] = (place,)

    def open_(deliver: Deliver, clock: Any) -> Iterator[Device]:
        delivers.append(deliver)
        yield Other()

    def report(count: int) -> None:
        for number in range(count):
            now_ns = time.monotonic_ns()
            delivers[0](Signal("other", place, "buzz", now_ns, 0, now_ns, number % 2 == 0))

    yield open_, report


def driver(opens: Open, name: str) -> Driver:
    return Driver(name, {}, lambda _, deliver, clock: opens(deliver, clock))


# --- Press to lamp --------------------------------------------------------------------------------------------


class SkippingClock(PlanningClock):
    """The machine's clock plus the skipped time."""

    skipped_ns = 0

    def now_ns(self) -> int:
        return super().now_ns() + self.skipped_ns


class Hand(Device):
    """A good buzzer and its lamp."""

    source = "hand"
    places: tuple[int, ...] = (0,)
    settle_ns = 5 * MS
    deliver: Deliver

    def __init__(self, clock: PlanningClock) -> None:
        self.pressed = self.lit = 0.0
        self._clock = clock

    def open(self, deliver: Deliver, clock: Any) -> Iterator[Device]:
        self.deliver = deliver
        yield self

    def press(self) -> None:
        self.pressed = time.perf_counter()
        self._report(pressed=True)

    def let_go(self) -> None:
        self._report(pressed=False)

    def show(self, place: int, lamp: Lamp) -> None:
        if place == 0 and lamp is not Lamp.OFF and self.pressed and not self.lit:
            self.lit = time.perf_counter()

    def _report(self, *, pressed: bool) -> None:
        now_ns = self._clock.now_ns()
        flags = (DEBOUNCED,) if pressed else ()
        self.deliver(Signal(self.source, 0, BUZZ, now_ns, 0, now_ns, pressed, flags))


class Table:
    """A match of two, with a good device and what `opens` opens."""

    def __init__(self, folder: Path, opens: Open | None, seed: str, club: ClubLink | None = None) -> None:
        self.clock, self.inbox = SkippingClock(), Inbox()
        self.hand = Hand(self.clock)
        drivers = [driver(opens, "bad")] if opens else []
        self.hardware = Hardware(
            Wiring(), self.inbox, self.clock, lambda: (*drivers, driver(self.hand.open, "good"))
        )
        self.frames: list[Frame] = []
        names, game = ("Anna", "Ben"), load("buntherum")
        rulings = game.rulings(late_declare="skip")  # otherwise someone must announce the end of a row
        self.host = Host(
            all_games(),
            TableConfig(journal=JournalOptions(str(folder)), pace=PaceOptions(next_card="auto")),
            self.clock,
            self._show,
            Wanted([Sitter(name) for name in names], match=new_match(game, names, rulings=rulings, seed=seed)),
            settle_ns=0,
            hardware=self.hardware,
            club=club,
        )

    def races(self, count: int) -> Iterator[float]:
        """Press in each race; yield the seconds until the lamp is lit."""
        self.host.start()
        self.hand.press()  # is the youngest
        self.hand.let_go()
        self.hand.pressed = self.hand.lit = 0.0
        for _ in range(count):
            self._serve(self._is_open)
            pressing = threading.Timer(0.003, self.hand.press)
            pressing.start()
            self._serve(lambda: self.hand.lit > 0, skips=False)
            pressing.join()
            yield self.hand.lit - self.hand.pressed
            self.hand.pressed = self.hand.lit = 0.0
            self.hand.let_go()
            self._serve(lambda: not self._is_open())

    def until(self, reached: Callable[[], bool]) -> None:
        given_up = time.monotonic() + WAIT_S
        while not reached():
            assert time.monotonic() < given_up, "it took too long"
            time.sleep(EACH_S)

    def close(self) -> None:
        self.host.close()
        self.hardware.close()

    def _is_open(self) -> bool:
        screen = self.frames[-1].screen if self.frames else None
        is_open = isinstance(screen, Play) and screen.view.phase == Phase.OPEN
        return is_open and self.frames[-1].calls_open

    def _show(self, frame: Frame) -> None:
        self.frames.append(frame)
        if visible := self.host.frames.shown(frame, self.clock.now_ns()):
            self.inbox.put(visible)

    def _serve(self, reached: Callable[[], bool], *, skips: bool = True) -> None:
        """Run as `run_live` does, but skip idle time."""
        given_up = time.monotonic() + WAIT_S
        while not reached():
            assert time.monotonic() < given_up, "it took too long"
            due_ns = self.host.deadline_ns
            left_ns = MS if due_ns is None else max(0, due_ns - self.clock.now_ns())
            if skips and due_ns is not None:
                self.clock.skipped_ns += left_ns
                left_ns = 0
            try:
                signal = self.inbox.get(left_ns / 1e9)
            except TimeoutError:
                self.host.tick(self.clock.now_ns())
            else:
                assert signal
                self.host.signal(signal)


def spans(kind: Callable[[], AbstractContextManager[Any]] | None, seed: str) -> list[float]:
    """Return the seconds from press to lamp while a device floods; None for no such device."""
    with tempfile.TemporaryDirectory() as folder, kind() if kind else nullcontext((None, None)) as (opens, report):
        table = Table(Path(folder), opens, seed)
        table.until(lambda: not table.hardware.troubles)
        with flooded(report) if report else nullcontext():
            table.until(lambda: bool(table.hardware.troubles) == bool(report))
            found = list(table.races(RACES))
        table.close()
    return found


def run(report: Callable[..., None]) -> None:
    kinds = {"nothing else": None, "a pod that floods": pod, "a driver of others that floods": of_others}
    found: dict[str, list[float]] = {name: [] for name in kinds}
    for number in range(MATCHES):
        for name, kind in kinds.items():
            found[name] += spans(kind, f"flood {number}")
    p99 = {name: sorted(each)[int(len(each) * 0.99)] for name, each in found.items()}
    for name, each in found.items():
        figures = f"{statistics.median(each) * 1e3:.1f}, {p99[name] * 1e3:.1f} ms"
        report(f"press to lamp beside {name}: median, p99", figures)
        if kinds[name]:
            report("  ratio of the p99", f"{p99[name] / p99['nothing else']:.2f}", "target: below 2")
