"""What comes next in a tournament: results from records, the next round, calls to tables.

Each is one event, asked for again and again until there is none. So a machine that stops between two of them goes
on with the second.
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
    """A match that is over: the name of its record, its game, and who has which place, 1 the first.

    Of two that a table has told of one match, that with the higher `revision` was corrected later.
    """

    match: str
    game: str
    places: Mapping[str, int]
    revision: int = 1


def finished(name: str, match: Match) -> Finished | None:
    """Return what a match says to a tournament; None of one that is not over, was for show, or has a name twice."""
    outcome = match.outcome
    if outcome is None or is_demo(match) or is_lesson(match) or len(set(match.names)) < len(match.names):
        return None
    shared = ([match.names[seat] for seat in seats] for seats in outcome.ranking)
    return Finished(name, match.game.name, places(shared))


def from_records(
    folders: Iterable[Path], games: Mapping[str, Game], progress: Callable[[int, int], None] = lambda *_: None
) -> tuple[list[Finished], list[str]]:
    """Return the matches of some folders that are over, oldest first in each, and the names of damaged records.

    Of a match of which there are copies the one in the folder that was named first counts.
    Raise OSError for a folder that cannot be read.
    """
    found, damaged = [], []
    over: set[object] = set()
    for folder in folders:
        for kept in history.kept(folder, games, progress):
            if kept.opened is None or kept.opened.damage:
                damaged.append(kept.name)
            elif match := finished(kept.name, kept.opened.match):
                # A tournament tells matches apart by their names and players; a copy may have another name.
                known = {identity(kept.opened.match), (match.match, frozenset(match.places))}
                if known.isdisjoint(over):
                    found.append(match)
                over |= known
    return found, damaged


def results(tournament: Tournament, arrived: Iterable[Finished]) -> Iterator[GroupResult]:
    """Yield each result that has arrived and was not known; it is to be taken before the next is asked for.

    A match counts for the earliest round in which these players have still to play, and once.
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
    """Yield the result of a match that has counted and was corrected since; what the house has said stays."""
    for number, played in enumerate(tournament.rounds, 1):
        for group, result in played.results.items():
            names = played.drawn.groups[group]
            if result.match == each.match and players == set(names):
                corrected = tuple(each.places[name] for name in names)
                if result.places != corrected:
                    yield GroupResult(number, group, corrected, each.match)
                    return


def advance(ledger: Ledger, arrived: Sequence[Finished]) -> Iterator[GroupResult | Drawn | Called]:
    """Take what has come, draw what is due, call whom a table waits for; yield each event when it is durable."""
    for result in results(ledger.tournament, arrived):
        ledger.take(result)
        yield result
    while event := following(ledger.tournament, arrived):
        ledger.take(event)
        yield event


def following(tournament: Tournament, arrived: Sequence[Finished] = ()) -> Drawn | Called | None:
    """Return the next round where the last one is over, or the next call where a table is free; None without one.

    Of the matches that have `arrived` those that the new groups have played before are noted with the round.
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
    """Tell whether all is played: all rounds, or as many as there can be since somebody has gone."""
    played = bool(tournament.rounds) and tournament.rounds[-1].over
    return tournament.over or (played and draw(tournament) is None)


def said(tournament: Tournament, number: int | None, winners: Sequence[str]) -> GroupResult:
    """Return a result that the house says: a group, the first first, and `=` before who shares the place before.

    It is of this round, else of the newest. Raise OptionError for names that are no group's.
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
        raise OptionError(msg("no round was drawn yet; companion club next draws the first"))
    if not 1 <= number <= len(tournament.rounds):
        raise OptionError(
            msg("round {n} was not drawn; allowed: 1 to {most}", n=number, most=len(tournament.rounds))
        )
    groups = tournament.rounds[number - 1].drawn.groups
    for group, players in enumerate(groups):
        if sorted(players) == sorted(names):
            placed = places(ranking)
            return GroupResult(number, group, tuple(placed[name] for name in players))
    listed = [" ".join(players) for players in groups]
    raise OptionError(
        msg(
            "{names} are no group of round {n}; {near}",
            names=" ".join(names),
            n=number,
            near=nearest(" ".join(names), listed),
        )
    )


def seat_advantage(game: GameStatistics | None) -> tuple[float, ...]:
    """Return by how much each seat wins more than an equal share; () where that may be luck, or the players'."""
    if game is None or game.luck is None or game.luck > LUCK_MOST or not game.swapped:
        return ()
    return tuple(round(seat.share - seat.expected_share, 4) for seat in game.seats)
