"""The calls of a match: presses until they are judged, and the evidence of the last verdict."""

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
"""Edges of a contact that are older than this are summed up."""

STOP_NS: Final = 300_000_000
"""A press this soon after the end of a card was still meant for it: nobody stops faster."""

PAUSES_KEPT: Final = 16
"""Number of last pauses to remember: a press in one may be reported after it."""

SAID: Final = "said_"
"""The prefix of a flag with a refused timestamp of a device, in nanoseconds."""

_KEY: Final = "key"

_known: Final = attrgetter("known_ns")


def as_it_counts(call: Call, arrived_ns: int) -> Call:
    """Return a press whose timestamp is refused with the one that counts: its arrival."""
    said = () if any(flag.startswith(SAID) for flag in call.flags) else (f"{SAID}{max(0, call.t_ns)}",)
    return call._replace(t_ns=arrived_ns, uncertainty_ns=0, flags=(*call.flags, *said))


def _no_later_than_heard(edge: SeatSignal) -> SeatSignal:
    """Return an edge from the future with its arrival as timestamp, so that nobody waits for it."""
    flags = tuple(dict.fromkeys((*edge.flags, REFUSED, f"{SAID}{edge.t_ns}")))
    return edge._replace(t_ns=edge.received_ns, uncertainty_ns=0, flags=flags)


