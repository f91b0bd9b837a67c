"""The kinds of events that Buntherum tells, in the order of docs/headless.md, each with its facts."""

from collections.abc import Sequence
from typing import Final

from companion.core.event import BAD, GOOD, Facts
from companion.core.move import HIDDEN, TABLE, Seat
from companion.core.rules import Ranking
from companion.core.text import Text, msg
from companion.games.buntherum.rules.components import IMPOSSIBLE
from companion.games.buntherum.rules.words import named


class Youngest(Facts):
    """The seat is the youngest and turns the first card."""

    SAYS = msg("{who} turns the first card")


class First(Facts):
    """The people say that the seat is the youngest: it turns the first card."""

    SAYS = msg("{who} is the youngest and turns the first card")


class Lot(Facts):
    """The lot fell on the seat: it turns the first card."""

    SAYS = msg("By lot: {who} turns the first card")


class Starter(Facts):
    """The first card of a row."""

    row: int
    card: str

    def says(self, names: Sequence[str]) -> Text:
        return msg("Side {row} starts with the {card}", card=named(self.card))


class Laid(Facts):
    """The six starters lie there, unread."""

    SAYS = msg("The six starters lie on their sides")


class Dealt(Facts):
    """Everybody has so many cards, so many are on the draw pile."""

    each: int
    draw_pile: int

    def says(self, names: Sequence[str]) -> Text:
        return self.task()

    def task(self) -> Text:
        return msg(
            "{n} card to each, {draw_pile} on the draw pile",
            "{n} cards to each, {draw_pile} on the draw pile",
            n=self.each,
        )


class Next(Facts):
    """The seat turns the next card, of the pile of `source`; `seats` may call it."""

    source: Seat
    seats: tuple[Seat, ...]

    def task(self) -> Text:
        return msg("Next: the draw pile") if self.source == TABLE else msg("Next: your pile")


class Flip(Facts):
    """The seat turns a card, of the pile of `source`; `seats` may call it."""

    card: str
    source: Seat
    seats: tuple[Seat, ...]

    def says(self, names: Sequence[str]) -> Text:
        card = named(self.card)
        if self.card == HIDDEN:
            drawn = msg("{who} turns the next card (draw pile)")
            return drawn if self.source == TABLE else msg("{who} turns the next card")
        if self.source == TABLE:
            return msg("{who} turns over the {card} (draw pile)", card=card)
        return msg("{who} turns over the {card}", card=card)


class Early(Facts):
    """The seat pressed before the card, and that costs a chip."""

    SAYS = msg("{who} pressed before the card was visible")


class Call(Facts):
    """The seat has the call and owes a row."""

    SAYS = msg("{who} was first")


class Tie(Facts):
    """These seats play the tie off."""

    seats: tuple[Seat, ...]

    SAYS = msg("A tie: {who}")


class Nobody(Facts):
    """The card was called by nobody."""

    SAYS = msg("Nobody calls this card")


class Declare(Facts):
    """The seat says that the card fits into this row; 0 says impossible."""

    row: int

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} says: impossible") if self.row == IMPOSSIBLE else msg("{who} says: row {row}")


class Late(Facts):
    """The seat named no row in time."""

    SAYS = msg("{who} named no row in time")
    TONE = BAD


class Reopen(Facts):
    """The card that was called without a row is open again, for these seats."""

    seats: tuple[Seat, ...]

    SAYS = msg("The card is open again for {who}")


class Card(Facts):
    """The house named the card that lies open."""

    card: str

    def says(self, names: Sequence[str]) -> Text:
        return msg("The card is the {card}", card=named(self.card))


class Read(Facts):
    """The house named a card that lay unread in the row."""

    row: int
    card: str

    def says(self, names: Sequence[str]) -> Text:
        return msg("The unread card of row {row} is the {card}", card=named(self.card))


class Right(Facts):
    """What the seat has declared is true."""

    SAYS = msg("Right")
    TONE = GOOD


class Wrong(Facts):
    """What the seat has declared is not true, or came too late."""

    SAYS = msg("Wrong")
    TONE = BAD


class Placed(Facts):
    """The card of the seat lies in the row now."""

    card: str
    row: int

    TASK = msg("Lay the card at row {row}")

    def says(self, names: Sequence[str]) -> Text:
        return msg("The {card} goes to row {row}", card=named(self.card))


class Under(Facts):
    """The card went under the draw pile."""

    card: str

    TASK = msg("Card under the draw pile")

    def says(self, names: Sequence[str]) -> Text:
        return msg("The {card} goes under the draw pile", card=named(self.card))


class Chip(Facts):
    """The seat takes a red chip and now has so many."""

    chips: int

    SAYS = msg("A red chip for {who}: {chips}")
    TASK = msg("Take a red chip")


class Eliminated(Facts):
    """The seat is out of the match; so many cards are set aside, and its chips go back."""

    cards: int

    SAYS = msg("{who} is out, cards set aside")
    TONE = BAD
    TASK = msg("You are out: cards aside, chips back")


class Over(Facts):
    """The match is over.

    `reason` is `last_card` (may turn the own last card), `last_placed` (placed it), `last_standing` (all others are
    out) or `empty_pile` (the draw pile is).
    """

    ranking: Ranking
    reason: str

    def says(self, names: Sequence[str]) -> Text:
        return _OVER[self.reason]


_OVER: Final = {
    "last_card": msg("{who} may turn the last card and wins"),
    "last_placed": msg("{who} has no card left and wins"),
    "last_standing": msg("{who} is the last one in the game and wins"),
    "empty_pile": msg("Draw pile empty; fewest cards win: {who}"),
}
