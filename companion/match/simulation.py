"""Many matches of robots, counted.

Robots that can decide without reaction times play by the rules alone. With others, each match goes through the
referee and virtual devices, in virtual time. The same seed gives the same sums on one process, several, or a
cluster.
"""

import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from math import inf
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar, cast

from companion.core.boxfile import NamedBox
from companion.core.errors import OptionError
from companion.core.game import Bot, Decider, Game
from companion.core.match import SEED_TAG, Match
from companion.core.move import TABLE, Move, Seat
from companion.core.rules import Outcome, Rulings
from companion.core.tags import dealer_of
from companion.core.text import msg
from companion.games import load
from companion.match.cluster import cluster
from companion.match.new_match import new_match
from companion.match.robots import bots_named
from companion.match.virtual_table import ROBOTS_SETTLE_NS, VirtualTable

K = TypeVar("K")
P = ParamSpec("P")
T = TypeVar("T")

_CHUNK: Final = 25
"""Matches that a process or a worker plays before it reports."""

_TOO_LONG: Final = 100_000
"""Moves after which a match cannot end any more."""


class Simulation(NamedTuple):
    """A plan of matches. Match i deals from `seed/i`; robots move on by one seat each match.

    `records`: a folder for records. Default `box`: the built-in one.
    """

    game: Game
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    rulings: Rulings
    seed: str
    records: Path | None = None
    box: NamedBox | None = None

    def kinds_of(self, number: int) -> list[str]:
        seats = len(self.names)
        return [self.kinds[(seat + number - 1) % seats % len(self.kinds)] for seat in range(seats)]

    def match(self, number: int) -> Match:
        seed, robots = f"{self.seed}/{number}", self.kinds_of(number)
        return new_match(self.game, self.names, rulings=self.rulings, box=self.box, seed=seed, robots=robots)

    def __reduce__(self) -> tuple[Callable[..., "Simulation"], tuple[object, ...]]:
        # A game consists of modules, which cannot be pickled.
        return _plan, (self.game.name, *self[1:])


def _plan(game: str, *rest: Any) -> Simulation:
    return Simulation(load(game), *rest)


@dataclass(frozen=True)
class Tally:
    """Wins by seat and by kind of robot, moves and decisions. A shared win is split.

    `seconds` is set by `run`.
    """

    matches: int = 0
    moves: int = 0
    shortest: float = inf
    longest: int = 0
    decisions: int = 0
    seconds: float = 0
    seats: Mapping[Seat, Fraction] = field(default_factory=dict)
    kinds: Mapping[str, Fraction] = field(default_factory=dict)

    @classmethod
    def of(cls, outcome: Outcome, kinds: Sequence[str], moves: Sequence[Move]) -> "Tally":
        share = Fraction(1, len(outcome.winners))
        won = Counter(kinds[seat] for seat in outcome.winners)
        return cls(
            matches=1,
            moves=len(moves),
            shortest=len(moves),
            longest=len(moves),
            decisions=sum(move.seat != TABLE for move in moves),
            seats=dict.fromkeys(outcome.winners, share),
            kinds={kind: seats * share for kind, seats in won.items()},
        )

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            matches=self.matches + other.matches,
            moves=self.moves + other.moves,
            shortest=min(self.shortest, other.shortest),
            longest=max(self.longest, other.longest),
            decisions=self.decisions + other.decisions,
            seats=_sums(self.seats, other.seats),
            kinds=_sums(self.kinds, other.kinds),
        )


def _sums(one: Mapping[K, Fraction], other: Mapping[K, Fraction]) -> dict[K, Fraction]:
    return {key: one.get(key, Fraction()) + other.get(key, Fraction()) for key in {**one, **other}}


class _Part(NamedTuple):
    tally: Tally
    records: Mapping[int, str]


def run(plan: Simulation, matches: int, *, jobs: int = 1, scheduler: str | None = None) -> Iterator[Tally]:
    """Play matches 1 to `matches` and yield the current tally after each task.

    Raise OptionError for an unknown robot, house rules that no robot plays, or a folder with records.
    """
    bots_named(plan.game, plan.kinds, len(plan.names), plan.rulings)
    if plan.records:
        plan.records.mkdir(parents=True, exist_ok=True)
        if any(plan.records.glob("*.record")):
            raise OptionError(msg("{folder} already contains records; choose another folder", folder=plan.records))
    package = plan.game.read_box.__module__.partition(".")[0]
    with cluster(scheduler, package) if scheduler else _here(jobs) as (executor, width):
        total, began = Tally(), time.perf_counter()
        for part in _parts(plan, matches, executor, width):
            for number, record in part.records.items():
                draft = cast("Path", plan.records) / f"{number:06}.new"
                draft.write_text(record, "utf-8")
                draft.rename(draft.with_suffix(".record"))
            total += part.tally
            yield replace(total, seconds=time.perf_counter() - began)


@contextmanager
def _here(jobs: int) -> Iterator[tuple[Executor, int]]:
    with _AtOnce() if jobs == 1 else _Processes(jobs) as executor:
        yield executor, jobs


class _AtOnce(Executor):
    """Runs tasks in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class _Processes(ProcessPoolExecutor):
    """Processes that ignore Ctrl-C, which the parent handles."""

    def __init__(self, jobs: int) -> None:
        # A fork copies locks that other threads hold, and may then wait for ever.
        super().__init__(jobs, mp_context=get_context("spawn"))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # inherited by processes started here
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)


def _parts(plan: Simulation, matches: int, executor: Executor, width: int) -> Iterator[_Part]:
    """Yield finished tasks. Submit only enough to keep all workers busy."""
    size = max(1, min(_CHUNK, matches // (4 * width)))
    chunks = (range(first, min(first + size, matches + 1)) for first in range(1, matches + 1, size))
    waiting: set[Future[_Part]] = set()
    try:
        while True:
            waiting.update(executor.submit(_chunk, plan, each) for each in islice(chunks, 2 * width - len(waiting)))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        for future in waiting:
            future.cancel()


def _chunk(plan: Simulation, numbers: range) -> _Part:
    tally, records = Tally(), {}
    for number in numbers:
        match, kinds = plan.match(number), plan.kinds_of(number)
        bots = bots_named(plan.game, kinds, len(kinds))
        decide = all(isinstance(bot, Decider) for bot in bots)
        outcome, moves = _decided(match, bots) if decide else _refereed(match, bots)
        tally += Tally.of(outcome, kinds, moves)
        if plan.records:
            if decide:
                for move in moves:
                    match.push(move)
            records[number] = match.dumps()
    return _Part(tally, records)


def _refereed(match: Match, bots: Sequence[Bot]) -> tuple[Outcome, tuple[Move, ...]]:
    table = VirtualTable(match, settle_ns=ROBOTS_SETTLE_NS)
    table.seat_robots(bots, match.tags[SEED_TAG])
    table.start()
    table.run()
    if match.outcome is None:
        raise RuntimeError(f"the match of seed {match.tags[SEED_TAG]} did not end")
    return match.outcome, match.moves


def _decided(match: Match, bots: Sequence[Bot]) -> tuple[Outcome, list[Move]]:
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
        state = rules.apply(state, move)
        moves.append(move)
    return outcome, moves
