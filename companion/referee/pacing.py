"""Schedules the dealer's next draw and the current time limit. Pausing a match postpones both."""

from typing import NamedTuple

from companion.core.console import Deal, Limit, PlayerPrompt
from companion.core.move import Seat
from companion.core.units import MS


class TimeLimit(NamedTuple):
    """A time limit's length, and its end; None while it is not running."""

    length_ns: int
    ends_ns: int | None


class Pacing:
    """When the dealer draws next, and when the current time limit ends.

    All times are nanoseconds of the monotonic clock. `limit_over_ns` is later than the limit, since presses made in
    time may still be reported. Neither is due during a pause.
    """

    def __init__(self) -> None:
        self.limit_percent = 100
        """Scales the limits that the console asks for, from the next one on. 0 switches them off."""
        self.draw_percent = 100
        self.people: frozenset[Seat] = frozenset()
        """Seats with human players. The dealer asks them first, and their presses need confirmation."""
        self.turned = False
        self.paused_since_ns: int | None = None
        self.held = False
        """True after an undo, until somebody presses a key."""
        self.draw_ns: int | None = None
        self.limit_over_ns: int | None = None
        self._held_since_ns = 0
        self._limit_ns = 0
        self._asked_ns = 0  # before it was scaled
        self._limit_end_ns: int | None = None
        self._limit_is_new = False  # its position is not shown yet

    def pause(self, now_ns: int) -> None:
        if self.paused_since_ns is None:
            self.paused_since_ns = now_ns

    def go_on(self, now_ns: int) -> None:
        if self.paused_since_ns is None:
            return
        since_ns, later_ns = self.paused_since_ns, now_ns - self.paused_since_ns
        self.paused_since_ns = None
        self._held_since_ns += later_ns
        if self.draw_ns is not None:
            self.draw_ns += later_ns
        # A limit that ended before the pause stays ended, even if its last press is reported now.
        if self._limit_end_ns is not None and self.limit_over_ns is not None and self._limit_end_ns > since_ns:
            self._limit_end_ns += later_ns
            self.limit_over_ns += later_ns

    def hold(self, now_ns: int) -> None:
        self.held, self._held_since_ns = True, self._match_ns(now_ns)

    def let_go(self, now_ns: int) -> None:
        """Resume after `hold`. The suspended time is not charged."""
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

    def is_by_hand(self, hand: PlayerPrompt) -> bool:
        """Return True if a player does this step instead of the dealer."""
        if hand.said:
            return bool(self.people.intersection(hand.seats))
        return self.turned and hand.seats[0] in self.people

    def plan_draw(self, deal: Deal | None, now_ns: int, *, dealt: bool) -> None:
        """Schedule the next draw. Keep an existing schedule unless players may act first."""
        wait_ms = deal.wait_ms(dealt=dealt) if deal else None
        if deal is None or wait_ms is None:
            self.draw_ns = None
        elif deal.people_ms is not None and self.people:
            self.draw_ns = self._match_ns(now_ns) + deal.people_ms * MS
        elif self.draw_ns is None:  # otherwise an early press or a keyed card would postpone the draw
            self.draw_ns = self._match_ns(now_ns) + wait_ms * MS * self.draw_percent // 100

    def put_off(self, now_ns: int, for_ns: int) -> None:
        if self.draw_ns is not None:
            self.draw_ns = max(self.draw_ns, self._match_ns(now_ns) + for_ns)

    def draw_now(self, now_ns: int) -> bool:
        if self.draw_ns is None:
            return False
        self.draw_ns = min(self.draw_ns, self._match_ns(now_ns))
        return True

    # --- The time limit -------------------------------------------------------------------------------

    @property
    def limit(self) -> TimeLimit | None:
        ends_ns = self._limit_end_ns if self.paused_since_ns is None and not self.held else None
        return TimeLimit(self._limit_ns, ends_ns) if self._limit_ns else None

    @property
    def limit_end_ns(self) -> int | None:
        """When the running limit ends, without the current pause."""
        return self._limit_end_ns

    def set_limit(self, limit: Limit | None, raced_ns: int) -> None:
        """Replace the current limit without starting it. None removes it.

        `raced_ns` is the time from the start of the last race to its call.
        """
        self._asked_ns = limit.length_ns(raced_ns) if limit else 0
        self._limit_ns = self._asked_ns * self.limit_percent // 100
        self._limit_end_ns = self.limit_over_ns = None

    def run_limit(self, since_ns: int, late_ns: int) -> None:
        if self._limit_ns and self._limit_end_ns is None:
            self._limit_end_ns = self._match_ns(since_ns) + self._limit_ns
            self.limit_over_ns = self._limit_end_ns + late_ns
            self._limit_is_new = True

    def restart_limit(self, shown_ns: int) -> None:
        """Count a new limit from the moment its position was shown. A slow disk costs no time."""
        if self._limit_is_new and self._limit_end_ns is not None and self.limit_over_ns is not None:
            self._limit_is_new = False
            late_ns = self.limit_over_ns - self._limit_end_ns
            self._limit_end_ns = self._match_ns(shown_ns) + self._limit_ns
            self.limit_over_ns = self._limit_end_ns + late_ns

    def used_ns(self, t_ns: int) -> int:
        """Return how much of the limit that the console asked for is used at a moment, without pauses."""
        if self._limit_end_ns is None:
            return 0
        return max(0, t_ns - self._limit_end_ns + self._limit_ns) * self._asked_ns // self._limit_ns

    def is_past_limit(self, t_ns: int) -> bool:
        return self._limit_end_ns is not None and t_ns > self._limit_end_ns

    def _match_ns(self, now_ns: int) -> int:
        return now_ns if self.paused_since_ns is None else self.paused_since_ns
