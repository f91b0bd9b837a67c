"""The questions about a custom box, in sections; each is about one value of its file. Pure.

A form is made from the current file, and again after each answer, which may add or remove questions.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.console import BUZZ
from companion.core.menu import OK_CONTROLS
from companion.core.text import Text

Found = Mapping[str, Any]
"""A box's file as TOML has it."""

Path = tuple[str | int, ...]
"""The keys, and the list indices from 0, that lead to a value of the file."""

Change = tuple[Path, object]
"""The path of a value and its new value; None removes it."""

Spot = tuple[int, int]
"""A row and a column of a grid, counted from 0."""

STEPS: Mapping[str, Spot] = {"8": (-1, 0), "2": (1, 0), "4": (0, -1), "6": (0, 1)}
"""The keys that step over a grid, by their places on the keypad."""

DONE_CONTROLS = OK_CONTROLS | {BUZZ}
"""Controls that accept the answer shown and go on."""


class Option(NamedTuple):
    """One of several answers: its key, its value, its name and its drawing.

    `sign` names a drawing, perhaps with a colour (`car:pink`), or is `mark:` and a colour for that colour's mark.
    """

    key: str
    value: object
    label: Text
    sign: str = ""


class Grid(NamedTuple):
    """A field of squares to step over.

    `put(key, spot)` returns the changes that a key makes there, or why it cannot; `here(spot)` names the square.
    """

    rows: int
    columns: int
    put: Callable[[str, Spot], "Sequence[Change] | Text"]
    here: Callable[[Spot], Text]

    def stepped(self, spot: Spot, key: str) -> Spot:
        """Return the square that a step leads to; at the edge it is the same one."""
        down, right = STEPS[key]
        row, column = spot[0] + down, spot[1] + right
        return min(max(row, 0), self.rows - 1), min(max(column, 0), self.columns - 1)


class Question(NamedTuple):
    """One question, and the `value` in the file.

    People choose one of `options`; with a `grid`, options are what its keys do; without either, they key a number.
    The game's scene draws `drawn` beside the question; without it, `sign` names a drawing. `write` returns what an
    answer changes, or why it is refused; without it, the answer is put at `path`. `key` is the name that mistakes
    give the value where it differs from its path.
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
        """Return what an answer changes, or why it is refused."""
        return self.write(answer) if self.write else [(self.path, answer)]


class Section(NamedTuple):
    """Questions that belong together, under a name and a drawing."""

    title: Text
    icon: str
    questions: tuple[Question, ...]


Form = Callable[[Found], tuple[Section, ...]]
"""Returns a game's questions about a file, which has all values of a box of that game."""


def at(found: Any, path: Path) -> Any:
    """Return the value at a path of what was read."""
    for part in path:
        found = found[part]
    return found
