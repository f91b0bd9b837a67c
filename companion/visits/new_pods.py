"""Looks for pods that have no seat yet while nobody plays, and lets their owners say which seat it is."""

import logging
from collections.abc import Callable
from typing import Final

from companion.config.settings import Settings
from companion.config.table_file import keep_option
from companion.core.clock import PlanningClock
from companion.core.menu import OK_CONTROLS
from companion.core.place import HOUSE, Place
from companion.devices.pods.pods import Pods
from companion.display.frame import Poster
from companion.match.seating import PLACES
from companion.visits.overlays import Overlay
from companion.visits.pod_binding import LOOK_NS, Binding

LOOK_FOR_PODS_NS: Final = 1_000_000_000

log = logging.getLogger(__name__)


class NewPods(Overlay):
    """Asks for the seats of new pods; `free` tells whether nobody is at the table, `lay` lays this there then."""

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
        self._binding: Binding | None = None
        self._asked: set[str] = set()

    def look(self) -> None:
        """Look who answers, or whether there is a new pod; and again later."""
        # First of all, so that what goes wrong here is not the last look.
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
                binding = Binding(self._pods, PLACES, self._clock.now_ns())
                if self._goes_on(binding):
                    self._binding = binding
                    self._lay(self)

    def screen(self) -> Poster:
        """Return the screen that asks."""
        assert self._binding
        return self._binding.poster(self._settings.read)

    def press(self, place: Place, control: str) -> bool:
        """Pass over a seat, or end, when the house says so."""
        binding = self._binding
        assert binding
        if place != HOUSE:
            return True
        if control == "skip":
            binding.skip(self._clock.now_ns())
        return self._goes_on(binding, ended=control in OK_CONTROLS)

    def leave(self) -> None:
        """Ask no more."""
        self._binding = None

    def _goes_on(self, binding: Binding, *, ended: bool = False) -> bool:
        """Give the pod that was pressed to the seat that was asked; keep all if nobody is to be asked any more."""
        binding.look(self._clock.now_ns())
        if binding.place is not None and not ended:
            return True
        self._asked |= {pod.identity for pod in self._pods.unbound()}  # some came meanwhile
        if binding.changed:
            self._keep()
        return False

    def _keep(self) -> None:
        path = self._settings.config.path
        if path is None:
            log.warning("no table.toml was named with --table: whose pod is whose is forgotten at the end")
            return
        keep_option(path, "pods", "seats", tuple(self._pods.seats))
