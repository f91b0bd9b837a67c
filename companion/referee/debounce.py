"""Turns the edges of a bouncing contact into presses. A press has the timestamp of its first edge.

A press begins at an edge, of either polarity, of a line that was released and quiet. It counts if the contact was
closed for CLOSED_NS in total within CONFIRM_NS of that edge, or is closed at the end of that time. The contact is
closed from each "pressed" edge until the next edge. A "released" edge was read too late if the next signal is a
reading that finds the contact closed. A device that debounces itself (flag DEBOUNCED) is believed at once.

Everything else is a spike, ignored until the contact opens. A spike less than CONFIRM_NS before a press looks like
bounce, so the press has its timestamp.

The order of arrival changes nothing. A press is confirmed or dropped only when everything that could change that
must have been reported.
"""

from bisect import bisect_left, bisect_right, insort
from collections import deque
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from companion.core.signal import AWAY, DEBOUNCED, LEVEL, LEVEL_ONLY, REFUSED, SeatSignal, Signal

LineSignal = Signal | SeatSignal

QUIET_NS: Final = 30_000_000
"""How long a line is released and without edges before a press may begin."""

CONFIRM_NS: Final = 5_000_000
"""The time after a first edge in which the contact must prove that it was pressed."""

CLOSED_NS: Final = 1_000_000
"""Total time closed within CONFIRM_NS that makes a press."""

SPIKES_KEPT: Final = 8
"""Number of spikes remembered when old signals are summed up."""

UNKNOWN_MOST: Final = 8
"""Maximum number of undecided presses examined at a time."""

_stamp: Final = attrgetter("t_ns")

_TAP_NS: Final = 1_000_000_000


class Press(NamedTuple):
    """A press, undecided until everything up to `known_ns` is reported, unless `confirmed`.

    `closed`: as far as is known, the contact has stayed closed or was closed for long enough.
    """

    t_ns: int
    uncertainty_ns: int
    confirmed: bool
    flags: tuple[str, ...] = ()
    closed: bool = True
    known_ns: int = 0
    heard_ns: int = 0


class _Contact(NamedTuple):
    pressed: bool = False
    edge_ns: int | None = None
    released_ns: int | None = None


class _Step(NamedTuple):
    """The meaning of a signal. `place` and `contact` are those after it.

    Signals after `until_ns` cannot change it; None: any can.
    """

    place: int
    contact: _Contact
    press: Press | None = None
    spike: Press | None = None
    until_ns: int | None = None


class _Start(NamedTuple):
    """A press that begins at an edge, or a spike that ends before the place `after`.

    Signals after `window_ns` cannot change the press, those after `until_ns` not the spike; None: any can.
    """

    press: Press
    after: int
    window_ns: int | None
    until_ns: int | None


class _Mark(NamedTuple):
    """A place up to which everything is decided, unless a signal up to `until_ns` follows."""

    place: int
    contact: _Contact
    until_ns: int


