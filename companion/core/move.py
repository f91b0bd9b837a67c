"""Moves of seats and of the TABLE. Only moves are persisted."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple, NewType, TypeVar, cast

T = TypeVar("T")

Seat = NewType("Seat", int)
"""A player: 0..n-1 clockwise in code; 1..5 in scripts, records and on the screen. Where they sit is a `Place`."""

TABLE: Final = Seat(-1)
"""The seat of chance, clock, arbiter and house: deals, rolls, timeouts, verdicts."""

HIDDEN: Final = "??"
"""A hidden or unknown move in a record."""


class Move(NamedTuple):
    """One move, with its numbers."""

    seat: Seat
    verb: str
    args: tuple[int, ...] = ()


class SecretMove(Move):
    """A move whose arguments only its seat may see; its repr does not show them. Equal to the plain Move."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"SecretMove(seat={self.seat}, verb={self.verb!r}, args={HIDDEN})"

    __str__ = __repr__


@cache
def each_seat(count: int) -> tuple[Seat, ...]:
    """Return the seats 0 to `count - 1`."""
    return tuple(map(Seat, range(count)))


def by_seat(items: Iterable[T]) -> "Iterator[tuple[Seat, T]]":
    """Yield each item with its seat, from seat 0 on."""
    return cast("Iterator[tuple[Seat, T]]", enumerate(items))


def with_item(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return the items with another one at index `place`."""
    changed = list(items)
    changed[place] = item
    return tuple(changed)


def with_added(counts: tuple[int, ...], place: int, change: int) -> tuple[int, ...]:
    """Return the counts with `change` added at index `place`."""
    return with_item(counts, place, counts[place] + change)
