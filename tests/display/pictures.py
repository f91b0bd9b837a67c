"""Golden pictures: sheets of one frame at one size for two numbers of seats, readable, compared strictly.

A sheet has a palette of colours that are at most ROUNDING levels away: full colour would take twice the room.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import pygame

FOLDER: Final = Path(__file__).parents[2] / "docs" / "gallery"

ROUNDING: Final = 8
"""How far a golden pixel may be from the one that was drawn, so that 256 colours are enough."""

TOLERANCE: Final = 2
"""How far machines differ at the rims of anti-aliased circles."""

SEAM: Final = (0x80, 0x80, 0x80)
SEAM_PX: Final = 8
"""What keeps the pictures of a sheet apart: dark ones would look like one."""

Size = tuple[int, int]


def sheet_path(show: str, name: str, size: Size, folder: Path = FOLDER) -> Path:
    """Return where the sheet of a show's frame is kept."""
    return folder / show / "{}-{}x{}.png".format(name, *size)


def sheet(surfaces: Sequence[pygame.Surface]) -> pygame.Surface:
    """Return surfaces of one size on one: wide ones below each other, tall ones side by side."""
    width, height = surfaces[0].get_size()
    step = (0, height + SEAM_PX) if width > height else (width + SEAM_PX, 0)
    last = len(surfaces) - 1
    whole = pygame.Surface((width + last * step[0], height + last * step[1]), 0, 32)
    whole.fill(SEAM)
    for number, surface in enumerate(surfaces):
        whole.blit(surface, (number * step[0], number * step[1]))
    return whole


def far(one: pygame.Surface, other: pygame.Surface, levels: int) -> int:
    """Return how many pixels of two surfaces are more than some levels apart."""
    near = pygame.transform.threshold(None, one, None, (levels,) * 3, None, 0, other)
    return one.get_width() * one.get_height() - near


def wrong(actual: pygame.Surface, path: Path) -> int:
    """Return how many pixels of a surface are not as in the golden sheet; all when there is none of its size."""
    if path.exists():
        golden = pygame.image.load(path)
        if golden.get_size() == actual.get_size():
            whole = pygame.Surface(golden.get_size(), 0, 32)
            whole.blit(golden, (0, 0))
            return far(actual, whole, ROUNDING + TOLERANCE)
    return actual.get_width() * actual.get_height()


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


def write(path: Path, actual: pygame.Surface) -> None:
    """Write a surface as a PNG of at most 256 colours."""
    # Machine words are far quicker to count than triples of bytes.
    pixels = memoryview(pygame.image.tobytes(actual, "RGBX")).cast("I")
    number, palette = _palette(Counter(pixels))
    width, height = actual.get_size()
    places = bytes(map(number.__getitem__, pixels))
    rows = b"".join(b"\0" + places[width * row : width * (row + 1)] for row in range(height))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + _chunk(b"PLTE", b"".join(palette))
        + _chunk(b"IDAT", _packed(rows))
        + _chunk(b"IEND", b"")
    )


def _palette(counts: Counter[int]) -> tuple[dict[int, int], list[bytes]]:
    """Return the place in the palette of each colour, and the palette: the most frequent ones are kept exactly."""
    palette: list[bytes] = []
    number: dict[int, int] = {}
    for word, _ in counts.most_common():
        colour = word.to_bytes(4, "little")[:3]
        number[word] = next(_near(colour, palette), len(palette))
        if number[word] == len(palette):
            palette.append(colour)
    if len(palette) > 256:
        raise ValueError(f"{len(palette)} colours are too many for one sheet: fewer tones, or a larger ROUNDING")
    return number, palette


def _near(colour: bytes, palette: Iterable[bytes]) -> Iterable[int]:
    red, green, blue = colour
    return (
        place
        for place, (r, g, b) in enumerate(palette)
        if abs(r - red) <= ROUNDING and abs(g - green) <= ROUNDING and abs(b - blue) <= ROUNDING
    )


def _packed(rows: bytes) -> bytes:
    """Return rows as small as zlib makes them."""
    tries = []
    for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED):
        packer = zlib.compressobj(9, zlib.DEFLATED, 15, 9, strategy)
        tries.append(packer.compress(rows) + packer.flush())
    return min(tries, key=len)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
