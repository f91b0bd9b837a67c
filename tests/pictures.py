"""Golden pictures: sheets of one frame at one size for one or two tables, compared with a tolerance.

A sheet's palette has at most 256 colours within ROUNDING levels, which halves its size.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pygame

FOLDER: Final = Path(__file__).parents[1] / "docs" / "gallery"

ROUNDING: Final = 12
"""The rounding of golden pixels, in levels, that makes 256 colours suffice."""

AREA: Final = 2000
SMALL: Final = 2
"""The share of pixels from which a colour fills areas, where eyes notice rounding."""

TOLERANCE: Final = 20
"""The additional difference of a pixel between versions of SDL, at edges of circles and letters."""

MOST_FAR: Final = 25
"""The allowed number of worse pixels in a sheet; another digit changes ninety."""

SEAM: Final = (0x80, 0x80, 0x80)
SEAM_PX: Final = 8

Size = tuple[int, int]
Colour = tuple[int, ...]


def sheet_path(show: str, name: str, size: Size, folder: Path = FOLDER) -> Path:
    return folder / show / "{}-{}x{}.png".format(name, *size)


def sheet(surfaces: Sequence[pygame.Surface]) -> pygame.Surface:
    width, height = surfaces[0].get_size()
    step = height + SEAM_PX
    whole = pygame.Surface((width, step * len(surfaces) - SEAM_PX), 0, 32)
    whole.fill(SEAM)
    for number, surface in enumerate(surfaces):
        whole.blit(surface, (0, number * step))
    return whole


def far(one: pygame.Surface, other: pygame.Surface, levels: int) -> int:
    """Return the number of pixels that differ by more than `levels`."""
    near = pygame.mask.from_threshold(one, (0, 0, 0), (levels + 1,) * 3, other)
    return one.get_width() * one.get_height() - near.count()


def wrong(actual: pygame.Surface, path: Path) -> int:
    """Return the number of pixels unlike the golden sheet: 0 for few, all without a sheet of this size."""
    count = actual.get_width() * actual.get_height()
    if not path.exists():
        return count
    golden = loaded(path)
    if golden.get_size() != actual.get_size():
        return count
    found = far(actual, golden, ROUNDING + TOLERANCE)
    return found if found > MOST_FAR else 0


def loaded(path: Path) -> pygame.Surface:
    golden = pygame.image.load(path)
    whole = pygame.Surface(golden.get_size(), 0, 32)
    whole.blit(golden, (0, 0))
    return whole


def difference(one: pygame.Surface, other: pygame.Surface) -> pygame.Surface:
    """Return the difference of each pixel, eight times amplified."""
    found = one.copy()
    found.blit(other, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
    back = other.copy()
    back.blit(one, (0, 0), special_flags=pygame.BLEND_RGB_SUB)
    found.blit(back, (0, 0), special_flags=pygame.BLEND_RGB_ADD)
    for _ in range(3):
        found.blit(found.copy(), (0, 0), special_flags=pygame.BLEND_RGB_ADD)
    return found


def write(path: Path, actual: pygame.Surface) -> None:
    # Counting machine words is far faster than triples of bytes.
    pixels = memoryview(pygame.image.tobytes(actual, "RGBX")).cast("I")
    number, colours = palette(Counter(pixels), ROUNDING, 256)
    width, height = actual.get_size()
    places = bytes(map(number.__getitem__, pixels))
    rows = b"".join(b"\0" + places[width * row : width * (row + 1)] for row in range(height))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + chunk(b"PLTE", b"".join(colours))
        + chunk(b"IDAT", _packed(rows))
        + chunk(b"IEND", b"")
    )


def palette(counts: Counter[int], rounding: int, most: int) -> tuple[dict[int, int], list[bytes]]:
    """Return the palette index of each colour, and the palette. Raise ValueError if `most` colours do not suffice.

    Colours of whole areas are exact; others share the middle of their cube.
    """
    number: dict[int, int] = {}
    kept: list[Colour] = []
    cubes: list[tuple[Colour, Colour]] = []
    for area in (_colour(word) for word, count in counts.most_common() if count * AREA > counts.total()):
        if _near(area, kept, SMALL) is None:
            kept.append(area)
    for colour, word in sorted((_colour(word), word) for word in counts):
        place = _near(colour, kept, rounding)
        number[word] = len(kept) + _cube(colour, cubes, 2 * rounding) if place is None else place
    colours = kept + [tuple((low + high) // 2 for low, high in zip(*cube, strict=True)) for cube in cubes]
    if len(colours) > most:
        raise ValueError(f"{len(colours)} colours are too many for one palette: a larger rounding is needed")
    return number, [bytes(colour) for colour in colours]


def _near(colour: Colour, palette: Sequence[Colour], levels: int) -> int | None:
    red, green, blue = colour
    for place, (r, g, b) in enumerate(palette):
        if abs(r - red) <= levels and abs(g - green) <= levels and abs(b - blue) <= levels:
            return place
    return None


def _cube(colour: Colour, cubes: list[tuple[Colour, Colour]], wide: int) -> int:
    red, green, blue = colour
    for place, (least, most) in enumerate(cubes):
        if not most[0] - wide <= red <= least[0] + wide:
            continue
        if most[1] - wide <= green <= least[1] + wide and most[2] - wide <= blue <= least[2] + wide:
            cubes[place] = tuple(map(min, least, colour)), tuple(map(max, most, colour))
            return place
    cubes.append((colour, colour))
    return len(cubes) - 1


def _colour(word: int) -> Colour:
    return tuple(word.to_bytes(4, "little")[:3])


def _packed(rows: bytes) -> bytes:
    tries = []
    for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED):
        packer = zlib.compressobj(9, zlib.DEFLATED, 15, 9, strategy)
        tries.append(packer.compress(rows) + packer.flush())
    return min(tries, key=len)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
