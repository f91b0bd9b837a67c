"""What a hand and the tracks allow: the plays of a turn, the targets of an action. Pure, a part of the rules."""

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import permutations
from typing import Final

from companion.core.choices import Computed
from companion.core.move import Move, Seat
from companion.games.boese_buben.rules.cards import CARDS, Action, Tracks, fitting, indexes_of, owner, value

THROWABLE: Final = (5, 6)
"""The values that a Rauswurf can throw out (BB-R32)."""


class Plays(Computed[Move]):
    """The plays of a seat, lane by lane (BB-R5, BB-R6); made when they are asked, since mostly one is picked."""

    __slots__ = ("_hand", "_lanes", "_seat", "_tracks")

    def __init__(self, seat: Seat, hand: int, tracks: Tracks) -> None:
        self._seat = seat
        self._hand = hand
        self._tracks = tracks
        self._lanes: list[int] = []

    def _fitting(self) -> list[int]:
        """Return for each lane the bits of the cards that may go there."""
        if not self._lanes:
            hand = self._hand
            self._lanes = [hand & fitting(track) for track in self._tracks]
        return self._lanes

    def __len__(self) -> int:
        return sum(map(int.bit_count, self._fitting()))

    def item(self, place: int) -> Move:
        """Return the play of that number."""
        for lane, cards in enumerate(self._fitting(), 1):
            count = cards.bit_count()
            if place < count:
                return _play_move(self._seat, indexes_of(cards)[place], lane)
            place -= count
        raise IndexError(place)

    def __contains__(self, move: object) -> bool:
        if not (isinstance(move, Move) and move.seat == self._seat and move.verb == "play" and is_pair(move.args)):
            return False
        index, lane = move.args
        if not (0 <= index < CARDS and 1 <= lane <= len(self._tracks)):
            return False
        return bool(self._hand & fitting(self._tracks[lane - 1]) & 1 << index)


def can_place(hand: int, tracks: Tracks) -> bool:
    """Tell whether some card of a hand fits into some lane (BB-R9)."""
    for track in tracks:  # noqa: SIM110, a loop is left at the first lane in half the time
        if hand & fitting(track):
            return True
    return False


def is_pair(args: object) -> bool:
    """Tell whether these are two numbers."""
    return isinstance(args, tuple) and len(args) == 2 and isinstance(args[0], int) and isinstance(args[1], int)


@cache
def _play_move(seat: Seat, index: int, lane: int) -> Move:
    return Move(seat, "play", (index, lane))


def _exchanges(seat: Seat, tracks: Tracks) -> list[Move]:
    # BB-R31; equal values are always in two lanes, so the swap keeps BB-R6 (BB-A23).
    found = []
    before: dict[int, list[tuple[Seat, int, int]]] = {}
    for lane, track in enumerate(tracks, 1):
        for place, card in enumerate(track, 1):
            equals = before.setdefault(value(card), [])
            for other, other_lane, other_place in equals:
                if other != owner(card):
                    found.append(Move(seat, "exchange", (other_lane, other_place, lane, place)))
            equals.append((owner(card), lane, place))
    return found


def _ejections(seat: Seat, tracks: Tracks) -> list[Move]:
    return [
        Move(seat, "eject", (lane, place))
        for lane, track in enumerate(tracks, 1)
        for place, card in enumerate(track, 1)
        if value(card) in THROWABLE
    ]


def _reorders(seat: Seat, tracks: Tracks) -> list[Move]:
    return [move for lane, track in enumerate(tracks, 1) for move in _orders(seat, lane, len(track))]


@cache
def _orders(seat: Seat, lane: int, cards: int) -> tuple[Move, ...]:
    _unchanged, *orders = permutations(range(1, cards + 1))
    return tuple(Move(seat, "reorder", (lane, *order)) for order in orders)


_TARGETS: Final[dict[Action, Callable[[Seat, Tracks], list[Move]]]] = {
    Action.AUSTAUSCH: _exchanges,
    Action.RAUSWURF: _ejections,
    Action.RAENGELEI: _reorders,
}


@lru_cache(maxsize=64)  # asked when the card is placed, when the moves are listed, and when one is made
def targets(action: Action, seat: Seat, tracks: Tracks) -> tuple[Move, ...]:
    """Return what a seat may do with the text of the card it has just placed; () when there is no target."""
    found = _TARGETS[action](seat, tracks) if action in _TARGETS else []
    return (*found, Move(seat, "decline")) if found else ()
