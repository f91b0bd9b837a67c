"""The conversation with one pod, wherever it is plugged in: no thread, no clock, no port.

Sentences and the time come in; bytes to be written gather in `out`; what the pod reports is told by events.
"""

import re
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

from companion.core.console import KEYS, Lamp
from companion.core.text import Text, msg
from companion.devices.pods.clock import DRIFT_PPM, PodClock
from companion.devices.pods.sentences import Sentence, cut, sentence

MS: Final = 1_000_000

VERSION: Final = "1"
"""The version of the protocol that is spoken here; the times below are those of docs/pod-protocol.md."""

HEY_NS: Final = 500 * MS
PING_NS: Final = 250 * MS + MS // 8
BURST: Final = 8
BURST_NS: Final = 2 * MS + MS // 8
"""Between the pings of a burst. USB looks once in a millisecond: eight pings each an eighth of that later find out
how far it can be from a ping to the next look."""

RESEND_NS: Final = 100 * MS
SILENCE_NS: Final = 1_000 * MS

INTERRUPT_NS: Final = 50_000
"""From the contact to the stamp in the pod's interrupt, which adds to what is uncertain."""

TEXT_LONGEST: Final = 90
"""Characters of a sentence that a text may take: what is not ASCII takes six and more."""

COLUMNS: Final = 16
LINES: Final = 2
BOOTS: Final = 64
"""So many starts of a pod are remembered, to know a greeting that comes late."""

_LAMPS: Final = {Lamp.OFF: 0, Lamp.ON: 1, Lamp.BLINK: 2}
_NUMBER: Final = re.compile(r"[0-9]{1,18}")


class Hello(NamedTuple):
    """How a pod introduces itself."""

    version: str
    identity: str
    firmware: str = ""
    capabilities: str = ""
    boot: str = ""
    next: int = 0
    session: str = ""


def read_hello(heard: Sentence) -> Hello | None:
    """Return what a HEL says; of another version only which, and of whom. None for anything else."""
    if heard.kind != "HEL" or len(heard.fields) < 2 or not heard.fields[1]:
        return None
    if heard.fields[0] != VERSION:
        return Hello(heard.fields[0], heard.fields[1])
    if len(heard.fields) != 7:
        return None
    version, identity, firmware, capabilities, boot, first, session = heard.fields
    number = _number(first)
    return Hello(version, identity, firmware, capabilities, boot, number, session) if number and boot else None


def hey(session: str) -> Sentence:
    """Return the question who is there."""
    return sentence("HEY", VERSION, session)


class Edge(NamedTuple):
    """The buzzer's contact closed or opened."""

    t_ns: int
    uncertainty_ns: int
    pressed: bool


class Key(NamedTuple):
    """A key was pressed."""

    t_ns: int
    uncertainty_ns: int
    key: str


class Level(NamedTuple):
    """Whether the buzzer was pressed at a moment; everything that this pod stamped before it has been told."""

    t_ns: int
    uncertainty_ns: int
    pressed: bool


class Dropped(NamedTuple):
    """Events are missing: the pod had no room left for them."""

    events: int


class Back(NamedTuple):
    """The pod can be relied on: it answers, and its clock is known."""


class Away(NamedTuple):
    """The pod cannot be relied on."""

    why: Text


Event = Edge | Key | Level | Dropped | Back | Away


class _Pong(NamedTuple):
    t_us: int
    last: int
    pressed: bool


