"""The moments that take longer than a move: the reveal of secrets, the photo finish of a call.

Both only show what is committed already, and neither delays what anybody presses.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from companion.core.console import Call
from companion.core.event import Event
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.rules import State
from companion.core.text import Render, decimal
from companion.display.frame import Beat, PhotoFinish, Press, PressLine, told
from companion.referee.calls import MS
from companion.referee.clock import PlanningClock
from companion.referee.evidence import parse_evidence
from companion.telling import tell

HOLD_NS: Final = 3_000_000_000
"""How long what was revealed is held before what follows from it is shown."""

FINISH_FROM_NS: Final = 800_000_000
"""How long after an answer its card may be watched before the photo finish covers it."""

FINISH_TO_NS: Final = 3_000_000_000
NEXT_CARD_NS: Final = 3_500_000_000
"""When the photo finish is over, and when the next card may come: not before everybody sees the rows again."""

REVEAL: Final = "reveal"
"""The kind of event that tells what was secret."""

NEVER_NS: Final = 1 << 62


class Reveal:
    """How far the showing of the newest reveal is, and what waits until it was seen.

    `before` is the position before it, `seen_ns` when its flip was; until then it is hidden.
    """

    def __init__(self, clock: PlanningClock, drum_ns: int) -> None:
        self.beat = Beat.CALM
        self.before: State = None
        self.seen_ns: int | None = -1
        self.asked_ns = 0
        self.fresh = False
        self._entries = 0
        self._clock = clock
        self._drum_ns = drum_ns
        self._number = 0
        self._lamps: dict[int, Callable[[], None]] = {}
        self._sounds: list[Callable[[], None]] = []
        self._robots: list[tuple[int, Callable[[], None]]] = []

    @property
    def on(self) -> bool:
        """Whether a reveal is being shown."""
        return self.beat != Beat.CALM

    @property
    def hidden(self) -> bool:
        """Whether nobody can have seen the newest position yet."""
        return self.seen_ns is None

    @property
    def turning(self) -> bool:
        """Whether the frame that shows it was asked for, and is not known to be visible yet."""
        return self.hidden and self.beat == Beat.REVEALED

    def meant(self, t_ns: int) -> bool:
        """Tell whether what was pressed at a moment, at the latest, can be meant for the newest position."""
        return self.seen_ns is not None and t_ns >= self.seen_ns

    def begin(self, match: Match) -> None:
        """Hold back the last step of a match, which reveals something."""
        self._number += 1
        self.before, self._entries = match.before(match.length), len(match.entries)
        self.beat, self.seen_ns, self.fresh = Beat.DRUM, None, True

    def shows(self, match: Match) -> bool:
        """Tell whether the newest position is still the one that was revealed."""
        return self.on and len(match.entries) == self._entries

    def roll(self, turn: Callable[[], None]) -> bool:
        """Let the drum roll, then `turn` the picture over; tell whether there is a drum."""
        self.fresh = False
        if self._drum_ns:
            self._later(self._drum_ns, turn)
        return self._drum_ns > 0

    def turn(self) -> None:
        """Ask for the one frame that shows it all; a drum that still rolls after a pause ends with that."""
        self._number += 1
        self.beat, self.asked_ns = Beat.REVEALED, self._clock.now_ns()

    def seen(self, t_ns: int, end: Callable[[], None]) -> None:
        """Switch what has waited: the frame could be seen since `t_ns`; `end` it when it was held long enough."""
        self.seen_ns = t_ns
        self._switch()
        self._later(t_ns + HOLD_NS - self._clock.now_ns(), end)

    def end(self) -> None:
        """Go on: its position is shown long enough, or another one is."""
        if not self.on:
            return
        self._number += 1
        self.beat, self.fresh, self.before = Beat.CALM, False, None
        if self.seen_ns is None:
            self.seen_ns = self._clock.now_ns()
        self._switch()
        waiting, self._robots = self._robots, []
        for after_ns, action in waiting:
            self._clock.at(self._clock.now_ns() + after_ns, action)

    def light(self, seat: Seat, act: Callable[[], None]) -> None:
        """Switch a lamp, once the position that it belongs to can be seen."""
        if self.hidden:
            self._lamps[seat] = act
        else:
            act()

    def sound(self, act: Callable[[], None]) -> None:
        """Sound something, once what it belongs to can be seen."""
        if self.hidden:
            self._sounds.append(act)
        else:
            act()

    def hush(self) -> None:
        """Forget the sounds of what was taken back before anybody saw it."""
        self._sounds.clear()

    def plan(self, t_ns: int, action: Callable[[], None]) -> None:
        """Plan what a robot does: as long after the end of a reveal as it would have been after a move."""
        if self.on:
            self._robots.append((max(0, t_ns - self._clock.now_ns()), action))
        else:
            self._clock.at(t_ns, partial(self._act, action))

    def _act(self, action: Callable[[], None]) -> None:
        if self.on:
            self._robots.append((0, action))
        else:
            action()

    def _switch(self) -> None:
        lamps, self._lamps = self._lamps, {}
        sounds, self._sounds = self._sounds, []
        for act in (*lamps.values(), *sounds):
            act()

    def _later(self, after_ns: int, action: Callable[[], None]) -> None:
        number = self._number
        self._clock.at(self._clock.now_ns() + after_ns, lambda: action() if number == self._number else None)


class Finish:
    """The photo finish of the last call that several claimed: with its card, and over the scene after that."""

    def __init__(self, clock: PlanningClock, read: Render) -> None:
        self._read = read
        self.photo: PhotoFinish | None = None
        self.current = False
        self.covers = False
        self._clock = clock
        self._number = 0
        self._due = False
        self._planned = False
        self._first_ns = 0

    def judge(self, match: Match, verdict: Event) -> None:
        """Keep the photo finish of a verdict, if several called."""
        self.clear()
        early = parse_evidence(match.entries[-1].comment).early
        photo = photo_of(match, match.length, verdict, early, self._read)
        if photo:
            self.photo, self.current, self._due = photo, True, True
            self._first_ns = verdict.facts["calls"][0].t_ns

    def late(self, names: Sequence[str], report: Event) -> None:
        """Add a press whose device reported it after the verdict."""
        if self.photo and self.current:
            self.photo = with_late(self.photo, self._first_ns, names, report)

    @property
    def is_due(self) -> bool:
        """Whether the last one covers the scene, or is going to."""
        return self._planned or self.covers

    def clear(self) -> None:
        """Turn to what comes next; the last one is kept for the menu."""
        self.current = self.covers = self._due = self._planned = False
        self._number += 1

    def cover(self, changed: Callable[[], None]) -> bool:
        """Cover the scene for a while, once for each call; tell whether that begins now."""
        if not self._due:
            return False
        self._due, self._planned = False, True
        self._switch(FINISH_FROM_NS, True, changed)
        self._switch(FINISH_TO_NS, False, changed)
        return True

    def uncover(self) -> bool:
        """Show the scene again; tell whether it was, or was going to be, covered."""
        was = self.is_due
        self._planned = self.covers = False
        self._number += 1
        return was

    def _switch(self, after_ns: int, covers: bool, changed: Callable[[], None]) -> None:
        number = self._number

        def act() -> None:
            if number == self._number:
                self._planned, self.covers = False, covers
                changed()

        self._clock.at(self._clock.now_ns() + after_ns, act)


def photo_of(match: Match, number: int, verdict: Event, early: Sequence[Call], read: Render) -> PhotoFinish | None:
    """Return the photo finish of the verdict that a move (counted from 1) rests on; None when one alone called.

    `early` are the false starts of that call.
    """
    facts = verdict.facts
    calls: Sequence[Call] = facts["calls"]
    if len(calls) < 2:
        return None
    view = match.game.rules.view(match.before(number), None)
    race = match.game.console.stage(view).race
    first_ns = calls[0].t_ns
    lines = [_line(match.names, call, first_ns, Press.EARLY) for call in early]
    lines += [_line(match.names, call, first_ns, Press.CALL, facts["seats"]) for call in calls]
    return PhotoFinish(
        presses=tuple(sorted(lines, key=lambda line: line.after_ns)),
        margin_ns=facts["margin_ns"],
        tie_margin_ns=race.tie_margin_ms * MS if race else 0,
        verdict=told(tell(match.game, verdict, match.names), read),
        open_ns=facts["open_ns"] - first_ns,
        colours=match.game.teller.colours(view),
        point=read(decimal(0)).strip("0"),
    )


def with_late(photo: PhotoFinish, first_ns: int, names: Sequence[str], late: Event) -> PhotoFinish:
    """Return a photo finish with a press whose device reported it after the verdict."""
    facts: Mapping[str, int] = late.facts
    assert late.seat is not None
    call = Call(late.seat, facts["stamp_ns"], facts["uncertainty_ns"])
    line = _line(names, call, first_ns, Press.LATE)
    return photo._replace(presses=tuple(sorted((*photo.presses, line), key=lambda each: each.after_ns)))


def _line(names: Sequence[str], call: Call, first_ns: int, kind: Press, winners: Sequence[Seat] = ()) -> PressLine:
    return PressLine(
        call.seat, names[call.seat], call.t_ns - first_ns, call.uncertainty_ns, call.seat in winners, kind
    )
