"""What the last steps told, in words: what to do with the real pieces, for the strips and for whoever watches."""

from collections import deque
from typing import Final, NamedTuple

from companion.core.event import BAD, Event
from companion.core.match import Match
from companion.core.move import Seat
from companion.core.text import Text, msg
from companion.match.reveal import Stays
from companion.referee.events import LateReport, Paused, Refused, WentOn

ORDER_NS: Final = 3_000_000_000
"""How long an order stays at least on the strip of whom it concerns, unless there is a newer one."""

STORY: Final = 6
"""How many sentences the story has."""


NO_STEPS: Final = (Paused, WentOn, Refused)
"""The kinds of events that are no step of a match: only the story tells of them."""


class Said(NamedTuple):
    """One public sentence: the kind of event it tells of, whose, and whether that is `good` or `bad` for it.

    `own` is how it is put to that seat itself, where that is shorter.
    """

    kind: str
    seat: Seat | None
    tone: str
    text: Text
    own: Text | None = None


class StripNews(NamedTuple):
    """What a strip tells: sentences, the newest last, and whether they are good or bad for the seat."""

    tone: str = ""
    sentences: tuple[Text, ...] = ()


NOTHING: Final = StripNews()


class _StepNews(NamedTuple):
    """What one step told, and since when that is shown."""

    since_ns: int
    said: tuple[Said, ...]


class News:
    """The sentences of a match: of the step that is shown, of those before it, and of one not shown yet."""

    def __init__(self, stays: Stays = int) -> None:
        self._stays = stays
        self._fresh: list[Said] = []
        self._steps: deque[_StepNews] = deque([_StepNews(0, ())], maxlen=2 * STORY)  # a set-up has many
        self._own: dict[Seat, _StepNews] = {}
        self._story: deque[Said] = deque(maxlen=4 * STORY)  # a long step still has its beginning

    def tell(self, match: Match, told: Event) -> None:
        """Keep what an event says to everybody, in words; what is no step, as a pause, joins the story at once."""
        sentence = told.sentence(match.names)
        if not sentence:
            return
        tone, own = told.data.TONE, None
        if isinstance(told.data, LateReport):
            tone, own = BAD, msg("reported too late to count")
        # What is refused before everybody is the house's.
        kept = self._story if isinstance(told.data, NO_STEPS) else self._fresh
        kept.append(Said(told.kind, told.seat, tone, sentence, own))

    def drop(self) -> None:
        self._fresh.clear()

    def turn_over(self, now_ns: int) -> None:
        """Show the newest sentences from now on."""
        if not self._fresh:
            return
        step = _StepNews(now_ns, tuple(self._fresh))
        self._fresh.clear()
        self._steps.append(step)
        self._story.extend(step.said)
        for seat in {said.seat for said in step.said if said.seat is not None}:
            of_seat = tuple(said for said in step.said if said.seat == seat)
            # What it has to know begins with the first sentence that is good or bad for it.
            news = of_seat[next((place for place, said in enumerate(of_seat) if said.tone), 0) :]
            if any(said.tone for said in news) or not self.own(seat, now_ns, young=True).tone:
                self._own[seat] = _StepNews(now_ns, news)

    def settle(self) -> None:
        """Take all that was told off the strips: another card is open, or it holds no more."""
        self._own.clear()
        self._steps.clear()
        self._steps.append(_StepNews(0, ()))

    def story(self, up_to: str = "") -> tuple[Text, ...]:
        """Return the last sentences, oldest first; only those up to the last of a kind, if one is named."""
        said = list(self._story)
        ends = [place for place, each in enumerate(said, 1) if each.kind == up_to]
        return tuple(each.text for each in said[: ends[-1] if ends else None][-STORY:])

    def own(self, seat: Seat, now_ns: int, *, young: bool = False) -> StripNews:
        """Return what concerns a seat: of the last step, or told just now; if `young` only the latter."""
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
        """Return what the last step told everybody, and what was not told for long; only that if `young`."""
        steps = [step for step in self._steps if now_ns - step.since_ns < self._stays(ORDER_NS)]
        if not steps and not young:
            steps = [self._steps[-1]]
        said = [said for step in steps for said in step.said]
        # What somebody has to do is more important than what is announced.
        return StripNews("", tuple(each.text for each in sorted(said, key=lambda each: each.seat is not None)))

    def of_kind(self, kind: str) -> StripNews:
        return StripNews("", tuple(said.text for said in self._steps[-1].said if said.kind == kind))
