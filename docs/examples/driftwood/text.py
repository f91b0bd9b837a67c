"""Driftwood in words: what happened, how the seats stand, and the table as a text picture."""

from collections.abc import Sequence
from typing import Final

from companion.core.event import Event
from companion.core.move import Seat
from companion.core.text import Render, Text, msg

from . import kinds
from .rules import View

TONES: Final = {"found": "good", "pinched": "bad"}

SCORE: Final = msg("Points")

_SENTENCES: Final = {
    "wash": msg("The sea brings a {find}, worth {worth}"),
    "found": msg("{who} has the {find} and {points}"),
    "pinched": msg("{who} called a {find} and has {points}"),
    "tie": msg("A tie: the gulls take it"),
    "ebb": msg("Nobody calls; the sea takes it back"),
    "throw": msg("{who} has locked a throw"),
    "retract": msg("{who} takes the throw back"),
    "reveal": msg("Most stones thrown: {most}"),
    "sunk": msg("It falls into the sea"),
    "over": msg("The bag is empty"),
}


def tell(happened: Event, names: Sequence[str]) -> Text | None:
    """Return a sentence for an event; None for one that needs no words."""
    data, facts = happened.data, happened.facts
    if happened.seat is not None:
        facts["who"] = names[happened.seat]
    if isinstance(data, kinds.Found | kinds.Pinched):
        facts["points"] = _points(data.points)
    if isinstance(data, kinds.Reveal):
        facts["most"] = max(data.throws)  # short enough for a strip; the picture has them all
    sentence = _SENTENCES.get(happened.kind)
    return None if sentence is None else sentence._replace(values=tuple(facts.items()))


def _points(n: int) -> Text:
    return msg("{n} point", "{n} points", n=n)


def score(view: View) -> tuple[int, ...]:
    """Return each seat's points."""
    return view.points


def stands(view: View, seat: Seat) -> Text:
    """Say how a seat stands."""
    stones = msg("{n} stone", "{n} stones", n=view.stones[seat])
    return msg("{points}, {stones}", points=_points(view.points[seat]), stones=stones)


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
