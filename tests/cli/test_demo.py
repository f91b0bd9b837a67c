"""The demo plays a whole match of robots, reproducible by its seed.

tests/records/buntherum-7.record is the whole journal of `companion demo buntherum --seed 7 --ruling declare_s=3
--bots easy,middle,strong --journal FILE`. When rules, robots or notation change on purpose, make it again with this
command.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.replay import from_record, loads
from companion.games import all_games
from companion.referee.journal import open_record
from tests.running import Here

GOLDEN = Path(__file__).parents[1] / "records" / "buntherum-7.record"
GAMES = all_games()

WINNER, MOVES, RESULT = ("Cleo", 70, "Cleo: the last card!")


Demo = Callable[..., str]


@pytest.fixture
def demo(companion_here: Here) -> Demo:
    def told(name: str, *words: str) -> str:
        done = companion_here("demo", "buntherum", *words, "--journal", name)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.removesuffix(f"Record: {name}\n")

    return told


def picture(told: str) -> str:
    return re.search(r"\n\n(  1 \[.*\n(?:  .*\n)+)", told)[1]  # type: ignore[index]


def test_different_seeds_give_different_matches(tmp_path: Path, demo: Demo) -> None:
    demo("a.record", "--seed", "7")
    demo("b.record", "--seed", "8")
    moves = [
        [entry.move for entry in open_record(tmp_path / name, GAMES).match.entries]
        for name in ("a.record", "b.record")
    ]
    assert moves[0] != moves[1]


def test_demo_without_a_seed_draws_a_new_one(tmp_path: Path, demo: Demo) -> None:
    demo("a.record")
    demo("b.record")
    tags = [open_record(tmp_path / name, GAMES).match.tags for name in ("a.record", "b.record")]
    assert tags[0]["Seed"] != tags[1]["Seed"]
    assert all(re.fullmatch("[0-9a-f]{32}", tag["Seed"]) and tag["SeedOrigin"] == "drawn" for tag in tags)


@pytest.mark.parametrize("words", [("--seats", "A,B"), ("--seats", "A,B,C,D,E"), ("--bots", "random")])
def test_replay_ends_in_the_same_result(
    words: tuple[str, ...], tmp_path: Path, demo: Demo, companion_here: Here
) -> None:
    told = demo("a.record", "--seed", "7", *words)
    done = companion_here("replay", "a.record")
    assert done.returncode == 0
    assert picture(done.stdout) == picture(told)
    match = open_record(tmp_path / "a.record", GAMES).match
    assert match.outcome
    winner = match.names[match.outcome.winners[0]]
    assert done.stdout.splitlines()[-1].startswith(winner)
    assert re.search(rf"{winner}.* wins?\b.*\n\n", told)


def test_demo_reproduces_the_golden_record(tmp_path: Path, demo: Demo) -> None:
    demo("fresh.record", "--seed", "7", "--ruling", "declare_s=3", "--bots", "easy,middle,strong")
    assert (tmp_path / "fresh.record").read_bytes() == GOLDEN.read_bytes()


def test_golden_record_replays_to_its_result(companion_here: Here) -> None:
    opened = open_record(GOLDEN, GAMES)
    assert opened.damage is None
    assert opened.match.length == MOVES
    assert opened.match.outcome
    assert [opened.match.names[seat] for seat in opened.match.outcome.winners] == [WINNER]
    assert companion_here("replay", GOLDEN).stdout.splitlines()[-1] == RESULT


def test_golden_record_prints_and_parses_without_loss() -> None:
    match = open_record(GOLDEN, GAMES).match
    again = loads(match.dumps(), GAMES)
    assert again.dumps() == match.dumps()
    assert from_record(match.log(), GAMES).state == match.state
