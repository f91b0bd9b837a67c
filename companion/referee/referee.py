"""The referee of one match: signals in, durable steps out.

It does not have a thread, read a clock or call anybody. `companion.referee.loop` gives it the time.
"""

import logging
from collections.abc import Callable, Iterator

from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS, Call, Console, Keyed, PlayerPrompt, Stage
from companion.core.dealer import Draws
from companion.core.event import event
from companion.core.match import Match
from companion.core.move import TABLE, Move
from companion.core.record import Evidence
from companion.core.signal import PLUG, REFUSED, UNPLUG, SeatSignal
from companion.referee import events
from companion.referee.calls import Calls, Inputs, as_it_counts
from companion.referee.committer import Committer
from companion.referee.dealing import Dealing
from companion.referee.input_gate import InputGate
from companion.referee.journal import Store
from companion.referee.judge import Judge
from companion.referee.keys import PAUSED, Keys
from companion.referee.pacing import Pacing
from companion.referee.pauses import Pauses
from companion.referee.pending import Held, Pending
from companion.referee.position import LivePosition
from companion.referee.step_result import StepResult, Steps

log = logging.getLogger(__name__)

Act = Callable[[], object]

Timer = tuple[int, Act]


class Referee:
    """Referees one match: passes signals to its parts, and knows what is due when.

    `console` is by default the game's. `entries` is what each seat has typed, for its own screen only: it may be a
    secret.
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
        self.match, self.dealer = match, dealer
        self.pacing = pacing = Pacing()
        self.calls = calls = Calls(inputs, len(match.names), pacing)
        self.gate = gate = InputGate(match, pacing)
        self.entries = gate.entries
        self._steps = steps = Steps()
        self._position = position = LivePosition(match, console or match.game.console, dealer, pacing)
        self.pauses = pauses = Pauses(position, pacing, calls, gate, steps)
        self._pending = pending = Pending(calls, steps)
        self.committer = Committer(store, position, pacing, calls, inputs, gate, pauses, pending, steps)
        self.dealing = Dealing(self.committer, position, pacing, calls, inputs, pauses, steps)
        self.keys = Keys(position, gate, calls, pacing, pauses, pending, self.committer, self.dealing, steps)
        self.judge = Judge(position, calls, pending, self.keys, self.dealing, self.committer, steps)

    # --- What it waits for ------------------------------------------------------------------------------------

    @property
    def stage(self) -> Stage:
        return self._position.stage

    @property
    def over(self) -> bool:
        return self._position.over

    @property
    def player_prompt(self) -> PlayerPrompt | None:
        return self._position.player_prompt

    @property
    def deals_first(self) -> bool:
        return self._position.deals_first

    @property
    def open_since_ns(self) -> int | None:
        return self.calls.race.open_ns if self.calls.race else None

    # --- The loop ---------------------------------------------------------------------------------------------

    def do(self, act: Act, now_ns: int) -> list[StepResult]:
        """Do something at a time; return the steps that it led to, all durable."""
        self._steps.now_ns = max(self._steps.now_ns, now_ns)
        act()
        return self._steps.take()

    def start(self) -> None:
        seed_sha256 = self.dealer.commitment if self.dealer else None
        begun = events.Start(self.match.game.name, self.match.names, self.match.length, seed_sha256)
        self.calls.read(self._steps.now_ns)
        self.committer.enter(event(begun))

    def signal(self, signal: SeatSignal) -> None:
        if signal.control == UNPLUG:
            self.pauses.lose(signal.seat)
        elif signal.control == PLUG:
            self.pauses.find(signal.seat)
        else:
            waits = self.pacing.held and signal.t_ns >= self.committer.held_ns
            if waits and signal.pressed and not self.pauses.cover(signal):
                self.committer.let_go()
            self._route(signal)

    def _route(self, signal: SeatSignal) -> None:
        by_seat = signal.seat != TABLE
        calls = by_seat and signal.control in self.stage.call_controls  # now, or too early for the next card
        if signal.control == BUZZ and 0 <= signal.seat < len(self.match.names):
            self.judge.buzzed(signal)
        elif self.calls.judging and not (calls or self.pauses.cover(signal)):
            self._pending.hold(signal)  # the call comes first, unless it turns out to be a spike
        elif signal.control in KEYS:
            if signal.pressed:
                self._route_key(signal, calls=calls)
        elif not by_seat and signal.control in HOUSE_CONTROLS:
            if signal.pressed:
                self.keys.house(signal)
        else:
            log.warning("no meaning for control %r of %s", signal.control, signal.source)

    def _route_key(self, signal: SeatSignal, *, calls: bool) -> None:
        call = Call(signal.seat, signal.t_ns, signal.uncertainty_ns, signal.control, signal.flags)
        counts = as_it_counts(call, signal.received_ns) if REFUSED in signal.flags else call
        if self.calls.late(counts):
            self.judge.did_not_count(counts)
        elif calls:
            self.calls.log.key(call, signal.received_ns)
            self.judge.weigh(signal.seat)
        else:
            self.keys.entered(signal._replace(t_ns=counts.t_ns, uncertainty_ns=counts.uncertainty_ns))

    def table_move(self, move: Move) -> None:
        now_ns = self._steps.now_ns
        if self.pacing.held:
            self.committer.let_go()
        if self.calls.judging and not self.pauses:
            self._pending.held.append(Held(now_ns, move))
            self.calls.give_up(now_ns, now_ns)
        else:
            self._make_table_move(move, now_ns)

    def _make_table_move(self, move: Move, t_ns: int) -> None:
        if self.pauses:
            self.committer.refuse(TABLE, PAUSED)
        elif not self._pending.waits(t_ns, move):
            self.entries.pop(TABLE, None)
            self.committer.make(move, Evidence(self._steps.now_ns))

    # --- What is due ------------------------------------------------------------------------------------------

    @property
    def due(self) -> Timer | None:
        """The next thing to do without a signal.

        One at a time, since presenting it may postpone the next one.
        """
        timers = ((at_ns, act) for at_ns, act in self._timers() if at_ns is not None)
        return min(timers, key=lambda timer: timer[0], default=None)

    def _timers(self) -> Iterator[tuple[int | None, Act]]:
        """Yield what is due when; of equal times the first comes first."""
        now_ns, race = self._steps.now_ns, self.calls.race
        if self._pending.held and not (self.calls.waiting or self.pauses):
            yield now_ns, self._do_held
            return
        if self.dealing.together:
            yield now_ns, self.dealing.deal
            return
        if race:
            yield race.reads_ns, self.judge.read_levels
            yield race.closes_ns, self.judge.close_window
            yield race.ended_ns, self.judge.all_reported
        for call in self._pending.owed[:1]:
            yield self.calls.orders_ns(call), self.judge.eliminate
        for at_ns in self.calls.weigh_ns:
            yield at_ns, self.judge.weigh
        if self.pauses or self.pacing.held:
            return
        if not (self.dealer and self.player_prompt):
            yield self.pacing.draw_ns, self.dealing.go_on
        if not self.calls.judging:  # reported calls are judged before a card is given up
            yield self.pacing.limit_over_ns, self.dealing.time_out

    def _do_held(self) -> None:
        if self.calls.race:
            self.calls.race.ends_ns = None  # it is decided again whether this one ends the card
        held = self._pending.take_first()
        if isinstance(held.what, SeatSignal):
            self._route(held.what)
        elif isinstance(held.what, Keyed):
            self.committer.make_keyed(held.what, held.t_ns)
        else:
            self._make_table_move(held.what, held.t_ns)
        if self.calls.race and not self._pending.held:
            self.judge.weigh()  # it did not end the card
