"""Menus and pages for buzzers and keys.

A digit chooses a line of the page, a buzzer moves to the next line, `#` or ok accepts it. `*`, undo, pause or menu
goes back; `0` turns the page.
"""

from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from companion.core.console import BUZZ
from companion.core.text import Text, msg

OK_CONTROLS: Final = frozenset({"#", "ok"})
BACK_CONTROLS: Final = frozenset({"*", "undo", "pause", "menu"})
NEXT_CONTROLS: Final = frozenset({BUZZ, "skip"})
MENU_CONTROLS: Final = frozenset({"0", "pause", "menu"})
"""The controls that open the table's menu between matches; 0 is for tables without house buttons."""

NEXT_PAGE_CONTROLS: Final = OK_CONTROLS | NEXT_CONTROLS | {"6"}
LAST_PAGE_CONTROLS: Final = frozenset({"4"})

HELP_KEY: Final = "A"

PAGE_KEY: Final = "0"

MOST_LINES: Final = 9

WORDY_LINES: Final = 6
"""Lines as long as sentences need two rows on a small display."""

Act = Callable[[], None]


class Pager(NamedTuple):
    """The number of pages, and the current one, from 0."""

    of: int
    page: int = 0

    def turned(
        self,
        control: str,
        on: Collection[str] = NEXT_PAGE_CONTROLS,
        back: Collection[str] = LAST_PAGE_CONTROLS,
    ) -> "Pager":
        return self._replace(page=self.page + (control in on) - (control in back))

    @property
    def within(self) -> bool:
        return 0 <= self.page < self.of

    @property
    def round(self) -> "Pager":
        return self._replace(page=self.page % max(1, self.of))


class Item(NamedTuple):
    """A line of a menu.

    Without `act` it goes back. `help` shows how something is played; `note` is a second row. With `why_not` the
    line is grey and cannot be chosen.
    """

    label: Text
    act: Act | None = None
    icon: str = ""
    detail: Text | None = None
    help: Act | None = None
    note: Text | None = None
    why_not: Text | None = None


class Choice(NamedTuple):
    """A menu in pages of at most `most` lines. `back` replaces going back."""

    title: Text
    items: tuple[Item, ...]
    selected: int = 0
    back: Act | None = None
    most: int = MOST_LINES

    @property
    def pager(self) -> Pager:
        return Pager(-(-len(self.items) // self.most), self.selected // self._each)

    @property
    def lines(self) -> tuple[Item, ...]:
        return self.items[self._first :][: self._each]

    @property
    def line(self) -> int:
        return self.selected - self._first

    @property
    def _first(self) -> int:
        return self.pager.page * self._each

    @property
    def _each(self) -> int:
        return -(-len(self.items) // -(-len(self.items) // self.most))

    def press(self, control: str) -> "tuple[Choice, Item | None]":
        """Return the menu after a press, and the chosen line, if any."""
        line, pager = self.items[self.selected], self.pager
        if control in BACK_CONTROLS:
            return self, Item(self.title, self.back)
        if control in OK_CONTROLS:
            return self, None if line.why_not else line._replace(act=line.act or self.back)
        if control in NEXT_CONTROLS:
            return self._replace(selected=(self.selected + 1) % len(self.items)), None
        if control == HELP_KEY and line.help:
            return self, Item(self.title, line.help)
        if control == PAGE_KEY and pager.of > 1:
            return self._replace(selected=pager.turned(control, {PAGE_KEY}).round.page * self._each), None
        if control.isdecimal() and 1 <= int(control) <= len(self.lines):
            taken = self._replace(selected=self._first + int(control) - 1)
            return taken, taken.press("#")[1]
        return self, None


def sure_menu(question: Text, act: Act, icon: str = "") -> Choice:
    return Choice(question, (Item(msg("No"), None, "door"), Item(msg("Yes"), act, icon)))
