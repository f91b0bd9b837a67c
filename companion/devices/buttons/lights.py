"""The lamps of Buzz! handsets, through the kernel's LED class."""

import logging
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from companion.core.clock import Clock
from companion.core.console import Lamp
from companion.core.place import Place
from companion.core.text import Text, msg, reason
from companion.devices.inputs.found import Here

BLINK_NS: Final = 250_000_000
"""Half a blink. Two flashes a second are safe for photosensitive people."""

log = logging.getLogger(__name__)


def light_of(sysfs: Path, here: Here, key: str) -> Path | None:
    """Return the file that lights a handset's lamp, such as .../leds/0003:054C:0002.0001::buzz1/brightness."""
    device = (sysfs / here.path.name / "device" / "device").resolve()
    return next(iter(sorted(device.glob(f"leds/*::{key}/brightness"))), None)


def no_light(path: Path, why: Text | str) -> Text:
    return msg("the lamp {path} cannot be lit: {why}", path=path, why=why)


class Lights:
    """The lamps of places, which keep what they show while their device is unplugged."""

    def __init__(self, sysfs: Path, clock: Clock) -> None:
        self._sysfs = sysfs
        self._clock = clock
        self._lock = threading.Lock()
        self._files: dict[Place, Path] = {}
        self._shown: dict[Place, Lamp] = {}
        self._lit: dict[Place, bool] = {}
        self._bright = False
        self._blinked_ns = 0
        self._told: set[Path] = set()

    @property
    def blinks(self) -> bool:
        with self._lock:
            return any(self._shown.get(place) == Lamp.BLINK for place in self._files)

    def use(self, handsets: Mapping[Place, tuple[Here, str]]) -> None:
        """Light these lamps from now on. Those of new handsets show at once what they have to."""
        files = {place: light_of(self._sysfs, here, key) for place, (here, key) in handsets.items()}
        with self._lock:
            before = self._files
            self._files = {place: file for place, file in files.items() if file}
            for place, file in self._files.items():
                if before.get(place) != file:
                    self._lit.pop(place, None)
                    self._follow(place)

    def show(self, place: Place, lamp: Lamp) -> None:
        with self._lock:
            self._shown[place] = lamp
            self._follow(place)

    def blink(self) -> None:
        """Switch blinking lamps, if it is time."""
        now_ns = self._clock.now_ns()
        with self._lock:
            if now_ns - self._blinked_ns >= BLINK_NS:
                self._blinked_ns, self._bright = now_ns, not self._bright
                for place in self._files:
                    self._follow(place)

    def _follow(self, place: Place) -> None:
        shown, file = self._shown.get(place, Lamp.OFF), self._files.get(place)
        lit = self._bright if shown == Lamp.BLINK else shown == Lamp.ON
        if file is None or self._lit.get(place) == lit:
            return
        self._lit[place] = lit
        try:
            file.write_text("1" if lit else "0")
        except OSError as error:
            if file not in self._told:
                self._told.add(file)
                log.warning("%s", no_light(file, reason(error)))
