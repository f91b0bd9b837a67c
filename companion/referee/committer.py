"""What a move, an undo, a correction or a pause does to a match, and to what its position waits for.

Each step is durable in the journal, then the match's own, then told. It knows no signal: what people and devices do
is made a step by `companion.referee.referee`.
"""

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.core.console import KEYS, ByHand, Call, Console, Keyed, Lamp, Stage
from companion.core.dealer import Draws
from companion.core.errors import AmendError, IllegalMove, NoMoveError, SecretPendingError, Uncorrected
from companion.core.event import Event, event
from companion.core.match import Match, Step
from companion.core.move import TABLE, Move, Seat, by_seat
from companion.core.record import Evidence
from companion.core.signal import SeatSignal
from companion.core.text import Text
from companion.core.units import MS
from companion.referee import events
from companion.referee.calls import Calls, Inputs
from companion.referee.happened import Happened, Pause, Reason
from companion.referee.input_gate import InputGate
from companion.referee.journal import Store
from companion.referee.pacing import Pacing
from companion.referee.takeback import Takeback, last_moves, one_undo
from companion.referee.words import tell_amended, tell_undone


class Held(NamedTuple):
    """What was pressed at `t_ns` and waits: the `act` to do, and its `signal` where what it means is asked then."""

    t_ns: int
    act: Callable[[], None]
    signal: SeatSignal | None = None

    @property
    def order(self) -> tuple[int, Seat, bool]:
        """What comes first is least; keys of one seat in one instant are equal, and stay as they have arrived."""
        signal = self.signal
        return self.t_ns, signal.seat if signal else TABLE, signal is not None and signal.control in KEYS


