"""A host with three real buzzers and lamps on mock pins."""

import errno
from pathlib import Path
from typing import Any

import pytest

from companion.core.inbox import Inbox
from companion.core.text import Text
from companion.devices import board
from companion.devices.buzzers import choice, watch
from companion.devices.buzzers.source import Edge
from companion.devices.buzzers.watch import Buzzers
from companion.devices.hardware import Hardware
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.pins import Board
from companion.devices.wiring import Wiring
from tests.gpio_fakes import FakeSource
from tests.host_bench import Bench, FakeClock

LAMPS, SIREN = (5, 6, 13), 18
GONE = OSError(errno.ENODEV, "No such device")


class WiredBench(Bench):
    """A host whose buzzer edges come from the test, with lamps on mock pins."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, notice: Text | None = None, **options: Any):
        self.inbox, clock = Inbox(), FakeClock()
        self.sources: list[FakeSource] = []
        self.refused = False
        kind = choice.KINDS["mock"]._replace(open=self._open)
        monkeypatch.setattr(board, "choose", lambda source: (kind, notice))
        monkeypatch.setattr(watch, "LOOK_S", 3600)  # the test calls `look`
        wiring = Wiring(
            BuzzerWiring(pins=(17, 27, 22)),
            LampWiring(LAMPS, SIREN),
            HouseWiring(NOT_WIRED, NOT_WIRED, NOT_WIRED, NOT_WIRED),
        )
        self.hardware = Hardware(wiring, self.inbox, clock)
        super().__init__(folder, clock=clock, hardware=self.hardware, **options)

    def _open(self, board: Any, wiring: Any, report: Any, failed: Any) -> FakeSource:
        if self.refused:
            raise GONE
        self.sources.append(FakeSource(report, failed, len(wiring.pins)))
        return self.sources[-1]

    def edge(self, place: int, pressed: bool, *, early_ns: int = 0) -> None:
        """Change a contact; the host has not processed it yet."""
        self.sources[-1].down[place] = pressed
        self.sources[-1].report(Edge(place, self.clock.t_ns - early_ns, 150_000, pressed))

    def hear(self) -> None:
        """Process waiting signals as `run_live` does."""
        while self.inbox.waiting():
            signal = self.inbox.get(0)
            assert signal
            self.host.signal(signal)
            self._flip()

    def lose(self) -> None:
        self.sources[-1].failed(GONE)
        self.hear()

    def buzz(self, *places: int) -> None:
        for place in places:
            for pressed, after in ((True, 0.08), (False, 0.12)):
                self.edge(place, pressed)
                self.hear()
                self.wait(after)

    def stick(self, place: int) -> None:
        """Hold a contact closed until the watch reports it."""
        self.edge(place, True)
        self.hear()
        self.look()
        self.clock.t_ns += watch.STUCK_NS
        self.look()

    def look(self) -> None:
        """Run the watch over the buzzers once, as each second."""
        self.hardware.of(Buzzers).look()
        self.hear()

    def sit_and_play(self) -> None:
        self.buzz(0, 1, 2)
        self.house("ok")
        self.take("Buntherum", "Start")
        assert self.until(self.open)

    def lit(self) -> list[int]:
        factory = self.hardware.of(Board).factory
        return [int(factory.pin(pin).state) for pin in LAMPS]
