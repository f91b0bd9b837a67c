"""Serial ports: which may have a pod, and a thread for each that carries its conversation."""

import errno
import logging
import os
import select
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
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
"""The speed of a UART, as in docs/pod-protocol.md; USB ignores it."""

BOARDS: Final = {(0x2E8A, 0x0005): "Raspberry Pi Pico", (0xF055, 0x9800): "MicroPython board"}
"""The USB vendor and product of boards that run MicroPython."""

LOOK_S: Final = 1.0
"""How often new ports are looked for."""

BACK_OFF_NS: Final = (1_000_000_000, 10_000_000_000)
"""A port that does not answer is left alone this long, twice as long each time, and not longer than that."""

WRITE_S: Final = 0.5
"""How long a port may take nothing before it is given up."""

MOST_BYTES: Final = 512
"""How much is read at once, a dozen sentences: reports of other pods wait no longer than these take."""

REST_S: Final = 0.001
"""How long a port with more to read then leaves the lock and the interpreter to the others."""

log = logging.getLogger(__name__)


class Stream(Protocol):
    """The part of a pyserial port that is used."""

    def fileno(self) -> int:
        """Return the descriptor to wait at."""

    def read(self, size: int) -> bytes:
        """Return up to that many bytes, those that are there. Raise OSError."""

    def write(self, data: bytes) -> int | None:
        """Write all. Raise OSError."""

    def reset_output_buffer(self) -> None:
        """Drop what was written and not sent. Raise OSError or termios.error."""

    def close(self) -> None:
        """Release the port."""


def open_stream(path: str) -> Stream:
    """Open a serial port for us alone. Raise OSError."""
    import serial  # noqa: PLC0415  a table without pods does not wait for it

    try:
        stream: Stream = serial.Serial(path, BAUD, timeout=0, write_timeout=WRITE_S, exclusive=True)
    except termios.error as error:  # not an OSError; a board that restarts goes away while it is opened
        raise OSError(*error.args) from error
    return stream


def may_have_boards() -> bool:
    """Tell whether there is any port of the kind that boards on USB have; only Linux is asked."""
    return sys.platform != "linux" or any(Path("/dev").glob("ttyACM*"))


def ports_with_boards() -> list[str]:
    """Return the serial ports that the system lists for boards that may be pods."""
    if not may_have_boards():
        return []  # to ask what each serial port is costs half a percent of a Pi, every second
    from serial.tools import list_ports  # noqa: PLC0415

    return [port.device for port in list_ports.comports() if (port.vid, port.pid) in BOARDS]


class PodPort:
    """One open port and the thread that reads it and writes to it. `lock` guards all conversations of a table."""

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
        """Whether it was given up since too much came from it."""
        self._wake: int | None = os.eventfd(0, os.EFD_NONBLOCK)
        self._thread = threading.Thread(target=self._run, name=f"pod at {path}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Wake the thread, so that it writes at once."""
        with self._lock:
            if self._wake is not None:
                os.eventfd_write(self._wake, 1)

    def end(self, why: Text) -> None:
        """Ask the thread to close the port as soon as it can."""
        with self._lock:
            self.conversation.end(why)
        self.wake()

    def end_flood(self) -> None:
        """Ask the thread to close the port, at which more is told than anybody can press."""
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
            # An error that ends this thread would leave a seat waiting without a word.
            log.exception("%s", self.path)
            self.end(msg("{path}: an internal error; the details are in the log", path=self.path))
        finally:
            self._close()
            self._ended(self)

    def _turn(self) -> None:
        """Write what is due, then read until something is due again."""
        assert self._wake is not None  # only the end of this thread closes it
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
        with suppress(OSError, termios.error):  # a port that is gone cannot be closed tidily
            self._stream.reset_output_buffer()  # else close may wait half a minute for it to be sent
        with suppress(OSError):
            self._stream.close()
        with self._lock:
            if self._wake is not None:
                os.close(self._wake)
            self._wake = None


class PodPorts:
    """All ports at which there are or may be pods; looks for new ones. Ports have no order and no seat.

    `listed` are ports to look at beside those that `find` finds; `open_` opens one, `converse` begins to talk
    there at a moment: one that was flooded has to be quiet first.
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
        self._retry: dict[str, tuple[int, int]] = {}  # by path: when, and how long to wait the next time
        self._flooded: set[str] = set()
        self._stop = threading.Event()
        self._heartbeat = Heartbeat("pod watch")
        self._thread: threading.Thread | None = None

    @property
    def open(self) -> list[PodPort]:
        """The ports that are open now."""
        with self._lock:
            return list(self._ports.values())

    @property
    def heartbeats(self) -> list[Heartbeat]:
        return [self._heartbeat, *(port.heartbeat for port in self.open)] if self._thread else []

    @property
    def troubles(self) -> dict[str, Text]:
        """Why ports that may have a pod are not used, by path."""
        with self._lock:
            linked = {path for path, port in self._ports.items() if port.conversation.link}
            return {path: why for path, why in self._troubles.items() if path not in linked}

    def stands(self, path: str, why: Text) -> bool:
        """Tell whether a port is there that was given up for a reason, or is asked anew."""
        with self._lock:
            return path in self._ports or self._troubles.get(path) == why

    def watch(self) -> None:
        self._thread = threading.Thread(target=self._watch, name="pod watch", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Open what may be a pod and is not open."""
        paths = dict.fromkeys((*self._listed, *self._find()))
        with self._lock:
            gone = set(self._retry) - set(paths)
            for path in gone:  # what is plugged in again is asked at once
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
            self._try(path)

    def wake(self) -> None:
        for port in self.open:
            port.wake()

    def close(self, timeout_s: float = 2.0) -> None:
        """Close all ports; wait for that, but not for ever: `timeout_s` for all of them together."""
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
            if self._stop.is_set():  # all ports were closed while this one was being opened
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
            if port.conversation.link:  # it had a pod: it is asked again at the next look
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
                # It would end the search for every pod that is plugged in from now on.
                log.exception("the search for pods")
            if self._stop.wait(LOOK_S):
                return


def explain(error: OSError) -> Text:
    """Say why a port cannot be opened, and the remedy."""
    if error.errno == errno.EACCES:
        return msg("no permission. Join the group dialout: sudo usermod -aG dialout $USER, then log in again")
    if error.errno == errno.ENOENT:
        return msg("it is not there. Is it plugged in?")
    return msg("{why}. Is another program using it?", why=reason(error))
