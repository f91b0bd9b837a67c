"""The contract of a game's guide: the pages that say how it is played here, and the match that teaches it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from companion.core.move import Seat
from companion.core.rules import BoxT, RulingsT
from companion.core.text import Text, with_names


class Row(NamedTuple):
    """One line of a page: a sign, and what it means.

    A sign is what stands on a key (`5`, `1-6`, `#`), or the name of a drawing, `buzzer` for example, with a colour
    behind it where that matters (`car:pink`); several with spaces between; or empty.
    """

    sign: str
    text: Text


class Page(NamedTuple):
    """What is read at one go: a title, lines with their signs, a drawing of what it is about."""

    title: Text
    rows: tuple[Row, ...]
    picture: str = ""

    def named(self, names: Sequence[str]) -> "Page":
        """Return it with the names of those who sit at the seats that its lines speak of."""
        return self._replace(rows=tuple(row._replace(text=with_names(row.text, names)) for row in self.rows))


class LessonStep(NamedTuple):
    """One move of a lesson, in notation; what who learns has to do has a `hint`, which stands on the strip.

    `pages` are read before, while the match waits. Where it is a call, `rivals` call too: each a seat, and how many
    milliseconds after the one whose call it is.
    """

    move: str
    hint: Text | None = None
    pages: tuple[Page, ...] = ()
    rivals: tuple[tuple[Seat, int], ...] = ()


class Lesson(NamedTuple):
    """The beginning of a match that teaches a game: all of its moves are known before.

    Who learns is seat 0, the others and the TABLE do what is written. Where several move at once the order in the
    line does not matter, only that of each seat. `rulings` are those that differ from the defaults, `last` is read
    at the end, which need not be that of the match.
    """

    seats: int
    steps: tuple[LessonStep, ...]
    rulings: Mapping[str, object]
    last: tuple[Page, ...]


class Guide(Protocol[RulingsT, BoxT]):
    """One game's guide module."""

    def pages(self, rulings: RulingsT, box: BoxT) -> Sequence[Page]:
        """Return how it is played here: what it is about, which keys mean what, by these rulings with this box."""
