"""`companion simulate`: many matches of robots, counted: who wins by seat and kind, and how long a match is.

Robots that only decide play by the rules alone. Where one needs its reaction times, every match goes through the
whole referee and virtual devices, in virtual time. One process plays, or several, or the workers of a cluster: the
same seed gives the same sums.
"""

import argparse
import random
import secrets
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

from companion.cli.arguments import check_folder, named_config
from companion.cli.cluster import cluster
from companion.cli.demo import SETTLE_NS
from companion.cli.match_arguments import asked_names, asked_rulings
from companion.cli.progress import progress
from companion.cli.status import DONE
from companion.config import boxes
from companion.core.boxfile import NamedBox
from companion.core.errors import OptionError
from companion.core.game import Bot, Decider, Game
from companion.core.match import SEED_TAG, Match
from companion.core.move import TABLE, Move, Seat, each_seat
from companion.core.rules import Outcome, Rulings
from companion.core.tags import dealer_of
from companion.core.text import _, msg, percent
from companion.games import load
from companion.match.new_match import new_match
from companion.match.robots import bots_named
from companion.match.virtual_table import VirtualTable
from companion.records.stats import interval

K = TypeVar("K")
P = ParamSpec("P")
T = TypeVar("T")

MOST_JOBS: Final = 64
"""Processes at most: each takes 30 MB and three open files; more machines are a cluster."""

_CHUNK: Final = 25
"""Matches that a process or a worker plays at most before it reports."""

_TOO_LONG: Final = 100_000
"""Moves after which a match surely does not end."""


class Simulation(NamedTuple):
    """A plan of matches: match i deals from `seed/i`, and the robots move on by one seat each match.

    With `records` each match is kept in that folder; without a `box` it is the one that comes with the game.
    """

    game: Game
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    rulings: Rulings
    seed: str
    records: Path | None = None
    box: NamedBox | None = None

    def kinds_of(self, number: int) -> list[str]:
        """Return the robots of a match by seat; from match to match they move on by one."""
        seats = len(self.names)
        return [self.kinds[(seat + number - 1) % seats % len(self.kinds)] for seat in range(seats)]

    def match(self, number: int) -> Match:
        seed, robots = f"{self.seed}/{number}", self.kinds_of(number)
        return new_match(self.game, self.names, rulings=self.rulings, box=self.box, seed=seed, robots=robots)

    def __reduce__(self) -> tuple[Callable[..., "Simulation"], tuple[object, ...]]:
        # To another process a game goes by its name: it is modules, which cannot be sent.
        return _plan, (self.game.name, *self[1:])


def _plan(game: str, *rest: Any) -> Simulation:
    return Simulation(load(game), *rest)


