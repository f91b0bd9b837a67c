"""The schema of Büro Crazy's box."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from companion.core.boxfile import BoxFile
from companion.core.boxschema import BoxSchema, Field, FormPart, Number, Numbers, Values
from companion.core.form import Change, Found, Question
from companion.core.text import Text, msg
from companion.games.buro_crazy.rules.building import STAIRS
from companion.games.buro_crazy.rules.change import worth
from companion.games.buro_crazy.rules.components import SEATS, Box

VALUES: Final = (1, 2, 5, 10, 20)
"""The values of influence cards, by the keys 1 to 5."""

DECK_SIZE: Final = 150

POINTS_MOST: Final = 200
"""Maximum points of a kitchen. The time of a refill grows with their fourth power."""

_WORD: Final = re.compile(r"[a-z][a-z_-]*")

_COLOURS: Final = {
    "red": msg("How many red figures are there?"),
    "orange": msg("How many orange figures are there?"),
    "yellow": msg("How many yellow figures are there?"),
    "green": msg("How many green figures are there?"),
    "sky": msg("How many sky-blue figures are there?"),
    "blue": msg("How many blue figures are there?"),
    "purple": msg("How many purple figures are there?"),
    "pink": msg("How many pink figures are there?"),
    "black": msg("How many black figures are there?"),
    "white": msg("How many white figures are there?"),
}


class CardsAsked(NamedTuple):
    """The influence cards of one value."""

    value: int
    held: int


class FiguresAsked(NamedTuple):
    """The figures of one colour."""

    colour: str
    held: int


class Colours(Field):
    """The figures of each colour. The file names only colours with figures."""

    def read(self, file: BoxFile, found: Any, values: Values) -> Mapping[str, int]:
        if not isinstance(found, dict) or not all(map(_WORD.fullmatch, found)):
            file.wrong(self.key, msg("{found!r} is not a table of lower-case colours", found=found))
            return {}
        return {name: file.number(f"{self.key}.{name}", count) for name, count in found.items()}

    def questions(self, found: Found) -> Iterator[Question]:
        for colour, text in _COLOURS.items():
            yield _figures(colour, text, found["figures"]["colours"].get(colour, 0))


def _figures(colour: str, text: Text, count: int) -> Question:
    path = ("figures", "colours", colour)

    def write(answer: int) -> list[Change]:
        return [(path, answer or None)]

    return Question(text, path, count, drawn=FiguresAsked(colour, count), write=write)


def _cards(texts: Iterable[Text], key: str = "") -> Numbers:
    asked = dict(zip(map(str, VALUES), texts, strict=True))
    return Numbers(asked, 0, DECK_SIZE, key=key, drawn=lambda value, held: CardsAsked(int(value), int(held)))


class BuroCrazyBox(BoxSchema[Box]):
    """Büro Crazy's box."""

    deck = _cards(msg("How many cards of {n} are there in all?", n=n) for n in VALUES)
    hand = _cards(msg("How many cards of {n} does each player start with?", n=n) for n in VALUES)
    kitchen = _cards(
        (msg("How many cards of {n} does the kitchen start with?", n=n) for n in VALUES), "kitchen.start"
    )
    targets = Numbers(
        {
            "stairs": msg("How many points does the kitchen have on the stairs?"),
            "ground": msg("How many points does the kitchen have on the ground floor?"),
            "first": msg("How many points does the kitchen have on the first floor?"),
            "second": msg("How many points does the kitchen have on the second floor?"),
        },
        0,
        POINTS_MOST,
        sign="coffee",
        key="kitchen.targets",
    )
    colours = Colours(key="figures.colours")
    per_player = Numbers(
        {str(n): msg("{n} players: how many figures each?", n=n) for n in SEATS},
        1,
        sign="figure",
        key="figures.per_player",
    )
    piles = Number(1, None, msg("How many piles is the roof dealt into?"), "roof", key="end.piles")
    shares = Numbers(
        {
            "boss": msg("How many piles of the roof does the boss get?"),
            "challenger": msg("How many piles of the roof does the challenger get?"),
            "semifinalist": msg("How many piles does each semi-finalist get?"),
        },
        0,
        sign="roof",
        key="end.shares",
    )
    forfeit = Number(
        0,
        None,
        msg("What does a figure without an opponent pay on the stairs?"),
        "stairs",
        key="end.forfeit",
    )

    FORM = (
        FormPart(msg("The hands"), "hand_cards", (hand,)),
        FormPart(msg("The kitchen"), "coffee", (targets, kitchen)),
        FormPart(msg("The influence cards"), "influence", (deck,)),
        FormPart(msg("The figures"), "figure", (colours, per_player)),
        FormPart(msg("The end"), "roof", (piles, shares, forfeit)),
    )

    @classmethod
    def make(cls, values: dict[str, Any]) -> Box:
        colours = values.pop("colours")
        return Box(values=VALUES, colours=tuple(colours), figures=tuple(colours.values()), **values)

    @classmethod
    def check(cls, file: BoxFile, box: Box) -> None:
        _check_cards(file, box)
        _check_figures(file, box)
        boss, challenger, semifinalist = box.shares
        shared = boss + challenger + 2 * semifinalist
        if shared > box.piles:
            file.wrong("end.shares", msg("{n} piles in all; allowed: up to {piles}", n=shared, piles=box.piles))


def _check_cards(file: BoxFile, box: Box) -> None:
    if sum(box.deck) != DECK_SIZE:
        file.wrong("deck", msg("{n} cards; allowed: {size} in all", n=sum(box.deck), size=DECK_SIZE))
    if not sum(box.hand):
        file.wrong("hand", msg("no cards; allowed: at least one"))
    start, target = worth(box.kitchen, VALUES), box.targets[0]
    if start != target:
        why = msg("worth {start}; allowed: {target}, the target of the stairs", start=start, target=target)
        file.wrong("kitchen.start", why)
    most = SEATS[-1]
    for value, count, each, kitchen in zip(VALUES, box.deck, box.hand, box.kitchen, strict=True):
        needed = each * most + kitchen
        if count < needed:
            why = msg("{n}; {players} hands and the kitchen need {needed}", n=count, players=most, needed=needed)
            file.wrong(f"deck.{value}", why)


def _check_figures(file: BoxFile, box: Box) -> None:
    for seats, each in zip(SEATS, box.per_player, strict=True):
        if seats * each not in {STAIRS - 1, STAIRS}:
            why = msg("{n} figures in all; allowed: 15 or 16, the spaces of the stairs", n=seats * each)
            file.wrong(f"figures.per_player.{seats}", why)
        fitting = sum(count >= each for count in box.figures)
        if fitting < seats:
            why = msg(
                "{n} colours have {each} figures; {players} players need one each",
                n=fitting,
                each=each,
                players=seats,
            )
            file.wrong("figures.colours", why)
