"""The pace of a match: when the dealer draws and when a time limit ends, in a time that stands still in a pause."""

from typing import NamedTuple

from companion.core.clock import MS
from companion.core.console import Limit


class TimeLimit(NamedTuple):
    """How long a position's time limit is, and when it ends; None while it does not run, as in a pause."""

    length_ns: int
    ends_ns: int | None


class Pacing:
    """What is due in the match's own time, so that a pause costs nobody any.

    What it is told and what it answers is in nanoseconds of the monotonic clock.
    """

    def __init__(self) -> None:
        self.limit_percent = 100
        """How long a time limit is that begins from now on, of what the console asks for; 0: there is none."""
        self.paused_since_ns: int | None = None
        self._paused_ns = 0  # how long the pauses took that are over
        self._limit_ns = 0
        # The rest is in the match's own time.
        self._draw_at: int | None = None
        self._limit_end: int | None = None
        self._limit_at: int | None = None  # when it is over for sure: reports of what was in time may still arrive

    def pause(self, now_ns: int) -> None:
        """Stop the match's time."""
        if self.paused_since_ns is None:
            self.paused_since_ns = now_ns

    def go_on(self, now_ns: int) -> None:
        """Go on with the match's time."""
        if self.paused_since_ns is not None:
            self._paused_ns += now_ns - self.paused_since_ns
            self.paused_since_ns = None

    # --- The dealer -----------------------------------------------------------------------------------

    @property
    def draw_due_ns(self) -> int | None:
        """When the dealer draws; None when it does not, or in a pause."""
        return self._at(self._draw_at)

    def draw_in(self, now_ns: int, for_ns: int) -> None:
        """Plan the next draw so long from now; one that is planned already stands."""
        if self._draw_at is None:
            self._draw_at = self._read(now_ns) + for_ns

    def draw_no_more(self) -> None:
        """Plan no draw: it is made, or there is nothing to draw."""
        self._draw_at = None

    def put_off(self, now_ns: int, for_ns: int) -> None:
        """Put the next draw off by at least so long from now: what has happened is still being shown."""
        if self._draw_at is not None:
            self._draw_at = max(self._draw_at, self._read(now_ns) + for_ns)

    def draw_now(self, now_ns: int) -> bool:
        """Draw without further waiting; tell whether a draw was planned."""
        if self._draw_at is None:
            return False
        self._draw_at = min(self._draw_at, self._read(now_ns))
        return True

    # --- The time limit -------------------------------------------------------------------------------

    @property
    def limit(self) -> TimeLimit | None:
        """The time limit of the position; None where there is none."""
        return TimeLimit(self._limit_ns, self._at(self._limit_end)) if self._limit_ns else None

    @property
    def limit_due_ns(self) -> int | None:
        """When the time limit is over for sure; None when it does not run, or in a pause."""
        return self._at(self._limit_at)

    def set_limit(self, limit: Limit | None) -> None:
        """Stop the limit that runs, and keep how long that of the position will be; None: it has none."""
        self._limit_ns = limit.ms * MS * self.limit_percent // 100 if limit else 0
        self._limit_end = self._limit_at = None

    def run_limit(self, since_ns: int, late_ns: int) -> None:
        """Start the limit at a moment, unless it runs; what was in time may be reported `late_ns` late."""
        if self._limit_ns and self._limit_end is None:
            self._limit_end = self._read(since_ns) + self._limit_ns
            self._limit_at = self._limit_end + late_ns

    def is_past_limit(self, t_ns: int) -> bool:
        """Tell whether a moment was after the end of the limit that runs."""
        return self._limit_end is not None and self._read(t_ns) > self._limit_end

    # --- The match's own time -------------------------------------------------------------------------

    def _read(self, now_ns: int) -> int:
        return (now_ns if self.paused_since_ns is None else self.paused_since_ns) - self._paused_ns

    def _at(self, match_ns: int | None) -> int | None:
        """Return when it will be so late in the match; None while that cannot be told."""
        return None if match_ns is None or self.paused_since_ns is not None else match_ns + self._paused_ns
