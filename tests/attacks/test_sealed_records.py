"""Records that were altered on purpose and look intact."""

from pathlib import Path

import pytest

from companion.games import all_games, load
from companion.referee.journal import Journal, open_record
from tests.forged import bodies, chained
from tests.running import whole_match

GAMES = all_games()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.record"


def altered(lines: list[str]) -> tuple[int, list[str]]:
    """Return the index of a call without its evidence, and the lines."""
    place = next(place for place, line in enumerate(lines) if " T call " in line)
    return place, [*lines[:place], lines[place].partition(" {")[0], *lines[place + 1 :]]


def test_altered_line_is_noticed(path: Path) -> None:
    whole_match(path, load("buntherum"))
    there = path.read_bytes().splitlines(keepends=True)
    place, others = altered(bodies(path))
    seal = there[place].rpartition(b" ;")[2]
    kept = [*there[:place], f"{others[place]} ;".encode() + seal, *there[place + 1 :]]
    path.write_bytes(b"".join(kept))
    damage = open_record(path, GAMES).damage
    assert damage
    assert damage.line == place + 1
    assert "its seal does not match: it was altered" in str(damage.text)


def test_resealed_line_is_noticed_at_the_next(path: Path) -> None:
    whole_match(path, load("buntherum"))
    there = path.read_bytes().splitlines(keepends=True)
    place, others = altered(bodies(path))
    again = chained(others).splitlines(keepends=True)
    path.write_bytes(b"".join([*again[: place + 1], *there[place + 1 :]]))
    journal, opened = Journal.resume(path, GAMES)
    journal.close()
    assert opened.damage
    assert opened.damage.line == place + 2
    path.write_bytes(b"".join(again))
    assert open_record(path, GAMES).damage is None, "who rewrites all that follows is not noticed in the file"
    assert again[-1] != there[-1], "but by whoever has the last seal"


def test_sealed_undecodable_bytes_damage_only_their_line(path: Path) -> None:
    match = whole_match(path, load("buntherum"))
    path.write_bytes(chained([*bodies(path)[:-1], "T flip \udcff"]))
    opened = open_record(path, GAMES)
    assert opened.damage
    assert (opened.damage.line, str(opened.damage.why)) == (len(path.read_bytes().splitlines()), "it is not text")
    assert opened.match.entries == match.entries[:-1]


@pytest.mark.parametrize("change", ["removed", "moved"])
def test_removed_or_moved_lines_are_noticed(path: Path, change: str) -> None:
    whole_match(path, load("buntherum"))
    lines = path.read_bytes().splitlines(keepends=True)
    place = len(lines) // 2
    rest = lines[place + 1 :] if change == "removed" else [lines[place + 1], lines[place], *lines[place + 2 :]]
    path.write_bytes(b"".join([*lines[:place], *rest]))
    damage = open_record(path, GAMES).damage
    assert damage
    assert damage.line == place + 1
    assert "lines before it are missing or moved" in str(damage.text)


def test_seals_chain_as_the_notation_says(path: Path) -> None:
    whole_match(path, load("buntherum"))
    assert path.read_bytes() == chained(bodies(path))
