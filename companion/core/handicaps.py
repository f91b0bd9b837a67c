"""Handicaps: house rules for each seat that make a match even."""

from collections.abc import Callable
from dataclasses import fields
from typing import Final, cast

from companion.core.move import Seat, each_seat
from companion.core.options import Options, declared, option
from companion.core.text import Text, msg

_PREFIX: Final = "handicap_"


def handicap(
    help_text: Text, *, label: Text, badge: Callable[[int], Text], maximum: int, steps: tuple[int, ...]
) -> int:
    """Declare a field `handicap_1` to `handicap_5`. `badge` is its text beside a name."""
    return option(
        0,
        help_text,
        minimum=0,
        maximum=maximum,
        steps=(0, *steps),
        label=label,
        words={0: msg("none")},
        badge=badge,
    )


def without_handicaps(rulings: Options | type[Options]) -> list[str]:
    return [field.name for field in fields(rulings) if not field.name.startswith(_PREFIX)]


def handicap_names(rulings: Options | type[Options], seats: int) -> list[str]:
    """Return the names of these seats' handicap options; [] if the game has none."""
    there = {field.name for field in fields(rulings)}
    return [name for name in (f"{_PREFIX}{seat + 1}" for seat in each_seat(seats)) if name in there]


def handicaps(rulings: Options, seats: int) -> tuple[int, ...]:
    return tuple(getattr(rulings, f"{_PREFIX}{seat + 1}", 0) for seat in each_seat(seats))


def badge_of(rulings: Options, seat: Seat) -> Text | None:
    """Return the text of a seat's handicap, such as `+350 ms`; None if it has none."""
    name = f"{_PREFIX}{seat + 1}"
    found = getattr(rulings, name, 0)
    if not found:
        return None
    badge = cast("Callable[[int], Text]", declared(rulings, name).metadata["badge"])
    return badge(found)
