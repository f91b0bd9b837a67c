"""Serial ports of pods, each with a thread."""

import errno
import logging
import os
import select
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

from companion.core.clock import Clock
from companion.core.heartbeat import BEAT_S, Heartbeat
from companion.core.limits import POD_BYTES_A_SECOND
from companion.core.text import Text, msg, reason
from companion.devices.driver import too_much
from companion.devices.floods import CALM_NS, Rate
from companion.devices.pods.conversation import Conversation

BAUD: Final = 115_200
"""The speed of a UART."""

BOARDS: Final = {(0x2E8A, 0x0005): "Raspberry Pi Pico", (0xF055, 0x9800): "MicroPython board"}
"""USB vendors and products of boards with MicroPython."""

LOOK_S: Final = 1.0

BACK_OFF_NS: Final = (1_000_000_000, 10_000_000_000)
"""First and longest retry delay of a silent port. It doubles each time."""

WRITE_S: Final = 0.5

CLOSE_S: Final = 2.0

MOST_BYTES: Final = 512
"""Bytes per read, so that other pods do not wait long."""

REST_S: Final = 0.001
"""Pause after a full read, for other pods."""

log = logging.getLogger(__name__)


class Stream(Protocol):
    """The part of a pyserial port that is used."""

    def fileno(self) -> int: ...

    def read(self, size: int) -> bytes:
        """Return available bytes, at most `size`. Raise OSError."""

    def write(self, data: bytes) -> int | None:
        """Write all. Raise OSError."""

    def reset_output_buffer(self) -> None:
        """Drop unsent bytes. Raise OSError or termios.error."""

    def close(self) -> None: ...


def open_stream(path: str) -> Stream:
    """Open a serial port exclusively. Raise OSError."""
    import serial  # noqa: PLC0415  a table without pods does not wait for it

    try:
        stream: Stream = serial.Serial(path, BAUD, timeout=0, write_timeout=WRITE_S, exclusive=True)
    except termios.error as error:  # not an OSError; a restarting board disappears while it is opened
        raise OSError(*error.args) from error
    return stream


def may_have_boards() -> bool:
    """Return False if no USB board is plugged in. Only Linux can say."""
    return sys.platform != "linux" or any(Path("/dev").glob("ttyACM*"))


def ports_with_boards() -> list[str]:
    """Return the serial ports of possible pods."""
    if not may_have_boards():
        return []  # listing all ports every second costs half a percent of a Pi
    from serial.tools import list_ports  # noqa: PLC0415

    return [port.device for port in list_ports.comports() if (port.vid, port.pid) in BOARDS]


