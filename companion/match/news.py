"""The sentences of a match: the last step for the strips, the last few for the story."""

from collections import deque
from typing import Final, NamedTuple

from companion.core.event import BAD, Event
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.text import Text, msg
from companion.match.reveal import Stays
from companion.referee.events import LateReport, Paused, Refused, WentOn

ORDER_NS: Final = 3_000_000_000
"""Minimum time of a sentence on the strip of the seat that it concerns, unless a newer one replaces it."""

STORY: Final = 6
"""Maximum sentences of the story."""


NO_STEPS: Final = (Paused, WentOn, Refused)
"""Events that are not steps of a match: only the story has them."""


class Said(NamedTuple):
    """One public sentence: the kind of its event, its seat, and whether that is `good` or `bad` for the seat.

    `own` is a shorter form for the seat itself.
    """

    kind: str
    seat: Seat | None
    tone: str
    text: Text
    own: Text | None = None


class StripNews(NamedTuple):
    """The sentences of a strip, newest last; the `tone` says whether they are good or bad for the seat."""

    tone: str = ""
    sentences: tuple[Text, ...] = ()


NOTHING: Final = StripNews()


class _StepNews(NamedTuple):
    """The sentences of one step, and since when they are shown."""

    since_ns: int
    said: tuple[Said, ...]


class News:
    """The sentences of the step that is shown, of those before it, and of one that is not shown yet."""

    def __init__(self, stays: Stays = int) -> None:
        self._stays = stays
        self._fresh: list[Said] = []
        self._steps: deque[_StepNews] = deque([_StepNews(0, ())], maxlen=2 * STORY)  # a set-up has many
        self._own: dict[Seat, _StepNews] = {}
        self._story: deque[Said] = deque(maxlen=4 * STORY)  # a long step still has its beginning

    def tell(self, match: Match, told: Event) -> None:
        """Keep the sentence of a public event. One that is not a step, such as a pause, joins the story at once."""
        sentence = told.sentence(match.names)
        if not sentence:
            return
        tone, own = told.data.tone, None
        if isinstance(told.data, LateReport):
            tone, own = BAD, msg("reported too late to count")
        # A refusal before everybody is about the house.
        kept = self._story if isinstance(told.data, NO_STEPS) else self._fresh
        kept.append(Said(told.kind, told.seat, tone, sentence, own))

    def drop(self) -> None:
        self._fresh.clear()

    def turn_over(self, now_ns: int) -> None:
        """Show the kept sentences from now on."""
        if not self._fresh:
            return
        step = _StepNews(now_ns, tuple(self._fresh))
        self._fresh.clear()
        self._steps.append(step)
        self._story.extend(step.said)
        for seat in {said.seat for said in step.said if said.seat is not None}:
            of_seat = tuple(said for said in step.said if said.seat == seat)
            # Its news begins with the first sentence that is good or bad for it.
            news = of_seat[next((place for place, said in enumerate(of_seat) if said.tone), 0) :]
            if any(said.tone for said in news) or not self.own(seat, now_ns, young=True).tone:
                self._own[seat] = _StepNews(now_ns, news)

    def settle(self) -> None:
        """Clear the strips: another card is open, or the sentences no longer hold."""
        self._own.clear()
        self._steps.clear()
        self._steps.append(_StepNews(0, ()))

    def story(self, up_to: str = "") -> tuple[Text, ...]:
        """Return the last sentences, oldest first; with a kind only those up to its last event."""
        said = list(self._story)
        ends = [place for place, each in enumerate(said, 1) if each.kind == up_to]
        return tuple(each.text for each in said[: ends[-1] if ends else None][-STORY:])

    def own(self, seat: Seat, now_ns: int, *, young: bool = False) -> StripNews:
        """Return what concerns a seat: of the last step, or of the last seconds; with `young` only the latter."""
        step = self._own.get(seat)
        if step is None:
            return NOTHING
        is_young = now_ns - step.since_ns < self._stays(ORDER_NS)
        is_last = step.since_ns == self._steps[-1].since_ns
        tones = [said.tone for said in step.said if said.tone]
        if not (is_young and tones) and (young or not is_last):
            return NOTHING
        return StripNews(tones[-1] if tones else "", tuple(said.own or said.text for said in step.said))

    def common(self, now_ns: int, *, young: bool = False) -> StripNews:
        """Return the sentences of the last seconds; unless `young`, at least those of the last step."""
        steps = [step for step in self._steps if now_ns - step.since_ns < self._stays(ORDER_NS)]
        if not steps and not young:
            steps = [self._steps[-1]]
        said = [said for step in steps for said in step.said]
        # Sentences about a seat come last: they matter more than announcements.
        return StripNews("", tuple(each.text for each in sorted(said, key=lambda each: each.seat is not None)))

    def of_kind(self, kind: str) -> StripNews:
        return StripNews("", tuple(said.text for said in self._steps[-1].said if said.kind == kind))
