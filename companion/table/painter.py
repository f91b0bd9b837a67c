"""Draws private pictures for the screens of pods."""

import logging
import threading
from collections.abc import Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.core.place import PictureSize, Place, TouchArea
from companion.display import screens
from companion.display.frame import PrivatePicture
from companion.table.mirror import png

if TYPE_CHECKING:
    from companion.devices.hardware import Hardware  # imported only with hardware

STEP_NS: Final = 100_000_000
"""Minimum time between pictures of a place."""

NO_PICTURE: Final = b""

log = logging.getLogger(__name__)


class ToDraw(NamedTuple):
    """A picture for a screen."""

    picture: PrivatePicture | None
    size: PictureSize


class Painter:
    """Sends each screen its newest picture when it changed.

    All due pictures are drawn in one call, so the timing at one place reveals nothing about others. They are
    compressed in another thread.
    """

    def __init__(self, hardware: "Hardware", packer: Executor | None = None) -> None:
        self._hardware = hardware
        self._lock = threading.Lock()
        self._pictures: Mapping[Place, PrivatePicture | None] = {}
        self._given: dict[Place, ToDraw] = {}
        self._drawn_ns: dict[Place, int] = {}
        self._packing: dict[Place, Future[None]] = {}
        self._packer = packer or ThreadPoolExecutor(1, thread_name_prefix="pictures")

    def put(self, pictures: Mapping[Place, PrivatePicture | None]) -> None:
        """Set all pictures. Thread-safe."""
        with self._lock:
            self._pictures = pictures

    def look(self, now_ns: int) -> None:
        """Draw what is due. Called in the window's thread."""
        with self._lock:
            pictures = self._pictures
        sizes = self._hardware.picture_sizes
        self._given = {place: given for place, given in self._given.items() if place in sizes}
        for place, size in sizes.items():
            wanted = ToDraw(pictures.get(place), size)
            if wanted == self._given.get(place) or now_ns - self._drawn_ns.get(place, -STEP_NS) < STEP_NS:
                continue
            if place in self._packing and not self._packing[place].done():
                continue  # later, with the newest picture
            self._given[place], self._drawn_ns[place] = wanted, now_ns
            self._packing[place] = self._give(place, wanted)

    def close(self) -> None:
        self._packer.shutdown(cancel_futures=True)

    def _give(self, place: Place, wanted: ToDraw) -> "Future[None]":
        picture, size_px = wanted.picture, (wanted.size.width_px, wanted.size.height_px)
        pixels: bytes = NO_PICTURE
        areas: tuple[TouchArea, ...] = ()
        if picture is not None:
            try:
                pixels, areas = screens.private_pixels(size_px, picture)
            except Exception:
                log.exception("the private picture of %s", picture.scene)  # the text remains
        return self._packer.submit(self._hand_over, place, size_px, pixels, areas)

    def _hand_over(
        self, place: Place, size_px: tuple[int, int], pixels: bytes, areas: tuple[TouchArea, ...]
    ) -> None:
        try:
            self._hardware.picture(place, png(size_px, pixels) if pixels else NO_PICTURE, areas)
        except Exception:
            log.exception("the picture of seat %d", place + 1)
