"""Feats: what a match is remembered by, such as its biggest bid. Each game names its own beside its events."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from companion.core.move import Seat
from companion.core.text import Text


class Feat(NamedTuple):
    """A kind of feat.

    `title` names it in a hall of fame, where feats of one `name` are compared across games. `says` tells one:
    `{who}` achieved `{amount}`, against `{rival}` where there is one. `unit` returns an amount in words. An amount
    of `great` is remarkable; with `least` smaller amounts are better.
    """

    name: str
    title: Text
    says: Text
    unit: Callable[[int], Text]
    great: int
    least: bool = False

    def weight(self, amount: int) -> float:
        """Return how remarkable an amount is: 1 for a great one, more for a better one."""
        return (self.great + 1) / (amount + 1) if self.least else amount / self.great

    def by(self, amount: int, *seats: Seat) -> "Achieved":
        """Return this feat as achieved by the first of the seats, against the others."""
        return Achieved(self, seats, amount)

    def of_end(self, ranking: Sequence[Sequence[Seat]], scores: Sequence[int]) -> "Iterator[Achieved]":
        """Yield the lead of the one winner of a match, where there is one."""
        winners, *rest = ranking
        if len(winners) == 1 and rest:
            winner, second = winners[0], rest[0][0]
            if scores[winner] > scores[second]:
                yield self.by(scores[winner] - scores[second], winner, second)


class Achieved(NamedTuple):
    """One feat of a match: by the first of its `seats`, against the second one where there is one."""

    feat: Feat
    seats: tuple[Seat, ...]
    amount: int

    @property
    def weight(self) -> float:
        return self.feat.weight(self.amount)

    def sentence(self, names: Sequence[str]) -> Text:
        """Return what was achieved, in words; `names` are those of the seats."""
        people = zip(("who", "rival"), (names[seat] for seat in self.seats), strict=False)
        return self.feat.says._replace(values=(*people, ("amount", self.feat.unit(self.amount))))
