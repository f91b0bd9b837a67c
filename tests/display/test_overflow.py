"""Every sentence fits on its surfaces, in each language and on each display.

Braces hold their longest plausible values.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from string import Formatter
from typing import Any

import pygame
import pytest

from companion.config.settings import CARDS, IN_MENU
from companion.config.table_file import TableConfig
from companion.core import options
from companion.core.handicaps import handicap_names, without_handicaps
from companion.core.menu import MOST_LINES
from companion.core.place import Place, ScreenSize
from companion.core.text import LANGUAGES, Text, reader
from companion.display import frame as frames
from companion.display import house_band, screens, theme, virtual_seats
from companion.display.canvas import LINE_SHARE, LONGEST_WORD, Canvas, lines_height
from companion.display.layout import LEAST_SHARE, Layout, layout, least_cap_px
from companion.display.table_plan import table_plan
from companion.display.theme import Style
from companion.games import all_games
from companion.match.private_screens import MORE, Private, laid_out
from companion.match.seating import PLACES
from tests import messages
from tests.display import gallery, shows
from tests.display.surfaces import Standing, Surface, standings

SEATS = 5

ITEMS = 9

MOST_OF_HOUSE = 0.5
"""The largest share of the centre's height for the house."""

POD_SCREENS = (ScreenSize(), ScreenSize(16, 4), ScreenSize(20, 4), ScreenSize(20, 2))
"""An LCD or low OLED, a high OLED, two other LCDs."""

LEAST_PRIVATE_PX = 6
"""Least capitals beside a virtual table, which is on a desk."""

WINDOWS = ((800, 480), (1280, 720), (720, 1280))
"""Windows of a virtual table."""

IN_WINDOWS = pytest.mark.parametrize("window", WINDOWS, ids=lambda size: "{}x{}".format(*size))
SIZES = pytest.mark.parametrize("size", shows.SIZES, ids=lambda size: "{}x{}".format(*size))
IN_LANGUAGES = pytest.mark.parametrize("language", LANGUAGES)

# --- Sentences, filled in ---------------------------------------------------------------------------------

NAME = "Alexandre"
PATH = "/home/anna/.local/share/companion/matches/2024-12-24-180000-de_et_boulanger.record"
CARD = Text("{colour} {object}", (("colour", Text("purple")), ("object", Text("butterfly"))))
MOVE = "3 play 5 2"
GOODS = Text("{first}, {rest}", (("first", "2 flour"), ("rest", "1 water, 3 sous")))
ALLOWED = "allowed: a whole number from 0 to 100"
REMEDY = "apt install python3-libgpiod"


def _each(names: str, value: object) -> dict[str, object]:
    return dict.fromkeys(names.split(), value)


