"""The calls of a match: what is heard of presses until they are judged, and what the last verdict rests on."""

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
"""What a contact did longer than this before a report of it is summed up."""

STOP_NS: Final = 300_000_000
"""A press this soon after a card was done with was still meant for it: nobody stops faster."""

PAUSES_KEPT: Final = 16
"""So many of the last pauses are remembered: what was pressed in one may be reported after it."""

SAID: Final = "said_"
"""A flag that begins so has the nanoseconds that a device said of a press whose stamp is refused."""

_KEY: Final = "key"

_known: Final = attrgetter("known_ns")


def as_it_counts(call: Call, arrived_ns: int) -> Call:
    """Return a press whose stamp is refused with that by which it is judged: its arrival."""
    said = () if any(flag.startswith(SAID) for flag in call.flags) else (f"{SAID}{max(0, call.t_ns)}",)
    return call._replace(t_ns=arrived_ns, uncertainty_ns=0, flags=(*call.flags, *said))


def _no_later_than_heard(edge: SeatSignal) -> SeatSignal:
    """Return an edge whose stamp is surely later than its arrival: it is refused, and nobody waits for it."""
    flags = tuple(dict.fromkeys((*edge.flags, REFUSED, f"{SAID}{edge.t_ns}")))
    return edge._replace(t_ns=edge.received_ns, uncertainty_ns=0, flags=flags)


class PressLog:
    """All contacts and call keys of a match; remembers which presses were dealt with."""

    def __init__(self, seats: int) -> None:
        self._lines = [Line() for _ in range(seats)]
        self._readings: list[SeatSignal] = []
        self._keyed: list[list[HeardCall]] = [[] for _ in range(seats)]
        # By what was said, of each buzzer and each keypad: what one of them reports says nothing of the other.
        self._done_ns = {(seat, control): -1 for seat in each_seat(seats) for control in (BUZZ, _KEY)}
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
        said_ns = min(call.t_ns, heard_ns)  # one dated ahead is none that the next ones come before
        self._keyed[call.seat].append(HeardCall(counts, True, True, counts.t_ns, heard_ns, said_ns))

    def plug(self, seat: Seat, readings: Iterable[SeatSignal]) -> None:
        """Note the level of a contact that was away: if it is held now, that is no press."""
        levels = [reading for reading in readings if reading.seat == seat and LEVEL in reading.flags]
        self.hear(level._replace(flags=(*level.flags, AWAY)) for level in levels)

    def new(self, seat: Seat, settled_ns: int) -> list[HeardCall]:
        """Return a seat's presses that were not dealt with, the earliest first, each with the stamp that counts.

        What happened up to `settled_ns` must have been reported by now: only a level that was read so long ago
        is believed, since the edges before it might be on their way.
        """
        self._believe(settled_ns)
        presses = [_heard(seat, press) for press in self._lines[seat].presses(settled_ns)]
        dropped_ns = self._dropped_ns
        new = [
            heard
            for device, heard_of in ((BUZZ, presses), (_KEY, self._keyed[seat]))
            for heard in heard_of
            if heard.said_ns > self._done_ns[seat, device] and heard.call.t_ns > dropped_ns
        ]
        return sorted(new)  # they are all of one seat: by their stamps

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

    def done_ns(self, seat: Seat) -> int:
        """Return what was said of when the last press of a seat's buzzer was made that was dealt with."""
        return self._done_ns[seat, BUZZ]

    def done(self, heard: HeardCall) -> None:
        """Remember that a press, and whatever was done before it with the same device, was dealt with."""
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
        """How late a report of the slowest of them may arrive."""

    @property
    def settle_most_ns(self) -> int:
        """How long a verdict waits for them at most."""

    def settled_ns(self, now_ns: int) -> int:
        """Return up to when everything that happened has been reported by now.

        That is `settle_ns` ago, or later when they can prove it; then a level reading comes with the proof.
        """

    def flush(self, now_ns: int) -> Iterable[SeatSignal]:
        """Return what is still waiting to be read, and then a level reading of every buzzer.

        What waits will be reported by itself too: to hear it twice changes nothing.
        """


