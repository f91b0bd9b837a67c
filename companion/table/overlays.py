"""What has the centre of the display instead of the match, and then has every press: a menu, a message, a visit."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from companion.core.menu import BACK, Choice, Item
from companion.core.move import TABLE, Seat
from companion.core.signal import Signal
from companion.core.text import Render
from companion.display.frame import Screen, Side
from companion.match import centre
from companion.visits.visit import Visit


class Cover(ABC):
    """Lies over the table until something else is laid there, or the match is uncovered."""

    @abstractmethod
    def screen(self) -> Screen:
        """Return what the centre shows."""

    @abstractmethod
    def press(self, place: Seat, control: str) -> None:
        """Take something that was newly pressed."""

    def sides(self) -> tuple[Side, ...] | None:
        """Return what the strips show; None for those of the table."""
        return None

    def hear(self, signal: Signal) -> None:  # noqa: B027  most covers hear presses only
        """Take in everything that devices report, also bounces and releases; presses come by `press` as well."""

    def leave(self) -> None:  # noqa: B027  most covers have nothing to end
        """End: it does not lie there any more."""


class Card(Cover):
    """One screen that somebody acts upon: `draw` returns it, `pressed` takes what was pressed where."""

    def __init__(self, draw: Callable[[], Screen], pressed: Callable[[Seat, str], None]) -> None:
        self._draw = draw
        self._pressed = pressed

    def screen(self) -> Screen:
        """Return what the centre shows."""
        return self._draw()

    def press(self, place: Seat, control: str) -> None:
        """Take something that was newly pressed."""
        self._pressed(place, control)


def any_press(act: Callable[[], None]) -> Callable[[Seat, str], None]:
    """Return what does the same whatever is pressed."""
    return lambda *_: act()


class Asking(Cover):
    """A menu: `take` does what a line says, `back` goes back without; `changed` shows it anew.

    With `drawn` that is what the centre shows instead of the lines. `pressed_at` is the place of who pressed last.
    """

    def __init__(
        self,
        choice: Choice,
        take: Callable[[Item], None],
        back: Callable[[], None],
        changed: Callable[[], None],
        read: Render,
        *,
        drawn: Screen | None = None,
    ) -> None:
        self.choice = choice
        self.pressed_at: Seat = TABLE
        self._take = take
        self._back = back
        self._changed = changed
        self._read = read
        self._drawn = drawn

    def screen(self) -> Screen:
        """Return the menu."""
        return self._drawn or centre.menu(self.choice, self._read)

    def press(self, place: Seat, control: str) -> None:
        """Go to a line, take it, or go back."""
        self.pressed_at = place
        self.choice, item = self.choice.press(control)
        if item is None:
            self._changed()
        elif item.act == BACK:
            self._back()
        else:
            self._take(item)

    def select(self, act: str, value: object = None) -> None:
        """Go to the line that does something, with a value if one is given, if there is one."""
        for line, item in enumerate(self.choice.items):
            if item.act == act and (value is None or value == item.value):
                self.choice = self.choice._replace(selected=line)
                self._changed()
                return

    def renew(self, choice: Choice, act: str, value: object) -> None:
        """Say other lines, and go to the one that does something with a value: what was taken may have moved."""
        self.choice = choice
        self.select(act, value)


class Visiting(Cover):
    """A visit; `back` goes to where it began."""

    def __init__(self, visit: Visit, changed: Callable[[], None], back: Callable[[], None]) -> None:
        self.visit = visit
        self._changed = changed
        self._back = back

    def screen(self) -> Screen:
        """Return what the visit shows."""
        return self.visit.screen()

    def sides(self) -> tuple[Side, ...] | None:
        """Return what the visit shows on the strips."""
        return self.visit.sides()

    def press(self, place: Seat, control: str) -> None:
        """Let the visit take it; go back when it says so."""
        if self.visit.press(place, control):
            self._changed()
        else:
            self._back()

    def hear(self, signal: Signal) -> None:
        """Let the visit hear it."""
        self.visit.hear(signal)

    def leave(self) -> None:
        """End the visit."""
        self.visit.leave()
