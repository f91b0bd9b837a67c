"""Lazy sequences of legal moves, which can be counted, searched and sampled."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import TypeVar, overload

from companion.core.move import Move, Seat

T = TypeVar("T")

Args = tuple[int, ...]

Choices = Sequence[Args]
"""The legal arguments of a verb. A tuple if they are few and recur, since its moves are cached."""

ONE: Choices = ((),)


class Computed(Sequence[T]):
    """A sequence whose items are computed on access."""

    __slots__ = ()

    def item(self, place: int) -> T:
        """Return the item at `place`, which is in range."""
        raise NotImplementedError

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        if isinstance(place, slice):
            return [self.item(one) for one in range(len(self))[place]]
        return self.item(place if 0 <= place < len(self) else range(len(self))[place])

    def __iter__(self) -> Iterator[T]:
        return map(self.item, range(len(self)))


@cache
def ties(seats: tuple[Seat, ...]) -> Choices:
    return tuple(group for size in range(2, len(seats) + 1) for group in combinations(seats, size))


class Singles(Computed[Args]):
    """Arguments of one number each."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, args: object) -> bool:
        return isinstance(args, tuple) and len(args) == 1 and args[0] in self._numbers

    def item(self, place: int) -> Args:
        return (self._numbers[place],)


class Moves(Computed[Move]):
    """The moves of a seat with one verb."""

    __slots__ = ("_choices", "_kind", "_seat", "_size", "_verb")

    def __init__(self, seat: Seat, verb: str, choices: Choices, kind: type[Move] = Move) -> None:
        self._seat = seat
        self._verb = verb
        self._choices = choices
        self._kind = kind
        self._size = len(choices)

    def __len__(self) -> int:
        return self._size

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, tuple) or len(move) != 3:
            return False
        seat, verb, args = move
        return bool(seat == self._seat and verb == self._verb) and args in self._choices

    def item(self, place: int) -> Move:
        return self._kind(self._seat, self._verb, self._choices[place])


@lru_cache(maxsize=1 << 12)
def kept_moves(seat: Seat, verb: str, choices: tuple[Args, ...], kind: type[Move]) -> tuple[Move, ...]:
    return tuple(kind(seat, verb, args) for args in choices)


class Joined(Computed[T]):
    """Concatenated sequences."""

    __slots__ = ("_parts",)

    def __init__(self, parts: Sequence[Sequence[T]]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __contains__(self, item: object) -> bool:
        return any(item in part for part in self._parts)

    def item(self, place: int) -> T:
        for part in self._parts:
            if place < len(part):
                return part[place]
            place -= len(part)
        raise IndexError(place)


def joined(parts: Sequence[Sequence[T]]) -> Sequence[T]:
    """Concatenate sequences without computing their items; tuples become one tuple."""
    if len(parts) == 1:
        return parts[0]
    made = [part for part in parts if isinstance(part, tuple)]
    return sum(made, ()) if len(made) == len(parts) else Joined(parts)
