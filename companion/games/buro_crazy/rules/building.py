"""The building: its spaces, the pairs that duel there and where their winners go. Pure, a part of the rules.

A space is a number, and so is a pair: pair `n` stands on the spaces `2n` and `2n + 1`, and its winner goes to space
`16 + n`. The pairs 0 to 7 are P1..P8, then come G1..G4, F1, F2 and T; space 30 is the boss suite. A board has the
seat whose figure stands on each space.
"""

from typing import Final

from companion.core.move import Seat

EMPTY: Final = Seat(-1)
"""No figure stands on this space."""

NOBODY: Final = Seat(-1)
"""Nobody: no winner yet, or no colour chosen."""

STAIRS: Final = 16
"""The spaces of the stairs, and how much further up the winner of a pair goes."""

BOSS: Final = 30
"""The space of the boss suite."""

PAIRS: Final = ("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "G1", "G2", "G3", "G4", "F1", "F2", "T")
"""The name of each pair, from the stairs upwards and from the left."""

ORDER: Final = (0, 1, 2, 3, 4, 5, 6, 7, 11, 10, 9, 8, 12, 13, 14)
"""The order in which the pairs are played: the ground floor from the right (BC-R16 to BC-R18)."""

FLOORS: Final = {0: "stairs", 8: "ground", 12: "first", 14: "second"}
"""The floor that begins at a place of ORDER."""

LAST: Final = 14
"""The place of the last duel in ORDER."""

LEVELS: Final = ((BOSS,), (28, 29), (24, 25, 26, 27), tuple(range(16, 24)))
"""The spaces in the building by rank, the highest first."""


def pair_name(step: int) -> str:
    """Return the name of the pair at a place of ORDER, `` after the last."""
    return PAIRS[ORDER[step]] if step <= LAST else ""


def duellists(board: tuple[Seat, ...], step: int) -> tuple[Seat, ...]:
    """Return the seats of the two figures of a pair; () after the last."""
    if step > LAST:
        return ()
    pair = ORDER[step]
    return board[2 * pair : 2 * pair + 2]


def moved(board: tuple[Seat, ...], step: int, side: int) -> tuple[Seat, ...]:
    """Return the board after a figure went up (BC-A18); the other stays for good (BC-R14)."""
    pair = ORDER[step]
    after = list(board)
    after[STAIRS + pair], after[2 * pair + side] = after[2 * pair + side], EMPTY
    return tuple(after)


def office(space: int) -> str:
    """Return the name of the place where a space is: that of its pair, or `B` for the boss suite."""
    return "B" if space == BOSS else PAIRS[space // 2]


def owners(board: tuple[Seat, ...], shares: tuple[int, ...]) -> tuple[tuple[Seat, int], ...]:
    """Return who gets how many piles, in the order in which they are dealt (BC-R24)."""
    boss, challenger, semifinalist = shares
    left = [max(board[28:30]), max(board[24:26]), max(board[26:28])]  # the other space of each office is empty
    return tuple(zip((board[BOSS], *left), (boss, challenger, semifinalist, semifinalist), strict=True))
