"""Spoils the rules of a game on purpose, one small change at a time, and sees whether its tests notice.

    python tests/mutants.py [GAME [ID...]]

A game lists its mutants in tests/games/GAME/mutants.toml:

    tests = ["test_a.py", ...]  # the rules' tests, quick ones first: the first failure is enough

    [[mutant]]
    id = "falls-free"           # a name to run it alone
    breaks = "BB-R7: ..."       # the paragraph that the change breaks, and how
    file = "rules/cards.py"     # in companion/games/GAME
    old = "..."                 # a piece of that file, to be found exactly once
    new = "..."                 # what stands there instead

    [[equivalent]]              # the same, for a change that no test can notice
    reason = "..."              # why not

Everything runs in a copy of the program in a temporary folder: the tests as they are first, then each mutant alone.
A line tells what became of each: the test that killed it, or SURVIVED. A mutant that makes the tests run longer
than `LIMIT_S` is killed too. The exit status is 1 when a mutant survived, when an equivalent one was killed, which
refutes its reason, and when there was nothing to prove: a mutant that cannot be imported, tests that fail anyhow.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path
from time import monotonic
from typing import Final

ROOT: Final = Path(__file__).parents[1]

COPIED: Final = ("companion", "tests", "assets", "docs", "pyproject.toml")
"""What the tests need: the program, themselves, and what both read."""

LIMIT_S: Final = 60.0
"""How long the tests of one mutant may take."""

PASSED, FAILED = 0, 1
"""What pytest exits with; anything else means that it could not run the tests."""


class MutantError(ValueError):
    """Error raised when a list of mutants does not fit the program."""


@dataclass(frozen=True)
class Mutant:
    """One change to one file; `reason` says why no test can notice it, it is empty for all others."""

    id: str
    breaks: str
    file: str
    old: str
    new: str
    reason: str = ""

    def spoil(self, source: str) -> str:
        """Return the file with the change. Raise MutantError when there is not exactly one place for it."""
        count = source.count(self.old)
        if count != 1:
            raise MutantError(f"{self.id}: {count} places in {self.file}, allowed: 1: {self.old!r}")
        spoilt = source.replace(self.old, self.new)
        try:
            compile(spoilt, self.file, "exec")
        except SyntaxError as error:
            raise MutantError(f"{self.id}: {self.file} is no Python any more: {error}") from error
        return spoilt


@dataclass(frozen=True)
class Game:
    """A game and its list."""

    name: str
    tests: tuple[str, ...]
    mutants: tuple[Mutant, ...]


def read(name: str) -> Game:
    """Return the list of a game. Raise MutantError when it does not fit the program."""
    found = tomllib.loads((ROOT / "tests" / "games" / name / "mutants.toml").read_text("utf-8"))
    entries = [*found["mutant"], *found.get("equivalent", [])]
    try:
        mutants = tuple(Mutant(**entry) for entry in entries)
    except TypeError as error:
        raise MutantError(f"{name}: {error}") from error
    ids = [mutant.id for mutant in mutants]
    if len(set(ids)) < len(ids):
        raise MutantError(f"{name}: an id stands for two mutants")
    for mutant in mutants:
        mutant.spoil((ROOT / "companion" / "games" / name / mutant.file).read_text("utf-8"))
    return Game(name, tuple(found["tests"]), mutants)


@dataclass(frozen=True)
class Verdict:
    """What the tests said: the exit status of pytest, None after the time limit, and which test failed first."""

    status: int | None
    failed: str
    seconds: float


class Bench:
    """A copy of the program in a folder, to be spoilt and mended."""

    def __init__(self, folder: Path, game: Game) -> None:
        self._folder = folder
        self._game = game
        for name in COPIED:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", ".hypothesis")
                shutil.copytree(ROOT / name, folder / name, ignore=ignored)
            else:
                shutil.copy2(ROOT / name, folder / name)

    def run(self) -> Verdict:
        """Run the tests until one fails."""
        tests = [f"tests/games/{self._game.name}/{name}" for name in self._game.tests]
        options = ["-x", "-q", "-p", "no:cacheprovider", "--tb=no", "-rfE"]
        start = monotonic()
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", *options, *tests],
                cwd=self._folder,
                capture_output=True,
                text=True,
                timeout=LIMIT_S,
                check=False,
                env={**os.environ, "COLUMNS": "500"},  # pytest shortens its lines to what the terminal shows
            )
        except subprocess.TimeoutExpired:
            return Verdict(None, "", monotonic() - start)
        lines = done.stdout.splitlines()
        failed = [line.split(" ", 1)[1] for line in lines if line.startswith(("FAILED ", "ERROR "))]
        test, _, why = failed[0].partition(" - ") if failed else ("", "", "")
        # An assertion is the usual way to notice something; anything else that was raised is worth a word.
        crash = "" if not why or why.startswith(("assert ", "AssertionError")) else f" ({why})"
        return Verdict(done.returncode, Path(test).name + crash, monotonic() - start)

    def judge(self, mutant: Mutant) -> Verdict:
        """Run the tests with a mutant in place of the file that it changes."""
        path = self._folder / "companion" / "games" / self._game.name / mutant.file
        source = path.read_text("utf-8")
        self._write(path, mutant.spoil(source))
        try:
            return self.run()
        finally:
            self._write(path, source)

    @staticmethod
    def _write(path: Path, source: str) -> None:
        path.write_text(source, "utf-8")
        # Python takes a compiled file for fresh when second and size agree, as they may for two mutants.
        Path(cache_from_source(str(path))).unlink(missing_ok=True)


def fate(mutant: Mutant, verdict: Verdict) -> tuple[bool, str]:
    """Return whether all is as it should be, and what to say."""
    # A failure that names a file and no test in it: what the tests import cannot be imported any more.
    broken = verdict.status == FAILED and "::" not in verdict.failed
    if broken or verdict.status not in {PASSED, FAILED, None}:
        return False, f"CANNOT RUN {verdict.failed}"
    if verdict.status == PASSED:
        return bool(mutant.reason), f"survived: {mutant.reason}" if mutant.reason else "SURVIVED"
    killer = verdict.failed or f"the time limit of {LIMIT_S:.0f} s"
    if mutant.reason:
        return False, f"KILLED, but is said to be equivalent: {killer}"
    return True, f"killed by {killer}"


def trial(game: Game, chosen: Sequence[Mutant]) -> Iterator[tuple[bool, str]]:
    """Yield for the tests as they are, and for each mutant, whether all is as it should be, and a line about it."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        bench = Bench(Path(folder), game)
        sound = bench.run()
        if sound.status != PASSED:
            why = sound.failed or "the time limit"
            yield False, f"{game.name}: {why} fails without a mutant too; there is nothing to prove"
            return
        yield True, f"{game.name}: {len(chosen)} mutants; without one the tests pass in {sound.seconds:.0f} s"
        for mutant in chosen:
            verdict = bench.judge(mutant)
            well, said = fate(mutant, verdict)
            yield well, f"{mutant.id:24} {verdict.seconds:5.1f} s  {mutant.breaks} -- {said}"


def main(arguments: Sequence[str]) -> int:
    """Run the mutants of one game, or of all games; some of one game when they are named."""
    os.nice(10)  # it takes minutes: whatever else the machine does goes first
    lists = sorted(path.parent.name for path in (ROOT / "tests" / "games").glob("*/mutants.toml"))
    name, ids = (arguments[0], set(arguments[1:])) if arguments else ("", set())
    if name and name not in lists:
        sys.exit(f"no mutants of {name!r}; there are some of {', '.join(lists)}")
    wrong = 0
    for each in [name] if name else lists:
        try:
            game = read(each)
        except MutantError as error:
            sys.exit(str(error))
        unknown = ids - {mutant.id for mutant in game.mutants}
        if unknown:
            sys.exit(f"{each} has no mutant {', '.join(sorted(unknown))}")
        for well, line in trial(game, [mutant for mutant in game.mutants if not ids or mutant.id in ids]):
            wrong += not well
            print(line, flush=True)  # noqa: T201  this is a program
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
