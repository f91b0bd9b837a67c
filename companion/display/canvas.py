"""A surface that records what is drawn on it, for tests."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import pygame
from pygame import Rect

from companion.core.place import Place
from companion.display import cut, theme
from companion.display.frame import Look
from companion.display.theme import Colour, Style

LEFT: Final = "left"
CENTRE: Final = "centre"
RIGHT: Final = "right"

LEAST_CAP_PX: Final = 6  # text shrinks to this; longer text is cut off, which tests find

LINE_SHARE: Final = 1.4  # line height / capitals: descenders just clear the next line

LONGEST_WORD: Final = 20  # longer words except addresses are broken instead of shrunk


Paragraph = tuple[str, Style]
"""A text and its style if there is room."""


class Placed(NamedTuple):
    """A recorded text or picture, in pixels of the display. `rect` must stay within `room`.

    `cap_px` is 0 for a picture. `on` is the background, `rim` the colour of a picture's outline.
    """

    what: str
    rect: Rect
    room: Rect
    cap_px: int
    colour: Colour
    on: Colour
    rim: Colour | None = None

    def moved(self, by: tuple[int, int]) -> "Placed":
        return self._replace(rect=self.rect.move(by), room=self.room.move(by))


class Target(NamedTuple):
    """An area to click or touch, and its control."""

    rect: Rect
    place: Place
    control: str

    def moved(self, by: tuple[int, int]) -> "Target":
        return self._replace(rect=self.rect.move(by))


class Canvas:
    """Draws onto a surface, and records texts and pictures in `placed` and click areas in `targets`.

    `cap_px` is the height of a name's capitals, from which all sizes follow. Painters name the theme's colours,
    which high contrast replaces; with `surface` they must call `tone`. `things` are the touchable parts of a
    private picture. Without `noted`, `placed` stays empty, which is faster.
    """

    def __init__(
        self,
        surface: pygame.Surface,
        on: Colour = theme.BACKGROUND,
        cap_px: int = 0,
        look: Look = Look(),  # noqa: B008  a value
        *,
        noted: bool = True,
    ) -> None:
        self.surface = surface
        self.look = look
        self.on = self.tone(on)
        self.cap_px = cap_px
        self.noted = noted
        self.placed: list[Placed] = []
        self.targets: list[Target] = []
        self.things: dict[str, Rect] = {}

    @property
    def rect(self) -> Rect:
        return self.surface.get_rect()

    def tone(self, colour: Colour) -> Colour:
        """Return a colour as displayed."""
        return theme.toned(colour, strong=self.look.high_contrast)

    def stands_on(self, colour: Colour) -> None:
        """Set the background of everything that follows."""
        self.on = self.tone(colour)

    def fill(self, colour: Colour) -> None:
        """Fill the canvas with a new background."""
        self.stands_on(colour)
        self.surface.fill(self.on)

    def panel(self, rect: Rect, colour: Colour, radius_px: int = 8, outline: Colour | None = None) -> None:
        """Draw a filled box with round corners. In high contrast a dark one gets an outline."""
        pygame.draw.rect(self.surface, self.tone(colour), rect, border_radius=radius_px)
        if outline:
            pygame.draw.rect(self.surface, self.tone(outline), rect, 3, border_radius=radius_px)
        elif self.look.high_contrast and theme.contrast(theme.EDGE, self.tone(colour)) > theme.PIECE_CONTRAST:
            pygame.draw.rect(self.surface, theme.EDGE, rect, 2, border_radius=radius_px)

    def box(self, rect: Rect, colour: Colour, radius_px: int = 0, line_px: int = 0) -> None:
        """Draw a box with round corners, or only its outline of `line_px`."""
        pygame.draw.rect(self.surface, self.tone(colour), rect, line_px, radius_px)

    def disc(self, centre: tuple[float, float], radius_px: float, colour: Colour, line_px: int = 0) -> None:
        """Draw a disc, or only its rim of `line_px`."""
        pygame.draw.circle(self.surface, self.tone(colour), centre, radius_px, line_px)

    def line(self, start: tuple[int, int], end: tuple[int, int], colour: Colour, thick_px: int) -> None:
        pygame.draw.line(self.surface, self.tone(colour), start, end, thick_px)

    def edge(self) -> None:
        pygame.draw.rect(self.surface, theme.EDGE, self.rect, 2)

    def ground(self, drawn: pygame.Surface, rect: Rect) -> None:
        """Draw a background picture, darkened in high contrast."""
        self.surface.blit(drawn, rect)
        if self.look.high_contrast:
            self.surface.fill((round(255 * theme.DIMMED),) * 3, rect, pygame.BLEND_RGB_MULT)

    def text(self, text: str, room: Rect, style: Style, *, align: str = CENTRE, on: Colour | None = None) -> Rect:
        """Write one line in the middle of `room` and return its area.

        It shrinks to fit. If it is too long even in the smallest letters, its end is cut off.
        """
        if not text:
            return Rect(room.topleft, (0, 0))
        style = _fitting(text, room, style)
        text = _cut_off(text, room.width, style)
        if self.look.high_contrast:
            style = style._replace(colour=self.tone(style.colour))
        drawn = theme.text_surface(text, style)
        rect = drawn.get_rect(center=room.center)
        if align == LEFT:
            rect.left = room.left
        elif align == RIGHT:
            rect.right = room.right
        self.surface.blit(drawn, rect)
        if self.noted:
            ink = _ink(rect, drawn, style.cap_px)
            self.placed.append(Placed(text, ink, room, style.cap_px, style.colour, self._behind(on)))
        return rect

    def lines(
        self,
        text: str,
        room: Rect,
        style: Style,
        *,
        align: str = CENTRE,
        on: Colour | None = None,
        line_share: float = LINE_SHARE,
    ) -> None:
        """Write a text on as many lines as it needs in the middle of `room`. It shrinks to fit."""
        if not text:
            return
        rows = _wrapped(text, room.width, style)
        while style.cap_px > LEAST_CAP_PX and (
            len(rows) * _line_height(style, line_share) > room.height or _breaks_a_word(text, room.width, style)
        ):
            style = style._replace(cap_px=style.cap_px - 1)
            rows = _wrapped(text, room.width, style)
        rows = _balanced(text, room.width, style)
        places = cut.stack(room, len(rows), _line_height(style, line_share))
        for row, line in zip(rows, places, strict=True):
            self.text(row, line, style, align=align, on=on)
            if self.noted:
                self.placed[-1] = self.placed[-1]._replace(room=room)

    def paragraphs(self, parts: Sequence[Paragraph], room: Rect, cap_px: int, least_px: int) -> None:
        """Write texts below each other in the middle of `room`, with gaps in proportion to `cap_px`.

        They shrink together. None gets smaller than `least_px` while others can shrink.
        """
        parts = _fitting_together(parts, room, least_px)
        wanted = [lines_height(text, room.width, style) for text, style in parts]
        gap = min(round(cap_px * 0.6), max(0, room.height - sum(wanted)) // len(parts))
        shrink = min(1.0, room.height / sum(wanted))
        top = room.centery - round(sum(wanted) * shrink + gap * (len(parts) - 1)) // 2
        for (text, style), height in zip(parts, wanted, strict=True):
            line = Rect(room.left, top, room.width, round(height * shrink))
            self.lines(text, line, style)
            top = line.bottom + gap

    def picture(self, name: str, rect: Rect, colour: Colour, *, on: Colour | None = None, turn: int = 0) -> None:
        """Draw a pictogram, turned by `turn` counter-clockwise quarters; nothing without room."""
        size_px = min(rect.size)
        if size_px < 1:
            return
        behind, ink, strong = self._behind(on), self.tone(colour), self.look.high_contrast
        rim = theme.rim_of(ink, behind) if strong else None
        drawn = theme.pictogram(name, ink, size_px, strong=strong, rim=rim)
        if turn % 4:
            drawn = pygame.transform.rotate(drawn, 90 * turn)
        place = drawn.get_rect(center=rect.center)
        self.surface.blit(drawn, place)
        if self.noted:
            self.placed.append(Placed(name, place, rect, 0, ink, behind, rim))

    def stamp(self, drawn: "Canvas", at: Rect) -> None:
        """Draw another canvas onto this one, with its records."""
        self.surface.blit(drawn.surface, at)
        if self.noted:
            self.placed += [item.moved(at.topleft) for item in drawn.placed]

    def turned(self, rect: Rect, turn: int, draw: "Callable[[Canvas], None]", on: Colour | None = None) -> None:
        """Let `draw` fill `rect`, for a reader `turn` counter-clockwise quarters from the bottom edge.

        It gets a separate canvas, upright for that reader.
        """
        size = rect.size if turn % 2 == 0 else (rect.height, rect.width)
        upright = turn % 4 == 0 and self.rect.contains(rect)
        surface = self.surface.subsurface(rect) if upright else pygame.Surface(size)
        inner = Canvas(surface, cap_px=self.cap_px, look=self.look, noted=self.noted)
        inner.on = self._behind(on)
        surface.fill(inner.on)
        draw(inner)
        if not upright:
            self.surface.blit(pygame.transform.rotate(surface, 90 * turn), rect)

        def back(area: Rect) -> Rect:
            return turned_rect(area, size, turn).move(rect.topleft)

        if self.noted:
            self.placed += [Placed(item.what, back(item.rect), back(item.room), *item[3:]) for item in inner.placed]
        self.targets += [Target(back(target.rect), *target[1:]) for target in inner.targets]

    def _behind(self, on: Colour | None) -> Colour:
        return self.on if on is None else self.tone(on)


def transparent(size: tuple[int, int], look: Look, on: Colour = theme.BACKGROUND, cap_px: int = 0) -> Canvas:
    """Return a transparent canvas for a piece, such as a card."""
    return Canvas(pygame.Surface(size, pygame.SRCALPHA), on, cap_px, look)


def piece(name: str, colour: Colour, size_px: int, look: Look) -> pygame.Surface:
    """Return a pictogram on a transparent surface, as displayed."""
    canvas = transparent((size_px, size_px), look)
    canvas.picture(name, canvas.rect, colour)
    return canvas.surface


def lines_height(text: str, width: int, style: Style) -> int:
    return len(_wrapped(text, width, style)) * _line_height(style)


def if_it_fits(text: str, width: int, style: Style, usual_px: int) -> Style:
    """Return the style, but with `usual_px` if the text does not fit on one line."""
    return style if theme.text_width(text, style) <= width else style._replace(cap_px=usual_px)


def _fitting(text: str, room: Rect, style: Style) -> Style:
    width = theme.text_width(text, style)
    if width <= room.width:
        return style
    smaller = max(LEAST_CAP_PX, style.cap_px * room.width // width)
    while smaller > LEAST_CAP_PX and theme.text_width(text, style._replace(cap_px=smaller)) > room.width:
        smaller -= 1
    return style._replace(cap_px=smaller)


def _cut_off(text: str, width: int, style: Style) -> str:
    if style.cap_px > LEAST_CAP_PX or theme.text_width(text, style) <= width:
        return text
    fits = bisect_left(range(len(text)), True, key=lambda n: theme.text_width(f"{text[: n + 1]}…", style) > width)
    return f"{text[:fits]}…"


def _fitting_together(parts: Sequence[Paragraph], room: Rect, least_px: int) -> Sequence[Paragraph]:
    sized = parts
    for percent in range(100, 30, -5):
        sized = [
            (text, style._replace(cap_px=max(min(style.cap_px, least_px), style.cap_px * percent // 100)))
            for text, style in parts
        ]
        if sum(lines_height(text, room.width, style) for text, style in sized) <= room.height:
            break
    return sized


def _ink(rect: Rect, drawn: pygame.Surface, cap_px: int) -> Rect:
    """Return the area of a text's capitals. Lines may be tighter than the font's rectangle."""
    ink = Rect(rect.left, 0, rect.width, min(rect.height, round(cap_px * 1.3)))
    ink.centery = rect.centery
    return ink.clip(drawn.get_rect(topleft=rect.topleft))


def _line_height(style: Style, line_share: float = LINE_SHARE) -> int:
    return round(style.cap_px * line_share)


def _words(text: str) -> list[str]:
    """Split at spaces, but not at the narrow one before a French `?`."""
    return [word for word in re.split(r"[ \n]", text) if word]


@lru_cache(maxsize=512)
def _wrapped(text: str, width: int, style: Style) -> tuple[str, ...]:
    rows = [""]
    for word in _words(text):
        longer = f"{rows[-1]} {word}".strip()
        if theme.text_width(longer, style) <= width:
            rows[-1] = longer
            continue
        fits = theme.text_width(word, style) <= width
        rows[len(rows) if rows[-1] else 0 :] = [word] if fits else _broken(word, width, style)
    return tuple(rows)


@lru_cache(maxsize=256)
def _balanced(text: str, width: int, style: Style) -> tuple[str, ...]:
    """Wrap a text into as few rows as possible, about equally long."""
    rows = _wrapped(text, width, style)
    low, high = width // 2, width
    while len(rows) > 1 and high - low > style.cap_px:
        middle = (low + high) // 2
        narrower = _wrapped(text, middle, style)
        if len(narrower) > len(rows) or _breaks_a_word(text, middle, style):
            low = middle
        else:
            rows, high = narrower, middle
    return rows


def _broken(word: str, width: int, style: Style) -> list[str]:
    parts = [""]
    for char in word:
        last = parts[-1]
        if last and theme.text_width(last + char, style) > width:
            cut = max(last.rfind("/"), last.rfind("-")) + 1
            cut = cut if cut > len(last) // 2 else len(last)
            parts[-1:] = [last[:cut], last[cut:]]
        parts[-1] += char
    return parts


@lru_cache(maxsize=512)
def _breaks_a_word(text: str, width: int, style: Style) -> bool:
    words = [word for word in _words(text) if len(word) <= LONGEST_WORD or "://" in word]
    return any(theme.text_width(word, style) > width for word in words)


def turned_rect(rect: Rect, size: tuple[int, int], turn: int) -> Rect:
    """Return where a part of a surface of `size` is after `turn` counter-clockwise quarters."""
    width, height = size
    turn %= 4
    if turn == 1:
        return Rect(rect.top, width - rect.right, rect.height, rect.width)
    if turn == 2:
        return Rect(width - rect.right, height - rect.bottom, rect.width, rect.height)
    if turn == 3:
        return Rect(height - rect.bottom, rect.left, rect.height, rect.width)
    return rect.copy()
