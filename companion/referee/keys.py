"""Turns keys of seats and controls of the house into moves."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from companion.core.console import BACK, HOUSE_CONTROLS, KEYS, NOTHING_TYPED, TURN, Call, Keyed
from companion.core.move import TABLE, Move, Seat
from companion.core.record import Evidence
from companion.core.signal import SeatSignal
from companion.core.text import Text, msg
from companion.referee.calls import Calls
from companion.referee.committer import Committer
from companion.referee.dealing import Dealing
from companion.referee.input_gate import InputGate
from companion.referee.pacing import Pacing
from companion.referee.pauses import Pauses
from companion.referee.pending import Pending
from companion.referee.position import LivePosition
from companion.referee.step_result import Steps
from companion.referee.undo import overruled, own_step

DEALT_HERE: Final = msg("the companion rolls and deals here")
PAUSED: Final = msg("the match is paused")


@dataclass(eq=False, repr=False)
class Keys:
    """Acts on keys of seats and controls of the house."""

    position: LivePosition
    gate: InputGate
    calls: Calls
    pacing: Pacing
    pauses: Pauses
    pending: Pending
    committer: Committer
    dealing: Dealing
    steps: Steps

    # --- Seats ------------------------------------------------------------------------------------------------

    def pressed(self, call: Call) -> None:
        """Act on a press that cannot be a call, such as ready or done. Ignores one without a meaning.

        A player's buzzer, which may be hit in passing, does only what TURN does.
        """
        seat, view, entries = call.seat, self.position.view(call.seat), self.gate.entries
        if not self.gate.admits(seat, call.t_ns + call.uncertainty_ns, self.steps.now_ns):
            return
        keyed = self._meant(seat, call.control, entries)
        if keyed.why and keyed.for_house:
            self.committer.refuse(seat, keyed.why)
            return
        if keyed.move and seat in self.pacing.people:
            confirms = self.position.console.key(view, seat, TURN, entries).moves == keyed.moves
            if not (confirms and self._is_sure(seat, TURN, keyed.move, typed=bool(entries.get(seat)))):
                return
        if keyed.accepted:
            self.gate.keep(seat, keyed, call.t_ns, self.steps.now_ns)
            if keyed.for_house:
                self.steps.add(shows=True)
        self.committer.make_keyed(keyed, call.t_ns)

    def entered(self, signal: SeatSignal) -> None:
        seat, control, entries = signal.seat, signal.control, self.gate.entries
        if why := self._untimely(signal):
            self.committer.refuse(seat, why)
            return
        last_ns = signal.t_ns + signal.uncertainty_ns
        if control != BACK and not self.gate.admits(seat, last_ns, self.steps.now_ns):
            return
        if control == TURN and self.dealing.did_by_hand(seat, signal.t_ns):
            return
        # However late the report is:
        if self.calls.race is None and self.pacing.is_past_limit(signal.t_ns - signal.uncertainty_ns):
            self.committer.refuse(seat, msg("too late"))
            return
        keyed = self._meant(seat, control, entries)
        typed = bool(entries.get(seat) or keyed.for_house)
        if control == BACK and seat in self.pacing.people and not (typed or keyed.entry or keyed.move):
            if self.gate.admits(seat, last_ns, self.steps.now_ns):
                self.gate.unsure(seat)
                self._step_back(seat, keyed.why or NOTHING_TYPED)
            return
        self.gate.keep(seat, keyed, signal.t_ns, self.steps.now_ns)
        hand = self.position.player_prompt
        if keyed.move and hand and hand.said:
            keyed = keyed._replace(move=keyed.move._replace(verb=hand.said))
        if keyed.move and self.position.dealer and self.position.match.is_draw(keyed.move):
            self.committer.refuse(seat, DEALT_HERE)
        elif keyed.move:
            decided_ns = _decided_ns(signal, keyed.move, entries, self.gate.typed_ns)
            # A seat's key may mean something else after the call.
            if self.pending.waits(decided_ns, keyed if seat == TABLE else signal):
                return
            if self._is_sure(seat, control, keyed.move, typed=typed):
                self.committer.make_keyed(keyed, decided_ns)
        elif keyed.why:
            self.committer.refuse(seat, keyed.why)

    def first_move_ns(self, signals: Iterable[SeatSignal]) -> int | None:
        """Return when these presses, in turn, would make a move in this position, or None."""
        entries, typed_ns = dict(self.gate.entries), dict(self.gate.typed_ns)
        for signal in signals:
            if signal.control not in KEYS:
                if self._house_move(signal.control):
                    return signal.t_ns
                continue
            keyed = self._meant(signal.seat, signal.control, entries)
            owner = TABLE if keyed.for_house else signal.seat
            if keyed.entry != entries.get(owner):
                entries[owner], typed_ns[owner] = keyed.entry, signal.t_ns
            if keyed.move:
                return _decided_ns(signal, keyed.move, entries, typed_ns)
        return None

    def _meant(self, seat: Seat, control: str, entries: Mapping[Seat, str]) -> Keyed:
        keyed = self.position.console.key(self.position.view(seat), seat, control, entries)
        if (keyed.for_house and self.position.dealer) or (keyed.accepted and self.position.deals_first):
            return Keyed(entries.get(seat, ""), why=DEALT_HERE)
        return keyed

    def _is_sure(self, seat: Seat, control: str, move: Move, *, typed: bool) -> bool:
        if self.gate.is_sure(seat, control, move, typed=typed):
            return True
        self.committer.refuse(seat, msg("Sure? Press {key} again: it cannot be undone", key=control))
        return False

    def _step_back(self, seat: Seat, why: Text) -> None:
        undo = own_step(self.position.match, seat)
        if undo.moves:
            self.committer.take_back(undo)
        else:
            self.committer.refuse(seat, why)

    def _untimely(self, signal: SeatSignal) -> Text | None:
        """Return why a press is not for this position: made too early, or in a pause."""
        if self.pauses.cover(signal):
            return PAUSED if self.pauses else msg("ignored: pressed while the match was paused")
        since_ns = self.committer.left_ns
        if signal.seat != TABLE or signal.control in HOUSE_CONTROLS:  # real cards may be named before and after
            since_ns = max(since_ns, self.calls.asks_since_ns(signal.seat))
        return msg("ignored: pressed before it was shown") if signal.t_ns < since_ns else None

    # --- The house --------------------------------------------------------------------------------------------

    def house(self, signal: SeatSignal) -> None:
        control, match = signal.control, self.position.match
        if why := self._untimely(signal):
            self.committer.refuse(TABLE, why)
        elif control == "ok" and self.position.player_prompt and self.position.dealer:
            self.dealing.deal()
        elif move := self._house_move(control):
            if not self.pending.waits(signal.t_ns, signal):
                self.committer.make(move, Evidence(signal.t_ns))
        elif corrected := overruled(match, control):
            if refusal := self.committer.overrule(corrected):
                self.committer.refuse(TABLE, refusal.text)
        else:
            has = ", ".join(self.house_controls())
            text = msg("{control} does nothing now; the house can use: {has}", control=control, has=has)
            self.committer.refuse(TABLE, text)

    def house_controls(self) -> Iterator[str]:
        for control in ("ok", "skip", "right", "wrong"):
            deals = control == "ok" and self.position.player_prompt and self.position.dealer
            if deals or self._house_move(control) or overruled(self.position.match, control):
                yield control
        if self.committer.next_undo().moves:
            yield "undo"
        yield "pause"

    def _house_move(self, control: str) -> Move | None:
        position = self.position
        is_dealt = position.stage.deal and position.stage.deal.dealt and position.dealer
        return None if is_dealt else position.console.house(position.view(), control)


def _decided_ns(signal: SeatSignal, move: Move, entries: Mapping[Seat, str], typed_ns: Mapping[Seat, int]) -> int:
    """Return when a move was decided: at the last key of all seats that key it together."""
    if signal.seat == TABLE or move.seat != TABLE:
        return signal.t_ns
    typed = [typed_ns.get(seat, signal.t_ns) for seat, entry in entries.items() if entry and seat != TABLE]
    return max(typed, default=signal.t_ns)
