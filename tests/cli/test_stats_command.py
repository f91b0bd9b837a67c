"""`companion stats`: tables that fit a terminal, documented JSON and named damage."""

import json
import re
from pathlib import Path

import pytest

from companion.core.text import Text
from companion.games import all_games
from companion.records.history import kept
from companion.records.stats import GameStatistics, Statistics, statistics
from companion.records.stats_text import advantage, report, to_json
from tests.running import Here
from tests.stats_matches import Hand, by_kind, play, played, tiny

DOCS = Path(__file__).parents[2] / "docs"
WIDE = 80
MATCHES = 3 * len(all_games())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("matches")
    assert len(list(play(where, MATCHES))) == MATCHES
    return where


@pytest.fixture(scope="module")
def found(folder: Path) -> Statistics:
    return statistics(kept(folder, all_games()))


# --- Text -------------------------------------------------------------------------------------------------


def test_report_covers_every_game_and_changes_nothing(folder: Path, companion_here: Here) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = companion_here("stats", "--folder", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("hall of fame\nMost wins ")
    assert f"\n\n{MATCHES} matches, " in done.stdout
    for game in all_games().values():
        assert re.search(rf"^{game.title} +3 +0 ", done.stdout, re.MULTILINE)
        assert f"wins by seat, {game.title}\n" in done.stdout
    for part in ("wins by player", "calls, seconds after the card", "the closest", "calls judged"):
        assert part in done.stdout
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_report_fits_a_terminal(found: Statistics, folder: Path) -> None:
    names = ("Maximilienne-Alexandrine von und zu", "Ben")
    hand = Hand(names, tiny()).call((0, 300, 0.2), (1, 300.1, 0.2)).call((0, 300, 0.2), (1, 302, 0.2)).over(0)
    every = [hand.kept("2026-01-01-200000-de_et_boulanger-12")] * 60
    for statistic in (found, statistics(every)):
        lines = report(statistic, folder).splitlines()
        assert [line for line in lines if len(line) > WIDE] == []
        assert [line for line in lines if line != line.rstrip()] == []


def test_report_is_limited_to_one_game(folder: Path, companion_here: Here) -> None:
    done = companion_here("stats", "buntherum", "--folder", folder)
    assert "\n\n3 matches, " in done.stdout
    assert "Dé et Boulanger" not in done.stdout


def test_default_folder_is_the_tables(folder: Path, tmp_path: Path, companion_here: Here) -> None:
    table = tmp_path / "table.toml"
    table.write_text(f'[journal]\nfolder = "{folder}"\n')
    done = companion_here("stats", "--table", table)
    assert f"\n\n{MATCHES} matches, " in done.stdout
    assert done.stdout == companion_here("stats", "--folder", folder).stdout


def test_report_without_matches_says_so(tmp_path: Path, companion_here: Here) -> None:
    (tmp_path / "empty").mkdir()
    for words in ((), ("--folder", "empty"), ("--pictures", "drawn")):
        done = companion_here("stats", *words)
        assert (done.returncode, done.stderr) == (0, "")
        assert re.fullmatch(r"\S+ contains no matches yet; play one to see who won\n", done.stdout)


def test_demos_are_counted_only_on_request(companion_here: Here) -> None:
    assert companion_here("demo", "buro_crazy", "--seed", "7").returncode == 0
    done = companion_here("stats")
    assert done.stdout.endswith(" has only a robot demo match; --demos counts it\n")
    assert "\n\n1 match, " in companion_here("stats", "--demos").stdout


def test_unfinished_matches_are_counted_apart(tmp_path: Path) -> None:
    text = report(statistics([Hand().kept()]), tmp_path)
    assert text.splitlines()[0] == "0 matches, 0 min 00 s played, 1 not finished"
    assert re.search(r"^Tiny +0 +1 +– +– +–$", text, re.MULTILINE)


def test_damaged_record_is_named_and_skipped(folder: Path, tmp_path: Path, companion_here: Here) -> None:
    torn, *others = sorted(folder.glob("*.record"))
    for path in others:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / torn.name).write_bytes(torn.read_bytes()[:-5])
    (tmp_path / "milk.record").write_text("milk\n")
    done = companion_here("stats", "--folder", tmp_path)
    assert done.returncode == 0
    assert f"\n\n{MATCHES - 1} matches, " in done.stdout
    last = len(torn.read_bytes().splitlines())
    assert done.stdout.endswith(f"  {torn.stem}: line {last}\n  milk: cannot be read\n")
    unknown = report(statistics(kept(tmp_path, {})), tmp_path)
    assert unknown.startswith("0 matches, 0 min 00 s played, 0 not finished\n\ndamaged and ")
    assert unknown.count("cannot be read") == MATCHES + 1


