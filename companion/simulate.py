"""Many matches of robots, counted: who wins by seat and by kind of robot, and how long a match is."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from companion.core.game import Game
from companion.core.match import SEED_TAG
from companion.core.move import TABLE
from companion.core.rules import Rulings
from companion.core.text import _
from companion.demo import SETTLE_NS
from companion.table import Robots, VirtualTable, bots_named, new_match

_Z: Final = 1.96
"""Standard deviations to each side of a 95 % interval."""


@dataclass
class Tally:
    """What was counted: shares of wins by seat (a shared first place is split), moves, decisions of players."""

    matches: int = 0
    moves: int = 0
    decisions: int = 0
    seconds: float = 0
    wins: list[float] = field(default_factory=list)


def run(
    game: Game,
    names: Sequence[str],
    kinds: Sequence[str],
    *,
    rulings: Rulings,
    seed: str,
    matches: int,
    progress: Callable[[int, int], None],
) -> Tally:
    """Play `matches` matches through the whole referee in virtual time; the i-th deals from `seed/i`."""
    tally = Tally(wins=[0.0] * len(names))
    began = time.perf_counter()
    bots = bots_named(game, kinds, len(names))
    for number in range(1, matches + 1):
        match = new_match(game, names, rulings=rulings, seed=f"{seed}/{number}")
        table = VirtualTable(match, settle_ns=SETTLE_NS)
        Robots.seated(table, bots, match.tags[SEED_TAG])
        table.start()
        table.run()
        outcome = match.outcome
        if outcome is None:
            raise RuntimeError(f"the match of seed {seed}/{number} did not end")
        for seat in outcome.winners:
            tally.wins[seat] += 1 / len(outcome.winners)
        tally.matches += 1
        tally.moves += match.length
        tally.decisions += sum(move.seat != TABLE for move in match.moves)
        progress(number, matches)
    tally.seconds = time.perf_counter() - began
    return tally


def interval(wins: float, matches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share of wins."""
    share, weight = wins / matches, _Z * _Z / matches
    middle = share + weight / 2
    spread = _Z * sqrt(share * (1 - share) / matches + weight / (4 * matches))
    return max(0.0, (middle - spread) / (1 + weight)), min(1.0, (middle + spread) / (1 + weight))


def report(tally: Tally, game: Game, kinds: Sequence[str], seed: str) -> str:
    """Return the tally as a table of text."""
    lines = [
        _("{matches} matches of {game}, seed {seed}").format(matches=tally.matches, game=game.title, seed=seed),
        _("{moves:.1f} moves a match, {speed:.0f} decisions of players a second").format(
            moves=tally.moves / tally.matches, speed=tally.decisions / tally.seconds
        ),
    ]
    for seat, wins in enumerate(tally.wins):
        kind = kinds[seat % len(kinds)]
        lines.append(_row(_("seat {n} {kind}").format(n=seat + 1, kind=kind), wins, tally.matches))
    for kind in dict.fromkeys(kinds):
        seats = [seat for seat in range(len(tally.wins)) if kinds[seat % len(kinds)] == kind]
        label = _("{kind}, {n} of {seats} seats").format(kind=kind, n=len(seats), seats=len(tally.wins))
        lines.append(_row(label, sum(tally.wins[seat] for seat in seats), tally.matches))
    return "\n".join(lines)


def _row(label: str, wins: float, matches: int) -> str:
    low, high = interval(wins, matches)
    return f"  {label:32} {wins / matches:6.1%}  [{low:.1%}, {high:.1%}]"
