"""Judges who was first: by timestamps and their uncertainties alone, never by the order of arrival."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from companion.core.console import Call, Race
from companion.core.move import Seat
from companion.core.signal import LEVEL_ONLY
from companion.core.units import MS
from companion.referee.debounce import CLOSED_NS, CONFIRM_NS

SETTLE_MOST_NS: Final = 60_000_000
"""Maximum wait for a verdict after the first call was heard, unless a device asks for more."""


class Decision(NamedTuple):
    """The verdict: one winner, or several that are too close to tell apart.

    `calls` are all calls heard, earliest first. `margin_ns` is the distance between the two earliest timestamps,
    None for a single call. `over_ns` is the earliest end of an uncertainty interval. A call with a timestamp up
    to `margin_end_ns` is within the tie margin of the earliest.
    """

    winners: tuple[Call, ...]
    calls: tuple[Call, ...]
    margin_ns: int | None
    over_ns: int
    margin_end_ns: int

    def has_among_winners(self, call: Call) -> bool:
        """Return True if a call is one of the winners, or would be one if it had been heard."""
        return call.t_ns - call.uncertainty_ns <= self.over_ns or call.t_ns <= self.margin_end_ns


def judge(calls: Iterable[Call], tie_margin_ns: int) -> Decision:
    """Judge each seat's earliest call. Raise ValueError without a call.

    Every call is compared with the earliest, not in a chain. A call is in the tie if its interval begins by the
    time the first interval ends, or if its timestamp is within the margin of the earliest.
    """
    ordered = tuple(sorted(calls, key=lambda call: (call.t_ns, call.seat)))
    if not ordered:
        raise ValueError("no call to judge")
    over_ns = min(call.t_ns + call.uncertainty_ns for call in ordered)
    margin_ns = ordered[1].t_ns - ordered[0].t_ns if len(ordered) > 1 else None
    decision = Decision((), ordered, margin_ns, over_ns, ordered[0].t_ns + tie_margin_ns)
    return decision._replace(winners=tuple(filter(decision.has_among_winners, ordered)))


def settle_ns(slowest_source_ns: int, tie_margin_ns: int, most_ns: int = SETTLE_MOST_NS) -> int:
    """Return how long to wait after the first call was heard: then no call that matters can still be on its way."""
    return min(most_ns, slowest_source_ns + tie_margin_ns)


# --- While it is not known yet: the window in which reports are waited for -----------------------------------


class HeardCall(NamedTuple):
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

    @property
    def at_once(self) -> "HeardCall":
        """The same call as if it had been reported when it was made."""
        made_ns = self.call.t_ns
        return self._replace(heard_ns=made_ns, sure=self.known_ns <= made_ns)


@dataclass
class OpenRace:
    """A race: when its card became visible, and how long to wait for reports.

    The window belongs to the `opener`: the press that was heard first, handicaps counted, and is not known to be
    a spike. At `reads_ns` all levels are read. At `closes_ns` everything stamped before that reading must have
    been reported, and the race is judged. A contact that was closed at the reading without a report has lost its
    edge.

    The verdict comes earlier if everything up to `settles_ns` is proved to be reported, and at `knows_ns` even if
    a press may still be a spike. At `ends_ns` somebody has given the card up, and at `ended_ns` every earlier
    call has been reported: if there is one, the card was not given up; if not, later presses are not calls.
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

    def counts(self, call: Call) -> bool:
        """Return True if a press is a call: by a caller, and not certainly before the card was visible."""
        if self.open_ns is None or call.seat not in self.rules.callers or call.control not in self.rules.controls:
            return False
        return not self.is_early(call)

    def is_early(self, call: Call) -> bool:
        """Return True if a press was certainly before the card was visible, or if it is not visible yet."""
        if self.open_ns is None:
            return True
        latest_ns = call.t_ns + call.uncertainty_ns
        # A contact that was closed when its level was read has closed before.
        return latest_ns <= self.open_ns if LEVEL_ONLY in call.flags else latest_ns < self.open_ns

    def is_given_up_before(self, call: Call) -> bool:
        """Return True if a press was certainly after somebody gave the card up."""
        return self.ends_ns is not None and call.t_ns - call.uncertainty_ns > self.ends_ns

    def follow(self, heard: Sequence[HeardCall], settle: tuple[int, int], now_ns: int) -> None:
        """Open the window at the first press that was heard, move it if that was a spike, or close it.

        `settle` is the delay of the slowest device and the maximum wait, in nanoseconds.
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
        # Includes every call that may be as early as this one, and the time to confirm that it is a press.
        self.settles_ns = call.t_ns + call.uncertainty_ns + apart_ns + CONFIRM_NS

    def is_due(self, heard: Sequence[HeardCall], settle: tuple[int, int], now_ns: int) -> bool:
        """Return True if the window would be over by now if every press had been reported when it was made."""
        at_once = OpenRace(self.rules, self.shown_ns)
        at_once.follow([press.at_once for press in heard], settle, 0)
        return at_once.closes_ns is not None and at_once.closes_ns <= now_ns

    def waits_for(self, press: HeardCall, settled_ns: int, now_ns: int) -> bool:
        """Keep the window open until it is known whether this is a press. Return False after the maximum wait."""
        if self.knows_ns is None:
            self.knows_ns = now_ns + SETTLE_MOST_NS
        self.closes_ns = min(now_ns + press.known_ns - settled_ns, self.knows_ns)
        return now_ns < self.knows_ns

    def unknown(self, heard: Sequence[HeardCall]) -> HeardCall | None:
        """Return the call that must be known to be a press or a spike before the race is judged, if any."""
        judged = self.rules.as_judged
        sure = [judged(press.call) for press in heard if press.sure]
        decision = judge(sure, self.rules.tie_margin_ms * MS) if sure else None
        unknown = [
            press
            for press in heard
            if not press.sure and (decision is None or decision.has_among_winners(judged(press.call)))
        ]
        return min(unknown, key=lambda press: press.known_ns, default=None)

    def close(self) -> None:
        self.opener = self.reads_ns = self.closes_ns = self.settles_ns = self.knows_ns = None


def first_calls(heard: Sequence[HeardCall]) -> list[HeardCall]:
    """Return each seat's first call, including late ones that may still be spikes."""
    firsts: dict[Seat, HeardCall] = {}
    for press in sorted(heard, key=lambda press: press.call.t_ns):
        if press.sure or press.closed:
            firsts.setdefault(press.call.seat, press)
    return list(firsts.values())


@dataclass(frozen=True)
class LastRace:
    """The last race that was judged, to recognise late reports. No call was later than `ends_ns`."""

    rules: Race
    decision: Decision
    open_ns: int
    ends_ns: int | None

    def would_have_mattered(self, call: Call) -> bool:
        """Return True if a call that was reported after the verdict would have been one of its winners."""
        if call.seat not in self.rules.callers or call.control not in self.rules.controls:
            return False
        if any(call.seat == heard.seat for heard in self.decision.calls):
            return False
        may_be_in_time = call.t_ns + call.uncertainty_ns >= self.open_ns
        if self.ends_ns is not None and call.t_ns - call.uncertainty_ns > self.ends_ns:
            return False
        return may_be_in_time and self.decision.has_among_winners(self.rules.as_judged(call))