VALUES: dict[str, object] = {
    "tournament": "Autumn of the club",
    **_each("who seat first winners payer name names some", NAME),
    **_each("second giver taker rival", "Cleo"),
    "amount": "120 points",
    "moment": "Alexandre outbids Cleo by 120 points",
    **_each("lane lanes race row rows side sides series of die round tile marker", 5),
    **_each("n number cards place column columns tiles", 12),
    **_each("least most seats players piles known count chips each needed size start target last pin line", 14),
    **_each("ducats best cash paid price", 28),
    **_each("points sum due bid half one other more less roof held back", 120),
    **_each("ms margin", "12.4"),
    **_each("draw_pile flour water butter sous breads croissants costs holder rule value values lock", 20),
    **_each("card colour object", CARD),
    **_each("goods", GOODS),
    **_each("taken given", "10 + 5 + 2 + 1"),
    **_each("rest keys hand keypad", "2468: walk, A 1-9: buy flour"),
    **_each("digits span", "1/2/4/5"),
    **_each("tap", "#"),
    **_each("free", "8 6 2 4"),
    **_each("entry", MOVE),
    **_each("move moves was", MOVE),
    **_each("pair to", "G1"),
    **_each("pile tag key letter letters version firmware", "stock"),
    **_each("game", "Dé et Boulanger"),
    **_each("section", "buzzers"),
    **_each("kind control word verb state close", "strong"),
    **_each("label identity pad bound module", "usb-0000:01:00.0-1.3"),
    **_each("path folder where", PATH),
    **_each("file", "/boot/firmware/companion.txt"),
    **_each("entered zone", "America/New_York"),
    **_each("owner user", "companion"),
    "build": "no-solder",
    **_each("address", "http://192.168.178.100:8123/"),
    **_each("port", "65535"),
    **_each("has", "ok, skip, right, wrong, undo, pause, menu"),
    **_each("command", f"sudo chown companion {PATH}"),
    **_each("pads seen found what pod source summary damage", "usb-1.3, 7A3F01BC22D4E5F6"),
    **_each("near allowed listed", ALLOWED),
    **_each("hint detail", "Press 4, then 1: your 0 falls"),
    **_each("why error text action hidden failure", "it is not the sum of its line"),
    **_each("get how better missing remedy", REMEDY),
    **_each("tasks", "Carry your baker home. Put away 3 flour, 3 sous"),
    **_each("laid", "Lay the card in row 1. Next: your pile"),
    **_each("calls", "First buzzer counts"),
    **_each("task then", "Lay your bid on the roof"),
    **_each("asked", "Keys 1-5 add 1, 2, 5, 10, 20. # locks it in"),
    **_each("sign", "#"),
    **_each("there", '…, "Anna Katharina", "Ben", "Cleo", Dan, "Emil", "Friedrich"…'),
    **_each("begin robot take next help ok", "[Retour arrière]"),
    **_each("taken", "[Entrée] prend la ligne claire, [Z] passe à la suivante"),
    **_each("program", "/usr/bin/espeak-ng"),
    **_each("device", "bcm2835 Headphones"),
    **_each("language languages suffix low high", "fr"),
}
"""The longest values of braces. A missing name makes a test fail."""

IN_UPDATES: dict[str, object] = {
    **_each("version current", "10.12.14+g0123456789"),
    **_each("path file name", "table-companion-10.12.14+g0123456789.release"),
    **_each("found needed free known n", 1024),
    **_each("here systems", "cp311-aarch64, cp311-x86_64, cp313-aarch64, cp313-x86_64"),
    "opt": "/opt/companion",
    "signers": "/etc/companion/allowed_signers",
    "command": "python3",
    "why": "No space left on device",
    "pods": "seat 1, seat 2, seat 3",
}

IN_MENUS: dict[str, object] = {
    "moves": Text(
        "{first}, {rest}", (("first", "Alexandre annonce : rangée 5"), ("rest", "Cleo retourne sa carte"))
    ),
}

IN_GAME: dict[str, dict[str, object]] = {
    "games/any": {
        **{"right": 1, "wrong": 0, "add": "A", "take": "B", "digits": "0-9", "team": 2, "kind": "Dice and lots"},
        **_each("n number count amount paid shows", 9999),
        **_each("answer name word", "A day longer than its year"),
        "points": Text("9999 points"),
    },
    "boese_buben": {"card": "4a", "cards": 3, "places": 5, "key": "#", "one": "4a", "other": "5a", "dearest": "5a"},
    "de_et_boulanger/prompts": {
        "goods": Text("Butter"),
        "roll": Text("#, 1-6: roll"),
        "products": Text("{first}, {rest}", (("first", Text("1: bread")), ("rest", Text("2: croissant")))),
        "keys": Text(
            "{a}, {b}, {c}", (("a", Text("1: bread")), ("b", Text("2: croissant")), ("c", Text("0: none")))
        ),
        "letters": "A, C, B, D",
        "side": 8,
        "n": 6,
        "entry": "3 1 6 2 5",
        "load": GOODS,
    },
    "buro_crazy": {
        **{"colour": "yellow", "pair": "G1", "taken": "10 + 5", "given": "20"},
        **_each("added from_roof", "2x20 10 2x5"),
    },
}


