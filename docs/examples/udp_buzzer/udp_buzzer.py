"""Buzzers over UDP: a local program sends `2 down` when seat 2 presses, and `2 up` on release.

A third-party driver in one file: docs/adding-a-device.md.
"""

import errno
import os
import select
import socket
import struct
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.core.clock import Clock
from companion.core.console import BUZZ
from companion.core.errors import OptionError
from companion.core.heartbeat import BEAT_S, Heartbeat
from companion.core.options import option
from companion.core.place import Place
from companion.core.signal import PLUG, UNPLUG, USER_CLOCK, Signal
from companion.core.text import Text, msg
from companion.devices.driver import Deliver, Device, DeviceOptions, Driver, Part, Sections
from companion.devices.errors import DeviceError
from companion.devices.findings import Finding, Machine, Severity

HOST: Final = "127.0.0.1"

MOST: Final = 256  # datagrams at once: a flood must not block `flush`

LOOK_S: Final = 1.0  # between two attempts to read a port that failed

# From the kernel's include/uapi/asm-generic/socket.h: adds the arrival by the wall clock to each datagram.
_SO_TIMESTAMPNS: Final = 35
_STAMP: Final = struct.Struct("@ll")


@dataclass(frozen=True)
class UdpOptions(DeviceOptions):
    """Buzzers over a UDP port of this machine."""

    port: int = option(0, msg("the UDP port that is listened to; 0: none"), minimum=0, maximum=65_535)
    seats: tuple[int, ...] = option((), msg("the seats that have such a buzzer"), minimum=1)
    late_ms: int = option(
        4,
        msg("how long after a press its datagram is here, at most, in milliseconds: what the sender needs"),
        minimum=0,
        maximum=50,
    )

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(Place(seat - 1) for seat in self.seats) if self.port else ()

    @property
    def buzzers(self) -> Mapping[Place, Part]:
        mend = msg("See whether its program runs and sends to port {port}", port=self.port)
        return {
            place: Part(
                msg("port {port}, `{n} down`", port=self.port, n=place + 1), mend, "udp", "seats", str(place + 1)
            )
            for place in self.places
        }

    def check(self, where: str) -> None:
        """Raise OptionError, naming `where`, for a seat that does not exist or is named twice."""
        if len(set(self.seats)) < len(self.seats) or max(self.seats, default=1) > 5:
            raise OptionError(msg("{where}: [udp]: seats: allowed: seats 1 to 5, each once", where=where))


