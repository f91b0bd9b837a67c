"""The referee: signals in, moves made, moves committed, and what happened out.

It holds no thread, reads no clock and calls nobody: what is done to it is done at a time (`do`), and returns what
happened, in order, each of it durable in the journal already. `companion.referee.loop` is the loop around it.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Final

from companion.core.console import (
    BACK,
    BUZZ,
    HOUSE_CONTROLS,
    KEYS,
    NOTHING_TYPED,
    TURN,
    Call,
    Keyed,
)
from companion.core.errors import IllegalMove
from companion.core.event import event
from companion.core.move import TABLE, Move, Seat
from companion.core.record import Evidence
from companion.core.rules import View
from companion.core.signal import PLUG, REFUSED, UNPLUG, SeatSignal
from companion.core.text import Text, msg
from companion.referee import events
from companion.referee.calls import as_it_counts
from companion.referee.committer import Committer, Held
from companion.referee.happened import Happened
from companion.referee.takeback import overruled, own_step

DEALT_HERE: Final = msg("the companion rolls and deals here")
PAUSED: Final = msg("the match is paused")

_order: Final = attrgetter("order")

log = logging.getLogger(__name__)

Timer = tuple[int, Callable[[], None]]
"""When something is due, in nanoseconds, and what."""


class Referee(Committer):
    """Referees one match: says what each signal means, and does what is due."""

    # --- Running: time and signals in -------------------------------------------------------------------------

    def start(self) -> None:
        """Begin, or go on with, the match."""
        seed_sha256 = self.dealer.commitment if self.dealer else None
        begun = events.Start(self.match.game.name, self.match.names, self.match.length, seed_sha256)
        self.calls.read(self._now_ns)
        self._enter(event(begun))

    @property
    def open_since_ns(self) -> int | None:
        """Since when calls count; None while no call is open."""
        return self.calls.race.open_ns if self.calls.race else None

    @property
    def due(self) -> Timer | None:
        """What is done next without a signal: deal, close a settle window, end a time limit; None: nothing.

        One at a time: what is presented of it may put off the next one.
        """
        return min(self._timers(), key=lambda timer: timer[0], default=None)

    def signal(self, signal: SeatSignal) -> None:
        """Act on what a device reports, when all that was due before its arrival is done."""
        if signal.control in {PLUG, UNPLUG}:
            self._plugged(signal)
            return
        waits = self.pacing.held and signal.t_ns >= self._held_ns
        if waits and signal.pressed and not self.was_paused(signal):
            self._let_go()
        self._route(signal)

    def _route(self, signal: SeatSignal) -> None:
        if signal.control == BUZZ and 0 <= signal.seat < len(self.match.names):
            self.calls.buzzed(signal)
            self._weigh(signal.seat)
            if self.calls.is_settled(self._now_ns):
                self._close_window()
        elif self.calls.judging and not (self._calls_by(signal) or self.was_paused(signal)):
            # A call that was heard comes before it, unless that turns out to be a spike.
            self._held.append(Held(signal.t_ns, lambda: self._route(signal), signal))
            self._unread = True
        elif signal.control in KEYS:
            self._keyed(signal)
        elif signal.seat == TABLE and signal.control in HOUSE_CONTROLS:
            self._house(signal)
        else:
            log.warning("no meaning for control %r of %s", signal.control, signal.source)

    def _calls_by(self, signal: SeatSignal) -> bool:
        """Tell whether a key is a seat's call now, or would be too early for one."""
        return signal.seat != TABLE and signal.control in self.stage.call_controls

    def _read_held(self) -> None:
        """Note when what is held back gives the card up; of many keys that were held since it is asked once."""
        at_ns = self._held_move_ns() if self._unread and self.calls.judging else None
        self._unread = False
        if at_ns is not None:
            self.calls.ends(at_ns)

    def _held_move_ns(self) -> int | None:
        """Return when what is held back would make a move in this position; None: it would make none."""
        entries, typed_ns = dict(self.entries), dict(self.gate.typed_ns)
        for held in sorted(self._held, key=_order):
            signal = held.signal
            if signal is None:
                continue
            if signal.control not in KEYS:
                if self._house_move(signal.control):
                    return signal.t_ns
                continue
            seat = signal.seat
            keyed = self._meant(self.match.view(None if seat == TABLE else seat), seat, signal.control, entries)
            owner = TABLE if keyed.for_house else seat
            if keyed.entry != entries.get(owner):
                entries[owner], typed_ns[owner] = keyed.entry, signal.t_ns
            if keyed.move:
                return _decided_ns(signal, keyed.move, entries, typed_ns)
        return None

    def table_move(self, move: Move) -> None:
        """Make a move of the TABLE that the house reads off the table: a real card, a real die."""
        now_ns = self._now_ns
        if self.pacing.held:
            self._let_go()
        if self.calls.judging and not self.pauses:
            self._held.append(Held(now_ns, lambda: self._table_move(move, now_ns)))
            self.calls.give_up(now_ns, now_ns)
        else:
            self._table_move(move, now_ns)

    def _waits_for_calls(self, t_ns: int, again: Callable[[], None]) -> bool:
        """Hold back what would end an open call until every earlier call must have been reported (BH-R16)."""
        if self.calls.race is None or not self.calls.give_up(t_ns, self._now_ns):
            return False
        self._held.append(Held(t_ns, again))
        return True

    def _all_reported(self) -> None:
        """Go on with what would end a call, unless one was heard by now that came before."""
        self.calls.all_reported(self._now_ns)
        self._weigh_all()

    def _table_move(self, move: Move, t_ns: int) -> None:
        if self.pauses:
            self._refuse(TABLE, PAUSED)
        elif not self._waits_for_calls(t_ns, lambda: self._table_move(move, t_ns)):
            self.entries.pop(TABLE, None)
            self._make(move, Evidence(self._now_ns))

    def _timers(self) -> list[Timer]:
        if self._held and not (self.calls.waiting or self.pauses):
            return [(self._now_ns, self._do_held)]
        if self._together:
            return [(self._now_ns, self._deal)]
        race, pacing = self.calls.race, self.pacing
        due: list[tuple[int | None, Callable[[], None]]] = []
        if race:
            due += [
                (race.reads_ns, lambda: self.calls.read_levels(self._now_ns)),
                (race.closes_ns, self._close_window),
            ]
            due.append((race.ended_ns, self._all_reported))
        due += [(self.calls.orders_ns(call), self._put_out) for call in self._owed[:1]]
        due += [(at_ns, self._weigh_all) for at_ns in self.calls.weigh_ns]
        if not (self.pauses or pacing.held):
            due.append(
                (pacing.draw_ns, self._go_by_itself)
                if self.dealer is None
                else (None if self.by_hand else pacing.draw_ns, self._deal)
            )
            if not self.calls.judging:  # calls that were heard are judged before a card is given up
                due.append((pacing.limit_over_ns, self._time_out))
        return [(at_ns, act) for at_ns, act in due if at_ns is not None]

    def _do_held(self) -> None:
        """Do what was pressed first of all that was held back; it may have to wait again."""
        if self.calls.race:
            self.calls.race.ends_ns = None  # whether this one is an end is asked anew
        first = min(self._held, key=_order)
        self._held.remove(first)
        first.act()
        if self.calls.race and not self._held:
            self._weigh_all()  # it was no end

    # --- Calls ------------------------------------------------------------------------------------------------

    def _weigh(self, seat: Seat) -> None:
        self._read_held()
        for call in self.calls.weigh(seat, self._now_ns):
            self._did_not_count(call)

    def _weigh_all(self) -> None:
        self._read_held()
        for call in self.calls.weigh_all(self._now_ns):
            self._did_not_count(call)

    def _close_window(self) -> None:
        self.calls.read(self._now_ns)
        self._weigh_all()  # who was too early for this card is told before its verdict
        if self.calls.waits_for_early(self._now_ns):
            return
        while self._owed:
            self._put_out()
        if not self.calls.judging:  # whoever may have called is out
            return
        decision = self.calls.decide(self._now_ns)
        move = self._console.called(self.match.view(), decision.winners) if decision else None
        if decision and move:
            evidence, told = self.calls.judged(decision, self._now_ns)
            self._make(move, evidence, *told)

    def judge_what_is_due(self) -> None:
        """Judge a call that would be judged by now had it been reported at once."""
        self._read_held()
        if self.calls.hasten(self._now_ns):
            self._close_window()

    def _did_not_count(self, call: Call) -> None:
        """A press that is no call: too early, too late to matter, or simply not the first (BH-R8)."""
        if late := self.calls.late(call):
            self._tell(event(events.LateReport(late.t_ns, late.uncertainty_ns), late.seat))
        elif self.calls.is_meant(call):
            before = self.match.length
            self._false_start(call)
            made = range(before + 1, self.match.length + 1)
            self._pressed_ns |= dict.fromkeys(made, self.calls.orders_ns(call))

    def _false_start(self, call: Call) -> None:
        if call.control == BUZZ and self._did_by_hand(call.seat, call.t_ns):
            return
        if call.control not in self.stage.call_controls:
            self._pressed(call)
            return
        if (race := self.calls.race) and not race.is_early(call):
            return  # a buzzer that is dead for this card, which everybody sees (BH-A24)
        if call.seat in self._turned:
            return  # the house has turned the card at the same time, or it was pressed twice
        self.calls.false_starts.setdefault(call.seat, call)
        self._tell(event(events.FalseStart(call.t_ns), call.seat, seen_by=(call.seat,)))
        move = self._console.early(self.match.view(), call.seat)
        if move and self._puts_out(move):
            self._owed = sorted([*self._owed, call], key=attrgetter("t_ns", "seat"))
        elif move:
            self._make(move, Evidence(self._now_ns))

    def _puts_out(self, move: Move) -> bool:
        """Tell whether a move puts somebody out: then it matters whose comes first (BH-A14)."""
        try:
            after = self.match.prepare(move).line[-1].state
        except IllegalMove:
            return False  # it is refused at once
        rules = self.match.game.rules
        over = rules.outcome(after) is not None
        return over or self._console.stage(rules.view(after, None)).out != self.stage.out

    def _put_out(self) -> None:
        """Make the move of the earliest press that puts its seat out, unless it is out, or all is over, by now."""
        if move := self._console.early(self.match.view(), self._owed.pop(0).seat):
            self._make(move, Evidence(self._now_ns))

    def _did_by_hand(self, seat: Seat, t_ns: int) -> bool:
        """Do what is due of the dealer, or answer the question, if it is this seat's; tell whether it was."""
        hand = self.by_hand
        if hand is None or seat not in hand.seats:
            return False
        if hand.said:
            self._make(Move(TABLE, hand.said, (seat,)), Evidence(t_ns), refused_to=seat)
        elif self.dealer:
            self._deal()
        else:
            self._go_by_itself()
        return True

    # --- Keys and the house -----------------------------------------------------------------------------------

    def _keyed(self, signal: SeatSignal) -> None:
        if not signal.pressed:
            return
        call = Call(signal.seat, signal.t_ns, signal.uncertainty_ns, signal.control, signal.flags)
        counts = as_it_counts(call, signal.received_ns) if REFUSED in signal.flags else call
        if self.calls.late(counts):
            self._did_not_count(counts)
        elif self._calls_by(signal):
            self.calls.log.key(call, signal.received_ns)
            self._weigh(signal.seat)
        else:
            self._entered(signal._replace(t_ns=counts.t_ns, uncertainty_ns=counts.uncertainty_ns))

    def _pressed(self, call: Call) -> None:
        """Handle a press that can be no call: ready, done. One without meaning is no error.

        A person's buzzer, hit in passing, does nothing that TURN does not: it never chooses.
        """
        seat, view = call.seat, self.match.view(call.seat)
        if not self.gate.admits(seat, call.t_ns + call.uncertainty_ns, self._now_ns):
            return
        keyed = self._meant(view, seat, call.control, self.entries)
        if keyed.why and keyed.for_house:
            self._refuse(seat, keyed.why)
            return
        if keyed.move and seat in self.pacing.people:
            confirms = self._console.key(view, seat, TURN, self.entries).moves == keyed.moves
            if not (confirms and self._is_sure(seat, TURN, keyed.move, typed=bool(self.entries.get(seat)))):
                return
        if keyed.accepted:
            self.gate.keep(seat, keyed, call.t_ns, self._now_ns)
            if keyed.for_house:
                self._happened.append(Happened(self._now_ns, shows=True))
        self._make_keyed(keyed, call.t_ns)

    def _entered(self, signal: SeatSignal) -> None:
        seat = signal.seat
        if why := self._untimely(signal):
            self._refuse(seat, why)
            return
        last_ns = signal.t_ns + signal.uncertainty_ns
        if signal.control != BACK and not self.gate.admits(seat, last_ns, self._now_ns):
            return
        if signal.control == TURN and self._did_by_hand(seat, signal.t_ns):
            return
        surely_ns = signal.t_ns - signal.uncertainty_ns
        if self.calls.race is None and self.pacing.is_past_limit(surely_ns):  # however late its report comes
            self._refuse(seat, msg("too late"))
            return
        view = self.match.view(None if seat == TABLE else seat)
        keyed = self._meant(view, seat, signal.control, self.entries)
        typed = self.entries.get(seat) or keyed.for_house
        if signal.control == BACK and seat in self.pacing.people and not (typed or keyed.entry or keyed.move):
            if self.gate.admits(seat, last_ns, self._now_ns):
                self.gate.unsure(seat)
                self._step_back(seat, keyed.why or NOTHING_TYPED)
            return
        self.gate.keep(seat, keyed, signal.t_ns, self._now_ns)
        if keyed.move and self.by_hand:
            keyed = keyed._replace(move=keyed.move._replace(verb=self.by_hand.said or keyed.move.verb))
        if keyed.move and self.dealer and self.match.is_draw(keyed.move):
            self._refuse(seat, DEALT_HERE)
        elif keyed.move:
            at_ns = _decided_ns(signal, keyed.move, self.entries, self.gate.typed_ns)
            if self._waits_for_calls(at_ns, lambda: self._key_again(signal, keyed)):
                return
            if self._is_sure(seat, signal.control, keyed.move, typed=bool(typed)):
                self._make_keyed(keyed, at_ns)
        elif keyed.why:
            self._refuse(seat, keyed.why)

    def _meant(self, view: View, seat: Seat, control: str, entries: Mapping[Seat, str]) -> Keyed:
        """Return what a key means; for the house nobody keys anything where the companion deals or is about to."""
        keyed = self._console.key(view, seat, control, entries)
        if (keyed.for_house and self.dealer) or (keyed.accepted and self.deals_first):
            return Keyed(entries.get(seat, ""), why=DEALT_HERE)
        return keyed

    def _key_again(self, signal: SeatSignal, keyed: Keyed) -> None:
        """Take a key that was held back: a seat's by what it means now, the house's by what it has typed before."""
        if signal.seat == TABLE:
            self._make_keyed(keyed, signal.t_ns)
        else:
            self._route(signal)

    def _is_sure(self, seat: Seat, control: str, move: Move, *, typed: bool) -> bool:
        """Tell whether a person means a move, and ask for the key again where that is not known."""
        if self.gate.is_sure(seat, control, move, typed=typed):
            return True
        self._refuse(seat, msg("Really? {key} again: nobody can take it back", key=control))
        return False

    def _house(self, signal: SeatSignal) -> None:
        if not signal.pressed:
            return
        if why := self._untimely(signal):
            self._refuse(TABLE, why)
            return
        control = signal.control
        if control == "ok" and self.by_hand and self.dealer:
            self._deal()
            return
        move = self._house_move(control)
        if move and self._waits_for_calls(signal.t_ns, lambda: self._route(signal)):
            return
        if move:
            self._make(move, Evidence(signal.t_ns))
        elif overruling := overruled(self.match, control):
            if refusal := self._overrule(overruling):
                self._refuse(TABLE, refusal.text)
        else:
            has = ", ".join(self.house_controls())
            self._refuse(TABLE, msg("{control} has no meaning now; the house has: {has}", control=control, has=has))

    def _house_move(self, control: str) -> Move | None:
        """Return what a control of the house makes; with a dealer the next card is not the house's to name."""
        dealt = self.stage.deal and self.dealer
        return None if dealt else self._console.house(self.match.view(), control)

    def house_controls(self) -> Iterator[str]:
        """Return the controls of the house that have a meaning now."""
        for control in ("ok", "skip", "right", "wrong"):
            by_hand = control == "ok" and self.by_hand and self.dealer
            if by_hand or self._house_move(control) or overruled(self.match, control):
                yield control
        if self.takeback.moves:
            yield "undo"
        yield "pause"

    def _untimely(self, signal: SeatSignal) -> Text | None:
        """Say why a key or a control, when it was pressed, cannot be meant for this position; None: it can."""
        if self.was_paused(signal):
            return PAUSED if self.pauses else msg("not taken: pressed while the match was paused")
        since_ns = self._left_ns
        if signal.seat != TABLE or signal.control in HOUSE_CONTROLS:  # real cards may be named before and after
            since_ns = max(since_ns, self.calls.asks_since_ns(signal.seat))
        return msg("not taken: pressed before it was shown") if signal.t_ns < since_ns else None

    def _step_back(self, seat: Seat, why: Text) -> None:
        """Take back what the last key of a seat has made, if it alone may do that; else say `why` not."""
        takeback = own_step(self.match, seat)
        if takeback.moves:
            self._take_back(takeback)
        else:
            self._refuse(seat, why)

    def _plugged(self, signal: SeatSignal) -> None:
        if signal.control == UNPLUG:
            self.lose(signal.seat)
            return
        self._is_back(signal.seat)


def _decided_ns(signal: SeatSignal, move: Move, entries: Mapping[Seat, str], typed_ns: Mapping[Seat, int]) -> int:
    """Return when a move was decided by a key: with the last key of all seats whose keys make one of the TABLE."""
    if signal.seat == TABLE or move.seat != TABLE:
        return signal.t_ns
    typed = [typed_ns.get(seat, signal.t_ns) for seat, entry in entries.items() if entry and seat != TABLE]
    return max(typed, default=signal.t_ns)