def filled(standing: Standing) -> Text:
    """Return a sentence with its braces filled. Raise LookupError for an unknown name."""
    values = VALUES | next((own for game, own in IN_GAME.items() if game in standing.place), {})
    if "updat" in standing.place:
        values |= IN_UPDATES
    if "match_menus" in standing.place:
        values |= IN_MENUS
    texts = (standing.msgid, standing.plural)
    fields = {name for text in texts for name in _fields(text)} | ({"n"} if standing.plural else set())
    if unknown := fields - values.keys():
        raise LookupError(f"what may {unknown} of {standing.msgid!r} in {standing.place} hold? Add it to VALUES")
    return Text(standing.msgid, tuple((name, values[name]) for name in fields), standing.plural or None)


def _fields(text: str) -> Iterator[str]:
    for _, name, _, _ in Formatter().parse(text):
        if name:
            yield name


@cache
def sentences(surface: Surface, language: str) -> tuple[str, ...]:
    read = reader(language)
    found = (read(filled(each)) for each in standings() if surface in each.surfaces)
    return tuple(dict.fromkeys(found))


# --- Whether they fit -------------------------------------------------------------------------------------


@cache
def plan_of(size: tuple[int, int]) -> Layout:
    return layout(size, SEATS)


def drawn_badly(canvas: Canvas, text: str, least_px: float) -> Iterator[str]:
    """Yield missing parts, small letters and overflow of a drawn text."""
    rows = [item for item in canvas.placed if item.cap_px]
    shown = " ".join(item.what for item in rows)
    if "".join(text.split()) not in "".join(shown.split()):
        yield f"{text!r} is not whole: {shown!r}"
    for item in rows:
        if item.cap_px < least_px:
            yield f"{item.what!r} has capitals of {item.cap_px} px, least {least_px:.1f}"
        if not item.room.inflate(2, 2).contains(item.rect) or not canvas.rect.contains(item.rect):
            yield f"{item.what!r} leaves its room"


