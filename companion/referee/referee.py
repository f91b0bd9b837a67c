"""The referee: signals in, moves made, moves committed, and what happened out.

It holds no thread, reads no clock and calls nobody: each of its methods is told the time and returns what happened,
in order, and each of that is durable in the journal already. Who presents it is told by `refereed`.
"""

import logging
from collections.abc import Callable, Sequence

from companion.core.clock import MS
from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS, Call, Lamp, Stage
from companion.core.dealer import Draws
from companion.core.errors import IllegalMove, SecretPendingError
from companion.core.event import Event, event
from companion.core.evidence import Evidence
from companion.core.match import Match, Step
from companion.core.move import TABLE, Move, Seat, by_seat, each_seat
from companion.core.signal import PLUG, UNPLUG, SeatSignal
from companion.core.text import Text, msg
from companion.referee import events
from companion.referee.arbiter import judge
from companion.referee.evidence import format_evidence, verdict_event
from companion.referee.happened import Happened, Pause, Reason
from companion.referee.inputs import Inputs
from companion.referee.journal import Store
from companion.referee.pacing import Pacing, TimeLimit
from companion.referee.races import KEEP_NS, Judged, OpenRace, PressLog

log = logging.getLogger(__name__)


class Referee:
    """Referees one match.

    With a `dealer` the Pi deals and rolls; without one the TABLE's draws come from the house, who reads them
    off real cards and dice.
    """

    def __init__(
        self,
        match: Match,
        store: Store,
        *,
        inputs: Inputs,
        dealer: Draws | None = None,
    ) -> None:
        self.match = match
        self.dealer = dealer
        self.pacing = Pacing()
        self._store = store
        self._inputs = inputs
        self._console = match.game.console
        self._log = PressLog(len(match.names))
        self._lit: Sequence[Lamp] = [Lamp.OFF] * len(match.names)
        self._stage = Stage()
        self._race: OpenRace | None = None
        self._judged: Judged | None = None
        self._held: list[Callable[[], None]] = []  # what the house and keys do while a call is judged
        self._together = False  # the dealer goes on drawing at once
        self._ready_ns = 0
        self._unsure_ns: int | None = None  # when a press before the card will surely have been too early
        self._false_starts: list[Call] = []
        self._entries: dict[Seat, str] = {}
        self._pauses: list[Pause] = []
        self._now_ns = 0
        self._happened: list[Happened] = []

    # --- Running: time and signals in -----------------------------------------------------------------

    def start(self, now_ns: int) -> list[Happened]:
        """Begin, or go on with, the match."""
        self._now_ns = now_ns
        seed_sha256 = self.dealer.commitment if self.dealer else None
        begun = events.Start(self.match.game.name, self.match.names, self.match.length, seed_sha256)
        self._log.hear(self._inputs.flush(now_ns))
        self._enter(event(begun))
        return self._all()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.match.outcome is not None

    @property
    def paused(self) -> bool:
        """Whether the match waits for a device or for the house."""
        return bool(self._pauses)

    @property
    def pauses(self) -> tuple[Pause, ...]:
        """What the match waits for."""
        return tuple(self._pauses)

    def entry(self, seat: Seat) -> str:
        """Return what a seat has typed so far: for its own screen, since it may be a secret."""
        return self._entries.get(seat, "")

    @property
    def keying(self) -> int | None:
        """The number by which what seats type stays while others move; None when each move clears it."""
        return self._stage.keying

    @property
    def calls_may_come(self) -> bool:
        """Whether a call is open, or would be if the display had shown it already."""
        return self._race is not None and not self.paused

    @property
    def callers(self) -> tuple[Seat, ...]:
        """Who may call now, or when the display has shown what is called for."""
        return self._race.rules.callers if self._race else ()

    @property
    def open_since_ns(self) -> int | None:
        """Since when calls count; None while no call is open."""
        return self._race.open_ns if self._race else None

    @property
    def draws(self) -> bool:
        """Whether the match waits for a card or a die, of the dealer or of the house."""
        return self._stage.deal is not None

    @property
    def time_limit(self) -> TimeLimit | None:
        """The time limit of this position; None where there is none."""
        return None if self.over else self.pacing.limit

    def listen_from(self, t_ns: int) -> None:
        """Ignore every press of a buzzer before a moment: nobody had seen this position."""
        self._ready_ns = t_ns

    @property
    def deadline_ns(self) -> int | None:
        """When `tick` is next due; None when only a signal can change something."""
        if self._together or (self._held and not self._judging):
            return self._now_ns
        due = [at for at, _ in self._due()]
        return min(due) if due else None

    def tick(self, now_ns: int) -> list[Happened]:
        """Do the first thing that is due by now: deal, close a settle window, end a time limit.

        One at a time: what is presented of it may put off the next one.
        """
        if self._held and not self._judging:
            self._held.pop(0)()
        elif self._together:
            self._deal()
        else:
            ripe = [(at, act) for at, act in self._due() if at <= now_ns]
            if ripe:
                at, act = min(ripe, key=lambda timer: timer[0])
                self._now_ns = max(self._now_ns, at)
                act()
        return self._all()

    def hear(self, edge: SeatSignal) -> None:
        """Note the edge of a buzzer that has arrived before what is due by then is done.

        What a busy machine judges only now knows of it: its stamp may be in time.
        """
        self._log.hear([edge])

    def signal(self, signal: SeatSignal) -> list[Happened]:
        """Act on what a device reports, when all that was due before its arrival is done."""
        self._now_ns = max(self._now_ns, signal.received_ns)
        self._route(signal)
        return self._all()

    def _all(self) -> list[Happened]:
        """Return what has happened since this was asked last."""
        happened, self._happened = self._happened, []
        return happened

    @property
    def _judging(self) -> bool:
        """Whether a call was heard and others may still be on their way."""
        return self._race is not None and self._race.closes_ns is not None

    def _route(self, signal: SeatSignal) -> None:
        if signal.control in {PLUG, UNPLUG}:
            self._plugged(signal)
        elif signal.control == BUZZ and 0 <= signal.seat < len(self.match.names):
            self._log.forget(signal.seat, signal.received_ns - KEEP_NS)
            self._log.hear([signal])
            self._weigh(signal.seat)
            if self._race and self._race.is_settled(self._proved_ns):
                self._close_window()
        elif self._judging and self._can_wait(signal):
            self._held.append(lambda: self._route(signal))
        elif signal.control in KEYS:
            self._keyed(signal)
        elif signal.seat == TABLE and signal.control in HOUSE_CONTROLS:
            self._house(signal)
        else:
            log.warning("no meaning for control %r of %s", signal.control, signal.source)

    def _can_wait(self, signal: SeatSignal) -> bool:
        """Tell whether a signal is no call: a call that was heard comes before it."""
        return signal.control not in self._call_controls() and not self.paused

    def table_move(self, move: Move, now_ns: int) -> list[Happened]:
        """Make a move of the TABLE that the house reads off the table: a real card, a real die."""
        self._now_ns = max(self._now_ns, now_ns)
        if self._judging and not self.paused:
            self._held.append(lambda: self._table_move(move))
        else:
            self._table_move(move)
        return self._all()

    def _table_move(self, move: Move) -> None:
        if not self._refuse_when_paused(TABLE):
            self._make(move, format_evidence(self._now_ns))

    def _due(self) -> list[tuple[int, Callable[[], None]]]:
        reads_ns, closes_ns = (self._race.reads_ns, self._race.closes_ns) if self._race else (None, None)
        # Calls that were heard are judged before a card is given up.
        limit_ns = self.pacing.limit_due_ns if closes_ns is None else None
        due = (
            (reads_ns, self._read_levels),
            (closes_ns, self._close_window),
            (self._unsure_ns, self._weigh_all),
            (self.pacing.draw_due_ns, self._deal),
            (limit_ns, self._time_out),
        )
        return [(at_ns, act) for at_ns, act in due if at_ns is not None]

    # --- Calls ----------------------------------------------------------------------------------------

    def _weigh(self, seat: Seat) -> None:
        """Deal with the presses of one seat that were not dealt with yet, as far as that is possible now."""
        for call, confirmed in self._log.new(seat, self._settled_ns):
            race = self._race
            if race and race.open_ns is None:
                return  # whether it was too early is known when the screen tells since when the card is visible
            if race and race.counts(call, self.pacing.paused_since_ns):
                race.hears(call, confirmed, self._inputs.settle_ns, self._now_ns)
            elif confirmed and self._may_yet_count(call):
                self._unsure_ns = call.t_ns + call.uncertainty_ns + 1
            elif confirmed:
                self._log.done(call)
                self._did_not_count(call)

    @property
    def _settled_ns(self) -> int:
        """Up to when everything that happened must have been reported by now."""
        return self._inputs.settled_ns(self._now_ns)

    @property
    def _proved_ns(self) -> int:
        """Up to when everything has been reported by proof, not because enough time has passed; -1: nothing."""
        settled_ns = self._settled_ns
        return settled_ns if settled_ns > self._now_ns - self._inputs.settle_ns else -1

    def _may_yet_count(self, call: Call) -> bool:
        """Tell whether a press before the card is not surely before it: the card may be visible any moment."""
        return self._stage.deal is not None and call.t_ns + call.uncertainty_ns >= self._now_ns

    def _weigh_all(self) -> None:
        self._unsure_ns = None
        for seat in each_seat(len(self.match.names)):
            self._weigh(seat)

    def _read_levels(self) -> None:
        assert self._race
        self._race.reads_ns = None
        self._log.hear(self._inputs.flush(self._now_ns))

    def _close_window(self) -> None:
        race = self._race
        assert race
        assert race.open_ns is not None
        self._log.hear(self._inputs.flush(self._now_ns))
        calls = []
        for seat in race.rules.callers:
            counting = [
                call
                for call, sure in self._log.new(seat, self._settled_ns)
                if sure and race.counts(call, self.pacing.paused_since_ns)
            ]
            if counting:
                calls.append(min(counting, key=lambda call: call.t_ns))
        if race.close(calls) and calls:
            self._judge(race, race.open_ns, calls)
        else:
            for call in calls:
                race.hears(call, True, self._inputs.settle_ns, self._now_ns)

    def _judge(self, race: OpenRace, open_ns: int, calls: list[Call]) -> None:
        verdict = judge(calls, race.rules.tie_margin_ms * MS)
        move = self._console.called(self.match.view(), verdict.winners)
        comment = format_evidence(self._now_ns, verdict, open_ns, self._false_starts)
        for call in calls:
            self._log.done(call)
        if move is None:
            return
        self._judged = Judged(race.rules, verdict, open_ns, self._now_ns)
        self._make(move, comment, verdict_event(verdict, open_ns))

    def _did_not_count(self, call: Call) -> None:
        """A press that is no call: too early, too late to matter, or simply not the first (BH-R8)."""
        judged = self._judged
        if judged and judged.would_have_mattered(call):
            # Its device reported after the verdict what would have changed it.
            self._tell(event(events.LateReport(call.t_ns, call.uncertainty_ns), call.seat))
        elif call.t_ns >= self._ready_ns and not self.paused and not (judged and judged.was_meant(call)):
            self._false_start(call)

    def _false_start(self, call: Call) -> None:
        deal, race = self._stage.deal, self._race
        controls = deal.early_controls if deal else race.rules.controls if race else frozenset()
        if call.control not in controls:
            self._pressed(call)
            return
        if all(call.seat != other.seat for other in self._false_starts):
            self._false_starts.append(call)  # the first of each seat is evidence enough
        self._tell(event(events.FalseStart(call.t_ns), call.seat, seen_by=(call.seat,)))
        move = self._console.early(self.match.view(), call.seat)
        if move:
            self._make(move, format_evidence(self._now_ns))

    # --- Keys and the house ---------------------------------------------------------------------------

    def _keyed(self, signal: SeatSignal) -> None:
        if not signal.pressed:
            return
        call = Call(signal.seat, signal.t_ns, signal.uncertainty_ns, signal.control, signal.flags)
        if signal.seat == TABLE:
            self._entered(signal)
        elif self._judged and self._judged.would_have_mattered(call):
            self._did_not_count(call)
        elif signal.control in self._call_controls():
            self._log.key(call)
            self._weigh(signal.seat)
        else:
            self._entered(signal)

    def _pressed(self, call: Call) -> None:
        """Handle a press that can be no call: ready, done, yes. One without meaning is no error."""
        view = self.match.view(call.seat)
        keyed = self._console.key(view, call.seat, call.control, self._entries)
        if keyed.accepted:
            self._entries[call.seat] = keyed.entry
        if keyed.move:
            self._make(keyed.move, format_evidence(call.t_ns), refused_to=call.seat)

    def _call_controls(self) -> frozenset[str]:
        """Return the controls that call now, or that would be too early."""
        if self._race:
            return self._race.rules.controls
        return self._stage.deal.early_controls if self._stage.deal else frozenset()

    def _entered(self, signal: SeatSignal) -> None:
        seat = signal.seat
        if self._refuse_when_paused(seat):
            return
        if self._too_late(signal):
            self._refuse(seat, msg("too late"))
            return
        view = self.match.view(None if seat == TABLE else seat)
        keyed = self._console.key(view, seat, signal.control, self._entries)
        self._entries[seat] = keyed.entry
        if keyed.move:
            self._make(keyed.move, format_evidence(signal.t_ns), refused_to=seat)
            return
        if not keyed.accepted:
            self._refuse(seat, msg("not accepted"))

    def _too_late(self, signal: SeatSignal) -> bool:
        """Tell whether a key was surely pressed after the time limit, however late its report comes."""
        return self._race is None and self.pacing.is_past_limit(signal.t_ns - signal.uncertainty_ns)

    def _house(self, signal: SeatSignal) -> None:
        if not signal.pressed or self._refuse_when_paused(TABLE):
            return
        control = signal.control
        # With a dealer the next card is not the house's to turn.
        dealt = self._stage.deal and self.dealer
        move = None if dealt else self._console.house(self.match.view(), control)
        if move is None:
            self._refuse(TABLE, msg("{control} has no meaning now", control=control))
        else:
            self._make(move, format_evidence(signal.t_ns))

    def _refuse_when_paused(self, seat: Seat) -> bool:
        if self.paused:
            self._refuse(seat, msg("the match is paused"))
        return self.paused

    def refuse(self, now_ns: int, text: Text, rule: str | None = None) -> list[Happened]:
        """Refuse something of the house, before everybody."""
        self._now_ns = max(self._now_ns, now_ns)
        self._refuse(TABLE, text, rule)
        return self._all()

    def _refuse(self, seat: Seat, text: Text, rule: str | None = None) -> None:
        """Tell a seat, and only it, that its input was refused; the house's is refused before everybody."""
        seen_by = None if seat == TABLE else (seat,)
        self._tell(event(events.Refused(rule, text), None if seat == TABLE else seat, seen_by=seen_by))

    # --- Undo and pause -------------------------------------------------------------------------------

    def _undo_count(self) -> int:
        """Return how many moves one undo takes back: the last that somebody decided, and the draws after it."""
        moves = self.match.moves
        if self.dealer is None:
            return min(1, len(moves))
        for count, move in enumerate(reversed(moves), 1):
            if not self._is_draw(move):
                return count
        return 0

    def _is_draw(self, move: Move) -> bool:
        return move.seat == TABLE and move.verb in self.match.game.rules.DRAWS

    def undo_takes(self) -> list[str]:
        """Return the moves that an undo would take back, as everybody may read them."""
        count = self._undo_count()
        return self.match.last_moves(count) if count else []

    @property
    def undo_was_seen(self) -> bool:
        """Whether an undo would take back what others have seen: a draw, a secret, the moves of several seats."""
        count = self._undo_count()
        others = {move.seat for move in self.match.moves[self.match.length - count :] if move.seat != TABLE}
        return count > 0 and (self._revealing(count) or len(others) > 1)

    def undo(self, now_ns: int) -> list[Happened]:
        """Take back what an undo takes back; who calls this has shown what that is, and it was confirmed."""
        self._now_ns = max(self._now_ns, now_ns)
        count = self._undo_count()
        if count:
            undone = event(events.Undone(self.match.last_moves(count), self._revealing(count)))
            self._drop_calls()
            self._commit(self.match.prepare_undo(count, format_evidence(self._now_ns)), undone)
        return self._all()

    def amend(self, number: int, move: Move, now_ns: int) -> list[Happened]:
        """Correct an earlier move. Raise IllegalMove, AmendError or ValueError; nothing is changed then.

        Raise SecretPendingError while a secret is locked: whether a correction is possible would tell of it.
        """
        self._now_ns = max(self._now_ns, now_ns)
        if self.match.holds_secret and number < self.match.length:
            raise SecretPendingError
        step = self.match.prepare_amend(number, move, format_evidence(self._now_ns))
        was = self.match.move_text(number)
        self._drop_calls()
        self._commit(step, event(events.Amended(number, was, self.match.public_text(move))))
        return self._all()

    def _revealing(self, count: int) -> bool:
        """Tell whether the last moves showed what nobody could know before: a draw, or what was secret."""
        first = self.match.length - count + 1
        return any(
            self._is_draw(move) or self.match.releases(number)
            for number, move in enumerate(self.match.moves[-count:], first)
        )

    def _drop_calls(self) -> None:
        """Forget what was pressed in a position that is left by an undo or a correction."""
        self._race = None
        self._held.clear()
        self._log.done_until(self._now_ns)

    def pause(self, pause: Pause, now_ns: int) -> list[Happened]:
        """Stop the match's time, for one reason more."""
        self._now_ns = max(self._now_ns, now_ns)
        self._pause(pause)
        return self._all()

    def resume(self, pause: Pause, now_ns: int) -> list[Happened]:
        """End one reason to wait; the match goes on when there is no other."""
        self._now_ns = max(self._now_ns, now_ns)
        self._resume(pause)
        return self._all()

    def _plugged(self, signal: SeatSignal) -> None:
        unplugged = Pause(Reason.UNPLUGGED, signal.seat)
        if signal.control == UNPLUG:
            self._pause(unplugged)
            return
        if 0 <= signal.seat < len(self.match.names):
            self._log.plug(signal.seat, self._inputs.flush(self._now_ns))
        self._resume(unplugged)

    def _pause(self, pause: Pause) -> None:
        if pause in self._pauses:
            return
        self._pauses.append(pause)
        self.pacing.pause(self._now_ns)
        self._tell(event(events.Paused(pause.reason.value), pause.about))

    def _resume(self, pause: Pause) -> None:
        if pause not in self._pauses:
            return
        self._pauses.remove(pause)
        went_on = event(events.WentOn(pause.reason.value, self.paused), pause.about)
        if self.paused:
            self._tell(went_on)
            return
        if self._race and self.pacing.paused_since_ns is not None:
            self._race.pauses.append((self.pacing.paused_since_ns, self._now_ns))
        self.pacing.go_on(self._now_ns)
        self._ready_ns = self._now_ns
        if self._race and self._race.closes_ns is None:
            # What was pressed in the pause is no call: the card counts as turned again.
            self._race = OpenRace(self._race.rules, self._now_ns)
        self._show(went_on)

    # --- Making a move --------------------------------------------------------------------------------

    def _deal(self) -> None:
        assert self.dealer
        self.pacing.draw_no_more()
        choices = self.match.game.rules.draws(self.match.state)
        self._make(self.dealer.choose(self.match.drawn, choices), format_evidence(self._now_ns))
        self._together = self._stage.deal is not None and self._stage.deal.together

    def _time_out(self) -> None:
        assert self._stage.limit
        self.pacing.set_limit(self._stage.limit)  # it does not run twice
        self._make(self._stage.limit.move, format_evidence(self._now_ns))

    def _make(self, move: Move, comment: Evidence, *first: Event, refused_to: Seat = TABLE) -> None:
        try:
            step = self.match.prepare(move, comment)
        except IllegalMove as refusal:
            self._refuse(refused_to, refusal.text, refusal.rule)
            return
        self._commit(step, *first)

    def _commit(self, step: Step, *first: Event) -> None:
        """Make a step durable, then the match's own; what happened is told from there on."""
        self._store.append(step.entry)
        happened = self.match.take(step)
        for played in step.line:
            self._entries.pop(played.move.seat, None)
        self._enter(*first, *happened, made=True)

    def _enter(self, *told: Event, made: bool = False) -> None:
        """Wait for what the new position waits for."""
        was_deal, was_keying = self._stage.deal is not None, self._stage.keying
        view = self.match.view()
        self._stage = Stage() if self.over else self._console.stage(view)
        stage = self._stage
        if stage.keying is None or stage.keying != was_keying:
            self._entries.clear()
        if stage.deal and self.dealer:
            # An early press, or a card that was keyed in, does not put off what is planned.
            self.pacing.draw_in(self._now_ns, stage.deal.pause_ms * MS)
        else:
            self.pacing.draw_no_more()
        if not stage.race:
            self._race = None
            self.pacing.set_limit(stage.limit)
            self.pacing.run_limit(self._now_ns, self._inputs.settle_ns)
        elif self._race and self._race.rules.number == stage.race.number:
            self._race.rules = stage.race
        else:
            self._race = OpenRace(stage.race, self._now_ns)
            self.pacing.set_limit(stage.limit)  # it runs from when the card is visible
        if stage.deal and not was_deal:
            self._ready_ns = self._now_ns
            self._false_starts.clear()
        before, self._lit = self._lit, self._console.lamps(view)
        lit = tuple((seat, lamp) for seat, lamp in by_seat(self._lit) if lamp != before[seat])
        self._show(*told, *(event(events.Lamp(lamp.value), seat) for seat, lamp in lit), lit=lit, made=made)

    def _show(self, *told: Event, lit: tuple[tuple[Seat, Lamp], ...] = (), made: bool = False) -> None:
        self._happened.append(Happened(self._now_ns, told, lit, made=made, shows=True, reacts=self._race is None))

    def visible(self, shown_ns: int, now_ns: int) -> list[Happened]:
        """Open the call that the position is about, if there is one: it could be seen since `shown_ns`."""
        self._now_ns = max(self._now_ns, now_ns)
        race = self._race
        if race and race.open_ns is None and not self.paused and shown_ns >= race.shown_ns:
            race.open_ns = shown_ns
            self._log.hear(self._inputs.flush(self._now_ns))
            self.pacing.run_limit(shown_ns, self._inputs.settle_ns)  # after a pause it goes on
            self._happened.append(Happened(self._now_ns, (event(events.Visible(shown_ns)),), reacts=True))
            self._unsure_ns = self._now_ns  # a press may be reported before the screen reports the flip
        return self._all()

    def _tell(self, *told: Event) -> None:
        self._happened.append(Happened(self._now_ns, told))
