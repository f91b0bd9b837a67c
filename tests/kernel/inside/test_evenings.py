"""Tests a match of each game at real devices, from the box to the result.

It has a separate boot in leaping time. Seats 1 and 3 have a buzzer and a lamp on lines, and a pad; seat 2 has a
pod; the house has a pad.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from companion.config.sections import JournalOptions
from companion.config.table_file import TableConfig
from companion.core.clock import PlanningClock
from companion.core.console import BUZZ, Lamp
from companion.core.inbox import Inbox
from companion.core.place import HOUSE, Place
from companion.core.signal import Signal
from companion.core.tags import BOX_NAME_TAG
from companion.devices.hardware import Hardware
from companion.devices.keypads.usb_pads import PadWiring
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.pods.options import PodWiring
from companion.devices.wiring import Wiring
from companion.referee.serving import STOP, run_live
from tests.devices.pod_pty import PtyPod
from tests.evenings import FAMILIES, Evening, begin, seen
from tests.host_bench import Bench
from tests.kernel.inside.gpiosim import CLOCK, Chip, Move, World
from tests.kernel.inside.test_pads import NAMES, Pad

pytestmark = pytest.mark.skipif(CLOCK != "leaping", reason="it lasts minutes of table time: rig.py --leap")

IDENTITY: Final = "E66118604B3A5C21"
POD: Final = Place(1)
PADS: Final = {place: f"usb-0000:01:00.0-1.{place + 2}/input0" for place in (HOUSE, 0, 2)}
KEY: Final = {key: names.split()[0] for names, key in NAMES.items()}
PINS: Final = BuzzerWiring(pins=(17, 27, 22))
LAMPS: Final = LampWiring(pins=(5, 6, 13))
NO_BUTTONS: Final = HouseWiring(NOT_WIRED, NOT_WIRED, NOT_WIRED, NOT_WIRED)
"""Not needed, and lgpio would poll them two thousand times a second."""


class Clock(PlanningClock):
    @property
    def t_ns(self) -> int:
        return self.now_ns()


class Awaited:
    """A host that is also woken at `end_ns`."""

    def __init__(self, bench: "RealBench", end_ns: int) -> None:
        self._host, self._end_ns = bench.host, end_ns
        self.signal, self.tick = bench.host.signal, bench.host.tick

    @property
    def deadline_ns(self) -> int:
        due_ns = self._host.deadline_ns
        return self._end_ns if due_ns is None else min(due_ns, self._end_ns)


class RealBench(Bench):
    """A table with a kernel's devices; frames are shown at once."""

    def __init__(self, folder: Path, world: World, pads: dict[Place, Pad], pod: PtyPod) -> None:
        self._world, self._pads, self._pod = world, pads, pod
        seats = tuple(PADS.get(Place(place), "") for place in range(3))
        pods = PodWiring(seats=("", IDENTITY), ports=(pod.path,))
        wiring = Wiring(PINS, LAMPS, NO_BUTTONS, PadWiring(seats=seats, house=PADS[HOUSE]), pods)
        clock: Any = Clock()
        self._inbox = Inbox()
        self.hardware = Hardware(wiring, self._inbox, clock)
        config = TableConfig(journal=JournalOptions(str(folder)), wiring=wiring)
        super().__init__(folder, config=config, clock=clock, hardware=self.hardware, by_hand=True)

    def until(self, reached: Any, seconds: float = 3600) -> bool:
        end_ns, stops = self.clock.now_ns() + round(seconds * 1e9), False

        def look() -> None:
            nonlocal stops
            self._flip()
            if not stops and (reached() or self.clock.now_ns() >= end_ns):
                stops = True
                self._inbox.put(STOP)

        run_live(Awaited(self, end_ns), self._inbox, self.clock, look)
        return bool(reached())

    def _flip(self) -> None:
        while self.waiting:
            newest = self.waiting[-1]
            self.waiting.clear()
            told: Signal | None = self.host.frames.shown(newest, self.clock.now_ns())
            if told:
                self.host.signal(told)

    def press(self, place: Place, *controls: str) -> None:
        for control in controls:
            self._hand(place, control, 1)
            self.wait(0.08)
            self._hand(place, control, 0)
            self.wait(0.12)

    def _hand(self, place: Place, control: str, down: int) -> None:
        if place == POD and control == BUZZ:
            self._pod.buzz(down)
        elif place == POD:
            if down:
                self._pod.key(control)
        elif control == BUZZ:
            self._world.play([Move(0, PINS.pins[place], 1 - down)])
        else:
            self._pads[place].set(KEY[control], down)


FEWER: Final = {"de_et_boulanger": 2}
"""Four bakers take three times as long."""


@pytest.fixture
def pads() -> Iterator[dict[Place, Pad]]:
    pads = {place: Pad(phys) for place, phys in PADS.items()}
    yield pads
    for pad in pads.values():
        pad.unplug()


@pytest.fixture
def pod() -> Iterator[PtyPod]:
    pod = PtyPod(IDENTITY)
    yield pod
    pod.vanish()


@pytest.fixture
def bench(
    chip: Chip,
    world: World,
    pads: dict[Place, Pad],
    pod: PtyPod,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[RealBench]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for pin in LAMPS.pins:
        chip.hang_lamp(pin)
    bench = RealBench(tmp_path / "matches", world, pads, pod)
    yield bench
    bench.host.close()
    bench.hardware.close()


@pytest.mark.parametrize("game", sorted(FAMILIES))
def test_each_game_plays_a_match_at_real_devices(game: str, bench: RealBench, chip: Chip, pod: PtyPod) -> None:
    assert bench.until(lambda: not bench.hardware.troubles, 10), bench.hardware.troubles
    family = FAMILIES[game]
    family = family._replace(seats=FEWER.get(game, family.seats))
    begin(bench, family)
    before, unanswered, strange = seen(bench), list[str](), list[str]()

    def pressed(what: str) -> None:
        nonlocal before
        before, last = seen(bench), before
        if before == last:
            unanswered.append(what)
        strange.extend(f"{what}: {trouble}" for trouble in wrong_lights(bench, chip, pod))

    Evening(bench, pressed).play()
    match = bench.match
    assert (match.tags["Deal"], match.tags[BOX_NAME_TAG]) == ("table", "Our box")
    assert family.ours(match.box) == family.is_so
    assert match.outcome
    assert [entry.kind for entry in match.entries] == ["move"] * match.length, "nothing had to be mended"
    assert (unanswered, strange, bench.hardware.troubles) == ([], [], {})


def wrong_lights(bench: RealBench, chip: Chip, pod: PtyPod) -> Iterator[str]:
    """Yield the lamps that differ from the table's; a blinking one may be either."""
    codes = {Lamp.OFF: 0, Lamp.ON: 1, Lamp.BLINK: 2}
    for place, panel in enumerate(bench.frame.panels[: len(LAMPS.pins)]):
        lit = pod.shows()[0] if place == POD else chip.level(LAMPS.pins[place])
        if lit != codes[panel.lamp] and (place == POD or panel.lamp is not Lamp.BLINK):
            yield f"the lamp of seat {place + 1} is {lit}, not {panel.lamp}"
    if not any(pod.shows()[1]):
        yield "the pod's screen is dark"
