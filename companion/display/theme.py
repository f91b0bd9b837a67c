"""Colours, marks, text and pictograms. Rendered text and pictograms are cached."""

import io
import re
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

import pygame

from companion.core.files import assets_folder
from companion.core.text import printable, written_out

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
BLACK: Final[Colour] = (0, 0, 0)
WHITE: Final[Colour] = (255, 255, 255)

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
"""Eight card colours that normal, protan, deutan and tritan eyes can tell apart on a light face."""

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
"""Each colour's mark, for colour-blind players. It can be recognized in any rotation."""

TONES: Final[dict[str, Colour]] = {
    "LINE": LINE,
    "PAPER": PAPER,
    "GOLD": LIT,
    "RED": CHIP,
    "GREY": FAINT,
    "WOOD": (0x8A, 0x5A, 0x2B),
    "SKIN": (0xE8, 0xB5, 0x8A),
}
"""Placeholders in drawings for colours that do not depend on the ink."""

INK_TONES: Final = ("INK", "SHADE", "TINT")
"""Placeholders in drawings for the ink, darkened, and lightened towards paper."""

_PLACEHOLDER: Final = re.compile(r"\b(?:" + "|".join((*INK_TONES, *TONES)) + r")\b")
RIM_SHARES: Final = {WHITE: 0.045, BLACK: 0.025}  # thickness of an outline / size of the drawing

_FINE: Final = 2  # outlines are drawn larger and scaled down, which smooths them

PIECE_CONTRAST: Final = 3.0  # least contrast of a drawing with its background

_CHANNELS: Final = pygame.Surface((1, 1), pygame.SRCALPHA, 32)  # has the display's channel order

_SHADE_SHARE: Final = 0.30
_TINT_SHARE: Final = 0.45

STRONG: Final[dict[Colour, Colour]] = {
    BACKGROUND: BLACK,
    PANEL: BLACK,
    PAPER: WHITE,
    FAINT: (0xDC, 0xE3, 0xEA),
    LIT: (0xFF, 0xDD, 0x00),
    GLOW: (0x4A, 0x3C, 0x00),
    CHIP: (0xFF, 0x6E, 0x5C),
    GOOD: (0x50, 0xE8, 0xC0),
    **{ink: ink for ink in INKS.values()},
}
"""Replacements in high contrast. Inks must stay distinguishable, so they get outlines instead."""

EDGE: Final[Colour] = (0xA8, 0xB4, 0xC0)  # outlines dark areas in high contrast

DIMMED: Final = 0.4  # brightness that dark areas keep in high contrast

_DARK: Final = 0.12  # colours of lower luminance are dimmed in high contrast

_FONT_FILES: Final = {False: "SourceSansPro-Semibold.ttf", True: "SourceSansPro-Bold.ttf"}
_CAP_SHARE: Final = 0.66  # height of capitals / font size

_NO_LETTER: Final = "\uffff"
_PROOF_PX: Final = 16  # the height of capitals at which missing characters are detected


class Style(NamedTuple):
    """A text style. `cap_px` is the height of capitals."""

    cap_px: int
    colour: Colour = TEXT
    bold: bool = False


@cache
def _fonts() -> Path:
    spec = find_spec("font_source_sans_pro")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "files"


@cache
def _font(cap_px: int, bold: bool) -> pygame.font.Font:
    pygame.font.init()
    return pygame.font.Font(_fonts() / _FONT_FILES[bold], max(6, round(cap_px / _CAP_SHARE)))


def missing_letters(text: str) -> str:
    """Return the characters of a text that the fonts lack, each once."""
    return "".join(dict.fromkeys(letter for letter in printable(text) if not _is_drawn(letter)))


def _shown(text: str) -> str:
    """Spell out the characters that the fonts lack."""
    text = printable(text)
    return (
        text if text.isascii() else "".join(letter if _is_drawn(letter) else written_out(letter) for letter in text)
    )


@lru_cache(maxsize=4096)
def _is_drawn(letter: str) -> bool:
    """Compare with the box that fonts draw for missing characters."""
    return letter.isascii() or _drawing(letter) not in {None, _drawing(_NO_LETTER)}


