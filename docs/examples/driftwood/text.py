"""Driftwood in words: how the seats stand, and the table as a text picture."""

from collections.abc import Sequence
from typing import Final

from companion.core.move import Seat
from companion.core.text import Render, Text, msg

from .kinds import points_text
from .rules import View

SCORE: Final = msg("Points")


def score(view: View) -> tuple[int, ...]:
    """Return each seat's points."""
    return view.points


def stands(view: View, seat: Seat) -> Text:
    """Say how a seat stands."""
    stones = msg("{n} stone", "{n} stones", n=view.stones[seat])
    return msg("{points}, {stones}", points=points_text(view.points[seat]), stones=stones)


def colours(view: View) -> tuple[str, ...]:
    """Return the name of each seat's colour."""
    return ("red", "sky", "yellow", "green", "purple")[: len(view.points)]


def picture(view: View, names: Sequence[str], render: Render) -> str:
    """Return the table as lines of text: what lies there, what was thrown, what is still to come."""
    lines = []
    if view.find:
        place = msg("between the rocks") if view.find.rocks else msg("on the beach")
        lines.append(render(msg("A {find} {place}: {n}", find=view.find.name, place=place, n=view.find.worth)))
    if view.shown:
        # With a space at which no line is broken.
        thrown = ", ".join(f"{name}\N{NO-BREAK SPACE}{n}" for name, n in zip(names, view.shown, strict=True))
        lines.append(render(msg("Stones thrown: {thrown}", thrown=thrown)))
    lines.append(render(msg("{n} find in the bag", "{n} finds in the bag", n=view.left)))
    return "\n".join(lines)
