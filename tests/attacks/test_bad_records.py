"""Damaged and forged records are reported with a reason, and others stay usable."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.core import limits
from companion.core.console import BUZZ
from companion.core.errors import BoxError, CompanionError, RecordError
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.rules import Outcome
from companion.core.text import msg
from companion.games import all_games, load
from companion.games.buro_crazy import rules as broken_rules
from companion.games.buro_crazy.rules.change import worth
from companion.games.buro_crazy.rules.refill import best_for
from companion.match.new_match import new_match
from companion.records.history import interrupted, kept
from companion.records.stats import statistics
from companion.referee.journal import Journal, open_record
from tests.forged import bodies, chained
from tests.host_bench import Bench, dropped
from tests.running import Here, robot_table, whole_match

GAMES = all_games()
GAME = load("buntherum")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "companion" / "matches"
    whole_match(folder / "2026-01-02-180000-buntherum.record", GAME)
    return folder


@pytest.fixture
def broken_game(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    """The newest record, whose game fails on replay."""
    path = folder / "2026-01-03-180000-buro_crazy.record"
    robot_table(load("buro_crazy"), "7", journal=path)

    def apply(*_: object) -> object:
        raise KeyError(20)

    monkeypatch.setattr(broken_rules, "apply", apply)
    return path


# --- One bad record beside good ones ----------------------------------------------------------------------


def pipe(path: Path) -> None:
    os.mkfifo(path)


HEAD = '[Format "1"]\n[Game "buntherum"]\n[Seat1 "A"]\n[Seat2 "B"]\n[Box "a = '


def nested_box(path: Path) -> None:
    path.write_text(HEAD + "[" * 20_000 + '"]\n')


def long_number(path: Path) -> None:
    path.write_text(HEAD + "9" * 20_000 + '"]\n')


def a_folder(path: Path) -> None:
    path.mkdir()


def zeros(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1_000_000_000)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


BAD = [pipe, nested_box, long_number, a_folder, zeros, device]


@pytest.mark.parametrize("bad", BAD)
def test_bad_record_does_not_hide_the_others(folder: Path, bad, companion_here: Here) -> None:
    name = "2026-01-09-180000-bad"
    bad(folder / f"{name}.record")
    listed = companion_here("history")
    assert listed.returncode == 0
    first, second = listed.stdout.splitlines()
    assert "Anna, Ben, Cleo" in first
    assert name in second
    assert len(second) < limits.SENTENCE_SIGNS + 200
    assert "1 match" in companion_here("stats").stdout
    replayed = companion_here("replay", "last")
    assert replayed.returncode == 0
    assert name in replayed.stderr
    assert "Anna" in replayed.stdout


def test_game_failing_on_replay_hides_no_other_record(broken_game: Path, companion_here: Here) -> None:
    lines = companion_here("history").stdout.splitlines()
    assert len(lines) == 2
    assert lines[1].endswith("(damaged)")
    done = companion_here("replay", broken_game)
    assert done.returncode == 1
    assert "the game crashed (KeyError)" in done.stderr
    assert "1 match" in companion_here("stats").stdout


def test_game_with_an_impossible_winner_hides_no_record(
    folder: Path, monkeypatch: pytest.MonkeyPatch, companion_here: Here
) -> None:
    robot_table(load("buro_crazy"), "7", journal=folder / "2026-01-03-180000-buro_crazy.record")
    monkeypatch.setattr(broken_rules, "outcome", lambda _: Outcome(((Seat(9),),), msg("nobody knows")))
    assert "the game crashed on this record (IndexError)" in companion_here("history").stdout
    assert "1 match" in companion_here("stats").stdout


def test_bad_records_do_not_stop_a_table(broken_game: Path, folder: Path, caplog) -> None:
    for number, bad in enumerate(BAD):
        bad(folder / f"2026-02-0{number + 1}-180000-bad.record")
    bench = Bench(folder)
    bench.press(0, BUZZ)
    bench.press(1, BUZZ, "#", "1", "1")
    assert bench.until(lambda: bench.host.session is not None)
    caplog.clear()


# --- Interrupted matches ----------------------------------------------------------------------------------


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """An interrupted match, dated before all others."""
    bench = Bench(tmp_path)
    bench.play()
    path = dropped(bench)
    return path.rename(tmp_path / "2001-01-01-000000-buntherum.record")


def test_interrupted_match_is_offered_despite_later_names(begun: Path) -> None:
    whole_match(begun.with_name("2026-01-02-180000-buntherum.record"), GAME)
    assert Bench(begun.parent).menu.title == "A match was interrupted"


def test_interrupted_match_is_offered_despite_unreadable_records(begun: Path, caplog) -> None:
    (begun.with_name("2026-01-02-180000-buntherum.record")).write_bytes(b"\x00\xff no record\n")
    assert Bench(begun.parent).menu.title == "A match was interrupted"
    assert "2026-01-02-180000-buntherum.record" in caplog.text
    found = interrupted(begun.parent, GAMES)
    assert found
    assert found[0] == begun


# --- A record that changes during its match ---------------------------------------------------------------


def deleted(path: Path) -> None:
    path.unlink()


def truncated(path: Path) -> None:
    os.truncate(path, 100)


def replaced(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.rename(path)


def added_to(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write("1. T nobody\n")


@pytest.mark.parametrize(
    ("attack", "why"),
    [
        (deleted, "this record has been deleted"),
        (truncated, "this record has been cut short"),
        (replaced, "another file has replaced this record"),
        (added_to, "another program has written to this record"),
    ],
)
def test_tampered_record_pauses_the_match_without_loss(tmp_path: Path, attack, why: str) -> None:
    bench = Bench(tmp_path)
    bench.play()
    played = bench.match.length
    attack(bench.records[-1])
    bench.press(1, BUZZ)
    assert bench.menu.title == "This match cannot be saved"
    assert why in bench.menu.detail
    bench.take("Try again")
    bench.take("Go on")
    bench.press(1, BUZZ)
    assert bench.view.caller == 1
    assert max(open_lengths(tmp_path)) > played


def open_lengths(folder: Path) -> Iterator[int]:
    for path in folder.glob("*.record"):
        with suppress(CompanionError):
            yield open_record(path, GAMES).match.length


def test_refused_move_left_on_disk_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk refuses both the flush and the truncation, so the sealed line remains."""
    bench = Bench(tmp_path)
    bench.play()
    length = bench.match.length

    def refuse(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(os, "fdatasync", refuse)
        broken.setattr(os, "ftruncate", refuse)
        bench.press(1, BUZZ)
        assert bench.menu.title == "This match cannot be saved"
        assert bench.match.length == length + 1, "the disk has taken it"
    bench.take("Try again")
    assert bench.match.length == length
    assert "the disk refused it" not in bench.menu.detail


def test_refused_first_move_left_on_disk_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    whole_match(path, load("buntherum"))
    head = [line for line in path.read_bytes().splitlines(keepends=True) if line.startswith(b"[")]
    journal, opened = Journal.resume(path, GAMES, 0)
    journal.close()
    assert not opened.match.entries
    assert opened.damage
    assert str(opened.damage.why) == "the disk refused it"
    assert path.read_bytes() == b"".join(head)


# --- Seals, numbers, sizes --------------------------------------------------------------------------------


def test_truncated_first_seal_does_not_disable_the_others(folder: Path) -> None:
    [path] = folder.glob("*.record")
    first, *rest = path.read_bytes().splitlines(keepends=True)
    altered = [line.replace(b"T flip", b"T flop") for line in rest]
    path.write_bytes(first[:-2] + b"\n" + b"".join(altered))
    with pytest.raises(RecordError, match="cannot read its header, line 1"):
        Journal.resume(path, GAMES)
    assert b"flop" in path.read_bytes(), "nothing is sealed again"


def test_evidence_of_an_empty_seat_is_ignored(folder: Path, companion_here: Here) -> None:
    [path] = folder.glob("*.record")
    lines = bodies(path)
    place = next(place for place, line in enumerate(lines) if "call=" in line)
    lines[place] = lines[place].replace("call=", "call=5:buzz@1+-1 call=", 1)
    path.write_bytes(chained(lines))
    assert open_record(path, GAMES).damage is None
    assert companion_here("stats").returncode == 0
    assert statistics(kept(folder, GAMES)).matches == 1


@pytest.mark.parametrize("tag", ["Ruling.tie_margin_ms", "Places"])
def test_huge_number_in_a_record_prints_one_line(folder: Path, tag: str, companion_here: Here) -> None:
    [path] = folder.glob("*.record")
    lines = [line for line in bodies(path) if not line.startswith(f"[{tag} ")]
    lines.insert(2, f'[{tag} "{"9" * 5_000}"]')
    path.write_bytes(chained(lines))
    done = companion_here("history")
    assert done.returncode == 0
    assert len(done.stdout) < limits.SENTENCE_SIGNS + 200
    assert "internal error" not in companion_here("replay", path).stderr


def test_oversized_record_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.record"
    zeros(path)
    with pytest.raises(CompanionError, match=f"over the limit of {limits.RECORD_BYTES} bytes"):
        open_record(path, GAMES)


def test_endless_corrections_are_read_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "amended.record"
    match = whole_match(path, GAME)
    lines = [*bodies(path), *[f"amend 1. {match.entries[0].move}"] * 19_000]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    opened = open_record(path, GAMES)
    assert opened.damage
    assert "replay more than" in str(opened.damage.text)
    one_more = (
        match.length + match.length // 10
    )  # the limit is checked before each entry, with its replayed and rescanned moves
    assert opened.match.effort <= limits.REPLAYED_MOVES + one_more


def test_box_of_a_billion_cards_is_refused(tmp_path: Path) -> None:
    box = GAME.box_text.partition("[deck]")[0] + (
        '[deck]\ncards = [{object = "car", colour = "red", count = 1000000000}]\n'
    )
    match = new_match(GAME, ("Anna", "Ben"))
    path = tmp_path / "box.record"
    Journal.create(path, match).close()
    tags = Match(GAME, ("Anna", "Ben")).tags | {"Box": box}
    path.write_text("".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items()), "utf-8")
    with pytest.raises(RecordError, match="allowed: a whole number from 1 to 99"):
        open_record(path, GAMES)


