"""Driftwood in words."""

from collections.abc import Sequence
from typing import Final

from companion.core.move import Seat
from companion.core.text import Render, Text, msg

from .kinds import points_text
from .rules import View

SCORE: Final = msg("Points")


def score(view: View) -> tuple[int, ...]:
    return view.points


def stands(view: View, seat: Seat) -> Text:
    stones = msg("{n} stone", "{n} stones", n=view.stones[seat])
    return msg("{points}, {stones}", points=points_text(view.points[seat]), stones=stones)


def colours(view: View) -> tuple[str, ...]:
    return ("red", "sky", "yellow", "green", "purple")[: len(view.points)]


def picture(view: View, names: Sequence[str], render: Render) -> str:
    """Return the table as lines of text."""
    lines = []
    if view.find:
        place = msg("between the rocks") if view.find.rocks else msg("on the beach")
        lines.append(render(msg("A {find} {place}: {n}", find=view.find.name, place=place, n=view.find.worth)))
    if view.shown:
        # A no-break space keeps name and number on one line.
        thrown = ", ".join(f"{name}\N{NO-BREAK SPACE}{n}" for name, n in zip(names, view.shown, strict=True))
        lines.append(render(msg("Stones thrown: {thrown}", thrown=thrown)))
    lines.append(render(msg("{n} find in the bag", "{n} finds in the bag", n=view.left)))
    return "\n".join(lines)
