"""`companion simulate`: reproducible matches, correct counts and Wilson's interval."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from companion.cli.commands import main
from companion.cli.simulate import Simulation, Tally, report, run
from companion.core.install import install_command
from companion.core.rules import Outcome
from companion.games import load
from companion.records.stats import interval
from tests.running import Here, companion

GAME = load("buntherum")


def simulated(
    *, seed: str, names: tuple[str, ...] = ("A", "B", "C"), kinds: tuple[str, ...] = ("middle",)
) -> Tally:
    *_, tally = run(Simulation(GAME, names, kinds, GAME.rulings(), seed), 10)
    return tally


# --- Wilson's interval, by hand: z = 1.96, z * z = 3.8416 -------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"),
    [
        (8, 10, 0.490157, 0.943319),  # (0.8 + 0.19208 -+ 1.96 * sqrt(0.016 + 0.009604)) / 1.38416
        (0, 10, 0.0, 0.277540),  # (0.19208 -+ 1.96 * sqrt(0.009604)) / 1.38416
        (10, 10, 0.722460, 1.0),
        (50, 100, 0.403830, 0.596170),  # (0.5 + 0.019208 -+ 1.96 * sqrt(0.0025 + 0.00009604)) / 1.038416
        (1, 1, 0.206543, 1.0),  # 1 / 4.8416
    ],
)
def test_interval_equals_values_computed_by_hand(wins: float, matches: int, low: float, high: float) -> None:
    assert interval(wins, matches) == pytest.approx((low, high), abs=1e-6)


def test_interval_contains_the_share() -> None:
    for matches in range(1, 300):
        for wins in (0, 0.5, matches / 2, matches):
            low, high = interval(wins, matches)
            assert 0 <= low < high <= 1
            assert low - 1e-9 < wins / matches < high + 1e-9


def test_share_is_never_written_as_negative() -> None:
    for matches in range(1, 300):
        tally = Tally(matches, matches, 1, 1, matches, 1, {1: Fraction(matches)}, {"x": Fraction(matches)})
        assert "-" not in report(tally, Simulation(GAME, ("A", "B"), ("x",), GAME.rulings(), "7"))


def test_shares_are_written_for_the_readers_locale(companion_here: Here) -> None:
    for language, point, sign in (("en", r"\.", "%"), ("fr", ",", "\N{NARROW NO-BREAK SPACE}%")):
        report = companion_here("simulate", "buntherum", "-n", "2", language=language).stdout
        share = rf"\d{{1,3}}{point}\d{sign}"
        assert re.search(rf" {share}  \[{share}, {share}\]  {share}\n", report), report


# --- Counting ---------------------------------------------------------------------------------------------


def test_every_win_is_counted_once() -> None:
    tally = simulated(seed="7")
    assert tally.matches == 10
    assert sum(tally.seats.values()) == sum(tally.kinds.values()) == 10
    assert tally.shortest <= tally.moves / 10 <= tally.longest


def test_same_seed_gives_the_same_matches() -> None:
    first, again, other = (simulated(seed=seed) for seed in ("7", "7", "8"))
    assert (first.seats, first.kinds, first.moves) == (again.seats, again.kinds, again.moves)
    assert first.moves != other.moves


def test_better_robots_win_more() -> None:
    tally = simulated(seed="7", names=("A", "B"), kinds=("middle", "random"))
    assert tally.kinds["middle"] > tally.kinds.get("random", 0)


def test_robots_change_seats_from_match_to_match() -> None:
    plan = Simulation(GAME, ("A", "B", "C"), ("middle", "random", "random"), GAME.rulings(), "7")
    assert [plan.kinds_of(number).index("middle") for number in (1, 2, 3, 4)] == [0, 2, 1, 0]


def test_tallies_sum_in_any_order() -> None:
    plan = Simulation(GAME, ("A", "B", "C"), ("middle",), GAME.rulings(), "7")
    thirds = Outcome(((0, 1, 2),), "")
    each = [Tally.of(thirds, plan.kinds_of(number), ()) for number in range(1, 11)]
    each += [Tally.of(Outcome(((0, 1), (2,)), ""), plan.kinds_of(number), ()) for number in range(1, 8)]
    there, back = sum(each, Tally()), sum(reversed(each), Tally())
    assert there == back
    assert there.seats == {0: Fraction(41, 6), 1: Fraction(41, 6), 2: Fraction(10, 3)}


def test_several_processes_count_the_same(tmp_path: Path, companion_here: Here) -> None:
    words = ("simulate", "buntherum", "-n", "24", "--seed", "7", "--bots", "middle,random")
    alone, shared = companion_here(*words), companion(tmp_path, *words, "--jobs", 2)
    assert (alone.returncode, shared.returncode) == (0, 0)
    assert counted(alone.stdout) == counted(shared.stdout)


def counted(report: str) -> list[str]:
    """Return the report's lines without the speed."""
    return [line for line in report.splitlines() if "a second" not in line]


def test_stored_records_can_be_replayed(tmp_path: Path, companion_here: Here) -> None:
    words = ("simulate", "buntherum", "-n", "3", "--seed", "7", "--records", "kept")
    assert companion_here(*words).returncode == 0
    kept = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert kept == ["000001.record", "000002.record", "000003.record"]
    done = companion_here("replay", "kept/000002.record")
    assert done.returncode == 0
    again = companion_here(*words)
    assert again.returncode == 2
    assert "kept already contains records; choose another folder" in again.stderr


def test_same_command_prints_the_same_counts(tmp_path: Path, companion_here: Here) -> None:
    words = ("simulate", "buntherum", "-n", "5", "--seed", "7", "--bots", "middle,random", "--seats", "A,B,C,D")
    first, again = companion(tmp_path, *words), companion_here(*words)
    assert (first.returncode, first.stderr) == (0, "")
    lines = first.stdout.splitlines()
    assert lines[0] == "5 matches of Buntherum, seed 7"
    assert "moves a match" in lines[1]
    assert re.fullmatch(r"[0-9.]+ matches and [0-9]+ player decisions a second", lines[2])
    assert [line.split()[: 2 if "seat " in line else 3] for line in lines[3:]] == [
        ["share", "of", "wins,"],
        *(["seat", str(seat)] for seat in (1, 2, 3, 4)),
        ["middle,", "2", "of"],
        ["random,", "2", "of"],
    ]
    assert counted(again.stdout) == counted(first.stdout)


def test_drawn_seed_is_printed(tmp_path: Path, companion_here: Here) -> None:
    seeds = set()
    for _ in range(2):
        first, *_ = companion_here("simulate", "buntherum", "-n", "1").stdout.splitlines()
        seeds.add(first.partition("seed ")[2])
    assert len(seeds - {""}) == 2
    assert not list(tmp_path.rglob("*.record"))


def test_missing_cluster_library_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.match.cluster.find_spec", lambda _: None)
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "buntherum", "-n", "2", "--scheduler", "tcp://127.0.0.1:8786"]) == 2
    assert f"--scheduler: distributed is not installed: {install_command('cluster')}" in capsys.readouterr().err
