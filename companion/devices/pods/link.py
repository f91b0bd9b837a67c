"""The protocol of one pod, without threads, clocks and ports: sentences and times in, bytes and reports out."""

from collections import deque
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from companion.core.console import KEYS, Lamp
from companion.core.limits import NAME_SIGNS
from companion.core.place import MOST_PLACES, Place, ScreenSize
from companion.core.text import Text, msg
from companion.core.units import MS
from companion.devices.pods.clock import DRIFT_PPM, US, PodClock
from companion.devices.pods.outbox import Outbox
from companion.devices.pods.proof import PodKey, Seal
from companion.devices.pods.reports import (
    VERSION,
    Away,
    Back,
    Coarse,
    Dropped,
    EdgeReport,
    Foreign,
    Hello,
    KeyReport,
    Level,
    Named,
    Report,
    Sits,
    number_in,
    read_hello,
)
from companion.devices.pods.sentences import Sentence, cut, sentence

PING_NS: Final = 250 * MS + MS // 8
"""Interval of pings outside of races."""

TOGETHER_US: Final = 30_000
"""Maximum distance of two edges of a bounce, which is located by its first edge."""

FIRST_US: Final = 100_000
"""Maximum age of that first edge."""

GRAIN_MOST_US: Final = 1_000_000
"""The coarsest clock that is accepted."""

GRAIN_BELIEVED_US: Final = 17_000
"""The coarsest browser clock that is believed. With a coarser one, presses count when they arrive."""

PICTURE_PX: Final = range(64, 4_097)

NAME_HEARD: Final = 2 * NAME_SIGNS
"""Stored characters of a name: enough to see that it is too long."""

MOST_LINES: Final = 4

TEXT_LONGEST: Final = 90
"""Maximum encoded length of a text. A character that is not ASCII takes six or more."""

WIDE, HIGH = "W", "Q"
"""Capabilities of a screen with 20 columns, and with four lines."""

LATE_NS: Final = 2 * MS + MS // 8
"""Interval of checks for a late answer."""

GREETING: Final = 8
"""Pings that begin a session, to learn the pod's clock."""

BOOTS: Final = 64
"""Remembered boots, to recognise late greetings."""


class LinkTiming(NamedTuple):
    """The timing of a kind of line and device; the defaults are a pod's.

    In a race and at the start of a session, the next ping follows after `race_ns`, if the last was answered or is
    `answer_ns` old. The odd eighth of a millisecond shifts pings against USB's polling, which tightens the bounds
    of the clock.

    `stamp_ns` is the uncertainty between contact and timestamp. Timestamps older than `believed_ns` on arrival are
    refused, which limits what a lying device can win. After `silence_ns` the device is lost. With `renews`, each
    session may have another clock and must report its resolution first.
    """

    race_ns: int = 8 * MS + MS // 8
    answer_ns: int = 25 * MS
    silence_ns: int = 1_000 * MS
    stamp_ns: int = 50_000
    believed_ns: int = 30 * MS
    renews: bool = False


POD: Final = LinkTiming()

_LAMPS: Final = {Lamp.OFF: 0, Lamp.ON: 1, Lamp.BLINK: 2}


class _First(NamedTuple):
    t_us: int
    t_ns: int
    uncertainty_ns: int
    last_us: int


class _Pong(NamedTuple):
    t_us: int
    last: int
    pressed: bool
    vague: bool = False


