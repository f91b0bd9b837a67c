"""Legal moves that are made when they are asked: most are only counted, searched, or one of them drawn."""

from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

from companion.core.move import Move, Seat, SecretMove

T = TypeVar("T")

Args = tuple[int, ...]
"""The numbers of a move."""

Choices = Sequence[Args]
"""What may stand behind a verb now."""

ONE: Choices = ((),)
"""A verb without numbers."""


class Computed(Sequence[T]):
    """A sequence whose items are computed when they are asked for."""

    __slots__ = ()

    def item(self, place: int) -> T:
        """Return the item at a place from 0 up to the length."""
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


class Singles(Computed[Args]):
    """Arguments of one number each; the numbers may be a range."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, args: object) -> bool:
        return isinstance(args, tuple) and len(args) == 1 and args[0] in self._numbers

    def item(self, place: int) -> Args:
        """Return the number at a place."""
        return (self._numbers[place],)


class Moves(Computed[Move]):
    """The moves of one seat: for each verb its choices, one verb after the other.

    Those of the `secret` verbs are SecretMoves.
    """

    __slots__ = ("_length", "_parts", "_seat", "_secret")

    def __init__(self, seat: Seat, *parts: tuple[str, Choices], secret: frozenset[str] = frozenset()) -> None:
        self._seat = seat
        self._parts = parts
        self._secret = secret
        self._length = sum([len(choices) for _, choices in parts])

    def __len__(self) -> int:
        return self._length

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, tuple) or len(move) != 3 or move[0] != self._seat:
            return False
        return any(move[1] == verb and move[2] in choices for verb, choices in self._parts)

    def item(self, place: int) -> Move:
        """Return the move at a place."""
        for verb, choices in self._parts:
            if place < len(choices):
                return (SecretMove if verb in self._secret else Move)(self._seat, verb, choices[place])
            place -= len(choices)
        raise IndexError(place)
