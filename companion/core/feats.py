"""Feats, such as a match's biggest bid. Each game declares its own."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from companion.core.move import Seat
from companion.core.text import Text


class Feat(NamedTuple):
    """A kind of feat.

    `title` is its name in a hall of fame; feats with the same `name` are compared across games. `says` has the
    values `{who}`, `{amount}` and `{rival}`. An amount of `great` is remarkable; with `least`, smaller amounts are
    better.
    """

    name: str
    title: Text
    says: Text
    unit: Callable[[int], Text]
    great: int
    least: bool = False

    def weight(self, amount: int) -> float:
        """Return how remarkable an amount is: 1 for `great`, more for better ones."""
        return (self.great + 1) / (amount + 1) if self.least else amount / self.great

    def by(self, amount: int, *seats: Seat) -> "Achieved":
        return Achieved(self, seats, amount)

    def of_end(self, ranking: Sequence[Sequence[Seat]], scores: Sequence[int]) -> "Iterator[Achieved]":
        """Yield the lead of a single winner."""
        winners, *rest = ranking
        if len(winners) == 1 and rest:
            winner, second = winners[0], rest[0][0]
            if scores[winner] > scores[second]:
                yield self.by(scores[winner] - scores[second], winner, second)


class Achieved(NamedTuple):
    """One feat of a match, by `seats[0]` against `seats[1]`, if given."""

    feat: Feat
    seats: tuple[Seat, ...]
    amount: int

    @property
    def weight(self) -> float:
        return self.feat.weight(self.amount)

    def sentence(self, names: Sequence[str]) -> Text:
        people = zip(("who", "rival"), (names[seat] for seat in self.seats), strict=False)
        return self.feat.says._replace(values=(*people, ("amount", self.feat.unit(self.amount))))
