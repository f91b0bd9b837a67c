"""Records that somebody altered on purpose, so that they look as if nobody had."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from forged import alike, bodies, chained, with_checksums
from running import whole_match

from companion.core.record import Entry
from companion.games import all_games, load
from companion.referee.journal import Journal, open_record

GAMES = all_games()
OLD = Path(__file__).parents[1] / "records" / "buntherum-7.record"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.record"


def altered(lines: list[str]) -> tuple[int, list[str]]:
    """Return the place of a call that has lost its evidence, and the lines, whose checksums are as they were."""
    place = next(place for place, line in enumerate(lines) if " T call " in line)
    before, through = (int(with_checksums(lines[:count])[-9:-1], 16) for count in (place, place + 1))
    call = lines[place].partition(" {")[0]
    return place, [*lines[:place], alike(call, before, through), *lines[place + 1 :]]


def test_a_line_that_was_altered_to_fit_its_checksum_is_noticed(path: Path) -> None:
    whole_match(path, load("buntherum"))
    there = path.read_bytes().splitlines(keepends=True)
    lines = bodies(path)
    place, others = altered(lines)
    assert with_checksums(lines)[-9:] == with_checksums(others)[-9:], "checksums tell nothing"
    seal = there[place].rpartition(b" ;")[2]
    kept = [*there[:place], f"{others[place]} ;".encode() + seal, *there[place + 1 :]]
    path.write_bytes(b"".join(kept))
    damage = open_record(path, GAMES).damage
    assert damage
    assert damage.line == place + 1
    assert "its seal does not fit: it was altered" in str(damage.text)


def test_a_line_that_was_altered_and_sealed_is_told_by_the_next_one(path: Path) -> None:
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


@pytest.mark.parametrize("sealed", [chained, with_checksums])
def test_bytes_that_are_no_text_and_have_a_fitting_seal_damage_their_line_and_no_other(
    path: Path, sealed: Callable[[Iterable[str]], bytes]
) -> None:
    match = whole_match(path, load("buntherum"))
    path.write_bytes(sealed([*bodies(path)[:-1], "T flip \udcff"]))
    opened = open_record(path, GAMES)
    assert opened.damage
    assert (opened.damage.line, str(opened.damage.why)) == (len(path.read_bytes().splitlines()), "it is no text")
    assert opened.match.entries == match.entries[:-1]


@pytest.mark.parametrize("change", ["removed", "moved"])
def test_lines_that_were_removed_or_moved_are_noticed(path: Path, change: str) -> None:
    whole_match(path, load("buntherum"))
    lines = path.read_bytes().splitlines(keepends=True)
    place = len(lines) // 2
    rest = lines[place + 1 :] if change == "removed" else [lines[place + 1], lines[place], *lines[place + 2 :]]
    path.write_bytes(b"".join([*lines[:place], *rest]))
    damage = open_record(path, GAMES).damage
    assert damage
    assert damage.line == place + 1
    assert "lines before it are missing or moved" in str(damage.text)


def test_an_old_record_goes_on_and_is_said_to_be_unchained(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.write_bytes(OLD.read_bytes())
    before = open_record(path, GAMES)
    assert before.damage is None
    journal, opened = Journal.resume(path, GAMES)
    with journal:
        journal.append(Entry("undo", 1))
    assert caplog.messages == [f"{path}: this record is unchained: its checksums prove accidents only"]
    assert path.read_bytes().startswith(OLD.read_bytes()), "not one byte of it changes"
    assert path.read_bytes() == with_checksums(bodies(path))
    assert open_record(path, GAMES).match.entries == [*opened.match.entries, Entry("undo", 1)]


def test_a_new_record_is_chained_as_the_notation_says(path: Path) -> None:
    whole_match(path, load("buntherum"))
    assert path.read_bytes() == chained(bodies(path))
