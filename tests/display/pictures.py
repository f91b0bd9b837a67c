"""Golden pictures: sheets of one frame at one size for 2, 3 and 5 seats, kept small, compared strictly.

Whole pictures in full colour would be 12 MB. So each sheet has a palette of colours that are at most ROUNDING
levels away, and shows only where its frame differs from the frame `BASE` of the same seats and size; the rest is
SAME, a colour that no frame has. The pictures stay readable, all of them together are below 4 MB.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pygame

FOLDER: Final = Path(__file__).with_name("golden")

BASE: Final = "open"

ROUNDING: Final = 8
"""How far a golden pixel may be from the one that was drawn, so that 256 colours are enough."""

TOLERANCE: Final = 2
"""How far machines differ at the rims of anti-aliased circles."""

SAME: Final = (255, 0, 255)

Colour = tuple[int, int, int]


def sheet_path(name: str, size: tuple[int, int]) -> Path:
    """Return where the sheet of a frame is kept."""
    return FOLDER / "{}x{}".format(*size) / f"{name}.png"


def stacked(surfaces: Sequence[pygame.Surface]) -> pygame.Surface:
    """Return surfaces of one size below each other."""
    width, height = surfaces[0].get_size()
    sheet = pygame.Surface((width, height * len(surfaces)), 0, 32)
    for number, surface in enumerate(surfaces):
        sheet.blit(surface, (0, number * height))
    return sheet


def restored(golden: pygame.Surface, base: pygame.Surface | None) -> pygame.Surface:
    """Return a golden sheet with what it shares with its base filled in."""
    whole = pygame.Surface(golden.get_size(), 0, 32)
    if base:
        whole.blit(base, (0, 0))
    shown = pygame.Surface(golden.get_size(), 0, 32)
    shown.blit(golden, (0, 0))
    shown.set_colorkey(SAME)
    whole.blit(shown, (0, 0))
    return whole


def far(one: pygame.Surface, other: pygame.Surface, levels: int) -> int:
    """Return how many pixels of two surfaces are more than some levels apart."""
    near = pygame.transform.threshold(None, one, None, (levels,) * 3, None, 0, other)
    return one.get_width() * one.get_height() - near


def difference(one: pygame.Surface, other: pygame.Surface) -> pygame.Surface:
    """Return how far two surfaces are apart at each pixel, eight times enlarged so that it shows."""
    found = one.copy()
    found.blit(other, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
    back = other.copy()
    back.blit(one, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
    found.blit(back, (0, 0), special_flags=pygame.BLEND_RGB_ADD)
    for _ in range(3):
        found.blit(found.copy(), (0, 0), special_flags=pygame.BLEND_RGB_ADD)
    return found


def write(path: Path, actual: pygame.Surface, base: pygame.Surface | None) -> None:
    """Write a sheet as a PNG of at most 256 colours."""
    pixels = _pixels(actual)
    if base:
        pixels = [
            bytes(SAME) if pixel == below else pixel for pixel, below in zip(pixels, _pixels(base), strict=True)
        ]
    number, palette = _palette(pixels)
    width, height = actual.get_size()
    places = bytes(map(number.__getitem__, pixels))
    rows = b"".join(b"\0" + places[width * row : width * (row + 1)] for row in range(height))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + _chunk(b"PLTE", b"".join(palette))
        + _chunk(b"IDAT", zlib.compress(rows, 9))
        + _chunk(b"IEND", b"")
    )


def _pixels(surface: pygame.Surface) -> list[bytes]:
    data = pygame.image.tobytes(surface, "RGB")
    return [data[place : place + 3] for place in range(0, len(data), 3)]


def _palette(pixels: Sequence[bytes]) -> tuple[dict[bytes, int], list[bytes]]:
    """Return the place in the palette of each colour, and the palette: the most frequent ones are kept exactly."""
    palette = [bytes(SAME)]
    number = {palette[0]: 0}
    for colour, _ in Counter(pixels).most_common():
        if colour in number:
            continue
        for place, kept in enumerate(palette[1:], 1):
            if all(abs(a - b) <= ROUNDING for a, b in zip(colour, kept, strict=True)):
                number[colour] = place
                break
        else:
            number[colour] = len(palette)
            palette.append(colour)
    assert len(palette) <= 256, "too many colours for one sheet: make ROUNDING larger"
    return number, palette


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
