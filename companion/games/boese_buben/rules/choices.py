"""The legal plays of a hand and the legal targets of an action."""

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import permutations
from typing import Final

from companion.core.choices import Args, Computed
from companion.core.move import TABLE, Move, Seat
from companion.games.boese_buben.rules.cards import CARDS, Action, Tracks, fitting, indexes_of, owner, value

THROWABLE: Final = (5, 6)
"""The values that a Rauswurf can throw out (BB-R32)."""


class Plays(Computed[Args]):
    """The (card index, lane) pairs that a hand can play, lane by lane (BB-R5, BB-R6)."""

    __slots__ = ("_hand", "_lanes")

    def __init__(self, hand: int, lanes: Tracks) -> None:
        self._hand = hand
        self._lanes = lanes

    def __contains__(self, args: object) -> bool:
        if not isinstance(args, tuple) or len(args) != 2:
            return False
        index, lane = args
        if not (0 <= index < CARDS and 1 <= lane <= len(self._lanes)):
            return False
        return bool(self._hand & fitting(self._lanes[lane - 1]) & 1 << index)

    def __len__(self) -> int:
        return len(play_moves(TABLE, self._hand, self._lanes))

    def item(self, place: int) -> Args:
        return play_moves(TABLE, self._hand, self._lanes)[place].args


def play_moves(seat: Seat, hand: int, lanes: Tracks) -> list[Move]:
    moves: list[Move] = []
    for (low, high), fits in zip(_tables(seat, len(lanes)), map(fitting, lanes), strict=True):
        cards = hand & fits
        moves += low[cards & _LOW]
        moves += high[cards >> _HALF]
    return moves


_HALF: Final = CARDS // 2
_LOW: Final = (1 << _HALF) - 1


@cache  # one table per half of a hand: a table of all hands would be large
def _tables(seat: Seat, lanes: int) -> tuple[tuple[tuple[tuple[Move, ...], ...], ...], ...]:
    return tuple(
        tuple(
            tuple(
                tuple(Move(seat, "play", (first + index, lane)) for index in indexes_of(hand))
                for hand in range(1 << _HALF)
            )
            for first in (0, _HALF)
        )
        for lane in range(1, lanes + 1)
    )


def can_place(hand: int, lanes: Tracks) -> bool:
    for shown in lanes:  # noqa: SIM110, a loop is left at the first lane in half the time
        if hand & fitting(shown):
            return True
    return False


def _exchanges(tracks: Tracks, mud: Tracks) -> list[Args]:
    # BB-R31. Equal values on the tracks are always in two lanes, so a swap preserves BB-R6 (BB-A23).
    found: list[Args] = []
    before: dict[int, list[tuple[Seat, int, int]]] = {}
    for lane, track in enumerate(tracks, 1):
        spots = [(-place, card) for place, card in enumerate(mud[lane - 1], 1)][::-1] if mud else []
        for place, card in (*spots, *enumerate(track, 1)):
            equals = before.setdefault(value(card), [])
            found += [
                (other_lane, other_place, lane, place)
                for other, other_lane, other_place in equals
                if other != owner(card)
            ]
            equals.append((owner(card), lane, place))
    return found


def _ejections(tracks: Tracks, _: Tracks) -> list[Args]:
    return [
        (lane, place)
        for lane, track in enumerate(tracks, 1)
        for place, card in enumerate(track, 1)
        if value(card) in THROWABLE
    ]


def _reorders(tracks: Tracks, _: Tracks) -> list[Args]:
    return [(lane, *order) for lane, track in enumerate(tracks, 1) for order in _orders(len(track))]


@cache
def _orders(cards: int) -> tuple[Args, ...]:
    _unchanged, *orders = permutations(range(1, cards + 1))
    return tuple(orders)


_TARGETS: Final[dict[Action, Callable[[Tracks, Tracks], list[Args]]]] = {
    Action.AUSTAUSCH: _exchanges,
    Action.RAUSWURF: _ejections,
    Action.RAENGELEI: _reorders,
}


@lru_cache(maxsize=64)  # used when a card is placed, when moves are listed and when one is made
def targets(action: Action, tracks: Tracks, mud: Tracks) -> tuple[Args, ...]:
    """Return the possible uses of the action text just placed.

    `mud` are the penalty zones if an Austausch may reach them, otherwise (). Their places are negative.
    """
    return tuple(_TARGETS[action](tracks, mud)) if action in _TARGETS else ()
