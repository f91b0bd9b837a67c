"""The index beside the records, which gives the same statistics."""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.limits import RECORD_BYTES
from companion.games import all_games, load
from companion.match.new_match import new_match
from companion.match.robots import bots_named
from companion.match.virtual_table import VirtualTable
from companion.records import index
from companion.records.evening_out import LEAST, NEWEST
from companion.records.facts import facts_of, from_json
from companion.records.history import kept
from companion.records.stats import Counted, Statistics, statistics
from companion.referee.journal import Journal
from tests.running import Here
from tests.stats_matches import by_kind, play
from tests.stats_matches import played as robots_played


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight robot matches, two of each game, and a damaged record."""
    where = tmp_path_factory.mktemp("matches")
    assert len(list(play(where, 8))) == 8
    first = min(where.glob("*.record"))
    (where / "zz.record").write_bytes(first.read_bytes()[:-30])
    return where


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path / "table")
    return tmp_path / "table"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the records opened from now on."""
    names: list[str] = []
    open_record = index.open_record

    def spy(path: Path, games: object) -> object:
        names.append(path.name)
        return open_record(path, games)

    monkeypatch.setattr(index, "open_record", spy)
    return names


def plain(folder: Path) -> Statistics:
    return statistics(kept(folder, all_games()))


def test_facts_survive_json(played: Path) -> None:
    for each in kept(played, all_games()):
        facts = facts_of(each.opened.match)
        assert from_json(json.loads(json.dumps(facts))) == facts


def test_index_matches_the_records_and_opens_each_once(folder: Path, opened: list[str]) -> None:
    whole = {path.name for path in folder.glob("*.record")}
    assert index.statistics([folder], all_games()) == plain(folder)
    assert sorted(opened) == sorted(whole)
    opened.clear()
    assert index.statistics([folder], all_games()) == plain(folder)
    assert opened == ["zz.record"], "a damaged one may have been mended"
    assert index.statistics([folder], all_games(), "buntherum") == statistics(
        kept(folder, all_games()), "buntherum"
    )


def test_index_follows_changed_and_deleted_records(folder: Path, opened: list[str]) -> None:
    index.statistics([folder], all_games())
    opened.clear()
    changed, gone, *_ = sorted(folder.glob("*.record"))
    was, data = changed.stat(), changed.read_bytes()
    changed.write_bytes(data.replace(b"Anna", b"Anne"))
    os.utime(changed, ns=(was.st_atime_ns, was.st_mtime_ns))  # same size and modification time
    gone.unlink()
    found = index.statistics([folder], all_games())
    assert found == plain(folder)
    assert sorted(opened) == [changed.name, "zz.record"]
    assert changed.stem in {each.name for each in found.damaged}, "its seals do not fit"


def damage(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:64] + b"\xff" * 3000 + data[3064:])


