"""Tests that spikes are not calls; the benchmark has many more rounds."""

import random
from pathlib import Path

import pytest

from benchmarks.calls.spikes import KINDS, measure, plans
from tests.kernel.inside.gpiosim import BELOW_INTERRUPTS, COUNTED, Chip, World

ROUNDS = 8 * len(KINDS)


@pytest.mark.skipif(not COUNTED, reason="the world keeps its times only where time is counted in instructions")
def test_presses_among_spikes_are_judged_by_their_moves(chip: Chip, tmp_path: Path) -> None:
    with World(chip, priority=BELOW_INTERRUPTS) as world:
        counts = measure(world, tmp_path, plans(range(ROUNDS), random.Random("spikes")), merging=False)
    assert sum(counts[kind, "rounds"] for kind in KINDS) == ROUNDS
    assert [counts[kind, fault] for kind in KINDS for fault in ("wrong", "lost")] == [0] * 2 * len(KINDS)
