"""Running the command as a user, random rulings, and whole matches of robots."""

import dataclasses
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.core.dealer import DEALS
from companion.core.event import Event
from companion.core.game import Game
from companion.core.handicaps import without_handicaps
from companion.core.match import SEED_TAG, Match
from companion.core.options import declared
from companion.games import OTHER, load
from companion.match.new_match import NAMES, new_match
from companion.match.robots import bots_named
from companion.match.virtual_table import ROBOTS_SETTLE_NS, VirtualTable
from companion.referee.journal import Journal

DAY_NS = 24 * 3600 * 1_000_000_000

COMMAND = (sys.executable, "-m", "companion")

Here = Callable[..., subprocess.CompletedProcess[str]]
"""The type of the fixture `companion_here`: as `companion`, with a language instead of home and variables."""


def for_each(*values: Any) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Make one test of many values or tuples of them; a failure names the value.

    For quick tests without fixtures, where starting and counting a test costs more than running it.
    """

    def of_all(test: Callable[..., None]) -> Callable[[], None]:
        def each() -> None:
            for value in values:
                try:
                    test(*value) if isinstance(value, tuple) else test(value)
                except BaseException as error:
                    error.add_note(f"for {value!r}")
                    raise

        return each

    return of_all


@cache
def played(name: str, names: Sequence[str], seed: str) -> Match:
    game = load(name)
    match = new_match(game, names, rulings=for_robots(game, game.rulings()), seed=seed)
    table = VirtualTable(match, settle_ns=ROBOTS_SETTLE_NS)
    kinds = ["easy", "middle", "strong", "strong"] if name == "buntherum" else ["strong"]
    table.seat_robots(bots_named(match.game, kinds[: len(names)], len(names)), seed)
    table.start()
    table.run()
    return match


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a user with folders in `home` and without screen and sound."""
    other = ("PYTHON", "DISPLAY", "WAYLAND_DISPLAY")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(other)}
    fixed = {"LC_ALL": "C.UTF-8", "COLUMNS": "200", "SDL_AUDIODRIVER": "dummy"}
    folders = {f"XDG_{kind.upper()}_HOME": str(home / kind) for kind in ("config", "data", "state")}
    return kept | fixed | folders


def move_in(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = environment(home)
    for variable in set(os.environ) - set(kept):
        monkeypatch.delenv(variable)
    for variable, value in kept.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.chdir(home)


def companion(
    home: Path, *arguments: object, stdin: str | bytes = "", **environ: str
) -> subprocess.CompletedProcess[str]:
    """Run the command in a separate process."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        check=False,
        cwd=home,
        env=environment(home) | environ,
        timeout=120,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def undrawn(some_rulings: Callable[[random.Random], Any], draws: int = 200) -> set[tuple[str, object]]:
    """Return each house rule and choice that `some_rulings` never draws."""
    drawn = [some_rulings(random.Random(number)) for number in range(draws)]
    return {
        (name, value)
        for name in without_handicaps(drawn[0])
        for value in _values(declared(drawn[0], name))
        if not any(getattr(rulings, name) == value for rulings in drawn)
    }


def _values(option: dataclasses.Field[object]) -> tuple[object, ...]:
    return (True, False) if isinstance(option.default, bool) else tuple(option.metadata["choices"])


def sampled_rulings(game: Game, luck: random.Random) -> Any:
    """Return rulings, each at its default, its least or any allowed value.

    Each depends on its name, so a new one leaves the others unchanged.
    """
    values: dict[str, Any] = {}
    lot = luck.random()
    for field in dataclasses.fields(game.rulings):
        luck = random.Random(f"{lot} {field.name}")
        least, most = field.metadata["minimum"], field.metadata["maximum"]
        if isinstance(field.default, bool):
            values[field.name] = luck.random() < 0.5
        elif field.metadata["choices"]:
            values[field.name] = luck.choice(field.metadata["choices"])
        else:
            values[field.name] = luck.choice((field.default, least, luck.randint(least, most)))
    return game.rulings(**values)


def for_robots(game: Game, rulings: Any) -> Any:
    """Return rulings with which robots can end a match without the house."""
    if game.name != OTHER or game.no_robots(rulings, DEALS[0]) is None:
        return rulings
    return dataclasses.replace(rulings, play="sealed", wins="highest")


def robot_table(
    game: Game, seed: str, follower: Callable[[int, Event], None] | None = None, journal: Path | None = None
) -> VirtualTable:
    """Play a whole match of robots, sampled from the seed."""
    luck = random.Random(f"table {seed}")
    names = NAMES[: luck.choice(game.rules.SEATS)]
    match = new_match(game, names, rulings=for_robots(game, sampled_rulings(game, luck)), seed=seed)
    if journal is None:
        return _played(VirtualTable(match), luck, follower)
    with Journal.create(journal, match) as store:
        return _played(VirtualTable(match, store), luck, follower)


def _played(
    table: VirtualTable, luck: random.Random, follower: Callable[[int, Event], None] | None
) -> VirtualTable:
    match = table.match
    pool = sorted(match.game.bots)
    wild = [kind for kind in pool if kind == "random"]  # thinking robots do not cause every event
    kinds = luck.choices(pool + wild * 4, k=len(match.names))
    table.seat_robots(bots_named(match.game, kinds, len(kinds)), match.tags[SEED_TAG])
    table.tell = follower
    table.start()
    table.run(DAY_NS)  # an endless match fails instead of hanging
    return table


def whole_match(path: Path, game: Game, seed: str = "7") -> Match:
    """Record a whole match of robots by default rulings."""
    match = new_match(game, NAMES[:3], rulings=for_robots(game, game.rulings()), seed=seed)
    with Journal.create(path, match) as store:
        _played(VirtualTable(match, store), random.Random(seed), None)
    return match
