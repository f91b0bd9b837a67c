"""Records of a newer version are named everywhere and never changed."""

from pathlib import Path

import pytest

from companion.core.errors import NewerRecordError
from companion.games import all_games, load
from companion.records import history
from companion.referee.journal import Journal, open_record
from tests.host_bench import Bench, dropped
from tests.running import Here, whole_match

SAYS = "from a newer version of the companion"
NAME = "2026-01-02-180000-buntherum.record"

HEADS = {
    "as ours": lambda text: text,
    "that nobody here can read": lambda text: text.replace("[Game", "<Game"),
    "sealed in another way": lambda text: text.replace(" ;", " ;;"),
}
"""Variants of the rest of the record."""


@pytest.fixture(params=HEADS)
def newer(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A record of a whole match in the next format."""
    path = tmp_path / "data/companion/matches" / NAME
    whole_match(path, load("buntherum"))
    lines = path.read_text("utf-8").splitlines()
    text = "\n".join(line.rpartition(" ;")[0] for line in lines).replace('[Format "1"]', '[Format "2"]')
    path.write_text(HEADS[request.param](text) + "\n", "utf-8")
    return path


def test_newer_record_is_named_and_unchanged(newer: Path, companion_here: Here) -> None:
    before = newer.read_bytes()
    assert SAYS in companion_here("history").stdout
    for words in (["replay", "last"], ["export", NAME.removesuffix(".record")], ["replay", newer]):
        done = companion_here(*words)
        assert done.returncode == 2
        assert SAYS in done.stderr
        assert done.stdout == ""
    resumed = companion_here("headless", "buntherum", "--journal", newer, "--resume")
    assert SAYS in resumed.stderr
    assert newer.read_bytes() == before
    assert [path.name for path in newer.parent.glob("*.damaged")] == []


def test_newer_record_raises_its_own_error(newer: Path) -> None:
    with pytest.raises(NewerRecordError):
        open_record(newer, all_games())
    with pytest.raises(NewerRecordError):
        Journal.resume(newer, all_games())


def test_table_names_newer_records_first(newer: Path) -> None:
    before = newer.read_bytes()
    bench = Bench(newer.parent)
    assert bench.poster.title == "Good to know"
    assert SAYS in bench.poster.lines[0]
    bench.press(0, "#")
    assert bench.poster.title == "The table companion"
    assert newer.read_bytes() == before


def test_interrupted_match_is_offered_beside_newer_records(newer: Path) -> None:
    folder = newer.parent
    bench = Bench(folder)
    bench.press(0, "#")
    bench.play()
    dropped(bench)
    again = Bench(folder)
    again.press(0, "#")
    assert again.menu.title == "A match was interrupted"


@pytest.mark.parametrize("version", ["0", "-1", "1.5", "x", "", "9" * 30])
def test_invalid_format_number_counts_as_damage(version: str, tmp_path: Path) -> None:
    path = tmp_path / NAME
    whole_match(path, load("buntherum"))
    lines = path.read_text("utf-8").splitlines()
    text = "\n".join(line.rpartition(" ;")[0] for line in lines)
    path.write_text(text.replace('[Format "1"]', f'[Format "{version}"]') + "\n", "utf-8")
    assert history.of_newer(tmp_path) is None


@pytest.mark.parametrize(("day", "told"), [("2025-12-31", False), ("2026-01-02", True)])
def test_only_the_newest_records_are_checked(day: str, told: bool, tmp_path: Path) -> None:
    for number in range(history.LOOKED_AT):
        (tmp_path / f"2026-01-01-{number:06}-buntherum.record").touch()
    (tmp_path / f"{day}-180000-buntherum.record").write_text('[Format "2"]\n')
    assert (history.of_newer(tmp_path) is not None) == told
    (tmp_path / "2026-02-01-180000-buntherum.record").write_text('[Format "3"]\n')
    assert str(history.of_newer(tmp_path)).startswith("2 matches are" if told else "1 match is")


def test_other_records_are_not_called_newer(tmp_path: Path) -> None:
    whole_match(tmp_path / NAME, load("buntherum"))
    (tmp_path / "milk.record").write_bytes(b"\xff\n")
    (tmp_path / "none.record").write_bytes(b"")
    (tmp_path / "folder.record").mkdir()
    assert history.of_newer(tmp_path) is None
