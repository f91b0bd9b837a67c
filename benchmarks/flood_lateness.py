"""Measures how late reports of one pod arrive while another pod floods: `python -m benchmarks.flood_lateness`.

The pods are separate processes. Reports that may be older than 30 ms are refused. The machine must be idle: quiet
runs must not have refused reports. Arguments: number of runs and seconds of each.
"""

import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

from benchmarks.floods import IDENTITY, PLACE, BadPod, Flood, driver
from benchmarks.quiet import quiet
from companion.config.sections import JournalOptions, PaceOptions
from companion.config.table_file import TableConfig
from companion.core.clock import MonotonicClock, PlanningClock
from companion.core.console import BUZZ
from companion.core.inbox import Inbox
from companion.core.signal import LEVEL, REFUSED, Signal
from companion.core.units import MS
from companion.devices.driver import Deliver, Device
from companion.devices.hardware import Hardware
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods
from companion.devices.wiring import Wiring
from companion.display.frame import Frame
from companion.games import all_games, load
from companion.match.new_match import new_match
from companion.match.seating import Sitter, Wanted
from companion.referee.serving import STOP, run_live
from companion.table.host import Host

HONEST: Final = "E66118604B3A0001"
FLOOD_S, CALM_S = 1.0, 4.0
"""The bad pod pauses, so that it is trusted again."""

PRESS_S: Final = (0.03, 0.09)
WAIT_S: Final = 60


class Late(NamedTuple):
    """The good pod's reports, the number refused, and their delays."""

    reports: int
    refused: int
    late_ms: list[float]


# --- The pods, each in a process ------------------------------------------------------------------------------


def be_pod(identity: str, floods: bool) -> None:
    """Print a pod's port; press or flood from the first line of input until its end."""
    pod = BadPod(identity)
    sys.stdout.write(f"{pod.path}\n")
    sys.stdout.flush()
    sys.stdin.readline()
    ended = threading.Event()
    working = threading.Thread(target=_flood if floods else _press, args=(pod, ended))
    working.start()
    sys.stdin.read()
    ended.set()
    working.join()
    pod.close()


def _press(pod: BadPod, ended: threading.Event) -> None:
    luck = random.Random("honest")
    while not ended.wait(luck.uniform(*PRESS_S)):
        pod.report(1)


def _flood(pod: BadPod, ended: threading.Event) -> None:
    while not ended.is_set():
        flood = Flood(pod.report)
        ended.wait(FLOOD_S)
        flood.end()
        ended.wait(CALM_S)


class _Process:
    def __init__(self, identity: str, kind: str) -> None:
        command = [sys.executable, "-m", "benchmarks.flood_lateness", "pod", identity, kind]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        self.path = self._process.stdout.readline().strip()

    def begin(self) -> None:
        assert self._process.stdin
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def end(self) -> None:
        self._process.communicate(timeout=WAIT_S)


# --- The table ------------------------------------------------------------------------------------------------


def run(floods: bool, for_s: float) -> Late:
    heard: list[Signal] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as closing:
        honest, other = _Process(HONEST, "honest"), _Process(IDENTITY, "bad")
        closing.callback(honest.end)
        closing.callback(other.end)
        inbox, clock = Inbox(), PlanningClock()
        seats = (HONEST, *[""] * (PLACE - 1), IDENTITY)

        def open_(deliver: Deliver, _: Any) -> Iterator[Device]:
            def noting(signal: Signal) -> None:
                if signal.place == 0 and signal.control == BUZZ and LEVEL not in signal.flags:
                    heard.append(signal)
                deliver(signal)

            wiring = PodWiring(seats=seats, ports=(honest.path, other.path))
            yield Pods(wiring, noting, MonotonicClock(), find=tuple)

        hardware = Hardware(Wiring(), inbox, clock, lambda: (driver(open_, "pods"),))
        closing.callback(hardware.close)
        game, names = load("buntherum"), ("Anna", "Ben")

        def show(frame: Frame) -> None:
            if visible := host.frames.shown(frame, clock.now_ns()):
                inbox.put(visible)

        host = Host(
            all_games(),
            TableConfig(journal=JournalOptions(folder), pace=PaceOptions(next_card="auto", next_s=1)),
            clock,
            show,
            Wanted([Sitter(name) for name in names], match=new_match(game, names, seed="late")),
            settle_ns=0,
            hardware=hardware,
        )

        def serve() -> None:
            host.start()
            run_live(host, inbox, clock)
            host.close()

        given_up = time.monotonic() + WAIT_S
        while hardware.troubles:
            assert time.monotonic() < given_up, "the pods do not answer"
            time.sleep(0.01)
        serving = threading.Thread(target=serve, name="host")
        serving.start()
        honest.begin()
        if floods:
            other.begin()
        time.sleep(for_s)
        inbox.put(STOP)
        serving.join()
    late_ms = [(signal.received_ns - signal.t_ns) / MS for signal in heard]
    return Late(len(heard), sum(REFUSED in signal.flags for signal in heard), late_ms)


def main(runs: int, for_s: float) -> None:
    with quiet():
        for number in range(1, runs + 1):
            for name, floods in (("quiet", False), ("flooded", True)):
                late = run(floods, for_s)
                worst = ", ".join(f"{each:.1f}" for each in sorted(late.late_ms)[-3:])
                found = f"{late.reports} reports, {late.refused} refused, the latest: {worst} ms"
                print(f"run {number:2} {name:8} {found}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["pod"]:
        be_pod(sys.argv[2], sys.argv[3] == "bad")
    else:
        main(*(int(sys.argv[1]), float(sys.argv[2])) if len(sys.argv) > 2 else (12, 20.0))
