"""A tournament file that was cut off or killed leads to the same end, and damage is located."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest.mock import Mock

import pytest

from companion.cli import simulate
from companion.club.ledger import Ledger, printed, read
from companion.club.schedule import Finished, from_records
from companion.club.tournament import Left, Tables
from companion.core.errors import RecordError
from companion.games import all_games, load
from companion.referee import durable
from companion.referee.durable import JournalError
from tests.club.evenings_of_robots import GAME, begun, by_lot, plan, played_on

SMALL = plan(4, 1, seats=2, rounds=2)


class Killed(BaseException):
    """The machine stops."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = begun(tmp_path_factory.mktemp("whole") / "small.club", SMALL)
    played_on(path)
    return path


@pytest.mark.soak
def test_truncated_tournament_comes_to_the_same_end(
    whole: Path, tmp_path: Path, soak_count: Callable[..., int]
) -> None:
    """Outside a soak, cut at line ends and at every fifth byte."""
    step = 1 if soak_count(2) > 1 else 5
    data, end = whole.read_bytes(), read(whole).standings()
    head = data.index(b"\n") + 1
    for cut in range(len(data)):
        if cut % step and b"\n" not in data[max(0, cut - 2) : cut + 1]:
            continue
        path = tmp_path / f"{cut}.club"
        path.write_bytes(data[:cut])
        if cut < head:
            with pytest.raises(RecordError, match="not a tournament file"):
                Ledger.open(path)
            assert path.read_bytes() == data[:cut]
        else:
            assert played_on(path).standings() == end
            assert path.read_bytes() == data
            torn = data[data.rindex(b"\n", 0, cut) + 1 : cut]
            aside = path.with_name(f"{path.name}.1.damaged")
            assert (aside.read_bytes() if aside.exists() else b"") == torn


def test_every_altered_byte_is_found(whole: Path, tmp_path: Path) -> None:
    data, path = whole.read_bytes(), tmp_path / "altered.club"
    for place in range(len(data) - 1):  # without its last byte the last line is torn, not altered
        altered = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        path.write_bytes(altered)
        line = data.count(b"\n", 0, place) + 1
        with pytest.raises(RecordError, match=rf"altered.club: line {line} is damaged: "):
            Ledger.open(path)
        assert path.read_bytes() == altered


def kills(monkeypatch: pytest.MonkeyPatch, at: Callable[[int], int | None]) -> None:
    """Stop the machine at the writes for which `at` returns a number of bytes, whole lines among them."""
    write_all, count = durable.write_all, iter(range(1_000_000))

    def write(fd: int, data: bytes, offset: int) -> None:
        kept = at(next(count))
        write_all(fd, data if kept is None else data[:kept], offset)
        if kept is not None:
            raise Killed

    monkeypatch.setattr(durable, "write_all", write)


def played_through_kills(
    path: Path, play: Callable[[Sequence[str], str], Finished] = by_lot
) -> tuple[int, list[object]]:
    """Continue after each kill; return the number of kills and the standings."""
    for count in range(1_000_000):
        try:
            return count, list(played_on(path, play).standings())
        except Killed:
            pass
    raise AssertionError


