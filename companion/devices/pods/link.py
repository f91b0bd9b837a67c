"""The conversation with one pod, wherever it is plugged in: no thread, no clock, no port.

Sentences and the time come in; bytes to be written gather in `out`; what the pod reports is told by events.
"""

from collections import deque
from collections.abc import Callable
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
"""The beat of pings while no race is open."""

TOGETHER_US: Final = 30_000
"""Edges of a bounce are less far apart: they are placed by the first of them."""

FIRST_US: Final = 100_000
"""No edge is placed by another that is older than this."""

GRAIN_MOST_US: Final = 1_000_000
"""The coarsest clock that is accepted."""

GRAIN_BELIEVED_US: Final = 17_000
"""The coarsest clock of a browser, 16.67 ms: presses by a coarser one count from their arrival."""

PICTURE_PX: Final = range(64, 4_097)
"""How wide or high, in pixels, what a screen shows of pictures may be."""

NAME_HEARD: Final = 2 * NAME_SIGNS
"""The most characters of a name that are kept: more are too many anyway, and a refusal quotes no more."""

MOST_LINES: Final = 4

TEXT_LONGEST: Final = 90
"""Characters of a sentence that a text may take: what is not ASCII takes six and more."""

WIDE, HIGH = "W", "Q"
"""The capabilities of a pod whose screen has 20 characters in a line, and four lines."""

LATE_NS: Final = 2 * MS + MS // 8
"""How often to look again for the answer of a ping that had none when the next one was due."""

GREETING: Final = 8
"""How many pings begin a session, to know its clock."""

BOOTS: Final = 64
"""How many starts of a pod are remembered, to recognise a late greeting."""


class LinkTiming(NamedTuple):
    """The timing of a kind of line and of the device at its other end; the defaults are a pod's.

    The first `GREETING` pings of a session and those of a race come on the beat of `race_ns`: each when the one
    before was answered, or lost, which means not answered in `answer_ns`. USB looks once in a millisecond: pings
    each an eighth of that later find out how far it can be from a ping to the next look. `stamp_ns` from the
    contact to the stamp in the pod's interrupt add to what is uncertain. No stamp is believed that is older than
    `believed_ns` when it arrives: the most that can be won by a lie. With `renews` each session may have another
    clock, and its grain has to be told first.
    """

    race_ns: int = 8 * MS + MS // 8
    answer_ns: int = 25 * MS
    silence_ns: int = 1_000 * MS
    stamp_ns: int = 50_000
    believed_ns: int = 30 * MS
    renews: bool = False


POD: Final = LinkTiming()
"""A pod, on USB or a UART."""

_LAMPS: Final = {Lamp.OFF: 0, Lamp.ON: 1, Lamp.BLINK: 2}


