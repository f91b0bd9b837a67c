"""The bids that a hand allows, counted, searched and picked from without being built."""

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from operator import le
from typing import Final

from companion.core.choices import Args, Computed, Moves
from companion.core.move import Move, Seat, SecretMove
from companion.games.buro_crazy.rules.change import Cards

_WHOLE: Final = {int}


class Subsets(Computed[Args]):
    """Every choice of cards of a hand, also none (BC-R7)."""

    __slots__ = ("_hand", "_picked", "_size")

    def __init__(self, hand: Cards) -> None:
        self._hand = hand
        self._picked: Args | None = None
        self._size = prod([count + 1 for count in hand])

    def __len__(self) -> int:
        return self._size

    def __contains__(self, args: object) -> bool:
        if args is self._picked:  # what was picked here is what is checked next, unless a person keys it
            return args is not None
        if not isinstance(args, tuple) or len(args) != len(self._hand) or {*map(type, args)} != _WHOLE:
            return False
        return min(args) >= 0 and all(map(le, args, self._hand))

    def item(self, place: int) -> Args:
        """Return the counts of that number: its digits, each with the base that its value has cards and one."""
        counts = []
        for count in self._hand:
            place, some = divmod(place, count + 1)
            counts.append(some)
        self._picked = tuple(counts)
        return self._picked


# A hand is asked for several times before it changes: to list its bids, to count them, to pick one, to check it.
@lru_cache(maxsize=256)
def subsets(hand: Cards) -> Subsets:
    """Return every choice of cards of a hand."""
    return Subsets(hand)


@lru_cache(maxsize=256)
def bids(seat: Seat, verb: str, hand: Cards) -> Sequence[Move]:
    """Return the bids that a seat can make of its hand."""
    return Moves(seat, verb, subsets(hand), SecretMove)
