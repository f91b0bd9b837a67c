"""A surface that remembers what was drawn on it and where, so that tests can look at more than pixels."""

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

LEAST_CAP_PX: Final = 6
"""The smallest capitals that a text is shrunk to. A longer text is cut off, which tests find."""

LINE_SHARE: Final = 1.4
"""The height of a line, as a share of its capitals: descenders just clear the next line's capitals."""

LONGEST_WORD: Final = 20
"""A longer word, such as a path, is broken and not made smaller."""


Paragraph = tuple[str, Style]
"""A text and its style where there is room."""


class Placed(NamedTuple):
    """Something on the canvas: `rect` in the pixels of the display, `room` the area that it must not leave.

    `cap_px` is the height of a text's capitals, 0 for a picture; `on` is the colour behind it, `rim` that of a
    picture's outline where it has one.
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
    """Something to click or touch: a control, and its place."""

    rect: Rect
    place: Place
    control: str

    def moved(self, by: tuple[int, int]) -> "Target":
        return self._replace(rect=self.rect.move(by))


class Canvas:
    """Draws onto a surface; keeps all texts and pictures in `placed`, and what can be clicked in `targets`.

    `cap_px` is the height of a name's capitals on this display, the measure of everything else. In high contrast
    the canvas replaces all colours, so painters name those of the theme. Painters that use `surface` directly ask
    for the `tone`. `things` has the rectangle of everything in a private picture that can be touched. Tests look at
    what is `placed`, in the colours that are seen. Drawing is faster without `noted`.
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
        """Return the colour that is seen in this look."""
        return theme.toned(colour, strong=self.look.high_contrast)

    def stands_on(self, colour: Colour) -> None:
        """Set the colour behind all that follows."""
        self.on = self.tone(colour)

    def fill(self, colour: Colour) -> None:
        """Fill everything with a colour, and let what follows stand on it."""
        self.stands_on(colour)
        self.surface.fill(self.on)

    def panel(self, rect: Rect, colour: Colour, radius_px: int = 8, outline: Colour | None = None) -> None:
        """Draw a filled box with round corners; in high contrast a dark box gets an outline."""
        pygame.draw.rect(self.surface, self.tone(colour), rect, border_radius=radius_px)
        if outline:
            pygame.draw.rect(self.surface, self.tone(outline), rect, 3, border_radius=radius_px)
        elif self.look.high_contrast and theme.contrast(theme.EDGE, self.tone(colour)) > theme.PIECE_CONTRAST:
            pygame.draw.rect(self.surface, theme.EDGE, rect, 2, border_radius=radius_px)

    def box(self, rect: Rect, colour: Colour, radius_px: int = 0, line_px: int = 0) -> None:
        """Draw a box with round corners; with `line_px` only its outline, which is that thick."""
        pygame.draw.rect(self.surface, self.tone(colour), rect, line_px, radius_px)

    def disc(self, centre: tuple[float, float], radius_px: float, colour: Colour, line_px: int = 0) -> None:
        """Draw a disc; with `line_px` only its rim."""
        pygame.draw.circle(self.surface, self.tone(colour), centre, radius_px, line_px)

    def line(self, start: tuple[int, int], end: tuple[int, int], colour: Colour, thick_px: int) -> None:
        pygame.draw.line(self.surface, self.tone(colour), start, end, thick_px)

    def edge(self) -> None:
        """Draw an outline round everything, to tell it from dark neighbours."""
        pygame.draw.rect(self.surface, theme.EDGE, self.rect, 2)

    def ground(self, drawn: pygame.Surface, rect: Rect) -> None:
        """Draw a picture that things lie on; high contrast darkens it."""
        self.surface.blit(drawn, rect)
        if self.look.high_contrast:
            self.surface.fill((round(255 * theme.DIMMED),) * 3, rect, pygame.BLEND_RGB_MULT)

    def text(self, text: str, room: Rect, style: Style, *, align: str = CENTRE, on: Colour | None = None) -> Rect:
        """Write one line in the middle of `room`, smaller if necessary; return its place.

        If even the smallest letters do not fit, its end is left out.
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
        """Write a text in as many lines as it needs in the middle of `room`, smaller if necessary."""
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
        """Write texts below each other in the middle of a room, with gaps measured by the capitals of a name.

        No capitals are lower than `least_px` while other texts can shrink.
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
        """Draw a pictogram, turned by `turn` quarters against the clock, or nothing if there is no room."""
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
        """Draw another canvas onto this one, with all that is placed there."""
        self.surface.blit(drawn.surface, at)
        if self.noted:
            self.placed += [item.moved(at.topleft) for item in drawn.placed]

    def turned(self, rect: Rect, turn: int, draw: "Callable[[Canvas], None]", on: Colour | None = None) -> None:
        """Draw into `rect` for a reader at the edge that is `turn` quarters against the clock from the bottom.

        `draw` gets a canvas of its own, upright for the reader.
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
    """Return a canvas for a piece that will lie on something, such as a card."""
    return Canvas(pygame.Surface(size, pygame.SRCALPHA), on, cap_px, look)


def piece(name: str, colour: Colour, size_px: int, look: Look) -> pygame.Surface:
    """Return a pictogram on a transparent picture, as it looks on the table."""
    canvas = transparent((size_px, size_px), look)
    canvas.picture(name, canvas.rect, colour)
    return canvas.surface


def lines_height(text: str, width: int, style: Style) -> int:
    return len(_wrapped(text, width, style)) * _line_height(style)


def if_it_fits(text: str, width: int, style: Style, usual_px: int) -> Style:
    """Return a style; if the text needs more than one line, with capitals of `usual_px`."""
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
    """Return as much of a text as fits, with … for the rest."""
    if style.cap_px > LEAST_CAP_PX or theme.text_width(text, style) <= width:
        return text
    fits = bisect_left(range(len(text)), True, key=lambda n: theme.text_width(f"{text[: n + 1]}…", style) > width)
    return f"{text[:fits]}…"


def _fitting_together(parts: Sequence[Paragraph], room: Rect, least_px: int) -> Sequence[Paragraph]:
    """Return texts smaller by one share if necessary, but none below `least_px` while others can shrink."""
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
    """Return the part of a text's rectangle that its capitals fill: lines may stand closer than the font says."""
    ink = Rect(rect.left, 0, rect.width, min(rect.height, round(cap_px * 1.3)))
    ink.centery = rect.centery
    return ink.clip(drawn.get_rect(topleft=rect.topleft))


def _line_height(style: Style, line_share: float = LINE_SHARE) -> int:
    return round(style.cap_px * line_share)


def _words(text: str) -> list[str]:
    """Split a text at its spaces, but not at the narrow one before a French `?`."""
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
    """Break a word that is wider than a line, a path for example: behind a mark, else wherever the line ends."""
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
    words = [word for word in _words(text) if len(word) <= LONGEST_WORD]
    return any(theme.text_width(word, style) > width for word in words)


def turned_rect(rect: Rect, size: tuple[int, int], turn: int) -> Rect:
    """Return the place of a part of a surface of `size` after that is turned by quarters against the clock."""
    width, height = size
    turn %= 4
    if turn == 1:
        return Rect(rect.top, width - rect.right, rect.height, rect.width)
    if turn == 2:
        return Rect(width - rect.right, height - rect.bottom, rect.width, rect.height)
    if turn == 3:
        return Rect(height - rect.bottom, rect.left, rect.height, rect.width)
    return rect.copy()
