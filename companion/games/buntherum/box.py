"""The schema of Buntherum's box."""

import logging
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from companion.core.boxfile import BoxFile
from companion.core.boxschema import BoxSchema, Field, FormPart, Number, Numbers, Values
from companion.core.errors import nearest
from companion.core.form import Change, Found, Grid, Option, Question, Spot
from companion.core.text import Text, msg
from companion.games.buntherum.rules import SEATS, SIDES, Box, Card, mark
from companion.games.buntherum.rules.words import named, word

DECK_SIZE: Final = 58
"""Cards of the printed game. Another number causes a warning."""

CARDS_MOST: Final = 500
"""Maximum cards of a deck: each move looks through all of them."""

ALL_PAIRS: Final = "all_pairs_except_hexagon"

_COUNTED: Final = "counted"

_LISTED_MOST: Final = 99

_KEYED_MOST: Final = 9
"""Maximum copies of a card that can be keyed at the table."""

_WORD: Final = re.compile(r"[a-z][a-z_-]*")

log = logging.getLogger(__name__)


class Hexagon(NamedTuple):
    """The hexagon as a pair of object and colour for each side. The form asks about side `asked`."""

    sides: tuple[tuple[str, str], ...]
    asked: int = 0


class Deck(NamedTuple):
    """Copies of each card: a row for each colour, a column for each object."""

    objects: tuple[str, ...]
    colours: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


class Legend(Field):
    """The words for objects, or for colours."""

    def read(self, file: BoxFile, found: Any, values: Values) -> tuple[str, ...]:
        if not isinstance(found, list) or not all(isinstance(x, str) and _WORD.fullmatch(x) for x in found):
            file.wrong(self.key, msg("{found!r} is not a list of single lower-case words", found=found))
            return ()
        return tuple(found)

    def wrong(self, value: tuple[str, ...]) -> Iterator[Text]:
        if len(set(value)) != len(value) or not SIDES <= len(value) <= 8:
            yield msg("{n} words; allowed: 6 to 8 different ones", n=len(value))


def _card(file: BoxFile, key: str, found: object, values: Values) -> Card:
    """Return a card. Its words are checked only if their legend is valid."""
    parts = file.table(key, found, ("object", "colour"))
    places = {}
    for part in ("colour", "object"):
        legend, name = values.get(f"{part}s", ()), parts[part]
        places[part] = legend.index(name) if isinstance(name, str) and name in legend else 0
        if legend and name not in legend and not file.is_missing(name):
            near = nearest(str(name), legend)
            file.wrong(f"{key}.{part}", msg("{found!r} is not in the legend; {near}", found=name, near=near))
    return places["colour"] * len(values.get("objects", ())) + places["object"]


class Sides(Field):
    """The card printed on each side of the hexagon."""

    def read(self, file: BoxFile, found: Any, values: Values) -> tuple[Card, ...]:
        sides = file.table("sides", found, map(str, range(1, SIDES + 1)))
        return tuple(_card(file, f"sides.{side}", card, values) for side, card in sides.items())

    def questions(self, found: Found) -> Iterator[Question]:
        sides = [found["sides"][str(side)] for side in range(1, SIDES + 1)]
        printed = tuple((side["object"], side["colour"]) for side in sides)
        for side, (thing, colour) in enumerate(printed, 1):
            drawn, path = Hexagon(printed, side), ("sides", str(side))
            colours = _options(found["colours"], "mark:{}")
            objects = _options(found["objects"], f"{{}}:{colour}")
            yield Question(msg("Side {n}: which colour?", n=side), (*path, "colour"), colour, colours, drawn)
            yield Question(msg("Side {n}: which object?", n=side), (*path, "object"), thing, objects, drawn)


def _options(words: list[str], sign: str) -> tuple[Option, ...]:
    return tuple(Option(str(key), each, word(each), sign.format(each)) for key, each in enumerate(words, 1))


