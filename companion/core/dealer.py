"""The dealer supplies the TABLE's draws when the Pi deals and rolls; an undo alone is never a re-roll.

A draw is a function of the seed, of how many draws come before it in the line, and, where that draw was made before
and taken back, of whether the same was decided in public. So nobody decides anew knowing the die.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

T = TypeVar("T")

DEALS: Final = ("pi", "table")
"""Who deals and rolls: the Pi, or the people at the table with real cards and dice."""


class Draw(NamedTuple):
    """Which draw of a match is due: its number, counted from 0, and which one of that number.

    `again` is 0 until a draw of the number was taken back, and then another number for each other public decisions;
    `same` tells whether the same was decided as when it was made before, None for one that never was.
    """

    number: int
    again: int = 0
    same: bool | None = None


class Draws(Protocol):
    """What a referee draws from: chance, or a line that is known before."""

    @property
    def commitment(self) -> str | None:
        """What is shown at the start so that players can check the draws at the end; None: nothing is hidden."""

    def choose(self, draw: int, choices: Sequence[T], again: int = 0) -> T:
        """Return one of `choices` for the draw of that number, the same whenever it is asked again."""


class Dealer:
    """Draws as a function of (seed, number of draws before in the current line, other decisions taken back)."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._key = hashlib.blake2b(seed.encode(), digest_size=32, person=b"dealer").digest()

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, shown at the start so that players can check the shuffles at the end."""
        return hashlib.sha256(self.seed.encode()).hexdigest()

    def choose(self, draw: int, choices: Sequence[T], again: int = 0) -> T:
        """Return one of `choices`, each equally likely, for the draw of that number; others `again` and again."""
        size = len(choices)
        if not size:
            raise ValueError("nothing to draw from")
        limit = (1 << 64) // size * size  # beyond it some choices would come more often
        other = again.to_bytes(8, "big") if again else b""  # a line without undo deals as it always did
        attempt = 0
        while True:
            data = draw.to_bytes(8, "big") + attempt.to_bytes(8, "big") + other
            number = int.from_bytes(hashlib.blake2b(data, key=self._key, digest_size=8).digest(), "big")
            if number < limit:
                return choices[number % size]
            attempt += 1

    def __repr__(self) -> str:
        return f"Dealer(commitment={self.commitment!r})"
