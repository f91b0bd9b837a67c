"""A tournament as the events that made it: who plays where, who has won what, who stands where. Pure.

Points of a match are the share of its other players that one has left behind, a tie being half: at a table of
four the first has 1, the second 2/3, the third 1/3, the last 0; of two players the winner has all. So a table of
three is worth as much as one of five. Who sits out a round has 1/2, what an equal among equals has on the average.

Ties of points are broken by the mean points of those one has played with, then by first places (a shared one is a
share), then by the lots that the tournament's seed has drawn.
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
"""The points of a round in which somebody sat out."""


class Plan(NamedTuple):
    """The first event: what is played by whom, and where.

    `seats` is how many play together, if the players go up in such groups; `sizes` are those that the game is for.
    `advantage` is by how much the share of wins of each seat lies above an equal share.
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
    """A round was drawn: who plays together, each group in the order of its seats, and who sits out.

    `known` are the matches of these groups that were there before, and are no results of this round.
    """

    groups: tuple[tuple[str, ...], ...]
    out: tuple[str, ...] = ()
    known: tuple[str, ...] = ()


class Called(NamedTuple):
    """A group of the newest round was called to a table."""

    group: int
    table: str


class GroupResult(NamedTuple):
    """The place of each player of a group, in the order of its seats; 1 is the first, and a shared one is the same.

    `match` is the name of its record, "" where the house says it: that corrects what a record has said.
    """

    round: int
    group: int
    places: tuple[int, ...]
    match: str = ""


class Tables(NamedTuple):
    """From now on there are these tables: one more, or one less."""

    tables: tuple[str, ...]


class Left(NamedTuple):
    """A player has gone, and is in no later round."""

    player: str


LedgerEvent = Plan | Drawn | Called | GroupResult | Tables | Left


@dataclass
class Round:
    """One round: its groups and who sat out, the table of each group that was called, and the results so far."""

    drawn: Drawn
    called: dict[int, str] = field(default_factory=dict)
    results: dict[int, GroupResult] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        return len(self.results) == len(self.drawn.groups)


class Standing(NamedTuple):
    """How a player stands: `rank` from 1, `met` the mean points of those he has played with, `firsts` his wins."""

    rank: int
    player: str
    points: Fraction
    met: Fraction
    firsts: Fraction
    matches: int


class Tournament:
    """What the events until now have led to."""

    def __init__(self, plan: Plan) -> None:
        """Begin a tournament. Raise OptionError for a plan by which nobody can play."""
        _check_plan(plan)
        self.plan = plan
        self.tables = plan.tables
        self.lost: set[str] = set()
        """Tables that were there before: nobody is called to them any more."""
        self.left: set[str] = set()
        self.rounds: list[Round] = []
        self.matches: set[tuple[str, frozenset[str]]] = set()
        """The matches that have counted, by the names of their records and who played: two tables may use one."""

    @property
    def playing(self) -> tuple[str, ...]:
        return tuple(player for player in self.plan.players if player not in self.left)

    @property
    def over(self) -> bool:
        return len(self.rounds) == self.plan.rounds and self.rounds[-1].over

    def check(self, event: LedgerEvent) -> None:
        """Raise OptionError for an event that cannot be next."""
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
                        "nobody called {name!r} plays; {near}",
                        name=event.player,
                        near=nearest(event.player, self.playing),
                    )
                )
        else:
            raise OptionError(msg("a tournament begins once"))

    def take(self, event: LedgerEvent) -> None:
        """Make an event true. Raise OptionError for one that cannot be next; nothing is changed then."""
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
        """Return the round and the group that these players have still to play, the earliest; None without one."""
        for number, each in enumerate(self.rounds, 1):
            for group, names in enumerate(each.drawn.groups):
                if group not in each.results and players.issuperset(names) and len(players) == len(names):
                    return number, group
        return None

    def played(self) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
        """Yield the players of each match with a result, and their places."""
        for each in self.rounds:
            for group, result in sorted(each.results.items()):
                yield each.drawn.groups[group], result.places

    def lots(self, what: object) -> dict[str, int]:
        """Return a lot for each player, drawn by the seed for this purpose."""
        order = list(self.plan.players)
        random.Random(f"{self.plan.seed}/{what}").shuffle(order)
        return {player: lot for lot, player in enumerate(order)}

    def points(self) -> dict[str, Fraction]:
        """Return the points of each player."""
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
        """Return how often who sat out a round that is over."""
        return Counter(player for each in self.rounds if each.over for player in each.drawn.out)

    def standings(self) -> list[Standing]:
        """Return how all stand, the first first."""
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
            raise OptionError(msg("round {n} does not have each player once", n=len(self.rounds) + 1))

    def _check_result(self, event: GroupResult) -> None:
        if not 1 <= event.round <= len(self.rounds):
            raise OptionError(msg("round {n} was not drawn", n=event.round))
        each = self.rounds[event.round - 1]
        if not 0 <= event.group < len(each.drawn.groups):
            raise OptionError(msg("round {n} has no group {group}", n=event.round, group=event.group + 1))
        seats = len(each.drawn.groups[event.group])
        if len(event.places) != seats or any(
            place != 1 + sum(other < place for other in event.places) for place in event.places
        ):
            raise OptionError(msg("these are not the places of {n} players", n=seats))
        earlier = each.results.get(event.group)
        if event.match and earlier and earlier.match != event.match:
            raise OptionError(msg("this group has a result, which only the house corrects"))


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
        raise OptionError(msg("{option}: {name!r} is there twice", option=option, name=twice[0]))
    if len(names) < least or not all(name and name.isprintable() for name in names):
        raise OptionError(msg("{option}: allowed: names, {n} or more, none empty", option=option, n=least))
