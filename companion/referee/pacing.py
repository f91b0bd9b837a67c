"""The pace of a match: when the dealer draws and when a time limit ends, in a time that stands still in a pause."""

from typing import NamedTuple

from companion.core.console import ByHand, Deal, Limit
from companion.core.move import Seat
from companion.core.units import MS


class TimeLimit(NamedTuple):
    """How long a position's time limit is, and when it ends; None while it does not run, as in a pause."""

    length_ns: int
    ends_ns: int | None


class Pacing:
    """What is due in the match's own time: a pause puts all of it off, so that it costs nobody any.

    All is in nanoseconds of the monotonic clock; `draw_ns` is when the dealer draws, `limit_over_ns` when the limit
    is over for sure, since reports of what was in time may still arrive. In a pause neither is due: how much later
    they will be is known when it ends.
    """

    def __init__(self) -> None:
        self.limit_percent = 100
        """How long a time limit is that begins from now on, of what the console asks for; 0: there is none."""
        self.draw_percent = 100
        """How long the dealer waits, of what the console asks for."""
        self.people: frozenset[Seat] = frozenset()
        """The seats of people: they are asked what the dealer would draw, and press more than they mean to."""
        self.turned = False
        """Whether people turn a card themselves when it is theirs."""
        self.paused_since_ns: int | None = None
        self.held = False
        """Whether the dealer and the limit wait for somebody to press something, since a move was taken back."""
        self.draw_ns: int | None = None
        self.limit_over_ns: int | None = None
        self._held_since_ns = 0
        self._limit_ns = 0
        self._limit_end_ns: int | None = None
        self._limit_is_new = False  # its position is not told yet

    def pause(self, now_ns: int) -> None:
        """Stop the match's time."""
        if self.paused_since_ns is None:
            self.paused_since_ns = now_ns

    def go_on(self, now_ns: int) -> None:
        """Go on with the match's time."""
        if self.paused_since_ns is None:
            return
        since_ns, later_ns = self.paused_since_ns, now_ns - self.paused_since_ns
        self.paused_since_ns = None
        self._held_since_ns += later_ns
        if self.draw_ns is not None:
            self.draw_ns += later_ns
        # One that ended before the pause has ended: what was too late for it is not in time by being reported now.
        if self._limit_end_ns is not None and self.limit_over_ns is not None and self._limit_end_ns > since_ns:
            self._limit_end_ns += later_ns
            self.limit_over_ns += later_ns

    def hold(self, now_ns: int) -> None:
        """Stop the dealer and the time limit, until `let_go`."""
        self.held, self._held_since_ns = True, self._match_ns(now_ns)

    def let_go(self, now_ns: int) -> None:
        """Go on with the dealer and the time limit; that they were held costs nobody any time."""
        self.held = False
        match_ns = self._match_ns(now_ns)
        if self.draw_ns is not None:
            self.draw_ns += match_ns - self._held_since_ns
        if self._limit_end_ns is not None and self.limit_over_ns is not None:
            begun_ns = self._limit_end_ns - self._limit_ns
            later_ns = match_ns - max(self._held_since_ns, begun_ns)
            self._limit_end_ns += later_ns
            self.limit_over_ns += later_ns

    # --- The dealer -----------------------------------------------------------------------------------

    def is_by_hand(self, hand: ByHand) -> bool:
        """Tell whether people do themselves what they may do before the dealer."""
        if hand.said:
            return bool(self.people.intersection(hand.seats))
        return self.turned and hand.seats[0] in self.people

    def plan_draw(self, deal: Deal | None, now_ns: int, *, dealt: bool) -> None:
        """Plan the next draw. One that is planned is put off only where people may do something before."""
        wait_ms = deal.wait_ms(dealt=dealt) if deal else None
        if deal is None or wait_ms is None:
            self.draw_ns = None
        elif deal.people_ms is not None and self.people:
            self.draw_ns = self._match_ns(now_ns) + deal.people_ms * MS
        elif self.draw_ns is None:  # else an early press, or a card that was keyed in, would put it off
            self.draw_ns = self._match_ns(now_ns) + wait_ms * MS * self.draw_percent // 100

    def put_off(self, now_ns: int, for_ns: int) -> None:
        """Put the next draw off by at least so long from now: what has happened is still being shown."""
        if self.draw_ns is not None:
            self.draw_ns = max(self.draw_ns, self._match_ns(now_ns) + for_ns)

    def draw_now(self, now_ns: int) -> bool:
        """Draw without further waiting; tell whether a draw was planned."""
        if self.draw_ns is None:
            return False
        self.draw_ns = min(self.draw_ns, self._match_ns(now_ns))
        return True

    # --- The time limit -------------------------------------------------------------------------------

    @property
    def limit(self) -> TimeLimit | None:
        """The time limit of the position; None where there is none."""
        ends_ns = self._limit_end_ns if self.paused_since_ns is None and not self.held else None
        return TimeLimit(self._limit_ns, ends_ns) if self._limit_ns else None

    @property
    def limit_end_ns(self) -> int | None:
        """When the limit that runs ends, in a pause as far as is known then; None where none runs."""
        return self._limit_end_ns

    def set_limit(self, limit: Limit | None, raced_ns: int) -> None:
        """Stop the limit that runs, and keep how long that of the position will be; None: it has none.

        `raced_ns` is how long after its start the race was called that the position follows.
        """
        self._limit_ns = limit.length_ns(raced_ns) * self.limit_percent // 100 if limit else 0
        self._limit_end_ns = self.limit_over_ns = None

    def run_limit(self, since_ns: int, late_ns: int) -> None:
        """Start the limit at a moment, unless it runs; what was in time may be reported `late_ns` late."""
        if self._limit_ns and self._limit_end_ns is None:
            self._limit_end_ns = self._match_ns(since_ns) + self._limit_ns
            self.limit_over_ns = self._limit_end_ns + late_ns
            self._limit_is_new = True

    def begin_limit_at(self, told_ns: int) -> None:
        """Count the limit that has just begun, if one has, from when its position was told: a disk is slow."""
        if self._limit_is_new and self._limit_end_ns is not None and self.limit_over_ns is not None:
            self._limit_is_new = False
            late_ns = self.limit_over_ns - self._limit_end_ns
            self._limit_end_ns = self._match_ns(told_ns) + self._limit_ns
            self.limit_over_ns = self._limit_end_ns + late_ns

    def is_past_limit(self, t_ns: int) -> bool:
        """Tell whether a moment was after the end of the limit that runs."""
        return self._limit_end_ns is not None and t_ns > self._limit_end_ns

    def _match_ns(self, now_ns: int) -> int:
        """Return the moment at which the match's time stands."""
        return now_ns if self.paused_since_ns is None else self.paused_since_ns
