"""What Dé et Boulanger asks about a box of one's own: the board, recipes, prices, tiles, rounds and dice."""

from collections import Counter
from typing import Final, NamedTuple

from companion.core.boxfile import out_of_bounds
from companion.core.form import Change, Found, Grid, Option, Question, Section, Spot, number
from companion.core.text import Text, msg
from companion.games.de_et_boulanger.box import EXTENT_MOST
from companion.games.de_et_boulanger.rules.board import NOTHING, PLAIN, SIDES
from companion.games.de_et_boulanger.rules.components import EFFECTS, FACES

_EXTENT_LEAST: Final = 5
"""A board with fewer rows has no room for a fountain, and shops at all its edges."""

_SHOP: Final = "9"

_TOOLS: Final = {"1": PLAIN, "0": NOTHING, "3": "M", "7": "A", "5": "F"}
"""What the keys make of a square, besides a shop."""

_PRICES: Final = {
    "flour": msg("What does a measure of flour cost, in sous?"),
    "water": msg("What does a measure of water cost, in sous?"),
    "butter": msg("What does a measure of butter cost, in sous?"),
}

_SOLD: Final = {
    "bread": msg("What does a customer pay for a bread, in sous?"),
    "croissant": msg("What does a customer pay for a croissant, in sous?"),
}

_RECIPES: Final = {
    ("bread", "flour"): msg("A bread: how many measures of flour?"),
    ("bread", "water"): msg("A bread: how many measures of water?"),
    ("bread", "butter"): msg("A bread: how many measures of butter?"),
    ("croissant", "flour"): msg("A croissant: how many measures of flour?"),
    ("croissant", "water"): msg("A croissant: how many measures of water?"),
    ("croissant", "butter"): msg("A croissant: how many measures of butter?"),
}

_EFFECTS: Final = dict(
    zip(
        EFFECTS,
        ((msg("a flood"), "water"), (msg("an earthquake"), "scramble"), (msg("a gift"), "present")),
        strict=True,
    )
)


class Map(NamedTuple):
    """The board that is asked about, as the lines of its file."""

    lines: tuple[str, ...]


class TileAsked(NamedTuple):
    """The tile that is asked about."""

    breads: int
    croissants: int


def form(found: Found) -> tuple[Section, ...]:
    """Return what is asked."""
    recipes = (number(found, question, "recipe", *path, sign=path[1]) for path, question in _RECIPES.items())
    money = (
        *(number(found, question, "price", what, sign=what) for what, question in _PRICES.items()),
        *(number(found, question, "sell", what, sign=what) for what, question in _SOLD.items()),
        number(found, msg("How many sous has everybody at the start?"), "start_sous", sign="sou"),
        number(found, msg("How many sous brings a trip that ends in the own shop?"), "home_bonus", sign="bakery"),
    )
    rounds = (
        number(found, msg("How many rounds are there?"), "rounds", sign="clock"),
        number(found, msg("How often does everybody roll in a round?"), "rolls_per_round", sign="die_5"),
        number(found, msg("How many tokens does a baker carry at most?"), "load_limit", sign="baker"),
    )
    return (
        Section(msg("The board"), "fountain", _board(found)),
        Section(msg("The recipes"), "bread", tuple(recipes)),
        Section(msg("The prices"), "sou", money),
        Section(msg("The tiles"), "cards", _tiles(found)),
        Section(msg("Rounds and dice"), "die_5", (*rounds, *_incidents(found))),
    )


# --- The board --------------------------------------------------------------------------------------------


def _board(found: Found) -> tuple[Question, ...]:
    lines = [line.strip() for line in found["map"].strip().splitlines()]
    rows, columns = len(lines), len(lines[0])
    drawn = Map(tuple(lines))

    def high(answer: int) -> list[Change] | Text:
        return _outside(answer) or _drawn_map(_resized(lines, answer))

    def wide(answer: int) -> list[Change] | Text:
        return _outside(answer) or _drawn_map(_turned(_resized(_turned(lines), answer)))

    def put(key: str, spot: Spot) -> list[Change] | Text:
        return _put(lines, key, spot)

    def here(spot: Spot) -> Text:
        return msg("Row {row}, column {column}", row=spot[0], column=spot[1])  # as mistakes count them

    return (
        Question(
            msg("How many squares is the board high, with the shops at its edges?"),
            ("map",),
            rows,
            drawn=drawn,
            write=high,
            key="rows",
        ),
        Question(
            msg("And how many squares is it wide?"), ("map",), columns, drawn=drawn, write=wide, key="columns"
        ),
        Question(
            msg("What is on each square?"),
            ("map",),
            options=_tools(lines),
            drawn=drawn,
            grid=Grid(rows, columns, put, here),
        ),
    )


