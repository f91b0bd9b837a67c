"""Counts the functions and files on the path from a press to the frame that shows its effect.

Named functions of `companion/` count, except those in `companion/display/`. Each path is walked twice and the
second time counts, with warm caches.
"""

import inspect
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple, TypeVar

import companion
from companion.config.sections import JournalOptions, PaceOptions
from companion.config.table_file import TableConfig
from companion.core.clock import PlanningClock
from companion.core.console import BUZZ, Lamp
from companion.core.signal import DEBOUNCED, PC, Signal
from companion.core.units import MS
from companion.display.frame import Beat, Frame, Play
from companion.games import all_games, load
from companion.games.buntherum.rules import Phase
from companion.match.new_match import new_match
from companion.match.seating import Sitter, Wanted
from companion.table.host import Host

Report = Callable[..., None]
T = TypeVar("T")

PACKAGE: Final = Path(companion.__file__).parent
DRAWING: Final = PACKAGE / "display"
NAMES: Final = ("Anna", "Ben", "Cleo")
SETTLE_NS: Final = 30 * MS
READ_NS: Final = 500 * MS

MOST_NS: Final = 60_000 * MS

DRIVER: Final = "gpiod"
"""A real buzzer."""


class Trace(NamedTuple):
    """The called functions, with repetitions."""

    called: list[CodeType]

    @property
    def functions(self) -> int:
        return len({(code.co_filename, code.co_firstlineno) for code in self.called})

    @property
    def files(self) -> int:
        return len({code.co_filename for code in self.called})

    @property
    def rooms(self) -> dict[str, "Trace"]:
        found: dict[str, list[CodeType]] = {}
        for code in self.called:
            found.setdefault(Path(code.co_filename).relative_to(PACKAGE).parts[0], []).append(code)
        rooms = {room: Trace(called) for room, called in found.items()}
        return dict(sorted(rooms.items(), key=lambda room: -room[1].functions))

    @property
    def changes(self) -> int:
        """Calls into another file than the previous call."""
        return sum(a.co_filename != b.co_filename for a, b in pairwise(self.called))


@contextmanager
def traced(package: Path = PACKAGE, without: Path = DRAWING) -> Iterator[Trace]:
    trace = Trace([])
    within, outside = f"{package}/", f"{without}/"

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        named = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")
        path = code.co_filename
        if event == "call" and named and path.startswith(within) and not path.startswith(outside):
            trace.called.append(code)

    sys.setprofile(note)
    try:
        yield trace
    finally:
        sys.setprofile(None)


class FakeClock(PlanningClock):
    t_ns = 1_000 * MS

    def now_ns(self) -> int:
        return self.t_ns


class Table:
    """A table in virtual time with immediately visible frames."""

    def __init__(self, folder: Path, game: str) -> None:
        self.clock = FakeClock()
        self.frames: list[Frame] = []
        self._seen = 0
        self.host = Host(
            all_games(),
            TableConfig(journal=JournalOptions(str(folder)), pace=PaceOptions(next_card="auto")),
            self.clock,
            self.frames.append,
            Wanted([Sitter(name) for name in NAMES], match=new_match(load(game), NAMES, seed="paths")),
            settle_ns=SETTLE_NS,
        )
        self.host.start()

    def report(self, source: str, seat: int, control: str, *, pressed: bool = True) -> None:
        now_ns = self.clock.t_ns
        self.host.signal(Signal(source, seat, control, now_ns, 0, now_ns, pressed, (DEBOUNCED,)))

    def until(self, reached: Callable[[Any], bool]) -> Any:
        """Advance the time until a frame fits; return its view."""
        end_ns = self.clock.t_ns + MOST_NS
        while not (isinstance(screen := self.frames[-1].screen, Play) and reached(screen)):
            if self.see():
                continue
            due_ns = self.host.deadline_ns
            assert due_ns is not None, "nothing is due any more"
            assert due_ns <= end_ns, "it took too long"
            self.clock.t_ns = max(self.clock.t_ns, due_ns)
            self.host.tick(self.clock.t_ns)
        return screen.view

    def see(self) -> bool:
        """Report the newest frame as visible. Return False if it is not new."""
        new = self._seen < len(self.frames)
        self._seen = len(self.frames)
        told = self.host.frames.shown(self.frames[-1], self.clock.t_ns) if new else None
        if told:
            self.host.signal(told)
        return new


def call(folder: Path, followed: Callable[[], AbstractContextManager[T]]) -> T:
    """Press a buzzer in a race of Buntherum; trace until the caller is shown."""
    table = Table(folder, "buntherum")
    table.report(PC, 0, BUZZ)  # is the youngest
    table.clock.t_ns += READ_NS
    table.report(PC, 0, BUZZ, pressed=False)
    table.until(lambda screen: screen.view.phase == Phase.OPEN)
    while table.see():
        pass
    with followed() as trace:
        table.report(DRIVER, 0, BUZZ)
        table.until(lambda screen: screen.view.phase != Phase.OPEN)
    assert table.frames[-1].panels[0].lamp == Lamp.ON
    table.host.close()
    return trace


def reveal(folder: Path, followed: Callable[[], AbstractContextManager[T]]) -> T:
    """Lock the second bid of a duel of Büro Crazy; trace until both are shown."""
    table = Table(folder, "buro_crazy")
    one, other = table.until(lambda screen: bool(screen.view.duel)).duel
    table.clock.t_ns += READ_NS
    table.report(PC, one, "1")
    table.report(PC, one, "#")
    table.until(lambda screen: bool(screen.view.locked))
    table.clock.t_ns += READ_NS
    table.report(PC, other, "1")
    while table.see():
        pass
    with followed() as trace:
        table.report(PC, other, "#")
        table.until(lambda screen: screen.beat == Beat.REVEALED)
    table.host.close()
    return trace


def walked(path: Callable[[Path, Callable[[], AbstractContextManager[Trace]]], Trace]) -> Trace:
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            trace = path(Path(folder), traced)
    return trace


def run(report: Report) -> None:
    target = "aim: about 150 functions in 30 files, without the display"
    for what, path in (
        ("a call, from press to lamp and frame", call),
        ("last bid of a duel to its reveal", reveal),
    ):
        trace = walked(path)
        report(f"{what}: functions, files", f"{trace.functions}, {trace.files}", target)
        rooms = ", ".join(f"{room} {part.functions} in {part.files}" for room, part in trace.rooms.items())
        report("  changes of file from call to call; by room", f"{trace.changes}; {rooms}")
