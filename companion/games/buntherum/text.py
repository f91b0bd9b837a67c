"""Buntherum in words: tasks with real pieces, and the table as plain text."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.event import Event
from companion.core.game import PieceTask
from companion.core.move import TABLE, Seat
from companion.core.text import Render, Text, msg
from companion.games.buntherum.rules import NO_CARD, Phase, View, card_words, kinds


def piece_tasks(events: Sequence[Event], names: Sequence[str]) -> Iterator[PieceTask]:
    """Yield the tasks with real pieces after a step.

    Starters have none: the person who keys one has laid it. A rejected card is the task of the judged seat, or, if
    nobody answered, of the next turner.
    """
    wrong = next((told.seat for told in events if isinstance(told.data, kinds.Wrong)), None)
    handling = kinds.Right | kinds.Wrong | kinds.Next
    near = next((told.seat for told in events if isinstance(told.data, handling)), None)
    for told in events:
        seat, task = told.seat, told.task(names)
        if wrong is not None and isinstance(told.data, kinds.Chip):
            continue  # the task for the card includes it
        if isinstance(told.data, kinds.Under):
            seat = near
            if wrong is not None:
                task = msg("Card under the draw pile, take a chip")
        if task:
            yield PieceTask(TABLE if seat is None else seat, task)


SCORE: Final = msg("Cards left")
FEWEST_LEAD: Final = True

_COLOURS: Final = ("red", "sky", "yellow", "green", "purple")


def score(view: View) -> tuple[int | None, ...]:
    """Return the cards left, with None before the deal and for eliminated seats."""
    if view.phase == Phase.SETUP:
        return (None,) * len(view.piles)
    return tuple(None if seat in view.gone else cards for seat, cards in enumerate(view.piles))


def stands(view: View, seat: Seat) -> Text:
    if seat in view.gone:
        return msg("out")
    return msg("{n} card left", "{n} cards left", n=view.piles[seat])


def colours(view: View) -> tuple[str, ...]:
    """Return colours in the order of seats, since the box has none."""
    return _COLOURS[: len(view.piles)]


def picture(view: View, names: Sequence[str], render: Render) -> str:
    lines = []
    for side, row in enumerate(view.rows):
        printed, *cards = (render(card_words(view.box, card)) for card in (view.box.printed[side], *row))
        lines.append(f"  {side + 1} [{printed}] {', '.join(cards)}")
    if view.card != NO_CARD:
        lines.append("  " + render(msg("open: {card}", card=card_words(view.box, view.card))))
    width = max(map(len, names))
    for seat, name in enumerate(names):
        cards_left = render(msg("{n} card", "{n} cards", n=view.piles[seat]))
        out = render(msg("out")) if seat in view.gone else cards_left
        lines.append(f"  {name:{width}}  {out:10} {'●' * view.chips[seat]}".rstrip())
    return "\n".join(lines)
