"""A tournament as a list of events: groups, tables, results, standings.

A player's points in a match are the share of opponents left behind; a tie counts half. The first of four gets 1,
then 2/3, 1/3, 0. Every table size counts the same. Sitting out a round gives 1/2.

Ties are broken by the mean points of the opponents, then first places (split if shared), then seeded lots.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from companion.club.systems import SYSTEMS
from companion.core.errors import OptionError, nearest
from companion.core.text import msg

SAT_OUT: Final = Fraction(1, 2)
"""Points for sitting out a round."""


class Plan(NamedTuple):
    """The first event. `seats` is the preferred size of a group, `sizes` are the allowed ones.

    `advantage`: each seat's win share above an equal share.
    """

    game: str
    players: tuple[str, ...]
    tables: tuple[str, ...]
    system: str
    seats: int
    sizes: tuple[int, ...]
    rounds: int
    seed: str
    advantage: tuple[float, ...] = ()


class Drawn(NamedTuple):
    """A new round: its groups in the order of seats, and who sits `out`.

    `known`: earlier matches of these groups, which do not count.
    """

    groups: tuple[tuple[str, ...], ...]
    out: tuple[str, ...] = ()
    known: tuple[str, ...] = ()


class Called(NamedTuple):
    """A group of the newest round was called to a table."""

    group: int
    table: str


class GroupResult(NamedTuple):
    """The places of a group by seat, from 1; ties share a place.

    `match`: its record, or "" for a result or correction by the house.
    """

    round: int
    group: int
    places: tuple[int, ...]
    match: str = ""


class Tables(NamedTuple):
    """The new list of tables."""

    tables: tuple[str, ...]


class Left(NamedTuple):
    """A player left; later rounds are drawn without them."""

    player: str


LedgerEvent = Plan | Drawn | Called | GroupResult | Tables | Left


@dataclass
class Round:
    """A drawn round, with tables and results by group."""

    drawn: Drawn
    called: dict[int, str] = field(default_factory=dict)
    results: dict[int, GroupResult] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        return len(self.results) == len(self.drawn.groups)


class Standing(NamedTuple):
    """A player's `rank` from 1, the mean points of opponents `met`, and first places."""

    rank: int
    player: str
    points: Fraction
    met: Fraction
    firsts: Fraction
    matches: int


