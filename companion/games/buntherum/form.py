"""What Buntherum asks about a box of one's own: the six sides, which cards there are, hands and chips."""

from collections import Counter
from typing import Final, NamedTuple

from companion.core.form import Change, Found, Grid, Option, Question, Section, Spot, number
from companion.core.text import Text, msg
from companion.games.buntherum.box import ALL_PAIRS
from companion.games.buntherum.rules import SEATS, SIDES
from companion.games.buntherum.rules.words import named, word

_COUNT_MOST: Final = 9
"""A card is there so often at most: more are no game's."""

_COUNTED: Final = "counted"


class Hexagon(NamedTuple):
    """The six sides, each as the words of an object and a colour; `asked` is the side that is asked about."""

    sides: tuple[tuple[str, str], ...]
    asked: int = 0


class Deck(NamedTuple):
    """How often each card is there: a row for each colour, a column for each object."""

    objects: tuple[str, ...]
    colours: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


def form(found: Found) -> tuple[Section, ...]:
    """Return what is asked."""
    chips = number(found, msg("With how many red chips is a player out?"), "chips_out", sign="chip")
    hands = (
        number(found, msg("{n} players: how many cards to each?", n=n), "hands", str(n), sign="hand_cards")
        for n in SEATS
    )
    sides = tuple(question for side in range(1, SIDES + 1) for question in _side(found, side))
    return (
        Section(msg("The hexagon"), "cube", sides),
        Section(msg("The cards"), "cards", _deck(found)),
        Section(msg("Hands and chips"), "chip", (chips, *hands)),
    )


def _side(found: Found, side: int) -> tuple[Question, ...]:
    printed = {int(key): (value["object"], value["colour"]) for key, value in found["sides"].items()}
    drawn = Hexagon(tuple(printed[each] for each in sorted(printed)), side)
    thing, colour = printed[side]
    colours = _options(found["colours"], "mark:{}")
    objects = _options(found["objects"], f"{{}}:{colour}")
    path = ("sides", str(side))
    return (
        Question(msg("Side {n}: which colour?", n=side), (*path, "colour"), colour, colours, drawn),
        Question(msg("Side {n}: which object?", n=side), (*path, "object"), thing, objects, drawn),
    )


def _options(words: list[str], sign: str) -> tuple[Option, ...]:
    return tuple(Option(str(key), each, word(each), sign.format(each)) for key, each in enumerate(words, 1))


# --- The cards --------------------------------------------------------------------------------------------


def _deck(found: Found) -> tuple[Question, ...]:
    is_counted = "cards" in found["deck"]
    options = (
        Option("1", ALL_PAIRS, msg("each pair once, but those of the hexagon"), "cube"),
        Option("2", _COUNTED, msg("others, which we count"), "hand_cards"),
    )
    counts = _counts(found)

    def write(answer: str) -> list[Change]:
        if answer == ALL_PAIRS:
            return [(("deck", "cards"), None), (("deck", "rule"), ALL_PAIRS)]
        return [] if is_counted else [(("deck", "rule"), None), (("deck", "cards"), _listed(counts))]

    value = _COUNTED if is_counted else ALL_PAIRS
    rule = Question(msg("Which cards are in the box?"), ("deck", "rule"), value, options, sign="cards", write=write)
    return (rule, _grid(found, counts)) if is_counted else (rule,)


def _counts(found: Found) -> Counter[tuple[str, str]]:
    """Return how often each card is there, by colour and object."""
    if "cards" in found["deck"]:
        counts: Counter[tuple[str, str]] = Counter()
        for card in found["deck"]["cards"]:
            counts[card["colour"], card["object"]] += card.get("count", 1)
        return counts
    printed = {(side["colour"], side["object"]) for side in found["sides"].values()}
    pairs = [(colour, thing) for colour in found["colours"] for thing in found["objects"]]
    return Counter(pair for pair in pairs if pair not in printed)


def _listed(counts: Counter[tuple[str, str]]) -> list[dict[str, object]]:
    """Return the cards as a file lists them."""
    return [
        {"object": thing, "colour": colour} | ({"count": count} if count > 1 else {})
        for (colour, thing), count in counts.items()
        if count
    ]


def _grid(found: Found, counts: Counter[tuple[str, str]]) -> Question:
    objects, colours = tuple(found["objects"]), tuple(found["colours"])

    def put(key: str, spot: Spot) -> list[Change]:
        pair = colours[spot[0]], objects[spot[1]]
        count = {"0": 0, "1": 1}.get(key, min(counts[pair] + 1, _COUNT_MOST))
        return [(("deck", "cards"), _listed(Counter({**counts, pair: count})))]

    def here(spot: Spot) -> Text:
        pair = colours[spot[0]], objects[spot[1]]
        return msg("{card}: {n}", card=named(" ".join(pair)), n=counts[pair])

    keys = (
        Option("5", "", msg("one more"), "cards"),
        Option("1", "", msg("once"), "star"),
        Option("0", "", msg("not in the box"), "cross"),
    )
    drawn = Deck(objects, colours, tuple(tuple(counts[colour, thing] for thing in objects) for colour in colours))
    return Question(
        msg("How often is each card there? {n} in all", n=counts.total()),
        ("deck", "cards"),
        options=keys,
        drawn=drawn,
        grid=Grid(len(colours), len(objects), put, here),
        key="deck",
    )
