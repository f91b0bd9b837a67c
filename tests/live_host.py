"""A host as in the program: with its thread, the machine's clock, and a window that flips at once."""

import threading
from collections.abc import MutableSequence

from companion.core.clock import PlanningClock
from companion.core.inbox import Inbox
from companion.display.frame import Frame
from companion.referee.serving import STOP, run_live
from companion.table.host import Host


class LiveHost:
    """Subclasses create `host`, which shows by `_show`, and start it."""

    frames: MutableSequence[Frame]
    host: Host

    def __init__(self) -> None:
        self.inbox, self.clock = Inbox(), PlanningClock()
        self._thread = threading.Thread(target=self._serve, name="host")

    def start_host(self) -> None:
        self._thread.start()

    def stop_host(self, patience_s: float) -> None:
        self.inbox.put(STOP)
        self._thread.join(patience_s)

    def _serve(self) -> None:
        try:
            self.host.start()
            run_live(self.host, self.inbox, self.clock)
        finally:
            self.host.close()

    def _show(self, frame: Frame) -> None:
        self.frames.append(frame)
        if visible := self.host.frames.shown(frame, self.clock.now_ns()):
            self.inbox.put(visible)
