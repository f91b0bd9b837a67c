"""What the display is told to show: plain values, so that two frames can be compared and nothing is drawn twice."""

from typing import NamedTuple

from companion.core.console import Lamp
from companion.core.rules import View
from companion.core.text import Text


class Side(NamedTuple):
    """A place's strip: who sits there, what that seat may do now, and whether it is that seat's turn.

    `seat` is its seat in the match that is shown, None without one. `tone` is `good`, `bad` or empty.
    """

    name: str = ""
    note: str = ""
    lit: bool = False
    seat: int | None = None
    tone: str = ""


class Poster(NamedTuple):
    """A screen that says something: a title, some lines, and what to press."""

    title: str
    lines: tuple[str, ...] = ()
    hint: str = ""
    trouble: bool = False


class Menu(NamedTuple):
    """A numbered list; `detail` explains the selected line, `hint` says what to press."""

    title: str
    items: tuple[str, ...]
    selected: int
    detail: str = ""
    hint: str = ""


class Play(NamedTuple):
    """A match: the scene of `game` shows `view`."""

    game: str
    view: View


class Standing(NamedTuple):
    """One line of a result: the place, who has it, and how."""

    place: int
    names: str


class Result(NamedTuple):
    """How a match ended."""

    title: str
    reason: str
    standings: tuple[Standing, ...]
    hint: str = ""


Screen = Poster | Menu | Play | Result


class Panel(NamedTuple):
    """A virtual seat beside the display: its lamp, the two lines of its private screen, its faults.

    `keys` says which keys of the PC are its keypad now.
    """

    place: int
    lamp: Lamp = Lamp.OFF
    lines: tuple[str, str] = ("", "")
    fault: str = ""
    plugged: bool = True
    keys: str = ""


class Frame(NamedTuple):
    """One picture of the whole: `serial` numbers the requests, since the newest that was shown is reported.

    With `house` the PC's row of digits is the house's keypad, and this is what its line says.
    """

    serial: int
    screen: Screen
    sides: tuple[Side, ...]
    panels: tuple[Panel, ...] = ()
    calls_open: bool = False
    house: str | None = None

    def looks_like(self, other: "Frame | None") -> bool:
        """Tell whether another frame is the same picture."""
        return other is not None and self._replace(serial=other.serial) == other


def told(text: Text | None) -> str:
    """Return a text in the reader's language, empty for none."""
    return "" if text is None else str(text)
