"""What is worked by buzzers and keys alone: a numbered list to choose from, and pages to turn. Pure.

A digit takes a line of the page that is shown, a buzzer goes to the next line and so to the next page, `#` or the
house's ok takes it, `*` or the house's undo, pause or menu goes back. Where there are several pages 0 turns them.
"""

from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from companion.core.console import BUZZ
from companion.core.text import Text, msg

OK_CONTROLS: Final = frozenset({"#", "ok"})
BACK_CONTROLS: Final = frozenset({"*", "undo", "pause", "menu"})
NEXT_CONTROLS: Final = frozenset({BUZZ, "skip"})
MENU_CONTROLS: Final = frozenset({"0", "pause", "menu"})
"""What opens the table's menu where nobody plays; 0 for tables without controls of the house."""

NEXT_PAGE_CONTROLS: Final = OK_CONTROLS | NEXT_CONTROLS | {"6"}
LAST_PAGE_CONTROLS: Final = frozenset({"4"})

HELP_KEY: Final = "A"
"""In a list of games or house rules: how it is played."""

PAGE_KEY: Final = "0"
"""In a list of several pages: the next one."""

MOST_LINES: Final = 9
"""So many lines of a menu are on a page at most: one for each digit."""

WORDY_LINES: Final = 6
"""So many are where lines are as long as sentences: each needs two rows of a small display."""

Act = Callable[[], None]
"""What a line of a menu does."""


class Pager(NamedTuple):
    """How many pages there are, and which one is shown, counted from 0."""

    of: int
    page: int = 0

    def turned(
        self,
        control: str,
        on: Collection[str] = NEXT_PAGE_CONTROLS,
        back: Collection[str] = LAST_PAGE_CONTROLS,
    ) -> "Pager":
        """Return the pager after a press; past either end it is not `within` any more."""
        return self._replace(page=self.page + (control in on) - (control in back))

    @property
    def within(self) -> bool:
        """Whether there is such a page."""
        return 0 <= self.page < self.of

    @property
    def round(self) -> "Pager":
        """The pager where the first page comes after the last."""
        return self._replace(page=self.page % max(1, self.of))


class Item(NamedTuple):
    """A line of a menu: what it says, does, is drawn as and explained by; `help` tells how it is played.

    A line without an `act` goes back. The `note` is a second row of the line. A line that cannot be taken now
    is grey and says `why_not`.
    """

    label: Text
    act: Act | None = None
    icon: str = ""
    detail: Text | None = None
    help: Act | None = None
    note: Text | None = None
    why_not: Text | None = None


class Choice(NamedTuple):
    """A menu: a numbered list, in pages of at most `most` lines; `back` is what going back does instead."""

    title: Text
    items: tuple[Item, ...]
    selected: int = 0
    back: Act | None = None
    most: int = MOST_LINES

    @property
    def pager(self) -> Pager:
        """The page with the selected line."""
        return Pager(-(-len(self.items) // self.most), self.selected // self._each)

    @property
    def lines(self) -> tuple[Item, ...]:
        """The lines of the page that is shown."""
        return self.items[self._first :][: self._each]

    @property
    def line(self) -> int:
        """The selected line, counted from 0 on its page."""
        return self.selected - self._first

    @property
    def _first(self) -> int:
        return self.pager.page * self._each

    @property
    def _each(self) -> int:
        """How many lines a page has: all pages about as many, since fewer lines can be larger."""
        return -(-len(self.items) // -(-len(self.items) // self.most))

    def press(self, control: str) -> "tuple[Choice, Item | None]":
        """Return the menu after a press, and the line that was taken, if one was."""
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
    """Return the question whether something is really meant."""
    return Choice(question, (Item(msg("No"), None, "door"), Item(msg("Yes"), act, icon)))