class PressLog:
    """All contacts and call keys of a match; remembers which presses are done."""

    def __init__(self, seats: int) -> None:
        self._lines = [Line() for _ in range(seats)]
        self._readings: list[SeatSignal] = []
        self._keyed: list[list[HeardCall]] = [[] for _ in range(seats)]
        # By what was said, of each buzzer and each keypad: what one of them reports says nothing of the other.
        self._done_ns = {(seat, control): -1 for seat in each_seat(seats) for control in (BUZZ, _KEY)}
        self._dropped_ns = -1  # by what counts

    def hear(self, signals: Iterable[SeatSignal]) -> None:
        """Note edges and level readings. A reading proves something only when it is settled."""
        for signal in signals:
            if not 0 <= signal.seat < len(self._lines):
                continue
            if LEVEL in signal.flags and AWAY not in signal.flags:
                self._readings.append(signal)
            else:
                is_later = signal.t_ns - signal.uncertainty_ns > signal.received_ns
                self._lines[signal.seat].hear(_no_later_than_heard(signal) if is_later else signal)

    def forget(self, seat: Seat, before_ns: int) -> None:
        """Sum up the old edges of one contact, so that a long match costs no more than a short one."""
        self._believe(before_ns)  # else an old level would come behind the edges that are summed up
        self._lines[seat].forget(before_ns)

    def key(self, call: Call, heard_ns: int) -> None:
        """Note a key that may be a call; it is debounced already."""
        counts = as_it_counts(call, heard_ns) if REFUSED in call.flags else call
        said_ns = min(call.t_ns, heard_ns)  # a key dated ahead must not come after the next ones
        self._keyed[call.seat].append(HeardCall(counts, True, True, counts.t_ns, heard_ns, said_ns))

    def plug(self, seat: Seat, readings: Iterable[SeatSignal]) -> None:
        """Note the level of a contact that was unplugged: if it is held now, that is not a press."""
        levels = [reading for reading in readings if reading.seat == seat and LEVEL in reading.flags]
        self.hear(level._replace(flags=(*level.flags, AWAY)) for level in levels)

    def new(self, seat: Seat, settled_ns: int) -> list[HeardCall]:
        """Return a seat's presses that are not done, earliest first, each with the timestamp that counts.

        Everything up to `settled_ns` must have been reported. Only older level readings are believed, since edges
        before newer ones may be on their way.
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
        """Return the last spikes of all contacts since a moment, earliest first."""
        spikes = [
            _call(seat, spike)
            for seat, line in by_seat(self._lines)
            for spike in line.spikes(settled_ns)[-SPIKES_KEPT:]
        ]
        return sorted((spike for spike in spikes if spike.t_ns >= since_ns), key=lambda spike: spike.t_ns)

    def _believe(self, settled_ns: int) -> None:
        """Believe the level readings before which all edges must have been reported."""
        for reading in [reading for reading in self._readings if reading.t_ns <= settled_ns]:
            self._lines[reading.seat].hear(reading)
            self._readings.remove(reading)

    def done_until(self, t_ns: int) -> None:
        """Drop everything up to a moment."""
        self._dropped_ns = max(self._dropped_ns, t_ns)
        self._keyed = [[] for _ in self._keyed]

    def done_ns(self, seat: Seat) -> int:
        """Return the device's time of the last done press of a seat's buzzer."""
        return self._done_ns[seat, BUZZ]

    def done(self, heard: HeardCall) -> None:
        """Remember that a press, and everything before it on the same device, is done."""
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
        """The delay of the slowest device."""

    @property
    def settle_most_ns(self) -> int:
        """The maximum wait for a verdict."""

    def settled_ns(self, now_ns: int) -> int:
        """Return the time up to which everything has been reported by now.

        That is `settle_ns` ago, or later if the devices can prove it, with a level reading.
        """

    def flush(self, now_ns: int) -> Iterable[SeatSignal]:
        """Return what is still waiting to be read, and then a level reading of every buzzer.

        What waits will be reported by itself too: to hear it twice changes nothing.
        """


class Calls:
    """The presses of all seats, in the `log`, and the race in which they are judged.

    `race` is open or about to be. `dealing`: the next card may become visible at any moment, so that no press is
    certainly too early for it. `false_starts` has the first early press of each seat as evidence. The card of the
    last race was turned at `turned_ns`, and called `raced_ns` after it became visible; 0 after an undo. Nobody had
    seen the position before `listen_from_ns`, so earlier presses are not too early for it. Presses that could not
    be decided are weighed again at `weigh_ns`.
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
        """Note pending reports and the level of every buzzer."""
        self.log.hear(self._inputs.flush(now_ns))

    def buzzed(self, signal: SeatSignal) -> None:
        """Note an edge of a buzzer, and sum up its old edges."""
        later_ns = (
            self.race.rules.handicap_ns(signal.seat) if self.race else 0
        )  # it may be judged later by that much
        self.log.forget(signal.seat, signal.received_ns - KEEP_NS - later_ns)
        self.log.hear([signal])

    def plugged(self, seat: Seat, now_ns: int) -> None:
        """Note that the device of a seat is back: a button that is held was not pressed now."""
        self.log.plug(seat, self._inputs.flush(now_ns))

    # --- What counts ----------------------------------------------------------------------------------

    @property
    def judging(self) -> bool:
        """Whether a call was heard, and others may still be on their way."""
        return self.race is not None and self.race.closes_ns is not None

    @property
    def waiting(self) -> bool:
        """Whether a call may come, or has come, before the held presses."""
        return self.judging or (self.race is not None and self.race.ended_ns is not None)

    def is_settled(self, now_ns: int) -> bool:
        """Return True if it is proved that no call that matters can still be on its way."""
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
        """Weigh the new presses of one seat as far as that is possible now; yield those that did not count.

        The effect of such a press may end the race or begin another one, in which the next presses are weighed.
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
        """Return True if a press was certainly after the time limit of its card."""
        return self._pacing.is_past_limit(call.t_ns - call.uncertainty_ns)

    def _is_in_pause(self, call: Call) -> bool:
        """Return True if a press was made in a pause, after its beginning."""
        since_ns = self._pacing.paused_since_ns
        if since_ns is not None and call.t_ns > since_ns:
            return True
        return any(begin < call.t_ns <= end for begin, end in self._paused)

    def was_paused(self, t_ns: int) -> bool:
        """Return True if the match was paused at a moment; the ends of an ended pause do not count."""
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
        # A card cannot be given up after a call, in whatever order the two were heard.
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
        """Return True if a press was meant for the next card, not for the one before and not in a pause."""
        return call.t_ns >= max(self.listen_from_ns, self._closed_ns + STOP_NS) and not self._is_in_pause(call)

    def asks_since_ns(self, seat: Seat) -> int:
        """Return when the current question to a seat, or to the house's controls, became visible.

        A seat declares after its own call; where keys call, its buzzer asks for nothing. A control of the house
        is about the card that was open, or over, at that time.
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
        """Wait for the calls of a position, if it has any. Return True if its race continues unchanged.

        A move that was `made` may end a card: a press soon after it was meant for that card.
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
        """Open the race if its card became visible at `shown_ns`. Return True if it was opened."""
        race = self.race
        if race is None or race.open_ns is not None or shown_ns < race.shown_ns:
            return False
        race.open_ns = shown_ns
        self.read(now_ns)
        self.weigh_ns.append(now_ns)  # a press may be reported before the flip
        return True

    def go_on(self, now_ns: int) -> None:
        """End a pause: presses in it are not calls."""
        race, since_ns = self.race, self._pacing.paused_since_ns
        assert since_ns is not None
        # Presses from before a pause as short as a loose contact may still be on their way.
        is_short = now_ns - since_ns < self._inputs.settle_ns
        if race and race.closes_ns is None and not is_short:
            self.race = OpenRace(race.rules, now_ns)  # the card counts as turned again now
            if race.open_ns is not None:  # else early presses for it are not told yet
                self.listen_from_ns = now_ns
            self._paused.append((since_ns, now_ns - 1))
        else:
            self._paused.append((since_ns, now_ns))

    def drop(self, now_ns: int) -> None:
        """Forget the presses of a position that is left by an undo or a correction."""
        self.race, self.raced_ns = None, 0
        # Later ones could still be unreported, and would be dropped, too.
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
        """Note that the card is given up at a moment, unless an earlier call is reported."""
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
        """Note that every call from before the card was given up is heard by now."""
        assert self.race
        self.race.ended_ns = None
        self.read(now_ns)

    # --- The verdict ----------------------------------------------------------------------------------

    def hasten(self, now_ns: int) -> bool:
        """Close a window that would be over by now if all reports had come at once; return False without one."""
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
        """Keep the window open until presses from before the card was visible are confirmed, or known spikes.

        A press is a false start; after a spike the next press of the contact may be a call.
        """
        race, settled_ns = self.race, self._inputs.settled_ns(now_ns)
        if race is None or race.closes_ns is None:
            return False
        pressed = [press for seat in each_seat(self._seats) for press in self.log.new(seat, settled_ns)]
        unknown = [press for press in pressed if not press.sure and race.is_early(press.call)]
        return bool(unknown) and race.waits_for(min(unknown, key=_known), settled_ns, now_ns)

    def decide(self, now_ns: int) -> Decision | None:
        """Close the window and judge the calls; None while there is something to wait for."""
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
        for press in firsts or heard:  # a press that is not confirmed by now was a spike
            self.log.done(press)
        calls = [race.rules.as_judged(first.call) for first in firsts]
        return judge(calls, race.rules.tie_margin_ms * MS) if calls else None

    def judged(self, decision: Decision, now_ns: int) -> tuple[Evidence, list[Event]]:
        """Keep a decision, to recognise late reports; return its evidence and its events."""
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
