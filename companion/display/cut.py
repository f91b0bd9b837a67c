"""Cuts rooms out of rooms: each cut returns a part at one side, and what is left of the rectangle beyond a gap."""

from pygame import Rect


def left(rect: Rect, wide: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Return the part at the left, so wide, and the rest."""
    part = Rect(rect.left, rect.top, wide, rect.height)
    return part, Rect(part.right + gap, rect.top, rect.width - wide - gap, rect.height)


def right(rect: Rect, wide: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Return the part at the right, so wide, and the rest."""
    part = Rect(rect.right - wide, rect.top, wide, rect.height)
    return part, Rect(rect.left, rect.top, rect.width - wide - gap, rect.height)


def top(rect: Rect, high: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Return the part at the top, so high, and the rest."""
    part = Rect(rect.left, rect.top, rect.width, high)
    return part, Rect(rect.left, part.bottom + gap, rect.width, rect.height - high - gap)


def bottom(rect: Rect, high: int, gap: int = 0) -> tuple[Rect, Rect]:
    """Return the part at the bottom, so high, and the rest."""
    part = Rect(rect.left, rect.bottom - high, rect.width, high)
    return part, Rect(rect.left, rect.top, rect.width, rect.height - high - gap)


def picture(rect: Rect, wide: int, high: int, gap: int) -> tuple[Rect, Rect]:
    """Return the room of a picture, at the left or, where it is narrow, on top, and that of the words about it."""
    return left(rect, wide, gap) if rect.width > rect.height else top(rect, high, gap)


def cells(rect: Rect, count: int, across: int = 1) -> list[Rect]:
    """Return equal cells of whole pixels for so many things, line by line, so many beside each other."""
    wide, high = rect.width // across, rect.height // max(1, -(-count // across))
    return [
        Rect(rect.left + place % across * wide, rect.top + place // across * high, wide, high)
        for place in range(count)
    ]
