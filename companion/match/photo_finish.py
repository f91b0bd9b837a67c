"""The photo finish of a call: how far apart the presses were. It is beside the card, then covers the scene.

It shows a durable verdict, and delays no press.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from companion.core.clock import Later, PlanningClock
from companion.core.console import Call
from companion.core.event import Event
from companion.core.handicaps import badge_of
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.rules import State
from companion.core.text import Render, decimal
from companion.core.units import MS
from companion.display.frame import PhotoFinish, PressKind, PressLine
from companion.match.reveal import Stays
from companion.referee.events import LateReport, Verdict

FINISH_FROM_NS: Final = 800_000_000
"""How long the scene stays visible after the answer before the photo finish covers it."""

FINISH_TO_NS: Final = 3_000_000_000
NEXT_CARD_NS: Final = 3_500_000_000
"""When the photo finish ends, and when the next card may come, in time to see the scene again."""


class Finish:
    """The photo finish of the last contested call.

    It is `current` while its card is open, `planned` before it covers the scene, and then `covers` it. `stays`
    scales its time.
    """

    def __init__(self, clock: PlanningClock, read: Render, stays: Stays = int) -> None:
        self._read = read
        self._stays = stays
        self._draw: Callable[..., PhotoFinish | None] | None = None
        self._late: list[Event] = []
        self.current = False
        self.covers = False
        self._plans = Later(clock)
        self._due = False
        self.planned = False

    @property
    def photo(self) -> PhotoFinish | None:
        return self._draw(self._read, late=self._late) if self._draw else None

    def judge(self, match: Match, verdict: Verdict) -> None:
        """Prepare the photo finish of a verdict if several seats called."""
        self.clear()
        if verdict.margin_ns is not None:
            before, early = match.before(match.length), match.entries[-1].evidence.early
            self._draw = partial(photo_of, match, before, verdict, early)
            self._late.clear()
            self.current = self._due = True

    def late(self, report: Event) -> None:
        if self.current:
            self._late.append(report)

    def clear(self) -> None:
        """Stop showing it. `photo` is still available to the menu."""
        self.current = self.covers = self._due = self.planned = False
        self._plans.drop()

    def linger(self) -> None:
        self.current = False

    def cover(self, changed: Callable[[], None]) -> bool:
        """Cover the scene for a while, once per call. Return True if that is now planned."""
        if not self._due:
            return False
        self._due, self.planned = False, True
        self._plans.after(FINISH_FROM_NS, partial(self._switch, True, changed))
        self._plans.after(self._stays(FINISH_TO_NS), partial(self._switch, False, changed))
        return True

    def uncover(self) -> bool:
        """Show the scene. Return True if it was covered, or going to be."""
        was = self.planned or self.covers
        self.planned = self.covers = False
        self._plans.drop()
        return was

    def _switch(self, covers: bool, changed: Callable[[], None]) -> None:
        self.planned, self.covers = False, covers
        changed()


def photo_of(
    match: Match,
    before: State,
    verdict: Verdict,
    early: Sequence[Call],
    read: Render,
    *,
    late: Sequence[Event] = (),
) -> PhotoFinish | None:
    """Return the photo finish of a verdict on the position `before`; None if only one seat called.

    `early` are the false starts, `late` the events about presses reported after the verdict.
    """
    seats, margin_ns, calls, said = verdict.seats, verdict.margin_ns, verdict.calls, verdict.says(match.names)
    if margin_ns is None or said is None:
        return None
    view = match.game.rules.view(before, None)
    race = match.game.console.stage(view).race
    first_ns = calls[0].t_ns
    lines = [_line(match.names, call, first_ns, PressKind.EARLY) for call in early]
    lines += [_line(match.names, call, first_ns, PressKind.CALL, seats) for call in calls]
    badges = {line.seat: badge_of(match.rulings, line.seat) for line in lines}
    lines = [line._replace(badge=read(badge)) if (badge := badges[line.seat]) else line for line in lines]
    lines += [_line(match.names, _reported(told), first_ns, PressKind.LATE) for told in late]
    return PhotoFinish(
        presses=tuple(sorted(lines, key=lambda line: line.after_ns)),
        margin_ns=margin_ns,
        tie_margin_ns=race.tie_margin_ms * MS if race else 0,
        verdict=read(said),
        colours=match.game.teller.colours(view),
        point=read(decimal(0)).strip("0"),
    )


def _reported(late: Event) -> Call:
    assert late.seat is not None
    assert isinstance(late.data, LateReport)
    return Call(late.seat, late.data.stamp_ns, late.data.uncertainty_ns)


def _line(
    names: Sequence[str], call: Call, first_ns: int, kind: PressKind, winners: Sequence[Seat] = ()
) -> PressLine:
    after_ns, first = call.t_ns - first_ns, call.seat in winners
    return PressLine(call.seat, names[call.seat], after_ns, call.uncertainty_ns, first, kind, call.handicap_ns)
