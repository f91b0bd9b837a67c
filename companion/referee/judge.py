"""Judges calls: weighs presses, gives verdicts, and acts on false starts."""

from dataclasses import dataclass
from operator import attrgetter

from companion.core.console import BUZZ, Call
from companion.core.errors import IllegalMove
from companion.core.event import event
from companion.core.move import Move, Seat
from companion.core.record import Evidence
from companion.core.signal import SeatSignal
from companion.referee import events
from companion.referee.calls import Calls
from companion.referee.committer import Committer
from companion.referee.dealing import Dealing
from companion.referee.keys import Keys
from companion.referee.pending import Pending
from companion.referee.position import LivePosition
from companion.referee.step_result import Steps


@dataclass(eq=False, repr=False)
class Judge:
    """Judges calls as soon as every earlier one must have been reported."""

    position: LivePosition
    calls: Calls
    pending: Pending
    keys: Keys
    dealing: Dealing
    committer: Committer
    steps: Steps

    def buzzed(self, signal: SeatSignal) -> None:
        self.calls.buzzed(signal)
        self.weigh(signal.seat)
        if self.calls.is_settled(self.steps.now_ns):
            self.close_window()

    def weigh(self, seat: Seat | None = None) -> None:
        self._read_held()
        now_ns = self.steps.now_ns
        for call in self.calls.weigh_all(now_ns) if seat is None else self.calls.weigh(seat, now_ns):
            self.did_not_count(call)

    def read_levels(self) -> None:
        self.calls.read_levels(self.steps.now_ns)

    def close_window(self) -> None:
        self.calls.read(self.steps.now_ns)
        self.weigh()  # false starts are announced before the verdict
        if self.calls.waits_for_early(self.steps.now_ns):
            return
        while self.pending.owed:
            self.eliminate()
        if not self.calls.judging:  # all callers are out
            return
        decision = self.calls.decide(self.steps.now_ns)
        move = self._called(decision.winners) if decision else None
        if decision and move:
            evidence, told = self.calls.judged(decision, self.steps.now_ns)
            self.committer.make(move, evidence, *told)

    def _called(self, winners: tuple[Call, ...]) -> Move | None:
        timed = tuple(call.timed(self.calls.used_ns(call)) for call in winners)
        return self.position.console.called(self.position.view(), timed)

    def hasten(self) -> None:
        """Judge a call that would be judged by now if every report had come at once."""
        self._read_held()
        if self.calls.hasten(self.steps.now_ns):
            self.close_window()

    def all_reported(self) -> None:
        self.calls.all_reported(self.steps.now_ns)
        self.weigh()

    def _read_held(self) -> None:
        unread = self.pending.take_unread()
        at_ns = self.keys.first_move_ns(unread) if self.calls.judging else None
        if at_ns is not None:
            self.calls.ends(at_ns)

    # --- Presses that do not count ----------------------------------------------------------------------------

    def did_not_count(self, call: Call) -> None:
        """Act on a press that is too early, reported too late, or not the first (BH-R8)."""
        if late := self.calls.late(call):
            self.steps.add(event(events.LateReport(late.t_ns, late.uncertainty_ns), late.seat))
        elif self.calls.is_meant(call):
            before = self.position.match.length
            self._false_start(call)
            self.committer.note_press(call, range(before + 1, self.position.match.length + 1))

    def _false_start(self, call: Call) -> None:
        if call.control == BUZZ and self.dealing.did_by_hand(call.seat, call.t_ns):
            return
        if call.control not in self.position.stage.call_controls:
            self.keys.pressed(call)
            return
        if (race := self.calls.race) and not race.is_early(call):
            return  # the seat may not call this card, as everybody can see (BH-A24)
        if call.seat in self.position.turned:
            return  # the card was turned at the same time, or the buzzer was pressed twice
        self.calls.false_starts.setdefault(call.seat, call)
        self.steps.add(event(events.FalseStart(call.t_ns), call.seat, seen_by=(call.seat,)))
        move = self.position.console.early(self.position.view(), call.seat)
        if move and self._eliminates(move):
            self.pending.owed = sorted([*self.pending.owed, call], key=attrgetter("t_ns", "seat"))
        elif move:
            self.committer.make(move, Evidence(self.steps.now_ns))

    def _eliminates(self, move: Move) -> bool:
        """Return True if a move puts somebody out, so that the order matters (BH-A14)."""
        match, stage = self.position.match, self.position.stage
        try:
            after = match.prepare(move).line[-1].state
        except IllegalMove:
            return False  # it will be refused
        rules = match.game.rules
        over = rules.outcome(after) is not None
        return over or self.position.console.stage(rules.view(after, None)).out != stage.out

    def eliminate(self) -> None:
        if move := self.position.console.early(self.position.view(), self.pending.owed.pop(0).seat):
            self.committer.make(move, Evidence(self.steps.now_ns))
