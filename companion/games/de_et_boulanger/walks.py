"""Keys that walk on Dé et Boulanger's board, and shortest paths.

The keys are laid over the board as seen from the baker's side: 7, 9, 1 and 3 are the mills and farms in the
corners, 5 is the fountain, 0 is home; 8, 6, 2 and 4 are steps.
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
"""The keys of the far and near corners, from left to right."""

STEP_KEYS: Final = "8624"
"""Steps up, right, down and left; in set-up the sides N, E, S and W."""


def quarters(side: int) -> int:
    """Return the clockwise quarter turns of the board as seen from a side; S sees it upright."""
    return (side + 2) % len(DIRECTIONS)


def step_key(direction: int, side: int) -> str:
    return STEP_KEYS[(direction - quarters(side)) % len(DIRECTIONS)]


def direction_of(key: str, side: int) -> int | None:
    """Return the direction on the board of a step key for a side; None for another key."""
    return (STEP_KEYS.index(key) + quarters(side)) % len(DIRECTIONS) if key in set(STEP_KEYS) else None


def step_keys(view: View, seat: Seat, to: Square) -> tuple[str, ...]:
    """Return the keys of one step. Out of the fountain, the second numbers the exit on that side."""
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
    """Return the places that have a number, by key, as seen from a side."""
    board = board_of(map_text)

    def seen(square: Square) -> tuple[int, int]:
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
    """Return the squares blocked by a baker (DB-R13)."""
    return frozenset(view.places) - {view.box.board.fountain}


def shortest(
    board: Board, side: int, start: Square, goals: Collection[Square], shut: Collection[Square]
) -> Sequence[Square]:
    """Return a shortest path to one of the goals that avoids `shut`, or ()."""
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
    """Return the squares on the way to a place with the remaining steps.

    Bakers block only where they are met, since they may be gone before a later turn.
    """
    side, shut = view.sides[seat], closed(view)
    way = _way(view.box.map, side, view.places[seat], places(view.box.map, side)[key], shut)
    return tuple(takewhile(lambda square: square not in shut, way[: view.steps]))


@lru_cache(maxsize=256)
def _way(map_text: str, side: int, here: Square, goal: Square, shut: frozenset[Square]) -> Sequence[Square]:
    """Return a shortest path that passes as few bakers as possible."""
    board, others = board_of(map_text), shut - {here, goal}
    for count in range(len(others) + 1):
        passed = combinations(sorted(others), count)
        ways = [shortest(board, side, here, (goal,), others.difference(them)) for them in passed]
        if any(ways):
            return min(filter(None, ways), key=len)
    return ()


def walking_keys(view: View, seat: Seat) -> str:
    """Return the place numbers that lead anywhere with the remaining steps."""
    keys = places(view.box.map, view.sides[seat])
    return "".join(key for key in sorted(keys) if walk(view, seat, key)) if view.steps else ""
