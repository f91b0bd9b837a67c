"""What a game asks about a box of one's own: questions in sections, each about one value of the file. Pure.

A form is made of what the file says now, and made anew after each answer: a question may come or go with another.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.console import BUZZ
from companion.core.menu import OK_CONTROLS
from companion.core.text import Text

Found = Mapping[str, Any]
"""A box's file as it was read."""

Path = tuple[str | int, ...]
"""Where a value stands in the file: keys, and places in lists, which count from 0."""

Change = tuple[Path, object]
"""A value and where it is to stand; None takes away what stands there."""

Spot = tuple[int, int]
"""A row and a column of a grid, counted from 0."""

STEPS: Mapping[str, Spot] = {"8": (-1, 0), "2": (1, 0), "4": (0, -1), "6": (0, 1)}
"""The keys that step over a grid, as they lie on the keypad."""

DONE_CONTROLS = OK_CONTROLS | {BUZZ}
"""What confirms what is shown, and goes on."""


class Option(NamedTuple):
    """One of several answers: its key, the value that it stands for, its name, and the sign of a drawing.

    A sign is the name of a drawing, perhaps with a colour (`car:pink`), or `mark:` and a colour for its mark.
    """

    key: str
    value: object
    label: Text
    sign: str = ""


class Grid(NamedTuple):
    """A field of squares to step over: how many rows and columns, and what a key that is no step does to a square.

    `put(key, spot)` returns the changes, or why it cannot be; `here(spot)` says in words which square that is.
    """

    rows: int
    columns: int
    put: Callable[[str, Spot], "Sequence[Change] | Text"]
    here: Callable[[Spot], Text]

    def stepped(self, spot: Spot, key: str) -> Spot:
        """Return the square that a step leads to; the last one stays at the edge."""
        down, right = STEPS[key]
        row, column = spot[0] + down, spot[1] + right
        return min(max(row, 0), self.rows - 1), min(max(column, 0), self.columns - 1)


class Question(NamedTuple):
    """One question, and the `value` that stands in the file.

    With `options` one of them is chosen; with a `grid` they are what its keys do; without either a number is keyed.
    `drawn` is what the game's scene draws beside it, `sign` a drawing where there is nothing for a scene. `write`
    says what an answer changes, or why it cannot be; without it the answer itself is put at `path`. `key` is what
    mistakes of a box call the value, where that is not its path.
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
        """What mistakes of a box call the value: `deck.1`, `cards[8].goblins`."""
        return (
            self.key or "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in self.path)[1:]
        )

    def changes(self, answer: object) -> "Sequence[Change] | Text":
        """Return what an answer changes, or why it cannot be."""
        return self.write(answer) if self.write else [(self.path, answer)]


class Section(NamedTuple):
    """Questions that belong together, under a name and a drawing."""

    title: Text
    icon: str
    questions: tuple[Question, ...]


Form = Callable[[Found], tuple[Section, ...]]
"""What a game asks, from what a file says; it may trust that the file has all that a box of the game has."""


def at(found: Any, path: Path) -> Any:
    """Return the value at a path of what was read."""
    for part in path:
        found = found[part]
    return found


def number(found: Found, text: Text, *path: str | int, sign: str = "") -> Question:
    """Return the question for a number of the file."""
    return Question(text, path, at(found, path), sign=sign)
