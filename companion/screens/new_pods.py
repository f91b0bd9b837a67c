"""Asks the owners of new pods for their seats while nobody plays."""

import logging
from collections.abc import Callable
from typing import Final

from companion.config.settings import Settings
from companion.config.table_file import keep_option
from companion.core.clock import PlanningClock
from companion.core.menu import OK_CONTROLS
from companion.core.place import HOUSE, MOST_PLACES, Place, each_place
from companion.core.text import Render, msg
from companion.devices.pods.pods import Pods
from companion.display.frame import Poster
from companion.screens.overlays import Overlay

LOOK_FOR_PODS_NS: Final = 1_000_000_000

LOOK_NS: Final = 200_000_000

PATIENCE_NS: Final = 30_000_000_000
"""A seat that does not answer for this long is skipped, since nobody may be there to skip it."""

log = logging.getLogger(__name__)


class PodBinding:
    """Asks each place without a pod, clockwise, until no place or no pod is left."""

    def __init__(self, pods: Pods, places: int, now_ns: int) -> None:
        self._pods = pods
        self._left = [place for place in each_place(places) if place not in pods.places]
        self._asked_ns = now_ns
        self.changed = False

    @property
    def place(self) -> Place | None:
        return self._left[0] if self._left and self._pods.unbound() else None

    def look(self, now_ns: int) -> bool:
        """Bind the pressed pod to the current place. Return True if one was pressed."""
        place = self.place
        if place is None:
            return False
        newest = self._pods.unbound()[0]
        if newest.pressed_ns is None or newest.pressed_ns <= self._asked_ns:
            if now_ns - self._asked_ns >= PATIENCE_NS:
                self.skip(now_ns)
            return False
        self._pods.bind(newest.identity, place)
        self.changed = True
        self.skip(now_ns)
        return True

    def skip(self, now_ns: int) -> None:
        self._left = self._left[1:]
        self._asked_ns = now_ns

    def poster(self, read: Render = str) -> Poster:
        seat = 0 if self.place is None else self.place + 1
        ask = read(msg("Seat {n}: press a key on your pod", n=seat))
        return Poster(read(msg("Whose pod is this?")), (ask,), read(msg("House: skip asks the next seat, ok ends")))


class NewPods(Overlay):
    """Asks for the seats of new pods. `free` returns True if nobody plays; `lay` then shows this overlay."""

    def __init__(
        self,
        pods: Pods,
        settings: Settings,
        clock: PlanningClock,
        *,
        free: Callable[[], bool],
        lay: Callable[[Overlay], None],
    ) -> None:
        self._pods = pods
        self._settings = settings
        self._clock = clock
        self._free = free
        self._lay = lay
        self._binding: PodBinding | None = None
        self._asked: set[str] = set()

    def look(self) -> None:
        # Planned first, so that an error here does not end the looks.
        self._clock.at(self._clock.now_ns() + (LOOK_NS if self._binding else LOOK_FOR_PODS_NS), self.look)
        if self._binding:
            if self._goes_on(self._binding):
                self.changed()
            elif self.stack:
                self.stack.pop(self)
        elif self._free():
            new = {pod.identity for pod in self._pods.unbound()} - self._asked
            if new:
                self._asked |= new
                binding = PodBinding(self._pods, MOST_PLACES, self._clock.now_ns())
                if self._goes_on(binding):
                    self._binding = binding
                    self._lay(self)

    def screen(self) -> Poster:
        assert self._binding
        return self._binding.poster(self._settings.read)

    def press(self, place: Place, control: str) -> bool:
        binding = self._binding
        assert binding
        if place != HOUSE:
            return True
        if control == "skip":
            binding.skip(self._clock.now_ns())
        return self._goes_on(binding, ended=control in OK_CONTROLS)

    def leave(self) -> None:
        self._binding = None

    def _goes_on(self, binding: PodBinding, *, ended: bool = False) -> bool:
        """Bind a pressed pod. Return True if another place is to be asked, otherwise save the seats."""
        binding.look(self._clock.now_ns())
        if binding.place is not None and not ended:
            return True
        self._asked |= {pod.identity for pod in self._pods.unbound()}  # also those that have just arrived
        if binding.changed:
            self._keep()
        return False

    def _keep(self) -> None:
        config = self._settings.config
        if config.path is None:
            log.warning("no table.toml was named with --table: whose pod is whose is forgotten at the end")
            return
        keep_option(config.path, "pods", "seats", tuple(self._pods.seats), make=config.own)
