"""The notation of Böse Buben's moves (docs/notation.md)."""

from collections.abc import Callable, Sequence
from typing import Final

from companion.core.choices import Args
from companion.core.errors import NotationError
from companion.core.move import Seat
from companion.core.seats import parse_seat, seat_text
from companion.core.text import msg
from companion.core.verbs import Spelling, number, one_word, word_of
from companion.games.boese_buben.rules.cards import NAMES
from companion.games.boese_buben.rules.components import Box

BoxSpelling = Spelling[Box]

_MOST: Final = 9


def _spelling(write: Callable[[Args], str], read: Callable[[Sequence[str]], Args]) -> BoxSpelling:
    return Spelling(lambda _, args: write(args), lambda _, words: read(words))


_MUD: Final = "m"
"""Prefix of a place in the penalty zone."""


def _written_spots(args: Args) -> str:
    spots = zip(args[::2], args[1::2], strict=True)
    return " ".join(f"{lane}.{place}" if place > 0 else f"{lane}.{_MUD}{-place}" for lane, place in spots)


def _spots(words: Sequence[str], count: int, *, mud: bool = False) -> Args:
    """Return the sorted, flat (lane, place) pairs of `count` cards.

    `1.2` is the second card of lane 1; with `mud`, `1.m2` is the second card in its penalty zone.
    """
    if len(words) != count:
        raise NotationError(
            msg("{found} cards named; allowed: {count}, each as LANE.PLACE", found=len(words), count=count)
        )
    return sum(sorted(_spot(word, mud=mud) for word in words), ())


def _spot(word: str, *, mud: bool) -> Args:
    lane, _, place = word.partition(".")
    if mud and place.startswith(_MUD):
        return number(lane, 1, _MOST), -number(place.removeprefix(_MUD), 1, _MOST)
    return number(lane, 1, _MOST), number(place, 1, _MOST)


def _play(words: Sequence[str]) -> Args:
    if len(words) != 2:
        raise NotationError(msg("to play a card: play CARD LANE"))
    return word_of(words[0], NAMES), number(words[1], 1, _MOST)


def _order(words: Sequence[str]) -> Args:
    if len(words) < 2:
        raise NotationError(msg("to reorder a lane: reorder LANE PLACE PLACE..."))
    return tuple(number(word, 1, _MOST) for word in words)


def _two_seats(words: Sequence[str]) -> Args:
    if len(words) != 2:
        raise NotationError(msg("to move an MC card: move_mc SEAT SEAT"))
    return tuple(map(parse_seat, words))


PLAY: Final = _spelling(lambda args: f"{NAMES[args[0]]} {args[1]}", _play)
TWO_SPOTS: Final = _spelling(_written_spots, lambda words: _spots(words, 2, mud=True))
ONE_SPOT: Final = _spelling(_written_spots, lambda words: _spots(words, 1))
ORDER: Final = _spelling(lambda args: " ".join(map(str, args)), _order)
TWO_SEATS: Final = _spelling(lambda args: " ".join(map(seat_text, map(Seat, args))), _two_seats)
ANSWER: Final[BoxSpelling] = one_word(("leave", "buy", "free"))
