"""Lists that are counted, searched and sampled without being built: placements and bids."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import prod
from operator import le
from typing import Final

from companion.core.choices import Args, Computed, Moves
from companion.core.move import Move, Seat, SecretMove
from companion.games.buro_crazy.rules.change import Cards

# --- Placements -------------------------------------------------------------------------------------------

Spaces = tuple[int, ...]
"""The seats of the figures from the left."""


class Placements(Computed[Spaces]):
    """Placements of `each` figures per seat. A double space has two different seats (BC-R3)."""

    __slots__ = ("_each", "_seats")

    def __init__(self, seats: int, each: int) -> None:
        self._seats = seats
        self._each = each

    def __len__(self) -> int:
        return _ways((self._each,) * self._seats)

    def item(self, place: int) -> Spaces:
        counts = (self._each,) * self._seats
        spaces: list[int] = []
        while sum(counts) > 1:
            pairs, following, ends = _pairs(counts)
            chosen = bisect_right(ends, place)
            place -= ends[chosen - 1] if chosen else 0
            spaces += pairs[chosen]
            counts = following[chosen]
        if 1 in counts:
            spaces.append(counts.index(1))  # the last figure is alone (BC-R4)
        return tuple(spaces)

    def __contains__(self, spaces: object) -> bool:
        if not isinstance(spaces, tuple) or len(spaces) != self._seats * self._each:
            return False
        if not all(type(seat) is int for seat in spaces):
            return False
        if any(spaces.count(seat) != self._each for seat in range(self._seats)):
            return False
        return all(left != right for left, right in zip(spaces[::2], spaces[1::2], strict=False))


@cache
def _ways(counts: tuple[int, ...]) -> int:
    return _pairs(counts)[2][-1] if sum(counts) > 1 else 1


@cache
def _pairs(counts: tuple[int, ...]) -> tuple[list[Spaces], list[tuple[int, ...]], list[int]]:
    """Return the possible next pairs, the figures left, and the cumulative number of ways."""
    pairs: list[Spaces] = []
    following = []
    for left, right in ((a, b) for a in range(len(counts)) for b in range(len(counts)) if a != b):
        if counts[left] and counts[right]:
            pairs.append((left, right))
            following.append(tuple(n - (seat in {left, right}) for seat, n in enumerate(counts)))
    return pairs, following, list(accumulate(map(_ways, following))) or [0]


# --- Bids -------------------------------------------------------------------------------------------------

_WHOLE: Final = {int}


class Subsets(Computed[Args]):
    """All choices of cards from a hand, including none (BC-R7)."""

    __slots__ = ("_hand", "_picked", "_size")

    def __init__(self, hand: Cards) -> None:
        self._hand = hand
        self._picked: Args | None = None
        self._size = prod([count + 1 for count in hand])

    def __len__(self) -> int:
        return self._size

    def __contains__(self, args: object) -> bool:
        if args is self._picked:  # a sampled bid is checked next, unless a person keys one
            return args is not None
        if not isinstance(args, tuple) or len(args) != len(self._hand) or {*map(type, args)} != _WHOLE:
            return False
        return min(args) >= 0 and all(map(le, args, self._hand))

    def item(self, place: int) -> Args:
        """Return the counts encoded by `place`, with base `count + 1` for each value."""
        counts = []
        for count in self._hand:
            place, some = divmod(place, count + 1)
            counts.append(some)
        self._picked = tuple(counts)
        return self._picked


# A hand is used several times: to list, count, sample and check its bids.
@lru_cache(maxsize=256)
def subsets(hand: Cards) -> Subsets:
    return Subsets(hand)


@lru_cache(maxsize=256)
def bids(seat: Seat, verb: str, hand: Cards) -> Sequence[Move]:
    return Moves(seat, verb, subsets(hand), SecretMove)
