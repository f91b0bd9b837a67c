"""Tests the assumptions about the guest."""

import os
import subprocess
import sys
import time
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import gpiod
import pytest
from gpiod import EdgeEvent
from gpiod.line import Bias, Clock, Direction, Edge, Value

import companion
from tests.kernel.inside.gpiosim import COUNTED, LABEL, LINES, Chip, Move, World

LINE = 17
OTHER_LINE = 5

PRESSED, RELEASED = 0, 1

Type = EdgeEvent.Type

STAMP_LATE_NS = 20_000
"""How late the kernel's timestamp may be; the simulated interrupt costs instructions."""

inputs = gpiod.LineSettings(
    direction=Direction.INPUT, bias=Bias.PULL_UP, edge_detection=Edge.BOTH, event_clock=Clock.MONOTONIC
)

counted_only = pytest.mark.skipif(not COUNTED, reason="the host's clock counts, and the host's load with it")


def next_event(request: gpiod.LineRequest) -> EdgeEvent:
    assert request.wait_edge_events(timedelta(seconds=30)), "the kernel reports no edge"
    (event,) = request.read_edge_events(max_events=1)
    return event


def test_chip_is_found_by_its_label(chip: Chip) -> None:
    with gpiod.Chip(chip.path) as found:
        info = found.get_info()
        assert (info.label, info.num_lines) == (LABEL, LINES)
        assert found.get_line_info(LINE).name == f"GPIO{LINE}"


def test_requested_line_rests_high(chip: Chip) -> None:
    with gpiod.request_lines(chip.path, config={LINE: inputs}) as request:
        assert request.get_value(LINE) is Value.ACTIVE


def test_edge_timestamp_matches_the_move(chip: Chip, world: World) -> None:
    edges = [
        (LINE, PRESSED, Type.FALLING_EDGE),
        (OTHER_LINE, PRESSED, Type.FALLING_EDGE),
        (LINE, RELEASED, Type.RISING_EDGE),
        (OTHER_LINE, RELEASED, Type.RISING_EDGE),
    ]
    with gpiod.request_lines(chip.path, config={(LINE, OTHER_LINE): inputs}) as request:
        for number, (line, level, edge) in enumerate(edges, start=1):
            # One at a time: on a busy host the kernel may not get between two moves.
            (moved,) = world.play([Move(0, line, level)])
            event = next_event(request)
            assert (event.line_offset, event.event_type, event.global_seqno) == (line, edge, number)
            assert moved.before_ns <= event.timestamp_ns
            if COUNTED:
                assert event.timestamp_ns <= moved.after_ns + STAMP_LATE_NS


@counted_only
def test_moves_microseconds_apart_have_timestamps_in_order(chip: Chip, world: World) -> None:
    with gpiod.request_lines(chip.path, config={(LINE, OTHER_LINE): inputs}) as request:
        for first, second in ((LINE, OTHER_LINE), (OTHER_LINE, LINE)):
            moved = world.play([Move(1_000_000, first, PRESSED), Move(10_000, second, PRESSED)])
            events = sorted((next_event(request) for _ in moved), key=lambda event: event.timestamp_ns)
            assert [event.line_offset for event in events] == [first, second]
            world.play([Move(1_000_000, first, RELEASED), Move(1_000_000, second, RELEASED)])
            assert {next_event(request).event_type for _ in moved} == {Type.RISING_EDGE}


@counted_only
def test_short_waits_are_exact(world: World) -> None:
    waits_ns = [7_000, 11_000, 250_000]
    moved = world.play(
        [Move(0, 0, PRESSED), *(Move(wait_ns, line, PRESSED) for line, wait_ns in enumerate(waits_ns, 1))]
    )
    for (before, after), wait_ns in zip(pairwise(moved), waits_ns, strict=True):
        assert 0 <= after.before_ns - before.before_ns - wait_ns < 20_000


def test_moves_are_never_early(world: World) -> None:
    first, second = world.play([Move(0, LINE, PRESSED), Move(20_000_000, LINE, RELEASED)])
    assert second.before_ns - first.before_ns >= 20_000_000


def test_output_level_can_be_read_from_outside(chip: Chip) -> None:
    lamp = gpiod.LineSettings(direction=Direction.OUTPUT)
    with gpiod.request_lines(chip.path, config={LINE: lamp}) as request:
        for value in (Value.ACTIVE, Value.INACTIVE, Value.ACTIVE):
            request.set_value(LINE, value)
            assert chip.level(LINE) == value.value


@counted_only
def test_time_is_counted_in_instructions() -> None:
    def spin_ns() -> int:
        began_ns = time.monotonic_ns()
        for _ in range(20_000):
            pass
        return time.monotonic_ns() - began_ns

    spin_ns()
    times_ns = sorted(spin_ns() for _ in range(9))
    # On a host's clock, emulated code never takes this constant a time.
    assert times_ns[4] - times_ns[0] < times_ns[0] // 100


def test_keypads_can_be_created() -> None:
    assert os.access("/dev/uinput", os.W_OK)


def test_installed_wheel_is_used() -> None:
    assert Path(companion.__file__).is_relative_to(sys.prefix)
    done = subprocess.run(
        [sys.executable, "-m", "companion", "--help"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: companion" in done.stdout
