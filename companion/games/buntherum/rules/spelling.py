"""The notation of Buntherum's moves (docs/notation.md)."""

from collections.abc import Sequence
from typing import Final

from companion.core.choices import Args
from companion.core.errors import NotationError, closest
from companion.core.move import HIDDEN, Seat
from companion.core.seats import seat_text
from companion.core.text import Text, msg
from companion.core.verbs import Spelling, one_seat, one_word, word_of
from companion.games.buntherum.rules.components import SIDES, UNKNOWN, Box, Card, card_text

_SAID: Final = ("impossible", *map(str, range(1, SIDES + 1)))
_VERDICTS: Final = ("wrong", "right")


def read_card(box: Box, words: Sequence[str]) -> Card:
    """Return the card named by two words in any order, or by `??`. Raise NotationError."""
    if list(words) == [HIDDEN]:
        return UNKNOWN
    name = " ".join(words)
    for candidate in (name, " ".join(reversed(words))):
        if candidate in box.names:
            return box.names.index(candidate)
    raise NotationError(msg("{name!r} is not a card; {near}", name=name, near=_card_help(box, name)))


def _card_help(box: Box, name: str) -> Text:
    close = closest(name, box.names)
    if close is not None:
        return msg("did you mean {close!r}?", close=close)
    return msg(
        "a card is a colour ({colours}) and an object ({objects})",
        colours=", ".join(box.colours),
        objects=", ".join(box.objects),
    )


def _write_starter(box: Box, args: Args) -> str:
    side, card = args
    return f"{side} {card_text(box, card)}"


def _read_starter(box: Box, words: Sequence[str]) -> Args:
    if not words:
        raise NotationError(msg("name a starter by its side and card: 1 red car"))
    return word_of(words[0], _SAID[1:]) + 1, read_card(box, words[1:])


def _write_call(_: Box, args: Args) -> str:
    caller, *said = args
    return " ".join(
        (seat_text(Seat(caller)), *(_SAID[row] for row in said[:1]), *(_VERDICTS[it] for it in said[1:]))
    )


def _read_call(_: Box, words: Sequence[str]) -> Args:
    said, verdict = (word_of(word, _SAID) for word in words[1:2]), (word_of(word, _VERDICTS) for word in words[2:])
    return (one_seat(words[:1]), *said, *verdict)


def _write_verdict(_: Box, args: Args) -> str:
    *said, verdict = args
    return " ".join((*(_SAID[row] for row in said), _VERDICTS[verdict]))


def _read_verdict(_: Box, words: Sequence[str]) -> Args:
    return (*(word_of(word, _SAID) for word in words[:-1]), word_of(" ".join(words[-1:]), _VERDICTS))


CARD: Final[Spelling[Box]] = Spelling(
    lambda box, args: card_text(box, args[0]),
    lambda box, words: (read_card(box, words),),
)
STARTER: Final[Spelling[Box]] = Spelling(_write_starter, _read_starter)
CALL: Final[Spelling[Box]] = Spelling(_write_call, _read_call)
ROW: Final[Spelling[Box]] = one_word(_SAID)
VERDICT: Final[Spelling[Box]] = Spelling(_write_verdict, _read_verdict)
