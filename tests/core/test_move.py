"""Seats, moves, and the secrecy of printed moves."""

import pytest

from companion.core.errors import NotationError
from companion.core.move import TABLE, Move, SecretMove
from companion.core.seats import parse_seat, seat_text

SECRET = SecretMove(2, "commit", (73, 74))


@pytest.mark.parametrize(("seat", "text"), [(TABLE, "T"), (0, "1"), (4, "5")])
def test_seats_are_numbered_from_one(seat: int, text: str) -> None:
    assert (seat_text(seat), parse_seat(text)) == (text, seat)


@pytest.mark.parametrize("text", ["", "0", "6", "t", "12", "345", "-1", " 1", "٣", "²"])
def test_invalid_seats_are_refused(text: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_seat(text)
    assert str(refused.value) == f"{text!r} is not a seat; allowed: 1 to 5, T for the table"


def test_plain_move_shows_its_numbers() -> None:
    assert repr(Move(0, "declare", (4,))) == "Move(seat=0, verb='declare', args=(4,))"


@pytest.mark.parametrize(
    "shown",
    [repr(SECRET), str(SECRET), f"{SECRET}", f"{SECRET!r:>60}", str([SECRET]), str({SECRET: 1})],
)
def test_secret_move_never_shows_its_numbers(shown: str) -> None:
    assert "SecretMove(seat=2, verb='commit', args=??)" in shown
    assert "7" not in shown


def test_secret_move_equals_the_plain_move() -> None:
    assert Move(2, "commit", (73, 74)) == SECRET
    assert {SECRET: "found"}[Move(2, "commit", (73, 74))] == "found"


def test_changed_secret_move_is_still_secret() -> None:
    assert type(SECRET._replace(seat=0)) is SecretMove
