"""What was heard of calls: presses not dealt with yet, the open race, the last one that was judged."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from companion.core.clock import MS
from companion.core.console import BUZZ, Call, Race
from companion.core.move import Seat
from companion.core.signal import AWAY, LEVEL, LEVEL_ONLY, SeatSignal
from companion.referee.arbiter import Verdict, settle_ns
from companion.referee.debounce import CONFIRM_NS, Line

KEEP_NS: Final = 300_000_000
"""What a contact did longer than this before a report of it is summed up."""

STOP_NS: Final = 300_000_000
"""A press this soon after a verdict was meant for the card that was judged: nobody stops faster."""


class PressLog:
    """All contacts and call keys of a match; remembers which presses were dealt with."""

    def __init__(self, seats: int) -> None:
        self._lines = [Line() for _ in range(seats)]
        self._readings: list[SeatSignal] = []
        self._keyed: list[list[Call]] = [[] for _ in range(seats)]
        self._done_ns = [-1] * seats

    def hear(self, signals: Iterable[SeatSignal]) -> None:
        """Note edges, and level readings, which prove something only when they are settled."""
        for signal in signals:
            if not 0 <= signal.seat < len(self._lines):
                continue
            if LEVEL in signal.flags and AWAY not in signal.flags:
                self._readings.append(signal)
            else:
                self._lines[signal.seat].hear(signal)

    def forget(self, seat: Seat, before_ns: int) -> None:
        """Sum up what one contact did before a moment, so that a long match costs no more than a short one."""
        self._believe(before_ns)  # else an old level would come behind the edges that are summed up
        self._lines[seat].forget(before_ns)

    def key(self, call: Call) -> None:
        """Note a key that may be a call."""
        self._keyed[call.seat].append(call)

    def plug(self, seat: Seat, readings: Iterable[SeatSignal]) -> None:
        """Note the level of a contact that was away: if it is held now, that is no press."""
        levels = [reading for reading in readings if reading.seat == seat and LEVEL in reading.flags]
        self.hear(level._replace(flags=(*level.flags, AWAY)) for level in levels)

    def new(self, seat: Seat, settled_ns: int) -> list[tuple[Call, bool]]:
        """Return a seat's presses that were not dealt with, each with whether it is confirmed.

        What happened up to `settled_ns` must have been reported by now: only a level that was read so long ago
        is believed, since the edges before it might be on their way.
        """
        self._believe(settled_ns)
        calls = [
            (Call(seat, press.t_ns, press.uncertainty_ns, BUZZ, press.flags), press.confirmed)
            for press in self._lines[seat].presses()
        ]
        calls += [(call, True) for call in self._keyed[seat]]
        return [(call, confirmed) for call, confirmed in calls if call.t_ns > self._done_ns[seat]]

    def _believe(self, settled_ns: int) -> None:
        """Believe the levels that were read so long ago that the edges before them must have been reported."""
        for reading in [reading for reading in self._readings if reading.t_ns <= settled_ns]:
            self._lines[reading.seat].hear(reading)
            self._readings.remove(reading)

    def done_until(self, t_ns: int) -> None:
        """Deal with everything up to a moment at once: nothing comes of it."""
        self._done_ns = [max(done_ns, t_ns) for done_ns in self._done_ns]
        self._keyed = [[] for _ in self._keyed]

    def done(self, call: Call) -> None:
        """Remember that a press, and whatever that seat did before it, was dealt with."""
        seat = call.seat
        self._done_ns[seat] = max(self._done_ns[seat], call.t_ns)
        self._keyed[seat] = [key for key in self._keyed[seat] if key.t_ns > self._done_ns[seat]]


@dataclass
class OpenRace:
    """A race: since when the card is visible, and how long to wait for what may still be reported.

    `heard_ns` is when the first sure call was heard. At `reads_ns` all levels are read, and at `closes_ns`, when
    everything stamped up to that reading must have been reported, the race is judged. A contact that was closed
    at the reading without a report has lost its edge. It is judged earlier when everything up to `settles_ns` is
    proved to have been reported.
    """

    rules: Race
    shown_ns: int
    open_ns: int | None = None
    opener: Call | None = None
    heard_ns: int | None = None
    reads_ns: int | None = None
    closes_ns: int | None = None
    settles_ns: int | None = None
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

    def hears(self, call: Call, confirmed: bool, slowest_ns: int, now_ns: int) -> None:
        """Open the window at the first sure call; an edge that may be noise opens one that a call will move."""
        if self.heard_ns is not None or (self.closes_ns is not None and not confirmed):
            return
        apart_ns = max(self.rules.tie_margin_ms * MS, 2 * call.uncertainty_ns)
        self.closes_ns = now_ns + settle_ns(slowest_ns, apart_ns)
        self.reads_ns = max(now_ns, self.closes_ns - slowest_ns)
        self.opener = call
        self.heard_ns = now_ns if confirmed else None
        # Whatever may be a call as early as this one; what confirms an edge may come a little after it.
        self.settles_ns = call.t_ns + call.uncertainty_ns + apart_ns + CONFIRM_NS

    def is_settled(self, settled_ns: int) -> bool:
        """Tell whether a sure call was heard, and no call that matters can still be on its way."""
        return self.heard_ns is not None and self.settles_ns is not None and self.settles_ns <= settled_ns

    def close(self, calls: Iterable[Call]) -> bool:
        """Close the window; tell whether it is time to judge the calls found in it.

        It is not when noise had opened it, and the calls were first heard while it was open.
        """
        opened_by_call = self.heard_ns is not None or any(
            self.opener is not None and call.seat == self.opener.seat and call.t_ns <= self.opener.t_ns
            for call in calls
        )
        self.opener = None
        self.heard_ns = self.reads_ns = self.closes_ns = self.settles_ns = None
        return opened_by_call


@dataclass(frozen=True)
class Judged:
    """The last race that was judged, to recognise reports that come too late, and presses meant for it."""

    rules: Race
    verdict: Verdict
    open_ns: int
    judged_ns: int

    def would_have_mattered(self, call: Call) -> bool:
        """Tell whether a call that was reported after the verdict would have been one of its winners."""
        if call.seat not in self.rules.callers or call.control not in self.rules.controls:
            return False
        if any(call.seat == heard.seat for heard in self.verdict.calls):
            return False
        may_be_in_time = call.t_ns + call.uncertainty_ns >= self.open_ns
        return may_be_in_time and call.t_ns - call.uncertainty_ns <= self.verdict.limit_ns

    def was_meant(self, call: Call) -> bool:
        """Tell whether a press was still meant for the card that was judged (BH-R8: it costs nothing)."""
        return call.t_ns < self.judged_ns + STOP_NS
