"""The dealer makes the TABLE's draws.

A draw depends on the seed, the number of draws before it, and, after an undo, on whether the public decisions are
the same. So nobody can decide again knowing the die.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

DEALS: Final = ("pi", "table")
"""The sources of draws: the companion, or players with real cards and dice."""


class Draw(NamedTuple):
    """The draw that is due: its number in the line, from 0, and `again`.

    After an undo, `again` is a new number for each different set of public decisions. `same` is True if they are as
    when the draw was first made; None if it was not undone.
    """

    number: int
    again: int = 0
    same: bool | None = None


class Draws(Protocol):
    """A source of draws: chance, or a known line."""

    @property
    def commitment(self) -> str | None:
        """A text at the start with which players can check the draws at the end; None if nothing is hidden."""

    def choose(self, draw: int, choices: Sequence[T], again: int = 0) -> T:
        """Return one of `choices`, the same for the same arguments."""


class Dealer:
    """Equally likely draws as a function of seed, number and `again`."""

    def __init__(self, seed: str) -> None:
        import hashlib  # noqa: PLC0415  it loads OpenSSL, and the first picture does not wait for it

        self.seed = seed
        self._hash = hashlib.blake2b
        self._key = self._hash(seed.encode(), digest_size=32, person=b"dealer").digest()

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed."""
        import hashlib  # noqa: PLC0415

        return hashlib.sha256(self.seed.encode()).hexdigest()

    def choose(self, draw: int, choices: Sequence[T], again: int = 0) -> T:
        size = len(choices)
        if not size:
            raise ValueError("nothing to draw from")
        limit = (1 << 64) // size * size  # a larger number would favour some choices
        other = again.to_bytes(8, "big") if again else b""  # lines without undo have the draws of earlier versions
        attempt = 0
        while True:
            data = draw.to_bytes(8, "big") + attempt.to_bytes(8, "big") + other
            number = int.from_bytes(self._hash(data, key=self._key, digest_size=8).digest(), "big")
            if number < limit:
                return choices[number % size]
            attempt += 1

    def __repr__(self) -> str:
        return f"Dealer(commitment={self.commitment!r})"
