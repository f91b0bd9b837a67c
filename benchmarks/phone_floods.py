"""Measures press to lamp of a wired seat without phones, with quiet phones, and while phones attack.

The table is that of `floods`; phones are at places where nobody plays.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.floods import MATCHES, RACES, Table
from companion.core.clock import MonotonicClock
from companion.core.place import Place
from companion.devices.driver import Deliver, Device
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones

PLACES: Final = (Place(2), Place(3), Place(4))
OPTIONS: Final = PhoneOptions(on=True, port=0, address="127.0.0.1")
END_S: Final = 30


class Crowd:
    """Phones in a separate process; `done` are its counts."""

    def __init__(self, codes: Sequence[str], *, floods: bool) -> None:
        command = [sys.executable, "-m", "benchmarks.phone_crowd"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.done: dict[str, int] = {}
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"codes": codes, "floods": floods}) + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "all sit\n"

    def so_far(self) -> dict[str, int]:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self.done = json.loads(self._process.stdout.readline())
        return self.done

    def end(self) -> None:
        told, _ = self._process.communicate(timeout=END_S)
        assert self._process.returncode == 0
        self.done = json.loads(told)


@contextmanager
def crowded(phones: Phones, *, floods: bool) -> Iterator[Crowd]:
    crowd = Crowd([code.address for code in phones.invite(PLACES).values()], floods=floods)
    try:
        yield crowd
    finally:
        crowd.end()


def opens(phones: list[Phones]) -> Callable[[Deliver, Any], Iterator[Device]]:
    def open_(deliver: Deliver, clock: Any) -> Iterator[Device]:
        phones.append(Phones(OPTIONS, deliver, MonotonicClock()))  # the network's time is not skipped
        yield phones[0]

    return open_


def spans(floods: bool | None, seed: str) -> list[float]:
    """Return the seconds from press to lamp; without phones if `floods` is None."""
    with tempfile.TemporaryDirectory() as folder:
        phones: list[Phones] = []
        table = Table(Path(folder), None if floods is None else opens(phones), seed)
        try:
            if floods is None:
                return list(table.races(RACES))
            with crowded(phones[0], floods=floods):
                table.until(lambda: not table.hardware.troubles)
                return list(table.races(RACES))
        finally:
            table.close()


def run(report: Callable[..., None]) -> None:
    kinds = {"without phones": None, "beside three phones": False, "beside a crowd of phones that floods": True}
    found: dict[str, list[float]] = {name: [] for name in kinds}
    for number in range(MATCHES):
        for name, floods in kinds.items():
            found[name] += spans(floods, f"phones {number}")
    p99 = {name: sorted(each)[int(len(each) * 0.99)] for name, each in found.items()}
    for name, each in found.items():
        figures = f"{statistics.median(each) * 1e3:.1f}, {p99[name] * 1e3:.1f} ms"
        report(f"press to lamp {name}: median, p99", figures)
        if kinds[name] is not None:
            report("  ratio of the p99", f"{p99[name] / p99['without phones']:.2f}", "target: below 2")
