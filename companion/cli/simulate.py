"""Many matches of robots, counted: who wins by seat and by kind of robot, and how long a match is.

Robots that only decide play by the rules alone. Where one needs its reaction times, every match goes through the
whole referee and virtual devices, in virtual time.
"""

import random
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from math import inf
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from companion.cli.demo import SETTLE_NS
from companion.core.errors import OptionError
from companion.core.game import Bot, Decider, Game
from companion.core.match import SEED_TAG, Match
from companion.core.move import TABLE, Move, Seat, each_seat
from companion.core.rules import Outcome, Rulings
from companion.core.tags import dealer_of
from companion.core.text import _, msg
from companion.games import load
from companion.match.begin import new_match
from companion.match.robots import bots_named
from companion.match.virtual_table import VirtualTable
from companion.records.stats import interval

_CHUNK: Final = 25
"""Matches that a process plays at most before it reports."""

_TOO_LONG: Final = 100_000
"""Moves after which a match surely does not end."""


class Plan(NamedTuple):
    """What to play: the i-th match deals from `seed/i`, and the robots move on by one seat from match to match.

    With `records` each match is kept in that folder.
    """

    game: Game
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    rulings: Rulings
    seed: str
    records: Path | None = None

    def kinds_of(self, number: int) -> list[str]:
        """Return the kind of each seat's robot in a match."""
        seats = len(self.names)
        return [self.kinds[(seat + number - 1) % seats % len(self.kinds)] for seat in range(seats)]

    def match(self, number: int) -> Match:
        """Return a match before its first move."""
        return new_match(self.game, self.names, rulings=self.rulings, seed=f"{self.seed}/{number}")

    def __reduce__(self) -> tuple[Callable[..., "Plan"], tuple[object, ...]]:
        # To another process a game goes by its name: it is modules, which cannot be sent.
        return _plan, (self.game.name, *self[1:])


def _plan(game: str, *rest: Any) -> Plan:
    return Plan(load(game), *rest)


def _zeros() -> dict[Any, float]:
    return defaultdict(float)


@dataclass
class Tally:
    """What was counted: wins by seat and by kind of robot (a shared first place is split), moves, decisions."""

    matches: int = 0
    moves: int = 0
    shortest: float = inf
    longest: int = 0
    decisions: int = 0
    seconds: float = 0
    seats: dict[Seat, float] = field(default_factory=_zeros)
    kinds: dict[str, float] = field(default_factory=_zeros)

    def count(self, outcome: Outcome, kinds: Sequence[str], moves: Sequence[Move]) -> None:
        """Count a match."""
        for seat in outcome.winners:
            self.seats[seat] += 1 / len(outcome.winners)
            self.kinds[kinds[seat]] += 1 / len(outcome.winners)
        self.matches += 1
        self.moves += len(moves)
        self.shortest = min(self.shortest, len(moves))
        self.longest = max(self.longest, len(moves))
        self.decisions += sum(move.seat != TABLE for move in moves)

    def add(self, other: "Tally") -> None:
        """Count what another has counted; the time that all took together is known by who waited for them."""
        self.matches += other.matches
        self.moves += other.moves
        self.shortest = min(self.shortest, other.shortest)
        self.longest = max(self.longest, other.longest)
        self.decisions += other.decisions
        for seat, wins in other.seats.items():
            self.seats[seat] += wins
        for kind, wins in other.kinds.items():
            self.kinds[kind] += wins


