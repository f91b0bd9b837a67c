"""A move: what a seat did, or what the TABLE did. The only thing that is ever persisted."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple, NewType, TypeVar, cast

T = TypeVar("T")

Seat = NewType("Seat", int)
"""Who plays: 0..n-1 clockwise in code; 1..5 in scripts, records and on the screen. Where one sits is a `Place`."""

TABLE: Final = Seat(-1)
"""The mover of chance, clock, arbiter and house: a card dealt, a die, a time-out, a verdict."""

HIDDEN: Final = "??"
"""What stands in a record for something its reader may not see, or nobody has seen."""


class Move(NamedTuple):
    """One move: who, what, and with which numbers."""

    seat: Seat
    verb: str
    args: tuple[int, ...] = ()


class SecretMove(Move):
    """A move whose arguments only its seat may see: its repr does not show them.

    Compares equal to the plain Move of the same seat, verb and arguments.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"SecretMove(seat={self.seat}, verb={self.verb!r}, args={HIDDEN})"

    __str__ = __repr__


@cache
def each_seat(count: int) -> tuple[Seat, ...]:
    """Return the seats of a match, clockwise."""
    return tuple(map(Seat, range(count)))


def by_seat(items: Iterable[T]) -> "Iterator[tuple[Seat, T]]":
    """Return each item with its seat: the first is that of seat 0."""
    return cast("Iterator[tuple[Seat, T]]", enumerate(items))


def with_item(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return the items with another one at a place: mostly those of all seats, at a seat."""
    changed = list(items)
    changed[place] = item
    return tuple(changed)


def with_added(counts: tuple[int, ...], place: int, change: int) -> tuple[int, ...]:
    """Return the counts with the one at a place changed by so much."""
    return with_item(counts, place, counts[place] + change)
