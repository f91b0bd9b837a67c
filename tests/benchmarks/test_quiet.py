"""Benchmarks print only their figures; logs go to a file and failures are shown."""

import logging
from pathlib import Path

import pytest

from benchmarks.quiet import quiet


@pytest.mark.logs_errors
def test_logs_are_saved_and_errors_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("companion.flood")
    with quiet(tmp_path / "bench.log") as path:
        for _ in range(500):
            log.warning("sends too many presses")
        log.error("a thread has ended")
    log.warning("after it")
    printed = capsys.readouterr()
    assert printed.out == ""
    named = f"What the program has logged meanwhile, 501 times: {path}"
    assert printed.err.splitlines() == ["a thread has ended", named]
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) == 501
    assert lines[0].endswith("WARNING companion.flood: sends too many presses")


def test_failing_benchmark_still_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(AssertionError, match="it took too long"), quiet(tmp_path / "bench.log"):
        raise AssertionError("it took too long")
    assert str(tmp_path / "bench.log") in capsys.readouterr().err