class PodLink:
    """The state of one pod, by identity. It survives unplugging and moving to another port.

    A pod with a `key` must prove its identity before it is connected. With `greets_anew` it is still at its port
    but must identify itself again. `out` has the bytes to send.
    """

    def __init__(
        self,
        identity: str,
        tell: Callable[[Report], None],
        drift_ppm: int = DRIFT_PPM,
        line: LinkTiming | None = None,
    ) -> None:
        self.identity = identity
        self.out = bytearray()
        self.hello: Hello | None = None
        self.key: PodKey | None = None
        self.connected = False
        self.ready = False
        self.greets_anew = False
        self.controls: Collection[str] = KEYS
        """What its keys may be."""
        self.coarse_us: int | None = None
        """The resolution of its clock, if that is too coarse."""
        self.picture_px: tuple[int, int] | None = None
        """The size of its pictures, if any."""
        self._tell = tell
        self._line = line or POD
        self._name = ""  # the part that has arrived
        self._clock = PodClock(drift_ppm)
        self._boots: dict[str, int] = {}  # next event number of each boot, oldest boot first
        self._boot = ""
        self._expected = 1
        self._edge: tuple[int, bool] | None = None  # last change of the contact, and its level since
        self._first: _First | None = None
        self._vague = False  # events were lost, so only pongs tell the level
        self._promised_us = 0  # no later event may be earlier
        self._pings: dict[int, int] = {}
        self._pinged = 0
        self._ping_at_ns = 0
        self._greeting = 0  # pings left
        self._races = False
        self._pongs: deque[_Pong] = deque()  # waiting for earlier events
        self._mark: _Pong | None = None
        self._heard_ns = 0
        self._outbox = Outbox()
        self._seal: Seal | None = None
        self._foreign_from_ns: int | None = None  # before this, foreign sentences may be from the last session

    # --- Used by the table ----------------------------------------------------------------------------

    @property
    def settled_ns(self) -> int | None:
        """The time up to which all its events have arrived; None while it is not ready."""
        if not self.ready or self.coarse_us:
            return None
        if self._mark is None:
            return 0  # stored events are still on their way
        t_ns, uncertainty_ns = self._clock.locate(self._mark.t_us)
        return t_ns - uncertainty_ns

    @property
    def level(self) -> Level | None:
        """The last level before which all events have arrived; None while it is not ready."""
        return self._level(self._mark) if self.ready and self._mark else None

    def show(self, lamp: Lamp) -> None:
        self._outbox.want("LMP", str(_LAMPS[lamp]))

    @property
    def screen_size(self) -> ScreenSize:
        usual, can = ScreenSize(), self.hello.capabilities if self.hello else ""
        return ScreenSize(20 if WIDE in can else usual.columns, 4 if HIGH in can else usual.lines)

    def say(self, *lines: str) -> None:
        """Show lines on the private screen as soon as possible, cut to fit."""
        columns, count = self.screen_size
        for line, text in enumerate((*lines, *[""] * count)[:count]):
            self._outbox.want("TXT", str(line), cut(text[:columns], TEXT_LONGEST))

    def wish(self, name: str, value: str) -> None:
        """Set a value on the pod as soon as possible."""
        self._outbox.want("SET", name, value)

    @property
    def uncertainty_ns(self) -> int | None:
        """The uncertainty of a press now; None while it is not ready."""
        return self._clock.locate(self._mark.t_us)[1] + self._line.stamp_ns if self.ready and self._mark else None

    def race(self, *, on: bool, now_ns: int) -> None:
        """Start or stop the fast pings. Presses do not change them."""
        self._races = on
        if on:
            self._ping_at_ns = min(self._ping_at_ns, now_ns)

    def disconnect(self, why: Text) -> None:
        """Handle the loss of the port. State is sent again after the next `connect`."""
        if self.connected:
            self.connected = False
            if self.ready:
                self.ready = False
                self._tell(Away(why))
            self.out.clear()

    # --- Used by the port -----------------------------------------------------------------------------

    def connect(self, hello: Hello, now_ns: int, seal: Seal | None = None) -> None:
        """Start a session with the pod that identified itself; a `seal` means that it proved its identity.

        Without a seal, a late greeting of an earlier boot is ignored.
        """
        if hello.boot in self._boots and hello.boot != self._boot and seal is None:
            return
        self.connected = True
        self.greets_anew = False
        self.hello = hello
        for line in range(self.screen_size.lines, MOST_LINES):
            self._outbox.drop("TXT", str(line))  # its last screen may have had more lines
        self._seal = seal
        self._foreign_from_ns = now_ns + self._line.silence_ns
        self._heard_ns = now_ns
        self._pings.clear()
        self._pongs.clear()
        self._mark = None
        self.ready = False
        self._begin_boot(hello)
        self._first = None
        self._outbox.begin_anew()
        self._acknowledge()
        self._greeting, self._ping_at_ns = GREETING, now_ns

    def _begin_boot(self, hello: Hello) -> None:
        """Expect the events of a boot, of a known one after the last."""
        if self._boot:
            self._boots[self._boot] = self._expected
        known = self._boots.pop(hello.boot, None)
        if known is not None:
            self._missed(hello.next - known)
        if hello.boot != self._boot or self._line.renews:
            self._clock.forget()
            self._edge = None
            self._vague = False
            self._promised_us = 0
        if self._line.renews:
            self._clock.grain_ns, self.coarse_us = 0, None
            self._outbox.drop("SET", "clock")
        self._boot, self._expected = hello.boot, max(known or 0, hello.next)
        self._boots[self._boot] = self._expected
        if len(self._boots) > BOOTS:
            del self._boots[next(iter(self._boots))]

    def hear(self, heard: Sentence, now_ns: int) -> None:
        """Handle a received sentence. Useless ones are ignored."""
        if not self.connected or (self._seal and not self._proves(heard, self._seal, now_ns)):
            return
        self._heard_ns = now_ns
        if heard.kind == "HEL":
            self._greeted(heard)
            return
        numbers = [number_in(field) for field in heard.fields]
        match heard.kind, numbers:
            case "PON", [int(n), int(t_us), int(last), 0 | 1 as level, int(answered_us)]:
                self._ponged(n, _Pong(t_us, last, level == 1), now_ns, answered_us)
            case "BUZ" | "KEY" | "LST", [int(number), int(t_us), _]:
                self._numbered(heard, number, t_us, now_ns)
            case "ACK", [int(number)]:
                self._outbox.acknowledged(number)
            case "GRN", [int(grain_us)] if self._line.renews and 0 < grain_us <= GRAIN_MOST_US:
                self._clock.grain_ns = max(self._clock.grain_ns, grain_us * US)
                if grain_us > max(GRAIN_BELIEVED_US, self.coarse_us or 0):
                    self.coarse_us = grain_us
                    self.wish("clock", "arrival")
                    self._tell(Coarse(grain_us))
            case "PIX", [int(width), int(height)] if (
                self._line.renews and width in PICTURE_PX and height in PICTURE_PX
            ):
                self.picture_px = width, height
            case "SIT", [int(number)] if self._line.renews and 1 <= number <= MOST_PLACES:
                self._tell(Sits(Place(number - 1)))
            case "NAM", [0 | 1 as more, _] if self._line.renews:
                self._name = (self._name + heard.fields[1])[: NAME_HEARD + 1]
                if not more:
                    name, self._name = self._name, ""
                    self._tell(Named(name))

    @property
    def deadline_ns(self) -> int | None:
        """When to call `tick` next; None while not connected."""
        if not self.connected:
            return None
        due = (self._heard_ns + self._line.silence_ns, self._ping_at_ns, self._outbox.due_ns)
        return min(at_ns for at_ns in due if at_ns is not None)

    def tick(self, now_ns: int) -> None:
        """Write what is due to `out`, just before it is sent."""
        if not self.connected:
            return
        if now_ns - self._heard_ns >= self._line.silence_ns:
            self.disconnect(msg("it is not responding: check its cable"))
            return
        if self._ping_at_ns <= now_ns:
            self._ping(now_ns)
        for numbered in self._outbox.due(now_ns):
            self._write(numbered)

    # --- The pod's sentences --------------------------------------------------------------------------

    def _proves(self, heard: Sentence, seal: Seal, now_ns: int) -> bool:
        """Return True if the pod itself said this. A greeting of another boot ends the session."""
        if heard.proof and seal.takes(heard.proof):
            return True
        hello = read_hello(heard)
        if hello and self.hello and hello.boot != self.hello.boot:
            self._greet_anew(msg("it restarted"))
        elif not (hello or (heard.proof and seal.knows(heard.proof))):
            self._foreign(now_ns)
        return False

    def _greeted(self, heard: Sentence) -> None:
        hello = read_hello(heard)
        if hello is None:
            return
        if hello.identity != self.identity or hello.version != VERSION:
            self.disconnect(msg("another pod is connected at its port"))
        elif hello.boot not in self._boots:
            self._greet_anew(msg("it restarted"))

    def _foreign(self, now_ns: int) -> None:
        if self._foreign_from_ns is not None and now_ns >= self._foreign_from_ns:
            self._foreign_from_ns = None
            self._tell(Foreign())

    def _ponged(self, n: int, pong: _Pong, now_ns: int, answered_us: int) -> None:
        sent_ns = self._pings.pop(n, None)
        if sent_ns is None or (self._line.renews and not self._clock.grain_ns):
            return
        self._pings = {later: at_ns for later, at_ns in self._pings.items() if later > n}
        if not self._clock.learn(sent_ns, pong.t_us, now_ns, answered_us):
            self._greet_anew(msg("its clock jumps, or drifts more than drift_ppm allows"))
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
        what = heard.fields[2]
        if heard.kind == "KEY" and what in self.controls:
            t_ns, uncertainty_ns = self._clock.locate(t_us)
            self._tell(KeyReport(t_ns, uncertainty_ns, what, self._refuses(t_us, t_ns - uncertainty_ns, now_ns)))
        elif heard.kind == "BUZ" and what in {"0", "1"}:
            self._edge = t_us, what == "1"
            self._vague = False
            t_ns, uncertainty_ns = self._place(t_us)
            refused = self._refuses(t_us, t_ns - uncertainty_ns, now_ns)
            self._tell(EdgeReport(t_ns, uncertainty_ns + self._line.stamp_ns, what == "1", refused))
        elif heard.kind == "LST":
            self._edge = None
            self._vague = True
            self._missed(number_in(what) or 0)

    def _refuses(self, t_us: int, earliest_ns: int, now_ns: int) -> bool:
        """Return True if a timestamp is in the future, too old or of a coarse clock."""
        if self.coarse_us:
            return True
        return t_us < self._promised_us or not 0 <= now_ns - earliest_ns <= self._line.believed_ns

    def _place(self, t_us: int) -> tuple[int, int]:
        """Return time and uncertainty of an edge.

        Edges of a bounce are located by the first: the clock's bounds move by more than a bounce lasts.
        """
        first = self._first
        if first is None or t_us - first.last_us >= TOGETHER_US or t_us - first.t_us >= FIRST_US:
            first = _First(t_us, *self._clock.locate(t_us), t_us)
        self._first = first._replace(last_us=t_us)
        since_ns = (t_us - first.t_us) * US
        return first.t_ns + since_ns, first.uncertainty_ns + self._clock.drift_ns(since_ns)

    def _pass_marks(self) -> None:
        """Accept pongs whose earlier events have all arrived, and report the last level."""
        passed = False
        while self.ready and self._pongs and self._pongs[0].last < self._expected:
            pong = self._pongs.popleft()
            self._promised_us = max(self._promised_us, pong.t_us)
            if self._edge is None:
                self._edge = pong.t_us, pong.pressed
            # A pong's level may be newer than its timestamp, so an earlier event overrides it.
            edge_us, pressed = self._edge
            if edge_us <= pong.t_us:
                self._mark = pong._replace(pressed=pressed, vague=self._vague)
                passed = True
        if passed and self._mark:
            self._tell(self._level(self._mark))

    def _level(self, pong: _Pong) -> Level:
        return Level(*self._clock.locate(pong.t_us), pong.pressed, pong.vague)

    def _missed(self, count: int) -> None:
        if count > 0:
            self._tell(Dropped(count))

    # --- The host's sentences -------------------------------------------------------------------------

    def _greet_anew(self, why: Text) -> None:
        self.greets_anew = True
        self.disconnect(why)

    def _ping(self, now_ns: int) -> None:
        often = self._races or self._greeting > 0
        last_ns = self._pings.get(self._pinged)
        if often and last_ns is not None and now_ns - last_ns < self._line.answer_ns:
            self._ping_at_ns = now_ns + LATE_NS  # the pod is busy: another ping would only wait
            return
        self._greeting = max(0, self._greeting - 1)
        self._ping_at_ns = now_ns + (self._line.race_ns if self._races or self._greeting else PING_NS)
        self._pinged += 1
        self._pings[self._pinged] = now_ns
        self._write(sentence("PNG", self._pinged))

    def _acknowledge(self) -> None:
        self._write(sentence("ACK", self._expected - 1))

    def _write(self, written: Sentence) -> None:
        self.out += written.encode(self._seal)
