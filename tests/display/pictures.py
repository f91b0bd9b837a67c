"""Golden pictures: sheets of one frame at one size for two numbers of seats, readable, compared strictly.

A sheet has a palette of at most 256 colours that are at most ROUNDING levels away: full colour would take twice the
room.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pygame

FOLDER: Final = Path(__file__).parents[2] / "docs" / "gallery"

ROUNDING: Final = 12
"""How far a golden pixel may be from the one that was drawn, so that 256 colours are enough."""

SPAN: Final = 2 * ROUNDING

TOLERANCE: Final = 2
"""How far machines differ at the rims of anti-aliased circles."""

SEAM: Final = (0x80, 0x80, 0x80)
SEAM_PX: Final = 8
"""What keeps the pictures of a sheet apart: dark ones would look like one."""

Size = tuple[int, int]
Colour = tuple[int, ...]


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
    count = actual.get_width() * actual.get_height()
    if not path.exists():
        return count
    golden = loaded(path)
    if golden.get_size() != actual.get_size():
        return count
    return far(actual, golden, ROUNDING + TOLERANCE)


def loaded(path: Path) -> pygame.Surface:
    """Return a sheet as a surface of 32 bits."""
    golden = pygame.image.load(path)
    whole = pygame.Surface(golden.get_size(), 0, 32)
    whole.blit(golden, (0, 0))
    return whole


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
    """Return the place in the palette of each colour, and the palette: one for each cube of like colours."""
    cubes: list[tuple[Colour, Colour]] = []
    number: dict[int, int] = {}
    for colour, word in sorted((_colour(word), word) for word in counts):
        # The corners of a cube lie nowhere more than twice ROUNDING apart, so its middle is near to all of it.
        for place, (least, most) in enumerate(cubes):
            if all(m - SPAN <= c <= n + SPAN for c, n, m in zip(colour, least, most, strict=True)):
                cubes[place] = tuple(map(min, least, colour)), tuple(map(max, most, colour))
                number[word] = place
                break
        else:
            number[word] = len(cubes)
            cubes.append((colour, colour))
    if len(cubes) > 256:
        raise ValueError(f"{len(cubes)} colours are too many for one sheet: fewer tones, or a larger ROUNDING")
    often = {number[word]: _colour(word) for word, _ in reversed(counts.most_common())}
    return number, [_middle(often[place], *cube) for place, cube in enumerate(cubes)]


def _colour(word: int) -> Colour:
    return tuple(word.to_bytes(4, "little")[:3])


def _middle(colour: Colour, least: Colour, most: Colour) -> bytes:
    """Return what is in the middle of a cube, as near to a colour as it can be."""
    return bytes(
        min(max(part, high - ROUNDING, 0), low + ROUNDING, 255)
        for part, low, high in zip(colour, least, most, strict=True)
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