def test_kitchen_of_998_points_is_refused() -> None:
    game = load("buro_crazy")
    box = game.box_text.replace("ground = 60", "ground = 998")
    with pytest.raises(BoxError, match=r"kitchen.targets.ground: 998; allowed: a whole number from 0 to 200"):
        game.read_box(box, "box.toml")


def test_deck_of_138600_cards_is_refused() -> None:
    listed = '{object = "car", colour = "red", count = 99},\n' * 1_400
    with pytest.raises(BoxError, match="138600 cards; allowed: 500 at most"):
        GAME.read_box(f"{GAME.box_text.partition('[deck]')[0]}[deck]\ncards = [\n{listed}]\n", "box.toml")


def test_search_for_a_refill_takes_bounded_time() -> None:
    values, stock = (1, 2, 5, 10, 20), (0, 100, 100, 100, 5)
    began_s = time.process_time()
    chosen = best_for(998, (0, 0, 0, 0, 0), stock, (0, 80, 80, 0, 0), values)
    assert chosen is not None
    assert worth(chosen, values) == 998
    assert time.process_time() - began_s < 2


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def test_script_cannot_make_a_contact_bounce_for_seconds(tmp_path: Path, companion_here: Here) -> None:
    done = companion_here("headless", "buntherum", stdin="1 seat 1 fault bounce 9999\n")
    assert done.returncode == 2
    assert "line 1: '9999'; allowed: a whole number from 0 to 100" in done.stderr


def test_search_for_an_interrupted_match_is_bounded(tmp_path: Path, caplog) -> None:
    path = tmp_path / "2026-01-01-000000-buntherum.record"
    first = whole_match(path, GAME).entries[0].move
    amended = "\n".join([*bodies(path), *[f"amend 1. {first}"] * 1_000])
    for day in range(1, 20):
        path.with_name(f"2026-02-{day:02}-000000-buntherum.record").write_text(amended, "utf-8")
    assert interrupted(tmp_path, GAMES) is None
    assert "no match is looked for any further" in caplog.text
