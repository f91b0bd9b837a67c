"""How a game is played here, to read at the table: its own pages, and the rulings in force."""

import dataclasses
from collections.abc import Sequence
from typing import Final

from companion.core import options
from companion.core.game import Game
from companion.core.guide import Page, Row
from companion.core.menu import BACK, NEXT_CONTROLS, OK_CONTROLS, Choice, Help, Item
from companion.core.move import Seat
from companion.core.rules import Rulings
from companion.core.text import Render, Text, msg
from companion.display.frame import Screen, Side
from companion.match import centre
from companion.match.services import Premises
from companion.visits.visit import PressesOnly

NEXT_PAGE: Final = OK_CONTROLS | NEXT_CONTROLS | {"6"}
PAGE_BEFORE: Final = frozenset({"4", "*", "undo"})
LEAVE: Final = frozenset({"pause", "menu"})

MOST_RULINGS: Final = 4
"""So many rulings stand on a page: each may need two lines."""


def pages_of(game: Game, rulings: Rulings) -> tuple[Page, ...]:
    """Return all pages of a game: how it is played by these rulings, and which they are."""
    assert game.guide
    return (*game.guide.pages(rulings), *ruling_pages(rulings))


def ruling_pages(rulings: Rulings) -> tuple[Page, ...]:
    """Return what is in force, as in the rulebook or, with a star, not."""
    rows = [_ruling_row(rulings, field.name) for field in dataclasses.fields(rulings)]
    count = -(-len(rows) // MOST_RULINGS)
    each = -(-len(rows) // count)
    parts = [tuple(rows[start : start + each]) for start in range(0, len(rows), each)]
    return tuple(Page(msg("Rulings in force"), part) for part in parts)


def _ruling_row(rulings: Rulings, name: str) -> Row:
    line = options.line(rulings, name)
    if name not in options.changed(rulings):
        return Row("book", line)
    return Row("star", msg("{ruling}. Rulebook: {value}", ruling=line, value=options.default_text(rulings, name)))


class HelpPages(PressesOnly):
    """A visit: the pages of a game, one after the other; before them the list of the games, if none is chosen."""

    def __init__(self, games: Sequence[tuple[Game, Rulings]], read: Render) -> None:
        self._games = games
        self._read = read
        self._choice: Choice | None = None
        self._pages: tuple[Page, ...] = ()
        self._number = 0
        self._title = ""
        if len(games) > 1:
            items = (Item(Text(game.title), "game", game.name) for game, _ in games)
            self._choice = Choice(msg("How is it played?"), tuple(items))
        else:
            self._open(0)

    def _open(self, place: int) -> None:
        game, rulings = self._games[place]
        self._pages, self._number, self._title = pages_of(game, rulings), 0, game.title

    def screen(self) -> Screen:
        """Return the page, or the list of the games."""
        if not self._pages:
            assert self._choice
            return centre.menu(self._choice, self._read)
        hint = msg("# or buzzer: next page. *: back")
        return centre.help_page(self._pages[self._number], self._number + 1, len(self._pages), hint, self._read)

    def sides(self) -> tuple[Side, ...] | None:
        """Return one strip with the game that is read about: what is to be read needs the room of the others."""
        return (Side(self._title),) if self._pages else None

    def press(self, place: Seat, control: str) -> bool:
        """Turn the page, or choose a game; return False when there is nothing before or behind."""
        if control in LEAVE:
            return False
        if not self._pages:
            return self._choose(control)
        if control in NEXT_PAGE:
            self._number += 1
        elif control in PAGE_BEFORE:
            self._number -= 1
        if 0 <= self._number < len(self._pages):
            return True
        self._pages = ()
        return self._choice is not None

    def _choose(self, control: str) -> bool:
        assert self._choice
        self._choice, item = self._choice.press(control)
        if item and item.act == BACK:
            return False
        if item:
            self._open(self._choice.selected)
        return True


def open_help(premises: Premises, value: Help | None) -> HelpPages:
    """Begin the help about a game; with no `value` about all games, to choose from."""
    read, config = premises.settings.read, premises.settings.config
    if value:
        game, rulings = premises.games[value[0]], value[1]
        return HelpPages([(game, rulings or config.rulings_of(game))], read)
    return HelpPages([(game, config.rulings_of(game)) for game in premises.games.values() if game.guide], read)