def _tools(lines: list[str]) -> tuple[Option, ...]:
    """Return what each key makes of a square, and how many there are of what is counted."""
    counts = Counter("".join(lines))
    shops = sum(counts[side] for side in SIDES)
    return (
        Option("1", "", msg("street")),
        Option("0", "", msg("no square"), "cross"),
        Option("3", "", msg("mill: {n} of 2", n=counts["M"]), "mill"),
        Option("7", "", msg("farm: {n} of 2", n=counts["A"]), "farm"),
        Option("5", "", msg("fountain"), "fountain"),
        Option(_SHOP, "", msg("shop: {n} of 4", n=shops), "bakery"),
    )


def _put(lines: list[str], key: str, spot: Spot) -> list[Change] | Text:
    row, column = spot
    letter = _TOOLS.get(key) or _side(lines, spot)
    if not letter:
        return msg("A shop stands at an edge of the board, and in no corner")
    moved = [line.replace(letter, NOTHING) if letter in SIDES else line for line in lines]  # each side has one
    moved[row] = f"{moved[row][:column]}{letter}{moved[row][column + 1 :]}"
    return _drawn_map(moved)


def _side(lines: list[str], spot: Spot) -> str:
    """Return the letter of the shop whose edge a square is on; nothing inside and in a corner."""
    row, column = spot
    edges = (row == 0, column == len(lines[0]) - 1, row == len(lines) - 1, column == 0)
    on = [side for side, there in zip(SIDES, edges, strict=True) if there]
    return on[0] if len(on) == 1 else ""


def _outside(extent: int) -> Text | None:
    if _EXTENT_LEAST <= extent <= EXTENT_MOST:
        return None
    return out_of_bounds(extent, _EXTENT_LEAST, EXTENT_MOST)


def _drawn_map(lines: list[str]) -> list[Change]:
    return [(("map",), "\n".join(["", *lines, ""]))]


def _resized(lines: list[str], count: int) -> list[str]:
    """Return so many lines; those that come or go lie before the last, which stays the edge."""
    street = PLAIN * (len(lines[0]) - 2)
    more = [f"{NOTHING}{street}{NOTHING}"] * (count - len(lines))
    return [*lines[: count - 1][: len(lines) - 1], *more, lines[-1]]


def _turned(lines: list[str]) -> list[str]:
    """Return the columns of lines as lines."""
    return ["".join(column) for column in zip(*lines, strict=True)]


# --- Tiles and incidents ----------------------------------------------------------------------------------


def _tiles(found: Found) -> tuple[Question, ...]:
    tiles = found["tiles"]["list"]
    sold = [tile for tile in tiles if isinstance(tile, list)]
    incidents = len(tiles) - len(sold)

    def listed(customers: int, accidents: int) -> list[Change]:
        more = [[1, 1]] * max(0, customers - len(sold))
        return [(("tiles", "list"), [*sold[:customers], *more, *["incident"] * accidents])]

    questions = [
        Question(
            msg("How many tiles with customers has everybody?"),
            ("tiles", "list"),
            len(sold),
            sign="person",
            write=lambda answer: listed(answer, incidents),
            key="tiles.list",
        ),
        Question(
            msg("And how many tiles with an incident?"),
            ("tiles", "list"),
            incidents,
            sign="incident",
            write=lambda answer: listed(len(sold), answer),
            key="tiles.list",
        ),
    ]
    for place, tile in enumerate(tiles):
        if isinstance(tile, list):
            questions += _tile(place, tile)
    return tuple(questions)


def _tile(place: int, tile: list[int]) -> list[Question]:
    drawn, key, path = TileAsked(*tile), f"tiles.list[{place + 1}]", ("tiles", "list", place)
    breads = msg("Tile {n}: how many breads?", n=place + 1)
    croissants = msg("Tile {n}: how many croissants?", n=place + 1)
    return [
        Question(breads, (*path, 0), tile[0], drawn=drawn, key=key),
        Question(croissants, (*path, 1), tile[1], drawn=drawn, key=key),
    ]


def _incidents(found: Found) -> tuple[Question, ...]:
    options = tuple(Option(str(key), effect, *told) for key, (effect, told) in enumerate(_EFFECTS.items(), 1))
    return tuple(
        Question(
            msg("An incident and a {n} on the die: what is it?", n=die),
            ("incident", str(die)),
            found["incident"][str(die)],
            options,
            sign=f"die_{die}",
        )
        for die in range(1, FACES + 1)
    )
