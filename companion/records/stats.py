"""Statistics of all stored matches: wins by player and seat, reaction times, photo finishes."""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from companion.core.move import Seat, each_seat
from companion.core.text import Text, alphabetical
from companion.records.evening_out import EveningOut, Proposal
from companion.records.facts import Facts, Judgement, facts_of
from companion.records.history import KeptRecord
from companion.referee.journal import order

LEAST_EXPECTED: Final = 5
"""Minimum expected wins at each seat to test the seats."""

LUCK_MOST: Final = 0.01
"""The level of significance of that test."""

_Z: Final = 1.96


class Damaged(NamedTuple):
    """A record that was left out, and its damaged line; None if unknown."""

    name: str
    line: int | None


class Spread(NamedTuple):
    """Minimum, quartiles and maximum."""

    least: float
    low: float
    median: float
    high: float
    most: float


class Wins(NamedTuple):
    """The wins of a player or a seat. A shared win is split; `expected` is what luck alone gives."""

    who: str
    matches: int
    wins: Fraction
    expected: Fraction

    @property
    def share(self) -> float:
        return float(self.wins / self.matches)

    @property
    def expected_share(self) -> float:
        return float(self.expected / self.matches)

    @property
    def interval(self) -> tuple[float, float]:
        return interval(float(self.wins), self.matches)


class GameStatistics(NamedTuple):
    """All finished matches of one game.

    `timed` of them have times, which give `played_ns` and `length_ns`. `luck` is the probability that luck alone
    makes the seats as unequal. Unless `swapped`, seats and players cannot be told apart. Wins in `handicapped`
    matches do not count; `proposals` are handicaps for the others.
    """

    name: str
    title: Text
    matches: int
    unfinished: int
    timed: int
    played_ns: int
    length_ns: Spread | None
    moves: Spread | None
    seats: tuple[Wins, ...]
    luck: float | None
    swapped: bool
    handicapped: int = 0
    proposals: tuple[Proposal, ...] = ()


class Reactions(NamedTuple):
    """A player's reaction times, fastest first; `first` of the calls were first alone."""

    who: str
    times_ns: tuple[int, ...]
    first: int

    @property
    def spread_ns(self) -> Spread:
        return spread(self.times_ns)


class Contender(NamedTuple):
    """A press of a photo finish: its time after the earliest."""

    who: str
    after_ns: int
    uncertainty_ns: int


class ContestedCall(NamedTuple):
    """A call that several seats claimed, with the names in the final verdict."""

    record: str
    move: int
    presses: tuple[Contender, ...]
    winners: tuple[str, ...]
    tie: bool

    @property
    def margin_ns(self) -> int:
        return self.presses[1].after_ns

    @property
    def uncertainty_ns(self) -> int:
        return self.presses[0].uncertainty_ns + self.presses[1].uncertainty_ns


class Streak(NamedTuple):
    """A player's longest run of wins; shared ones count."""

    who: str
    wins: int


class BestFeat(NamedTuple):
    """The least or greatest amount of one kind of feat in a game."""

    game: str
    name: str
    who: tuple[str, ...]
    amount: int


class Statistics(NamedTuple):
    """Statistics of all stored matches; unfinished ones are only counted.

    `players` are people; `robots` are those that played against people, by kind. `finishes` are the calls that
    several claimed, closest first.
    """

    games: tuple[GameStatistics, ...]
    players: tuple[Wins, ...]
    reactions: tuple[Reactions, ...]
    finishes: tuple[ContestedCall, ...]
    verdicts: int
    ties: int
    demos: int
    damaged: tuple[Damaged, ...]
    robots: tuple[Wins, ...] = ()
    streaks: tuple[Streak, ...] = ()
    feats: tuple[BestFeat, ...] = ()

    @property
    def matches(self) -> int:
        """Number of finished matches."""
        return sum(game.matches for game in self.games)

    @property
    def unfinished(self) -> int:
        return sum(game.unfinished for game in self.games)

    @property
    def handicapped(self) -> int:
        return sum(game.handicapped for game in self.games)


