"""During a flood by one device (H1) races are judged, memory is bounded and SIGTERM is heard."""

import os
import select
import signal
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.floods import IDENTITY, PLACE, BadPod, Open, driver, flooded
from companion.config.sections import JournalOptions, PaceOptions
from companion.config.table_file import TableConfig
from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ
from companion.core.limits import EDGES_A_SECOND, SIGNALS_WAITING
from companion.core.signal import DEBOUNCED, Signal
from companion.devices.driver import Deliver, Device
from companion.devices.hardware import Hardware
from companion.devices.pods import port as port_module
from companion.devices.pods.port import PodPort
from companion.devices.pods.sentences import sentence
from companion.devices.wiring import Wiring
from companion.display.frame import Frame, Play
from companion.games import all_games, load
from companion.games.buntherum.rules import Phase
from companion.match.new_match import new_match
from companion.match.seating import Sitter, Wanted
from companion.table.host import Host
from tests.attacks.flooders import KINDS
from tests.live_host import LiveHost
from tests.running import COMMAND, environment

WAIT_S = 60

FLOOD_S = 30

GROWTH_BYTES = 16_000_000
"""The allowed growth of memory; each race lengthens the match a little."""

MS = 1_000_000
NAMES = ("Anna", "Ben")

pytestmark = pytest.mark.usefixtures("sooner")


class Hands(Device):
    """Working buzzers and keypads of the players."""

    source = "hands"
    places: tuple[int, ...] = (0, 1)
    settle_ns = 5 * MS
    deliver: Deliver

    def open(self, deliver: Deliver, clock: Any) -> Iterator[Device]:
        self.deliver = deliver
        yield self

    def report(self, place: int, control: str, t_ns: int, *, pressed: bool = True) -> None:
        flags = (DEBOUNCED,) if pressed else ()
        self.deliver(Signal(self.source, place, control, t_ns, 0, time.monotonic_ns(), pressed, flags))


class Table(LiveHost):
    """A live host with two players, a third flooding device, and a window that flips at once."""

    def __init__(self, folder: Path, open_: Open, hands: tuple[int, ...]) -> None:
        super().__init__()
        self.hands = Hands()
        self.hands.places = hands
        drivers = (driver(open_, "bad"), driver(self.hands.open, "good"))
        self.hardware = Hardware(Wiring(), self.inbox, self.clock, lambda: drivers)
        self.frames: deque[Frame] = deque(maxlen=2)
        self.most = 0
        game = load("buntherum")
        match = new_match(game, NAMES, rulings=game.rulings(late_declare="skip"), seed="flood")
        self.host = Host(
            all_games(),
            TableConfig(journal=JournalOptions(str(folder)), pace=PaceOptions(next_card="auto", next_s=1)),
            self.clock,
            self._show,
            Wanted([Sitter(name) for name in NAMES], match=match),
            settle_ns=0,
            hardware=self.hardware,
        )
        self.start_host()

    def close(self) -> float:
        began = time.monotonic()
        self.stop_host(WAIT_S)
        took = time.monotonic() - began
        self.hardware.close()
        return took

    def until(self, reached: Callable[[], Any], what: str) -> None:
        given_up = time.monotonic() + WAIT_S
        while not reached():
            self.most = max(self.most, len(self.inbox.waiting()))
            assert time.monotonic() < given_up, f"{what}; the frame is {[*self.frames][-1:]!r:.300}"
            time.sleep(0.001)

    @property
    def trouble(self) -> str:
        return str(self.hardware.troubles.get(PLACE, ""))

    @property
    def phase(self) -> Phase | None:
        screen = self.frames[-1].screen if self.frames else None
        return screen.view.phase if isinstance(screen, Play) else None

    def race(self, winner: int) -> int:
        """Press `winner` 3 ms before the other, reported second; return the caller's seat."""
        self.until(lambda: self.phase is not None, "a match")
        if self.phase == Phase.SETUP:
            self.hands.report(1, BUZZ, time.monotonic_ns())  # claims to be the youngest
            self.until(lambda: self.phase != Phase.SETUP, "the starters")
            self.hands.report(1, BUZZ, time.monotonic_ns(), pressed=False)
        self.until(lambda: self.phase == Phase.OPEN and self.frames[-1].calls_open, "an open call")
        time.sleep(0.02)  # a hand is not faster
        now_ns = time.monotonic_ns()
        self.hands.report(1 - winner, BUZZ, now_ns)
        self.hands.report(winner, BUZZ, now_ns - 3 * MS)
        self.until(lambda: self.phase != Phase.OPEN, "a verdict")
        for place in (0, 1):
            self.hands.report(place, BUZZ, time.monotonic_ns(), pressed=False)
        assert self.host.session
        [*_, called] = [move for move in self.host.session.match.moves if move.verb == "call"]
        return int(called.args[0])


