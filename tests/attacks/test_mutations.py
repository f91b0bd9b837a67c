"""Mutated records, mangled tables and extreme boxes cause no internal error, hang or memory growth."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from companion.games import all_games
from tests.running import environment, robot_table

MEMORY_MB = 200
SOAK = os.environ.get("COMPANION_SOAK") == "1"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    for name, game in all_games().items():
        for seed in ("1", "2"):
            robot_table(game, seed, journal=folder / f"{name}-{seed}.record")
    (folder / ".companion.lock").unlink()
    return folder


def result(tmp_path: Path, whole: Path, records: int = 0, tables: int = 0, boxes: int = 0) -> dict[str, object]:
    seed = random.randrange(10**9) if SOAK else 21
    words = [
        sys.executable,
        Path(__file__).with_name("mutations.py"),
        whole,
        *map(str, (seed, records, tables, boxes)),
    ]
    helpers = {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment(tmp_path) | helpers)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, object] = json.loads(done.stdout)
    found["seed"] = seed
    return found


@pytest.mark.soak
def test_mutated_records_cause_no_internal_error(tmp_path: Path, whole: Path, soak_count) -> None:
    found = result(tmp_path, whole, records=soak_count(20_000))
    assert found["failed"] == [], found
    assert found["used_mb"] < MEMORY_MB, found


@pytest.mark.soak
def test_mangled_tables_cause_no_internal_error(tmp_path: Path, whole: Path, soak_count) -> None:
    found = result(tmp_path, whole, tables=max(100, soak_count(5_000)))
    assert found["failed"] == [], found
    assert found["used_mb"] < MEMORY_MB, found


@pytest.mark.soak
def test_extreme_boxes_cause_no_internal_error(tmp_path: Path, whole: Path, soak_count) -> None:
    found = result(tmp_path, whole, boxes=max(150, soak_count(20_000)))
    assert found["failed"] == [], found
    assert found["used_mb"] < MEMORY_MB, found