def forge(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("update records set said = '[5, {}]'")
    other.close()


def age(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("update records set said = 'of an older version'")
        other.execute("pragma user_version = 9999")
    other.close()


@pytest.mark.parametrize(
    "harm",
    [
        Path.unlink,
        damage,
        forge,
        age,
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"not SQLite at all" * 99),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
    ],
)
def test_unusable_index_is_rebuilt(folder: Path, opened: list[str], harm: Callable[[Path], None]) -> None:
    index.statistics([folder], all_games())
    harm(folder / index.NAME)
    assert index.statistics([folder], all_games()) == plain(folder)
    opened.clear()
    assert index.statistics([folder], all_games()) == plain(folder)
    assert opened == ["zz.record"]


def replaced(path: Path, *statements: str) -> None:
    """Replace an index by another database of the same version."""
    path.unlink()
    with sqlite3.connect(path) as other:
        for statement in (f"pragma user_version = {index.FORMAT}", *statements):
            other.execute(statement)
    other.close()


ENDLESS = "create view records as with recursive c(x) as (select 1 union all select x + 1 from c) select {} from c"


@pytest.mark.parametrize(
    "statements",
    [
        [ENDLESS.format("'zz' as name, 's' || x as stamp, x as said")],
        ["create table records (name, stamp, said)"],
        [
            f"create table {index._COLUMNS}",
            "create trigger t after insert on records begin delete from records; end",
        ],
    ],
    ids=["a view", "another table", "a trigger"],
)
def test_index_with_views_or_triggers_is_rebuilt(folder: Path, opened: list[str], statements: list[str]) -> None:
    index.statistics([folder], all_games())
    replaced(folder / index.NAME, *statements)
    assert index.statistics([folder], all_games()) == plain(folder)
    opened.clear()
    assert index.statistics([folder], all_games()) == plain(folder)
    assert opened == ["zz.record"]


def of_no_match(found: list[Any]) -> Iterator[list[Any]]:
    """Yield facts with one wrong value each."""
    seats = len(found[1])
    values = ("x", 7, -1, [7], [], [[]], {}, None, True, 1.5, [[1, [9], True, True, [], []]])
    for place in range(len(found)):
        for value in (*values, [seats], ["x"] * seats):
            yield [*found[:place], value, *found[place + 1 :]]


def test_impossible_facts_are_refused_or_harmless(played: Path) -> None:
    facts = next(facts_of(each.opened.match) for each in kept(played, all_games()) if not each.opened.damage)
    refused = 0
    for found in of_no_match(json.loads(json.dumps(facts))):
        try:
            read = from_json(found)
        except (TypeError, ValueError):
            refused += 1
            continue
        counted = Counted()
        counted.count_facts("a", read, "A game")
        assert counted.statistics()
    assert refused > 50


def test_deeply_nested_index_entry_is_ignored(folder: Path) -> None:
    index.statistics([folder], all_games())
    with sqlite3.connect(folder / index.NAME) as other:
        other.execute("update records set said = ?", ("[" * 100_000,))
    other.close()
    assert index.statistics([folder], all_games()) == plain(folder)


def test_oversized_index_entry_is_not_read(folder: Path, opened: list[str]) -> None:
    index.statistics([folder], all_games())
    with sqlite3.connect(folder / index.NAME) as other:
        padded = f"said || printf('%{RECORD_BYTES}s', '')"
        other.execute(f"update records set said = {padded} where name = (select min(name) from records)")
    other.close()
    opened.clear()
    assert index.statistics([folder], all_games()) == plain(folder)
    assert sorted(opened) == [min(path.name for path in folder.glob("*.record")), "zz.record"]


def test_record_with_an_undecodable_name_counts(folder: Path, opened: list[str]) -> None:
    first = min(folder.glob("*.record"))
    for name in (b"2026-\xff\xfe", b"2027-\xff"):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name + b".record")).write_bytes(first.read_bytes())
    Path(os.fsdecode(os.fsencode(folder) + b"/2028-\xff.record")).write_bytes(b"no record")
    assert index.statistics([folder], all_games()) == plain(folder)
    opened.clear()
    assert index.statistics([folder], all_games()) == plain(folder)
    assert sorted(opened) == ["2028-\udcff.record", "zz.record"]


def test_progress_is_reported_early(folder: Path) -> None:
    first = min(folder.glob("*.record"))
    for number in range(60):
        shutil.copy(first, folder / f"a{number}.record")
    told: list[tuple[int, int]] = []
    index.statistics([folder], all_games(), progress=lambda done, total: told.append((done, total)))
    total = len([*folder.glob("*.record")])
    assert told == [(50, total), (total, total)]
    told.clear()
    (folder / "alone").mkdir()
    shutil.copy(first, folder / "alone")
    index.statistics([folder / "alone"], all_games(), progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 1)]


