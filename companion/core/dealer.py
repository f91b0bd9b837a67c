"""The dealer supplies the TABLE's draws when the Pi deals and rolls; an undo is never a re-roll."""

import hashlib
from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

T = TypeVar("T")

DEALS: Final = ("pi", "table")
"""Who deals and rolls: the Pi, or the people at the table with real cards and dice."""


class Draws(Protocol):
    """What a referee draws from: chance, or a line that is known before."""

    @property
    def commitment(self) -> str | None:
        """What is shown at the start so that players can check the draws at the end; None: nothing is hidden."""

    def choose(self, draw: int, choices: Sequence[T]) -> T:
        """Return one of `choices` for the draw of that number, the same whenever it is asked again."""


class Dealer:
    """Draws as a function of (seed, number of draws before in the current line), so that undo repeats them."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._key = hashlib.blake2b(seed.encode(), digest_size=32, person=b"dealer").digest()

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, shown at the start so that players can check the shuffles at the end."""
        return hashlib.sha256(self.seed.encode()).hexdigest()

    def choose(self, draw: int, choices: Sequence[T]) -> T:
        """Return one of `choices`, each equally likely, for the draw of that number."""
        size = len(choices)
        if not size:
            raise ValueError("nothing to draw from")
        limit = (1 << 64) // size * size  # beyond it some choices would come more often
        attempt = 0
        while True:
            data = draw.to_bytes(8, "big") + attempt.to_bytes(8, "big")
            number = int.from_bytes(hashlib.blake2b(data, key=self._key, digest_size=8).digest(), "big")
            if number < limit:
                return choices[number % size]
            attempt += 1

    def __repr__(self) -> str:
        return f"Dealer(commitment={self.commitment!r})"