class Calls:
    """What was heard of the presses of all seats, in the `log`, and the race that they are judged in.

    `race` is the one that is open or about to be. `dealing` says that the next card may be visible any moment, so
    that nothing is surely too early for it. `false_starts` has the first early press of each seat: one is evidence
    enough. The card of the last race was turned at `turned_ns`. Its call was made `raced_ns` after it was visible,
    0 where a position is back that was left. Nobody had seen the position before `listen_from_ns`, so no press
    before that is too early for it. At `weigh_ns` presses that could not be dealt with are weighed again.
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
        self._closed_ns = -STOP_NS  # when the last card was done with, by whatever

    # --- What arrives ---------------------------------------------------------------------------------

    def read(self, now_ns: int) -> None:
        """Note what the devices still have to report, and the level of every buzzer."""
        self.log.hear(self._inputs.flush(now_ns))

    def buzzed(self, signal: SeatSignal) -> None:
        """Note an edge of a buzzer, and sum up what its contact did long before."""
        later_ns = self.race.rules.handicap_ns(signal.seat) if self.race else 0  # so much longer it may be judged
        self.log.forget(signal.seat, signal.received_ns - KEEP_NS - later_ns)
        self.log.hear([signal])

    def plugged(self, seat: Seat, now_ns: int) -> None:
        """Note that the device of a seat is back: what is held now was not pressed now."""
        self.log.plug(seat, self._inputs.flush(now_ns))

    # --- What counts ----------------------------------------------------------------------------------

    @property
    def judging(self) -> bool:
        """Whether a call was heard and others may still be on their way."""
        return self.race is not None and self.race.closes_ns is not None

    @property
    def waiting(self) -> bool:
        """Whether a call may come, or has come, before what is held back."""
        return self.judging or (self.race is not None and self.race.ended_ns is not None)

    def is_settled(self, now_ns: int) -> bool:
        """Tell whether it is proved that no call that matters can still be on its way."""
        if self.race is None or self.race.settles_ns is None:
            return False
        settled_ns = self._inputs.settled_ns(now_ns)
        proved = settled_ns > now_ns - self._inputs.settle_ns  # else only enough time has passed
        return proved and self.race.settles_ns <= settled_ns

    def weigh_all(self, now_ns: int) -> Iterator[Call]:
        """Weigh the presses of all seats; yield those that did not count."""
        self.weigh_ns.clear()
        for seat in each_seat(self._seats):
            yield from self.weigh(seat, now_ns)

    def weigh(self, seat: Seat, now_ns: int) -> Iterator[Call]:
        """Deal with the new presses of one seat as far as that is possible now; yield those that did not count.

        What is made of such a press may end the race or begin another: the presses after it are weighed in that.
        """
        settled_ns = self._inputs.settled_ns(now_ns)
        followed: OpenRace | None = None
        for heard in self.log.new(seat, settled_ns):
            race, call = self.race, heard.call
            if race and (race.open_ns is None or self._is_past_limit(call)):
                # Whether it was too early is known when the screen tells since when the card is visible; or whether
                # it was for the next card, when this one is given up.
                return
            if race and race.counts(call) and not self._is_in_pause(call):
                if race is not followed:  # for each of them the calls are the same
                    self._follow(race, now_ns)
                    followed = race
            elif race and (race is followed or race.is_given_up_before(call)):
                return  # a press that is dealt with takes those before it along, and one of them is a call
            elif not heard.sure:
                self.weigh_ns.append(now_ns + heard.known_ns - settled_ns)
            elif self.dealing and call.t_ns + call.uncertainty_ns >= now_ns:
                # It is not surely too early: the card may be visible any moment.
                self.weigh_ns.append(call.t_ns + call.uncertainty_ns + 1)
            else:
                self.log.done(heard)
                yield call
                followed = None

    def _is_past_limit(self, call: Call) -> bool:
        """Tell whether a press was surely after the end of the time limit of its card."""
        return self._pacing.is_past_limit(call.t_ns - call.uncertainty_ns)

    def _is_in_pause(self, call: Call) -> bool:
        """Tell whether a press was made while the match waited, after that began."""
        since_ns = self._pacing.paused_since_ns
        if since_ns is not None and call.t_ns > since_ns:
            return True
        return any(begin < call.t_ns <= end for begin, end in self._paused)

    def was_paused(self, t_ns: int) -> bool:
        """Tell whether the match waited at a moment; not when its pause began or ended in that, and has ended."""
        since_ns = self._pacing.paused_since_ns
        if since_ns is not None and t_ns >= since_ns:
            return True
        return any(begin < t_ns < end for begin, end in self._paused)

    def _follow(self, race: OpenRace, now_ns: int) -> list[HeardCall]:
        """Move the window of a race to the first press that was heard; return every call of it."""
        settled_ns = self._inputs.settled_ns(now_ns)
        heard = [press for seat in race.rules.callers for press in self.log.new(seat, settled_ns)]
        calls = [
            press
            for press in heard
            if race.counts(press.call) and not (self._is_in_pause(press.call) or self._is_past_limit(press.call))
        ]
        # After a call nothing is given up any more, whichever of the two was heard first.
        if all(race.is_given_up_before(press.call) for press in calls):
            calls = []
        race.follow(calls, (self._inputs.settle_ns, self._inputs.settle_most_ns), now_ns)
        return calls

    def late(self, call: Call) -> Call | None:
        """Return a call, as it is judged, that was reported after the verdict and would have changed it."""
        if self._last is None or not self._last.would_have_mattered(call) or self._is_in_pause(call):
            return None
        return self._last.rules.as_judged(call)

    def is_meant(self, call: Call) -> bool:
        """Tell whether a press was meant for what comes, not for the card that has just gone, nor in a pause."""
        return call.t_ns >= max(self.listen_from_ns, self._closed_ns + STOP_NS) and not self._is_in_pause(call)

    def asks_since_ns(self, seat: Seat) -> int:
        """Return since when it could be seen what is asked of a seat, or of the house by its controls.

        A seat declares after its own call; where keys call, its buzzer asks for nothing. What the house presses is
        about what lay open, or was done with, then.
        """
        if seat != TABLE and self.race and BUZZ not in self.race.rules.controls:
            return self.turned_ns
        answered_ns = self._closed_ns if seat == TABLE else self.log.done_ns(seat)
        return max(answered_ns, self.turned_ns) if self.race else answered_ns

    def orders_ns(self, call: Call) -> int:
        """Return when every press before this one must have been reported, and be known to be one."""
        return call.t_ns + CONFIRM_NS + self._inputs.settle_ns

    # --- The race -------------------------------------------------------------------------------------

    def turn_to(self, stage: Stage, now_ns: int, *, made: bool) -> bool:
        """Wait for the calls of a position, if it has any; tell whether its race has gone on unchanged.

        A move that was `made` may be done with a card: who presses soon after it meant that one.
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
        """Open the race, if there is one that could not be seen before `shown_ns`; tell whether it is open now."""
        race = self.race
        if race is None or race.open_ns is not None or shown_ns < race.shown_ns:
            return False
        race.open_ns = shown_ns
        self.read(now_ns)
        self.weigh_ns.append(now_ns)  # a press may be reported before the screen reports the flip
        return True

    def go_on(self, now_ns: int) -> None:
        """End a pause: what was pressed in it is no call."""
        race, since_ns = self.race, self._pacing.paused_since_ns
        assert since_ns is not None
        # What was pressed before a pause as short as a loose contact makes it may still be on its way.
        is_short = now_ns - since_ns < self._inputs.settle_ns
        if race and race.closes_ns is None and not is_short:
            self.race = OpenRace(race.rules, now_ns)  # the card counts as turned again, from this moment on
            if race.open_ns is not None:  # else what was too early for it is not told yet
                self.listen_from_ns = now_ns
            self._paused.append((since_ns, now_ns - 1))
        else:
            self._paused.append((since_ns, now_ns))

    def drop(self, now_ns: int) -> None:
        """Forget what was pressed in a position that is left by an undo or a correction."""
        self.race, self.raced_ns = None, 0
        # What might not have been reported yet would be dropped, too.
        self.false_starts = {
            seat: call for seat, call in self.false_starts.items() if self.orders_ns(call) <= now_ns
        }
        self.log.done_until(now_ns)

    def give_up(self, t_ns: int, now_ns: int) -> bool:
        """Give the card up at a moment; tell whether that has to wait for what came earlier (BH-R16)."""
        race = self.race
        if race is None or race.open_ns is None or self._inputs.settled_ns(now_ns) >= t_ns:
            return False
        self.ends(t_ns)
        return True

    def ends(self, t_ns: int) -> None:
        """Note that the card is given up at a moment, unless a call comes before."""
        race = self.race
        assert race
        if race.ends_ns is None or t_ns < race.ends_ns:
            race.ends_ns, race.ended_ns = t_ns, t_ns + self._inputs.settle_ns

    def read_levels(self, now_ns: int) -> None:
        """Read the levels of all buzzers once in the window of a race."""
        assert self.race
        self.race.reads_ns = None
        self.read(now_ns)

    def all_reported(self, now_ns: int) -> None:
        """Note that every call that came before the card was given up is heard by now."""
        assert self.race
        self.race.ended_ns = None
        self.read(now_ns)

    # --- The verdict ----------------------------------------------------------------------------------

    def hasten(self, now_ns: int) -> bool:
        """Close a window that would be over by now if all had been reported at once; tell whether it was one."""
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
        """Keep the window open until what began before the card was visible is known to be a press or a spike.

        It is a false start or nothing, and what its contact does next is a call only if it was nothing.
        """
        race, settled_ns = self.race, self._inputs.settled_ns(now_ns)
        if race is None or race.closes_ns is None:
            return False
        pressed = [press for seat in each_seat(self._seats) for press in self.log.new(seat, settled_ns)]
        unknown = [press for press in pressed if not press.sure and race.is_early(press.call)]
        return bool(unknown) and race.waits_for(min(unknown, key=_known), settled_ns, now_ns)

    def decide(self, now_ns: int) -> Decision | None:
        """Close the window and judge what was read; None while there is something to wait for."""
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
        for press in firsts or heard:  # what should be known by now, and is not, was no press
            self.log.done(press)
        calls = [race.rules.as_judged(first.call) for first in firsts]
        return judge(calls, race.rules.tie_margin_ms * MS) if calls else None

    def judged(self, decision: Decision, now_ns: int) -> tuple[Evidence, list[Event]]:
        """Keep a decision, to recognise reports that come too late; return its evidence and what is told of it."""
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