class Committer:
    """Makes the steps of one match, at times it is told.

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
        self.gate = InputGate(match, self.pacing)
        self.entries = self.gate.entries
        self._store = store
        self._inputs = inputs
        self._console = console or match.game.console
        self._away: set[Seat] = set()  # whose device is unplugged
        self._lost_ns: dict[Seat, range] = {}  # when that of a seat was unplugged last
        self._lit: Sequence[Lamp] = [Lamp.OFF] * len(match.names)
        self._held: list[Held] = []  # what waits for a call
        self._unread = False  # whether something was held back of which it was not asked yet what it means
        self._owed: list[Call] = []  # by seats whom a press too early puts out, once it is known who was before
        self._together = False  # the dealer goes on drawing at once
        self._turned: tuple[Seat, ...] = ()  # who may have pressed to turn the card that is open
        self._left_ns = 0  # when the house left a position by its last undo
        self._held_ns = 0  # since when the match waits for a press, or last did
        self._pressed_ns: dict[int, int] = {}  # by moves that presses made: when these must have been reported
        self._now_ns = 0
        self._happened: list[Happened] = []
        self._seen = False  # whether what is waited for now could be seen

    def do(self, act: Callable[[], object], now_ns: int) -> list[Happened]:
        """Do something, at a time; return what has happened by it."""
        self._now_ns = max(self._now_ns, now_ns)
        act()
        happened, self._happened = self._happened, []
        return happened

    @property
    def by_hand(self) -> ByHand | None:
        """How people do what is due of the dealer, or what else would go by itself; None when nobody may."""
        deal = self.stage.deal
        if deal is None or deal.by_hand is None:
            return None
        if self.dealer is None and not deal.by_hand.said:
            return deal.by_hand if deal.by_itself else None
        return deal.by_hand if self.pacing.is_by_hand(deal.by_hand) else None

    @property
    def deals_first(self) -> bool:
        """Whether the dealer draws before anybody may do something; only what is being shown puts it off."""
        deal = self.stage.deal
        return self.dealer is not None and deal is not None and deal.at_once

    # --- Pause, undo and correction ---------------------------------------------------------------------------

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
            self.gate.renew(seat, self._now_ns)  # a menu stood there
        self._happened.append(Happened(self._now_ns, (went_on,), shows=True, reacts=self.calls.race is None))

    def lose(self, seat: Seat) -> None:
        """Note that a seat's device is away, and pause if the match waits for it."""
        self._away.add(seat)
        self._lost_ns[seat] = range(self._now_ns, sys.maxsize)
        self._wait_for_away()

    def _is_back(self, seat: Seat) -> None:
        """Note that a seat's device is there again; in a moment it may report what it has kept."""
        self._away.discard(seat)
        if seat in self._lost_ns:
            self._lost_ns[seat] = range(self._lost_ns[seat].start, self._now_ns + 1)
        self.calls.plugged(seat, self._now_ns)
        self.resume(Pause(Reason.UNPLUGGED, seat))

    def was_paused(self, signal: SeatSignal) -> bool:
        """Tell whether the match waited when a key was pressed.

        Not if that was for its own device: what that has kept was meant for the position in which it was lost.
        """
        is_kept = signal.t_ns in self._lost_ns.get(signal.seat, range(0))
        return not is_kept and self.calls.was_paused(signal.t_ns)

    def _wait_for_away(self) -> None:
        """Pause for each device that is away, but for none of a player who is out (BH-A7), nor after the end."""
        waited_for = set[Seat]() if self.over else self._away.difference(self.stage.out)
        for pause in self.pauses:
            if pause.reason is Reason.UNPLUGGED and pause.seat not in waited_for:
                self.resume(pause)
        for seat in sorted(waited_for):
            self.pause(Pause(Reason.UNPLUGGED, seat))

    @property
    def takeback(self) -> Takeback:
        """What an undo would take back now."""
        return one_undo(self.match, dealt=self.dealer is not None)

    def takeback_at(self, asked_ns: int) -> Takeback:
        """What an undo takes back that the house asked for at a moment, without a pause before it.

        What a buzzer's press has made goes along with what was decided before, where its report might not have been
        here yet: the house did not mean that, and would drop the press if it came later.
        """
        along = [number for number, known_ns in self._pressed_ns.items() if known_ns > asked_ns]
        return one_undo(self.match, dealt=self.dealer is not None, along=along)

    def undo(self, asked_ns: int | None = None) -> None:
        """Take back what an undo takes back, which was shown and confirmed; `asked_ns` is as in `takeback_at`."""
        takeback = self.takeback if asked_ns is None else self.takeback_at(asked_ns)
        if takeback.moves:
            self._take_back(takeback)
            self._left_ns = self._now_ns

    def _take_back(self, takeback: Takeback, *, holds: bool = True) -> None:
        count, revealed = len(takeback.moves), takeback.revealing
        said = tell_undone(self.match, count, revealed=revealed)
        undone = event(events.Undone(takeback.moves, revealed), said=said)
        self._drop_calls()
        self._pressed_ns.clear()
        step = self.match.prepare_undo(count, Evidence(self._now_ns))
        if holds:
            self.pacing.hold(self._now_ns)
            self._held_ns = self._now_ns
        self._commit(step, undone)

    def _let_go(self) -> None:
        """Go on with what waits since a move was taken back: somebody has pressed something."""
        self.pacing.let_go(self._now_ns)
        self._happened.append(Happened(self._now_ns, reacts=True))

    def amend(self, number: int, move: Move, without: int | None = None) -> Uncorrected | None:
        """Correct an earlier move, `without` the moves from that number on.

        Return why that is refused, and change nothing then; None: it is done. No earlier move is corrected while a
        secret is locked, since whether that is possible would tell of it.
        """
        return self._correct(number, move, without, holds=without is not None)

    def _overrule(self, move: Move) -> Uncorrected | None:
        """Correct the last decided move, without what came by itself behind it; the match goes on at once."""
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
            # Two entries: a record that ends between them is one of a match whose last moves were taken back.
            self._take_back(last_moves(match, match.length - without + 1), holds=holds)
        step = match.prepare_amend(number, move, Evidence(self._now_ns))
        amended = events.Amended(number, match.move_text(number), match.public_text(move))
        said = tell_amended(match, number, move)
        self._drop_calls()
        self._commit(step, event(amended, said=said))
        # As behind the move that was the last: an undo takes back both.
        self._make_keyed(self.gate.after(Keyed()), self._now_ns, number=2)
        return None

    def _drop_calls(self) -> None:
        """Forget what was pressed in a position that is left by an undo or a correction."""
        self.entries.pop(TABLE, None)
        self.calls.drop(self._now_ns)
        self._held.clear()
        self._owed.clear()

    # --- Making a move ----------------------------------------------------------------------------------------

    def _deal(self) -> None:
        assert self.dealer
        self.pacing.draw_ns = None
        hand = self.by_hand
        self._turned = hand.seats if hand else ()
        draw = self.match.next_draw
        move = self.dealer.choose(draw.number, self.match.game.rules.draws(self.match.state), draw.again)
        if hand and hand.lot:  # it stands for what people could have said
            move = move._replace(verb=hand.lot)
        redrawn = [] if draw.same is None else [event(events.Redrawn(draw.same))]
        if self.match.last and self.match.is_draw(self.match.last):
            redrawn = []  # it is told once for a whole deal
        self._make(move, Evidence(self._now_ns), *redrawn)
        self._together = self.stage.deal is not None and self.stage.deal.together

    def _go_by_itself(self) -> None:
        assert self.stage.deal
        assert self.stage.deal.by_itself
        self.pacing.draw_ns = None
        hand = self.by_hand
        self._turned = hand.seats if hand else ()
        if self._make(self.stage.deal.by_itself.move, Evidence(self._now_ns)):
            self.visible(self._now_ns)  # nothing has to be shown first: what lies open lies on the table

    def _time_out(self) -> None:
        assert self.stage.limit
        self.pacing.set_limit(self.stage.limit, 0)  # it does not run twice
        self._make(self.stage.limit.move, Evidence(self._now_ns))

    def _make_keyed(self, keyed: Keyed, t_ns: int, number: int = 1) -> None:
        """Make the moves of one key, and those after it that need none; an undo takes them back together.

        The first one is that `number` of its key.
        """
        while keyed.move:
            comment = Evidence(t_ns, key_move=number if number > 1 else None)
            if not self._make(keyed.move, comment, refused_to=keyed.move.seat):
                return
            rest = keyed._replace(move=next(iter(keyed.then), None), then=keyed.then[1:])
            keyed, number = self.gate.after(rest), number + 1

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
        self._enter(*first, *happened, moves=[played.move for played in step.line])

    def _enter(self, *told: Event, moves: Sequence[Move] | None = None) -> None:
        """Wait for what the new position waits for."""
        view, made = self.match.view(), moves is not None
        self._seen = False
        self.over = self.match.outcome is not None
        before, self.stage = self.stage, Stage() if self.over else self._console.stage(view)
        stage = self.stage
        self.gate.turn_to(stage, self._now_ns, over=self.over, made=moves)
        self.pacing.plan_draw(stage.deal, self._now_ns, dealt=self.dealer is not None)
        if stage.deal and not self.calls.dealing:
            self._turned = ()
        if not self.calls.turn_to(stage, self._now_ns, made=made):
            runs = before.limit and stage.limit and before.limit.move == stage.limit.move
            if not runs:  # else a card that is named while its row is due would begin it anew
                self.pacing.set_limit(stage.limit, self.calls.raced_ns)
            if stage.limit and not stage.race:  # else it runs from when the card is visible
                self.pacing.run_limit(self._now_ns, self._inputs.settle_ns)
        were_lit, self._lit = self._lit, self._console.lamps(view)
        lit = tuple((seat, lamp) for seat, lamp in by_seat(self._lit) if lamp != were_lit[seat])
        told += tuple(event(events.Lamp(lamp.value), seat) for seat, lamp in lit)
        self._happened.append(
            Happened(self._now_ns, told, lit, made=made, shows=True, reacts=self.calls.race is None)
        )
        if self._away:
            self._wait_for_away()

    def visible(self, shown_ns: int) -> None:
        """Open the call that the position is about, if there is one: it could be seen since `shown_ns`."""
        deal = self.stage.deal
        if deal and deal.by_itself and not (self.dealer or self.pauses or self._seen):
            self._seen = True
            self.pacing.put_off(shown_ns, deal.by_itself.ms * MS * self.pacing.draw_percent // 100)
        if not self.pauses and self.calls.open(shown_ns, self._now_ns):
            self.pacing.run_limit(shown_ns, self._inputs.settle_ns)  # after a pause it goes on
            self._happened.append(Happened(self._now_ns, (event(events.Visible(shown_ns)),), reacts=True))

    def _refuse(self, seat: Seat, text: Text, rule: str | None = None) -> None:
        """Tell a seat, and only it, that its input was refused; the house's is refused before everybody."""
        if not self.pauses:
            self.gate.renew(seat, self._now_ns)  # what was typed is gone
        seen_by = None if seat == TABLE else (seat,)
        self._tell(event(events.Refused(rule, text), None if seat == TABLE else seat, seen_by=seen_by))

    def _tell(self, told: Event) -> None:
        self._happened.append(Happened(self._now_ns, (told,)))