class UdpBuzzers(Device):
    """The buzzers at one port. A thread reports to `deliver`.

    The kernel timestamps the arrival of a datagram; the press was at most `late_ms` before it. The signal has the
    middle of that interval, with half of it as uncertainty. If somebody has set the wall clock meanwhile, all that
    is certain is that the datagram was not there at the last look.
    """

    source = "udp"
    places: tuple[Place, ...] = ()
    settle_ns: int = 0

    def __init__(self, options: UdpOptions, deliver: Deliver, clock: Clock) -> None:
        """Open the port. Raises DeviceError with the remedy."""
        self.places = options.places
        self.settle_ns = options.late_ms * 1_000_000
        self._heartbeat = Heartbeat("udp buzzers")
        self._troubles: Mapping[Place, Text] = {}
        self._port = options.port
        self._deliver = deliver
        self._clock = clock
        self._reading = threading.Lock()
        self._socket = open_port(options.port)
        self._empty_ns = clock.now_ns()
        self._closed = threading.Event()
        self._wake = os.eventfd(0)
        self._thread: threading.Thread | None = None

    @property
    def troubles(self) -> Mapping[Place, Text]:
        return self._troubles

    @property
    def heartbeats(self) -> Sequence[Heartbeat]:
        return (self._heartbeat,)

    def watch(self) -> None:
        self._thread = threading.Thread(target=self._run, name="udp buzzers", daemon=True)
        self._thread.start()

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Report datagrams that are waiting. The level of a button that only sends cannot be read."""
        with self._reading:
            self._read()
        return ()

    def close(self) -> None:
        self._closed.set()
        os.eventfd_write(self._wake, 1)
        if self._thread:
            self._thread.join()
        self._socket.close()
        os.close(self._wake)

    def _run(self) -> None:
        while not self._closed.is_set():
            self._heartbeat.beat()
            try:
                select.select([self._socket.fileno(), self._wake], [], [], BEAT_S)
                with self._reading:
                    self._read()
                self._tell(PLUG, {})
            except OSError as error:
                self._tell(UNPLUG, dict.fromkeys(self.places, explained(error, self._port)))
                self._closed.wait(LOOK_S)

    def _read(self) -> None:
        for _ in range(MOST):
            try:
                data, extra, _, _ = self._socket.recvmsg(16, socket.CMSG_SPACE(_STAMP.size))
            except BlockingIOError:
                self._empty_ns = self._clock.now_ns()
                return
            for place, pressed in pressed_by(data):
                if place in self.places:
                    self._report(place, extra, pressed=pressed)

    def _report(self, place: Place, extra: Sequence[tuple[int, int, bytes]], *, pressed: bool) -> None:
        before_ns, wall_ns, now_ns = self._clock.now_ns(), time.time_ns(), self._clock.now_ns()
        arrived_ns = before_ns - (wall_ns - stamped_ns(extra))
        first_ns, flags = arrived_ns - self.settle_ns, tuple[str, ...]()
        if not self._empty_ns <= arrived_ns <= now_ns:
            first_ns, arrived_ns, flags = self._empty_ns - self.settle_ns, before_ns, (USER_CLOCK,)
        last_ns = arrived_ns + now_ns - before_ns  # the two clocks are read one after the other
        half_ns = (last_ns - first_ns + 1) // 2
        self._deliver(Signal(self.source, place, BUZZ, last_ns - half_ns, half_ns, now_ns, pressed, flags))

    def _tell(self, control: str, troubles: Mapping[Place, Text]) -> None:
        """Report all buzzers as lost or back, if that is new."""
        if bool(troubles) == bool(self._troubles):
            return
        self._troubles = troubles
        now_ns = self._clock.now_ns()
        for place in self.places:
            self._deliver(Signal(self.source, place, control, now_ns, 0, now_ns))


def pressed_by(data: bytes) -> Iterator[tuple[Place, bool]]:
    """Yield the place in a datagram and whether it was pressed; nothing if it is invalid."""
    seat, _, act = data.strip().partition(b" ")
    if seat.isdigit() and act in {b"down", b"up"}:
        yield Place(int(seat) - 1), act == b"down"


def stamped_ns(extra: Sequence[tuple[int, int, bytes]]) -> int:
    """Return a datagram's arrival by the wall clock, or 0 if the kernel did not say."""
    for level, kind, value in extra:
        if (level, kind) == (socket.SOL_SOCKET, _SO_TIMESTAMPNS):
            s, ns = _STAMP.unpack(value)
            return int(s * 1_000_000_000 + ns)
    return 0


def open_port(port: int) -> socket.socket:
    """Open a local port. Raises DeviceError with the remedy."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        opened.setblocking(False)
        opened.bind((HOST, port))
    except OSError as error:
        opened.close()
        raise DeviceError(explained(error, port)) from error
    return opened


def explained(error: OSError, port: int) -> Text:
    if error.errno == errno.EADDRINUSE:
        return msg("[udp] port {port}: another program listens there. End it, or name another port", port=port)
    if error.errno == errno.EACCES:
        return msg("[udp] port {port}: only root may listen there. Name one above 1023", port=port)
    return msg("[udp] port {port}: {why}. Name another port", port=port, why=error.strerror or str(error))


def open_devices(wiring: Sections, deliver: Deliver, clock: Clock) -> Iterator[Device]:
    options = wiring.of(UdpOptions)
    if options.places:
        yield UdpBuzzers(options, deliver, clock)


def look(wiring: Sections, machine: Machine, opened: Sequence[Device]) -> Iterator[Finding]:
    """Check that the port can be opened."""
    options = wiring.of(UdpOptions)
    if not options.places:
        return
    try:
        if not opened:
            open_port(options.port).close()
    except DeviceError as error:
        yield Finding(Text("UDP buzzers"), Severity.BAD, error.text, msg("`ss -ulpn` tells who listens where"))
    else:
        found = msg("port {n}; each press is right to {ms} ms", n=options.port, ms=f"{options.late_ms / 2:g}")
        yield Finding(Text("UDP buzzers"), Severity.OK, found)


DRIVER: Final = Driver("udp_buzzer", {"udp": UdpOptions}, open_devices, look)
