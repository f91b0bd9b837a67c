"""Who was first, in short: the benchmark has many more pairs, and what others make of them."""

import os
from pathlib import Path

import pytest

from benchmarks.calls.inside import BUSY, measure
from tests.kernel.inside.gpiosim import World

INSIDE_MS, CLEAR_MS = 0.05, 2
"""Distances within what each source can tell apart, and beyond it."""

PAIRS = 6

COUNTED = os.cpu_count() == 1


@pytest.mark.skipif(not COUNTED, reason="the world keeps its times only where time is counted in instructions")
@pytest.mark.parametrize("source", ["gpiod", "lgpio"])
def test_the_first_of_two_bouncing_contacts_wins_on_a_busy_machine(
    world: World, tmp_path: Path, source: str
) -> None:
    measured = measure(source, world, tmp_path, (INSIDE_MS, CLEAR_MS), busy=BUSY, bounce=True, pairs=PAIRS)
    found = [(row["distance_ms"], row["found"]) for row in measured["rows"]]
    assert found == [(INSIDE_MS, "tie"), (CLEAR_MS, "first")] * PAIRS
    assert measured["odd"] == []
    assert not any("more" in row for row in measured["rows"])
