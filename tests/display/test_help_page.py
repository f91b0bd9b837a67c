"""The pages of help and lessons as pictures in each language."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final

import pytest

from companion.config.boxes import usual
from companion.config.settings import Settings
from companion.config.table_file import TableConfig
from companion.core import options
from companion.core.boxfile import NamedBox
from companion.core.clock import PlanningClock
from companion.core.console import BUZZ
from companion.core.game import Game
from companion.core.guide import Page
from companion.core.handicaps import without_handicaps
from companion.core.menu import Choice, Item, Pager
from companion.core.place import HOUSE
from companion.core.text import LANGUAGES, msg, with_names
from companion.devices.virtual import VirtualSound
from companion.display.canvas import Target
from companion.display.frame import Frame, HelpPage, Look, Menu, Side
from companion.games import all_games
from companion.match import centre
from companion.match.lessons import Tutor
from companion.screens.help import pages_of
from companion.screens.own_box import own_box_item
from companion.table.house_rules import rulings_menu
from tests.display import gallery, laws, shows
from tests.display.gallery import every_size

GAMES: Final = list(all_games().values())

SMALL: Final = (800, 480)
SIDES: Final = tuple(Side(name) for name in gallery.NAMES)
"""Strips at all four edges, so the centre is smallest."""

OWN: Final = NamedBox("Our own old box at home!", "")
"""The longest allowed name."""

HINT: Final = msg("# or buzzer: next page. *: back")

every_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
every_language = pytest.mark.parametrize("language", LANGUAGES)


def other_rulings(game: Game) -> Iterator[Any]:
    """Yield the default rulings, each single change, and a change of all."""
    default = every = game.rulings()
    yield default
    for field in fields(default):
        yield options.next_value(default, field.name)
        every = options.next_value(every, field.name)
    yield every


def house_rules(game: Game, rulings: Any) -> Choice:
    """Return the house rules with all extra lines."""
    box = Item(msg("Box: {name}", name=OWN.name), nothing)
    more = [Settings(TableConfig(), VirtualSound(PlanningClock())).cards_item(nothing), box, own_box_item(nothing)]
    last = Item(msg("Handicaps: {value}", value=msg("{n} player", "{n} players", n=3)), nothing)
    return rulings_menu(game, rulings, nothing, nothing, nothing, more=more, last=[last])


def nothing(*_: object) -> None:
    """Do nothing."""


def rulings_menus(game: Game) -> list[Menu]:
    found = []
    for line, rulings in enumerate(other_rulings(game)):
        choice = house_rules(game, rulings)
        if line <= len(without_handicaps(rulings)):
            found += [
                centre.menu(choice._replace(selected=selected))
                for selected in {line, *range(0, len(choice.items), choice.most)}
            ]
    return found


def lesson_pages(game: Game) -> tuple[Page, ...]:
    tutor = Tutor(game, gallery.NAMES[: game.lesson.seats], OWN.name)
    for step in game.lesson.steps:
        tutor.match.push(game.notation.parse_move(tutor.match.box, step.move))
    return tutor.pages


def every_page(game: Game) -> set[Page]:
    """Return the pages of help and lesson with the longest names."""
    pages = {page for rulings in other_rulings(game) for page in pages_of(game, rulings, usual(game))}
    pages |= set(pages_of(game, game.rulings(), OWN._replace(text=game.box_text)))
    for page in lesson_pages(game):
        rows = tuple(row._replace(text=with_names(row.text, gallery.NAMES)) for row in page.rows)
        pages.add(page._replace(rows=rows))
    return pages


def laws_in(language: str) -> list[laws.Law]:
    # A name in a French sentence may be a row by itself.
    return [law for law in laws.LAWS if language == "en" or law is not laws.is_large_at_a_glance]


LONGEST: Final = "fr"
"""The language with the longest sentences."""


def faults_on_displays(named: list[tuple[str, Frame]], language: str) -> list[str]:
    """Return violations: LONGEST on every display, other languages on half of them."""
    firsts = range(0, len(gallery.LYING), 1 if language == LONGEST else 2)
    turns = (laws.faults_by_turns(named, first, laws_in(language), gallery.LYING) for first in firsts)
    return [fault for faults in turns for fault in faults]


@every_game
@every_language
def test_every_page_can_be_read(language: str, game: Game) -> None:
    pages = sorted(every_page(game), key=repr)
    with shows.in_language(language):
        frames = [Frame(0, centre.help_page(page, Pager(9, 7), HINT), SIDES) for page in pages]
    named = [(frame.screen.title, frame) for frame in frames]
    faults = faults_on_displays(named, language)
    assert not faults, "\n".join(faults)


@every_game
@every_language
def test_every_list_of_house_rules_can_be_read(language: str, game: Game) -> None:
    with shows.in_language(language):
        named = [(str(menu.selected), Frame(0, menu, SIDES)) for menu in rulings_menus(game)]
    faults = faults_on_displays(named, language)
    assert not faults, "\n".join(faults)


@every_game
def test_large_text_makes_nothing_smaller(game: Game) -> None:
    with shows.in_language(LONGEST):
        screens = [centre.help_page(page, Pager(9, 7), HINT) for page in every_page(game)] + rulings_menus(game)
    for screen in screens:
        usual, large = (
            min(item.cap_px for item in gallery.placed(Frame(0, screen, SIDES, look=look), SMALL) if item.cap_px)
            for look in (Look(), Look(large_text=True))
        )
        assert large >= usual, screen


PAGE: Final = HelpPage("Keys", (("8 6 2 4", "A step"), ("A 1-9", "So many"), ("buzzer", "The die")), "baker")


def places(page: HelpPage, size: tuple[int, int]) -> dict[str, Any]:
    return {item.what: item.rect for item in gallery.drawn(Frame(0, page, SIDES), size).placed}


@every_size
def test_directions_are_arranged_as_on_the_keypad(size: tuple[int, int]) -> None:
    at = places(PAGE, size)
    assert at["8"].centery < at["4"].centery < at["2"].centery
    assert abs(at["4"].centery - at["6"].centery) <= 1
    assert at["4"].centerx < at["8"].centerx < at["6"].centerx


@every_size
def test_keys_keep_the_order_of_their_mark(size: tuple[int, int]) -> None:
    at = places(PAGE, size)
    assert at["A"].right < at["1"].left or at["A"].bottom <= at["1"].top  # wrapped where it is narrow
    assert at["1"].right < at["9"].left


def test_longer_row_is_higher_and_complete() -> None:
    long = "word " * 40
    page = HelpPage("Keys", (("1", "short"), ("2", long.strip())))
    placed = gallery.drawn(Frame(0, page, SIDES), shows.WIDE).placed
    assert sum(item.what.split().count("word") for item in placed) == 40
    assert not list(laws.does_not_overlap(Frame(0, page, SIDES), placed, shows.WIDE))


def test_single_page_has_no_number() -> None:
    assert "1/1" not in places(PAGE, shows.WIDE)
    assert "2/3" in places(PAGE._replace(number=2, of=3), shows.WIDE)


def test_page_and_strips_can_be_touched() -> None:
    targets = gallery.drawn(Frame(0, PAGE, SIDES), shows.WIDE).targets
    assert [(target.place, target.control) for target in targets] == [
        (HOUSE, "ok"),
        *((place, BUZZ) for place in range(len(SIDES))),
    ]
    assert all(isinstance(target, Target) for target in targets)
