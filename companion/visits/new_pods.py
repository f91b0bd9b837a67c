"""Looks for pods that have no seat yet while nobody plays, and lets their owners say which seat it is."""

import logging
from collections.abc import Callable
from typing import Final

from companion.config.settings import Settings
from companion.config.table_file import keep_pods
from companion.core.clock import PlanningClock
from companion.core.menu import OK_CONTROLS
from companion.devices.pods.pods import Pods
from companion.display.frame import Poster
from companion.match.seating import PLACES
from companion.visits.pod_binding import LOOK_NS, Binding

LOOK_FOR_PODS_NS: Final = 1_000_000_000

log = logging.getLogger(__name__)


class NewPods:
    """Asks for the seats of new pods: `ask` shows its screen, `done` goes back, `free` tells if nobody plays."""

    def __init__(
        self,
        pods: Pods,
        settings: Settings,
        clock: PlanningClock,
        *,
        ask: Callable[[Poster], None],
        done: Callable[[], None],
        free: Callable[[], bool],
    ) -> None:
        self._pods = pods
        self._settings = settings
        self._clock = clock
        self._ask = ask
        self._done = done
        self._free = free
        self._binding: Binding | None = None
        self._asked: set[str] = set()

    def look(self) -> None:
        """Look who answers, or whether there is a new pod; and again later."""
        # First of all, so that what goes wrong here is not the last look.
        self._clock.at(self._clock.now_ns() + (LOOK_NS if self._binding else LOOK_FOR_PODS_NS), self.look)
        if self._binding:
            self.press()
        elif self._free():
            new = {pod.identity for pod in self._pods.unbound()} - self._asked
            if new:
                self._asked |= new
                self._binding = Binding(self._pods, PLACES, self._clock.now_ns())
                self.press()

    def press(self, control: str = "") -> None:
        """Take a pod that was pressed, or a control of the house, while new pods are given to seats."""
        binding = self._binding
        assert binding
        now_ns = self._clock.now_ns()
        if control == "skip":
            binding.skip(now_ns)
        binding.look(now_ns)
        if binding.place is not None and control not in OK_CONTROLS:
            self._ask(binding.poster(self._settings.read))
            return
        self._binding = None
        self._asked |= {pod.identity for pod in self._pods.unbound()}  # some came meanwhile
        self._done()
        if binding.changed:
            self._keep()

    def give_up(self) -> None:
        """Ask no more, since something went wrong."""
        self._binding = None

    def _keep(self) -> None:
        path = self._settings.config.path
        if path is None:
            log.warning("no table.toml was named with --table: whose pod is whose is forgotten at the end")
            return
        keep_pods(path, self._pods.seats)