def centre(size: tuple[int, int]) -> tuple[Canvas, Layout]:
    plan = plan_of(size)
    rect = plan.centre.inflate(-plan.cap_px // 6, -plan.cap_px // 6)
    return Canvas(pygame.Surface(rect.size), theme.BACKGROUND, plan.cap_px), plan


def bad_on_screen(screen: Any, texts: Sequence[str], size: tuple[int, int]) -> list[str]:
    canvas, plan = centre(size)
    screens.draw_page(canvas, screen, plan)
    least_px = plan.cap_px * LEAST_SHARE
    return [fault for text in texts for fault in drawn_badly(canvas, text, least_px)]


@SIZES
@IN_LANGUAGES
def test_strips_have_room(language: str, size: tuple[int, int]) -> None:
    plan = plan_of(size)
    style = Style(least_cap_px(plan.cap_px))
    long = min(max(strip.rect.size) for strip in plan.strips) - plan.cap_px // 8 - plan.cap_px // 2
    faults = []
    for text in sentences(Surface.STRIP, language):
        rows = lines_height(text, long, style) / round(style.cap_px * LINE_SHARE)
        widest = max(text.split(" "), key=lambda word: theme.text_width(word, style))
        if rows > 2 or theme.text_width(widest, style) > long:
            faults.append(f"{text!r} takes {rows:.0f} lines")
    assert not faults, "\n".join(faults)


@SIZES
@IN_LANGUAGES
def test_house_entry_leaves_room_for_the_scene(language: str, size: tuple[int, int]) -> None:
    """It has the longest list of codes below it."""
    plan, faults = plan_of(size), []
    codes = tuple(frames.HouseCode(str(key), "", "car", "red") for key in range(1, 9))
    places = [(text, frames.HousePlace(text, codes, "1")) for text in sentences(Surface.HOUSE, language)]
    places += [(text, frames.HousePlace("?", codes, "12", text)) for text in sentences(Surface.HOUSE, language)]
    places += [(text, frames.HousePlace("?", codes, refused=text)) for text in sentences(Surface.PRIVATE, language)]
    for text, place in places:
        _, band = house_band.make_room(plan, place)
        assert band
        canvas = Canvas(pygame.Surface(band.size), theme.BACKGROUND, plan.cap_px)
        house_band.draw(canvas, place, plan.unit_px)
        faults += drawn_badly(canvas, text, plan.cap_px * LEAST_SHARE)
        if band.height > plan.centre.height * MOST_OF_HOUSE:
            faults.append(f"{text!r} has a band {band.height} px high, of {plan.centre.height}")
    assert not faults, "\n".join(dict.fromkeys(faults))


@SIZES
@IN_LANGUAGES
def test_menus_have_room(language: str, size: tuple[int, int]) -> None:
    faults = []
    lines = sentences(Surface.LINE, language)
    for first in range(0, len(lines), ITEMS):
        items = (*lines[first : first + ITEMS], *lines)[:ITEMS]
        for pictures in ((), ("wrench",) * ITEMS):
            faults += bad_on_screen(frames.Menu("?", items, 0, "", "", pictures), items, size)
    for text in sentences(Surface.TITLE, language):
        faults += bad_on_screen(frames.Menu(text, ("1",) * ITEMS, 0), [text], size)
    for text in sentences(Surface.DETAIL, language):
        faults += bad_on_screen(frames.Menu("?", ("1",) * ITEMS, 0, text), [text], size)
    assert not faults, "\n".join(dict.fromkeys(faults))


@SIZES
@IN_LANGUAGES
def test_menus_of_options_have_room(language: str, size: tuple[int, int]) -> None:
    faults = []
    for items, helps in option_menus(language):
        for selected, text in enumerate(helps):
            menu = frames.Menu("?", items, selected, text)
            faults += bad_on_screen(menu, [*items, text], size)
    assert not faults, "\n".join(dict.fromkeys(faults))


@cache
def option_menus(language: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return lines and explanations of option menus, until each value has appeared."""
    read, config = reader(language), TableConfig()
    offered = [[(getattr(config, section), name) for section, name in IN_MENU]]
    offered += [
        [(getattr(config, CARDS[0]), CARDS[1])]
        + [(game.rulings(), name) for name in without_handicaps(game.rulings)]
        for game in all_games().values()
    ]
    offered += [
        [(game.rulings(), name) for name in handicap_names(game.rulings, PLACES)]
        for game in all_games().values()
        if handicap_names(game.rulings, PLACES)
    ]
    menus = []
    for menu in offered:
        start = () if menu is offered[0] else (read(Text("Start")),)
        helps = ("",) * len(start) + tuple(read(options.declared(*option).metadata["help"]) for option in menu)
        pages = -(-len(helps) // MOST_LINES)
        each = -(-len(helps) // pages)
        for _ in range(max(map(_most_values, menu))):
            lines = tuple(read(options.line(values, name)) for values, name in menu)
            lines = (*start, *lines)
            menus += [(lines[first:][:each], helps[first:][:each]) for first in range(0, len(lines), each)]
            menu[:] = [(options.next_value(values, name), name) for values, name in menu]
    return tuple(menus)


def _most_values(option: tuple[Any, str]) -> int:
    field = options.declared(*option)
    return len(field.metadata["choices"] or field.metadata["steps"]) + 1


@SIZES
@IN_LANGUAGES
def test_posters_have_room(language: str, size: tuple[int, int]) -> None:
    read = reader(language)
    title, hint, unchanged = (
        read(Text(text))
        for text in ("Something is wrong", "Press any button", "Nothing was changed. Press any button")
    )
    refusals = sentences(Surface.PRIVATE, language)
    faults = []
    for text in sentences(Surface.POSTER, language):
        press = unchanged if text in refusals else hint
        poster = frames.Poster(title, (text,), press, trouble=True, pictures=("wrench",))
        faults += bad_on_screen(poster, [title, text, press], size)
    assert not faults, "\n".join(dict.fromkeys(faults))


@SIZES
@IN_LANGUAGES
def test_results_have_room(language: str, size: tuple[int, int]) -> None:
    faults = []
    ranked = tuple(frames.ResultLine(seat + 1, seat, NAME, "12") for seat in range(SEATS))
    for text in sentences(Surface.RESULT, language):
        faults += bad_on_screen(frames.Result("1", text, ranked, "2"), [text], size)
    for text in sentences(Surface.STANDING, language):
        each = tuple(standing._replace(how=text) for standing in ranked)
        faults += bad_on_screen(frames.Result("1", "2", each, "3"), [text], size)
    assert not faults, "\n".join(dict.fromkeys(faults))


@IN_LANGUAGES
def test_private_screens_have_room(language: str) -> None:
    faults = []
    windows = [Canvas(pygame.Surface(window)) for window in WINDOWS]
    prompts = sentences(Surface.PRIVATE, language)
    for text in prompts:
        for lines in ((text, ""), ("?", text)):
            panel = frames.Panel(Place(0), lines=lines, name=NAME)
            for canvas in windows:
                canvas.placed.clear()
                virtual_seats._private_screen(canvas, table_plan(canvas.rect.size), panel)
                faults += drawn_badly(canvas, text, LEAST_PRIVATE_PX)
        faults += [f"{word!r} is cut on a pod" for word in text.split(" ") if len(word) > ScreenSize().columns]
        for size in POD_SCREENS:
            for part, private in enumerate((Private(text), Private("", text))):
                pages = laid_out(private, size)[part]
                faults += [
                    f"{line!r} is too long for {size}" for page in pages for line in page if len(line) > size[0]
                ]
                shown = " ".join(line.removesuffix(MORE) for page in pages for line in page if line)
                if "".join(shown.split()) != "".join(text.replace("\u202f", " ").split()):
                    faults.append(f"{text!r} is not whole on a pod of {size}: {shown!r}")
    assert not faults, "\n".join(dict.fromkeys(faults))


@IN_WINDOWS
@IN_LANGUAGES
def test_story_beside_a_virtual_table_has_room(language: str, window: tuple[int, int]) -> None:
    faults, canvas = [], Canvas(pygame.Surface(window))
    for text in sentences(Surface.PAPER, language):
        canvas.placed.clear()
        virtual_seats._story(canvas, table_plan(window), (text,), None)
        faults += drawn_badly(canvas, text, LEAST_PRIVATE_PX)
    assert not faults, "\n".join(dict.fromkeys(faults))


@IN_WINDOWS
@IN_LANGUAGES
def test_hint_for_newcomers_has_room(language: str, window: tuple[int, int]) -> None:
    faults, canvas = [], Canvas(pygame.Surface(window))
    for text in sentences(Surface.HINT, language):
        for canvas.look in (frames.Look(), frames.Look(large_text=True)):
            canvas.placed.clear()
            virtual_seats._hint(canvas, table_plan(window), frames.Hint(text, 0), ())
            faults += drawn_badly(canvas, virtual_seats.with_keys(frames.Hint(text, 0), (), str), LEAST_PRIVATE_PX)
    assert not faults, "\n".join(dict.fromkeys(faults))


# --- Completeness -----------------------------------------------------------------------------------------


def test_every_sentence_has_a_surface() -> None:
    """An unassigned module raises an error with instructions."""
    assert len(standings()) == len(messages.messages())
    assert {each.msgid for each in standings()} == {each.msgid for each in messages.messages()}


def test_every_word_of_an_option_is_tested() -> None:
    lines = " ".join(line for items, _ in option_menus("en") for line in items)
    words = {each.msgid for each in standings() if Surface.OPTION in each.surfaces}
    assert {word for word in words if word.format(seat="Seat 1") not in lines} == set()


def test_overflowing_text_is_detected() -> None:
    long = "It is not to be expected that a whole paragraph like this one can be read on any strip. " * 4
    assert bad_on_screen(frames.Menu(long, ("1",), 0), [long], gallery.ALL_SIZES[0])
    assert bad_on_screen(frames.Menu("?", (long,) * ITEMS, 0), [long], gallery.ALL_SIZES[0])
    assert max(map(len, long.split())) < LONGEST_WORD
