"""The notation of Büro Crazy's moves: `2 commit 20 2 1`, `1 commit none`, `T coin 3`."""

from collections.abc import Sequence
from typing import Final

from companion.core.choices import Args
from companion.core.errors import NotationError
from companion.core.move import Seat
from companion.core.seats import parse_seat, seat_text
from companion.core.text import msg
from companion.core.verbs import Spelling, number, one_seat, word_of
from companion.games.buro_crazy.rules.change import worth
from companion.games.buro_crazy.rules.components import Box, card_values

NONE: Final = "none"
"""A bid without cards."""


def _cards_text(box: Box, args: Args) -> str:
    return " ".join(map(str, card_values(args, box.values))) or NONE


def _read_cards(box: Box, words: Sequence[str]) -> Args:
    if list(words) == [NONE]:
        return (0,) * len(box.values)
    if not words:
        raise NotationError(msg("a bid lists the values of its cards, or is {none!r}", none=NONE))
    values = [str(value) for value in box.values]
    cards = [word_of(word, values) for word in words]
    return tuple(cards.count(place) for place in range(len(values)))


def _number_text(_: Box, args: Args) -> str:
    return str(args[0])


def _read_points(box: Box, words: Sequence[str]) -> Args:
    return (number(" ".join(words), 0, worth(box.deck, box.values)),)


def _read_count(box: Box, words: Sequence[str]) -> Args:
    return (number(" ".join(words), 0, sum(box.deck)),)


def _read_value(box: Box, words: Sequence[str]) -> Args:
    values = [str(value) for value in box.values]
    return (box.values[word_of(" ".join(words), values)],)


def _colour_text(box: Box, args: Args) -> str:
    return f"{seat_text(Seat(args[0]))} {box.colours[args[1]]}"


def _read_colour(box: Box, words: Sequence[str]) -> Args:
    return (one_seat(words[:1]), word_of(" ".join(words[1:]), box.colours))


CARDS: Final[Spelling[Box]] = Spelling(_cards_text, _read_cards)
POINTS: Final[Spelling[Box]] = Spelling(_number_text, _read_points)
COUNT: Final[Spelling[Box]] = Spelling(_number_text, _read_count)
VALUE: Final[Spelling[Box]] = Spelling(_number_text, _read_value)
COLOUR: Final[Spelling[Box]] = Spelling(_colour_text, _read_colour)
SEATS: Final[Spelling[Box]] = Spelling(
    lambda _, args: " ".join(map(seat_text, map(Seat, args))),
    lambda _, words: tuple(map(parse_seat, words)),
)
