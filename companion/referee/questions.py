"""Since when people have been asked what is asked now: a press just after that was meant for what stood before."""

from collections.abc import Hashable
from typing import Final

from companion.core.clock import MS
from companion.core.move import Seat

READ_NS: Final = 400 * MS
"""Nobody reads a question, and answers it, in less."""


class Questions:
    """What each seat is asked, and since when; None where every press counts."""

    def __init__(self) -> None:
        self._asked: dict[Seat, Hashable] = {}
        self._since_ns: dict[Seat, int] = {}

    def ask(self, seat: Seat, question: Hashable, now_ns: int) -> None:
        """Ask a seat something, from now on if it was something else before."""
        if self._asked.get(seat) != question:
            self._asked[seat] = question
            self._since_ns[seat] = now_ns

    def renew(self, seat: Seat, now_ns: int) -> None:
        """Ask a seat anew what it is asked: something else stood there."""
        self._since_ns[seat] = now_ns

    def takes(self, seat: Seat, t_ns: int) -> bool:
        """Tell whether a press, at the latest at `t_ns`, can be an answer to what a seat is asked."""
        return self._asked.get(seat) is None or t_ns >= self._since_ns[seat] + READ_NS