class Line:
    """Turns the edges and level readings of one buzzer into presses and spikes.

    A place is a signal's index among all that were stored.
    """

    def __init__(self) -> None:
        self._heard: list[LineSignal] = []
        self._levels: list[LineSignal] = []  # the level readings among `_heard`
        self._gone = 0  # number of signals summed up
        self._before = _Contact()
        self._widest_ns = 0  # the largest uncertainty of all edges
        self._marks: deque[_Mark] = deque()
        self._starts: dict[int, _Start] = {}  # by place: complete, but not yet decided
        self._known_presses: deque[tuple[int, Press]] = deque()  # by place
        self._known_spikes: deque[tuple[int, Press]] = deque()
        self._spikes: deque[Press] = deque(maxlen=SPIKES_KEPT)

    def hear(self, signal: LineSignal) -> None:
        """Add an edge, or a level reading (flag LEVEL). Duplicates change nothing: the earliest report counts."""
        order = _order(signal)
        place = at = bisect_left(self._heard, order, key=_order)
        while at < len(self._heard) and _order(self._heard[at]) == order:
            known = self._heard[at]
            if known._replace(received_ns=signal.received_ns) == signal:
                if known.received_ns <= signal.received_ns:
                    return
                del self._heard[at]  # this report is earlier
                self._levels = [level for level in self._levels if level != known]
                break
            at += 1
        changed_ns = signal.t_ns
        if LEVEL not in signal.flags:
            self._widest_ns = max(self._widest_ns, signal.uncertainty_ns)
            near = [
                level
                for level in self._levels
                if abs(level.t_ns - signal.t_ns) <= level.uncertainty_ns + signal.uncertainty_ns
            ]
            for level in near:  # may have been read before the edge or after it
                changed_ns = min(changed_ns, level.t_ns)
                self._levels.remove(level)
                self._heard.remove(level)
                place -= _order(level) < order
        elif self._is_near_edge(signal):
            return  # may have been read before the edge or after it
        else:
            insort(self._levels, signal, key=_order)
        self._heard.insert(place, signal)
        if self._starts:
            self._forget_starts(changed_ns)
        while self._marks and self._marks[-1].until_ns >= changed_ns:
            self._marks.pop()

    def presses(self, settled_ns: int | None = None) -> list[Press]:
        """Return the presses by timestamp. Everything up to `settled_ns` (None: all) must have been reported."""
        unknown, _ = self._walk(settled_ns)
        return [press for _, press in self._known_presses] + unknown

    def spikes(self, settled_ns: int | None = None) -> list[Press]:
        _, spikes = self._walk(settled_ns)
        return [*self._spikes, *(spike for _, spike in self._known_spikes), *spikes]

    def forget(self, before_ns: int) -> None:
        """Sum up the oldest signals, up to the first received at `before_ns` or later."""
        heard = self._heard
        if not heard or heard[0].received_ns >= before_ns:
            return
        kept = next((at for at, signal in enumerate(heard) if signal.received_ns >= before_ns), len(heard))
        place = 0
        while place < kept:
            step = _step(heard, place, self._before, _start, None)
            place, self._before = step.place, step.contact
            if step.spike:
                self._spikes.append(step.spike)
        self._gone += place
        del heard[:place]
        del self._levels[: bisect_left(self._levels, _order(heard[0]), key=_order) if heard else None]
        for known in (self._marks, self._known_presses, self._known_spikes):
            while known and known[0][0] < self._gone:
                known.popleft()
        self._starts = {place: start for place, start in self._starts.items() if place >= self._gone}

    def _walk(self, settled_ns: int | None) -> tuple[list[Press], list[Press]]:
        self._marks = self._marks or deque([_Mark(self._gone, self._before, -1)])
        mark = self._marks[-1]
        for known in (self._known_presses, self._known_spikes):
            while known and known[-1][0] >= mark.place:
                known.pop()
        presses: list[Press] = []
        spikes: list[Press] = []
        place, contact, final, unknown = mark.place - self._gone, mark.contact, True, 0
        while place < len(self._heard) and unknown < UNKNOWN_MOST:
            step = _step(self._heard, place, contact, self._known_start, settled_ns)
            final = final and step.until_ns is not None
            if step.press:
                unknown += not step.press.confirmed
                self._known_presses.append((self._gone + place, step.press)) if final else presses.append(
                    step.press
                )
            if step.spike:
                self._known_spikes.append((self._gone + place, step.spike)) if final else spikes.append(step.spike)
            if final:
                self._starts.pop(self._gone + place, None)
            place, contact = step.place, step.contact
            if final:
                assert step.until_ns is not None
                until_ns = max(self._marks[-1].until_ns, step.until_ns)
                self._marks.append(_Mark(self._gone + place, contact, until_ns))
        return presses, spikes

    def _known_start(self, heard: Sequence[LineSignal], place: int) -> _Start:
        known = self._starts.get(self._gone + place)
        if known is not None:
            return known._replace(after=known.after - self._gone)
        start = _start(heard, place)
        if start.until_ns is not None:
            self._starts[self._gone + place] = start._replace(after=self._gone + start.after)
        return start

    def _forget_starts(self, changed_ns: int) -> None:
        self._starts = {
            place: start
            for place, start in self._starts.items()
            if start.until_ns is not None and start.until_ns < changed_ns
        }

    def _is_near_edge(self, level: LineSignal) -> bool:
        reach_ns = level.uncertainty_ns + self._widest_ns
        first = bisect_left(self._heard, level.t_ns - reach_ns, key=_stamp)
        last = bisect_right(self._heard, level.t_ns + reach_ns, key=_stamp)
        return any(
            LEVEL not in edge.flags and abs(edge.t_ns - level.t_ns) <= edge.uncertainty_ns + level.uncertainty_ns
            for edge in self._heard[first:last]
        )


class Taps:
    """Reports each press of a contact once, in the order of arrival, for menus."""

    def __init__(self) -> None:
        self._line = Line()
        self._told_ns = -1
        self.known_ns: int | None = None
        """When to call `ask`; None while nothing is undecided."""

    def hear(self, signal: LineSignal) -> bool:
        """Add a signal. Return True for a new press."""
        self._line.forget(signal.received_ns - _TAP_NS)
        self._line.hear(signal)
        return self.ask(signal.received_ns)

    def ask(self, now_ns: int) -> bool:
        new = [press for press in self._line.presses(now_ns) if press.t_ns > self._told_ns]
        self.known_ns = next((press.known_ns for press in new if not press.confirmed), None)
        sure = [press.t_ns for press in new if press.confirmed]
        self._told_ns = max([self._told_ns, *sure])
        return bool(sure)