def _drawing(letter: str) -> bytes | None:
    """Return a character's pixels, or None if its width is 0."""
    font = _font(_PROOF_PX, bold=False)
    return pygame.image.tobytes(font.render(letter, True, TEXT), "RGBA") if font.size(letter)[0] else None


@lru_cache(maxsize=512)
def text_surface(text: str, style: Style) -> pygame.Surface:
    return _font(style.cap_px, style.bold).render(_shown(text), True, style.colour)


@lru_cache(maxsize=1024)
def text_width(text: str, style: Style) -> int:
    return _font(style.cap_px, style.bold).size(_shown(text))[0]


@lru_cache(maxsize=512)
def pictogram(
    name: str, colour: Colour, size_px: int, *, strong: bool = False, rim: Colour | None = None
) -> pygame.Surface:
    """Return a pictogram, `size_px` wide and high. Raises FileNotFoundError for an unknown name.

    `strong` selects the tones of high contrast; `rim` is the colour of an outline.
    """
    source = (assets_folder() / "pictograms" / f"{name}.svg").read_text("utf-8")
    shapes = inked(source, colour, strong=strong).encode()
    if rim is None:
        return svg(shapes, (size_px, size_px))
    rim_px = max(1, round(_FINE * size_px * RIM_SHARES[rim]))
    inner_px = max(1, _FINE * size_px - 2 * rim_px)
    drawn = svg(shapes, (inner_px, inner_px))
    return pygame.transform.smoothscale(rimmed(drawn, rim, rim_px), (size_px, size_px))


def svg(source: bytes, size: tuple[int, int]) -> pygame.Surface:
    """Render an SVG on a transparent surface, with the display's channel order, which is faster to draw."""
    return pygame.image.load_sized_svg(io.BytesIO(source), size).convert(_CHANNELS)


def rimmed(drawn: pygame.Surface, rim: Colour, rim_px: int) -> pygame.Surface:
    """Return a picture with an outline. Each side grows by `rim_px`."""
    wide, high = drawn.get_size()
    surface = pygame.Surface((wide + 2 * rim_px, high + 2 * rim_px), pygame.SRCALPHA)
    shadow = pygame.mask.from_surface(drawn).to_surface(setcolor=rim, unsetcolor=(0, 0, 0, 0))
    for x_px in (0, rim_px, 2 * rim_px):
        for y_px in (0, rim_px, 2 * rim_px):
            surface.blit(shadow, (x_px, y_px))
    surface.blit(drawn, (rim_px, rim_px))
    return surface


def inked(source: str, colour: Colour, *, strong: bool = False) -> str:
    """Replace the colour placeholders in an SVG source."""
    ink = (colour, mixed(colour, LINE, _SHADE_SHARE), mixed(colour, PAPER, _TINT_SHARE))
    tones = TONES | dict(zip(INK_TONES, ink, strict=True))
    if strong:
        tones |= {name: toned(tone, strong=True) for name, tone in TONES.items()}
    return _PLACEHOLDER.sub(lambda word: hexed(tones[word[0]]), source)


def hexed(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def web_colour(name: str) -> str:
    """Return an ink as `#rrggbb`, or white for an unknown name."""
    return hexed(INKS.get(name, WHITE))


def toned(colour: Colour, *, strong: bool) -> Colour:
    """Return a colour as displayed. `strong` means high contrast."""
    return _strong(colour) if strong else colour


@cache
def _strong(colour: Colour) -> Colour:
    if colour in STRONG:
        return STRONG[colour]
    return mixed(colour, BLACK, 1 - DIMMED) if _luminance(colour) < _DARK else colour


@cache
def rim_of(ink: Colour, on: Colour) -> Colour | None:
    """Return the colour of the outline that a drawing needs in high contrast, or None."""
    rim = WHITE if contrast(WHITE, on) > contrast(BLACK, on) else BLACK
    # On dark ground all pieces get a light outline, even those with enough contrast.
    needed = contrast(ink, on) < PIECE_CONTRAST or (rim == WHITE and ink in INKS.values())
    return rim if needed else None


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
