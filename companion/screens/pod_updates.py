"""Updates pods from the table's menu."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from companion.core.clock import PlanningClock
from companion.core.menu import Item
from companion.core.place import Place
from companion.core.text import Render, Text, listed, msg
from companion.devices.errors import DeviceError
from companion.devices.pods import firmware
from companion.devices.pods.pods import Pods, Seen
from companion.display.frame import Poster
from companion.screens.overlays import Overlay

LOOK_NS: Final = 200_000_000

log = logging.getLogger(__name__)


class PodUpdates(Overlay):
    """Updates the pods that have another firmware, one after the other, and shows the progress.

    It ignores presses until the last one is done. `lay` shows it.
    """

    def __init__(self, pods: Pods, clock: PlanningClock, read: Render, lay: Callable[[Overlay], None]) -> None:
        self._pods = pods
        self._clock = clock
        self._read = read
        self._lay = lay
        self._asked: list[Seen] = []
        self._done = 0
        self._failed: list[Seen] = []

    def items(self) -> list[Item]:
        """Return the line of the menu, if a pod has another firmware."""
        outdated = self._pods.outdated(firmware.firmware_version())
        if not outdated:
            return []
        detail = msg(
            "{n} pod does not have this table's firmware",
            "{n} pods do not have this table's firmware",
            n=len(outdated),
        )
        try:
            firmware.need_mpremote()
        except DeviceError as error:
            return [Item(msg("Update pods"), icon="arrow", why_not=error.text)]
        return [Item(msg("Update pods"), self._begin, "arrow", detail)]

    def _begin(self) -> None:
        self._asked = self._pods.outdated(firmware.firmware_version())
        self._done, self._failed = 0, []
        self._lay(self)
        # A daemon, since a slow board must not delay the end of the program.
        threading.Thread(target=self._update, name="pod updates", daemon=True).start()
        self._look()

    def _update(self) -> None:
        for pod in self._asked:
            try:
                with self._pods.lent(pod.path):
                    firmware.update(pod.path)
            except DeviceError as error:
                log.warning("%s", error)
                self._failed.append(pod)
            except Exception:
                # Otherwise the screen would stay for ever.
                log.exception("the update of the pod %s", pod.identity)
                self._failed.append(pod)
            self._done += 1

    def _look(self) -> None:
        self.changed()
        if not self._over:
            self._clock.at(self._clock.now_ns() + LOOK_NS, self._look)

    @property
    def _over(self) -> bool:
        return self._done == len(self._asked)

    def screen(self) -> Poster:
        done, count, read = self._done, len(self._asked), self._read
        if done < count:
            name = _name(self._asked[done])
            line = read(msg("{n} of {of}: {pod}", n=done + 1, of=count, pod=name))
            hint = read(msg("Leave all pods plugged in until they are done"))
            return Poster(read(msg("Updating the pods")), (line,), hint, pictures=("clock",))
        hint = read(msg("Press any button"))
        if self._failed:
            names = listed([_name(pod) for pod in self._failed])
            line = read(msg("{pods}: plug in again, then try once more. The log says what failed", pods=names))
            return Poster(read(msg("Not updated")), (line,), hint, trouble=True, pictures=("wrench",))
        line = read(msg("Firmware {version}", version=firmware.firmware_version()))
        return Poster(read(msg("All pods are up to date")), (line,), hint, pictures=("buzzer",))

    def press(self, place: Place, control: str) -> bool:
        return not self._over


def _name(pod: Seen) -> Text:
    return Text(pod.identity) if pod.place is None else msg("seat {n}", n=pod.place + 1)
