"""What an undo takes back, what of it others have seen, and what the house corrects: asked of a match, of which
nothing is changed."""

from collections.abc import Collection
from typing import NamedTuple

from companion.core.console import BACK
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.tags import is_lesson


class Undo(NamedTuple):
    """The last moves of a match, to be taken back.

    `moves` has them as everybody may read them. They are `revealing` when they showed what nobody could know
    before: a draw, or what was secret. Others have `seen` them when they are that, or the moves of several seats.
    """

    moves: list[str]
    revealing: bool = False
    seen: bool = False


def last_moves(match: Match, count: int) -> Undo:
    """Return the last moves, so many."""
    first = match.length - count
    moves = match.moves[first:]
    revealing = any(match.is_draw(move) or match.releases(n) for n, move in enumerate(moves, first + 1))
    seats = {move.seat for move in moves if move.seat != TABLE}
    return Undo(match.last_moves(count), revealing, revealing or len(seats) > 1)


def one_undo(match: Match, *, dealt: bool = False, along: Collection[int] = ()) -> Undo:
    """Return the last move that somebody decided, and what nobody did after it, draws if `dealt`; else nothing.

    The moves of the numbers in `along` are taken back only with one before them.
    """
    decided = match.length
    while decided and (
        decided in along or match.came_by_itself(decided) or (dealt and match.is_draw(match.moves[decided - 1]))
    ):
        decided -= 1
    return last_moves(match, match.length - decided + match.undo_unit(decided)) if decided else Undo([])


def overruled(match: Match, control: str) -> Move | None:
    """Return what the last decided move becomes when the house says right or wrong; None if that means nothing."""
    judges = control in {"right", "wrong"} and not is_lesson(match)
    return match.overruled(right=control == "right") if judges else None


def own_step(match: Match, seat: Seat) -> Undo:
    """Return what the last key of a seat has made, where it alone may take that back; else nothing.

    That is so while the match goes on, nobody else has decided anything since, no draw has followed, and it has
    shown no secret of others. What was made while time ran is never taken back so: its verdict is known.
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
        return Undo([])  # it took something back itself
    stage = console.stage(match.game.rules.view(before, None))
    numbers = range(first + 1, match.length + 1)
    shows_others = any(
        match.releases(number) and _others_hold(match, number - 1, match.moves[number - 1].seat)
        for number in numbers
    )
    return Undo([]) if stage.race or stage.limit or shows_others else undo


def is_final(match: Match, move: Move) -> bool:
    """Tell whether a move, made now, would show a secret of somebody else: nobody takes that back alone."""
    shows = match.made_public(match.state, move) is not None
    return shows and _others_hold(match, match.length, move.seat)


def _others_hold(match: Match, length: int, seat: Seat) -> bool:
    """Tell whether a secret of anybody else was not public yet after so many moves."""
    for number in range(length, 0, -1):
        if match.releases(number):
            return False
        move = match.moves[number - 1]
        if isinstance(move, SecretMove) and move.seat != seat:
            return True
    return False