class PodLink:
    """One pod, by its identity; outlives the port at which it was found and the cable that was pulled."""

    def __init__(
        self, identity: str, session: str, tell: Callable[[Event], None], drift_ppm: int = DRIFT_PPM
    ) -> None:
        self.identity = identity
        self.session = session
        self.out = bytearray()
        self.hello: Hello | None = None
        self.connected = False
        self.ready = False
        self._tell = tell
        self._clock = PodClock(drift_ppm)
        self._boots: deque[str] = deque(maxlen=BOOTS)
        self._expected = 1
        self._edge: tuple[int, bool] | None = None  # when the contact changed last, and its level since
        self._pings: dict[int, int] = {}
        self._pinged = 0
        self._ping_at_ns = 0
        self._burst = 0
        self._pongs: deque[_Pong] = deque()  # they wait for events that were made before them
        self._mark: _Pong | None = None
        self._heard_ns = 0
        self._hey_at_ns: int | None = None
        self._outbox = _Outbox()

    # --- What the table does with it ------------------------------------------------------------------

    @property
    def settled_ns(self) -> int | None:
        """Up to when everything that happened at this pod has been told; None while it cannot be relied on."""
        if not self.ready:
            return None
        if self._mark is None:
            return 0  # it is back, but what it kept meanwhile is still on its way
        t_ns, uncertainty_ns = self._clock.locate(self._mark.t_us)
        return t_ns - uncertainty_ns

    @property
    def level(self) -> Level | None:
        """The last level that is settled; None while the pod cannot be relied on."""
        return self._level(self._mark) if self.ready and self._mark else None

    def show(self, lamp: Lamp) -> None:
        """Switch the lamp, now or as soon as the pod can be told."""
        self._outbox.want("LMP", str(_LAMPS[lamp]))

    def say(self, *lines: str) -> None:
        """Show lines on the private screen, now or as soon as the pod can be told; what does not fit is cut."""
        for line, text in enumerate((*lines, "", "")[:LINES]):
            self._outbox.want("TXT", str(line), cut(text[:COLUMNS], TEXT_LONGEST))

    def burst(self, now_ns: int) -> None:
        """Ping often for a moment: somebody has pressed a buzzer, and all are waited for."""
        self._burst = BURST
        self._ping_at_ns = now_ns

    def disconnect(self, why: Text) -> None:
        """End the conversation: the pod is gone from its port. What it keeps, and is to be told, waits for it."""
        if self.connected:
            self.connected = False
            self._unready(why)
            self.out.clear()

    # --- What the port does with it -------------------------------------------------------------------

    def connect(self, hello: Hello, now_ns: int) -> None:
        """Begin, or go on, with the pod that has answered at a port.

        A greeting from before its last start, which came late, is ignored.
        """
        if hello.boot in self._boots and hello.boot != self._boots[-1]:
            return
        self.connected = True
        self.hello = hello
        self._heard_ns = now_ns
        self._hey_at_ns = None
        self._pings.clear()
        self._pongs.clear()
        self._mark = None
        self.ready = False
        if hello.boot in self._boots:
            self._missed(hello.next - self._expected)
            self._expected = max(self._expected, hello.next)
        else:
            self._boots.append(hello.boot)
            self._clock.forget()
            self._expected = hello.next
            self._edge = None
            self._outbox.begin_anew()
        self._acknowledge()
        self.burst(now_ns)

    def hear(self, heard: Sentence, now_ns: int) -> None:
        """Act on a sentence that has arrived by now; one that says nothing of use is ignored."""
        if not self.connected:
            return
        self._heard_ns = now_ns
        if heard.kind == "HEL":
            self._greeted(heard, now_ns)
            return
        if self._hey_at_ns is not None:
            return  # it may mean another life of the pod, or of the host
        numbers = [_number(field) for field in heard.fields]
        match heard.kind, numbers:
            case "PON", [int(n), int(t_us), int(last), 0 | 1 as level]:
                self._ponged(n, _Pong(t_us, last, level == 1), now_ns)
            case "BUZ" | "KEY" | "LST", [int(number), int(t_us), _]:
                self._numbered(heard, number, t_us, now_ns)
            case "ACK", [int(number)]:
                self._outbox.acknowledged(number)

    @property
    def deadline_ns(self) -> int | None:
        """When `tick` is next due; None while the pod is not connected."""
        if not self.connected:
            return None
        if self._hey_at_ns is not None:
            return min(self._heard_ns + SILENCE_NS, self._hey_at_ns)
        due = (self._heard_ns + SILENCE_NS, self._ping_at_ns, self._outbox.due_ns)
        return min(at_ns for at_ns in due if at_ns is not None)

    def tick(self, now_ns: int) -> None:
        """Write what is due by now, just before it is sent."""
        if not self.connected:
            return
        if now_ns - self._heard_ns >= SILENCE_NS:
            self.disconnect(msg("it does not answer any more: see to its cable"))
            return
        if self._hey_at_ns is not None:
            if self._hey_at_ns <= now_ns:
                self._hey_at_ns = now_ns + HEY_NS
                self._write(hey(self.session))
            return
        if self._ping_at_ns <= now_ns:
            self._ping(now_ns)
        for numbered in self._outbox.due(now_ns):
            self._write(numbered)

    # --- The pod's sentences --------------------------------------------------------------------------

    def _greeted(self, heard: Sentence, now_ns: int) -> None:
        hello = read_hello(heard)
        if hello is None:
            return
        if hello.identity != self.identity or hello.version != VERSION:
            self.disconnect(msg("another pod answers at its port"))
        elif hello.boot not in self._boots:
            self._begin_anew(msg("it was started anew"), now_ns)
            if hello.session == self.session:
                self.connect(hello, now_ns)
        elif self._hey_at_ns is not None and hello.session == self.session:
            self.connect(hello, now_ns)

    def _ponged(self, n: int, pong: _Pong, now_ns: int) -> None:
        sent_ns = self._pings.pop(n, None)
        if sent_ns is None:
            return
        self._pings = {later: at_ns for later, at_ns in self._pings.items() if later > n}
        if not self._clock.learn(sent_ns, pong.t_us, now_ns):
            self._begin_anew(msg("its clock jumps, or drifts more than [pods] drift_ppm allows"), now_ns)
            return
        self._pongs.append(pong)
        if not self.ready:
            self.ready = True
            self._tell(Back())
        self._pass_marks()

    def _numbered(self, heard: Sentence, number: int, t_us: int, now_ns: int) -> None:
        if number == self._expected and self.ready:
            self._expected += 1
            self._take(heard, t_us, now_ns)
        self._acknowledge()
        self._pass_marks()

    def _take(self, heard: Sentence, t_us: int, now_ns: int) -> None:
        t_ns, uncertainty_ns = self._clock.locate(t_us)
        what = heard.fields[2]
        if heard.kind == "KEY" and what in KEYS:
            self._tell(Key(t_ns, uncertainty_ns, what))
        elif heard.kind == "BUZ" and what in {"0", "1"}:
            self.burst(now_ns)
            self._edge = t_us, what == "1"
            self._tell(Edge(t_ns, uncertainty_ns + INTERRUPT_NS, what == "1"))
        elif heard.kind == "LST":
            self._edge = None
            self._missed(_number(what) or 0)

    def _pass_marks(self) -> None:
        """Take the pongs before which all events have arrived as marks; tell of the last of them."""
        passed = False
        while self.ready and self._pongs and self._pongs[0].last < self._expected:
            pong = self._pongs.popleft()
            if self._edge is None:
                self._edge = pong.t_us, pong.pressed
            # The level of a pong may be younger than its stamp: an event knows better, unless it is younger too.
            edge_us, pressed = self._edge
            if edge_us <= pong.t_us:
                self._mark = pong._replace(pressed=pressed)
                passed = True
        if passed and self._mark:
            self._tell(self._level(self._mark))

    def _level(self, pong: _Pong) -> Level:
        return Level(*self._clock.locate(pong.t_us), pong.pressed)

    def _missed(self, count: int) -> None:
        if count > 0:
            self._tell(Dropped(count))

    # --- The host's sentences -------------------------------------------------------------------------

    def _begin_anew(self, why: Text, now_ns: int) -> None:
        """Ask the pod who it is, and rely on nothing until it has answered."""
        self._unready(why)
        self._clock.forget()
        self._pings.clear()
        self._pongs.clear()
        self._hey_at_ns = now_ns

    def _unready(self, why: Text) -> None:
        if self.ready:
            self.ready = False
            self._tell(Away(why))

    def _ping(self, now_ns: int) -> None:
        self._burst = max(0, self._burst - 1)
        self._ping_at_ns = now_ns + (BURST_NS if self._burst else PING_NS)
        self._pinged += 1
        self._pings[self._pinged] = now_ns
        self._write(sentence("PNG", self._pinged))

    def _acknowledge(self) -> None:
        self._write(sentence("ACK", self._expected - 1))

    def _write(self, written: Sentence) -> None:
        self.out += written.encode()