# --- Numbers ----------------------------------------------------------------------------------------------


def interval(wins: float, matches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    share, weight = wins / matches, _Z * _Z / matches
    middle = share + weight / 2
    reach = _Z * math.sqrt(share * (1 - share) / matches + weight / (4 * matches))
    return max(0.0, (middle - reach) / (1 + weight)), min(1.0, (middle + reach) / (1 + weight))


def spread(values: Iterable[float]) -> Spread:
    """Return the interpolated spread of numbers. Raises ValueError without any."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("nothing to spread")
    return Spread(*(_after_quarters(ordered, quarters) for quarters in range(5)))


def _after_quarters(ordered: Sequence[float], quarters: int) -> float:
    place, rest = divmod(quarters * (len(ordered) - 1), 4)
    if not rest:
        return ordered[place]
    return ordered[place] + (ordered[place + 1] - ordered[place]) * rest / 4


def chance_above(square: float, freedom: int) -> float:
    """Return the probability that chi-square with `freedom` degrees of freedom is at least `square`."""
    half = square / 2
    if freedom % 2:
        chance, term, power = math.erfc(math.sqrt(half)), 2 * math.sqrt(half / math.pi) * math.exp(-half), 1.5
    else:
        chance, term, power = math.exp(-half), half * math.exp(-half), 2.0
    for _ in range((freedom - 1) // 2):
        chance += term
        term *= half / power
        power += 1
    return min(1.0, chance)


# --- Counting ---------------------------------------------------------------------------------------------


def statistics(kept: Iterable[KeptRecord], game: str | None = None, *, demos: bool = False) -> Statistics:
    """Return the statistics of records, of one game or of all.

    Robots' matches for show count only with `demos`; lessons and damaged records never.
    """
    counted = Counted()
    for record in kept:
        counted.count(record, game, demos=demos)
    return counted.statistics()


class _Once:
    """Counts copies of a match once."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._unknown = 0

    def __contains__(self, match: str) -> bool:
        return match in self._known

    def add(self, match: str) -> None:
        if match:
            self._known.add(match)
        else:
            self._unknown += 1

    def discard(self, match: str) -> None:
        self._known.discard(match)

    @property
    def total(self) -> int:
        return len(self._known) + self._unknown


@dataclass
class _Table:
    """The matches of one game with one number of seats."""

    won: Counter[tuple[Seat, ...]] = field(default_factory=Counter)

    @property
    def matches(self) -> int:
        return self.won.total()

    def wins(self, seat: Seat) -> Fraction:
        shares = (Fraction(times, len(seats)) for seats, times in self.won.items() if seat in seats)
        return sum(shares, Fraction(0))

    def variance(self, seats: int) -> Fraction:
        """Return the variance by luck of the wins of one seat."""
        each = (
            times * (Fraction(1, len(won) * seats) - Fraction(1, seats * seats)) for won, times in self.won.items()
        )
        return sum(each, Fraction(0))


@dataclass
class _OneGame:
    title: Text
    unfinished: _Once = field(default_factory=_Once)
    moves: list[int] = field(default_factory=list)
    lengths_ns: list[int] = field(default_factory=list)
    tables: dict[int, _Table] = field(default_factory=lambda: defaultdict(_Table))
    sat: dict[str, set[Seat]] = field(default_factory=lambda: defaultdict(set))
    handicapped: int = 0
    evening_out: EveningOut = field(default_factory=EveningOut)

    def count(self, record: str, facts: Facts, winners: tuple[Seat, ...]) -> None:
        self.moves.append(facts.moves)
        if facts.played_ns is not None:
            self.lengths_ns.append(facts.played_ns)
        if facts.handicapped:
            self.handicapped += 1
            return
        self.evening_out.count(facts, record)
        self.tables[len(facts.names)].won[winners] += 1
        for seat, name in facts.people():
            self.sat[name].add(Seat(seat))

    def statistics(self, name: str) -> GameStatistics:
        return GameStatistics(
            name,
            self.title,
            len(self.moves),
            self.unfinished.total,
            len(self.lengths_ns),
            sum(self.lengths_ns),
            spread(self.lengths_ns) if self.lengths_ns else None,
            spread(self.moves) if self.moves else None,
            _seats(self.tables),
            _luck(self.tables),
            any(len(seats) > 1 for seats in self.sat.values()),
            self.handicapped,
            self.evening_out.proposals(),
        )


@dataclass
class Counted:
    """The counts of all matches so far. A match with several copies counts once: the first that is over."""

    games: dict[str, _OneGame] = field(default_factory=dict)
    players: dict[str, Counter[tuple[Fraction, Fraction]]] = field(default_factory=lambda: defaultdict(Counter))
    """How often each player had each share of a win and of the seats."""
    robots: dict[str, Counter[tuple[Fraction, Fraction]]] = field(default_factory=lambda: defaultdict(Counter))
    results: dict[str, list[tuple[tuple[int, str], bool]]] = field(default_factory=lambda: defaultdict(list))
    """For each player, the sort key of each record, and whether they won."""
    feats: dict[tuple[str, str], tuple[BestFeat, BestFeat]] = field(default_factory=dict)
    times_ns: "dict[str, array[int]]" = field(default_factory=lambda: defaultdict(lambda: array("q")))
    firsts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    finishes: list[ContestedCall] = field(default_factory=list)
    verdicts: int = 0
    ties: int = 0
    demos: _Once = field(default_factory=_Once)
    damaged: list[Damaged] = field(default_factory=list)
    over: _Once = field(default_factory=_Once)

    def count(self, kept: KeptRecord, game: str | None = None, *, demos: bool = False) -> None:
        if kept.opened is None or kept.opened.damage:
            damage = kept.opened and kept.opened.damage
            self.damaged.append(Damaged(kept.name, damage.line if damage else None))
            return
        match = kept.opened.match
        if game in {None, match.game.name}:
            self.count_facts(kept.name, facts_of(match), match.game.title, demos=demos)

    def count_facts(self, record: str, facts: Facts, title: Text, *, demos: bool = False) -> None:
        if facts.demo and not demos:
            self.demos.add(facts.match)
        elif not facts.lesson:
            self._match(record, facts, title)

    def statistics(self) -> Statistics:
        players = [_wins(name, played) for name, played in self.players.items()]
        robots = [_wins(kind, played) for kind, played in self.robots.items()]
        streaks = [Streak(name, _streak(results)) for name, results in self.results.items()]
        reactions = [
            Reactions(name, tuple(sorted(times_ns)), self.firsts[name]) for name, times_ns in self.times_ns.items()
        ]
        return Statistics(
            tuple(game.statistics(name) for name, game in sorted(self.games.items())),
            tuple(sorted(players, key=lambda wins: (-wins.matches, alphabetical(wins.who)))),
            tuple(sorted(reactions, key=lambda each: (each.spread_ns.median, alphabetical(each.who)))),
            tuple(sorted(self.finishes, key=lambda each: (each.margin_ns, each.record, each.move))),
            self.verdicts,
            self.ties,
            self.demos.total,
            tuple(self.damaged),
            tuple(sorted(robots, key=lambda wins: (-wins.matches, wins.who))),
            tuple(sorted(streaks, key=lambda each: (-each.wins, alphabetical(each.who)))),
            tuple(sorted({each for both in self.feats.values() for each in both})),
        )

    def _match(self, record: str, facts: Facts, title: Text) -> None:
        game = self.games.setdefault(facts.game, _OneGame(title))
        if facts.match in self.over:
            return
        if facts.winners is None:
            game.unfinished.add(facts.match)
            return
        self.over.add(facts.match)
        game.unfinished.discard(facts.match)
        winners = tuple(map(Seat, facts.winners))
        game.count(record, facts, winners)
        if not facts.handicapped:
            self._wins(record, facts, winners)
        for each in facts.feats:
            told = BestFeat(facts.game, each.name, tuple(facts.names[seat] for seat in each.seats), each.amount)
            least, most = self.feats.get((facts.game, each.name), (told, told))
            self.feats[facts.game, each.name] = (
                min(least, told, key=_amount_and_names),
                max(most, told, key=_amount_and_names),
            )
        for judgement in facts.judgements:
            self._verdict(record, facts, judgement)

    def _wins(self, record: str, facts: Facts, winners: Sequence[Seat]) -> None:
        people: dict[str, list[int]] = defaultdict(list)
        robots: dict[str, list[int]] = defaultdict(list)
        for seat, name in facts.people():
            people[name].append(seat)
        for seat, kind in enumerate(facts.robots):
            if kind:
                robots[kind].append(seat)
        for counted, sitters in ((self.players, people), (self.robots, robots)):
            for who, seats in sitters.items():
                won = Fraction(sum(seat in winners for seat in seats), len(winners))
                counted[who][won, Fraction(len(seats), len(facts.names))] += 1
        for name, seats in people.items():
            self.results[name].append((order(record), any(seat in winners for seat in seats)))

    def _verdict(self, record: str, facts: Facts, judged: Judgement) -> None:
        names, people = facts.names, {seat for seat, _ in facts.people()}
        heard, winners = judged.heard, tuple(names[seat] for seat in judged.seats)
        self.verdicts += 1
        self.ties += judged.tie
        if winners and not judged.tie and judged.seats[0] in people:
            self.firsts[winners[0]] += 1
        for call in heard:
            if judged.opened and call.timed and call.seat in people:
                self.times_ns[names[call.seat]].append(call.after_ns - call.handicap_ns)
        if len(heard) > 1:
            earliest_ns = heard[0].after_ns
            presses = tuple(
                Contender(names[call.seat], call.after_ns - earliest_ns, call.uncertainty_ns) for call in heard
            )
            self.finishes.append(ContestedCall(record, judged.move, presses, winners, judged.tie))


def _wins(name: str, played: Mapping[tuple[Fraction, Fraction], int]) -> Wins:
    won = sum((share * times for (share, _), times in played.items()), Fraction(0))
    expected = sum((share * times for (_, share), times in played.items()), Fraction(0))
    return Wins(name, sum(played.values()), won, expected)


def _amount_and_names(feat: BestFeat) -> tuple[int, tuple[str, ...]]:
    return feat.amount, feat.who


def _streak(results: Iterable[tuple[tuple[int, str], bool]]) -> int:
    runs = (len(list(run)) for won, run in groupby(won for _, won in sorted(results)) if won)
    return max(runs, default=0)


def _seats(tables: Mapping[int, _Table]) -> tuple[Wins, ...]:
    rows = []
    for seat in each_seat(max(tables, default=0)):
        having = {seats: table for seats, table in tables.items() if seats > seat}
        matches = sum(table.matches for table in having.values())
        won = sum((table.wins(seat) for table in having.values()), Fraction(0))
        expected = sum((Fraction(table.matches, seats) for seats, table in having.items()), Fraction(0))
        rows.append(Wins(str(seat + 1), matches, won, expected))
    return tuple(rows)


def _luck(tables: Mapping[int, _Table]) -> float | None:
    """Return the probability, by chi-square, that luck alone makes the seats as unequal.

    None with too few matches. A shared win is split, so its variance is smaller than that of a whole win.
    """
    square, freedom = 0.0, 0
    for seats, table in tables.items():
        expected = Fraction(table.matches, seats)
        variance = table.variance(seats)
        if expected < LEAST_EXPECTED or not variance:
            continue
        unequal = sum((table.wins(seat) - expected) ** 2 for seat in each_seat(seats))
        square += float(unequal / (variance * seats / (seats - 1)))
        freedom += seats - 1
    return chance_above(square, freedom) if freedom else None
