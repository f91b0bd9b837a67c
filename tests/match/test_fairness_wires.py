"""Tests which lines are chosen and that wrong wires are found, without lines."""

import heapq
from pathlib import Path

import pytest

from companion.core.text import Text
from companion.devices.chips import Chip, ChipLine
from companion.devices.errors import DeviceError
from companion.devices.lines import BuzzerWiring
from companion.match.fairness import wires
from companion.match.fairness.wires import Wire, check_wires, choose_wires

CHIP = Chip(Path("/dev/gpiochip0"), "pinctrl-bcm2711", 54)
BUZZERS = BuzzerWiring(pins=(17, 27, 22))
WIRES = [Wire(1, 26, 17), Wire(2, 25, 27)]
S = 1_000_000_000


class World:
    """Lines that others hold or move, and a clock that moves on only in sleeps."""

    def __init__(self) -> None:
        self.t_ns = 0
        self.levels: dict[int, bool] = {}
        self.pulls: dict[int, str] = {}
        self.said: list[str] = []
        self.plan: list[tuple[int, int, bool]] = []

    def now_ns(self) -> int:
        return self.t_ns

    def sleep(self, seconds: float) -> None:
        self.t_ns += round(seconds * S)
        while self.plan and self.plan[0][0] <= self.t_ns:
            _, pin, high = heapq.heappop(self.plan)
            self.levels[pin] = high

    def press(self, *pins: int) -> None:
        """Close a contact that these lines see, in a second, for half a second."""
        for pin in pins:
            heapq.heappush(self.plan, (self.t_ns + S, pin, False))
            heapq.heappush(self.plan, (self.t_ns + S + S // 2, pin, True))

    def open_line(self, chip: Chip, pin: int, pull: str) -> "FakeLine":
        self.pulls[pin] = pull
        return FakeLine(self, pin)

    def say(self, text: Text) -> None:
        self.said.append(str(text))


class FakeLine:
    """A line that can be read and pulled; to drive it is an error, since it has no such method."""

    def __init__(self, world: World, pin: int) -> None:
        self.world, self.pin = world, pin

    def pull(self, pull: str) -> None:
        self.world.pulls[self.pin] = pull

    def is_high(self) -> bool:
        return self.world.levels.get(self.pin, self.world.pulls[self.pin] == "up")

    def __enter__(self) -> "FakeLine":
        return self

    def __exit__(self, *_: object) -> None: ...


@pytest.fixture
def world() -> World:
    return World()


def choose(
    world: World, monkeypatch: pytest.MonkeyPatch, wired: set[int], taken: set[int] = frozenset()
) -> list[Wire]:
    monkeypatch.setattr(wires, "read_line", lambda chip, pin: ChipLine("", "thief" if pin in taken else None))
    return choose_wires(CHIP, BUZZERS, wired, world.say, clock=world, open_line=world.open_line)


def test_only_free_floating_lines_are_chosen(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.levels = {25: True, 24: False}
    found = choose(world, monkeypatch, {17, 27, 22}, taken={26})
    assert found == [Wire(1, 23, 17), Wire(2, 21, 27)]
    assert world.said == [
        "line 25 (pin 22 of the header): something is connected to it; it is left out",
        "line 24 (pin 18 of the header): something is connected to it; it is left out",
    ]


def test_two_free_lines_are_needed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DeviceError, match="two free lines are needed, and there are 1"):
        choose(world, monkeypatch, set(wires.HEADER) - {4})


def check(world: World, presses: dict[str, tuple[int, ...]], buzzers: BuzzerWiring = BUZZERS) -> None:
    def say(text: Text) -> None:
        world.say(text)
        world.press(*presses[str(text)])

    check_wires(CHIP, buzzers, WIRES, say, clock=world, open_line=world.open_line)


FIRST, SECOND = (f"Press the buzzer of seat {seat}, and let it go" for seat in (1, 2))


def test_right_wires_carry_each_press(world: World) -> None:
    check(world, {FIRST: (26,), SECOND: (25,)})
    assert world.said == [FIRST, SECOND]
    assert world.t_ns > 3 * S
    assert world.pulls == dict.fromkeys((26, 17, 25, 27), "up")


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (
            (),
            (),
            "line 26 (pin 37 of the header) did not see the buzzer of seat 1. Check wire 1; nothing was driven",
        ),
        ((25,), (26,), "the buzzer of seat 1 was seen at line 25 (pin 22 of the header) instead of line 26"),
        ((25, 26), (25, 26), "the buzzer of seat 1 was seen at line 26 (pin 37 of the header), line 25"),
        ((26,), (), "line 25 (pin 22 of the header) did not see the buzzer of seat 2"),
    ],
)
def test_wrong_wires_are_named(world: World, first: tuple[int, ...], second: tuple[int, ...], why: str) -> None:
    with pytest.raises(DeviceError) as caught:
        check(world, {FIRST: first, SECOND: second})
    assert str(caught.value).startswith(why)


def test_driven_line_is_named_before_any_press(world: World) -> None:
    world.levels = {25: False}
    with pytest.raises(DeviceError, match=r"^line 25 .* reads as pressed while nobody presses. Check wire 2"):
        check(world, {})
    assert world.said == []


def test_contacts_to_plus_are_read_high(world: World) -> None:
    world.levels = {25: True}
    with pytest.raises(DeviceError, match=r"^line 25 .* reads as pressed"):
        check(world, {}, BuzzerWiring(pins=(17, 27), pull="down", active_low=False))
