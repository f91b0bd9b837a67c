"""Tests buttons made by uinput as the real ones describe themselves: pairing, order, loss."""

import queue
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import evdev
import pytest

from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ
from companion.core.signal import PLUG, UNPLUG, Signal
from companion.devices.buttons.buttons import Buttons, buttons_here
from companion.devices.buttons.options import ButtonWiring
from companion.devices.driver import Driver
from companion.devices.inputs.found import INTERVAL_NS
from companion.devices.inputs.interval import SLOWEST_NS
from companion.devices.inputs.reader import DEBOUNCE_SPREAD_NS, TRANSFER_NS
from companion.devices.wiring import Wiring
from companion.match.fairness.judge import PairJudge
from companion.match.fairness.pairs import PairVerdict, assign
from tests.kernel.inside.gpiosim import CLOCK
from tests.kernel.inside.patience import PATIENCE_S, eventually
from tests.kernel.inside.polled import (
    BUZZ_WIRED,
    BUZZ_WIRED_GENERIC,
    ENCODER,
    GAMEPAD,
    PEDAL,
    REMOTE,
    Model,
    Polled,
)

MS: Final = 1_000_000

RED: Final = (0x2C0, 0x2C5)
"""The red keys of the first two handsets."""

DISTANCES_MS: Final = (1, 5, 15, 25, 40, 60)

PAIRS: Final = {1: 102, 8: 1_002}

LAG_NS: Final = 9 * MS
"""The longest debounce of the simulated firmware."""


@pytest.fixture
def plug() -> Iterator[Callable[..., Polled]]:
    """Plug in a device; its socket is its number."""
    with ExitStack() as plugged:

        def plug(model: Model, socket: int = 1, **how: int) -> Polled:
            device = Polled(model, socket, **how)
            plugged.callback(device.unplug)
            eventually(lambda: any(here.phys == device.phys for here in buttons_here()), f"{model.name} is there")
            return device

        yield plug


class Table:
    def __init__(self, *seats: str, ask: bool = False) -> None:
        self.heard: queue.Queue[Signal] = queue.Queue()
        self.buttons = Buttons(ButtonWiring(ask, seats), self.heard.put, MonotonicClock())
        self.buttons.watch()

    def next(self) -> Signal:
        return self.heard.get(timeout=PATIENCE_S)


@pytest.mark.parametrize(
    ("model", "key", "name"),
    [
        (BUZZ_WIRED, 0x2C5, "buzz2"),
        (BUZZ_WIRED_GENERIC, 0x12F, "buzz4"),
        (GAMEPAD, 0x130, "304"),
        (ENCODER, 0x120, "288"),
        (PEDAL, 48, "48"),
        (REMOTE, 109, "109"),
    ],
)
def test_device_is_paired_by_a_press(plug: Callable[..., Polled], model: Model, key: int, name: str) -> None:
    device = plug(model)
    table = Table(ask=True)
    table.buttons.listen_to_all(on=True)
    began_ns = time.monotonic_ns()
    pressed: list[Any] = []
    while not pressed:  # it is opened a moment after the question
        device.tap(key)
        pressed = [unit for unit in table.buttons.units(began_ns) if unit.press]
    assert [unit.identity for unit in pressed] == [f"{device.phys} {name}"]
    table.buttons.bind(pressed[0].identity, 1)
    eventually(lambda: not table.buttons.places_to_ask, "the button has its place")
    table.buttons.listen_to_all(on=False)
    console = evdev.InputDevice(str(device.path))
    red = key if not name.startswith("buzz") else min(model.keys) + 5 * (int(name[-1]) - 1)
    contact_ns = device.tap(red)
    press, release = table.next(), table.next()
    assert [(signal.place, signal.control, signal.pressed) for signal in (press, release)] == [
        (1, BUZZ, True),
        (1, BUZZ, False),
    ]
    assert abs(press.t_ns - contact_ns) <= press.uncertainty_ns
    with pytest.raises(BlockingIOError):
        list(console.read())  # no other program hears it
    console.close()
    table.buttons.close()


# --- Who was first ----------------------------------------------------------------------------------------


class Referee:
    """The whole chain of a match, at two handsets of one controller."""

    def __init__(self, folder: Path, device: Polled) -> None:
        self.buttons: Buttons | None = None

        def open_(wiring: Any, deliver: Any, clock: Any) -> Iterator[Buttons]:
            self.buttons = Buttons(wiring.of(ButtonWiring), deliver, clock)
            yield self.buttons

        seats = (f"{device.phys} buzz1", f"{device.phys} buzz2")
        driver = Driver("buttons", {"buttons": ButtonWiring}, open_)
        self.judge = PairJudge(Wiring(ButtonWiring(seats=seats)), folder, lambda: [driver])


