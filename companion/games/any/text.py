"""Any other game in words."""

from collections.abc import Sequence
from typing import Final

from companion.core.move import Seat
from companion.core.text import Render, Text, msg
from companion.games.any.console import title_of
from companion.games.any.rules import Phase, View
from companion.games.any.rules.kinds import points_text

SCORE: Final = msg("Points")

_COLOURS: Final = ("red", "sky", "yellow", "green", "purple")


def score(view: View) -> tuple[int, ...]:
    return view.points


def stands(view: View, seat: Seat) -> Text:
    return points_text(view.points[seat])


def colours(view: View) -> tuple[str, ...]:
    return _COLOURS[: len(view.points)]


def lot_text(view: View, place: int, names: Sequence[str]) -> str:
    """Return one die or lot in a word: its number, a name of the list, or a player."""
    lot = view.drawn[place]
    if view.round.lots == "dice":
        return str(lot)
    return view.round.names[lot - 1] if view.round.lots == "names" else names[lot - 1]


def clock_text(s: int) -> str:
    return f"{s // 60}:{s % 60:02}"


def picture(view: View, names: Sequence[str], render: Render) -> str:
    lines = [render(title_of(view))]
    if view.round.text and view.phase != Phase.OVER:
        lines.append(view.round.text)
    lines += [f"  {number} {word}" for number, word in enumerate(view.round.words, 1)]
    for seat, name in enumerate(names):
        parts = [name, render(points_text(view.points[seat]))]
        if view.rest:
            parts.append(clock_text(view.rest[seat].s))
        if view.shown:
            parts.append(f"[{view.shown[seat]}]")
        lines.append("  " + "  ".join(parts))
    if view.drawn:
        lines.append(", ".join(lot_text(view, place, names) for place in range(len(view.drawn))))
    return "\n".join(lines)
