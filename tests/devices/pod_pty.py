"""A simulated pod behind a line, with a thread like a board's."""

import os
import select
import threading
import time
import tty
from contextlib import suppress

from tests.devices.pod_sim import SimPod, Spoil, whole

WAIT_S = 30
"""A timeout that is generous for busy machines."""


class LinePod:
    """`board` is the pod's end of the line; `spoil` distorts what the pod sends."""

    def __init__(
        self,
        board: int,
        identity: str,
        spoil: Spoil = whole,
        kind: type[SimPod] = SimPod,
        secret: bytes | None = None,
    ) -> None:
        self.pod = kind(identity, secret=secret)
        self.silent = False
        self._spoil = spoil
        self._board = board
        self._lock = threading.Lock()
        self._wake = os.eventfd(0)
        self._gone = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def t_us(self) -> int:
        return time.monotonic_ns() // 1_000

    def buzz(self, level: int = 1) -> int:
        """Close or open the contact; return the time in nanoseconds."""
        with self._lock:
            t_ns = time.monotonic_ns()
            self.pod.buzz(t_ns // 1_000, level)
        os.eventfd_write(self._wake, 1)
        return t_ns

    def key(self, key: str) -> None:
        with self._lock:
            self.pod.key(self.t_us(), key)
        os.eventfd_write(self._wake, 1)

    def reset(self, boot: str) -> None:
        with self._lock:
            self.pod.start(boot)
            self.pod.greet()
        os.eventfd_write(self._wake, 1)

    def shows(self) -> tuple[int, list[str]]:
        with self._lock:
            return self.pod.lamp, list(self.pod.lines)

    def vanish(self) -> None:
        if not self._gone:
            self._gone = True
            os.eventfd_write(self._wake, 1)
            self._thread.join()
            os.close(self._board)
            os.close(self._wake)

    def _run(self) -> None:
        while not self._gone:
            ready, _, _ = select.select([self._board, self._wake], [], [], 0.02)
            if self._wake in ready:
                os.eventfd_read(self._wake)
            heard = os.read(self._board, 4096) if self._board in ready else b""
            if self._board in ready and not heard:
                return  # the other end is gone
            with self._lock:
                self.pod.hear(heard, self.t_us())
                self.pod.tick(self.t_us())
                written = bytes(self.pod.out)
                self.pod.out.clear()
            if written and not self.silent:
                for piece in self._spoil(written):
                    with suppress(OSError):  # the port is not open
                        os.write(self._board, piece)


class PtyPod(LinePod):
    """A pod behind a pseudo-terminal; `path` is the port to open."""

    def __init__(
        self, identity: str, spoil: Spoil = whole, kind: type[SimPod] = SimPod, secret: bytes | None = None
    ) -> None:
        board, self._port = os.openpty()
        tty.setraw(self._port)
        self.path = os.ttyname(self._port)
        super().__init__(board, identity, spoil, kind, secret)

    def vanish(self) -> None:
        if not self._gone:
            super().vanish()
            os.close(self._port)