def limit_ns(interval_ns: int) -> int:
    """Two presses further apart than this must be told apart.

    Their intervals have this width each, and a report may come anywhere in it.
    """
    return 2 * (interval_ns + 2 * (TRANSFER_NS + DEBOUNCE_SPREAD_NS))


@pytest.mark.skipif(CLOCK != "leaping", reason="elsewhere a sleep of the simulated device may end late")
@pytest.mark.parametrize("interval_ms", [1, 8])
def test_no_pair_of_handsets_is_judged_wrong(plug: Callable[..., Polled], tmp_path: Path, interval_ms: int) -> None:
    device = plug(BUZZ_WIRED, interval_ns=interval_ms * MS)
    luck = random.Random(f"handsets {interval_ms}")
    referee = Referee(tmp_path, device)
    assert referee.buttons
    made: list[tuple[int, int, int]] = []  # distance in ms, first seat, when
    with referee.judge as judge:
        for number in range(PAIRS[interval_ms]):
            time.sleep(0.05)
            judge.reset()
            first = luck.randrange(2)
            apart_ns = DISTANCES_MS[number % len(DISTANCES_MS)] * MS
            keys = (RED[first], RED[1 - first])
            lags = [luck.randrange(LAG_NS) for _ in range(4)]
            moved = device.play(
                [
                    (luck.randrange(40 * MS, 55 * MS), keys[0], 1, lags[0]),
                    (apart_ns, keys[1], 1, lags[1]),
                    (75 * MS, keys[0], 0, lags[2]),
                    (luck.randrange(2 * MS), keys[1], 0, lags[3]),
                ]
            )
            made.append((apart_ns // MS, first, moved[0]))
        time.sleep(0.5)
        decisions = judge.decisions()
        assert judge.odd == []
        interval = referee.buttons.interval_of(0)
    assert interval
    assert interval.measured
    assert INTERVAL_NS - MS // 10 <= interval.ns < SLOWEST_NS  # uinput declares none
    judged = assign([when for *_, when in made], decisions)
    found = Counter((apart, _verdict(first, each)) for (apart, first, _), each in zip(made, judged, strict=True))
    print(
        f"interval {interval_ms} ms, measured {interval.ns / MS:.2f} ms, {len(made)} pairs: {sorted(found.items())}"
    )
    assert sum(count for (_, verdict), count in found.items() if verdict in {"wrong", "missed"}) == 0
    beyond = [apart for apart in DISTANCES_MS if apart * MS > limit_ns(interval.ns)]
    assert beyond
    for apart in beyond:
        early = 4  # the first pairs are judged before the interval is measured
        assert found[apart, "tie"] <= early, f"{apart} ms"


def _verdict(first: int, decisions: list[PairVerdict]) -> str:
    """The second press may open the next race, if it came after the verdict."""
    if not decisions:
        return "missed"
    seats = decisions[0].seats
    return "tie" if len(seats) > 1 else "right" if seats == (first,) else "wrong"


def test_controller_unplugged_in_a_race_pauses_the_match(plug: Callable[..., Polled], tmp_path: Path) -> None:
    device = plug(BUZZ_WIRED)
    referee = Referee(tmp_path, device)
    with referee.judge as judge:
        time.sleep(0.1)
        device.play([(0, RED[1], 1, 0)])
        device.unplug()  # while the verdict waits
        eventually(judge.decisions, "the press that arrived is judged")
        assert [decision.seats for decision in judge.decisions()] == [(1,)]
        eventually(lambda: any(odd.startswith("paused") for odd in judge.odd), "the match waits")
        assert referee.buttons
        assert set(referee.buttons.troubles) == {0, 1}
        again = plug(BUZZ_WIRED)
        assert again.phys == device.phys
        eventually(lambda: not referee.buttons.troubles, "both seats are back")


def test_lost_controller_unplugs_and_returns_with_all_seats(plug: Callable[..., Polled]) -> None:
    device, stick = plug(BUZZ_WIRED), plug(ENCODER, 2)
    table = Table(f"{device.phys} buzz1", f"{stick.phys} 288", f"{device.phys} buzz4")
    device.unplug()
    assert {(signal.place, signal.control) for signal in (table.next(), table.next())} == {(0, UNPLUG), (2, UNPLUG)}
    stick.tap(288)
    assert [(signal.place, signal.pressed) for signal in (table.next(), table.next())] == [(1, True), (1, False)]
    again = plug(BUZZ_WIRED)
    assert {(signal.place, signal.control) for signal in (table.next(), table.next())} == {(0, PLUG), (2, PLUG)}
    again.play([(0, 0x2C0 + 15 + 4, 1, 0)])
    answer = table.next()
    assert (answer.place, answer.control) == (2, "1")
    table.buttons.close()