def test_unwritable_index_falls_back_to_the_records(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    other = tmp_path / "other.txt"
    other.write_text("of somebody else")
    (folder / index.NAME).symlink_to(other)
    assert index.statistics([folder], all_games()) == plain(folder)
    assert "the index cannot be used" in caplog.text
    assert other.read_text() == "of somebody else"
    assert not list(Path().iterdir()), "nothing is left elsewhere"


@pytest.mark.parametrize("lock", ["exclusive", "immediate"])
def test_locked_index_falls_back_to_the_records(
    folder: Path, lock: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    index.statistics([folder], all_games())
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **kwargs: connect(*args, **kwargs | {"timeout": 0}))
    other = connect(folder / index.NAME, isolation_level=None)
    other.execute(f"begin {lock}")
    assert index.statistics([folder], all_games()) == plain(folder)
    assert caplog.messages == [f"{folder / index.NAME}: the index cannot be used: database is locked"]
    other.execute("rollback")
    other.close()


def test_several_folders_count_together_and_duplicates_once(played: Path, companion_here: Here) -> None:
    here = Path.cwd()
    tables = [here / "one", here / "two"]
    for number, path in enumerate(sorted(played.glob("*.record"))):
        table = tables[number % 2]
        table.mkdir(exist_ok=True)
        shutil.copy(path, table)
    done = companion_here("stats", "--from", *tables, tables[0], "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found, together = json.loads(done.stdout), plain(played)
    assert found["matches"] == together.matches
    assert found["players"] == json.loads(companion_here("stats", "--folder", played, "--json").stdout)["players"]
    assert [each["name"] for each in found["damaged"]] == ["zz"]
    done = companion_here("stats", "--from", here / "three")
    assert (done.returncode, done.stdout) == (2, "")
    assert "three: there is no such folder" in done.stderr


@pytest.mark.parametrize("kind", ["one folder", "two folders"])
def test_copies_of_a_match_count_once(played: Path, tmp_path: Path, kind: str) -> None:
    table, stick = tmp_path / "table", tmp_path / "stick"
    for path in played.glob("20*.record"):
        other = table if kind == "one folder" else stick
        for folder, name in (table, path.name), (other, f"copy of {path.name}"):
            folder.mkdir(exist_ok=True)
            shutil.copy(path, folder / name)
    once, folders = plain(played), [table] if kind == "one folder" else [table, stick]
    for _ in ("anew", "from the index"):
        found = index.statistics(folders, all_games())
        assert found.matches == 8
        assert (found.players, found.reactions) == (once.players, once.reactions)
    if kind == "one folder":
        assert plain(table) == found


def begun_with_a_drawn_seed(path: Path, *, demo: bool = False) -> bytes:
    """Play a match of robots into a record; return its bytes without the last entry."""
    match = new_match(load("boese_buben"), ["Anna", "Ben"], demo=demo)
    with Journal.create(path, match) as store:
        table = VirtualTable(match, store)
        table.seat_robots(bots_named(match.game, ["random", "random"], 2), "7")
        table.start()
        table.run()
    return path.read_bytes().rpartition(b"\n")[0].rpartition(b"\n")[0] + b"\n"


def test_unfinished_copy_of_a_finished_match_is_ignored(tmp_path: Path) -> None:
    table, stick = tmp_path / "table", tmp_path / "stick"
    table.mkdir()
    stick.mkdir()
    for name, demo in ("a", False), ("b", False), ("show", True):
        (stick / f"{name}.record").write_bytes(begun_with_a_drawn_seed(table / f"{name}.record", demo=demo))
    for folders in ([table, stick], [stick, table]):
        found = index.statistics(folders, all_games())
        assert (found.matches, found.unfinished, found.demos, found.damaged) == (2, 0, 1, ())
    found = index.statistics([stick], all_games())
    assert (found.matches, found.unfinished, found.demos, found.damaged) == (0, 2, 1, ())


def test_untouched_matches_of_real_cards_are_not_copies(tmp_path: Path) -> None:
    for name in "ab":
        match = new_match(load("boese_buben"), ["Anna", "Ben"], deal="table")
        Journal.create(tmp_path / f"{name}.record", match).close()
    assert index.statistics([tmp_path], all_games()).unfinished == 2


def test_newest_matches_do_not_depend_on_folder_order(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, year, names in (old, 2025, ("Anna", "Ben")), (new, 2026, ("Ben", "Anna")):
        for number, match in enumerate(map(by_kind, robots_played(tmp_path / f"{year}", "boese_buben", LEAST))):
            text = match.dumps()
            for kind, name in zip(("Anna", "Ben"), names, strict=True):
                text = text.replace(f' "{kind}"]', f' "{name}!"]')
            folder.mkdir(exist_ok=True)
            for copy in range(NEWEST // LEAST):
                name = f"{year}-01-{1 + copy:02}-{number:02}0000-boese_buben.record"
                another = text.replace('[Seed "', f'[Seed "{copy} of ').replace('!"]', '"]')
                (folder / name).write_text(another, "utf-8")
    [proposal] = index.statistics([old, new], all_games()).games[0].proposals
    assert (proposal.who, proposal.matches) == ("Anna", NEWEST)
    assert index.statistics([new, old], all_games()) == index.statistics([old, new], all_games())
