"""The twelve cards of a colour, and how lanes accept and pay for them.

A card is a number, `seat * CARDS + index`, with indexes in the order of NAMES. A hand is a bit set of indexes.
"""

from collections.abc import Iterable
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final, NamedTuple

from companion.core.move import Seat

Card = int

Tracks = tuple[tuple[Card, ...], ...]
"""The cards of each lane, on the tracks or in the penalty zones."""

NAMES: Final = ("0", "1", "2", "3", "4", "5", "6", "1a", "2a", "3a", "4a", "5a")
"""Card names; `a` marks the copy with an action text (BB-A35)."""

CARDS: Final = len(NAMES)

VALUES: Final = tuple(int(name[0]) for name in NAMES)


class Action(StrEnum):
    """The action text of a card (BB-R29 to BB-R33)."""

    NONE = "none"
    KOSTENLOS = "kostenlos"
    SCHIEBUNG = "schiebung"
    AUSTAUSCH = "austausch"
    RAUSWURF = "rauswurf"
    RAENGELEI = "raengelei"


NO_TEXT: Final = Action.NONE

NO_CARD: Final[Card] = -1

NOBODY: Final = Seat(-2)
"""Stands for no seat: as the mover, the winner of a lane or the player who ended the race."""

MONOCHROME: Final = 3
"""A lane of exactly this number of cards pays nothing if all have one colour (BB-R17)."""


def owner(card: Card) -> Seat:
    return Seat(card // CARDS)


def value(card: Card) -> int:
    return VALUES[card % CARDS]


def card_text(card: Card) -> str:
    return NAMES[card % CARDS]


def lying(tracks: Tracks, zones: Tracks, spot: tuple[int, ...]) -> Card:
    """Return the card at (lane, place); a negative place is in the penalty zone."""
    lane, place = spot
    return tracks[lane - 1][place - 1] if place > 0 else zones[lane - 1][-place - 1]


def hand_of(indexes: Iterable[int]) -> int:
    return sum(1 << index for index in set(indexes))


@cache
def indexes_of(hand: int) -> tuple[int, ...]:
    """Return the indexes in a hand, in ascending order."""
    return tuple(index for index in range(CARDS) if hand >> index & 1)


def hand_points(hand: int) -> int:
    return sum(VALUES[index] for index in indexes_of(hand))


ALL: Final = hand_of(range(CARDS))

_EQUALS: Final = tuple(
    hand_of(other for other in range(CARDS) if VALUES[other] == VALUES[index]) for index in range(CARDS)
)


@lru_cache(maxsize=1 << 14)
def fitting(shown: tuple[Card, ...]) -> int:
    """Return the bit set of indexes whose value is not in `shown` (BB-R6).

    The oldest card of a full track counts although it is about to fall (BB-R7).
    """
    fits = ALL
    for card in shown:
        fits &= ~_EQUALS[card % CARDS]
    return fits


class LaneResult(NamedTuple):
    """The winner of a lane, or NOBODY, and why.

    `why` is `sum`, `cards` (equal sums), `empty`, `zero` (alone), `colour` (only one) or `tie`.
    """

    winner: Seat
    why: str


_POINT: Final = 10
"""Weight of a point (BB-R14) against an additional card (BB-R15); a lane has fewer cards."""

_STRENGTHS: Final = tuple(number * _POINT + 1 for number in VALUES)
_ZERO_ALONE: Final = 1

_EMPTY, _COLOUR, _ZERO, _TIE = (LaneResult(NOBODY, why) for why in ("empty", "colour", "zero", "tie"))


@lru_cache(maxsize=1 << 14)
def lane_result(track: tuple[Card, ...], monochrome_lane: str) -> LaneResult:
    """Return who wins a lane: the highest sum, then more cards (BB-R14, BB-R15).

    `monochrome_lane` says when one colour alone pays nothing: with `three` cards or with `any` number (BB-A10).
    """
    if not track:
        return _EMPTY
    strength: dict[int, int] = {}
    for card in track:
        seat = card // CARDS
        strength[seat] = strength.get(seat, 0) + _STRENGTHS[card % CARDS]
    if len(strength) == 1 and (monochrome_lane == "any" or len(track) == MONOCHROME):
        return _COLOUR  # BB-R17, BB-A11
    best = max(strength.values())
    if best == _ZERO_ALONE:
        return _ZERO  # BB-R16
    winner, *tied = [seat for seat, strong in strength.items() if strong == best]
    if tied:
        return _TIE  # BB-A8: impossible with three cards per lane
    equal_sums = [strong // _POINT for strong in strength.values()].count(best // _POINT) > 1
    return LaneResult(Seat(winner), "cards" if equal_sums else "sum")
