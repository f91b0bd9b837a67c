"""The interface of a game's guide: help pages and lesson."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from companion.core.move import Seat
from companion.core.rules import BoxT, RulingsT
from companion.core.text import Text, with_names


class Row(NamedTuple):
    """One line of a page.

    `sign` is a key's label (`5`, `1-6`, `#`) or the name of a drawing, perhaps with a colour (`car:pink`); there
    may be several, separated by spaces, or none.
    """

    sign: str
    text: Text


class Page(NamedTuple):
    """A page of help."""

    title: Text
    rows: tuple[Row, ...]
    picture: str = ""

    def named(self, names: Sequence[str]) -> "Page":
        return self._replace(rows=tuple(row._replace(text=with_names(row.text, names)) for row in self.rows))


class LessonStep(NamedTuple):
    """One move of a lesson, in notation. `hint` is shown on the learner's strip.

    `pages` are read before it. If the move is a call, `rivals` call too: pairs of a seat and the delay in
    milliseconds.
    """

    move: str
    hint: Text | None = None
    pages: tuple[Page, ...] = ()
    rivals: tuple[tuple[Seat, int], ...] = ()


class Lesson(NamedTuple):
    """The scripted beginning of a match that teaches a game. The learner is seat 0.

    The order matters only for each seat. `rulings` are the house rules that differ from the defaults. `last` is
    read at the end of the script.
    """

    seats: int
    steps: tuple[LessonStep, ...]
    rulings: Mapping[str, object]
    last: tuple[Page, ...]


class Guide(Protocol[RulingsT, BoxT]):
    """One game's guide module."""

    def pages(self, rulings: RulingsT, box: BoxT) -> Sequence[Page]:
        """Return the help pages."""
