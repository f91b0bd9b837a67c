"""Golden pictures: one frame at one size for one or two tables, readable, compared with a tolerance.

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

FOLDER: Final = Path(__file__).parents[1] / "docs" / "gallery"

ROUNDING: Final = 12
"""How far a golden pixel may be from the one that was drawn, so that 256 colours are enough."""

AREA: Final = 2000
SMALL: Final = 2
"""A colour of one pixel in so many fills areas, where eyes see more than so many levels."""

TOLERANCE: Final = 20
"""How much farther a pixel may be: versions of SDL draw the rims of circles and letters a little differently."""

MOST_FAR: Final = 25
"""So many pixels of a sheet may be farther still: another digit makes ninety."""

SEAM: Final = (0x80, 0x80, 0x80)
SEAM_PX: Final = 8
"""What keeps the pictures of a sheet apart: dark ones would look like one."""

Size = tuple[int, int]
Colour = tuple[int, ...]


def sheet_path(show: str, name: str, size: Size, folder: Path = FOLDER) -> Path:
    """Return where the sheet of a show's frame is kept."""
    return folder / show / "{}-{}x{}.png".format(name, *size)


def sheet(surfaces: Sequence[pygame.Surface]) -> pygame.Surface:
    """Return surfaces of one size on one, below each other."""
    width, height = surfaces[0].get_size()
    step = height + SEAM_PX
    whole = pygame.Surface((width, step * len(surfaces) - SEAM_PX), 0, 32)
    whole.fill(SEAM)
    for number, surface in enumerate(surfaces):
        whole.blit(surface, (0, number * step))
    return whole


def far(one: pygame.Surface, other: pygame.Surface, levels: int) -> int:
    """Return how many pixels of two surfaces are more than some levels apart."""
    near = pygame.mask.from_threshold(one, (0, 0, 0), (levels + 1,) * 3, other)
    return one.get_width() * one.get_height() - near.count()


def wrong(actual: pygame.Surface, path: Path) -> int:
    """Return how many pixels are not as in the golden sheet, or 0 for few; all when there is none of its size."""
    count = actual.get_width() * actual.get_height()
    if not path.exists():
        return count
    golden = loaded(path)
    if golden.get_size() != actual.get_size():
        return count
    found = far(actual, golden, ROUNDING + TOLERANCE)
    return found if found > MOST_FAR else 0


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
    """Return for each colour its place in a palette, and the palette. Raise ValueError if `most` are not enough.

    Colours of whole areas are kept exactly; of the rest, those in one cube have its middle.
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
    """Return the place of the first colour that is at most some levels away."""
    red, green, blue = colour
    for place, (r, g, b) in enumerate(palette):
        if abs(r - red) <= levels and abs(g - green) <= levels and abs(b - blue) <= levels:
            return place
    return None


def _cube(colour: Colour, cubes: list[tuple[Colour, Colour]], wide: int) -> int:
    """Return the place of the cube that a colour is in, which may grow, or be a new one."""
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
    """Return rows as small as zlib makes them."""
    tries = []
    for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED):
        packer = zlib.compressobj(9, zlib.DEFLATED, 15, 9, strategy)
        tries.append(packer.compress(rows) + packer.flush())
    return min(tries, key=len)


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a part of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
