"""Decides who was first: by timestamps and their uncertainties alone, never by the order of arrival."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from companion.core.console import Call, Race
from companion.core.move import Seat
from companion.core.signal import LEVEL_ONLY
from companion.core.units import MS
from companion.referee.debounce import CLOSED_NS, CONFIRM_NS

SETTLE_MOST_NS: Final = 60_000_000
"""Maximum wait for a verdict, unless a device asks for more."""


class Decision(NamedTuple):
    """The verdict: one winner, or several that are too close to tell apart.

    `calls` are sorted by timestamp. `margin_ns` is the distance between the two earliest, None for a single call.
    `over_ns` is the earliest end of an uncertainty interval, `margin_end_ns` the end of the tie margin.
    """

    winners: tuple[Call, ...]
    calls: tuple[Call, ...]
    margin_ns: int | None
    over_ns: int
    margin_end_ns: int

    def has_among_winners(self, call: Call) -> bool:
        """Return True if a call wins, or would if it had been reported."""
        return call.t_ns - call.uncertainty_ns <= self.over_ns or call.t_ns <= self.margin_end_ns


def judge(calls: Iterable[Call], tie_margin_ns: int) -> Decision:
    """Judge each seat's earliest call. Raises ValueError without a call.

    A call is in the tie if its interval begins by the time the first interval ends, or if its timestamp is within
    the tie margin of the earliest.
    """
    ordered = tuple(sorted(calls, key=lambda call: (call.t_ns, call.seat)))
    if not ordered:
        raise ValueError("no call to judge")
    over_ns = min(call.t_ns + call.uncertainty_ns for call in ordered)
    margin_ns = ordered[1].t_ns - ordered[0].t_ns if len(ordered) > 1 else None
    decision = Decision((), ordered, margin_ns, over_ns, ordered[0].t_ns + tie_margin_ns)
    return decision._replace(winners=tuple(filter(decision.has_among_winners, ordered)))


def settle_ns(slowest_source_ns: int, tie_margin_ns: int, most_ns: int = SETTLE_MOST_NS) -> int:
    return min(most_ns, slowest_source_ns + tie_margin_ns)


# --- The window in which earlier calls may still arrive ------------------------------------------------------


class HeardCall(NamedTuple):
    """A press as a call. If it is not `sure`, it may be a spike until `known_ns`.

    It is judged by `call.t_ns`; `said_ns`, the device's timestamp, identifies it.
    """

    call: Call
    sure: bool
    closed: bool
    known_ns: int
    heard_ns: int
    said_ns: int

    @property
    def at_once(self) -> "HeardCall":
        made_ns = self.call.t_ns
        return self._replace(heard_ns=made_ns, sure=self.known_ns <= made_ns)


@dataclass
class OpenRace:
    """A race: when its card became visible, and the window in which its calls are collected.

    The window begins with the `opener`, the first reported press, handicaps included. At `reads_ns` all levels are
    read: a contact that is closed without a report has lost its edge. At `closes_ns` everything from before that
    reading has been reported, and the race is judged. It is judged earlier if everything up to `settles_ns` is
    proved to be reported, and at `knows_ns` even if a press may still be a spike.

    At `ends_ns` somebody gave the card up, unless an earlier call is reported by `ended_ns`.
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
        if self.open_ns is None or call.seat not in self.rules.callers or call.control not in self.rules.controls:
            return False
        return not self.is_early(call)

    def is_early(self, call: Call) -> bool:
        """Return True if a press was certainly before the card was visible."""
        if self.open_ns is None:
            return True
        latest_ns = call.t_ns + call.uncertainty_ns
        # The contact closed before its level was read.
        return latest_ns <= self.open_ns if LEVEL_ONLY in call.flags else latest_ns < self.open_ns

    def is_given_up_before(self, call: Call) -> bool:
        return self.ends_ns is not None and call.t_ns - call.uncertainty_ns > self.ends_ns

    def follow(self, heard: Sequence[HeardCall], settle: tuple[int, int], now_ns: int) -> None:
        """Open, move or close the window. `settle`: the slowest device's delay and the maximum wait (ns)."""
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
        # A contact that stays closed is known to be pressed after CLOSED_NS.
        wait_ns = settle_ns(slowest_ns, apart_ns if first.sure else max(apart_ns, CLOSED_NS), most_ns)
        self.closes_ns = max(now_ns, first.heard_ns + later_ns(call.seat) + wait_ns)
        self.reads_ns = max(now_ns, self.closes_ns - slowest_ns)
        # Includes every call that may be as early as this one, and the time to confirm it.
        self.settles_ns = call.t_ns + call.uncertainty_ns + apart_ns + CONFIRM_NS

    def is_due(self, heard: Sequence[HeardCall], settle: tuple[int, int], now_ns: int) -> bool:
        at_once = OpenRace(self.rules, self.shown_ns)
        at_once.follow([press.at_once for press in heard], settle, 0)
        return at_once.closes_ns is not None and at_once.closes_ns <= now_ns

    def waits_for(self, press: HeardCall, settled_ns: int, now_ns: int) -> bool:
        """Extend the window until this press is decided. Return False after the maximum wait."""
        if self.knows_ns is None:
            self.knows_ns = now_ns + SETTLE_MOST_NS
        self.closes_ns = min(now_ns + press.known_ns - settled_ns, self.knows_ns)
        return now_ns < self.knows_ns

    def unknown(self, heard: Sequence[HeardCall]) -> HeardCall | None:
        """Return a call that could win but may still be a spike, if any."""
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
    """Return each seat's first call, without known spikes."""
    firsts: dict[Seat, HeardCall] = {}
    for press in sorted(heard, key=lambda press: press.call.t_ns):
        if press.sure or press.closed:
            firsts.setdefault(press.call.seat, press)
    return list(firsts.values())


@dataclass(frozen=True)
class LastRace:
    """The last judged race, to recognise late reports. No call was later than `ends_ns`."""

    rules: Race
    decision: Decision
    open_ns: int
    ends_ns: int | None

    def would_have_mattered(self, call: Call) -> bool:
        if call.seat not in self.rules.callers or call.control not in self.rules.controls:
            return False
        if any(call.seat == heard.seat for heard in self.decision.calls):
            return False
        may_be_in_time = call.t_ns + call.uncertainty_ns >= self.open_ns
        if self.ends_ns is not None and call.t_ns - call.uncertainty_ns > self.ends_ns:
            return False
        return may_be_in_time and self.decision.has_among_winners(self.rules.as_judged(call))