def test_mistyped_arguments_are_reported(tmp_path: Path, companion_here: Here) -> None:
    for words, said in ((("buntherun",), "did you mean 'buntherum'?"), (("--pictrues", "x"), "--pictures?")):
        done = companion_here("stats", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
    (tmp_path / "file").touch()
    (tmp_path / "table.toml").touch()
    for words, status, said in (
        (("--pictures", "file"), 2, "--pictures file: this is a file; name a folder"),
        (("--folder", "file"), 2, "--folder file: this is a file; name a folder"),
        (
            ("--club", "table.toml"),
            2,
            "table.toml: [club]: broker is empty; enter the address of the club's broker",
        ),
        (("--folder", "nowhere"), 2, "--folder nowhere: there is no such folder"),
    ):
        done = companion_here("stats", *words)
        assert (done.returncode, done.stderr) == (status, f"companion: {said}\n")


@pytest.mark.parametrize(
    ("luck", "swapped", "said"),
    [
        (None, True, "too few matches"),
        (0.42, True, "no seat is clearly better: chance alone gives such a difference in 42% of cases"),
        (0.999, True, "chance alone gives such a difference in 100% of cases"),
        (0.0101, False, "no seat is clearly better"),
        (0.01, True, "more than chance, which gives such a difference in 1% of cases"),
        (0.0042, False, "more than chance (0.42% of cases), but nobody changed seats: seat or player?"),
        (1e-9, True, "below 0.1%"),
    ],
)
def test_seat_advantage_is_described_by_its_luck(luck: float | None, swapped: bool, said: str) -> None:
    game = GameStatistics("tiny", Text("Tiny"), 1, 0, 0, 0, None, None, (), luck, swapped)
    assert said in str(advantage(game))


# --- JSON -------------------------------------------------------------------------------------------------


def paths(value: object, at: str = "") -> set[str]:
    """Return the path of each value as docs/stats.md writes it; a spread is one value."""
    if isinstance(value, dict) and set(value) != {"least", "low", "median", "high", "most"}:
        return {path for key, each in value.items() for path in paths(each, f"{at}.{key}" if at else key)}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return {path for each in value for path in paths(each, f"{at}[]")}
    return {at}


def test_every_json_key_is_documented_and_exists(folder: Path, tmp_path: Path, companion_here: Here) -> None:
    for path in folder.glob("*.record"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "milk.record").write_text("milk\n")
    for number, match in enumerate(played(tmp_path / "uneven", "boese_buben", 14)):
        text = by_kind(match).dumps()
        if not number:  # the others are of robots only
            text = re.sub(r'\[Robots ".*"\]', '[Robots "person easy"]', text)
        (tmp_path / f"{number}.record").write_text(text)
    done = companion_here("stats", "--json", "--folder", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    printed = json.loads(done.stdout)
    table = (DOCS / "stats.md").read_text("utf-8").partition("### JSON\n")[2]
    documented = {key for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for key in row.split("`")[1::2]}
    assert paths(printed) == documented


def test_json_values_add_up(found: Statistics) -> None:
    printed = json.loads(json.dumps(to_json(found)))
    assert (printed["format"], printed["matches"]) == (1, MATCHES)
    assert sum(player["wins"] for player in printed["players"]) == pytest.approx(MATCHES)
    for game in printed["games"]:
        assert sum(seat["wins"] for seat in game["seats"]) == pytest.approx(game["matches"])
        assert [seat["seat"] for seat in game["seats"]] == list(range(1, len(game["seats"]) + 1))
        assert type(game["length_ns"]["median"]) is int
    margins = [finish["margin_ns"] for finish in printed["finishes"]]
    assert margins == sorted(margins)
    assert all(finish["presses"][1]["after_ns"] == finish["margin_ns"] for finish in printed["finishes"])


def test_json_without_matches_is_empty(companion_here: Here) -> None:
    done = companion_here("stats", "--json")
    assert json.loads(done.stdout)["matches"] == 0