class _First(NamedTuple):
    """The first edge of a bounce: when it was by the pod's clock, where it was placed, and when the last was."""

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
    """One pod, by its identity; outlives the port at which it was found and the cable that was pulled.

    With a `key` it has to prove who it is before it is connected. `greets_anew` tells that it is still at its port
    although it is not connected any more, and has to be asked again who it is.
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
        self.coarse_us: int | None = None
        """How coarse it says that its clock is, where that is more than is believed."""
        self.picture_px: tuple[int, int] | None = None
        """How large a picture its screen shows, as it has said last; None where it shows none."""
        self._tell = tell
        self._line = line or POD
        self._name = ""  # what was heard of it
        self._clock = PodClock(drift_ppm)
        self._boots: dict[str, int] = {}  # what was expected of each when another came, the last one last
        self._boot = ""
        self._expected = 1
        self._edge: tuple[int, bool] | None = None  # when the contact changed last, and its level since
        self._first: _First | None = None
        self._vague = False  # events are missing, so the level is known from pongs alone
        self._promised_us = 0  # everything up to then was made before what is expected now
        self._pings: dict[int, int] = {}
        self._pinged = 0
        self._ping_at_ns = 0
        self._greeting = 0  # how many of its pings are left
        self._races = False
        self._pongs: deque[_Pong] = deque()  # they wait for events that were made before them
        self._mark: _Pong | None = None
        self._heard_ns = 0
        self._outbox = Outbox()
        self._seal: Seal | None = None
        self._foreign_from_ns: int | None = None  # until then it may be of the session before

    # --- What the table does with it ------------------------------------------------------------------

    @property
    def settled_ns(self) -> int | None:
        """Up to when everything that happened at this pod has been told; None while it cannot be relied on.

        Events that count from their arrival are not on their way either.
        """
        if not self.ready or self.coarse_us:
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
        self._outbox.want("LMP", str(_LAMPS[lamp]))

    @property
    def screen_size(self) -> ScreenSize:
        """How much room the private screen has, as the pod has said last."""
        usual, can = ScreenSize(), self.hello.capabilities if self.hello else ""
        return ScreenSize(20 if WIDE in can else usual.columns, 4 if HIGH in can else usual.lines)

    def say(self, *lines: str) -> None:
        """Show lines on the private screen, now or as soon as the pod can be told; what does not fit is cut."""
        columns, count = self.screen_size
        for line, text in enumerate((*lines, *[""] * count)[:count]):
            self._outbox.want("TXT", str(line), cut(text[:columns], TEXT_LONGEST))

    def wish(self, name: str, value: str) -> None:
        """Tell how something is to be, now or as soon as the pod can be told."""
        self._outbox.want("SET", name, value)

    @property
    def uncertainty_ns(self) -> int | None:
        """How uncertain a stamp of this moment would be; None while the pod cannot be relied on."""
        return self._clock.locate(self._mark.t_us)[1] + self._line.stamp_ns if self.ready and self._mark else None

    def race(self, *, on: bool, now_ns: int) -> None:
        """Ping on the beat of a race from now on, or no more; whether anybody presses changes nothing of it."""
        self._races = on
        if on:
            self._ping_at_ns = min(self._ping_at_ns, now_ns)

    def disconnect(self, why: Text) -> None:
        """End the conversation: the pod is gone from its port. What it has to be told waits for it."""
        if self.connected:
            self.connected = False
            if self.ready:
                self.ready = False
                self._tell(Away(why))
            self.out.clear()

    # --- What the port does with it -------------------------------------------------------------------

    def connect(self, hello: Hello, now_ns: int, seal: Seal | None = None) -> None:
        """Begin, or go on, with the pod that has answered at a port; with a seal it has proved who it is.

        It has forgotten what it was told, since it has answered a new session. A late greeting from before its last
        start is ignored; a proof does not come late, and a phone's page may be opened twice.
        """
        if hello.boot in self._boots and hello.boot != self._boot and seal is None:
            return
        self.connected = True
        self.greets_anew = False
        self.hello = hello
        for line in range(self.screen_size.lines, MOST_LINES):
            self._outbox.drop("TXT", str(line))  # of a screen that it had before
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
        """Expect the events of a boot, from where it was if it was there before."""
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
        """Act on a sentence that has arrived by now; one that says nothing of use is ignored."""
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
        """When `tick` is next due; None while the pod is not connected."""
        if not self.connected:
            return None
        due = (self._heard_ns + self._line.silence_ns, self._ping_at_ns, self._outbox.due_ns)
        return min(at_ns for at_ns in due if at_ns is not None)

    def tick(self, now_ns: int) -> None:
        """Write what is due by now, just before it is sent."""
        if not self.connected:
            return
        if now_ns - self._heard_ns >= self._line.silence_ns:
            self.disconnect(msg("it does not answer any more: see to its cable"))
            return
        if self._ping_at_ns <= now_ns:
            self._ping(now_ns)
        for numbered in self._outbox.due(now_ns):
            self._write(numbered)

    # --- The pod's sentences --------------------------------------------------------------------------

    def _proves(self, heard: Sentence, seal: Seal, now_ns: int) -> bool:
        """Tell whether the pod has said this, and nobody else; a greeting of a new start ends its session."""
        if heard.proof and seal.takes(heard.proof):
            return True
        hello = read_hello(heard)
        if hello and self.hello and hello.boot != self.hello.boot:
            self._greet_anew(msg("it was started anew"))
        elif not (hello or (heard.proof and seal.knows(heard.proof))):
            self._foreign(now_ns)
        return False

    def _greeted(self, heard: Sentence) -> None:
        hello = read_hello(heard)
        if hello is None:
            return
        if hello.identity != self.identity or hello.version != VERSION:
            self.disconnect(msg("another pod answers at its port"))
        elif hello.boot not in self._boots:
            self._greet_anew(msg("it was started anew"))

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
        if heard.kind == "KEY" and what in KEYS:
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
        """Tell whether a stamp lies ahead, farther back than is believed or promised, or is of a coarse clock."""
        if self.coarse_us:
            return True
        return t_us < self._promised_us or not 0 <= now_ns - earliest_ns <= self._line.believed_ns

    def _place(self, t_us: int) -> tuple[int, int]:
        """Return when an edge was, and how uncertain that is: from edge to edge of a bounce the pod knows the time.

        The bounds of its clock move with each ping, by more than a spike is long.
        """
        first = self._first
        if first is None or t_us - first.last_us >= TOGETHER_US or t_us - first.t_us >= FIRST_US:
            first = _First(t_us, *self._clock.locate(t_us), t_us)
        self._first = first._replace(last_us=t_us)
        since_ns = (t_us - first.t_us) * US
        return first.t_ns + since_ns, first.uncertainty_ns + self._clock.drift_ns(since_ns)

    def _pass_marks(self) -> None:
        """Take the pongs before which all events have arrived as marks; tell of the last of them."""
        passed = False
        while self.ready and self._pongs and self._pongs[0].last < self._expected:
            pong = self._pongs.popleft()
            self._promised_us = max(self._promised_us, pong.t_us)
            if self._edge is None:
                self._edge = pong.t_us, pong.pressed
            # The level of a pong may be younger than its stamp: an event knows better, unless it is younger too.
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
        """Have the pod asked who it is, and rely on nothing until it has answered."""
        self.greets_anew = True
        self.disconnect(why)

    def _ping(self, now_ns: int) -> None:
        often = self._races or self._greeting > 0
        last_ns = self._pings.get(self._pinged)
        if often and last_ns is not None and now_ns - last_ns < self._line.answer_ns:
            self._ping_at_ns = now_ns + LATE_NS  # the pod is not done: another would only wait there
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
