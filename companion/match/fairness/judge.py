"""The companion's code from the lines to verdict and lamp, with time measurement added."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Self

from companion.core.clock import MonotonicClock
from companion.core.console import Lamp
from companion.core.event import Event
from companion.core.inbox import Inbox
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.place import each_place
from companion.core.record import Entry
from companion.core.signal import Signal
from companion.devices.buzzers.choice import choose
from companion.devices.driver import Driver
from companion.devices.drivers import all_drivers
from companion.devices.hardware import Hardware
from companion.devices.lines import BuzzerWiring
from companion.devices.wiring import Wiring
from companion.match.fairness.pairs import MS, PairVerdict
from companion.match.fairness.race import GAME, TIE_MARGIN_MS
from companion.match.seat_devices import Seated
from companion.match.virtual_table import in_order
from companion.referee.arbiter import settle_ns
from companion.referee.events import Verdict
from companion.referee.journal import Journal
from companion.referee.loop import RefereeLoop
from companion.referee.referee import Referee
from companion.referee.serving import STOP, run_live
from companion.referee.step_result import StepResult

RECORD: Final = "race.record"

PLACES: Final = each_place(2)
"""The places of the two buzzers."""


def limit_ns(wiring: Wiring) -> int:
    """Return the largest distance at which two presses count as a tie. Raise DeviceError."""
    kind, _ = choose(wiring.of(BuzzerWiring).source)
    return max(2 * kind.uncertainty_ns, TIE_MARGIN_MS * MS)


class _TimedLamps:
    """Records when a verdict's first lamp was lit."""

    def __init__(self, hardware: Hardware) -> None:
        self._hardware = hardware
        self.lit_ns: int | None = None

    def show(self, seat: Seat, lamp: Lamp) -> None:
        self._hardware.show(PLACES[seat], lamp)
        if lamp == Lamp.ON and self.lit_ns is None:
            self.lit_ns = time.monotonic_ns()


class _TimedJournal:
    """Records how long the last entry took."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.took_ns = 0

    def append(self, entry: Entry) -> None:
        began_ns = time.monotonic_ns()
        self._journal.append(entry)
        self.took_ns = time.monotonic_ns() - began_ns


class _Presented(RefereeLoop):
    """The display flips at once."""

    def __init__(self, referee: Referee, lamps: _TimedLamps, tell: Callable[[int, Event], None]) -> None:
        super().__init__(referee)
        self._lamps, self._tell = lamps, tell

    def signal(self, signal: Signal) -> None:  # type: ignore[override]
        if signal.place in PLACES:
            super().signal(in_order(signal))

    def present(self, happened: StepResult) -> None:
        for seat, lamp in happened.lamps:
            self._lamps.show(seat, lamp)
        for told in happened.events:
            self._tell(happened.t_ns, told)
        if happened.shows:
            now_ns = time.monotonic_ns()
            self.visible(now_ns, now_ns)


class PairJudge:
    """The referee of an endless match in a thread, at the first two places of a table.

    `folder` receives the record.
    """

    def __init__(self, wiring: Wiring, folder: Path, drivers: Callable[[], Iterable[Driver]] = all_drivers) -> None:
        """Open the devices of `drivers`. Raise DeviceError."""
        clock = MonotonicClock()
        self._inbox = Inbox()
        self._decisions: list[PairVerdict] = []
        self.odd: list[str] = []
        with ExitStack() as opened:
            hardware = opened.enter_context(Hardware(wiring, self._inbox, clock, drivers))
            self._window_ns = settle_ns(hardware.settle_ns, limit_ns(wiring))
            self._lamps = _TimedLamps(hardware)
            match = Match(GAME, ("Anna", "Ben"))
            self._journal = _TimedJournal(opened.enter_context(Journal.create(folder / RECORD, match)))
            inputs = Seated(hardware, PLACES)
            referee = _Presented(Referee(match, self._journal, inputs=inputs), self._lamps, self._hear)  # type: ignore[arg-type]
            referee.do(referee.referee.start, clock.now_ns())
            thread = opened.enter_context(ThreadPoolExecutor(1, "referee"))
            self._running = thread.submit(run_live, referee, self._inbox, clock)
            opened.callback(self._inbox.put, STOP)
            self._opened = opened.pop_all()

    def reset(self) -> None:
        """Check that the referee is running; the next race opens by itself."""
        if self._running.done():
            self._running.result()
            raise RuntimeError("the referee has ended")
        self._lamps.lit_ns = None

    def decisions(self) -> list[PairVerdict]:
        return list(self._decisions)

    def _hear(self, t_ns: int, told: Event) -> None:
        if told.kind in {"late_report", "false_start", "paused", "refused"}:
            self.odd.append(f"{told.kind} {told.seat} {told.facts}")
        if not isinstance(told.data, Verdict):
            return
        now_ns, lit_ns = time.monotonic_ns(), self._lamps.lit_ns
        assert lit_ns is not None  # lamps are switched before events are reported
        spans_ns = {
            "lamp_at_ns": lit_ns,
            "commit_ns": self._journal.took_ns,
            "window_ns": self._window_ns,
            "verdict_to_lamp_ns": lit_ns - t_ns,
        }
        self._decisions.append(PairVerdict(told.data.seats, now_ns, spans_ns))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()
        self._running.result()
