"""The lesson of each game as a script; each .txt has its .jsonl."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from companion.cli.status import BAD_INPUT
from companion.games import all_games
from tests.running import Here

FOLDER = Path(__file__).parent
GAMES = {"an": "any", "bb": "boese_buben", "bc": "buro_crazy", "bh": "buntherum", "db": "de_et_boulanger"}
SCRIPTS = sorted(path.stem for path in FOLDER.glob("lesson-*.txt"))

Run = Any


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text()


@pytest.fixture
def run(companion_here: Here) -> Run:

    def command(*words: object, script: str = "") -> tuple[int, list[dict[str, Any]], str]:
        done = companion_here(*words, stdin=script)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    return command


def play(run: Run, name: str, *more: object) -> list[dict[str, Any]]:
    first, _, _ = text_of(name).partition("\n")
    options = shlex.split(first.removeprefix("# options: "))
    status, lines, errors = run("headless", GAMES[name[-2:]], *options, *more, script=text_of(name))
    assert (status, errors) == (0, "")
    return lines


def test_every_lesson_has_a_script() -> None:
    assert {GAMES[name[-2:]] for name in SCRIPTS} == {game.name for game in all_games().values() if game.lesson}


@pytest.mark.parametrize("name", SCRIPTS)
def test_script_plays_a_lesson_to_its_end(run: Run, name: str) -> None:
    lines = play(run, name)
    assert lines == [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]
    assert lines[-1]["lesson_done"] is True
    told = [line for line in lines if line["kind"] == "lesson"]
    assert told[-1]["made"] == told[-1]["of"] == lines[-1]["moves"]


def test_only_the_learner_reads_a_refusal(run: Run) -> None:
    own = play(run, "lesson-bh", "--as", "1")
    assert [line["text"] for line in own if line["kind"] == "refused"] == ["Press 6: no pink and no car there"]
    assert all(line["kind"] != "refused" for line in play(run, "lesson-bh"))


def test_unfinished_lesson_says_so_and_cannot_resume(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "one.record"
    words = ("headless", "buntherum", "--lesson", "--journal", record)
    _, lines, _ = run(*words, script="1.5 seat 1 buzz\n+1 wait\n")
    assert lines[-1] == {**lines[-1], "kind": "result", "over": False, "lesson_done": False}
    status, _, errors = run("headless", "buntherum", "--journal", record, "--resume")
    assert status == BAD_INPUT
    assert "is a lesson, which cannot be resumed; start it again" in errors


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--seed", "1"), "--seed: a lesson sets this itself; leave it out"),
        (("--deal", "table"), "--deal: a lesson sets this itself; leave it out"),
        (("--ruling", "declare_s=1"), "--ruling: a lesson sets this itself; leave it out"),
        (("--seats", "Anna,Ben"), "the lesson of Buntherum is for 3 seats"),
    ],
)
def test_lesson_refuses_other_deals_rules_and_seats(run: Run, words: tuple[str, ...], why: str) -> None:
    status, lines, errors = run("headless", "buntherum", "--lesson", *words)
    assert (status, lines) == (BAD_INPUT, [])
    assert why in errors


def test_lesson_option_needs_a_game(run: Run) -> None:
    status, _, errors = run("play", "--virtual", "--lesson")
    assert status == BAD_INPUT
    assert "--lesson: which game?" in errors