class Cards(Field):
    """The deck: all pairs except those of the hexagon, or a list of cards."""

    def read(self, file: BoxFile, found: Any, values: Values) -> tuple[Card, ...]:
        if isinstance(found, dict) and "cards" in found:
            file.keys("deck", found, ("cards",))
            return tuple(sorted(self._listed(file, found["cards"], values)))
        rule = file.table("deck", found, ("rule",))["rule"]
        if rule != ALL_PAIRS and not file.is_missing(rule):
            file.wrong("deck.rule", msg("{rule!r}; allowed: {known!r}", rule=rule, known=ALL_PAIRS))
        pairs = len(values.get("objects", ())) * len(values.get("colours", ()))
        return tuple(card for card in range(pairs) if card not in values.get("printed", ()))

    def wrong(self, value: tuple[Card, ...]) -> Iterator[Text]:
        if len(value) > CARDS_MOST:
            yield msg("{n} cards; allowed: {most} at most", n=len(value), most=CARDS_MOST)

    @staticmethod
    def _listed(file: BoxFile, found: object, values: Values) -> Iterator[Card]:
        if not isinstance(found, list):
            file.wrong("deck.cards", msg("{found!r} is not a list of cards", found=found))
            return
        for place, entry in enumerate(found, 1):
            key = f"deck.cards[{place}]"
            parts, count = entry, 1
            if isinstance(entry, dict):
                parts = dict(entry)
                count = file.number(f"{key}.count", parts.pop("count", 1), 1, _LISTED_MOST)
            yield from [_card(file, key, parts, values)] * count

    def questions(self, found: Found) -> Iterator[Question]:
        counts, is_counted = _counts(found), "cards" in found["deck"]
        options = (
            Option("1", ALL_PAIRS, msg("every pair once, except those on the hexagon"), "cube"),
            Option("2", _COUNTED, msg("other cards: count them"), "hand_cards"),
        )

        def write(answer: str) -> list[Change]:
            if answer == ALL_PAIRS:
                return [(("deck", "cards"), None), (("deck", "rule"), ALL_PAIRS)]
            return [] if is_counted else [(("deck", "rule"), None), (("deck", "cards"), _as_listed(counts))]

        text, value = msg("Which cards are in the box?"), _COUNTED if is_counted else ALL_PAIRS
        yield Question(text, ("deck", "rule"), value, options, sign="cards", write=write)
        if is_counted:
            yield _count_question(tuple(found["objects"]), tuple(found["colours"]), counts)


def _counts(found: Found) -> Counter[tuple[str, str]]:
    if "cards" in found["deck"]:
        counts: Counter[tuple[str, str]] = Counter()
        for card in found["deck"]["cards"]:
            counts[card["colour"], card["object"]] += card.get("count", 1)
        return counts
    printed = {(side["colour"], side["object"]) for side in found["sides"].values()}
    pairs = [(colour, thing) for colour in found["colours"] for thing in found["objects"]]
    return Counter(pair for pair in pairs if pair not in printed)


def _as_listed(counts: Counter[tuple[str, str]]) -> list[dict[str, object]]:
    return [
        {"object": thing, "colour": colour} | ({"count": count} if count > 1 else {})
        for (colour, thing), count in counts.items()
        if count
    ]


def _count_question(
    objects: tuple[str, ...], colours: tuple[str, ...], counts: Counter[tuple[str, str]]
) -> Question:
    def put(key: str, spot: Spot) -> list[Change]:
        pair = colours[spot[0]], objects[spot[1]]
        count = {"0": 0, "1": 1}.get(key, min(counts[pair] + 1, _KEYED_MOST))
        return [(("deck", "cards"), _as_listed(Counter({**counts, pair: count})))]

    def here(spot: Spot) -> Text:
        pair = colours[spot[0]], objects[spot[1]]
        return msg("{card}: {n}", card=named(" ".join(pair)), n=counts[pair])

    keys = (
        Option("5", "", msg("one more"), "cards"),
        Option("1", "", msg("once"), "star"),
        Option("0", "", msg("not in the box"), "cross"),
    )
    drawn = Deck(objects, colours, tuple(tuple(counts[colour, thing] for thing in objects) for colour in colours))
    text = msg("How many of each card? {n} in all", n=counts.total())
    grid = Grid(len(colours), len(objects), put, here)
    return Question(text, ("deck", "cards"), options=keys, drawn=drawn, grid=grid, key="deck")


class BuntherumBox(BoxSchema[Box]):
    """Buntherum's box."""

    objects = Legend()
    colours = Legend()
    printed = Sides(key="sides")
    deck = Cards()
    hands = Numbers({str(n): msg("{n} players: how many cards to each?", n=n) for n in SEATS}, 1, sign="hand_cards")
    chips_out = Number(1, None, msg("How many red chips put a player out?"), "chip")

    FORM = (
        FormPart(msg("The hexagon"), "cube", (printed,)),
        FormPart(msg("The cards"), "cards", (deck,)),
        FormPart(msg("Hands and chips"), "chip", (chips_out, hands)),
    )

    @classmethod
    def make(cls, values: dict[str, Any]) -> Box:
        return Box(**values)

    @classmethod
    def check(cls, file: BoxFile, box: Box) -> None:
        if set(box.objects) & set(box.colours):
            file.wrong("objects", msg("an object may not have the name of a colour"))
        needed = min(SIDES + each * seats + 1 for seats, each in zip(SEATS, box.hands, strict=True))
        if len(box.deck) < needed:
            why = msg("{n} cards; a match needs at least {needed}", n=len(box.deck), needed=needed)
            file.wrong("deck", why)
        for side, printed in enumerate(box.printed, 1):
            fitting = sum(not mark(box, card) & mark(box, printed) for card in box.deck)
            if fitting < SIDES and box.deck:
                why = msg("only {n} cards fit at this side; at least {sides} are needed", n=fitting, sides=SIDES)
                file.wrong(f"sides.{side}", why)
        if max(Counter(box.printed).values()) > 1:
            file.wrong("sides", msg("two sides show the same object in the same colour"))
        if len(box.deck) != DECK_SIZE:
            log.warning("%s: the deck has %d cards, the printed game %d", file.where, len(box.deck), DECK_SIZE)
