"""The benchmarks print their figures: what is logged meanwhile is kept, and a failure is shown."""

import logging
from pathlib import Path

import pytest

from benchmarks.quiet import quiet


@pytest.mark.logs_errors
def test_what_is_logged_is_kept_and_errors_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_a_benchmark_that_fails_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(AssertionError, match="it took too long"), quiet(tmp_path / "bench.log"):
        raise AssertionError("it took too long")
    assert str(tmp_path / "bench.log") in capsys.readouterr().err
