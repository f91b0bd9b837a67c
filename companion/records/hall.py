"""The hall of fame, from the statistics of all matches. Robots are not in it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from companion.core.feats import Feat
from companion.core.game import Game
from companion.core.text import Text, decimal, msg
from companion.records.feats import CALLS
from companion.records.stats import BestFeat, Statistics

MOST_NAMES: Final = 2


class Fame(NamedTuple):
    """A line of the hall; `game` is "" for all games."""

    title: Text
    who: Text
    amount: Text
    game: str = ""


def hall_of_fame(found: Statistics, games: Mapping[str, Game]) -> Iterator[Fame]:
    if winners := [each for each in found.players if each.wins]:
        most = max(each.wins for each in winners)
        names = [each.who for each in winners if each.wins == most]
        yield Fame(msg("Most wins"), _names_text(names), _wins_text(float(most)))
    if found.streaks and found.streaks[0].wins > 1:
        longest = found.streaks[0].wins
        names = [each.who for each in found.streaks if each.wins == longest]
        yield Fame(msg("Wins in a row"), _names_text(names), _wins_text(float(longest)))
    played = {each.game for each in found.feats}  # loads no other game
    kinds = {(name, feat.name): feat for name in games if name in played for feat in (*CALLS, *games[name].feats)}
    achieved: dict[str, list[tuple[Feat, BestFeat]]] = {feat.name: [] for feat in kinds.values()}
    for each in found.feats:
        if feat := kinds.get((each.game, each.name)):
            achieved[feat.name].append((feat, each))
    for candidates in filter(None, achieved.values()):
        feat, best = max(candidates, key=lambda each: each[0].weight(each[1].amount))
        yield Fame(feat.title, _who_text(best.who), feat.unit(best.amount), best.game)


def _names_text(names: Sequence[str]) -> Text:
    return Text(", ".join(names)) if len(names) <= MOST_NAMES else msg("{n} player", "{n} players", n=len(names))


def _wins_text(wins: float) -> Text:
    return msg("{n} win", "{n} wins", n=int(wins)) if wins.is_integer() else msg("{wins} wins", wins=decimal(wins))


def _who_text(names: tuple[str, ...]) -> Text:
    return Text(names[0]) if len(names) == 1 else msg("{who} before {rival}", who=names[0], rival=names[1])
