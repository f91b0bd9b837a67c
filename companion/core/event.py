"""Events: narration that the rules derive from a move. They are not persisted or replayed."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple, dataclass_transform

from companion.core.feats import Achieved
from companion.core.move import TABLE, Seat
from companion.core.text import Text

SEAT_KEYS: Final = frozenset({"seat", "seats", "ranking", "source"})
"""Facts whose numbers are seats; they are printed as 1..5, the TABLE as 0."""

REVEAL: Final = "reveal"
"""The kind of event that reveals secrets."""

GOOD: Final = "good"
BAD: Final = "bad"

PAY: Final = "pay"
CARD: Final = "card"
"""Sound clips: for payments, and for cards, dice and beginnings."""


@dataclass_transform(frozen_default=True)
class EventFacts:
    """The facts of one kind of event.

    * `SAYS`: the sentence; its values are the facts and `{who}`, the name of the event's seat. Without a seat,
      `{who}` are the names of its `seats` or of the first in its `ranking`.
    * `TONE`: GOOD or BAD for its seat. `SOUND`: its clip if it is not the tone's.
    * `TASK`: what the seat, or any player near it, does with real pieces.

    If the words depend on the facts, `says` and `task` return them.
    """

    KIND: ClassVar[str] = ""
    SAYS: ClassVar[Text | None] = None
    TONE: ClassVar[str] = ""
    SOUND: ClassVar[str] = ""
    TASK: ClassVar[Text | None] = None

    @property
    def tone(self) -> str:
        """GOOD, BAD or neither, for the seat that the event is about."""
        return self.TONE

    @property
    def sound(self) -> str:
        """The name of the sound, empty for none."""
        return self.SOUND

    def __init_subclass__(cls) -> None:
        cls.KIND = re.sub(r"(?<=.)(?=[A-Z])", "_", cls.__name__).lower()  # `false_start` for FalseStart
        # The type checker enforces immutability; at run time it would triple the cost.
        dataclass(unsafe_hash=True)(cls)

    def says(self, names: Sequence[str]) -> Text | None:
        """Return the sentence, None for an event without one."""
        return self.SAYS

    def task(self) -> Text | None:
        """Return the task for players who move real pieces, None for no task."""
        return self.TASK

    def feats(self, seat: Seat | None) -> Iterable[Achieved]:
        """Return the feats of this event. Amounts of one feat by one seat in one step are added up."""
        return ()


class NoFacts(EventFacts):
    """An event without facts."""


class Event(NamedTuple):
    """Something to show, say or light; `data` are its facts.

    `seen_by` are the seats that may know it, None for everybody. `said` replaces its kind's sentence.
    """

    kind: str
    seat: Seat | None = None
    data: EventFacts = NoFacts()
    seen_by: tuple[Seat, ...] | None = None
    said: Text | None = None

    @property
    def facts(self) -> dict[str, object]:
        """The facts by name, without optional ones that are None."""
        usual = vars(type(self.data))
        facts = vars(self.data).items()
        return {name: fact for name, fact in facts if fact is not None or usual.get(name, "") is not None}

    def visible_to(self, audience: Seat | None) -> bool:
        """Return True if the seat, or everybody (None), may see the event."""
        return self.seen_by is None or audience in self.seen_by

    def sentence(self, names: Sequence[str]) -> Text | None:
        """Return the sentence with its facts and names, if any."""
        return self.said or self._filled(self.data.says(names), names)

    def task(self, names: Sequence[str]) -> Text | None:
        """Return the task for players who move real pieces, if any."""
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
    """Return the event with these facts. `seen_by` None is everybody; `said` replaces the usual sentence."""
    return Event(what.KIND, seat, what, seen_by, said)


def to_json(t_ns: int, event: Event) -> dict[str, object]:
    """Return an event as JSON, seats counted from 1."""
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