@contextmanager
def table_at(folder: Path, open_: Open, hands: tuple[int, ...] = (0, 1)) -> Iterator[Table]:
    table = Table(folder, open_, hands)
    try:
        yield table
    finally:
        took = table.close()
    assert took < 1


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_races_are_judged_during_a_flood(tmp_path: Path, kind: str, soak_count) -> None:
    until_s = time.monotonic() + (FLOOD_S if soak_count(100) == 100 else 0)
    with KINDS[kind]() as (open_, report), table_at(tmp_path, open_) as table:
        table.until(lambda: not table.hardware.troubles, "all devices answer")
        with flooded(report):
            table.until(lambda: words_of(kind) in table.trouble, "the bad device is named")
            before_bytes = resident_bytes()
            winner, races = 0, 0
            while races == 0 or time.monotonic() < until_s:
                winner = 1 - winner
                assert table.race(winner) == winner
                races += 1
            assert words_of(kind) in table.trouble
            assert resident_bytes() - before_bytes < GROWTH_BYTES
        assert table.most <= EDGES_A_SECOND + SIGNALS_WAITING // 10
        table.until(lambda: not table.trouble, "it is back by itself")


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def words_of(kind: str) -> str:
    return "seat 5 chatters" if kind == "lines" else "sends too many presses"


def test_match_pauses_for_a_flooding_buzzer_and_resumes(tmp_path: Path) -> None:
    with KINDS["of others"](0) as (open_, report), table_at(tmp_path, open_, hands=(1,)) as table:
        assert table.race(1) == 1
        with flooded(report):
            table.until(lambda: table.host.session and table.host.session.referee.pauses, "the match waits")
            assert "sends too many presses" in str(table.hardware.troubles[0])
        table.until(lambda: not table.host.session.referee.pauses, "the match goes on")
        assert table.race(1) == 1


def test_flooded_port_yields_after_a_dozen_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    board, line = socket.socketpair()
    edge = sentence("BUZ", 1_000, 123_456_789, 1).encode()
    told = edge * 80
    board.sendall(told)
    taken: list[int | str] = []

    class Line:
        def fileno(self) -> int:
            return line.fileno()

        def read(self, size: int) -> bytes:
            return line.recv(size)

    class Talk:
        deadline_ns = 0

        def tick(self, now_ns: int) -> bytes:
            return b""

        def receive(self, data: bytes, now_ns: int) -> None:
            taken.append(len(data))

    monkeypatch.setattr(port_module, "time", SimpleNamespace(sleep=lambda _: taken.append("rests")), raising=False)
    port = PodPort("here", Line(), Talk(), lock=threading.RLock(), clock=MonotonicClock(), ended=lambda _: None)
    while sum(each for each in taken if each != "rests") < len(told):
        port._turn()
    assert max(each for each in taken if each != "rests") <= 16 * len(edge)
    assert all(rest == "rests" for rest in taken[1:-1:2]), "between any two of its turns"
    board.close()
    line.close()


def test_sigterm_ends_the_program_within_a_second(tmp_path: Path) -> None:
    bad = BadPod()
    table = tmp_path / "table.toml"
    house = "".join(f"{control} = -1\n" for control in ("ok", "undo", "pause", "skip"))
    nothing = f"[buzzers]\npins = []\n[lamps]\npins = []\nsiren = -1\n[house]\n{house}"
    table.write_text(f'{nothing}[pods]\nports = ["{bad.path}"]\nseats = ["{IDENTITY}"]\n')
    words = [*COMMAND, "play", "--table", str(table)]
    env = environment(tmp_path) | {"SDL_VIDEODRIVER": "dummy"}
    with subprocess.Popen(words, env=env, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr
        with ExitStack() as ending, flooded(bad.report):
            ending.callback(program.kill)  # otherwise a failure waits for it
            given_up = time.monotonic() + WAIT_S
            said = ""
            while "sends too many presses" not in said:
                assert time.monotonic() < given_up, said
                assert program.poll() is None, said
                if select.select([program.stderr], [], [], 0.1)[0]:
                    said += os.read(program.stderr.fileno(), 4096).decode()
            began = time.monotonic()
            program.send_signal(signal.SIGTERM)
            assert program.wait(WAIT_S) == 0
            took = time.monotonic() - began
    bad.close()
    assert took < 1
