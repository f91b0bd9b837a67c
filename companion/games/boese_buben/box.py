"""The schema of Böse Buben's box."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from companion.core.boxfile import BoxFile
from companion.core.boxschema import BoxSchema, Field, FormPart, Number, Numbers, Values
from companion.core.form import Change, Found, Option, Question
from companion.core.text import Text, msg
from companion.games.boese_buben.rules import SEATS, Box
from companion.games.boese_buben.rules.cards import CARDS, NAMES, Action

_MOST: Final = 9
"""Lanes, places and races are single digits."""

_GOBLINS_MOST: Final = 3

_TEXTS: Final = {
    Action.KOSTENLOS: (msg("Kostenlos"), "present"),
    Action.SCHIEBUNG: (msg("Schiebung"), "hat_moves"),
    Action.AUSTAUSCH: (msg("Austausch"), "swap"),
    Action.RAUSWURF: (msg("Rauswurf"), "kick_out"),
    Action.RAENGELEI: (msg("Rängelei"), "scramble"),
}
"""The name and the icon of each action text."""


class CardAsked(NamedTuple):
    """The card in question."""

    value: int
    action: Action
    goblins: int


NamedCard = tuple[str, tuple[Action, int]]
"""A card's name, action and goblins."""


class Cards(Field):
    """The cards of one colour, in any order."""

    def read(self, file: BoxFile, found: Any, values: Values) -> list[NamedCard]:
        return [_card(file, f"cards[{place}]", card) for place, card in enumerate(file.array("cards", found), 1)]

    def wrong(self, value: list[NamedCard]) -> Iterator[Text]:
        cards = dict(value)
        missing = [name for name in NAMES if name not in cards]
        if missing:
            yield msg("missing cards: {names}", names=", ".join(missing))
        if len(value) > CARDS or (len(value) != CARDS and not missing):
            yield msg("{n} cards; allowed: {names}, each once", n=len(value), names=", ".join(NAMES))
        actions = [action for action, _ in cards.values()]
        for action in _TEXTS:
            if not missing and actions.count(action) != 1:
                yield msg("{n} cards with {action}; allowed: one", n=actions.count(action), action=str(action))

    def questions(self, found: Found) -> Iterator[Question]:
        cards = found["cards"]
        places = {(card["value"], card["action"] != Action.NONE): place for place, card in enumerate(cards)}
        for name in NAMES[1:]:
            yield from _card_questions(cards, places[int(name[0]), len(name) > 1])


def _card(file: BoxFile, key: str, found: object) -> NamedCard:
    parts = file.table(key, found, ("value", "action", "goblins"))
    number = file.number(f"{key}.value", parts["value"], 0, 6)
    action = Action(file.choice(f"{key}.action", parts["action"], tuple(Action)))
    goblins = file.number(f"{key}.goblins", parts["goblins"], 0, _GOBLINS_MOST)
    if parts["value"] in (0, 6) and action != Action.NONE:
        file.wrong(f"{key}.action", msg("a {value} has no action; allowed: 'none'", value=number))
    if parts["value"] == 0 and goblins:
        file.wrong(f"{key}.goblins", msg("{n}; a zero is free, allowed: 0", n=goblins))
    return f"{number}{'' if action == Action.NONE else 'a'}", (action, goblins)


def _card_questions(cards: list[Any], place: int) -> Iterator[Question]:
    card, path = cards[place], ("cards", place)
    value, action = int(card["value"]), card["action"]
    drawn = CardAsked(value, Action(action), card["goblins"])
    question = msg("Card {card}: how many goblins?", card=value)
    if action != Action.NONE:
        question = msg("Action card {card}: how many goblins?", card=value)
        texts = tuple(Option(str(key), text, *told) for key, (text, told) in enumerate(_TEXTS.items(), 1))

        def swap(answer: Action) -> list[Change]:  # each text is on one card
            other = next(at for at, each in enumerate(cards) if each["action"] == answer)
            return [(("cards", other, "action"), action), ((*path, "action"), str(answer))]

        text = msg("Action card {card}: which action?", card=value)
        yield Question(text, (*path, "action"), action, texts, drawn, write=swap)
    goblins = tuple(
        Option(str(n), n, msg("{n} goblin", "{n} goblins", n=n), "goblin" if n else "cross")
        for n in range(_GOBLINS_MOST + 1)
    )
    yield Question(question, (*path, "goblins"), card["goblins"], goblins, drawn)


class Costs(Field):
    """The cost of 0, 1, 2... MC cards at the end."""

    def read(self, file: BoxFile, found: Any, values: Values) -> tuple[int, ...]:
        costs = enumerate(file.array("mc_cost", found), 1)
        return tuple(file.number(f"mc_cost[{place}]", cost, 0) for place, cost in costs)

    def wrong(self, value: tuple[int, ...]) -> Iterator[Text]:
        costs = list(value)
        if not costs or costs[0] or costs != sorted(costs):
            yield msg("{costs}; allowed: 0 first, then never lower", costs=costs)

    def questions(self, found: Found) -> Iterator[Question]:
        for held, cost in enumerate(found["mc_cost"][1:], 1):
            text = msg("What does {n} MC card cost at the end?", "What do {n} MC cards cost at the end?", n=held)
            yield Question(text, ("mc_cost", held), cost, sign="hat")


class BoeseBubenBox(BoxSchema[Box]):
    """The box of Böse Buben."""

    ducats = Numbers(
        {
            "1": msg("How many cards of 1 ducat are there?"),
            "3": msg("How many cards of 3 ducats are there?"),
        },
        0,
        sign="ducat",
        into=lambda notes: notes[0] + 3 * notes[1],
    )
    races = Number(1, _MOST, msg("How many races are there?"), "flag")
    cards = Cards()
    start_ducats = Number(
        0,
        lambda values: values["ducats"] // SEATS[-1] if "ducats" in values else None,
        msg("How many ducats does each player start with?"),
        "bag",
    )
    lane_prize = Number(1, None, msg("How many ducats does a lane pay?"), "goblin_on_pig")
    mc_cards = Number(lambda values: values.get("races", 1), None, msg("How many MC cards are there?"), "hat")
    track_limit = Number(1, 5, msg("How many cards stay on the track of a lane?"), "cards")
    penalty_limit = Number(1, _MOST, msg("How many cards in the mud of a lane end the race?"), "mud")
    mc_cost = Costs()

    FORM = (
        FormPart(msg("The cards"), "cards", (cards,)),
        FormPart(msg("Races and mud"), "flag", (races, track_limit, penalty_limit)),
        FormPart(msg("The money"), "ducat", (ducats, start_ducats, lane_prize)),
        FormPart(msg("The MC cards"), "hat", (mc_cards, mc_cost)),
    )

    @classmethod
    def make(cls, values: dict[str, Any]) -> Box:
        """Return the box, with cards in the order of NAMES."""
        cards = dict(values.pop("cards"))
        actions, goblins = zip(*(cards[name] for name in NAMES), strict=True)
        return Box(actions=actions, goblins=goblins, **values)
