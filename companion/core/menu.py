"""A numbered list from which somebody chooses by buzzers and keys alone. Pure.

A digit chooses a line, a buzzer goes to the next one, `#` or the house's ok takes it, `*` or the house's undo,
pause or menu goes back.
"""

from typing import Any, Final, NamedTuple

from companion.core.console import BUZZ
from companion.core.rules import Rulings
from companion.core.text import Text

OK_CONTROLS: Final = frozenset({"#", "ok"})
BACK_CONTROLS: Final = frozenset({"*", "undo", "pause", "menu"})
NEXT_CONTROLS: Final = frozenset({BUZZ, "skip"})
MENU_CONTROLS: Final = frozenset({"0", "pause", "menu"})
"""What opens the table's menu where nobody plays; 0 for tables without controls of the house."""

HELP_KEY: Final = "A"
"""In a list of games or house rules: how it is played."""

BACK: Final = "back"
"""The act of leaving a menu without choosing."""

Help = tuple[str, Rulings | None]
"""What a help is about: a game by its name, with rulings, or None for those of the table."""


class Item(NamedTuple):
    """A line of a menu: what it says, what it does, with what, what explains it, and what its help is about."""

    label: Text
    act: str
    value: Any = None
    detail: Text | None = None
    help: Help | None = None


class Choice(NamedTuple):
    """A menu: a numbered list of at most nine lines."""

    title: Text
    items: tuple[Item, ...]
    selected: int = 0

    def press(self, control: str) -> "tuple[Choice, Item | None]":
        """Return the menu after a press, and the line that was taken, if one was."""
        if control in BACK_CONTROLS:
            return self, Item(self.title, BACK)
        if control in OK_CONTROLS:
            return self, self.items[self.selected]
        if control in NEXT_CONTROLS:
            return self._replace(selected=(self.selected + 1) % len(self.items)), None
        if control == HELP_KEY and self.items[self.selected].help:
            return self, Item(self.title, "help", self.items[self.selected].help)
        if control.isdecimal() and 1 <= int(control) <= len(self.items):
            place = int(control) - 1
            return self._replace(selected=place), self.items[place]
        return self, None
