"""What all kept matches say together: who wins, from which seat, how fast people call, how close it was.

Pure: from records that were opened to one value, which text, pictures and screens show in their own way.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from companion.core.match import Match
from companion.core.move import Seat, by_seat, each_seat
from companion.core.rules import Outcome
from companion.core.signal import LEVEL_ONLY, MERGED
from companion.core.tags import is_demo, is_lesson
from companion.records.evening_out import EveningOut, Proposal, is_handicapped
from companion.records.verdicts import Judged, verdicts
from companion.referee.journal import Opened

BREAK_NS: Final = 600 * 1_000_000_000
"""When nothing is done for longer than this, nobody plays."""

LEAST_EXPECTED: Final = 5
"""With fewer wins expected at each seat a difference says nothing."""

LUCK_MOST: Final = 0.01
"""A difference that luck makes in at most this share of cases is more than luck."""

_MINUTE_NS: Final = 60_000_000_000

_Z: Final = 1.96
"""Standard deviations to each side of a 95 % interval."""

_UNTIMED: Final = frozenset({LEVEL_ONLY, MERGED})
"""The flags of a press of which nobody knows well when it was."""


class Kept(NamedTuple):
    """A record by its name: what it held, or None where nothing could be read."""

    name: str
    opened: Opened | None


class Damaged(NamedTuple):
    """A record that was left out, and the line where it is damaged; None where nothing could be read."""

    name: str
    line: int | None


class Spread(NamedTuple):
    """How some numbers are spread: the least, a quarter, half and three quarters of them, the most."""

    least: float
    low: float
    median: float
    high: float
    most: float


class Wins(NamedTuple):
    """Who or which seat won how often; a shared win is a share for each, `expected` is what luck alone gives."""

    who: str
    matches: int
    wins: Fraction
    expected: Fraction

    @property
    def share(self) -> float:
        """The share of matches that were won."""
        return float(self.wins / self.matches)

    @property
    def expected_share(self) -> float:
        """The share that luck alone gives."""
        return float(self.expected / self.matches)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return interval(float(self.wins), self.matches)


class GameStatistics(NamedTuple):
    """All finished matches of one game.

    `timed` of them say when their moves were made; `played_ns` and `length_ns` are of those. `luck` is how often
    luck alone makes the seats as unequal as they are, None with too few matches. With `swapped` somebody has sat
    at more than one seat: else a seat and who sits there cannot be told apart. Of matches that were `handicapped`
    nobody's wins count; `proposals` are handicaps that would make the others even.
    """

    name: str
    title: str
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
    """How long after a card was visible one player's calls came, the fastest first; how many were first alone."""

    who: str
    times_ns: tuple[int, ...]
    first: int

    @property
    def spread_ns(self) -> Spread:
        """How they are spread."""
        return spread(self.times_ns)


class Press(NamedTuple):
    """One press of a photo finish: how long after the earliest, and how uncertain that is."""

    who: str
    after_ns: int
    uncertainty_ns: int


class Finish(NamedTuple):
    """A call that several claimed: in which match, by which move it was judged, and for whom.

    `winners` are the names in the verdict that stands, several for a tie.
    """

    record: str
    move: int
    presses: tuple[Press, ...]
    winners: tuple[str, ...]
    tie: bool

    @property
    def margin_ns(self) -> int:
        """The distance between the two earliest presses."""
        return self.presses[1].after_ns

    @property
    def uncertainty_ns(self) -> int:
        """How far that distance may be wrong."""
        return self.presses[0].uncertainty_ns + self.presses[1].uncertainty_ns


class Statistics(NamedTuple):
    """What all kept matches say together; of those that are not over, only how many there are.

    `verdicts` are all calls that were judged, `finishes` those that several claimed, the closest first.
    """

    games: tuple[GameStatistics, ...]
    players: tuple[Wins, ...]
    reactions: tuple[Reactions, ...]
    finishes: tuple[Finish, ...]
    verdicts: int
    ties: int
    demos: int
    damaged: tuple[Damaged, ...]

    @property
    def matches(self) -> int:
        """How many matches are over."""
        return sum(game.matches for game in self.games)

    @property
    def unfinished(self) -> int:
        """How many are not."""
        return sum(game.unfinished for game in self.games)

    @property
    def handicapped(self) -> int:
        """In how many of those that are over somebody had a handicap."""
        return sum(game.handicapped for game in self.games)


