"""The stored placement of the window."""

import pytest

from companion.display.window import Placement
from companion.table import window_file


@pytest.mark.parametrize("placement", [Placement((800, 480)), Placement((1280, 720), full=True)])
def test_stored_placement_is_read_back(tmp_path, placement):
    folder = tmp_path / "state" / "companion"
    assert window_file.read(folder) is None
    window_file.keep(folder, placement)
    assert window_file.read(folder) == placement


def test_unchanged_placement_is_not_written_again(tmp_path):
    window_file.keep(tmp_path, Placement((800, 480)))
    path = tmp_path / window_file.FILE_NAME
    before = path.stat().st_ino
    window_file.keep(tmp_path, Placement((800, 480)))
    assert path.stat().st_ino == before


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"size": [800, 480]}', '{"size": [1], "full": true}', '{"size": "big", "full": true}'],
)
def test_damaged_file_is_logged_and_ignored(tmp_path, caplog, text):
    path = tmp_path / window_file.FILE_NAME
    path.write_text(text, "utf-8")
    assert window_file.read(tmp_path) is None
    assert str(path) in caplog.text


def test_failing_disk_does_no_harm(tmp_path, caplog):
    (tmp_path / "file").write_text("no folder", "utf-8")
    window_file.keep(tmp_path / "file", Placement((800, 480)))
    assert "not remembered" in caplog.text