def test_kills_during_writes_change_nothing(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    end, luck = read(whole).standings(), random.Random(5)
    path = begun(tmp_path / "killed.club", SMALL)
    lines = whole.read_bytes().count(b"\n") - 1
    kills(monkeypatch, lambda number: luck.choice((0, 1, 20, 10_000)) if number % 2 == 0 else None)
    count, standings = played_through_kills(path)
    assert standings == end
    assert count >= lines // 2


def test_full_hall_survives_50_kills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Robots play each match once; after a kill the same records are found again."""
    game, there = load(GAME), dict[tuple[str, ...], Finished]()

    def play(names: Sequence[str], match: str) -> Finished:
        key = (*names, match)
        if key not in there:
            folder = tmp_path / str(len(there))
            kinds = ("random",) * len(names)
            list(simulate.run(simulate.Simulation(game, tuple(names), kinds, game.rulings(), match, folder), 1))
            [found], damaged = from_records([folder], all_games())
            assert not damaged
            there[key] = found._replace(match=match)
        return there[key]

    wanted = plan(64, 16)
    quiet = played_on(begun(tmp_path / "quiet.club", wanted), play)
    assert [len(each.results) for each in quiet.rounds] == [16] * wanted.rounds
    played = len(there)
    assert played == 16 * wanted.rounds

    path, luck = begun(tmp_path / "killed.club", wanted), random.Random(64)
    at = set(luck.sample(range(100), 50))
    kills(monkeypatch, lambda number: luck.randrange(200) if number in at else None)
    count, standings = played_through_kills(path, play)
    assert (count, standings) == (50, quiet.standings())
    assert read(path).standings() == quiet.standings()
    assert len(there) == played, "each match was played once"


CHILD = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from tests.club.evenings_of_robots import played_on
sync, syncs = os.fdatasync, 0

def killed(fd):
    global syncs
    syncs += 1
    if syncs == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    sync(fd)

os.fdatasync, status = killed, 1
while status:
    if not (child := os.fork()):
        played_on(Path(sys.argv[2]))
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    print(status)
"""


def test_next_process_continues_after_a_kill(tmp_path: Path) -> None:
    wanted = plan(16, 3)
    end = played_on(begun(tmp_path / "quiet.club", wanted)).standings()
    path = begun(tmp_path / "killed.club", wanted)
    words = [sys.executable, "-c", CHILD, str(Path(__file__).parent), str(path)]
    done = subprocess.run(words, check=True, timeout=60, capture_output=True)
    *killed, ended = map(int, done.stdout.split())
    assert (set(killed), ended) == ({signal.SIGKILL}, 0)
    assert len(killed) == (path.read_bytes().count(b"\n") - 1) // 3
    assert read(path).standings() == end


def test_second_program_cannot_open_the_tournament(tmp_path: Path) -> None:
    path = begun(tmp_path / "one.club", SMALL)
    with Ledger.open(path):
        with pytest.raises(JournalError, match="another program is using this record"):
            Ledger.open(path)
        assert read(path).plan == SMALL
    Ledger.open(path).close()


def test_event_refused_by_a_full_disk_never_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = begun(tmp_path / "full.club", SMALL)
    before = path.read_bytes()
    with Ledger.open(path) as ledger:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fdatasync", Mock(side_effect=OSError(28, "No space left on device")))
            with pytest.raises(JournalError, match=r"full.club: No space left on device"):
                ledger.take(Left("Player 1"))
        assert (path.read_bytes(), ledger.tournament.left) == (before, set())
        ledger.take(Left("Player 2"))
    assert read(path).left == {"Player 2"}


def test_sealed_line_without_an_event_is_located(tmp_path: Path) -> None:
    for body in ("[]", '{"event":"left"}', '{"event":"tables","tables":5}', '{"event":"result","round":"x"}', "{"):
        path = begun(tmp_path / "forged.club", SMALL)
        with Ledger.open(path) as ledger:
            ledger._file.write(body)  # which needs the file's internals
        with pytest.raises(RecordError, match=r"forged.club: line 2 is damaged: "):
            read(path)
        path.unlink()


def test_events_are_unchanged_after_reading(tmp_path: Path) -> None:
    path = begun(tmp_path / "again.club", SMALL)
    with Ledger.open(path) as ledger:
        ledger.take(Tables(("Küche", "B")))
        ledger.take(Left("Player 3"))
    found = read(path)
    assert (found.tables, found.left, found.plan) == (("Küche", "B"), {"Player 3"}, SMALL)
    assert path.read_text("utf-8").splitlines()[1].startswith(printed(Tables(("Küche", "B"))))
