"""Cards in the words of players."""

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
"""Words of the built-in box. Those of custom boxes stay as they are."""


def word(found: str) -> Text:
    return _WORDS.get(found) or Text("{word}", (("word", found),))


def named(name: str) -> Text:
    """Return a card, such as `red car`, in the players' words."""
    if name == HIDDEN:
        return Text(name)
    colour, _, thing = name.partition(" ")
    return msg("{colour} {object}", colour=word(colour), object=word(thing))


def card_words(box: Box, card: Card) -> Text:
    return named(card_text(box, card))
