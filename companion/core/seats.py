"""Seats as people write them: `1` to `5`, and `T` for the TABLE."""

from companion.core.errors import NotationError
from companion.core.move import TABLE, Seat
from companion.core.text import msg


def seat_text(seat: Seat) -> str:
    """Return a seat as people write it: `1`..`5`, or `T` for the TABLE."""
    return "T" if seat == TABLE else str(seat + 1)


def parse_seat(text: str) -> Seat:
    """Return the seat that `seat_text` printed. Raise NotationError for anything else."""
    if text == "T":
        return TABLE
    if len(text) == 1 and text in "12345":
        return Seat(int(text) - 1)
    raise NotationError(msg("{found!r} is no seat; allowed: 1 to 5, T for the table", found=text))
