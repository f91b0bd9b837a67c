"""Handicaps: what makes a match even, a ruling for each seat; nothing by default."""

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
    """Declare the handicap of one seat, a field `handicap_1` to `handicap_5`; `badge` says it beside a name."""
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
    """Return the names of the options that people choose and that are no handicaps."""
    return [field.name for field in fields(rulings) if not field.name.startswith(_PREFIX)]


def handicap_names(rulings: Options | type[Options], seats: int) -> list[str]:
    """Return the names of the handicaps of those who play; nothing where a game has none."""
    there = {field.name for field in fields(rulings)}
    return [name for name in (f"{_PREFIX}{seat + 1}" for seat in each_seat(seats)) if name in there]


def handicaps(rulings: Options, seats: int) -> tuple[int, ...]:
    """Return the handicap of each seat that plays; of a seat that nobody sits at it means nothing."""
    return tuple(getattr(rulings, f"{_PREFIX}{seat + 1}", 0) for seat in each_seat(seats))


def badge_of(rulings: Options, seat: Seat) -> Text | None:
    """Say the handicap of a seat, as `+350 ms`; None where it has none."""
    name = f"{_PREFIX}{seat + 1}"
    found = getattr(rulings, name, 0)
    if not found:
        return None
    badge = cast("Callable[[int], Text]", declared(rulings, name).metadata["badge"])
    return badge(found)
