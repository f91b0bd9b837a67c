"""The keys that lead over Dé et Boulanger's board, as it lies before a baker, and the shortest ways.

A number pad lies over the board as its baker sees it from his bakery: 7, 9, 1 and 3 are the mills and farms in
those corners, 5 is the fountain, 0 is home; 8, 6, 2 and 4 are a step away, to the right, towards him, to the left.
"""

from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from itertools import combinations, takewhile
from typing import Final

from companion.core.move import Seat
from companion.games.de_et_boulanger.rules import View
from companion.games.de_et_boulanger.rules.board import DIRECTIONS, Board, Kind, Square, board_of

FOUNTAIN_KEY: Final = "5"

HOME_KEY: Final = "0"

_FAR, _NEAR = "79", "13"
"""The keys of the far and of the near corners, from left to right."""

STEP_KEYS: Final = "8624"
"""The keys of a step: up, right, down, left; and of the sides of the board, before anybody sits at one: N is up."""


def quarters(side: int) -> int:
    """Return by how many quarters, clockwise, the board is turned for a side; the south sees it upright."""
    return (side + 2) % len(DIRECTIONS)


def step_key(direction: int, side: int) -> str:
    """Return the key of a step in a direction of the board for the baker of a side."""
    return STEP_KEYS[(direction - quarters(side)) % len(DIRECTIONS)]


def direction_of(key: str, side: int) -> int | None:
    """Return the direction of the board that a key means for the baker of a side; None for another key."""
    return (STEP_KEYS.index(key) + quarters(side)) % len(DIRECTIONS) if key in set(STEP_KEYS) else None


def step_keys(view: View, seat: Seat, to: Square) -> tuple[str, ...]:
    """Return the keys of one step; out of the fountain the second one is the number of the exit on that side."""
    board, place = view.box.board, view.places[seat]
    for direction in DIRECTIONS:
        key = step_key(direction, view.sides[seat])
        if place == board.fountain:
            if to in board.exits[direction]:
                return key, str(board.exits[direction].index(to) + 1)
        elif board.beside(place, direction) == to:
            return (key,)
    return ()


@cache
def places(map_text: str, side: int) -> dict[str, Square]:
    """Return the squares that have a number, by their keys, for the baker of a side."""
    board = board_of(map_text)

    def seen(square: Square) -> tuple[int, int]:
        """Return how far down and to the right a square lies for him."""
        down, right = divmod(square, board.columns)
        for _ in range(quarters(side)):
            down, right = -right, down
        return down, right

    corners = sorted((*board.of_kind(Kind.MILL), *board.of_kind(Kind.FARM)), key=seen)
    half = len(corners) // 2
    far, near = (sorted(row, key=lambda square: seen(square)[::-1]) for row in (corners[:half], corners[half:]))
    keys = (*zip(_FAR, far, strict=True), *zip(_NEAR, near, strict=True))
    return {**dict(keys), FOUNTAIN_KEY: board.fountain, HOME_KEY: board.shops[side]}


def closed(view: View) -> frozenset[Square]:
    """Return the squares that nobody else may enter because a baker stands there (DB-R13)."""
    return frozenset(view.places) - {view.box.board.fountain}


def shortest(
    board: Board, side: int, start: Square, goals: Collection[Square], shut: Collection[Square]
) -> Sequence[Square]:
    """Return the squares of a shortest way to one of the goals, none of them `shut`; () when there is none."""
    ways, came_from = board.ways[side], {start: start}
    reached = [start]
    for square in reached:
        if square in goals and square != start:
            return _back(came_from, start, square)
        for (near,) in ways[square]:
            if near not in came_from and near not in shut:
                came_from[near] = square
                reached.append(near)
    return ()


def _back(came_from: dict[Square, Square], start: Square, goal: Square) -> Sequence[Square]:
    route = [goal]
    while came_from[route[-1]] != start:
        route.append(came_from[route[-1]])
    return route[::-1]


def walk(view: View, seat: Seat, key: str) -> Sequence[Square]:
    """Return the squares that a number leads over with the steps that are left, as near to its place as they go.

    A baker who stands there, or where every way leads through, is in the way only when he is reached: he may have
    gone before.
    """
    side, shut = view.sides[seat], closed(view)
    way = _way(view.box.map, side, view.places[seat], places(view.box.map, side)[key], shut)
    return tuple(takewhile(lambda square: square not in shut, way[: view.steps]))


@lru_cache(maxsize=256)
def _way(map_text: str, side: int, here: Square, goal: Square, shut: frozenset[Square]) -> Sequence[Square]:
    """Return a shortest way to a place, past no more bakers than have to be passed."""
    board, others = board_of(map_text), shut - {here, goal}
    for count in range(len(others) + 1):
        passed = combinations(sorted(others), count)
        ways = [shortest(board, side, here, (goal,), others.difference(them)) for them in passed]
        if any(ways):
            return min(filter(None, ways), key=len)
    return ()


def walking_keys(view: View, seat: Seat) -> str:
    """Return the numbers that lead anywhere with the steps that are left."""
    keys = places(view.box.map, view.sides[seat])
    return "".join(key for key in sorted(keys) if walk(view, seat, key)) if view.steps else ""
