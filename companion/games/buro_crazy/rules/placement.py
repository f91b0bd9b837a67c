"""Every way to place the figures on the stairs, each equally likely, none of them made before it is asked for."""

from bisect import bisect_right
from functools import cache
from itertools import accumulate

from companion.core.choices import Computed

Spaces = tuple[int, ...]
"""The seats of the figures from the left: one a space."""


class Placements(Computed[Spaces]):
    """The placements of `each` figures of every seat in which no double space has two of one seat (BC-R3)."""

    __slots__ = ("_each", "_seats")

    def __init__(self, seats: int, each: int) -> None:
        self._seats = seats
        self._each = each

    def __len__(self) -> int:
        return _ways((self._each,) * self._seats)

    def item(self, place: int) -> Spaces:
        """Return the placement of that number, pair by pair from the left."""
        counts = (self._each,) * self._seats
        spaces: list[int] = []
        while sum(counts) > 1:
            pairs, following, ends = _pairs(counts)
            chosen = bisect_right(ends, place)
            place -= ends[chosen - 1] if chosen else 0
            spaces += pairs[chosen]
            counts = following[chosen]
        if 1 in counts:
            spaces.append(counts.index(1))  # the last one stands alone (BC-R4)
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
    """Return in how many ways the figures that are left can be placed, two and two."""
    return _pairs(counts)[2][-1] if sum(counts) > 1 else 1


@cache
def _pairs(counts: tuple[int, ...]) -> tuple[list[Spaces], list[tuple[int, ...]], list[int]]:
    """Return the possible next pairs, the figures left after each, and the number of ways up to and with each."""
    pairs: list[Spaces] = []
    following = []
    for left, right in ((a, b) for a in range(len(counts)) for b in range(len(counts)) if a != b):
        if counts[left] and counts[right]:
            pairs.append((left, right))
            following.append(tuple(n - (seat in {left, right}) for seat, n in enumerate(counts)))
    return pairs, following, list(accumulate(map(_ways, following))) or [0]
