"""The referee: signals in, moves made, moves committed, and what happened out.

It holds no thread, reads no clock and calls nobody: what is done to it is done at a time (`do`), and returns what
happened, in order, each of it durable in the journal already. Who presents it is told by `refereed`.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from companion.core.console import (
    BACK,
    BUZZ,
    HOUSE_CONTROLS,
    KEYS,
    NOTHING_TYPED,
    TURN,
    ByHand,
    Call,
    Console,
    Keyed,
    Lamp,
    Stage,
)
from companion.core.dealer import Draws
from companion.core.errors import IllegalMove, SecretPendingError
from companion.core.event import Event, event
from companion.core.match import Match, Step
from companion.core.move import TABLE, Move, Seat, by_seat
from companion.core.record import Evidence
from companion.core.rules import View
from companion.core.signal import PLUG, UNPLUG, SeatSignal
from companion.core.text import Text, msg
from companion.referee import events
from companion.referee.calls import Calls
from companion.referee.draw import drawn
from companion.referee.happened import Happened, Pause, Reason
from companion.referee.inputs import Inputs
from companion.referee.journal import Store
from companion.referee.pacing import Pacing
from companion.referee.questions import Questions
from companion.referee.races import as_it_counts
from companion.referee.takeback import Takeback, last_moves, one_undo, overruled, own_step

DEALT_HERE: Final = msg("the companion rolls and deals here")

log = logging.getLogger(__name__)


class Referee:
    """Referees one match.

    With a `dealer` the Pi deals and rolls; without one the TABLE's draws come from the house, who reads them
    off real cards and dice.

    `stage` is what it waits for, unless the match is `over`, and `pauses` why all that waits. `entries` is what
    each seat has typed so far: for its own screen only, since it may be a secret. `calls` are what is heard of
    presses until they are judged. `console` is what it asks what keys mean, by default that of the game.
    """

    def __init__(
        self,
        match: Match,
        store: Store,
        *,
        inputs: Inputs,
        dealer: Draws | None = None,
        console: Console | None = None,
    ) -> None:
        self.match = match
        self.dealer = dealer
        self.pacing = Pacing()
        self.over = False
        self.stage = Stage()
        self.pauses: tuple[Pause, ...] = ()
        self.calls = Calls(inputs, len(match.names), self.pacing)
        self.questions = Questions(match, self.pacing)
        self.entries = self.questions.entries
        self._store = store
        self._inputs = inputs
        self._console = console or match.game.console
        self._away: set[Seat] = set()  # whose device is unplugged
        self._lit: Sequence[Lamp] = [Lamp.OFF] * len(match.names)
        self._held: list[Callable[[], None]] = []  # what the house and keys do while a call is judged
        self._together = False  # the dealer goes on drawing at once
        self._turned: tuple[Seat, ...] = ()  # who may have pressed to turn the card that is open
        self._now_ns = 0
        self._happened: list[Happened] = []

    # --- Running: time and signals in -----------------------------------------------------------------

    def do(self, act: Callable[[], object], now_ns: int) -> list[Happened]:
        """Do something, at a time; return what has happened by it."""
        self._now_ns = max(self._now_ns, now_ns)
        act()
        happened, self._happened = self._happened, []
        return happened

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
    def by_hand(self) -> ByHand | None:
        """How people do what is due of the dealer; None when nobody has to."""
        return self.pacing.by_hand(self.stage.deal, dealt=self.dealer is not None)

    @property
    def deadline_ns(self) -> int | None:
        """When `tick` is next due; None when only a signal can change something."""
        return min((at for at, _ in self._due()), default=None)

    def tick(self, now_ns: int) -> list[Happened]:
        """Do the first thing that is due by now: deal, close a settle window, end a time limit.

        One at a time: what is presented of it may put off the next one.
        """
        ripe = [timer for timer in self._due() if timer[0] <= now_ns]
        at_ns, act = min(ripe, key=lambda timer: timer[0], default=(now_ns, list))
        return self.do(act, at_ns)

    def signal(self, signal: SeatSignal) -> None:
        """Act on what a device reports, when all that was due before its arrival is done."""
        if signal.control in {PLUG, UNPLUG}:
            self._plugged(signal)
            return
        if signal.pressed and self.pacing.held and not self.pauses:
            self._let_go()
        self._route(signal)

    def _route(self, signal: SeatSignal) -> None:
        if signal.control == BUZZ and 0 <= signal.seat < len(self.match.names):
            self._buzzed(signal)
        elif self.calls.judging and not self.pauses and signal.control not in self.stage.call_controls:
            self._held.append(lambda: self._route(signal))  # a call that was heard comes before it
        elif signal.control in KEYS:
            self._keyed(signal)
        elif signal.seat == TABLE and signal.control in HOUSE_CONTROLS:
            self._house(signal)
        else:
            log.warning("no meaning for control %r of %s", signal.control, signal.source)

    def table_move(self, move: Move, now_ns: int) -> None:
        """Make a move of the TABLE that the house reads off the table: a real card, a real die."""
        if self.pacing.held:
            self._let_go()
        if self.calls.judging and not self.pauses:
            self._held.append(lambda: self._table_move(move, now_ns))
        else:
            self._table_move(move, now_ns)

    def _ends_call(self, t_ns: int, again: Callable[[], None]) -> bool:
        """Hold back what would end an open call until every earlier call must have been reported (BH-R16)."""
        if not self.calls.ends(t_ns, self._now_ns):
            return False
        self._held.append(again)
        return True

    def _all_reported(self) -> None:
        """Go on with what would end a call, unless one was heard by now that came before."""
        self.calls.all_reported(self._now_ns)
        self._weigh_all()

    def _table_move(self, move: Move, t_ns: int) -> None:
        if not self._refuse_when_paused(TABLE) and not self._ends_call(t_ns, lambda: self._table_move(move, t_ns)):
            self.entries.pop(TABLE, None)
            self._make(move, Evidence(self._now_ns))

    def _due(self) -> list[tuple[int, Callable[[], None]]]:
        if self._held and not self.calls.waiting:
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
        due += [(at_ns, self._weigh_all) for at_ns in self.calls.weigh_ns]
        if not (self.pauses or pacing.held):
            due.append(
                (None if self.by_hand else pacing.draw_ns, self._deal if self.dealer else self._go_by_itself)
            )
            if not self.calls.judging:  # calls that were heard are judged before a card is given up
                due.append((pacing.limit_over_ns, self._time_out))
        return [(at_ns, act) for at_ns, act in due if at_ns is not None]

    def _do_held(self) -> None:
        self._held.pop(0)()
        if self.calls.race and not self._held:
            self.calls.race.ends_ns = None  # it was no end
            self._weigh_all()

    # --- Calls ----------------------------------------------------------------------------------------

    def _buzzed(self, signal: SeatSignal) -> None:
        self.calls.buzzed(signal)
        self._weigh(signal.seat)
        if self.calls.is_settled(self._now_ns):
            self._close_window()

    def _weigh(self, seat: Seat) -> None:
        for call in self.calls.weigh(seat, self._now_ns):
            self._did_not_count(call)

    def _weigh_all(self) -> None:
        for call in self.calls.weigh_all(self._now_ns):
            self._did_not_count(call)

    def _close_window(self) -> None:
        verdict = self.calls.verdict(self._now_ns)
        move = self._console.called(self.match.view(), verdict.winners) if verdict else None
        if verdict and move:
            evidence, told = self.calls.judged(verdict, self._now_ns)
            self._make(move, evidence, *told)

    def _did_not_count(self, call: Call) -> None:
        """A press that is no call: too early, too late to matter, or simply not the first (BH-R8)."""
        if late := self.calls.late(call):
            self._tell(event(events.LateReport(late.t_ns, late.uncertainty_ns), late.seat))
        elif self.calls.is_meant(call) and not self.pauses:
            self._false_start(call)

    def _false_start(self, call: Call) -> None:
        if call.control == BUZZ and self._did_by_hand(call.seat, call.t_ns):
            return
        if call.control not in self.stage.call_controls:
            self._pressed(call)
            return
        if call.seat in self._turned:
            return  # the house has turned the card at the same time, or it was pressed twice
        self.calls.false_starts.setdefault(call.seat, call)
        self._tell(event(events.FalseStart(call.t_ns), call.seat, seen_by=(call.seat,)))
        if move := self._console.early(self.match.view(), call.seat):
            self._make(move, Evidence(self._now_ns))

    def _did_by_hand(self, seat: Seat, t_ns: int) -> bool:
        """Do what is due of the dealer, or answer the question, if it is this seat's; tell whether it was."""
        hand = self.by_hand
        if hand is None or seat not in hand.seats:
            return False
        if hand.said:
            self._make(Move(TABLE, hand.said, (seat,)), Evidence(t_ns), refused_to=seat)
        else:
            self._deal()
        return True

    # --- Keys and the house ---------------------------------------------------------------------------

    def _keyed(self, signal: SeatSignal) -> None:
        if not signal.pressed:
            return
        call = Call(signal.seat, signal.t_ns, signal.uncertainty_ns, signal.control, signal.flags)
        counts = as_it_counts(call, signal.received_ns)
        if self.calls.late(counts):
            self._did_not_count(counts)
        elif signal.seat != TABLE and signal.control in self.stage.call_controls:
            self.calls.keyed(call, signal.received_ns)
            self._weigh(signal.seat)
        else:
            self._entered(signal._replace(t_ns=counts.t_ns, uncertainty_ns=counts.uncertainty_ns))

    def _pressed(self, call: Call) -> None:
        """Handle a press that can be no call: ready, done. One without meaning is no error.

        A person's buzzer, hit in passing, does nothing that TURN does not: it never chooses.
        """
        seat, view = call.seat, self.match.view(call.seat)
        if not self.questions.is_answer(seat, call.t_ns + call.uncertainty_ns, self._now_ns):
            return
        keyed = self._meant(view, seat, call.control)
        if keyed.why and keyed.for_house:
            self._refuse(seat, keyed.why)
            return
        if keyed.move and seat in self.pacing.people:
            confirms = self._console.key(view, seat, TURN, self.entries).moves == keyed.moves
            if not (confirms and self._is_sure(seat, TURN, keyed.move, typed=bool(self.entries.get(seat)))):
                return
        if keyed.accepted:
            self.questions.keep(seat, keyed, self._now_ns)
            if keyed.for_house:
                self._happened.append(Happened(self._now_ns, shows=True))
        self._make_keyed(keyed, call.t_ns)

    def _entered(self, signal: SeatSignal) -> None:
        seat = signal.seat
        if self._refuse_when_paused(seat):
            return
        last_ns = signal.t_ns + signal.uncertainty_ns
        if signal.control != BACK and not self.questions.is_answer(seat, last_ns, self._now_ns):
            return
        if signal.control == TURN and self._did_by_hand(seat, signal.t_ns):
            return
        surely_ns = signal.t_ns - signal.uncertainty_ns
        if self.calls.race is None and self.pacing.is_past_limit(surely_ns):  # however late its report comes
            self._refuse(seat, msg("too late"))
            return
        view = self.match.view(None if seat == TABLE else seat)
        keyed = self._meant(view, seat, signal.control)
        typed = self.entries.get(seat) or keyed.for_house
        if signal.control == BACK and seat in self.pacing.people and not (typed or keyed.entry or keyed.move):
            if self.questions.is_answer(seat, last_ns, self._now_ns):
                self.questions.unsure(seat)
                self._step_back(seat, keyed.why or NOTHING_TYPED)
            return
        self.questions.keep(seat, keyed, self._now_ns)
        if keyed.move and self.by_hand:
            keyed = keyed._replace(move=keyed.move._replace(verb=self.by_hand.said or keyed.move.verb))
        if keyed.move and self.dealer and self.match.is_draw(keyed.move):
            self._refuse(seat, DEALT_HERE)
        elif keyed.move and not self._ends_call(signal.t_ns, lambda: self._key_again(signal, keyed)):
            if self._is_sure(seat, signal.control, keyed.move, typed=bool(typed)):
                self._make_keyed(keyed, signal.t_ns)
        elif keyed.why:
            self._refuse(seat, keyed.why)

    def _meant(self, view: View, seat: Seat, control: str) -> Keyed:
        """Return what a key means; for the house nobody keys anything where the companion deals."""
        keyed = self._console.key(view, seat, control, self.entries)
        if keyed.for_house and self.dealer:
            return Keyed(self.entries.get(seat, ""), why=DEALT_HERE)
        return keyed

    def _key_again(self, signal: SeatSignal, keyed: Keyed) -> None:
        """Take a key that was held back: a seat's by what it means now, the house's by what it has typed before."""
        if signal.seat == TABLE:
            self._make_keyed(keyed, signal.t_ns)
        else:
            self._route(signal)

    def _is_sure(self, seat: Seat, control: str, move: Move, *, typed: bool) -> bool:
        """Tell whether a person means a move, and ask for the key again where that is not known."""
        if self.questions.is_sure(seat, control, move, typed=typed):
            return True
        self._refuse(seat, msg("Really? {key} again: nobody can take it back", key=control))
        return False

    def _house(self, signal: SeatSignal) -> None:
        if not signal.pressed or self._refuse_when_paused(TABLE):
            return
        control = signal.control
        if control == "ok" and self.by_hand and self.dealer:
            self._deal()
            return
        move = self._house_move(control)
        if move and self._ends_call(signal.t_ns, lambda: self._route(signal)):
            return
        corrected = overruled(self.match, control)
        if move:
            self._make(move, Evidence(signal.t_ns))
        elif len(corrected) == 1:
            self._amend(self.match.decided, corrected[0])
        elif corrected:
            self._refuse(TABLE, msg("more than one answer is right: correct move {n}", n=self.match.decided))
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

    def _refuse_when_paused(self, seat: Seat) -> bool:
        if not self.pauses:
            return False
        self._refuse(seat, msg("the match is paused"))
        return True

    def _refuse(self, seat: Seat, text: Text, rule: str | None = None) -> None:
        """Tell a seat, and only it, that its input was refused; the house's is refused before everybody."""
        if not self.pauses:
            self.questions.renew(seat, self._now_ns)  # what was typed is gone
        seen_by = None if seat == TABLE else (seat,)
        self._tell(event(events.Refused(rule, text), None if seat == TABLE else seat, seen_by=seen_by))

    # --- Undo and pause -------------------------------------------------------------------------------

    @property
    def takeback(self) -> Takeback:
        """What an undo would take back now."""
        return one_undo(self.match, dealt=self.dealer is not None)

    def undo(self) -> None:
        """Take back what an undo takes back; who calls this has shown what that is, and it was confirmed."""
        if (takeback := self.takeback).moves:
            self._take_back(takeback)

    def _step_back(self, seat: Seat, why: Text) -> None:
        """Take back what the last key of a seat has made, if it alone may do that; else say `why` not."""
        takeback = own_step(self.match, seat)
        if takeback.moves:
            self._take_back(takeback)
        else:
            self._refuse(seat, why)

    def _take_back(self, takeback: Takeback) -> None:
        undone = event(events.Undone(takeback.moves, takeback.revealing))
        self._drop_calls()
        step = self.match.prepare_undo(len(takeback.moves), Evidence(self._now_ns))
        self.pacing.hold(self._now_ns)
        self._commit(step, undone)

    def _let_go(self) -> None:
        """Go on with what waits since a move was taken back: somebody has pressed something."""
        self.pacing.let_go(self._now_ns)
        self._happened.append(Happened(self._now_ns, reacts=True))

    def amend(self, number: int, move: Move, without: int | None = None) -> None:
        """Correct an earlier move. Raise IllegalMove, AmendError or ValueError; nothing is changed then.

        The moves from number `without` on are taken back before: the correction makes that one illegal. Raise
        SecretPendingError while a secret is locked: whether a correction is possible would tell of it.
        """
        match = self.match
        if match.holds_secret and number < match.length:
            raise SecretPendingError
        if without is not None:
            # Two entries: a record that ends between them is one of a match whose last moves were taken back.
            match.prepare_amend(number, move, length=without - 1)
            self._take_back(last_moves(match, match.length - without + 1))
        self._amend(number, move)

    def _amend(self, number: int, move: Move) -> None:
        step = self.match.prepare_amend(number, move, Evidence(self._now_ns))
        was = self.match.move_text(number)
        self._drop_calls()
        self._commit(step, event(events.Amended(number, was, self.match.public_text(move))))

    def _drop_calls(self) -> None:
        """Forget what was pressed in a position that is left by an undo or a correction."""
        self.entries.pop(TABLE, None)
        self.calls.drop(self._now_ns)
        self._held.clear()

    def _plugged(self, signal: SeatSignal) -> None:
        if signal.control == UNPLUG:
            self._away.add(signal.seat)
            self._wait_for_away()
            return
        self._away.discard(signal.seat)
        self.calls.plugged(signal.seat, self._now_ns)
        self.resume(Pause(Reason.UNPLUGGED, signal.seat))

    def _wait_for_away(self) -> None:
        """Pause for each device that is away, unless its player is out (BH-A7)."""
        for seat in sorted(self._away.difference(self.stage.out)):
            self.pause(Pause(Reason.UNPLUGGED, seat))

    def pause(self, pause: Pause) -> None:
        """Stop the match's time, for one reason more."""
        if pause in self.pauses:
            return
        self.pauses = (*self.pauses, pause)
        self.pacing.pause(self._now_ns)
        self._tell(event(events.Paused(pause.reason.value), pause.about))

    def resume(self, pause: Pause) -> None:
        """End one reason to wait; the match goes on when there is no other."""
        if pause not in self.pauses:
            return
        if pause.reason is Reason.HOUSE and self.pacing.held:
            self.pacing.let_go(self._now_ns)  # somebody has pressed to go on
        self.pauses = tuple(other for other in self.pauses if other != pause)
        went_on = event(events.WentOn(pause.reason.value, bool(self.pauses)), pause.about)
        if self.pauses:
            self._tell(went_on)
            return
        self.calls.go_on(self._now_ns)
        self.pacing.go_on(self._now_ns)
        for seat in self.pacing.people if pause.reason is Reason.HOUSE else ():
            self.questions.renew(seat, self._now_ns)  # a menu stood there
        self._happened.append(Happened(self._now_ns, (went_on,), shows=True, reacts=self.calls.race is None))

    # --- Making a move --------------------------------------------------------------------------------

    def _deal(self) -> None:
        assert self.dealer
        self.pacing.draw_ns = None
        hand = self.by_hand
        self._turned = hand.seats if hand else ()
        move, redrawn = drawn(self.match, self.dealer, hand)
        self._make(move, Evidence(self._now_ns), *redrawn)
        self._together = self.stage.deal is not None and self.stage.deal.together

    def _go_by_itself(self) -> None:
        assert self.stage.deal
        assert self.stage.deal.by_itself
        self.pacing.draw_ns = None
        if self._make(self.stage.deal.by_itself.move, Evidence(self._now_ns)):
            self.visible(self._now_ns)  # nothing has to be shown first: what lies open lies on the table

    def _time_out(self) -> None:
        assert self.stage.limit
        self.pacing.set_limit(self.stage.limit)  # it does not run twice
        self._make(self.stage.limit.move, Evidence(self._now_ns))

    def _make_keyed(self, keyed: Keyed, t_ns: int) -> None:
        """Make the moves of one key, and those after it that need none; an undo takes them back together."""
        number = 1
        while keyed.move:
            comment = Evidence(t_ns, key_move=number if number > 1 else None)
            if not self._make(keyed.move, comment, refused_to=keyed.move.seat):
                return
            rest = keyed._replace(move=next(iter(keyed.then), None), then=keyed.then[1:])
            keyed, number = self.questions.after(rest), number + 1

    def _make(self, move: Move, comment: Evidence, *first: Event, refused_to: Seat = TABLE) -> bool:
        """Make a move, or refuse it; tell whether it was made."""
        try:
            step = self.match.prepare(move, comment)
        except IllegalMove as refusal:
            self._refuse(refused_to, refusal.text if refused_to == TABLE else refusal.own, refusal.rule)
            return False
        self._commit(step, *first)
        return True

    def _commit(self, step: Step, *first: Event) -> None:
        """Make a step durable, then the match's own; what happened is told from there on."""
        self._store.append(step.entry)
        happened = self.match.take(step)
        self.questions.made(played.move.seat for played in step.line)
        self._enter(*first, *happened, made=True)

    def _enter(self, *told: Event, made: bool = False) -> None:
        """Wait for what the new position waits for."""
        view = self.match.view()
        self.over = self.match.outcome is not None
        self.stage = stage = Stage() if self.over else self._console.stage(view)
        self.questions.turn_to(stage, self._now_ns, over=self.over, made=made)
        self.pacing.plan_draw(stage.deal, self._now_ns, dealt=self.dealer is not None)
        if stage.deal and not self.calls.dealing:
            self._turned = ()
        if not self.calls.turn_to(stage, self._now_ns, made=made):
            self.pacing.set_limit(stage.limit)
            if stage.limit and not stage.race:  # else it runs from when the card is visible
                self.pacing.run_limit(self._now_ns, self._inputs.settle_ns)
        before, self._lit = self._lit, self._console.lamps(view)
        lit = tuple((seat, lamp) for seat, lamp in by_seat(self._lit) if lamp != before[seat])
        told += tuple(event(events.Lamp(lamp.value), seat) for seat, lamp in lit)
        self._happened.append(
            Happened(self._now_ns, told, lit, made=made, shows=True, reacts=self.calls.race is None)
        )
        if self._away:
            self._wait_for_away()

    def visible(self, shown_ns: int) -> None:
        """Open the call that the position is about, if there is one: it could be seen since `shown_ns`."""
        if not self.pauses and self.calls.open(shown_ns, self._now_ns):
            self.pacing.run_limit(shown_ns, self._inputs.settle_ns)  # after a pause it goes on
            self._happened.append(Happened(self._now_ns, (event(events.Visible(shown_ns)),), reacts=True))

    def _tell(self, told: Event) -> None:
        self._happened.append(Happened(self._now_ns, (told,)))
