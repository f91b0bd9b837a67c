"""Tests the notice about a release that failed."""

import os
from pathlib import Path

from companion.updates.switched_back import notice
from tests.updates.release_bench import NEW


def test_notice_appears_until_it_was_read(tmp_path: Path) -> None:
    failed = tmp_path / "failed"
    assert notice(tmp_path, failed) is None
    failed.write_text(f"{NEW}\n")
    for _ in range(2):
        found = notice(tmp_path, failed)
        assert found
        text, note = found
        assert f"Version {NEW} failed to start. The previous version is back" in str(text)
    note()
    assert notice(tmp_path, failed) is None


def test_same_release_may_fail_again(tmp_path: Path) -> None:
    failed = tmp_path / "failed"
    failed.write_text(f"{NEW}\n")
    found = notice(tmp_path, failed)
    assert found
    found[1]()
    os.utime(failed, ns=(0, 1))
    assert notice(tmp_path, failed)


def test_unwritable_folder_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "failed").write_text(f"{NEW}\n")
    found = notice(tmp_path / "nowhere", tmp_path / "failed")
    assert found
    found[1]()
    assert notice(tmp_path / "nowhere", tmp_path / "failed")
