"""Damaged records: entries before the damage stay, and the damage is named."""

import logging
import os
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from companion.core.errors import RecordError
from companion.core.limits import RECORD_LINE_BYTES
from companion.core.match import Match
from companion.core.record import Entry
from companion.games import all_games, load
from companion.referee.durable import LostRecordError
from companion.referee.journal import Journal, open_record
from tests.running import Here, whole_match

GAMES = all_games()
GAME = load("buntherum")


class Whole:
    """A whole journal, and where its lines begin."""

    def __init__(self, path: Path) -> None:
        self.match: Match = whole_match(path, GAME, seed="383")  # a short one
        self.data = path.read_bytes()
        self.lines = self.data.splitlines(keepends=True)
        self.head = len(self.lines) - len(self.match.entries)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def line_of(self, place: int) -> int:
        """Return the line of a byte, counted from 1."""
        return next(n for n, (start, end) in enumerate(pairwise(self.starts), 1) if start <= place < end)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return Whole(tmp_path_factory.mktemp("whole") / "whole.record")


def check(path: Path, line: int | None, whole: Whole) -> None:
    """Check that a journal is read up to the damaged `line`, or for None completely."""
    if line is not None and line <= whole.head:
        with pytest.raises(RecordError, match=rf"{path}: cannot read its header, line {line}: "):
            open_record(path, GAMES)
        return
    opened = open_record(path, GAMES)
    kept = len(opened.match.entries)
    assert opened.match.entries == whole.match.entries[:kept]
    assert opened.match.tags == whole.match.tags
    if line is None:
        assert opened.damage is None
        assert whole.starts[whole.head + kept] == path.stat().st_size
    else:
        assert opened.damage
        assert opened.damage.line == line
        assert f"line {line} is damaged" in str(opened.damage.text)
        assert kept == line - whole.head - 1
        assert opened.good_bytes == whole.starts[line - 1]


def check_data(data: bytes, line: int, whole: Whole, folder: Path) -> None:
    path = folder / "damaged.record"
    path.write_bytes(data)
    check(path, line, whole)


# --- Cuts -------------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_cut_at_any_byte_is_found(whole: Whole, tmp_path: Path, soak_count: Callable[..., int]) -> None:
    """Without a soak only near line ends and at every fifth byte."""
    step = 1 if soak_count(2) > 1 else 5
    path = tmp_path / "cut.record"
    path.write_bytes(whole.data)
    complete = whole.starts[whole.head :]
    for cut in reversed(range(len(whole.data))):
        if cut % step and not {cut - 1, cut, cut + 1} & {*whole.starts}:
            continue
        os.truncate(path, cut)
        if cut >= complete[0]:
            check(path, None if cut in complete else whole.line_of(cut), whole)
        else:
            with pytest.raises(RecordError, match=f"{path}: "):
                open_record(path, GAMES)


# --- Flipped bits -----------------------------------------------------------------------------------------


def flipped(data: bytes, *bits: int) -> bytes:
    changed = bytearray(data)
    for bit in bits:
        changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.soak
