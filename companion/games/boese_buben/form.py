"""What Böse Buben asks about a box of one's own: each card's goblins and text, races, mud, money, MC cards."""

from typing import Final, NamedTuple

from companion.core.form import Change, Found, Option, Question, Section, number
from companion.core.text import msg
from companion.games.boese_buben.rules.cards import NAMES, Action

_GOBLINS_MOST: Final = 3

_TEXTS: Final = {
    Action.KOSTENLOS: (msg("Kostenlos"), "present"),
    Action.SCHIEBUNG: (msg("Schiebung"), "hat_moves"),
    Action.AUSTAUSCH: (msg("Austausch"), "swap"),
    Action.RAUSWURF: (msg("Rauswurf"), "kick_out"),
    Action.RAENGELEI: (msg("Rängelei"), "scramble"),
}
"""What an action text is called, and its drawing."""


class CardAsked(NamedTuple):
    """The card that is asked about."""

    value: int
    action: Action
    goblins: int


def form(found: Found) -> tuple[Section, ...]:
    """Return what is asked."""
    cards = tuple(question for name in NAMES[1:] for question in _card(found, name))
    races = (
        number(found, msg("How many races are there?"), "races", sign="flag"),
        number(found, msg("How many cards stay on the track of a lane?"), "track_limit", sign="cards"),
        number(found, msg("How many cards in the mud of a lane end the race?"), "penalty_limit", sign="mud"),
    )
    money = (
        number(found, msg("How many cards of 1 ducat are there?"), "ducats", "1", sign="ducat"),
        number(found, msg("How many cards of 3 ducats are there?"), "ducats", "3", sign="ducat"),
        number(found, msg("How many ducats has everybody at the start?"), "start_ducats", sign="bag"),
        number(found, msg("How many ducats does a lane pay?"), "lane_prize", sign="goblin_on_pig"),
    )
    count = number(found, msg("How many MC cards are there?"), "mc_cards", sign="hat")
    costs = (
        number(
            found,
            msg("What does {n} MC card cost at the end?", "What do {n} MC cards cost at the end?", n=held),
            "mc_cost",
            held,
            sign="hat",
        )
        for held in range(1, len(found["mc_cost"]))
    )
    return (
        Section(msg("The cards"), "cards", cards),
        Section(msg("Races and mud"), "flag", races),
        Section(msg("The money"), "ducat", money),
        Section(msg("The MC cards"), "hat", (count, *costs)),
    )


def _card(found: Found, name: str) -> tuple[Question, ...]:
    """Return what is asked about a card: the text of one that has a text, and its goblins."""
    value, has_text = int(name[0]), len(name) > 1
    places = {(card["value"], card["action"] != Action.NONE): place for place, card in enumerate(found["cards"])}
    place = places[value, has_text]
    card = found["cards"][place]
    drawn = CardAsked(value, Action(card["action"]), card["goblins"])
    path = ("cards", place)
    question = msg("Card {card}: how many goblins?", card=value)
    if has_text:
        question = msg("Card {card} with a text: how many goblins?", card=value)
    keys = range(_GOBLINS_MOST + 1)
    options = tuple(
        Option(str(n), n, msg("{n} goblin", "{n} goblins", n=n), "goblin" if n else "cross") for n in keys
    )
    goblins = Question(question, (*path, "goblins"), card["goblins"], options, drawn)
    if not has_text:
        return (goblins,)
    texts = tuple(Option(str(key), action, *told) for key, (action, told) in enumerate(_TEXTS.items(), 1))

    def write(answer: Action) -> list[Change]:
        """Let the card that has had this text have what this one has had: each is there once."""
        other = next(at for at, each in enumerate(found["cards"]) if each["action"] == answer)
        return [(("cards", other, "action"), card["action"]), (("cards", place, "action"), str(answer))]

    text = msg("Card {card}: which text is on it?", card=value)
    return (Question(text, (*path, "action"), card["action"], texts, drawn, write=write), goblins)