class PodPort:
    """An open port and its thread. `lock` guards all conversations of a table."""

    def __init__(
        self,
        path: str,
        stream: Stream,
        conversation: Conversation,
        *,
        lock: threading.RLock,
        clock: Clock,
        ended: Callable[["PodPort"], None],
    ) -> None:
        self.path = path
        self.conversation = conversation
        self.heartbeat = Heartbeat(f"pod at {path}")
        self._stream = stream
        self._lock = lock
        self._clock = clock
        self._ended = ended
        self._rate = Rate(POD_BYTES_A_SECOND)
        self.floods = False
        self._wake: int | None = os.eventfd(0, os.EFD_NONBLOCK)
        self._thread = threading.Thread(target=self._run, name=f"pod at {path}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        with self._lock:
            if self._wake is not None:
                os.eventfd_write(self._wake, 1)

    def end(self, why: Text) -> None:
        """Ask the thread to close the port."""
        with self._lock:
            self.conversation.end(why)
        self.wake()

    def end_flood(self) -> None:
        self.floods = True
        self.end(too_much(msg("it")))

    def join(self, timeout_s: float) -> None:
        self._thread.join(timeout_s)

    def _run(self) -> None:
        try:
            while self.conversation.over is None:
                self.heartbeat.beat()
                self._turn()
        except OSError as error:
            self.end(msg("{path}: {why}", path=self.path, why=reason(error)))
        except Exception:
            # Otherwise the seat would wait without an explanation.
            log.exception("%s", self.path)
            self.end(msg("{path}: an internal error; the details are in the log", path=self.path))
        finally:
            self._close()
            self._ended(self)

    def _turn(self) -> None:
        assert self._wake is not None  # only this thread's end closes it
        with self._lock:
            written = self.conversation.tick(self._clock.now_ns())
            wait_ns = self.conversation.deadline_ns - self._clock.now_ns()
        if written:
            self._stream.write(written)
        port = self._stream.fileno()
        ready, _, _ = select.select([port, self._wake], [], [], min(BEAT_S, max(0, wait_ns) / 1e9))
        if self._wake in ready:
            os.eventfd_read(self._wake)
        if port not in ready:
            return
        data = self._stream.read(MOST_BYTES)
        received_ns = self._clock.now_ns()
        if self._rate.exceeds(received_ns, len(data)):
            self.end_flood()
            return
        with self._lock:
            self.conversation.receive(data, received_ns)
        if len(data) == MOST_BYTES:
            time.sleep(REST_S)

    def _close(self) -> None:
        with suppress(OSError, termios.error):  # the port may be gone
            self._stream.reset_output_buffer()  # else close may wait half a minute for unsent bytes
        with suppress(OSError):
            self._stream.close()
        with self._lock:
            if self._wake is not None:
                os.close(self._wake)
            self._wake = None


class PodPorts:
    """Finds and opens ports that may have pods: `listed` ones, and those that `find` returns.

    `open_` opens a port; `converse(path, begins_ns)` returns its conversation. After a flood it begins later.
    """

    def __init__(
        self,
        listed: Iterable[str],
        converse: Callable[[str, int], Conversation],
        *,
        lock: threading.RLock,
        clock: Clock,
        find: Callable[[], Iterable[str]],
        open_: Callable[[str], Stream],
    ) -> None:
        self._listed = tuple(listed)
        self._converse = converse
        self._lock = lock
        self._clock = clock
        self._find = find
        self._open = open_
        self._ports: dict[str, PodPort] = {}
        self._troubles: dict[str, Text] = {}
        self._retry: dict[str, tuple[int, int]] = {}  # by path: when, and the next delay
        self._flooded: set[str] = set()
        self._lent: set[str] = set()
        self._opening = threading.Lock()
        self._stop = threading.Event()
        self._heartbeat = Heartbeat("pod watch")
        self._thread: threading.Thread | None = None

    @property
    def open(self) -> list[PodPort]:
        with self._lock:
            return list(self._ports.values())

    @property
    def heartbeats(self) -> list[Heartbeat]:
        return [self._heartbeat, *(port.heartbeat for port in self.open)] if self._thread else []

    @property
    def troubles(self) -> dict[str, Text]:
        with self._lock:
            linked = {path for path, port in self._ports.items() if port.conversation.link}
            return {path: why for path, why in self._troubles.items() if path not in linked}

    def stands(self, path: str, why: Text) -> bool:
        """Return True if a port is still given up for this reason, or being tried again."""
        with self._lock:
            return path in self._ports or self._troubles.get(path) == why

    def watch(self) -> None:
        self._thread = threading.Thread(target=self._watch, name="pod watch", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Open new ports, and silent ones whose delay is over."""
        paths = dict.fromkeys((*self._listed, *self._find()))
        with self._lock:
            gone = set(self._retry) - set(paths)
            for path in gone:  # a port that returns is tried at once
                self._retry.pop(path)
                self._troubles.pop(path, None)
                self._flooded.discard(path)
            now_ns = self._clock.now_ns()
            due = [
                path
                for path in paths
                if path not in self._ports and self._retry.get(path, (now_ns, 0))[0] <= now_ns
            ]
        for path in due:
            with self._opening:
                if path not in self._lent:
                    self._try(path)

    @contextmanager
    def lent(self, path: str, why: Text) -> Iterator[None]:
        """Leave a port to another program."""
        with self._opening:
            self._lent.add(path)
        try:
            with self._lock:
                port = self._ports.get(path)
            if port:
                port.end(why)
                port.join(CLOSE_S)
            yield
        finally:
            with self._opening:
                self._lent.discard(path)
            with self._lock:
                self._retry.pop(path, None)  # it is tried at the next look
                self._troubles.pop(path, None)

    def wake(self) -> None:
        for port in self.open:
            port.wake()

    def close(self, timeout_s: float = CLOSE_S) -> None:
        """Close all ports within `timeout_s` in total."""
        end_ns = self._clock.now_ns() + round(timeout_s * 1e9)

        def left_s() -> float:
            return max(0.0, (end_ns - self._clock.now_ns()) / 1e9)

        self._stop.set()
        if self._thread:
            self._thread.join(left_s())
        ports = self.open
        for port in ports:
            port.end(msg("the table is closed"))
        for port in ports:
            port.join(left_s())

    def _try(self, path: str) -> None:
        try:
            stream = self._open(path)
        except OSError as error:
            with self._lock:
                self._put_off(path, explain(error))
            return
        with self._lock:
            if self._stop.is_set():  # `close` was called meanwhile
                stream.close()
                return
            begins_ns = self._clock.now_ns() + (CALM_NS if path in self._flooded else 0)
            talk = self._converse(path, begins_ns)
            port = PodPort(path, stream, talk, lock=self._lock, clock=self._clock, ended=self._ended)
            self._ports[path] = port
            port.start()

    def _ended(self, port: PodPort) -> None:
        with self._lock:
            del self._ports[port.path]
            if port.floods and port.conversation.over:
                self._flooded.add(port.path)
                self._put_off(port.path, port.conversation.over)
                return
            self._flooded.discard(port.path)
            if port.conversation.link:  # it had a pod, so it is tried at the next look
                self._retry.pop(port.path, None)
                self._troubles.pop(port.path, None)
            elif port.conversation.over:
                self._put_off(port.path, port.conversation.over)

    def _put_off(self, path: str, why: Text) -> None:
        first_ns, most_ns = BACK_OFF_NS
        _, wait_ns = self._retry.get(path, (0, first_ns))
        self._retry[path] = (self._clock.now_ns() + wait_ns, min(2 * wait_ns, most_ns))
        if self._troubles.get(path) != why:
            log.warning("%s: %s", path, why)
        self._troubles[path] = why

    def _watch(self) -> None:
        while True:
            self._heartbeat.beat()
            try:
                self.look()
            except Exception:
                # Otherwise no pod would be found any more.
                log.exception("the search for pods")
            if self._stop.wait(LOOK_S):
                return


def explain(error: OSError) -> Text:
    if error.errno == errno.EACCES:
        return msg("no permission. Join the group dialout: sudo usermod -aG dialout $USER, then log in again")
    if error.errno == errno.ENOENT:
        return msg("it was not found. Is it plugged in?")
    return msg("{why}. Is another program using it?", why=reason(error))
