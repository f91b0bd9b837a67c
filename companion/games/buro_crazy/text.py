"""Büro Crazy in words: tasks with real pieces, and the building as plain text."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.event import Event
from companion.core.game import PieceTask
from companion.core.move import TABLE, Seat
from companion.core.text import Render, Text, msg
from companion.games.buro_crazy.rules import View, card_values, kinds
from companion.games.buro_crazy.rules.building import BOSS, EMPTY, LEVELS, PAIRS, STAIRS, office


def piece_tasks(events: Sequence[Event], names: Sequence[str]) -> Iterator[PieceTask]:
    """Yield the tasks with real pieces after a step. Only their owner learns which cards are lost."""
    over = any(isinstance(told.data, kinds.Over) for told in events)
    first, later = _payers_of_a_tie(events)
    for told in events:
        if later is not None and told.seat == later and isinstance(told.data, kinds.Swap | kinds.Loss):
            yield PieceTask(later, msg("Wait for {who}", who=names[first]))
            later = None
        task = told.task(names)
        if task and not (over and isinstance(told.data, kinds.Piles)):  # an empty roof ends the match at once
            secret, last = not told.visible_to(None), _is_last(told, events)
            yield PieceTask(TABLE if told.seat is None else told.seat, task, secret=secret, after_all=last)


def _payers_of_a_tie(events: Sequence[Event]) -> tuple[Seat, Seat | None]:
    """Return the payers of a tie in order, since the second may need change from the first (BC-A8).

    It is secret who needs change, so every tie has this order if cards are tracked.
    """
    tied = any(isinstance(told.data, kinds.Tie) for told in events)
    losses = [(told.seat, told.data) for told in events if isinstance(told.data, kinds.Loss)]
    payers = [seat for seat, loss in losses if seat is not None and loss.n]
    if not tied or len(payers) < 2:
        return TABLE, None
    return payers[0], payers[1]


def _is_last(told: Event, events: Sequence[Event]) -> bool:
    """Return True if others must first lay cards on the roof or take change from it."""
    changed = any(isinstance(other.data, kinds.Swap) and other.data.pile == "roof" for other in events)
    return isinstance(told.data, kinds.Piles) or (isinstance(told.data, kinds.Kitchen) and changed)


SCORE: Final = msg("Floors climbed")


def score(view: View) -> tuple[int | None, ...]:
    """Return the total of floors climbed by each seat's figures."""
    heights = [0] * view.seats
    for floors, level in enumerate(reversed(LEVELS), 1):
        for space in level:
            if view.board[space] != EMPTY:
                heights[view.board[space]] += floors
    return tuple(heights)


def stands(view: View, seat: Seat) -> Text:
    if view.points:
        return kinds.points_text(view.points[seat])
    return msg("{n} floor", "{n} floors", n=score(view)[seat])


def colours(view: View) -> tuple[str, ...]:
    return tuple(view.box.colours[colour] for colour in view.colours)


def picture(view: View, names: Sequence[str], render: Render) -> str:
    counted = msg("roof: {n} card", "roof: {n} cards", n=view.roof_cards)
    roof = render(counted if view.roof_counted else msg("roof: not counted"))
    kitchen = render(
        msg("kitchen: {n}", n=kinds.summed(view.kitchen_points, card_values(view.kitchen, view.values)))
    )
    stock = render(msg("stock: {n}", n=view.stock_points))
    lines = [f"  {roof}", f"  {kitchen}", f"  {stock}"]
    for floor in ((BOSS,), (28,), (24, 26), (16, 18, 20, 22), tuple(range(0, STAIRS, 2))):
        offices = []
        for space in floor:
            figures = [names[seat] for seat in view.board[space : space + 2] if seat != EMPTY]
            due = ">" if view.duel and 2 * PAIRS.index(view.pair) == space else " "
            offices.append(f"{due}{office(space)}[{' '.join(figures)}]")
        lines.append(" " + " ".join(offices))
    width = max(map(len, names))
    for seat, name in enumerate(names):
        words = [render(kinds.colour_text(view.box.colours[view.colours[seat]]))]
        if view.points:
            words.append(render(kinds.points_text(view.points[seat])))
        if seat in (*view.locked, *view.reported) and not view.points:
            words.append(render(msg("locked")))
        lines.append(f"  {name:{width}}  {', '.join(words)}")
    return "\n".join(lines)
