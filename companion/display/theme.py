"""Colours with their marks, text in measured sizes, pictograms: everything drawn, drawn once and kept."""

import io
import re
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

import pygame

from companion.core.files import assets_folder

Colour = tuple[int, int, int]

BACKGROUND: Final[Colour] = (0x10, 0x14, 0x18)
PANEL: Final[Colour] = (0x22, 0x2A, 0x32)
PAPER: Final[Colour] = (0xF7, 0xF3, 0xE8)
LINE: Final[Colour] = (0x10, 0x14, 0x18)
TEXT: Final[Colour] = (0xF7, 0xF3, 0xE8)
FAINT: Final[Colour] = (0x9A, 0xA6, 0xB2)
LIT: Final[Colour] = (0xFF, 0xC8, 0x3D)
GLOW: Final[Colour] = (0x5C, 0x4E, 0x2C)
CHIP: Final[Colour] = (0xEC, 0x43, 0x33)
GOOD: Final[Colour] = (0x57, 0xC7, 0x85)

INKS: Final[dict[str, Colour]] = {
    "red": (0xB1, 0x0C, 0x04),
    "orange": (0xED, 0x79, 0x02),
    "yellow": (0xF4, 0xF0, 0x1D),
    "green": (0x29, 0x85, 0x67),
    "sky": (0x2B, 0xAC, 0xF2),
    "blue": (0x2A, 0x43, 0xFD),
    "purple": (0x5D, 0x0C, 0x68),
    "pink": (0xF5, 0xB5, 0xC7),
}
"""Eight colours that stay apart for normal, protan, deutan and tritan sight, on a light card face."""

MARKS: Final[dict[str, str]] = {
    "red": "disc",
    "orange": "ring",
    "yellow": "triangle",
    "green": "square",
    "sky": "plus",
    "blue": "star",
    "purple": "two_dots",
    "pink": "target",
}
"""Each colour's mark, for eyes that do not tell colours apart; it survives rotation."""

TONES: Final[dict[str, Colour]] = {
    "LINE": LINE,
    "PAPER": PAPER,
    "GOLD": LIT,
    "RED": CHIP,
    "GREY": FAINT,
    "WOOD": (0x8A, 0x5A, 0x2B),
    "SKIN": (0xE8, 0xB5, 0x8A),
}
"""What a drawing calls the colours that are the same in every ink."""

INK_TONES: Final = ("INK", "SHADE", "TINT")
"""What a drawing calls the given colour, the same darkened, and the same lightened towards paper."""

_PLACEHOLDER: Final = re.compile(r"\b(?:" + "|".join((*INK_TONES, *TONES)) + r")\b")
_SHADE_SHARE: Final = 0.30
_TINT_SHARE: Final = 0.45

_FONT_FILES: Final = {False: "SourceSansPro-Semibold.ttf", True: "SourceSansPro-Bold.ttf"}
_CAP_SHARE: Final = 0.66
"""The height of a capital in this font, as a share of the font's size."""


class Style(NamedTuple):
    """How a text looks: `cap_px` is the height of its capitals."""

    cap_px: int
    colour: Colour = TEXT
    bold: bool = False


@cache
def _font(cap_px: int, bold: bool) -> pygame.font.Font:
    spec = find_spec("font_source_sans_pro")
    assert spec is not None
    assert spec.origin is not None
    pygame.font.init()
    size = max(6, round(cap_px / _CAP_SHARE))
    return pygame.font.Font(Path(spec.origin).parent / "files" / _FONT_FILES[bold], size)


@lru_cache(maxsize=512)
def text_surface(text: str, style: Style) -> pygame.Surface:
    """Return a text drawn in a style, on nothing."""
    return _font(style.cap_px, style.bold).render(text, True, style.colour)


@lru_cache(maxsize=1024)
def text_width(text: str, style: Style) -> int:
    """Return how many pixels wide a text is."""
    return _font(style.cap_px, style.bold).size(text)[0]


@lru_cache(maxsize=512)
def pictogram(name: str, colour: Colour, size_px: int) -> pygame.Surface:
    """Return one of our drawings, `size_px` wide and high, in a colour. Raise FileNotFoundError."""
    source = (assets_folder() / "pictograms" / f"{name}.svg").read_text("utf-8")
    return pygame.image.load_sized_svg(io.BytesIO(inked(source, colour).encode()), (size_px, size_px))


def inked(source: str, colour: Colour) -> str:
    """Return a drawing's source with colours in place of the names of its tones."""
    ink = (colour, mixed(colour, LINE, _SHADE_SHARE), mixed(colour, PAPER, _TINT_SHARE))
    tones = TONES | dict(zip(INK_TONES, ink, strict=True))
    return _PLACEHOLDER.sub(lambda word: "#{:02x}{:02x}{:02x}".format(*tones[word[0]]), source)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return the first colour with a share of the second."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
