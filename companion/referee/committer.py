"""Makes moves, undos and corrections. Each is durable in the journal before it takes effect and is announced."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.core.console import Call, Keyed
from companion.core.errors import AmendError, IllegalMove, NoMoveError, SecretPendingError, Uncorrected
from companion.core.event import Event, event
from companion.core.match import Match, Step
from companion.core.move import TABLE, Move, Seat
from companion.core.record import Evidence
from companion.core.text import Text
from companion.referee import events
from companion.referee.calls import Calls, Inputs
from companion.referee.input_gate import InputGate
from companion.referee.journal import Store
from companion.referee.pacing import Pacing
from companion.referee.pauses import Pauses
from companion.referee.pending import Pending
from companion.referee.position import LivePosition
from companion.referee.sentences import tell_amended, tell_undone
from companion.referee.step_result import Steps
from companion.referee.undo import Undo, last_moves, one_undo


@dataclass(eq=False, repr=False)
class Committer:
    """Makes the steps of one match.

    `left_ns`: when the house left a position by its last undo. `held_ns`: since when the match waits for a press
    after it.
    """

    store: Store
    position: LivePosition
    pacing: Pacing
    calls: Calls
    inputs: Inputs
    gate: InputGate
    pauses: Pauses
    pending: Pending
    steps: Steps
    left_ns: int = 0
    held_ns: int = 0
    _known_ns: dict[int, int] = field(default_factory=dict)  # by move: when all earlier presses are reported

    @property
    def match(self) -> Match:
        return self.position.match

    # --- Making a move ----------------------------------------------------------------------------------------

    def make(self, move: Move, evidence: Evidence, *first: Event, refused_to: Seat = TABLE) -> bool:
        try:
            step = self.match.prepare(move, evidence)
        except IllegalMove as refusal:
            self.refuse(refused_to, refusal.text if refused_to == TABLE else refusal.own, refusal.rule)
            return False
        self._commit(step, *first)
        return True

    def make_keyed(self, keyed: Keyed, t_ns: int, number: int = 1) -> None:
        """Make the moves of one key. One undo takes them all back.

        `number`: the first move's index within its key press.
        """
        while keyed.move:
            evidence = Evidence(t_ns, key_move=number if number > 1 else None)
            if not self.make(keyed.move, evidence, refused_to=keyed.move.seat):
                return
            rest = keyed._replace(move=next(iter(keyed.then), None), then=keyed.then[1:])
            keyed, number = self.gate.after(rest), number + 1

    def refuse(self, seat: Seat, text: Text, rule: str | None = None) -> None:
        if not self.pauses:
            self.gate.renew(seat, self.steps.now_ns)  # its entry is gone
        about = None if seat == TABLE else seat
        self.steps.add(event(events.Refused(rule, text), about, seen_by=None if about is None else (seat,)))

    def _commit(self, step: Step, *first: Event) -> None:
        self.store.append(step.entry)
        happened = self.match.take(step)
        self.enter(*first, *happened, moves=[played.move for played in step.line])

    def enter(self, *told: Event, moves: Sequence[Move] | None = None) -> None:
        now_ns, made = self.steps.now_ns, moves is not None
        before = self.position.stage
        lamps = self.position.enter(was_dealing=self.calls.dealing)
        stage = self.position.stage
        self.gate.turn_to(stage, now_ns, over=self.position.over, made=moves)
        self.pacing.plan_draw(stage.deal, now_ns, dealt=self.position.dealer is not None)
        if not self.calls.turn_to(stage, now_ns, made=made):
            runs = before.limit and stage.limit and before.limit.move == stage.limit.move
            if not runs:  # otherwise naming a card while its row is due would restart it
                self.pacing.set_limit(stage.limit, self.calls.raced_ns)
            if stage.limit and not stage.race:  # a race's limit starts when its card is visible
                self.pacing.run_limit(now_ns, self.inputs.settle_ns)
        lit = (event(events.Lamp(lamp.value), seat) for seat, lamp in lamps)
        self.steps.add(*told, *lit, lamps=lamps, made=made, shows=True, reacts=self.calls.race is None)
        self.pauses.update()

    # --- Undo -------------------------------------------------------------------------------------------------

    def next_undo(self, asked_ns: int | None = None) -> Undo:
        """Return what an undo takes back now, or one that was requested at `asked_ns` without a pause.

        A buzzer's move goes along with the one before it if its report could still be missing at `asked_ns`: the
        house did not mean it, and a later report would be dropped.
        """
        along = () if asked_ns is None else {move for move, at_ns in self._known_ns.items() if at_ns > asked_ns}
        return one_undo(self.match, dealt=self.position.dealer is not None, along=along)

    def note_press(self, call: Call, moves: range) -> None:
        self._known_ns |= dict.fromkeys(moves, self.calls.orders_ns(call))

    def undo(self, asked_ns: int | None = None) -> None:
        undo = self.next_undo(asked_ns)
        if undo.moves:
            self.take_back(undo)
            self.left_ns = self.steps.now_ns

    def take_back(self, undo: Undo, *, holds: bool = True) -> None:
        count, revealed, now_ns = len(undo.moves), undo.revealing, self.steps.now_ns
        said = tell_undone(self.match, count, revealed=revealed)
        undone = event(events.Undone(undo.moves, revealed), said=said)
        self._drop_presses()
        self._known_ns.clear()
        step = self.match.prepare_undo(count, Evidence(now_ns))
        if holds:
            self.pacing.hold(now_ns)
            self.held_ns = now_ns
        self._commit(step, undone)

    def let_go(self) -> None:
        self.pacing.let_go(self.steps.now_ns)
        self.steps.add(reacts=True)

    # --- Correction -------------------------------------------------------------------------------------------

    def amend(self, number: int, move: Move, without: int | None = None) -> Uncorrected | None:
        """Correct an earlier move, and drop the moves from number `without` on.

        Return None if done, otherwise why nothing was changed. While a secret is locked, no earlier move is
        corrected, since the answer would reveal something about it.
        """
        return self._correct(number, move, without, holds=without is not None)

    def overrule(self, move: Move) -> Uncorrected | None:
        """Correct the last decision, and drop what came by itself after it."""
        number = self.match.decided
        return self._correct(number, move, number + 1 if number < self.match.length else None, holds=False)

    def _correct(self, number: int, move: Move, without: int | None, *, holds: bool) -> Uncorrected | None:
        match = self.match
        if not 1 <= number <= match.length:
            return NoMoveError(number)
        if match.holds_secret and number < match.length:
            return SecretPendingError()
        try:
            match.prepare_amend(number, move, length=None if without is None else without - 1)
        except (IllegalMove, AmendError) as refusal:
            return refusal
        if without is not None:
            # Two entries: a record that ends between them is valid, with the last moves taken back.
            self.take_back(last_moves(match, match.length - without + 1), holds=holds)
        step = match.prepare_amend(number, move, Evidence(self.steps.now_ns))
        amended = events.Amended(number, match.move_text(number), match.public_text(move))
        said = tell_amended(match, number, move)
        self._drop_presses()
        self._commit(step, event(amended, said=said))
        # A waiting move may follow now; one undo takes back both.
        self.make_keyed(self.gate.after(Keyed()), self.steps.now_ns, number=2)
        return None

    def _drop_presses(self) -> None:
        self.gate.entries.pop(TABLE, None)
        self.calls.drop(self.steps.now_ns)
        self.pending.clear()
