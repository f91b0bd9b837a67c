"""Reproducible tournaments of robots, played by the rules alone."""

import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from companion.club.draw import rounds_for
from companion.club.ledger import Ledger
from companion.club.schedule import Finished, advance
from companion.club.systems import SWISS
from companion.club.tournament import Plan, Tournament
from companion.games import load

GAME = "de_et_boulanger"


def plan(count: int, tables: int, seats: int = 4, **changed: object) -> Plan:
    game = load(GAME)
    kept = Plan(
        GAME,
        tuple(f"Player {number}" for number in range(1, count + 1)),
        tuple(f"T{number}" for number in range(1, tables + 1)),
        SWISS,
        seats,
        tuple(sorted(game.rules.SEATS)),
        rounds_for(count, seats, SWISS),
        "seed",
    )
    return kept._replace(**changed)


@cache
def by_lot(names: Sequence[str], match: str) -> Finished:
    """Return a result drawn by lot from the names and match; some places are shared."""
    luck = random.Random(f"{match} {' '.join(names)}")
    order = luck.sample(list(names), len(names))
    places = {name: place for place, name in enumerate(order, 1)}
    if luck.random() < 0.2:
        places[order[1]] = 1
    return Finished(match, GAME, places)


def arrived(tournament: Tournament, play: Callable[[Sequence[str], str], Finished] = by_lot) -> list[Finished]:
    """Return the results of all called matches of all rounds, shuffled.

    A result depends on players and round, not on the table, which may differ after a kill.
    """
    found = [
        play(each.drawn.groups[group], f"{number}-{group}")
        for number, each in enumerate(tournament.rounds, 1)
        for group in each.called
    ]
    return found[::-1]


def begun(path: Path, wanted: Plan) -> Path:
    Ledger.create(path, wanted).close()
    return path


def played_on(path: Path, play: Callable[[Sequence[str], str], Finished] = by_lot) -> Tournament:
    with Ledger.open(path) as ledger:
        while not ledger.tournament.over:
            list(advance(ledger, arrived(ledger.tournament, play)))
        return ledger.tournament
