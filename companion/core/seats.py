"""Seats as text: `1` to `5`, and `T` for the TABLE."""

from companion.core.errors import NotationError
from companion.core.move import TABLE, Seat
from companion.core.text import msg


def seat_text(seat: Seat) -> str:
    return "T" if seat == TABLE else str(seat + 1)


def parse_seat(text: str) -> Seat:
    """Parse `1`..`5` or `T`. Raise NotationError."""
    if text == "T":
        return TABLE
    if len(text) == 1 and text in "12345":
        return Seat(int(text) - 1)
    raise NotationError(msg("{found!r} is not a seat; allowed: 1 to 5, T for the table", found=text))
