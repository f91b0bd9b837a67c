"""What Büro Crazy asks about a box of one's own: hands, kitchen, influence cards, figures, and the end."""

from typing import Final, NamedTuple

from companion.core.form import Change, Found, Question, Section, number
from companion.core.text import Text, msg
from companion.games.buro_crazy.box import VALUES
from companion.games.buro_crazy.rules.components import SEATS

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
"""The colours that figures may have."""

_FLOORS: Final = {
    "stairs": msg("How many points has the kitchen on the stairs?"),
    "ground": msg("How many points has the kitchen on the ground floor?"),
    "first": msg("How many points has the kitchen on the first floor?"),
    "second": msg("How many points has the kitchen on the second floor?"),
}

_SHARES: Final = {
    "boss": msg("How many piles of the roof does the boss get?"),
    "challenger": msg("How many piles of the roof does the challenger get?"),
    "semifinalist": msg("How many piles does each semi-finalist get?"),
}


class CardsAsked(NamedTuple):
    """So many influence cards of one value."""

    value: int
    held: int


class FiguresAsked(NamedTuple):
    """So many figures of a colour."""

    colour: str
    held: int


def form(found: Found) -> tuple[Section, ...]:
    """Return what is asked."""
    hands = (
        _cards(found, msg("How many cards of {n} has everybody at the start?", n=n), n, "hand") for n in VALUES
    )
    targets = (
        number(found, question, "kitchen", "targets", floor, sign="coffee") for floor, question in _FLOORS.items()
    )
    start = (
        _cards(found, msg("How many cards of {n} lie in the kitchen at the start?", n=n), n, "kitchen", "start")
        for n in VALUES
    )
    deck = (_cards(found, msg("How many cards of {n} are there in all?", n=n), n, "deck") for n in VALUES)
    shares = (number(found, question, "end", "shares", who, sign="roof") for who, question in _SHARES.items())
    return (
        Section(msg("The hands"), "hand_cards", tuple(hands)),
        Section(msg("The kitchen"), "coffee", (*targets, *start)),
        Section(msg("The influence cards"), "influence", tuple(deck)),
        Section(msg("The figures"), "figure", (*_colours(found), *_each(found))),
        Section(
            msg("The end"),
            "roof",
            (
                number(found, msg("How many piles is the roof dealt into?"), "end", "piles", sign="roof"),
                *shares,
                number(
                    found,
                    msg("What does a figure pay that has nobody to fight on the stairs?"),
                    "end",
                    "forfeit",
                    sign="stairs",
                ),
            ),
        ),
    )


def _cards(found: Found, question: Text, value: int, *path: str) -> Question:
    asked = number(found, question, *path, str(value))
    return asked._replace(drawn=CardsAsked(value, int(str(asked.value))))


def _colours(found: Found) -> tuple[Question, ...]:
    """Return how many figures there are of each colour; of some there may be none, and then it has no line."""
    counts = found["figures"]["colours"]

    def asked(colour: str, question: Text) -> Question:
        path, count = ("figures", "colours", colour), counts.get(colour, 0)

        def write(answer: int) -> list[Change]:
            return [(path, answer or None)]

        return Question(question, path, count, drawn=FiguresAsked(colour, count), write=write)

    return tuple(asked(colour, question) for colour, question in _COLOURS.items())


def _each(found: Found) -> tuple[Question, ...]:
    return tuple(
        number(
            found,
            msg("{n} players: how many figures has each?", n=seats),
            "figures",
            "per_player",
            str(seats),
            sign="figure",
        )
        for seats in SEATS
    )
