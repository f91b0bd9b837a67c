"""What the dealer draws for a position of a match."""

from companion.core.console import ByHand
from companion.core.dealer import Draws
from companion.core.event import Event, event
from companion.core.match import Match
from companion.core.move import Move
from companion.referee import events


def drawn(match: Match, dealer: Draws, hand: ByHand | None) -> tuple[Move, list[Event]]:
    """Return the move that the dealer draws, and what is told before it: that it is drawn anew after an undo.

    A lot that stands for what people could have said is called one (`hand`).
    """
    draw = match.next_draw
    move = dealer.choose(draw.number, match.game.rules.draws(match.state), draw.again)
    if hand and hand.lot:
        move = move._replace(verb=hand.lot)
    if draw.same is None or any(map(match.is_draw, match.moves[-1:])):  # it is told once for a whole deal
        return move, []
    return move, [event(events.Redrawn(draw.same))]