class _Outbox:
    """What the pod is to be told: for each lamp and line the last state only, numbered when its turn has come."""

    def __init__(self) -> None:
        self._wanted: dict[tuple[str, ...], str] = {}
        self._told: dict[tuple[str, ...], str] = {}
        self._pending: dict[int, tuple[tuple[str, ...], str]] = {}
        self._number = 0
        self.due_ns: int | None = None

    def want(self, *fields: str) -> None:
        """Want the state that the last field says of what the others name."""
        *what, state = fields
        self._wanted[tuple(what)] = state
        if self._new():
            self.due_ns = 0

    def begin_anew(self) -> None:
        """Tell everything anew, from number 1: the pod knows nothing of it."""
        self._told.clear()
        self._pending.clear()
        self._number = 0
        self.due_ns = 0

    def acknowledged(self, number: int) -> None:
        """Drop what the pod has acknowledged; a number that was never sent is ignored."""
        if number > self._number:
            return
        self._pending = {n: kept for n, kept in self._pending.items() if n > number}
        if self._new():
            self.due_ns = 0
        elif not self._pending:
            self.due_ns = None

    def due(self, now_ns: int) -> list[Sentence]:
        """Return what is to be sent now: everything that is not acknowledged, new or not."""
        if self.due_ns is None or now_ns < self.due_ns:
            return []
        for what in self._new():
            self._number += 1
            self._told[what] = self._wanted[what]
            self._pending[self._number] = what, self._told[what]
        self.due_ns = now_ns + RESEND_NS if self._pending else None
        return [self._sentence(n) for n in self._pending]

    def _new(self) -> list[tuple[str, ...]]:
        """Return what is wanted otherwise than it was told, and is not being told."""
        told = {what for what, _ in self._pending.values()}
        return [what for what, state in self._wanted.items() if what not in told and self._told.get(what) != state]

    def _sentence(self, number: int) -> Sentence:
        (kind, *what), state = self._pending[number]
        return Sentence(kind, (str(number), *what, state))


def _number(field: str) -> int | None:
    return int(field) if _NUMBER.fullmatch(field) else None
