"""Draws the rounds and seats of a tournament: a Swiss system for tables of 2 to 5, from a seed.

A round divides the players into groups with low cost. A second meeting costs more than any difference of points; a
third costs four times as much. Other pairs in a group cost the square of their difference of points.

The search swaps two players while that lowers the cost: first from the order of the standings, then from random
orders while a meeting repeats. A round robin ignores points; its pairs follow the circle method.

Seats in a group balance each player's seat advantages, then how often they had the seat, then lots.
"""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Final, NamedTuple

from companion.club.systems import ROUND_ROBIN
from companion.club.tournament import Drawn, Tournament

_ORDERS: Final = 12

_PARTS: Final = 24
"""Points at tables of 2 to 5 are multiples of 1/_PARTS."""

_Groups = list[list[str]]


def rounds_for(players: int, seats: int, system: str) -> int:
    """Return the default number of rounds: for all to meet, or to find a winner."""
    if players < 1 or seats < 2:
        return 1  # an impossible plan, which Tournament reports
    if system == ROUND_ROBIN and seats == 2:
        return players - 1 + players % 2
    if system == ROUND_ROBIN:
        return math.ceil((players - 1) / (seats - 1))
    return 1 + math.ceil(math.log(players, seats) - 1e-9)


def sizes_for(players: int, seats: int, allowed: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of a round's groups, with as few players as possible sitting out.

    Sizes are `seats`, or one more or less if `allowed`; pairs stay pairs.
    """
    near = [size for size in allowed if size == seats or (seats > 2 and abs(size - seats) == 1)]
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for count in range(1, players + 1):
        before = [(best[count - size], size) for size in near if count - size in best]
        ways = [(cost + abs(size - seats), (size, *sizes)) for (cost, sizes), size in before]
        if ways:
            best[count] = min(ways)
    return best[max(best)][1]


def draw(tournament: Tournament) -> Drawn | None:
    """Return the next round, or None if too few players are left or all have met."""
    number = len(tournament.rounds) + 1
    history = _History.of(tournament)
    plan = tournament.plan
    if plan.system == ROUND_ROBIN and plan.seats == 2:
        groups = _circle(tournament, number, history)
    else:
        groups = _divided(tournament, number, history)
    if not groups:
        return None
    lots = tournament.lots(f"{number}/seats")
    drawn = [sorted(group, key=lambda player: lots[player]) for group in groups]
    seated = [_seated(group, history, plan.advantage) for group in drawn]
    inside = {player for group in groups for player in group}
    return Drawn(tuple(seated), tuple(player for player in tournament.playing if player not in inside))


class _History(NamedTuple):
    met: Mapping[frozenset[str], int]
    sat: Mapping[tuple[str, int], int]
    advantage: Mapping[str, float]

    @classmethod
    def of(cls, tournament: Tournament) -> "_History":
        met, sat = Counter[frozenset[str]](), Counter[tuple[str, int]]()
        for each in tournament.rounds:
            for group in each.drawn.groups:
                met.update(map(frozenset, combinations(group, 2)))
                sat.update((player, seat) for seat, player in enumerate(group))
        advantage = dict.fromkeys(tournament.plan.players, 0.0)
        for (player, seat), times in sat.items():
            advantage[player] += times * _advantage(tournament.plan.advantage, seat)
        return cls(met, sat, advantage)


def _advantage(known: Sequence[float], seat: int) -> float:
    return known[seat] if seat < len(known) else 0.0


# --- Groups -----------------------------------------------------------------------------------------------


def _circle(tournament: Tournament, number: int, history: _History) -> _Groups:
    """Return a round of pairs by the circle method. Turns without a new pair are skipped."""
    lots = tournament.lots("circle")
    ring = sorted(tournament.plan.players, key=lambda player: lots[player])
    ring += [""] * (len(ring) % 2)
    turns = len(ring) - 1
    for cycle in range(math.ceil(tournament.plan.rounds / turns)):
        for turn in (place % turns for place in range(number - 1, number - 1 + turns)):
            turned = [ring[0], *ring[1 + turn :], *ring[1 : 1 + turn]]
            pairs = [[turned[place], turned[-1 - place]] for place in range(len(ring) // 2)]
            there = [pair for pair in pairs if set(pair).issubset(tournament.playing)]
            if any(history.met.get(frozenset(pair), 0) <= cycle for pair in there):
                return there
    return []


def _divided(tournament: Tournament, number: int, history: _History) -> _Groups:
    plan, points, sat_out = tournament.plan, tournament.points(), tournament.sat_out()
    lots = tournament.lots(number)
    order = sorted(tournament.playing, key=lambda player: (-points[player], lots[player]))
    sizes = sizes_for(len(order), plan.seats, plan.sizes)
    lowest = sorted(order, key=lambda player: (sat_out.get(player, 0), points[player], lots[player]))
    out = set(lowest[: len(order) - sum(sizes)])
    order = [player for player in order if player not in out]
    costs = _Costs.of(order, tournament, history)
    luck = random.Random(f"{plan.seed}/{number}/orders")
    best = costs.descended(_cut(order, sizes))
    for _ in range(_ORDERS):
        if costs.of_all(best) < costs.repeat:
            break
        best = min(best, costs.descended(_cut(luck.sample(order, len(order)), sizes)), key=costs.of_all)
    return best


def _cut(order: Sequence[str], sizes: Sequence[int]) -> _Groups:
    groups, begun = [], 0
    for size in sizes:
        groups.append(list(order[begun : begun + size]))
        begun += size
    return groups


class _Costs(NamedTuple):
    """The cost of each pair in a group. `repeat` exceeds all differences of points."""

    pairs: Mapping[str, Mapping[str, int]]
    repeat: int

    @classmethod
    def of(cls, players: Sequence[str], tournament: Tournament, history: _History) -> "_Costs":
        found = tournament.points()
        alike = tournament.plan.system == ROUND_ROBIN
        points = {player: 0 if alike else int(found[player] * _PARTS) for player in players}
        widest = max(points.values(), default=0) - min(points.values(), default=0)
        repeat = 1 + widest * widest * len(players) * max(tournament.plan.sizes)
        pairs = {
            one: {
                other: (points[one] - points[other]) ** 2
                + repeat * history.met.get(frozenset((one, other)), 0) ** 2
                for other in players
            }
            for one in players
        }
        return cls(pairs, repeat)

    def of_all(self, groups: _Groups) -> int:
        return sum(self.pairs[one][other] for group in groups for one, other in combinations(group, 2))

    def descended(self, groups: _Groups) -> _Groups:
        better = True
        while better:
            better = False
            for one, other in combinations(groups, 2):
                for place in range(len(one)):
                    for there in range(len(other)):
                        if self._saved(one, place, other, there) > 0:
                            one[place], other[there] = other[there], one[place]
                            better = True
        return groups

    def _saved(self, one: Sequence[str], place: int, other: Sequence[str], there: int) -> int:
        mine, theirs = self.pairs[one[place]], self.pairs[other[there]]
        saved = sum(mine[each] - theirs[each] for number, each in enumerate(one) if number != place)
        return saved + sum(theirs[each] - mine[each] for number, each in enumerate(other) if number != there)


# --- Seats ------------------------------------------------------------------------------------------------


def _seated(group: Sequence[str], history: _History, advantage: Sequence[float]) -> tuple[str, ...]:
    def cost(order: Sequence[str]) -> tuple[float, int]:
        gained = (history.advantage[player] + _advantage(advantage, seat) for seat, player in enumerate(order))
        often = sum(history.sat.get((player, seat), 0) for seat, player in enumerate(order))
        return round(sum(value * value for value in gained), 9), often

    return min(permutations(group), key=cost)
