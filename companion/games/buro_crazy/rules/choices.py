"""The bids that a hand allows, counted, searched and picked from without being built."""

from math import prod

from companion.core.choices import Args, Computed
from companion.games.buro_crazy.rules.change import Cards


class Subsets(Computed[Args]):
    """Every choice of cards of a hand, also none (BC-R7)."""

    __slots__ = ("_hand", "_size")

    def __init__(self, hand: Cards) -> None:
        self._hand = hand
        self._size = prod([count + 1 for count in hand])

    def __len__(self) -> int:
        return self._size

    def __contains__(self, args: object) -> bool:
        if not isinstance(args, tuple) or len(args) != len(self._hand):
            return False
        for some, count in zip(args, self._hand, strict=True):
            if type(some) is not int or not 0 <= some <= count:
                return False
        return True

    def item(self, place: int) -> Args:
        """Return the counts of that number: its digits, each with the base that its value has cards and one."""
        counts = []
        for count in self._hand:
            place, some = divmod(place, count + 1)
            counts.append(some)
        return tuple(counts)
