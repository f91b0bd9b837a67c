"""Finds what an undo takes back, and what the house corrects. Changes nothing."""

from collections.abc import Collection
from typing import NamedTuple

from companion.core.console import BACK
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.tags import is_lesson


class Undo(NamedTuple):
    """The last moves of a match, as public texts, to be taken back.

    `revealing`: they showed a draw or a secret. `seen`: they are revealing, or of several seats.
    """

    moves: list[str]
    revealing: bool = False
    seen: bool = False


def last_moves(match: Match, count: int) -> Undo:
    first = match.length - count
    moves = match.moves[first:]
    revealing = any(match.is_draw(move) or match.releases(n) for n, move in enumerate(moves, first + 1))
    seats = {move.seat for move in moves if move.seat != TABLE}
    return Undo(match.last_moves(count), revealing, revealing or len(seats) > 1)


def one_undo(match: Match, *, dealt: bool = False, along: Collection[int] = ()) -> Undo:
    """Return the undo of the last decision and what came by itself after it; with `dealt` also draws.

    Moves with numbers in `along` are only taken back with an earlier decision.
    """
    decided = match.length
    while decided and (
        decided in along or match.came_by_itself(decided) or (dealt and match.is_draw(match.moves[decided - 1]))
    ):
        decided -= 1
    return last_moves(match, match.length - decided + match.undo_unit(decided)) if decided else Undo([])


def overruled(match: Match, control: str) -> Move | None:
    """Return how the house's right or wrong corrects the last decision, or None."""
    judges = control in {"right", "wrong"} and not is_lesson(match)
    return match.overruled(right=control == "right") if judges else None


def own_step(match: Match, seat: Seat) -> Undo:
    """Return the undo of a seat's last key if the seat alone may take it back, otherwise an empty one.

    It may if since then nobody else has decided anything, nothing was drawn, and no secret of others was shown. It
    may not under a time limit or in a race, since the verdict is known.
    """
    if match.outcome:
        return Undo([])
    undo = one_undo(match)
    first = match.length - len(undo.moves)
    made = match.moves[first:]
    if not made or seat == TABLE or made[0].seat != seat or any(map(match.is_draw, made)):
        return Undo([])
    before, console = match.before(first + 1), match.game.console
    if console.keys_for(match.game.rules.view(before, seat), made[0]) == (BACK,):
        return Undo([])  # that key was itself an undo
    stage = console.stage(match.game.rules.view(before, None))
    numbers = range(first + 1, match.length + 1)
    shows_others = any(
        match.releases(number) and _others_hold(match, number - 1, match.moves[number - 1].seat)
        for number in numbers
    )
    return Undo([]) if stage.race or stage.limit or shows_others else undo


def is_final(match: Match, move: Move) -> bool:
    """Return True if a move would show somebody else's secret, so that nobody may take it back alone."""
    shows = match.made_public(match.state, move) is not None
    return shows and _others_hold(match, match.length, move.seat)


def _others_hold(match: Match, length: int, seat: Seat) -> bool:
    for number in range(length, 0, -1):
        if match.releases(number):
            return False
        move = match.moves[number - 1]
        if isinstance(move, SecretMove) and move.seat != seat:
            return True
    return False