def test_random_flipped_bits_are_found(whole: Whole, tmp_path: Path, soak_count: Callable[[int], int]) -> None:
    luck = random.Random(2)
    for _ in range(soak_count(20_000)):
        bits = luck.sample(range(8 * len(whole.data)), luck.choice((1, 1, 1, 2, 3, 8)))
        check_data(flipped(whole.data, *bits), whole.line_of(min(bits) // 8), whole, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("line", [1, -1])
def test_every_flipped_bit_of_a_line_is_found(
    line: int, whole: Whole, tmp_path: Path, soak_count: Callable[..., int]
) -> None:
    """Without a soak one bit of each byte."""
    step = 1 if soak_count(2) > 1 else 9
    number = line if line > 0 else len(whole.lines) + 1 + line
    for bit in range(8 * whole.starts[number - 1], 8 * whole.starts[number], step):
        check_data(flipped(whole.data, bit), number, whole, tmp_path)


# --- Misplaced lines --------------------------------------------------------------------------------------


def test_lost_line_is_found(whole: Whole, tmp_path: Path) -> None:
    for gone in range(whole.head, len(whole.lines) - 1):
        lines = whole.lines[:gone] + whole.lines[gone + 1 :]
        check_data(b"".join(lines), gone + 1, whole, tmp_path)


def test_repeated_line_is_found(whole: Whole, tmp_path: Path) -> None:
    for twice in range(whole.head, len(whole.lines)):
        lines = whole.lines[: twice + 1] + whole.lines[twice:]
        check_data(b"".join(lines), twice + 2, whole, tmp_path)


def test_swapped_lines_are_found(whole: Whole, tmp_path: Path) -> None:
    luck = random.Random(3)
    for _ in range(100):
        first, second = sorted(luck.sample(range(whole.head, len(whole.lines)), 2))
        lines = list(whole.lines)
        lines[first], lines[second] = lines[second], lines[first]
        check_data(b"".join(lines), first + 1, whole, tmp_path)


def test_swapped_head_lines_are_found(whole: Whole, tmp_path: Path) -> None:
    first, second, *rest = whole.lines
    check_data(b"".join((second, first, *rest)), 1, whole, tmp_path)


GARBAGE = [
    b"\n",
    b"\0" * 512,
    b"\xff\xfe\n",
    b"41. T nobody\n",
    b"garbage ;00000000\n",
    b'[Seat9 ""]\n',
    b"; a remark\n",
]


@pytest.mark.parametrize("garbage", GARBAGE)
def test_garbage_after_the_last_line_is_found(garbage: bytes, whole: Whole, tmp_path: Path) -> None:
    check_data(whole.data + garbage, len(whole.lines) + 1, whole, tmp_path)


def test_line_of_another_match_is_found(whole: Whole, tmp_path: Path) -> None:
    whole_match(tmp_path / "other" / "other.record", GAME, seed="8")
    other = (tmp_path / "other" / "other.record").read_bytes().splitlines(keepends=True)
    lines = list(whole.lines)
    lines[whole.head + 1] = other[whole.head + 1]
    check_data(b"".join(lines), whole.head + 2, whole, tmp_path)


# --- Resume after damage ----------------------------------------------------------------------------------


@pytest.fixture
def damaged(whole: Whole, tmp_path: Path) -> tuple[Path, int]:
    """A journal damaged in its tenth line from the end, and the length before it."""
    path = tmp_path / "match.record"
    good = whole.starts[-11]
    path.write_bytes(flipped(whole.data, 8 * good + 3))
    return path, good


def test_resume_sets_damaged_rest_aside_and_continues(
    damaged: tuple[Path, int], whole: Whole, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, good = damaged
    before = path.read_bytes()
    with caplog.at_level(logging.WARNING):
        journal, opened = Journal.resume(path, GAMES)
    with journal:
        [aside] = tmp_path.glob("*.damaged")
        assert aside.read_bytes() == before[good:]
        assert aside.stat().st_mode & 0o777 == 0o600
        assert path.read_bytes() == before[:good]
        assert f"line {len(whole.lines) - 9} is damaged" in caplog.text
        assert aside.name in caplog.text
        entry = Entry("undo", 1)
        journal.append(entry)
    again = open_record(path, GAMES)
    assert again.damage is None
    assert again.match.entries == [*opened.match.entries, entry]


def test_saved_damage_is_never_overwritten(damaged: tuple[Path, int], tmp_path: Path) -> None:
    path, good = damaged
    rests = [path.read_bytes()[good:], b"damaged once more\n"]
    Journal.resume(path, GAMES)[0].close()
    path.write_bytes(path.read_bytes() + rests[1])
    Journal.resume(path, GAMES)[0].close()
    assert sorted(aside.read_bytes() for aside in tmp_path.glob("*.damaged")) == sorted(rests)


def test_commands_name_the_damage(
    damaged: tuple[Path, int], whole: Whole, tmp_path: Path, companion_here: Here
) -> None:
    path, _ = damaged
    named = f"{path}: line {len(whole.lines) - 9} is damaged: its seal does not match: it was altered"
    for command in ("replay", "export"):
        done = companion_here(command, path)
        assert done.returncode == 1
        assert named in done.stderr
        assert str(whole.match.entries[-11]).partition(" {")[0] in done.stdout
        assert str(whole.match.entries[-10]).partition(" {")[0] not in done.stdout
    done = companion_here("headless", "buntherum", "--journal", path, "--resume")
    assert done.returncode == 0
    assert named in done.stderr


# --- Records without seals --------------------------------------------------------------------------------


def exported(whole: Whole) -> list[str]:
    return whole.match.dumps().splitlines(keepends=True)


WRONG = [
    ("1. T flip red car", "found move 1, expected move 12"),
    ("12. T flip red karr", "did you mean 'red car'"),
    ("12. T flip purple car", "a card lies open and has not been called"),
    ("12. T flop red car", "did you mean 'flip'"),
    ("12. T flip {", "is not an entry"),
    ("undo 99", "entry 12 (undo 99): cannot take back 99 of 11 moves"),
    ("amend 99. T nobody", "move 99 of 11 does not exist"),
    ("amend 1. T youngest 9", "is not a seat"),
    ('[Seat4 "Dan"]', "is not an entry"),
    ("undo 1" + "0" * 5000, ""),  # longer than Python turns into a number
]


@pytest.mark.parametrize(("line", "why"), WRONG, ids=[line[:20] for line, _ in WRONG])
def test_unsealed_record_is_read_up_to_its_damage(line: str, why: str, whole: Whole, tmp_path: Path) -> None:
    path = tmp_path / "exported.record"
    lines = exported(whole)
    place = next(place for place, text in enumerate(lines) if text.startswith("12. "))
    lines[place] = line + "\n"
    path.write_text("".join(lines), "utf-8")
    opened = open_record(path, GAMES)
    assert opened.damage
    assert opened.damage.line == place + 1
    assert why in str(opened.damage.text)
    assert opened.match.entries == whole.match.entries[:11]


def test_unsealed_record_is_read_up_to_invalid_bytes(whole: Whole, tmp_path: Path) -> None:
    path = tmp_path / "exported.record"
    lines = exported(whole)
    path.write_bytes("".join(lines[:-2]).encode() + b"\xff\n")
    opened = open_record(path, GAMES)
    assert opened.damage
    assert opened.damage.line == len(lines) - 1
    assert opened.match.entries == whole.match.entries[:-2]


def test_undamaged_export_is_the_same_match(whole: Whole, tmp_path: Path) -> None:
    path = tmp_path / "exported.record"
    path.write_text(whole.match.dumps(), "utf-8")
    opened = open_record(path, GAMES)
    assert opened.damage is None
    assert opened.match.dumps() == whole.match.dumps()


# --- Records changed during a match -------------------------------------------------------------------------


def replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.rename(path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (Path.unlink, "this record has been deleted"),
        (replaced, "another file has replaced this record"),
        (lambda path: os.truncate(path, 10), "this record has been cut short"),
        (lambda path: path.write_bytes(path.read_bytes() + b"1"), "another program has written to this record"),
    ],
)
def test_outside_change_of_a_record_is_named(
    change: Callable[[Path], None], why: str, whole: Whole, tmp_path: Path
) -> None:
    path = tmp_path / "match.record"
    path.write_bytes(whole.data)
    with Journal.resume(path, GAMES)[0] as journal:
        change(path)
        with pytest.raises(LostRecordError, match=f"^{path}: {why}$"):
            journal.append(Entry("undo", 1))


@pytest.mark.parametrize("more", [0, 1])
def test_line_is_read_up_to_its_maximum_length(more: int, whole: Whole, tmp_path: Path) -> None:
    path = tmp_path / "exported.record"
    *head, last = exported(whole)
    body = last.partition(" {")[0].rstrip()
    filling = "x" * (RECORD_LINE_BYTES + more - len(body) - len(" {}"))
    path.write_text("".join([*head, f"{body} {{{filling}}}\n"]), "utf-8")
    damage = open_record(path, GAMES).damage
    told = damage and str(damage.text).partition(": ")[2].partition(".")[0]
    assert told == (f"it is over the limit of {RECORD_LINE_BYTES} bytes" if more else None)
