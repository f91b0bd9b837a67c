"""Makes the moves that need no key."""

from dataclasses import dataclass

from companion.core.console import PlayerPrompt
from companion.core.event import event
from companion.core.move import TABLE, Move, Seat
from companion.core.record import Evidence
from companion.core.units import MS
from companion.referee import events
from companion.referee.calls import Calls, Inputs
from companion.referee.committer import Committer
from companion.referee.pacing import Pacing
from companion.referee.pauses import Pauses
from companion.referee.position import LivePosition
from companion.referee.step_result import Steps


@dataclass(eq=False, repr=False)
class Dealing:
    """Makes draws, turns cards and ends time limits. With `together` the dealer draws again at once."""

    committer: Committer
    position: LivePosition
    pacing: Pacing
    calls: Calls
    inputs: Inputs
    pauses: Pauses
    steps: Steps
    together: bool = False

    def visible(self, shown_ns: int) -> None:
        deal = self.position.stage.deal
        if deal and deal.by_itself and not (self.position.dealer or self.pauses or self.position.seen):
            self.position.seen = True
            self.pacing.put_off(shown_ns, deal.by_itself.ms * MS * self.pacing.draw_percent // 100)
        if not self.pauses and self.calls.open(shown_ns, self.steps.now_ns):
            self.pacing.run_limit(shown_ns, self.inputs.settle_ns)  # no effect after a pause
            self.steps.add(event(events.Visible(shown_ns)), reacts=True)

    def go_on(self) -> None:
        if self.position.dealer:
            self.deal()
        else:
            self._go_by_itself()

    def deal(self) -> None:
        dealer, match = self.position.dealer, self.position.match
        assert dealer
        hand = self._begin()
        draw = match.next_draw
        move = dealer.choose(draw.number, match.game.rules.draws(match.state), draw.again)
        if hand and hand.lot:  # drawing lots replaces the players' answer
            move = move._replace(verb=hand.lot)
        redrawn = [] if draw.same is None else [event(events.Redrawn(draw.same))]
        if match.last and match.is_draw(match.last):
            redrawn = []  # announced once for a whole deal
        self.committer.make(move, Evidence(self.steps.now_ns), *redrawn)
        self.together = self.position.stage.deal is not None and self.position.stage.deal.together

    def _go_by_itself(self) -> None:
        deal = self.position.stage.deal
        assert deal
        assert deal.by_itself
        self._begin()
        if self.committer.make(deal.by_itself.move, Evidence(self.steps.now_ns)):
            self.visible(self.steps.now_ns)  # real cards are visible without the display

    def _begin(self) -> PlayerPrompt | None:
        self.pacing.draw_ns = None
        hand = self.position.player_prompt
        self.position.turned = hand.seats if hand else ()
        return hand

    def did_by_hand(self, seat: Seat, t_ns: int) -> bool:
        """Do the dealer's next step, or answer the prompt, for a seat. Return False if it may not."""
        hand = self.position.player_prompt
        if hand is None or seat not in hand.seats:
            return False
        if hand.said:
            self.committer.make(Move(TABLE, hand.said, (seat,)), Evidence(t_ns), refused_to=seat)
        else:
            self.go_on()
        return True

    def time_out(self) -> None:
        limit = self.position.stage.limit
        assert limit
        self.pacing.set_limit(limit, 0)  # it must not run twice
        self.committer.make(limit.move, Evidence(self.steps.now_ns))
