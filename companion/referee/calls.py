"""The presses of a match, and the evidence of the last verdict."""

from collections import deque
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Final, Protocol

from companion.core.console import BUZZ, Call, Stage
from companion.core.event import Event, event
from companion.core.move import TABLE, Seat, by_seat, each_seat
from companion.core.record import Evidence
from companion.core.signal import AWAY, LEVEL, REFUSED, SeatSignal
from companion.core.units import MS
from companion.referee import events
from companion.referee.arbiter import Decision, HeardCall, LastRace, OpenRace, first_calls, judge
from companion.referee.debounce import CONFIRM_NS, SPIKES_KEPT, Line, Press
from companion.referee.pacing import Pacing

KEEP_NS: Final = 300_000_000

STOP_NS: Final = 300_000_000
"""A press this soon after a card was meant for it: nobody stops faster."""

PAUSES_KEPT: Final = 16

SAID: Final = "said_"
"""Prefix of a flag with the refused timestamp, in nanoseconds."""

_KEY: Final = "key"

_known: Final = attrgetter("known_ns")


def as_it_counts(call: Call, arrived_ns: int) -> Call:
    """Date a press with a refused timestamp by its arrival."""
    said = () if any(flag.startswith(SAID) for flag in call.flags) else (f"{SAID}{max(0, call.t_ns)}",)
    return call._replace(t_ns=arrived_ns, uncertainty_ns=0, flags=(*call.flags, *said))


def _no_later_than_heard(edge: SeatSignal) -> SeatSignal:
    """Date an edge from the future by its arrival."""
    flags = tuple(dict.fromkeys((*edge.flags, REFUSED, f"{SAID}{edge.t_ns}")))
    return edge._replace(t_ns=edge.received_ns, uncertainty_ns=0, flags=flags)


class PressLog:
    """The contacts and call keys of a match, and which of their presses are done."""

    def __init__(self, seats: int) -> None:
        self._lines = [Line() for _ in range(seats)]
        self._readings: list[SeatSignal] = []
        self._keyed: list[list[HeardCall]] = [[] for _ in range(seats)]
        # In the device's timestamps, separately for the buzzer and the keypad of a seat.
        self._done_ns = {(seat, control): -1 for seat in each_seat(seats) for control in (BUZZ, _KEY)}
        self._dropped_ns = -1  # in the timestamps that count

    def hear(self, signals: Iterable[SeatSignal]) -> None:
        for signal in signals:
            if not 0 <= signal.seat < len(self._lines):
                continue
            if LEVEL in signal.flags and AWAY not in signal.flags:
                self._readings.append(signal)
            else:
                is_later = signal.t_ns - signal.uncertainty_ns > signal.received_ns
                self._lines[signal.seat].hear(_no_later_than_heard(signal) if is_later else signal)

    def forget(self, seat: Seat, before_ns: int) -> None:
        self._believe(before_ns)  # otherwise an old level would come after edges that are summed up
        self._lines[seat].forget(before_ns)

    def key(self, call: Call, heard_ns: int) -> None:
        counts = as_it_counts(call, heard_ns) if REFUSED in call.flags else call
        said_ns = min(call.t_ns, heard_ns)  # a key from the future must not come after the next ones
        self._keyed[call.seat].append(HeardCall(counts, True, True, counts.t_ns, heard_ns, said_ns))

    def plug(self, seat: Seat, readings: Iterable[SeatSignal]) -> None:
        """Add a level after an unplugging. A button that is held now is not a press."""
        levels = [reading for reading in readings if reading.seat == seat and LEVEL in reading.flags]
        self.hear(level._replace(flags=(*level.flags, AWAY)) for level in levels)

    def new(self, seat: Seat, settled_ns: int) -> list[HeardCall]:
        """Return a seat's presses that are not done. Everything up to `settled_ns` must have been reported."""
        self._believe(settled_ns)
        presses = [_heard(seat, press) for press in self._lines[seat].presses(settled_ns)]
        dropped_ns = self._dropped_ns
        new = [
            heard
            for device, heard_of in ((BUZZ, presses), (_KEY, self._keyed[seat]))
            for heard in heard_of
            if heard.said_ns > self._done_ns[seat, device] and heard.call.t_ns > dropped_ns
        ]
        return sorted(new)  # all are of one seat, so by timestamp

    def spikes(self, since_ns: int, settled_ns: int) -> list[Call]:
        spikes = [
            _call(seat, spike)
            for seat, line in by_seat(self._lines)
            for spike in line.spikes(settled_ns)[-SPIKES_KEPT:]
        ]
        return sorted((spike for spike in spikes if spike.t_ns >= since_ns), key=lambda spike: spike.t_ns)

    def _believe(self, settled_ns: int) -> None:
        for reading in [reading for reading in self._readings if reading.t_ns <= settled_ns]:
            self._lines[reading.seat].hear(reading)
            self._readings.remove(reading)

    def done_until(self, t_ns: int) -> None:
        self._dropped_ns = max(self._dropped_ns, t_ns)
        self._keyed = [[] for _ in self._keyed]

    def done_ns(self, seat: Seat) -> int:
        return self._done_ns[seat, BUZZ]

    def done(self, heard: HeardCall) -> None:
        """Mark a press, and everything before it on the same device, as done."""
        seat, device = heard.call.seat, BUZZ if heard.call.control == BUZZ else _KEY
        self._done_ns[seat, device] = max(self._done_ns[seat, device], heard.said_ns)
        self._keyed[seat] = [key for key in self._keyed[seat] if key.said_ns > self._done_ns[seat, _KEY]]


