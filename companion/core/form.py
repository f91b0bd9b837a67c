"""The questions about a custom box, in sections. They are made anew after each answer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.console import BUZZ
from companion.core.menu import OK_CONTROLS
from companion.core.text import Text

Found = Mapping[str, Any]

Path = tuple[str | int, ...]
"""Keys and list indices (from 0) that lead to a value."""

Change = tuple[Path, object]
"""A path and its new value; None removes it."""

Spot = tuple[int, int]

STEPS: Mapping[str, Spot] = {"8": (-1, 0), "2": (1, 0), "4": (0, -1), "6": (0, 1)}

DONE_CONTROLS = OK_CONTROLS | {BUZZ}


class Option(NamedTuple):
    """One of several answers.

    `sign` is a drawing, perhaps with a colour (`car:pink`), or a colour's mark (`mark:pink`).
    """

    key: str
    value: object
    label: Text
    sign: str = ""


class Grid(NamedTuple):
    """A field of squares to move over.

    `put(key, spot)` returns the changes of a key there, or why it is refused; `here(spot)` names the square.
    """

    rows: int
    columns: int
    put: Callable[[str, Spot], "Sequence[Change] | Text"]
    here: Callable[[Spot], Text]

    def stepped(self, spot: Spot, key: str) -> Spot:
        down, right = STEPS[key]
        row, column = spot[0] + down, spot[1] + right
        return min(max(row, 0), self.rows - 1), min(max(column, 0), self.columns - 1)


class Question(NamedTuple):
    """One question, and the current `value` in the file.

    * `options` are the answers, or with a `grid` what its keys do; without either, the answer is a number.
    * The scene draws `drawn` beside it, otherwise the drawing `sign`.
    * `write` returns the changes of an answer; by default it is stored at `path`.
    * `key`: the value's name in mistakes if it is not the path.
    """

    text: Text
    path: Path
    value: object = None
    options: tuple[Option, ...] = ()
    drawn: object = None
    sign: str = ""
    grid: Grid | None = None
    write: Callable[[Any], "Sequence[Change] | Text"] | None = None
    key: str = ""

    @property
    def name(self) -> str:
        """The value's name in mistakes: `deck.1`, `cards[8].goblins`."""
        return (
            self.key or "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in self.path)[1:]
        )

    def changes(self, answer: object) -> "Sequence[Change] | Text":
        return self.write(answer) if self.write else [(self.path, answer)]


class Section(NamedTuple):
    """Questions under a title."""

    title: Text
    icon: str
    questions: tuple[Question, ...]


Form = Callable[[Found], tuple[Section, ...]]
"""Returns the questions about a file with all values of a box."""


def at(found: Any, path: Path) -> Any:
    for part in path:
        found = found[part]
    return found
