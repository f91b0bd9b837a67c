"""Several texts below each other, as large as they are wanted or as their room allows."""

from collections.abc import Sequence

from pygame import Rect

from companion.display.canvas import Canvas, lines_height
from companion.display.theme import Style

Part = tuple[str, Style]
"""A text, and how it is to look at best."""


def draw(canvas: Canvas, parts: Sequence[Part], room: Rect, cap_px: int, least_px: int) -> None:
    """Write texts below each other in the middle of a room, with gaps measured by the capitals of a name.

    None has lower capitals than `least_px` as long as others can give.
    """
    parts = _fitting(parts, room, least_px)
    wanted = [lines_height(text, room.width, style) for text, style in parts]
    gap = min(round(cap_px * 0.6), max(0, room.height - sum(wanted)) // len(parts))
    shrink = min(1.0, room.height / sum(wanted))
    top = room.centery - round(sum(wanted) * shrink + gap * (len(parts) - 1)) // 2
    for (text, style), height in zip(parts, wanted, strict=True):
        line = Rect(room.left, top, room.width, round(height * shrink))
        canvas.lines(text, line, style)
        top = line.bottom + gap


def _fitting(parts: Sequence[Part], room: Rect, least_px: int) -> Sequence[Part]:
    """Return texts smaller by one share, if they have to be: but none lower than may be, while others can give."""
    sized = parts
    for percent in range(100, 30, -5):
        sized = [
            (text, style._replace(cap_px=max(min(style.cap_px, least_px), style.cap_px * percent // 100)))
            for text, style in parts
        ]
        if sum(lines_height(text, room.width, style) for text, style in sized) <= room.height:
            break
    return sized
