"""A host as in the program: in a thread of its own, by the machine's clock, with a window that flips at once."""

import threading
from collections.abc import MutableSequence

from companion.core.clock import PlanningClock
from companion.core.inbox import Inbox
from companion.display.frame import Frame
from companion.referee.loop import STOP, run_live
from companion.table.host import Host


class LiveHost:
    """Whoever is one makes its `host`, which shows by `_show`, and begins it."""

    frames: MutableSequence[Frame]
    host: Host

    def __init__(self) -> None:
        self.inbox, self.clock = Inbox(), PlanningClock()
        self._thread = threading.Thread(target=self._serve, name="host")

    def start_host(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop_host(self, patience_s: float) -> None:
        """Stop the host, and wait for that."""
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
