"""The sentences about a match: the last step for the strips, the last few for the story."""

from collections import deque
from typing import Final, NamedTuple

from companion.core.event import BAD, Event
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.text import Text, msg
from companion.match.reveal import Stays
from companion.referee.events import LateReport, Paused, Refused, WentOn

ORDER_NS: Final = 3_000_000_000
"""Minimum time of a sentence on the strip of its seat, unless a newer one replaces it."""

STORY: Final = 6


NO_STEPS: Final = (Paused, WentOn, Refused)
"""Events that only the story shows."""


class Said(NamedTuple):
    """One public sentence. `tone` says whether it is good or bad for the seat.

    `own` is a shorter form for the seat itself.
    """

    kind: str
    seat: Seat | None
    tone: str
    text: Text
    own: Text | None = None


class StripNews(NamedTuple):
    """The sentences of a strip, newest last."""

    tone: str = ""
    sentences: tuple[Text, ...] = ()


NOTHING: Final = StripNews()


class _StepNews(NamedTuple):
    since_ns: int
    said: tuple[Said, ...]


class News:
    """The sentences of the shown step, of those before it, and of one that is not shown yet."""

    def __init__(self, stays: Stays = int) -> None:
        self._stays = stays
        self._fresh: list[Said] = []
        self._steps: deque[_StepNews] = deque([_StepNews(0, ())], maxlen=2 * STORY)  # the setup has many
        self._own: dict[Seat, _StepNews] = {}
        self._story: deque[Said] = deque(maxlen=4 * STORY)  # a long step keeps its beginning

    def tell(self, match: Match, told: Event) -> None:
        """Store a public sentence until its step is shown. Those of NO_STEPS join the story at once."""
        sentence = told.sentence(match.names)
        if not sentence:
            return
        tone, own = told.data.tone, None
        if isinstance(told.data, LateReport):
            tone, own = BAD, msg("reported too late to count")
        # A refusal that everybody sees is about the house.
        kept = self._story if isinstance(told.data, NO_STEPS) else self._fresh
        kept.append(Said(told.kind, told.seat, tone, sentence, own))

    def drop(self) -> None:
        self._fresh.clear()

    def turn_over(self, now_ns: int) -> None:
        if not self._fresh:
            return
        step = _StepNews(now_ns, tuple(self._fresh))
        self._fresh.clear()
        self._steps.append(step)
        self._story.extend(step.said)
        for seat in {said.seat for said in step.said if said.seat is not None}:
            of_seat = tuple(said for said in step.said if said.seat == seat)
            # Start at the first sentence that is good or bad for the seat.
            news = of_seat[next((place for place, said in enumerate(of_seat) if said.tone), 0) :]
            if any(said.tone for said in news) or not self.own(seat, now_ns, young=True).tone:
                self._own[seat] = _StepNews(now_ns, news)

    def settle(self) -> None:
        self._own.clear()
        self._steps.clear()
        self._steps.append(_StepNews(0, ()))

    def story(self, up_to: str = "") -> tuple[Text, ...]:
        """Return the last sentences, oldest first, up to the last event of the kind `up_to`."""
        said = list(self._story)
        ends = [place for place, each in enumerate(said, 1) if each.kind == up_to]
        return tuple(each.text for each in said[: ends[-1] if ends else None][-STORY:])

    def own(self, seat: Seat, now_ns: int, *, young: bool = False) -> StripNews:
        """Return the news about a seat. With `young` it is never older than ORDER_NS."""
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
        """Return the sentences of the last ORDER_NS; unless `young`, at least those of the last step."""
        steps = [step for step in self._steps if now_ns - step.since_ns < self._stays(ORDER_NS)]
        if not steps and not young:
            steps = [self._steps[-1]]
        said = [said for step in steps for said in step.said]
        # Sentences about a seat come last, since they matter more.
        return StripNews("", tuple(each.text for each in sorted(said, key=lambda each: each.seat is not None)))

    def of_kind(self, kind: str) -> StripNews:
        return StripNews("", tuple(said.text for said in self._steps[-1].said if said.kind == kind))