class Tournament:
    """The state of a tournament after its events. Raise OptionError for an impossible plan."""

    def __init__(self, plan: Plan) -> None:
        _check_plan(plan)
        self.plan = plan
        self.tables = plan.tables
        self.lost: set[str] = set()
        """Former tables, which get no calls."""
        self.left: set[str] = set()
        self.rounds: list[Round] = []
        self.matches: set[tuple[str, frozenset[str]]] = set()
        """Counted matches by record and players; tables may share a name."""

    @property
    def playing(self) -> tuple[str, ...]:
        return tuple(player for player in self.plan.players if player not in self.left)

    @property
    def over(self) -> bool:
        return len(self.rounds) == self.plan.rounds and self.rounds[-1].over

    def check(self, event: LedgerEvent) -> None:
        """Raise OptionError if the event cannot be next."""
        if isinstance(event, Drawn):
            self._check_drawn(event)
        elif isinstance(event, Called):
            now = self.rounds[-1] if self.rounds else None
            if not now or not 0 <= event.group < len(now.drawn.groups) or event.table not in self.tables:
                raise OptionError(msg("no group can be called to table {table} now", table=event.table))
        elif isinstance(event, GroupResult):
            self._check_result(event)
        elif isinstance(event, Tables):
            _check_names(event.tables, "--tables", 1)
        elif isinstance(event, Left):
            if event.player not in self.playing:
                raise OptionError(
                    msg(
                        "unknown player {name!r}; {near}",
                        name=event.player,
                        near=nearest(event.player, self.playing),
                    )
                )
        else:
            raise OptionError(msg("the tournament has already begun"))

    def take(self, event: LedgerEvent) -> None:
        """Apply an event. OptionError leaves the tournament unchanged."""
        self.check(event)
        match event:
            case Drawn():
                self.rounds.append(Round(event))
            case Called(group, table):
                self.rounds[-1].called[group] = table
            case GroupResult(number, group, _, name):
                now = self.rounds[number - 1]
                now.results[group] = event
                if name:
                    self.matches.add((name, frozenset(now.drawn.groups[group])))
            case Tables(tables):
                self.lost = (self.lost | set(self.tables)) - set(tables)
                self.tables = tables
            case Left(player):
                self.left.add(player)

    def group_of(self, players: frozenset[str]) -> tuple[int, int] | None:
        """Return the earliest open round and group of these players."""
        for number, each in enumerate(self.rounds, 1):
            for group, names in enumerate(each.drawn.groups):
                if group not in each.results and players.issuperset(names) and len(players) == len(names):
                    return number, group
        return None

    def played(self) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
        for each in self.rounds:
            for group, result in sorted(each.results.items()):
                yield each.drawn.groups[group], result.places

    def lots(self, what: object) -> dict[str, int]:
        order = list(self.plan.players)
        random.Random(f"{self.plan.seed}/{what}").shuffle(order)
        return {player: lot for lot, player in enumerate(order)}

    def points(self) -> dict[str, Fraction]:
        found = dict.fromkeys(self.plan.players, Fraction())
        for names, places in self.played():
            for player, place in zip(names, places, strict=True):
                behind = sum(place < other for other in places)
                level = places.count(place) - 1
                found[player] += Fraction(2 * behind + level, 2 * (len(places) - 1))
        for player, times in self.sat_out().items():
            found[player] += times * SAT_OUT
        return found

    def sat_out(self) -> Mapping[str, int]:
        """Return finished rounds that each player sat out."""
        return Counter(player for each in self.rounds if each.over for player in each.drawn.out)

    def standings(self) -> list[Standing]:
        points, lots = self.points(), self.lots("standings")
        met: dict[str, list[Fraction]] = {player: [] for player in points}
        firsts, matches = dict.fromkeys(points, Fraction()), Counter[str]()
        for names, places in self.played():
            for player, place in zip(names, places, strict=True):
                met[player] += [points[other] for other in names if other != player]
                matches[player] += 1
                if place == 1:
                    firsts[player] += Fraction(1, places.count(1))
        mean = {player: sum(those, Fraction()) / max(1, len(those)) for player, those in met.items()}
        order = sorted(points, key=lambda each: (-points[each], -mean[each], -firsts[each], lots[each]))
        return [
            Standing(rank, player, points[player], mean[player], firsts[player], matches[player])
            for rank, player in enumerate(order, 1)
        ]

    def _check_drawn(self, event: Drawn) -> None:
        if len(self.rounds) == self.plan.rounds or (self.rounds and not self.rounds[-1].over):
            raise OptionError(msg("round {n} cannot be drawn now", n=len(self.rounds) + 1))
        drawn = [player for group in event.groups for player in group] + list(event.out)
        if not event.groups or sorted(drawn) != sorted(self.playing):
            raise OptionError(msg("round {n} must have each player exactly once", n=len(self.rounds) + 1))

    def _check_result(self, event: GroupResult) -> None:
        if not 1 <= event.round <= len(self.rounds):
            raise OptionError(msg("round {n} has not been drawn", n=event.round))
        each = self.rounds[event.round - 1]
        if not 0 <= event.group < len(each.drawn.groups):
            raise OptionError(msg("unknown group {group} in round {n}", n=event.round, group=event.group + 1))
        seats = len(each.drawn.groups[event.group])
        if len(event.places) != seats or any(
            place != 1 + sum(other < place for other in event.places) for place in event.places
        ):
            raise OptionError(msg("these are not valid places for {n} players", n=seats))
        earlier = each.results.get(event.group)
        if event.match and earlier and earlier.match != event.match:
            raise OptionError(msg("this group already has a result; only the house can correct it"))


def _check_plan(plan: Plan) -> None:
    _check_names(plan.players, "--names", 2)
    _check_names(plan.tables, "--tables", 1)
    if plan.system not in SYSTEMS:
        raise OptionError(msg("--system {found}: {near}", found=plan.system, near=nearest(plan.system, SYSTEMS)))
    if plan.seats not in plan.sizes or plan.seats > len(plan.players):
        allowed = ", ".join(str(size) for size in plan.sizes if size <= len(plan.players))
        raise OptionError(msg("--seats {found}: allowed: {allowed}", found=plan.seats, allowed=allowed))
    if plan.rounds < 1:
        raise OptionError(msg("{name} {n}: allowed: a whole number from 1", name="--rounds", n=plan.rounds))


def _check_names(names: Sequence[str], option: str, least: int) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise OptionError(msg("{option}: {name!r} appears twice", option=option, name=twice[0]))
    if len(names) < least or not all(name and name.isprintable() for name in names):
        raise OptionError(msg("{option}: allowed: names, at least {n}, none empty", option=option, n=least))