def _call(seat: Seat, press: Press) -> Call:
    return Call(seat, press.t_ns, press.uncertainty_ns, BUZZ, press.flags)


def _heard(seat: Seat, press: Press) -> HeardCall:
    call = _call(seat, press)
    if REFUSED in call.flags:
        call = as_it_counts(call, press.heard_ns)
    return HeardCall(call, press.confirmed, press.closed, press.known_ns, press.heard_ns, press.t_ns)


class Inputs(Protocol):
    """All devices that report signals, as one."""

    @property
    def settle_ns(self) -> int:
        """The slowest device's delay."""

    @property
    def settle_most_ns(self) -> int:
        """The maximum wait for a verdict."""

    def settled_ns(self, now_ns: int) -> int:
        """Return the time up to which everything has been reported.

        That is `settle_ns` ago, or later if a level reading proves it.
        """

    def flush(self, now_ns: int) -> Iterable[SeatSignal]:
        """Return the reports that wait to be handled, then a level reading of every buzzer."""


class Calls:
    """The presses of all seats, in the `log`, and the race in which they are judged.

    `dealing`: the next card may become visible at any moment, so no press is certainly too early. The race's card
    was turned at `turned_ns`; the last race was called `raced_ns` after its card became visible. Presses before
    `listen_from_ns` are not too early, since nobody had seen the position. Undecided presses are weighed again at
    `weigh_ns`.
    """

    def __init__(self, inputs: Inputs, seats: int, pacing: Pacing) -> None:
        self.race: OpenRace | None = None
        self.dealing = False
        self.false_starts: dict[Seat, Call] = {}
        self.turned_ns = 0
        self.raced_ns = 0
        self.listen_from_ns = 0
        self.weigh_ns: list[int] = []
        self._inputs = inputs
        self._pacing = pacing
        self._seats = seats
        self.log = PressLog(seats)
        self._last: LastRace | None = None
        self._paused: deque[tuple[int, int]] = deque(maxlen=PAUSES_KEPT)
        self._closed_ns = -STOP_NS  # when the last card was judged or left

    # --- What arrives ---------------------------------------------------------------------------------

    def read(self, now_ns: int) -> None:
        self.log.hear(self._inputs.flush(now_ns))

    def buzzed(self, signal: SeatSignal) -> None:
        later_ns = self.race.rules.handicap_ns(signal.seat) if self.race else 0  # its handicap delays the judgement
        self.log.forget(signal.seat, signal.received_ns - KEEP_NS - later_ns)
        self.log.hear([signal])

    def plugged(self, seat: Seat, now_ns: int) -> None:
        self.log.plug(seat, self._inputs.flush(now_ns))

    # --- What counts ----------------------------------------------------------------------------------

    @property
    def judging(self) -> bool:
        return self.race is not None and self.race.closes_ns is not None

    @property
    def waiting(self) -> bool:
        return self.judging or (self.race is not None and self.race.ended_ns is not None)

    def is_settled(self, now_ns: int) -> bool:
        if self.race is None or self.race.settles_ns is None:
            return False
        settled_ns = self._inputs.settled_ns(now_ns)
        proved = settled_ns > now_ns - self._inputs.settle_ns  # otherwise only time has passed
        return proved and self.race.settles_ns <= settled_ns

    def weigh_all(self, now_ns: int) -> Iterator[Call]:
        self.weigh_ns.clear()
        for seat in each_seat(self._seats):
            yield from self.weigh(seat, now_ns)

    def weigh(self, seat: Seat, now_ns: int) -> Iterator[Call]:
        """Yield a seat's new presses that are not calls, as far as is known now."""
        settled_ns = self._inputs.settled_ns(now_ns)
        followed: OpenRace | None = None
        for heard in self.log.new(seat, settled_ns):
            race, call = self.race, heard.call
            if race and (race.open_ns is None or self._is_past_limit(call)):
                # Not known yet: whether it was too early, until the display reports since when the card is visible,
                # or whether it was for the next card, until this one is given up.
                return
            if race and race.counts(call) and not self._is_in_pause(call):
                if race is not followed:  # the calls are the same for all presses
                    self._follow(race, now_ns)
                    followed = race
            elif race and (race is followed or race.is_given_up_before(call)):
                return  # `done` would also drop the seat's earlier presses, one of which is a call
            elif not heard.sure:
                self.weigh_ns.append(now_ns + heard.known_ns - settled_ns)
            elif self.dealing and call.t_ns + call.uncertainty_ns >= now_ns:
                # Not certainly too early: the card may become visible at any moment.
                self.weigh_ns.append(call.t_ns + call.uncertainty_ns + 1)
            else:
                self.log.done(heard)
                yield call
                followed = None

    def _is_past_limit(self, call: Call) -> bool:
        return self._pacing.is_past_limit(call.t_ns - call.uncertainty_ns)

    def used_ns(self, call: Call) -> int:
        """Return how much of the race's limit a call has used."""
        return self._pacing.used_ns(call.t_ns)

    def _is_in_pause(self, call: Call) -> bool:
        since_ns = self._pacing.paused_since_ns
        if since_ns is not None and call.t_ns > since_ns:
            return True
        return any(begin < call.t_ns <= end for begin, end in self._paused)

    def was_paused(self, t_ns: int) -> bool:
        since_ns = self._pacing.paused_since_ns
        if since_ns is not None and t_ns >= since_ns:
            return True
        return any(begin < t_ns < end for begin, end in self._paused)

    def _follow(self, race: OpenRace, now_ns: int) -> list[HeardCall]:
        settled_ns = self._inputs.settled_ns(now_ns)
        heard = [press for seat in race.rules.callers for press in self.log.new(seat, settled_ns)]
        calls = [
            press
            for press in heard
            if race.counts(press.call) and not (self._is_in_pause(press.call) or self._is_past_limit(press.call))
        ]
        # A card cannot be given up after a call, even if that is reported first.
        if all(race.is_given_up_before(press.call) for press in calls):
            calls = []
        race.follow(calls, (self._inputs.settle_ns, self._inputs.settle_most_ns), now_ns)
        return calls

    def late(self, call: Call) -> Call | None:
        """Return a call, with handicap, if it was reported after the verdict and would have changed it."""
        if self._last is None or not self._last.would_have_mattered(call) or self._is_in_pause(call):
            return None
        return self._last.rules.as_judged(call)

    def is_meant(self, call: Call) -> bool:
        """Return True if a press was meant for the next card."""
        return call.t_ns >= max(self.listen_from_ns, self._closed_ns + STOP_NS) and not self._is_in_pause(call)

    def asks_since_ns(self, seat: Seat) -> int:
        """Return when the current question to a seat, or to the house's controls, became visible.

        A seat's question follows its own call, or the card where keys call.
        """
        if seat != TABLE and self.race and BUZZ not in self.race.rules.controls:
            return self.turned_ns
        answered_ns = self._closed_ns if seat == TABLE else self.log.done_ns(seat)
        return max(answered_ns, self.turned_ns) if self.race else answered_ns

    def orders_ns(self, call: Call) -> int:
        """Return when every press before this one must have been reported and confirmed."""
        return call.t_ns + CONFIRM_NS + self._inputs.settle_ns

    # --- The race -------------------------------------------------------------------------------------

    def turn_to(self, stage: Stage, now_ns: int, *, made: bool) -> bool:
        """Wait for the calls of a position. Return True if its race continues unchanged.

        Presses soon after a move that was `made` may still be meant for the last card.
        """
        was_dealing, before = self.dealing, self.race
        self.dealing = stage.deal is not None
        goes_on = before is not None and stage.race is not None and before.rules.number == stage.race.number
        if before and stage.race and goes_on:
            before.rules = stage.race
        else:
            self.race = OpenRace(stage.race, now_ns) if stage.race else None
            self.turned_ns = now_ns
            if stage.race:
                self.raced_ns = 0
        if made and not was_dealing and (self.dealing or self.race is not before):
            self._closed_ns = now_ns
        if self.dealing and not was_dealing:
            self.listen_from_ns = now_ns
            self.false_starts.clear()
        return goes_on

    def open(self, shown_ns: int, now_ns: int) -> bool:
        race = self.race
        if race is None or race.open_ns is not None or shown_ns < race.shown_ns:
            return False
        race.open_ns = shown_ns
        self.read(now_ns)
        self.weigh_ns.append(now_ns)  # a press may be reported before the flip
        return True

    def go_on(self, now_ns: int) -> None:
        race, since_ns = self.race, self._pacing.paused_since_ns
        assert since_ns is not None
        # Presses from before a very short pause, such as by a loose contact, may still arrive.
        is_short = now_ns - since_ns < self._inputs.settle_ns
        if race and race.closes_ns is None and not is_short:
            self.race = OpenRace(race.rules, now_ns)  # the card counts as turned again now
            if race.open_ns is not None:  # otherwise its early presses are not announced yet
                self.listen_from_ns = now_ns
            self._paused.append((since_ns, now_ns - 1))
        else:
            self._paused.append((since_ns, now_ns))

    def drop(self, now_ns: int) -> None:
        self.race, self.raced_ns = None, 0
        # Newer ones go: had they been reported later, they would be dropped, too.
        self.false_starts = {
            seat: call for seat, call in self.false_starts.items() if self.orders_ns(call) <= now_ns
        }
        self.log.done_until(now_ns)

    def give_up(self, t_ns: int, now_ns: int) -> bool:
        """Give the card up at a moment. Return True if that has to wait for earlier calls (BH-R16)."""
        race = self.race
        if race is None or race.open_ns is None or self._inputs.settled_ns(now_ns) >= t_ns:
            return False
        self.ends(t_ns)
        return True

    def ends(self, t_ns: int) -> None:
        race = self.race
        assert race
        if race.ends_ns is None or t_ns < race.ends_ns:
            race.ends_ns, race.ended_ns = t_ns, t_ns + self._inputs.settle_ns

    def read_levels(self, now_ns: int) -> None:
        assert self.race
        self.race.reads_ns = None
        self.read(now_ns)

    def all_reported(self, now_ns: int) -> None:
        assert self.race
        self.race.ended_ns = None
        self.read(now_ns)

    # --- The verdict ----------------------------------------------------------------------------------

    def hasten(self, now_ns: int) -> bool:
        """Close a window that would be over if every report had come at once. Return False without one."""
        race = self.race
        if race is None or race.closes_ns is None:
            return False
        self.read(now_ns)
        settle = (self._inputs.settle_ns, self._inputs.settle_most_ns)
        if not race.is_due(self._follow(race, now_ns), settle, now_ns):
            return False
        race.closes_ns = now_ns
        return True

    def waits_for_early(self, now_ns: int) -> bool:
        """Extend the window while an early press may be a spike. Return True if extended."""
        race, settled_ns = self.race, self._inputs.settled_ns(now_ns)
        if race is None or race.closes_ns is None:
            return False
        pressed = [press for seat in each_seat(self._seats) for press in self.log.new(seat, settled_ns)]
        unknown = [press for press in pressed if not press.sure and race.is_early(press.call)]
        return bool(unknown) and race.waits_for(min(unknown, key=_known), settled_ns, now_ns)

    def decide(self, now_ns: int) -> Decision | None:
        """Judge the calls. Return None while the window stays open, or without a call."""
        race = self.race
        assert race
        assert race.open_ns is not None
        heard = self._follow(race, now_ns)
        if race.closes_ns is None or (race.closes_ns > now_ns and not self.is_settled(now_ns)):
            return None  # it was opened by a spike
        unknown = race.unknown(heard)
        if unknown and race.waits_for(unknown, self._inputs.settled_ns(now_ns), now_ns):
            return None
        race.close()
        firsts = first_calls(heard)
        for press in firsts or heard:  # without a first call, all of them were spikes
            self.log.done(press)
        calls = [race.rules.as_judged(first.call) for first in firsts]
        return judge(calls, race.rules.tie_margin_ms * MS) if calls else None

    def judged(self, decision: Decision, now_ns: int) -> tuple[Evidence, list[Event]]:
        """Store a decision, to recognise late reports; return its evidence and events."""
        assert self.race
        assert self.race.open_ns is not None
        open_ns = self.race.open_ns
        self._last = LastRace(self.race.rules, decision, open_ns, self._pacing.limit_end_ns)
        self._closed_ns = now_ns
        first = decision.winners[0]
        self.raced_ns = max(0, first.t_ns - first.handicap_ns - open_ns)
        early = tuple(sorted(self.false_starts.values(), key=attrgetter("t_ns", "seat")))
        spikes = tuple(self.log.spikes(open_ns, self._inputs.settled_ns(now_ns)))
        seats = tuple(call.seat for call in decision.winners)
        told = [event(events.Verdict(seats, decision.margin_ns, open_ns, decision.calls))]
        told += [
            event(events.StampRefused(call.t_ns), call.seat) for call in decision.calls if REFUSED in call.flags
        ]
        return Evidence(now_ns, open_ns, decision.margin_ns, decision.calls, early, spikes), told
