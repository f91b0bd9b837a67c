"""An event: narration that the rules derive from a move. Never persisted, never replayed.

A kind of events is a class of EventFacts. It is declared once, with its words and its tone, beside the rules or the
referee that tell it: a fact that is missing or unknown is an error where the event is made.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple, dataclass_transform

from companion.core.feats import Achieved
from companion.core.move import TABLE, Seat
from companion.core.text import Text

SEAT_KEYS: Final = frozenset({"seat", "seats", "ranking", "source"})
"""The facts whose numbers are seats; they are printed as 1..5, the TABLE as 0."""

REVEAL: Final = "reveal"
"""The kind of event by which a game tells what was secret."""

GOOD: Final = "good"
BAD: Final = "bad"

PAY: Final = "pay"
CARD: Final = "card"
"""The clips of what is paid, and of what is turned, rolled or begins."""


@dataclass_transform(frozen_default=True)
class EventFacts:
    """The facts of one kind of events, and what people hear of them.

    `SAYS` is the sentence: its values are the facts, and `{who}`, the name of the event's seat. Of an event without
    a seat, `{who}` are the names of its `seats`, or of the first of its `ranking`. `TONE` is whether the event is
    GOOD or BAD for its seat, `SOUND` its clip where it is not that of the tone. `TASK` is what the seat does with
    real pieces, or somebody near where there is no seat. Where the words depend on the facts, `says` and `task`
    return them, with values of their own.
    """

    KIND: ClassVar[str] = ""
    SAYS: ClassVar[Text | None] = None
    TONE: ClassVar[str] = ""
    SOUND: ClassVar[str] = ""
    TASK: ClassVar[Text | None] = None

    @property
    def tone(self) -> str:
        """Whether the event is GOOD or BAD for its seat, where that depends on the facts."""
        return self.TONE

    @property
    def sound(self) -> str:
        """Its clip, where that depends on the facts."""
        return self.SOUND

    def __init_subclass__(cls) -> None:
        cls.KIND = re.sub(r"(?<=.)(?=[A-Z])", "_", cls.__name__).lower()  # `false_start` for FalseStart
        # The type checker lets nobody change one; to enforce it at run time would take three times as long.
        dataclass(unsafe_hash=True)(cls)

    def says(self, names: Sequence[str]) -> Text | None:
        """Return the sentence, None where the event needs no words; `names` are those of the seats."""
        return self.SAYS

    def task(self) -> Text | None:
        """Return what is to be done with real pieces, None for nothing."""
        return self.TASK

    def feats(self, seat: Seat | None) -> Iterable[Achieved]:
        """Return what the match may be remembered by because of this event; `seat` is the event's.

        Amounts of one feat by one seat in one step are added up.
        """
        return ()


class NoFacts(EventFacts):
    """Nothing but the kind of an event has to be told."""


class Event(NamedTuple):
    """Something to show, say or light; `data` are its facts.

    `seat` is whom it is about, or None. `seen_by` is who may know: None is everybody. `said` is its sentence where
    that of its kind cannot tell it.
    """

    kind: str
    seat: Seat | None = None
    data: EventFacts = NoFacts()
    seen_by: tuple[Seat, ...] | None = None
    said: Text | None = None

    @property
    def facts(self) -> dict[str, object]:
        """The facts by their names, without those that may be missing and are None."""
        usual = vars(type(self.data))
        facts = vars(self.data).items()
        return {name: fact for name, fact in facts if fact is not None or usual.get(name, "") is not None}

    def visible_to(self, audience: Seat | None) -> bool:
        """Tell whether a seat, or everybody (None), may see this event."""
        return self.seen_by is None or audience in self.seen_by

    def sentence(self, names: Sequence[str]) -> Text | None:
        """Return the event in words, None for one that needs none."""
        return self.said or self._filled(self.data.says(names), names)

    def task(self, names: Sequence[str]) -> Text | None:
        """Return what is to be done with real pieces because of this event alone, None for nothing."""
        return self._filled(self.data.task(), names)

    def _filled(self, text: Text | None, names: Sequence[str]) -> Text | None:
        if text is None:
            return None
        first, *_ = getattr(self.data, "ranking", ((),))
        seats = getattr(self.data, "seats", first) if self.seat is None else (self.seat,)
        who = ", ".join(names[seat] for seat in seats)
        facts = ({"who": who} | self.facts).items()
        values = {name: fact for name, fact in facts if f"{{{name}}}" in text.msgid} | dict(text.values)
        return text._replace(values=tuple(values.items()))


def event(
    what: EventFacts,
    seat: Seat | None = None,
    *,
    seen_by: tuple[Seat, ...] | None = None,
    said: Text | None = None,
) -> Event:
    """Return the event that has these facts."""
    return Event(what.KIND, seat, what, seen_by, said)


def to_json(t_ns: int, event: Event) -> dict[str, object]:
    """Return an event at `t_ns` as a JSON object, its seats counted from 1."""
    line: dict[str, object] = {"t_ns": t_ns, "kind": event.kind}
    if event.seat is not None:
        line["seat"] = _plain("seat", event.seat)
    return line | {key: _plain(key, value) for key, value in event.facts.items()}


def _plain(key: str, value: object) -> object:
    if isinstance(value, Text):
        return str(value)
    if hasattr(value, "_asdict"):
        return {name: _plain(name, part) for name, part in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [_plain(key, part) for part in value]
    if key in SEAT_KEYS and isinstance(value, int):
        return 0 if value == TABLE else value + 1
    return value
