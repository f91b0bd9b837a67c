"""A card in the words of the people: for refusals, and for all that is told."""

from typing import Final

from companion.core.move import HIDDEN
from companion.core.text import Text, msg
from companion.games.buntherum.rules.components import Box, Card, card_text

_WORDS: Final = {
    "cube": msg("cube"),
    "butterfly": msg("butterfly"),
    "ball": msg("ball"),
    "icecream": msg("ice cream"),
    "cup": msg("cup"),
    "flower": msg("flower"),
    "car": msg("car"),
    "telephone": msg("telephone"),
    "green": msg("green"),
    "red": msg("red"),
    "blue": msg("blue"),
    "yellow": msg("yellow"),
    "orange": msg("orange"),
    "purple": msg("purple"),
    "pink": msg("pink"),
    "sky": msg("sky"),
}
"""The words of the box as people say them; another box may have others, which stay as they are."""


def word(found: str) -> Text:
    """Return a word of the box as people say it."""
    return _WORDS.get(found) or Text("{word}", (("word", found),))


def named(name: str) -> Text:
    """Return a card of the box by its name, `red car`; one that nobody has named yet stays `??`."""
    if name == HIDDEN:
        return Text(name)
    colour, _, thing = name.partition(" ")
    return msg("{colour} {object}", colour=word(colour), object=word(thing))


def card_words(box: Box, card: Card) -> Text:
    return named(card_text(box, card))
