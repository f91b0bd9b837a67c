"""Chooses two free lines, and checks the wires from them to two buzzers before anything is driven."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Final, NamedTuple, Protocol

from companion.core.text import Text, msg
from companion.devices.chips import PI_LABELS, Chip, read_line
from companion.devices.contacts import DrivenLine, open_line
from companion.devices.errors import DeviceError
from companion.devices.lines import BuzzerWiring

HEADER: Final = {
    4: 7, 5: 29, 6: 31, 12: 32, 13: 33, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18,
    25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""The header's pins of lines without another use on a Raspberry Pi, such as a console, a bus or a display."""

PULLED_S: Final = 0.05
"""The time in which a pull moves a line, also one with a capacitor."""

LOOK_S: Final = 0.005
REST_NS: Final = 100_000_000
PRESS_NS: Final = 30_000_000_000
"""How long a person may take for a press."""

Open = Callable[[Chip, int, str], DrivenLine]
Say = Callable[[Text], None]


class Ticking(Protocol):
    """A clock that can wait."""

    def now_ns(self) -> int: ...

    def sleep(self, seconds: float) -> None: ...


class Waiting:
    """CLOCK_MONOTONIC."""

    now_ns = staticmethod(time.monotonic_ns)
    sleep = staticmethod(time.sleep)


class Wire(NamedTuple):
    """A jumper wire from an output to the line of a seat's buzzer."""

    seat: int
    output: int
    buzzer: int


def position(chip: Chip, pin: int) -> Text:
    """Say where a line is."""
    on_header = HEADER.get(pin) if chip.label in PI_LABELS else None
    if on_header:
        return msg("line {line} (pin {pin} of the header)", line=pin, pin=on_header)
    return msg("line {line}", line=pin)


def choose_wires(
    chip: Chip,
    buzzers: BuzzerWiring,
    wired: Iterable[int],
    say: Say,
    *,
    clock: Ticking = Waiting(),  # noqa: B008  a value
    open_line: Open = open_line,
) -> list[Wire]:
    """Choose two lines that nobody uses and nothing is connected to. Raise DeviceError."""
    outputs: list[int] = []
    taken = set(wired)
    for pin in reversed(HEADER):
        if len(outputs) == 2:
            break
        if pin in taken or pin >= chip.lines or read_line(chip, pin).taken_by is not None:
            continue
        with open_line(chip, pin, "up") as line:
            floats = _floats(line, clock)
        if floats:
            outputs.append(pin)
        else:
            say(msg("{line}: something is connected to it; it is left out", line=position(chip, pin)))
    if len(outputs) < 2:
        raise DeviceError(
            msg(
                "two free lines are needed, and there are {n}. Take what is connected to one of these off, "
                "and out of table.toml: {pins}",
                n=len(outputs),
                pins=", ".join(map(str, HEADER)),
            )
        )
    return [Wire(seat, *pins) for seat, pins in enumerate(zip(outputs, buzzers.pins[:2], strict=True), 1)]


def _floats(line: DrivenLine, clock: Ticking) -> bool:
    """Return True if nothing drives or pulls a line."""
    highs = []
    for pull in ("up", "down"):
        line.pull(pull)
        clock.sleep(PULLED_S)
        highs.append(line.is_high())
    return highs == [True, False]


def check_wires(
    chip: Chip,
    buzzers: BuzzerWiring,
    wires: Sequence[Wire],
    say: Say,
    *,
    clock: Ticking = Waiting(),  # noqa: B008  a value
    open_line: Open = open_line,
) -> None:
    """Ask for a press of each buzzer, which its wire must carry to the output. Raise DeviceError.

    Until then the outputs are inputs: a wire in a wrong place is found before it is driven.
    """
    with ExitStack() as opened:
        for wire in wires:
            opened.enter_context(open_line(chip, wire.buzzer, buzzers.pull))  # another pull could be on it
        lines = {wire: opened.enter_context(open_line(chip, wire.output, buzzers.pull)) for wire in wires}

        def closed() -> set[Wire]:
            return {wire for wire, line in lines.items() if line.is_high() != buzzers.active_low}

        clock.sleep(PULLED_S)
        for wire in wires:
            for held in closed():
                raise DeviceError(
                    msg(
                        "{line} reads as pressed while nobody presses. Check wire {n}; nothing was driven",
                        line=position(chip, held.output),
                        n=held.seat,
                    )
                )
            say(msg("Press the buzzer of seat {n}, and let it go", n=wire.seat))
            seen = _pressed(closed, clock)
            if seen != {wire}:
                raise _misplaced(chip, wire, seen)


def _pressed(closed: Callable[[], set[Wire]], clock: Ticking) -> set[Wire]:
    """Wait for a press and its end. Return the wires that carried it."""
    seen: set[Wire] = set()
    until_ns = clock.now_ns() + PRESS_NS
    rests_ns: int | None = None
    while clock.now_ns() < until_ns:
        now = closed()
        seen |= now
        if now or not seen:
            rests_ns = None
        elif rests_ns is None:
            rests_ns = clock.now_ns() + REST_NS
        elif clock.now_ns() >= rests_ns:
            return seen
        clock.sleep(LOOK_S)
    return seen


def _misplaced(chip: Chip, wire: Wire, seen: set[Wire]) -> DeviceError:
    where = position(chip, wire.output)
    if not seen:
        return DeviceError(
            msg(
                "{line} did not see the buzzer of seat {n}. Check wire {n}; nothing was driven",
                line=where,
                n=wire.seat,
            )
        )
    return DeviceError(
        msg(
            "the buzzer of seat {n} was seen at {seen} instead of {line}. Check both wires; nothing was driven",
            n=wire.seat,
            seen=", ".join(str(position(chip, each.output)) for each in sorted(seen)),
            line=where,
        )
    )
