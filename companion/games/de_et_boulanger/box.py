"""The schema of Dé et Boulanger's box."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from companion.core.boxfile import BoxFile
from companion.core.boxschema import BoxSchema, Field, FormPart, Number, Numbers, Values
from companion.core.form import Change, Found, Option, Question
from companion.core.text import Text, msg
from companion.games.de_et_boulanger.map import MapField
from companion.games.de_et_boulanger.rules.components import AMOUNT_MOST, EFFECTS, FACES, INCIDENT, Box
from companion.games.de_et_boulanger.rules.goods import Goods, Products

_TILES_MOST: Final = 9
"""Tiles are single digits."""

_MONEY_MOST: Final = 999
_COUNT_MOST: Final = 99


class TileAsked(NamedTuple):
    """The tile in question."""

    breads: int
    croissants: int


class Recipe(Numbers):
    """The measures of each ingredient in a product."""

    def wrong(self, value: Goods) -> Iterator[Text]:
        if value == Goods():
            yield msg("empty recipe; allowed: at least one measure of an ingredient")


class Tiles(Field):
    """Each player's tiles: (breads, croissants) or INCIDENT."""

    def read(self, file: BoxFile, found: Any, values: Values) -> tuple[tuple[int, ...], ...]:
        tiles = enumerate(file.array(self.key, found), 1)
        return tuple(_tile(file, f"{self.key}[{place}]", tile) for place, tile in tiles)

    def wrong(self, value: tuple[tuple[int, ...], ...]) -> Iterator[Text]:
        if not 2 <= len(value) <= _TILES_MOST:
            yield msg("{n} tiles; allowed: 2 to {most}", n=len(value), most=_TILES_MOST)

    def questions(self, found: Found) -> Iterator[Question]:
        tiles, path = found["tiles"]["list"], ("tiles", "list")
        sold = [tile for tile in tiles if isinstance(tile, list)]
        incidents = len(tiles) - len(sold)

        def listed(customers: int, accidents: int) -> list[Change]:
            more = [[1, 1]] * max(0, customers - len(sold))
            return [(path, [*sold[:customers], *more, *["incident"] * accidents])]

        yield Question(
            msg("How many customer tiles does each player have?"),
            path,
            len(sold),
            sign="person",
            write=lambda answer: listed(answer, incidents),
        )
        yield Question(
            msg("And how many incident tiles?"),
            path,
            incidents,
            sign="incident",
            write=lambda answer: listed(len(sold), answer),
        )
        for place, tile in enumerate(tiles):
            if isinstance(tile, list):
                drawn, key = TileAsked(*tile), f"{self.key}[{place + 1}]"
                breads = msg("Tile {n}: how many breads?", n=place + 1)
                croissants = msg("Tile {n}: how many croissants?", n=place + 1)
                yield Question(breads, (*path, place, 0), tile[0], drawn=drawn, key=key)
                yield Question(croissants, (*path, place, 1), tile[1], drawn=drawn, key=key)


def _tile(file: BoxFile, key: str, found: object) -> tuple[int, ...]:
    if found == "incident":
        return INCIDENT
    if not isinstance(found, list) or len(found) != len(Products._fields):
        file.wrong(key, msg('{found!r} is not a tile; allowed: [breads, croissants] or "incident"', found=found))
        return INCIDENT
    return tuple(file.number(key, number, 0, _COUNT_MOST) for number in found)


class Effects(Field):
    """The effect of each face of the incident's die."""

    def read(self, file: BoxFile, found: Any, values: Values) -> tuple[str, ...]:
        faces = file.table(self.key, found, map(str, range(1, FACES + 1)))
        return tuple(file.choice(f"{self.key}.{die}", effect, EFFECTS) for die, effect in faces.items())

    def questions(self, found: Found) -> Iterator[Question]:
        texts = ((msg("a flood"), "water"), (msg("an earthquake"), "scramble"), (msg("a gift"), "present"))
        told = enumerate(zip(EFFECTS, texts, strict=True), 1)
        options = tuple(Option(str(key), effect, *text) for key, (effect, text) in told)
        for die in range(1, FACES + 1):
            text = msg("An incident, and the die shows {n}: what happens?", n=die)
            yield Question(text, (self.key, str(die)), found[self.key][str(die)], options, sign=f"die_{die}")


class DeEtBoulangerBox(BoxSchema[Box]):
    """The box of Dé et Boulanger. Prices are in sous."""

    tiles = Tiles(key="tiles.list")
    rounds = Number(
        1,
        lambda values: len(values["tiles"]) - 1 if "tiles" in values else None,
        msg("How many rounds are there?"),
        "clock",
    )
    board = MapField(key="map")
    rolls_per_round = Number(1, _COUNT_MOST, msg("How many times does each player roll in a round?"), "die_5")
    load_limit = Number(1, AMOUNT_MOST, msg("How many tokens does a baker carry at most?"), "baker")
    start_sous = Number(0, _MONEY_MOST, msg("How many sous does each player start with?"), "sou")
    home_bonus = Number(
        0, _MONEY_MOST, msg("How many sous does a baker get for coming home from a trip?"), "bakery"
    )
    price = Numbers(
        {
            "flour": msg("What does a measure of flour cost, in sous?"),
            "water": msg("What does a measure of water cost, in sous?"),
            "butter": msg("What does a measure of butter cost, in sous?"),
        },
        0,
        _MONEY_MOST,
        sign="{}",
        into=Goods._make,
    )
    sell = Numbers(
        {
            "bread": msg("What does a customer pay for bread, in sous?"),
            "croissant": msg("What does a customer pay for a croissant, in sous?"),
        },
        0,
        _MONEY_MOST,
        sign="{}",
        into=Products._make,
    )
    bread = Recipe(
        {
            "flour": msg("Bread: how many measures of flour?"),
            "water": msg("Bread: how many measures of water?"),
            "butter": msg("Bread: how many measures of butter?"),
        },
        0,
        _COUNT_MOST,
        sign="{}",
        key="recipe.bread",
        into=Goods._make,
    )
    croissant = Recipe(
        {
            "flour": msg("Croissant: how many measures of flour?"),
            "water": msg("Croissant: how many measures of water?"),
            "butter": msg("Croissant: how many measures of butter?"),
        },
        0,
        _COUNT_MOST,
        sign="{}",
        key="recipe.croissant",
        into=Goods._make,
    )
    effects = Effects(key="incident")

    FORM = (
        FormPart(msg("The board"), "fountain", (board,)),
        FormPart(msg("The recipes"), "bread", (bread, croissant)),
        FormPart(msg("The prices"), "sou", (price, sell, start_sous, home_bonus)),
        FormPart(msg("The tiles"), "cards", (tiles,)),
        FormPart(msg("Rounds and dice"), "die_5", (rounds, rolls_per_round, load_limit, effects)),
    )

    @classmethod
    def make(cls, values: dict[str, Any]) -> Box:
        recipes = values.pop("bread"), values.pop("croissant")
        return Box(map=values.pop("board"), recipes=recipes, **values)