def run(plan: Plan, matches: int, jobs: int = 1, progress: Callable[[int, int], None] = lambda *_: None) -> Tally:
    """Play matches 1 to `matches` in so many processes. Raise OptionError for a robot that the game does not have.

    Also for a folder of records that is not empty.
    """
    bots_named(plan.game, plan.kinds, len(plan.names))
    if plan.records:
        plan.records.mkdir(parents=True, exist_ok=True)
        if any(plan.records.glob("*.record")):
            raise OptionError(msg("{folder} holds records already; name another folder", folder=plan.records))
    tally = Tally()
    began = time.perf_counter()
    size = max(1, min(_CHUNK, matches // (4 * jobs)))
    chunks = [range(first, min(first + size, matches + 1)) for first in range(1, matches + 1, size)]
    for part in _parts(plan, chunks, jobs):
        tally.add(part)
        progress(tally.matches, matches)
    tally.seconds = time.perf_counter() - began
    return tally


def _parts(plan: Plan, chunks: Sequence[range], jobs: int) -> Iterable[Tally]:
    if jobs == 1:
        yield from (_chunk(plan, numbers) for numbers in chunks)
        return
    # Fresh processes, since one that is forked while a thread of its parent holds a lock may wait for ever.
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        # They are started here, and do not hear Ctrl-C: it is for the one who waits for them.
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            tallies = pool.map(_chunk, [plan] * len(chunks), chunks)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)
        yield from tallies
    finally:
        pool.shutdown(cancel_futures=True)


def _chunk(plan: Plan, numbers: range) -> Tally:
    tally = Tally()
    for number in numbers:
        match, kinds = plan.match(number), plan.kinds_of(number)
        bots = bots_named(plan.game, kinds, len(kinds))
        decide = all(hasattr(bot, "decide") for bot in bots)
        outcome, moves = _decided(match, bots) if decide else _refereed(match, bots)
        tally.count(outcome, kinds, moves)
        if plan.records:
            if decide:
                for move in moves:
                    match.push(move)
            with (plan.records / f"{number:06}.record").open("x", encoding="utf-8") as file:
                file.write(match.dumps())
    return tally


def _refereed(match: Match, bots: Sequence[Bot]) -> tuple[Outcome, tuple[Move, ...]]:
    """Play a match through the referee with virtual devices."""
    table = VirtualTable(match, settle_ns=SETTLE_NS)
    table.seat_robots(bots, match.tags[SEED_TAG])
    table.start()
    table.run()
    if match.outcome is None:
        raise RuntimeError(f"the match of seed {match.tags[SEED_TAG]} did not end")
    return match.outcome, match.moves


def _decided(match: Match, bots: Sequence[Bot]) -> tuple[Outcome, list[Move]]:
    """Play a match by the rules alone; the match itself stays at its beginning."""
    rules, dealer, state = match.game.rules, dealer_of(match), match.state
    deciders = cast("Sequence[Decider]", bots)
    luck = [random.Random(f"{match.tags[SEED_TAG]}/robot {seat + 1}") for seat in range(len(bots))]
    moves: list[Move] = []
    drawn = 0
    while (outcome := rules.outcome(state)) is None:
        move = None
        draws = rules.draws(state)
        if draws and dealer:
            move = dealer.choose(drawn, draws)
            drawn += 1
        else:
            for seat in rules.to_act(state):
                if seat != TABLE and move is None:
                    move = deciders[seat].decide(rules.view(state, seat), seat, luck[seat])
        if move is None or len(moves) == _TOO_LONG:
            raise RuntimeError(f"the match of seed {match.tags[SEED_TAG]} does not go on after {len(moves)} moves")
        state, _events = rules.apply(state, move)
        moves.append(move)
    return outcome, moves


def report(tally: Tally, plan: Plan) -> str:
    """Return the tally as a table of text."""
    seats = len(plan.names)
    lines = [
        _("{matches} matches of {game}, seed {seed}").format(
            matches=tally.matches, game=plan.game.title, seed=plan.seed
        ),
        _("{moves:.1f} moves a match ({least} to {most}), {speed:.0f} decisions of players a second").format(
            moves=tally.moves / tally.matches,
            least=tally.shortest,
            most=tally.longest,
            speed=tally.decisions / tally.seconds,
        ),
        _("share of wins, its 95 % interval, share of seats:"),
    ]
    for seat in each_seat(seats):
        lines.append(_row(_("seat {n}").format(n=seat + 1), tally.seats[seat], tally.matches, 1 / seats))
    kinds = plan.kinds_of(1)
    for kind in dict.fromkeys(kinds):
        share = kinds.count(kind) / seats
        label = _("{kind}, {n} of {seats} seats").format(kind=kind, n=kinds.count(kind), seats=seats)
        lines.append(_row(label, tally.kinds[kind], tally.matches, share))
    return "\n".join(lines)


def _row(label: str, wins: float, matches: int, share: float) -> str:
    low, high = interval(wins, matches)
    return f"  {label:32} {wins / matches:6.1%}  [{low:.1%}, {high:.1%}]  {share:.1%}"
