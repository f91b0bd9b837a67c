"""Sends the display's picture to spectators, without the players' join codes."""

import struct
from functools import partial
from typing import TYPE_CHECKING, Final
from zlib import compress, crc32

from companion.display.frame import Frame, JoinPage
from companion.display.window import Window

if TYPE_CHECKING:
    from companion.devices.phones.phones import Phones  # imported only with hardware

STEP_NS: Final = 300_000_000
"""Minimum time between pictures."""

LEVEL: Final = 1
"""zlib level: much faster than the default, files a third larger."""


class Mirror:
    """Copies the window's picture to the phones' wall. Runs in the window's thread."""

    def __init__(self, window: Window, phones: "Phones | None") -> None:
        self._window = window
        self._phones = phones
        self._looked_ns = 0
        self._given: Frame | None = None
        self._moved = False

    def look(self, now_ns: int) -> None:
        """Send the picture if it changed and somebody watches."""
        wall = self._phones.wall if self._phones else None
        if wall is None or not wall.watched or now_ns - self._looked_ns < STEP_NS:
            return
        self._looked_ns = now_ns
        frame = self._window.drawn
        moves = self._window.moves
        if frame is None or (frame is self._given and not (moves or self._moved)):
            return
        self._given, self._moved = frame, moves
        wall.put(None if isinstance(frame.screen, JoinPage) else partial(png, *self._window.pixels()))


def png(size_px: tuple[int, int], pixels: bytes) -> bytes:
    """Return a PNG of RGB `pixels`. Unlike pygame, zlib lets other threads run."""
    wide, high = size_px
    step = wide * 3
    lines = b"".join(b"\0" + pixels[at : at + step] for at in range(0, high * step, step))
    header = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", compress(lines, LEVEL)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", crc32(kind + body)) for kind, body in parts
    )
