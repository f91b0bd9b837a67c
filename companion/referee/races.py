"""What was heard of calls: presses not dealt with yet, the open race, the last one that was judged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from companion.core.clock import MS
from companion.core.console import BUZZ, Call, Race
from companion.core.move import Seat, by_seat
from companion.core.signal import AWAY, LEVEL, LEVEL_ONLY, REFUSED, SeatSignal
from companion.referee.arbiter import SETTLE_MOST_NS, Verdict, judge, settle_ns
from companion.referee.debounce import CLOSED_NS, CONFIRM_NS, SPIKES_KEPT, Line, Press

KEEP_NS: Final = 300_000_000
"""What a contact did longer than this before a report of it is summed up."""

STOP_NS: Final = 300_000_000
"""A press this soon after a card was done with was still meant for it: nobody stops faster."""


SAID: Final = "said_"
"""A flag that begins so has the nanoseconds that a device said of a press whose stamp is refused."""


def as_it_counts(call: Call, arrived_ns: int) -> Call:
    """Return a press whose stamp is refused with that by which it is judged: its arrival."""
    said = () if any(flag.startswith(SAID) for flag in call.flags) else (f"{SAID}{max(0, call.t_ns)}",)
    return call._replace(t_ns=arrived_ns, uncertainty_ns=0, flags=(*call.flags, *said))


def _no_later_than_heard(edge: SeatSignal) -> SeatSignal:
    """Return an edge whose stamp is surely later than its arrival: it is refused, and nobody waits for it."""
    flags = tuple(dict.fromkeys((*edge.flags, REFUSED, f"{SAID}{edge.t_ns}")))
    return edge._replace(t_ns=edge.received_ns, uncertainty_ns=0, flags=flags)


class Heard(NamedTuple):
    """A press as a call: it was heard of at `heard_ns`. While it is not `sure` it may be a spike, until `known_ns`.

    `closed` is whether its contact is closed as far as is known, or was for long enough. The call has the stamp by
    which it is judged; by what its device said, `said_ns`, it is known again.
    """

    call: Call
    sure: bool
    closed: bool
    known_ns: int
    heard_ns: int
    said_ns: int


class PressLog:
    """All contacts and call keys of a match; remembers which presses were dealt with."""

    def __init__(self, seats: int) -> None:
        self._lines = [Line() for _ in range(seats)]
        self._readings: list[SeatSignal] = []
        self._keyed: list[list[Heard]] = [[] for _ in range(seats)]
        self._done_ns = [-1] * seats  # by what was said
        self._dropped_ns = -1  # by what counts

    def hear(self, signals: Iterable[SeatSignal]) -> None:
        """Note edges, and level readings, which prove something only when they are settled."""
        for signal in signals:
            if not 0 <= signal.seat < len(self._lines):
                continue
            if LEVEL in signal.flags and AWAY not in signal.flags:
                self._readings.append(signal)
            else:
                is_later = signal.t_ns - signal.uncertainty_ns > signal.received_ns
                self._lines[signal.seat].hear(_no_later_than_heard(signal) if is_later else signal)

    def forget(self, seat: Seat, before_ns: int) -> None:
        """Sum up what one contact did before a moment, so that a long match costs no more than a short one."""
        self._believe(before_ns)  # else an old level would come behind the edges that are summed up
        self._lines[seat].forget(before_ns)

    def key(self, call: Call, heard_ns: int) -> None:
        """Note a key that may be a call; its device has debounced it."""
        counts = as_it_counts(call, heard_ns) if REFUSED in call.flags else call
        self._keyed[call.seat].append(Heard(counts, True, True, counts.t_ns, heard_ns, call.t_ns))

    def plug(self, seat: Seat, readings: Iterable[SeatSignal]) -> None:
        """Note the level of a contact that was away: if it is held now, that is no press."""
        levels = [reading for reading in readings if reading.seat == seat and LEVEL in reading.flags]
        self.hear(level._replace(flags=(*level.flags, AWAY)) for level in levels)

    def new(self, seat: Seat, settled_ns: int) -> list[Heard]:
        """Return a seat's presses that were not dealt with, the earliest first, each with the stamp that counts.

        What happened up to `settled_ns` must have been reported by now: only a level that was read so long ago
        is believed, since the edges before it might be on their way.
        """
        self._believe(settled_ns)
        presses = [_heard(seat, press) for press in self._lines[seat].presses(settled_ns)]
        done_ns, dropped_ns = self._done_ns[seat], self._dropped_ns
        new = [
            heard
            for heard in (*presses, *self._keyed[seat])
            if heard.said_ns > done_ns and heard.call.t_ns > dropped_ns
        ]
        return sorted(new, key=lambda heard: heard.call.t_ns)

    def spikes(self, since_ns: int, settled_ns: int) -> list[Call]:
        """Return what contacts did since a moment that was no press, the earliest first; of each the last few."""
        spikes = [
            _call(seat, spike)
            for seat, line in by_seat(self._lines)
            for spike in line.spikes(settled_ns)[-SPIKES_KEPT:]
        ]
        return sorted((spike for spike in spikes if spike.t_ns >= since_ns), key=lambda spike: spike.t_ns)

    def _believe(self, settled_ns: int) -> None:
        """Believe the levels that were read so long ago that the edges before them must have been reported."""
        for reading in [reading for reading in self._readings if reading.t_ns <= settled_ns]:
            self._lines[reading.seat].hear(reading)
            self._readings.remove(reading)

    def done_until(self, t_ns: int) -> None:
        """Deal with everything up to a moment at once: nothing comes of it."""
        self._dropped_ns = max(self._dropped_ns, t_ns)
        self._keyed = [[] for _ in self._keyed]

    def done(self, heard: Heard) -> None:
        """Remember that a press, and whatever that seat did before it, was dealt with."""
        seat = heard.call.seat
        self._done_ns[seat] = max(self._done_ns[seat], heard.said_ns)
        self._keyed[seat] = [key for key in self._keyed[seat] if key.said_ns > self._done_ns[seat]]


def _call(seat: Seat, press: Press) -> Call:
    return Call(seat, press.t_ns, press.uncertainty_ns, BUZZ, press.flags)


def _heard(seat: Seat, press: Press) -> Heard:
    call = _call(seat, press)
    if REFUSED in call.flags:
        call = as_it_counts(call, press.heard_ns)
    return Heard(call, press.confirmed, press.closed, press.known_ns, press.heard_ns, press.t_ns)


@dataclass
class OpenRace:
    """A race: since when the card is visible, and how long to wait for what may still be reported.

    The window is that of the `opener`, the press that was heard first, its seat's handicap counted, and is no
    spike, as far as is known. At `reads_ns` all levels are read, and at `closes_ns`, when everything stamped up
    to that reading must have been reported, the race is judged. A contact that was closed at the reading
    without a report has lost its edge. It is judged earlier when everything up to `settles_ns` is proved to
    have been reported. At `knows_ns` it is judged also where it is not known yet whether something is a press.
    At `ends_ns` somebody has pressed what gives the card up: what is later is no call, and at `ended_ns` every
    earlier one has been reported.
    """

    rules: Race
    shown_ns: int
    open_ns: int | None = None
    opener: tuple[Seat, int] | None = None
    reads_ns: int | None = None
    closes_ns: int | None = None
    settles_ns: int | None = None
    knows_ns: int | None = None
    ends_ns: int | None = None
    ended_ns: int | None = None
    pauses: list[tuple[int, int]] = field(default_factory=list)

    def counts(self, call: Call, paused_since_ns: int | None) -> bool:
        """Tell whether a press is a call: by who may, not surely before the card was visible, not in a pause."""
        if self.open_ns is None or call.seat not in self.rules.callers or call.control not in self.rules.controls:
            return False
        if paused_since_ns is not None and call.t_ns > paused_since_ns:
            return False
        if any(begin < call.t_ns <= end for begin, end in self.pauses):
            return False
        latest_ns = call.t_ns + call.uncertainty_ns
        # A contact that was closed when its level was read has closed before.
        return latest_ns > self.open_ns if LEVEL_ONLY in call.flags else latest_ns >= self.open_ns

    def follow(self, heard: Sequence[Heard], settle: tuple[int, int], now_ns: int) -> None:
        """Open the window at the first press that was heard, move it when that was a spike, or close it.

        `settle` is how late the slowest reports, and how long is waited at most, in nanoseconds.
        """
        slowest_ns, most_ns = settle
        later_ns = self.rules.handicap_ns
        first = min(heard, key=lambda press: press.heard_ns + later_ns(press.call.seat), default=None)
        opener = (first.call.seat, first.heard_ns) if first else None
        if opener == self.opener:
            return
        self.opener, self.knows_ns = opener, None
        if first is None:
            self.reads_ns = self.closes_ns = self.settles_ns = None
            return
        call = self.rules.as_judged(first.call)
        apart_ns = max(self.rules.tie_margin_ms * MS, 2 * call.uncertainty_ns)
        # A contact that stays closed is known to be pressed when that is over.
        wait_ns = settle_ns(slowest_ns, apart_ns if first.sure else max(apart_ns, CLOSED_NS), most_ns)
        self.closes_ns = max(now_ns, first.heard_ns + later_ns(call.seat) + wait_ns)
        self.reads_ns = max(now_ns, self.closes_ns - slowest_ns)
        # Whatever may be a call as early as this one; whether it is a press is known a little after it.
        self.settles_ns = call.t_ns + call.uncertainty_ns + apart_ns + CONFIRM_NS

    def waits_for(self, press: Heard, settled_ns: int, now_ns: int) -> bool:
        """Keep the window open until it must be known whether this is a press; not for ever, then it is False."""
        if self.knows_ns is None:
            self.knows_ns = now_ns + SETTLE_MOST_NS
        self.closes_ns = min(now_ns + press.known_ns - settled_ns, self.knows_ns)
        return now_ns < self.knows_ns

    def unknown(self, heard: Sequence[Heard]) -> Heard | None:
        """Return what has to be known to be a press or a spike before the race is judged; None: nothing."""
        judged = self.rules.as_judged
        sure = [judged(press.call) for press in heard if press.sure]
        limit_ns = judge(sure, self.rules.tie_margin_ms * MS).limit_ns if sure else None
        unknown = [
            press
            for press in heard
            if not press.sure
            and (limit_ns is None or judged(press.call).t_ns - press.call.uncertainty_ns <= limit_ns)
        ]
        return min(unknown, key=lambda press: press.known_ns, default=None)

    def close(self) -> None:
        """Close the window: the calls are judged."""
        self.opener = self.reads_ns = self.closes_ns = self.settles_ns = self.knows_ns = None


def first_calls(heard: Sequence[Heard]) -> list[Heard]:
    """Return each seat's first call, also one that came too late to be asked for long whether it was a spike."""
    firsts: dict[Seat, Heard] = {}
    for press in sorted(heard, key=lambda press: press.call.t_ns):
        if press.sure or press.closed:
            firsts.setdefault(press.call.seat, press)
    return list(firsts.values())


@dataclass(frozen=True)
class Judged:
    """The last race that was judged, to recognise reports that come too late."""

    rules: Race
    verdict: Verdict
    open_ns: int

    def would_have_mattered(self, call: Call) -> bool:
        """Tell whether a call that was reported after the verdict would have been one of its winners."""
        if call.seat not in self.rules.callers or call.control not in self.rules.controls:
            return False
        if any(call.seat == heard.seat for heard in self.verdict.calls):
            return False
        may_be_in_time = call.t_ns + call.uncertainty_ns >= self.open_ns
        return may_be_in_time and self.rules.as_judged(call).t_ns - call.uncertainty_ns <= self.verdict.limit_ns
