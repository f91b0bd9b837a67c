"""The events of Buntherum, in the order of docs/headless.md."""

from collections.abc import Sequence
from typing import Final

from companion.core.event import BAD, CARD, GOOD, EventFacts
from companion.core.move import HIDDEN, TABLE, Seat
from companion.core.rules import Ranking
from companion.core.text import Text, msg
from companion.games.buntherum.rules.components import IMPOSSIBLE
from companion.games.buntherum.rules.words import named


class Youngest(EventFacts):
    SAYS = msg("{who} turns the first card")


class First(EventFacts):
    SAYS = msg("{who} is the youngest and turns the first card")


class Lot(EventFacts):
    SAYS = msg("By lot: {who} turns the first card")


class Starter(EventFacts):
    row: int
    card: str

    def says(self, names: Sequence[str]) -> Text:
        return msg("Side {row} starts with the {card}", card=named(self.card))


class Laid(EventFacts):
    SAYS = msg("The six starters are in place")


class Dealt(EventFacts):
    each: int
    draw_pile: int

    def says(self, names: Sequence[str]) -> Text:
        return self.task()

    def task(self) -> Text:
        return msg(
            "{n} card each, {draw_pile} in the draw pile",
            "{n} cards each, {draw_pile} in the draw pile",
            n=self.each,
        )


class Next(EventFacts):
    """The next card is from the pile of `source`, and `seats` may call it."""

    source: Seat
    seats: tuple[Seat, ...]

    def task(self) -> Text:
        return msg("Next: the draw pile") if self.source == TABLE else msg("Next: your pile")


class Flip(EventFacts):
    """The card is from the pile of `source`, and `seats` may call it."""

    card: str
    source: Seat
    seats: tuple[Seat, ...]
    SOUND = CARD

    def says(self, names: Sequence[str]) -> Text:
        card = named(self.card)
        if self.card == HIDDEN:
            drawn = msg("{who} turns the next card (draw pile)")
            return drawn if self.source == TABLE else msg("{who} turns the next card")
        if self.source == TABLE:
            return msg("{who} turns over the {card} (draw pile)", card=card)
        return msg("{who} turns over the {card}", card=card)


class Early(EventFacts):
    SAYS = msg("{who} pressed before the card was visible")


class Call(EventFacts):
    SAYS = msg("{who} was first")


class Tie(EventFacts):
    seats: tuple[Seat, ...]
    SAYS = msg("A tie: {who}")


class Nobody(EventFacts):
    SAYS = msg("Nobody calls this card")


class Declare(EventFacts):
    row: int

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} says: impossible") if self.row == IMPOSSIBLE else msg("{who} says: row {row}")


class Late(EventFacts):
    SAYS = msg("{who} named no row in time")
    TONE = BAD


class Reopen(EventFacts):
    seats: tuple[Seat, ...]
    SAYS = msg("The card is open again for {who}")


class Card(EventFacts):
    card: str

    def says(self, names: Sequence[str]) -> Text:
        return msg("The card is the {card}", card=named(self.card))


class Read(EventFacts):
    row: int
    card: str

    def says(self, names: Sequence[str]) -> Text:
        return msg("The unread card of row {row} is the {card}", card=named(self.card))


class Right(EventFacts):
    SAYS = msg("Right")
    TONE = GOOD


class Wrong(EventFacts):
    SAYS = msg("Wrong")
    TONE = BAD


class Placed(EventFacts):
    card: str
    row: int
    TASK = msg("Lay the card in row {row}")

    def says(self, names: Sequence[str]) -> Text:
        if self.card == HIDDEN:
            return msg("The card goes to row {row}")
        return msg("The {card} goes to row {row}", card=named(self.card))


class Under(EventFacts):
    card: str
    TASK = msg("Card under the draw pile")

    def says(self, names: Sequence[str]) -> Text:
        if self.card == HIDDEN:
            return msg("The card goes under the draw pile")
        return msg("The {card} goes under the draw pile", card=named(self.card))


class Chip(EventFacts):
    chips: int
    SAYS = msg("A red chip for {who}: {chips}")
    TASK = msg("Take a red chip")


class Eliminated(EventFacts):
    cards: int
    SAYS = msg("{who} is out, cards set aside")
    TONE = BAD
    TASK = msg("You are out: cards aside, chips back")


class Over(EventFacts):
    """`reason` is `last_card` (may turn it), `last_placed`, `last_standing` or `empty_pile`."""

    ranking: Ranking
    reason: str

    def says(self, names: Sequence[str]) -> Text:
        return _OVER[self.reason]


_OVER: Final = {
    "last_card": msg("{who} wins: the last card!"),
    "last_placed": msg("{who} has run out of cards and wins"),
    "last_standing": msg("{who} is the last one in the game and wins"),
    "empty_pile": msg("Draw pile empty; fewest cards win: {who}"),
}