# --- Numbers ----------------------------------------------------------------------------------------------


def interval(wins: float, matches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share of wins."""
    share, weight = wins / matches, _Z * _Z / matches
    middle = share + weight / 2
    reach = _Z * math.sqrt(share * (1 - share) / matches + weight / (4 * matches))
    return max(0.0, (middle - reach) / (1 + weight)), min(1.0, (middle + reach) / (1 + weight))


def spread(values: Iterable[float]) -> Spread:
    """Return how numbers are spread, between two of them in proportion. Raise ValueError without any."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("nothing to spread")
    return Spread(*(_at(ordered, quarter * (len(ordered) - 1), 4) for quarter in range(5)))


def _at(ordered: Sequence[float], place: int, parts: int) -> float:
    """Return the value at a place that is counted in parts."""
    whole, rest = divmod(place, parts)
    if not rest:
        return ordered[whole]
    return ordered[whole] + (ordered[whole + 1] - ordered[whole]) * rest / parts


def chance_above(square: float, freedom: int) -> float:
    """Return how often a sum of `freedom` squares of standard normal numbers is at least `square`."""
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


def statistics(kept: Iterable[Kept], game: str | None = None, *, demos: bool = False) -> Statistics:
    """Return what records say together, of one game or of all.

    Matches that robots played for show count only with `demos`, lessons never. A damaged record does not count.
    """
    counted = Counted()
    for record in kept:
        counted.count(record, game, demos=demos)
    return counted.statistics()


@dataclass
class _Table:
    """All matches of one game with as many seats; `variance` is that of each seat's wins by luck."""

    matches: int = 0
    wins: dict[Seat, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    variance: Fraction = Fraction(0)

    def count(self, outcome: Outcome, seats: int) -> None:
        winners = len(outcome.winners)
        self.matches += 1
        self.variance += Fraction(1, winners * seats) - Fraction(1, seats * seats)
        for seat in outcome.winners:
            self.wins[seat] += Fraction(1, winners)


@dataclass
class _OneGame:
    """What is counted of one game."""

    title: str
    unfinished: int = 0
    moves: list[int] = field(default_factory=list)
    lengths_ns: list[int] = field(default_factory=list)
    tables: dict[int, _Table] = field(default_factory=lambda: defaultdict(_Table))
    sat: dict[str, set[Seat]] = field(default_factory=lambda: defaultdict(set))
    handicapped: int = 0
    evening_out: EveningOut = field(default_factory=EveningOut)

    def count(self, match: Match, outcome: Outcome) -> None:
        self.moves.append(match.length)
        time_ns = played_ns(match)
        if time_ns is not None:
            self.lengths_ns.append(time_ns)
        if is_handicapped(match):
            self.handicapped += 1
            return
        self.evening_out.count(match)
        self.tables[len(match.names)].count(outcome, len(match.names))
        for seat, name in by_seat(match.names):
            self.sat[name].add(seat)

    def statistics(self, name: str) -> GameStatistics:
        return GameStatistics(
            name,
            self.title,
            len(self.moves),
            self.unfinished,
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
    """What is counted of all matches so far: of one record after the other."""

    games: dict[str, _OneGame] = field(default_factory=dict)
    players: dict[str, list[tuple[Fraction, int]]] = field(default_factory=lambda: defaultdict(list))
    times_ns: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    firsts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    finishes: list[Finish] = field(default_factory=list)
    verdicts: int = 0
    ties: int = 0
    demos: int = 0
    damaged: list[Damaged] = field(default_factory=list)

    def count(self, kept: Kept, game: str | None = None, *, demos: bool = False) -> None:
        """Count a record, if it is of this game or of any; see `statistics`."""
        if kept.opened is None or kept.opened.damage:
            damage = kept.opened and kept.opened.damage
            self.damaged.append(Damaged(kept.name, damage.line if damage else None))
            return
        match = kept.opened.match
        if game not in {None, match.game.name} or is_lesson(match):
            return
        if is_demo(match) and not demos:
            self.demos += 1
        else:
            self._match(kept.name, match)

    def statistics(self) -> Statistics:
        """Return what all of them say together."""
        players = [_wins(name, played) for name, played in self.players.items()]
        reactions = [
            Reactions(name, tuple(sorted(times_ns)), self.firsts[name]) for name, times_ns in self.times_ns.items()
        ]
        return Statistics(
            tuple(game.statistics(name) for name, game in sorted(self.games.items())),
            tuple(sorted(players, key=lambda wins: (-wins.matches, wins.who))),
            tuple(sorted(reactions, key=lambda each: (each.spread_ns.median, each.who))),
            tuple(sorted(self.finishes, key=lambda each: (each.margin_ns, each.record, each.move))),
            self.verdicts,
            self.ties,
            self.demos,
            tuple(self.damaged),
        )

    def _match(self, record: str, match: Match) -> None:
        game = self.games.setdefault(match.game.name, _OneGame(match.game.title))
        outcome = match.outcome
        if outcome is None:
            game.unfinished += 1
            return
        game.count(match, outcome)
        for seat, name in enumerate(match.names) if not is_handicapped(match) else ():
            won = Fraction(seat in outcome.winners, len(outcome.winners))
            self.players[name].append((won, len(match.names)))
        for judged in verdicts(match):
            self._verdict(record, match.names, judged)

    def _verdict(self, record: str, names: Sequence[str], judged: Judged) -> None:
        evidence, winners = judged.evidence, tuple(names[seat] for seat in judged.seats)
        self.verdicts += 1
        self.ties += judged.tie
        if winners and not judged.tie:
            self.firsts[winners[0]] += 1
        for call in evidence.calls:
            if evidence.open_ns is not None and not _UNTIMED.intersection(call.flags):
                self.times_ns[names[call.seat]].append(call.t_ns - call.handicap_ns - evidence.open_ns)
        if len(evidence.calls) > 1:
            earliest_ns = evidence.calls[0].t_ns
            presses = tuple(
                Press(names[call.seat], call.t_ns - earliest_ns, call.uncertainty_ns) for call in evidence.calls
            )
            self.finishes.append(Finish(record, judged.number, presses, winners, judged.tie))


def _wins(name: str, played: Sequence[tuple[Fraction, int]]) -> Wins:
    won = sum((share for share, _seats in played), Fraction(0))
    return Wins(name, len(played), won, sum((Fraction(1, seats) for _won, seats in played), Fraction(0)))


def _seats(tables: Mapping[int, _Table]) -> tuple[Wins, ...]:
    """Return the wins of each seat, at tables of any size that have it."""
    rows = []
    for seat in each_seat(max(tables, default=0)):
        having = {seats: table for seats, table in tables.items() if seats > seat}
        matches = sum(table.matches for table in having.values())
        won = sum((table.wins[seat] for table in having.values()), Fraction(0))
        expected = sum((Fraction(table.matches, seats) for seats, table in having.items()), Fraction(0))
        rows.append(Wins(str(seat + 1), matches, won, expected))
    return tuple(rows)


def _luck(tables: Mapping[int, _Table]) -> float | None:
    """Return how often luck alone makes the seats as unequal; None when there is too little to say so.

    The squared differences from what is expected, measured by what luck makes of them. A shared win counts as
    shares, which luck spreads less than whole wins.
    """
    square, freedom = 0.0, 0
    for seats, table in tables.items():
        expected = Fraction(table.matches, seats)
        if expected < LEAST_EXPECTED or not table.variance:
            continue
        unequal = sum((table.wins[seat] - expected) ** 2 for seat in each_seat(seats))
        square += float(unequal / (table.variance * seats / (seats - 1)))
        freedom += seats - 1
    return chance_above(square, freedom) if freedom else None


def played_ns(match: Match) -> int | None:
    """Return how long was played, without breaks; after a restart of the machine its clock begins anew.

    None where the record does not say when its moves were made.
    """
    times_ns = [t_ns for t_ns in (entry.evidence.t_ns for entry in match.entries) if t_ns is not None]
    if len(times_ns) < 2:
        return None
    gaps = (after - before for before, after in pairwise(times_ns))
    return sum(gap for gap in gaps if 0 < gap <= BREAK_NS)


def played_minutes(match: Match) -> int:
    """Return the same in minutes, of which one that has begun counts; 0 where nothing is known."""
    return -(-(played_ns(match) or 0) // _MINUTE_NS)