@dataclass(frozen=True)
class Tally:
    """Counts wins by seat and by kind of robot (a shared first place is split), moves and decisions.

    Tallies can be added in any order. `seconds` is set by the process that waited for all.
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
        """Return the tally of one match."""
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
    """The tally of some matches, and the records to keep by number."""

    tally: Tally
    records: Mapping[int, str]


def main(arguments: argparse.Namespace) -> int:
    """Play the matches and print the tally, after an interrupt that of the matches so far."""
    jobs = 1 if arguments.jobs is None else arguments.jobs
    if arguments.matches < 1:
        raise OptionError(msg("{name} {n}: allowed: a whole number from 1", name="-n", n=arguments.matches))
    if not 1 <= jobs <= MOST_JOBS:
        raise OptionError(
            msg(
                "--jobs {n}: allowed: a whole number from 1 to {most}; for more there is --scheduler",
                n=jobs,
                most=MOST_JOBS,
            )
        )
    if arguments.scheduler and arguments.jobs is not None:
        raise OptionError(msg("--jobs: the workers of the scheduler play; leave it out"))
    check_folder("--records", arguments.records)
    game, config = load(arguments.game), named_config(arguments)
    names = asked_names(arguments, config, game)
    kinds = [next(iter(game.bots))] if arguments.bots is None else arguments.bots.split(",")
    plan = Simulation(
        game,
        names,
        tuple(kinds),
        asked_rulings(arguments, game, config),
        secrets.token_hex(8) if arguments.seed is None else arguments.seed,
        arguments.records,
        boxes.named(game, config.box_of(game)),
    )
    show, tally = progress(), None
    try:
        for tally in run(plan, arguments.matches, jobs=jobs, scheduler=arguments.scheduler):
            show(tally.matches, arguments.matches)
    finally:  # also of a run that was interrupted, or lost its cluster
        if tally:
            print(report(tally, plan))
    return DONE


def run(plan: Simulation, matches: int, *, jobs: int = 1, scheduler: str | None = None) -> Iterator[Tally]:
    """Play matches 1 to `matches`; yield the tally of all that are done, again and again until it is that of all.

    They are played by `jobs` processes, or by the cluster of a scheduler. Raise OptionError for a robot that the
    game does not have, for rulings by which none plays, and for a folder of records that is not empty.
    """
    bots_named(plan.game, plan.kinds, len(plan.names), plan.rulings)
    if plan.records:
        plan.records.mkdir(parents=True, exist_ok=True)
        if any(plan.records.glob("*.record")):
            raise OptionError(msg("{folder} holds records already; name another folder", folder=plan.records))
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
    """Yield an executor on this machine, and its number of processes."""
    with _AtOnce() if jobs == 1 else _Processes(jobs) as executor:
        yield executor, jobs


class _AtOnce(Executor):
    """Plays in this process, at once."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class _Processes(ProcessPoolExecutor):
    """Plays in processes of its own, which ignore Ctrl-C: it is for the process that waits for them."""

    def __init__(self, jobs: int) -> None:
        # Fresh ones, since one that is forked while a thread of its parent holds a lock may wait for ever.
        super().__init__(jobs, mp_context=get_context("spawn"))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # a process that is started here keeps it
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)


def _parts(plan: Simulation, matches: int, executor: Executor, width: int) -> Iterator[_Part]:
    """Yield the parts as they are done; only as many are submitted as keep all workers busy."""
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
        decide = all(hasattr(bot, "decide") for bot in bots)
        outcome, moves = _decided(match, bots) if decide else _refereed(match, bots)
        tally += Tally.of(outcome, kinds, moves)
        if plan.records:
            if decide:
                for move in moves:
                    match.push(move)
            records[number] = match.dumps()
    return _Part(tally, records)


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
    """Play a match by the rules alone; `match` itself does not change."""
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


def report(tally: Tally, plan: Simulation) -> str:
    """Return the tally as a table of text."""
    seats = len(plan.names)
    lines = [
        _("{matches} matches of {game}, seed {seed}").format(
            matches=tally.matches, game=plan.game.title, seed=plan.seed
        ),
        _("{moves:.1f} moves a match ({least} to {most})").format(
            moves=tally.moves / tally.matches, least=tally.shortest, most=tally.longest
        ),
        _("{matches:.1f} matches a second, {decisions:.0f} decisions of players a second").format(
            matches=tally.matches / tally.seconds, decisions=tally.decisions / tally.seconds
        ),
        _("share of wins, its 95% interval, share of seats:"),
    ]
    for seat in each_seat(seats):
        lines.append(_row(_("seat {n}").format(n=seat + 1), tally.seats.get(seat, 0), tally.matches, 1 / seats))
    kinds = plan.kinds_of(1)
    for kind in dict.fromkeys(kinds):
        share = kinds.count(kind) / seats
        label = _("{kind}, {n} of {seats} seats").format(kind=kind, n=kinds.count(kind), seats=seats)
        lines.append(_row(label, tally.kinds.get(kind, 0), tally.matches, share))
    return "\n".join(lines)


def _row(label: str, wins: Fraction | int, matches: int, share: float) -> str:
    told = (str(percent(float(part), 1)) for part in (wins / matches, *interval(float(wins), matches), share))
    won, low, high, expected = told
    return f"  {label:32} {won:>6}  [{low}, {high}]  {expected}"
