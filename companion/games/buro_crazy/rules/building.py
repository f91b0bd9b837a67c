"""The building: its spaces, its pairs, and where their winners go.

Pair `n` is on the spaces `2n` and `2n + 1`, and its winner goes to space `16 + n`. Pairs 0 to 7 are P1 to P8, then
come G1 to G4, F1, F2 and T. A board lists the seat on each space.
"""

from typing import Final

from companion.core.move import Seat

EMPTY: Final = Seat(-1)
"""A space without a figure."""

NOBODY: Final = Seat(-1)
"""No winner yet, or no colour chosen."""

STAIRS: Final = 16
"""The spaces of the stairs, and the offset from a pair to its winner's space."""

BOSS: Final = 30

PAIRS: Final = ("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "G1", "G2", "G3", "G4", "F1", "F2", "T")

ORDER: Final = (0, 1, 2, 3, 4, 5, 6, 7, 11, 10, 9, 8, 12, 13, 14)
"""The pairs in order of play (BC-R16 to BC-R18)."""

FLOORS: Final = {0: "stairs", 8: "ground", 12: "first", 14: "second"}
"""The floors by their first index in ORDER."""

LAST: Final = 14
"""The index of the last duel in ORDER."""

LEVELS: Final = ((BOSS,), (28, 29), (24, 25, 26, 27), tuple(range(16, 24)))
"""The spaces in the building by rank, highest first."""


def pair_name(step: int) -> str:
    """Return the name of the pair at index `step` of ORDER, empty after the last."""
    return PAIRS[ORDER[step]] if step <= LAST else ""


def duellists(board: tuple[Seat, ...], step: int) -> tuple[Seat, ...]:
    """Return the seats of the pair at index `step`; () after the last."""
    if step > LAST:
        return ()
    pair = ORDER[step]
    return board[2 * pair : 2 * pair + 2]


def moved(board: tuple[Seat, ...], step: int, side: int) -> tuple[Seat, ...]:
    """Return the board after a figure moved up (BC-A18). The other one stays (BC-R14)."""
    pair = ORDER[step]
    after = list(board)
    after[STAIRS + pair], after[2 * pair + side] = after[2 * pair + side], EMPTY
    return tuple(after)


def office(space: int) -> str:
    """Return a space's name: that of its pair, or `B` for the boss suite."""
    return "B" if space == BOSS else PAIRS[space // 2]


def owners(board: tuple[Seat, ...], shares: tuple[int, ...]) -> tuple[tuple[Seat, int], ...]:
    """Return the owners and numbers of piles in dealing order (BC-R24)."""
    boss, challenger, semifinalist = shares
    left = [max(board[28:30]), max(board[24:26]), max(board[26:28])]  # the other space of each office is empty
    return tuple(zip((board[BOSS], *left), (boss, challenger, semifinalist, semifinalist), strict=True))
