"""Tests who called first; the benchmark has many more pairs."""

import os
from pathlib import Path

import pytest

from benchmarks.calls.inside import BUSY, measure
from tests.kernel.inside.gpiosim import World

INSIDE_MS, CLEAR_MS = 0.05, 2
"""Distances below and above what a source can distinguish."""

PAIRS = 6

COUNTED = os.cpu_count() == 1


@pytest.mark.skipif(not COUNTED, reason="the world keeps its times only where time is counted in instructions")
@pytest.mark.parametrize("source", ["gpiod", "lgpio"])
def test_first_bouncing_contact_wins_on_busy_machine(world: World, tmp_path: Path, source: str) -> None:
    measured = measure(source, world, tmp_path, (INSIDE_MS, CLEAR_MS), busy=BUSY, bounce=True, pairs=PAIRS)
    found = [(row["distance_ms"], row["found"]) for row in measured["rows"]]
    assert found == [(INSIDE_MS, "tie"), (CLEAR_MS, "first")] * PAIRS
    assert measured["odd"] == []
    assert not any("more" in row for row in measured["rows"])
