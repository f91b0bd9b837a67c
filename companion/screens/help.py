"""Help at the table: the pages of a game, and the house rules."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from typing import Final

from companion.config import boxes
from companion.core import options
from companion.core.boxfile import NamedBox
from companion.core.game import Game
from companion.core.guide import Page, Row
from companion.core.handicaps import without_handicaps
from companion.core.menu import Act, Choice, Item, Pager
from companion.core.move import Seat
from companion.core.place import MOST_PLACES, Place
from companion.core.rules import Rulings
from companion.core.text import msg, seat_name
from companion.display.frame import Screen, Side
from companion.match import centre
from companion.match.services import TableServices
from companion.screens.overlays import MenuOverlay, Overlay

PAGE_BEFORE: Final = frozenset({"4", "*", "undo"})
LEAVE: Final = frozenset({"pause", "menu"})

MOST_RULINGS: Final = 4
"""Rulings per page; each may need two lines."""


def pages_of(game: Game, rulings: Rulings, box: NamedBox) -> tuple[Page, ...]:
    assert game.guide
    about, *more = game.guide.pages(rulings, game.read_box(box.text, "box.toml"))
    box_row = Row("star" if box.name else "book", msg("Box: {name}", name=box.name or boxes.USUAL))
    return (about._replace(rows=(*about.rows, box_row)), *more, *ruling_pages(rulings))


def ruling_pages(rulings: Rulings) -> tuple[Page, ...]:
    """Return the rulings, and the handicaps in use.

    The icon is a star for changed rulings, otherwise a book for the rulebook's and a gear for the companion's.
    """
    shown = {*without_handicaps(rulings), *options.changed(rulings)}
    rows = [_ruling_row(rulings, field.name) for field in fields(rulings) if field.name in shown]
    count = -(-len(rows) // MOST_RULINGS)
    each = -(-len(rows) // count)
    parts = [tuple(rows[start : start + each]) for start in range(0, len(rows), each)]
    return tuple(Page(msg("House rules"), part) for part in parts)


def _ruling_row(rulings: Rulings, name: str) -> Row:
    line = options.line(rulings, name)
    is_ours = options.declared(rulings, name).metadata["ours"]
    if name not in options.changed(rulings):
        return Row("gear" if is_ours else "book", line)
    if is_ours:
        return Row("star", msg("{ruling}. Usual: {value}", ruling=line, value=options.default_text(rulings, name)))
    return Row("star", msg("{ruling}. Rulebook: {value}", ruling=line, value=options.default_text(rulings, name)))


class HelpPages(Overlay):
    """The pages of a game, perhaps opened from a `listing` of games.

    The default `rulings` and `box` are the table's. With `names` the pages name the players instead of seats.
    """

    def __init__(
        self,
        services: TableServices,
        game: Game,
        rulings: Rulings | None = None,
        box: NamedBox | None = None,
        *,
        listing: Overlay | None = None,
        names: Sequence[str] = (),
    ) -> None:
        config, self._read = services.settings.config, services.settings.read
        in_force, played = rulings or config.rulings_of(game), box or boxes.usable(game, config.box_of(game))
        # A handicap may belong to an empty seat.
        known = (*names, *(self._read(seat_name(Seat(seat))) for seat in range(len(names), MOST_PLACES)))
        self._title = self._read(game.title)
        self._pages = [page.named(known) for page in pages_of(game, in_force, played)]
        self._pager = Pager(len(self._pages))
        self._listing = listing

    def screen(self) -> Screen:
        hint = msg("# or buzzer: next page. *: back")
        return centre.help_page(self._pages[self._pager.page], self._pager, hint, self._read)

    def sides(self) -> tuple[Side, ...]:
        return (Side(self._title),)

    def press(self, place: Place, control: str) -> bool:
        if control in LEAVE and self._listing and self.stack:
            self.stack.pop(self._listing)
            return True
        pager = self._pager.turned(control, back=PAGE_BEFORE)
        if control in LEAVE or not pager.within:
            return False
        self._pager = pager
        return True


def help_act(
    services: TableServices,
    lay: Callable[[Overlay], None],
    game: Game,
    rulings: Rulings | None = None,
    box: NamedBox | None = None,
    *,
    names: Sequence[str] = (),
) -> Act | None:
    """Return an action that opens the help of a game; None without a guide."""
    return (lambda: lay(HelpPages(services, game, rulings, box, names=names))) if game.guide else None


def open_help(services: TableServices) -> Overlay:
    """Return the menu of the help of all games, or the help of the only one."""
    games = [game for game in services.games.values() if game.guide]
    if len(games) == 1:
        return HelpPages(services, games[0])

    def open_pages(game: Game) -> None:
        listing.open(HelpPages(services, game, listing=listing))

    items = tuple(Item(game.title, partial(open_pages, game), game.emblem) for game in games)
    listing = MenuOverlay(lambda: Choice(msg("How is it played?"), items), services.settings.read)
    return listing
