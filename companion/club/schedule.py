"""Decides the next events of a tournament.

Events come one by one, so an interrupted program can resume.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from companion.club.draw import draw
from companion.club.ledger import Ledger
from companion.club.tournament import Called, Drawn, GroupResult, Tournament
from companion.core.errors import OptionError, nearest
from companion.core.game import Game
from companion.core.match import Match
from companion.core.rules import places
from companion.core.tags import is_demo, is_lesson
from companion.core.text import msg
from companion.records import history
from companion.records.facts import identity
from companion.records.stats import LUCK_MOST, GameStatistics


class Finished(NamedTuple):
    """A finished match. `places` start at 1. A higher `revision` is a later correction."""

    match: str
    game: str
    places: Mapping[str, int]
    revision: int = 1


def finished(name: str, match: Match) -> Finished | None:
    """Return the result, or None for an unfinished match, a demo, a lesson or equal names."""
    outcome = match.outcome
    if outcome is None or is_demo(match) or is_lesson(match) or len(set(match.names)) < len(match.names):
        return None
    shared = ([match.names[seat] for seat in seats] for seats in outcome.ranking)
    return Finished(name, match.game.name, places(shared))


def from_records(
    folders: Iterable[Path], games: Mapping[str, Game], progress: Callable[[int, int], None] = lambda *_: None
) -> tuple[list[Finished], list[str]]:
    """Return the finished matches, oldest first in each folder, and the names of damaged records.

    For duplicates, the first folder wins. Raise OSError for an unreadable folder.
    """
    found, damaged = [], []
    over: set[object] = set()
    for folder in folders:
        for kept in history.kept(folder, games, progress):
            if kept.opened is None or kept.opened.damage:
                damaged.append(kept.name)
            elif match := finished(kept.name, kept.opened.match):
                # A copy may have another name.
                known = {identity(kept.opened.match), (match.match, frozenset(match.places))}
                if known.isdisjoint(over):
                    found.append(match)
                over |= known
    return found, damaged


def results(tournament: Tournament, arrived: Iterable[Finished]) -> Iterator[GroupResult]:
    """Yield each new result; the caller must apply it before the next.

    A match counts once, for the earliest open round of its players.
    """
    for each in arrived:
        players = frozenset(each.places)
        if each.game != tournament.plan.game:
            continue
        if (each.match, players) in tournament.matches:
            yield from _corrected(tournament, each, players)
            continue
        found = tournament.group_of(players)
        if found is None:
            continue
        drawn = tournament.rounds[found[0] - 1].drawn
        if each.match not in drawn.known:
            yield GroupResult(*found, tuple(each.places[name] for name in drawn.groups[found[1]]), each.match)


def _corrected(tournament: Tournament, each: Finished, players: frozenset[str]) -> Iterator[GroupResult]:
    """Yield corrections, but not of results entered by the house."""
    for number, played in enumerate(tournament.rounds, 1):
        for group, result in played.results.items():
            names = played.drawn.groups[group]
            if result.match == each.match and players == set(names):
                corrected = tuple(each.places[name] for name in names)
                if result.places != corrected:
                    yield GroupResult(number, group, corrected, each.match)
                    return


def advance(ledger: Ledger, arrived: Sequence[Finished]) -> Iterator[GroupResult | Drawn | Called]:
    """Record new results, draw the next round, call players. Yield each event once durable."""
    for result in results(ledger.tournament, arrived):
        ledger.take(result)
        yield result
    while event := following(ledger.tournament, arrived):
        ledger.take(event)
        yield event


def following(tournament: Tournament, arrived: Sequence[Finished] = ()) -> Drawn | Called | None:
    """Return the next round or call, or None.

    A round lists earlier matches of its groups among `arrived`, which do not count for it.
    """
    rounds = tournament.rounds
    if not rounds or rounds[-1].over:
        found = None if tournament.over else draw(tournament)
        if found is None:
            return None
        groups = set(map(frozenset, found.groups))
        before = {each.match for each in arrived if frozenset(each.places) in groups}
        return found._replace(known=tuple(sorted(before)))
    now = rounds[-1]
    at = {group: table for group, table in now.called.items() if group not in now.results}
    free = [table for table in tournament.tables if table not in at.values()]
    waiting = [
        group
        for group in range(len(now.drawn.groups))
        if group not in now.results and at.get(group) not in tournament.tables
    ]
    return Called(waiting[0], free[0]) if free and waiting else None


def is_over(tournament: Tournament) -> bool:
    """Return True if all rounds are over, or no other can be drawn."""
    played = bool(tournament.rounds) and tournament.rounds[-1].over
    return tournament.over or (played and draw(tournament) is None)


def said(tournament: Tournament, number: int | None, winners: Sequence[str]) -> GroupResult:
    """Return a result entered by the house: names in order, `=` before a shared place.

    `number`: the round, by default the newest. Raise OptionError if the names are not a group.
    """
    names = [word.removeprefix("=") for word in winners]
    ranking: list[list[str]] = []
    for word, name in zip(winners, names, strict=True):
        if word != name and ranking:
            ranking[-1].append(name)
        else:
            ranking.append([name])
    number = len(tournament.rounds) if number is None else number
    if not tournament.rounds:
        raise OptionError(msg("no round has been drawn yet; companion club next draws the first"))
    if not 1 <= number <= len(tournament.rounds):
        raise OptionError(
            msg("round {n} has not been drawn; allowed: 1 to {most}", n=number, most=len(tournament.rounds))
        )
    groups = tournament.rounds[number - 1].drawn.groups
    for group, players in enumerate(groups):
        if sorted(players) == sorted(names):
            placed = places(ranking)
            return GroupResult(number, group, tuple(placed[name] for name in players))
    listed = [" ".join(players) for players in groups]
    raise OptionError(
        msg(
            "{names} are not a group of round {n}; {near}",
            names=" ".join(names),
            n=number,
            near=nearest(" ".join(names), listed),
        )
    )


def seat_advantage(game: GameStatistics | None) -> tuple[float, ...]:
    """Return each seat's win share above an equal share, or () if it may be luck or the players' skill."""
    if game is None or game.luck is None or game.luck > LUCK_MOST or not game.swapped:
        return ()
    return tuple(round(seat.share - seat.expected_share, 4) for seat in game.seats)