def _order(signal: LineSignal) -> tuple[int, bool, bool, int]:
    return signal.t_ns, LEVEL in signal.flags, signal.pressed, signal.uncertainty_ns


def _step(
    heard: Sequence[LineSignal],
    place: int,
    contact: _Contact,
    begin: Callable[[Sequence[LineSignal], int], _Start],
    settled_ns: int | None,
) -> _Step:
    signal = heard[place]
    quiet = contact.edge_ns is None or signal.t_ns - contact.edge_ns >= QUIET_NS
    if LEVEL in signal.flags:
        changed = signal.pressed and not contact.pressed and AWAY not in signal.flags
        since_ns = contact.released_ns if changed and quiet else None
        press = None if since_ns is None else _between(since_ns, signal)
        released_ns = None if signal.pressed else signal.t_ns - signal.uncertainty_ns
        after = _Contact(signal.pressed, contact.edge_ns, released_ns)
        return _Step(place + 1, after, press, until_ns=signal.t_ns)
    if contact.pressed or not quiet:
        return _Step(place + 1, _Contact(signal.pressed, signal.t_ns), until_ns=signal.t_ns)
    start = begin(heard, place)
    press = start.press
    known = press.confirmed or settled_ns is None or press.known_ns <= settled_ns
    if known and press.closed:
        sure = press._replace(confirmed=True)
        return _Step(place + 1, _Contact(signal.pressed, signal.t_ns), sure, until_ns=start.window_ns)
    if known:
        return _Step(start.after, contact, spike=press, until_ns=start.until_ns)
    return _Step(start.after, contact, press)


def _start(heard: Sequence[LineSignal], place: int) -> _Start:
    last = bisect_right(heard, heard[place].t_ns + CONFIRM_NS, lo=place, key=_stamp)
    press, after = _weigh(heard, place, last), _after_closure(heard, place)
    # The next signal may show that an edge was read too late.
    window_ns = heard[last].t_ns if last < len(heard) else None
    until_ns = max(window_ns, heard[after].t_ns) if window_ns is not None and after < len(heard) else None
    return _Start(press, after, window_ns, until_ns)


def _weigh(heard: Sequence[LineSignal], place: int, last: int) -> Press:
    edge = heard[place]
    end_ns = edge.t_ns + CONFIRM_NS
    # A list, since a generator would be too slow in a flood.
    heard_ns = min([signal.received_ns for signal in heard[place:last]])
    flags = tuple(flag for flag in edge.flags if flag != DEBOUNCED)
    if edge.pressed and DEBOUNCED in edge.flags:
        return Press(edge.t_ns, edge.uncertainty_ns, True, flags, True, edge.t_ns, heard_ns)
    closed, known_ns, for_ns = False, end_ns, 0
    at = place
    for at in range(place, last):
        closed = _leaves_closed(heard, at)
        if closed:
            since_ns = heard[at].t_ns
            closed_ns = _opens_ns(heard, at, end_ns) - since_ns
            if for_ns + closed_ns >= CLOSED_NS:
                known_ns = since_ns + CLOSED_NS - for_ns
                break
            for_ns += closed_ns
    refused_ns = [signal.received_ns for signal in heard[place : at + 1] if REFUSED in signal.flags]
    if refused_ns:  # the device may have invented these edges just before they arrived
        heard_ns = max(refused_ns)
        flags = tuple(dict.fromkeys((*flags, REFUSED)))
    return Press(edge.t_ns, edge.uncertainty_ns, False, flags, closed, known_ns, heard_ns)


def _leaves_closed(heard: Sequence[LineSignal], place: int) -> bool:
    if heard[place].pressed:
        return True
    after = heard[place + 1] if place + 1 < len(heard) else None
    # Nothing happened in between, so the edge was read too late. After an unplugging that proves nothing.
    read_next = after is not None and LEVEL in after.flags and AWAY not in after.flags and after.pressed
    return LEVEL not in heard[place].flags and read_next


def _opens_ns(heard: Sequence[LineSignal], place: int, end_ns: int) -> int:
    after = heard[place + 1] if place + 1 < len(heard) else None
    if after is None or after.t_ns > end_ns:
        return end_ns
    found_open = LEVEL in after.flags and not after.pressed
    return heard[place].t_ns if found_open else after.t_ns  # a reading does not say since when it was open


def _after_closure(heard: Sequence[LineSignal], place: int) -> int:
    while place < len(heard):
        if not _leaves_closed(heard, place):
            return place if LEVEL in heard[place].flags else place + 1
        place += 1
    return place


def _between(earliest_ns: int, level: LineSignal) -> Press:
    latest_ns = level.t_ns + level.uncertainty_ns
    middle_ns = (earliest_ns + latest_ns) // 2
    half_ns = latest_ns - middle_ns
    return Press(middle_ns, half_ns, True, (LEVEL_ONLY,), known_ns=level.t_ns, heard_ns=level.received_ns)
