"""The events of Böse Buben, in the order of docs/headless.md."""

from collections.abc import Iterable, Sequence
from typing import Final

from companion.core.event import BAD, CARD, GOOD, PAY, EventFacts
from companion.core.feats import Achieved, Feat
from companion.core.move import Seat
from companion.core.rules import Ranking
from companion.core.text import Text, msg


def ducats_text(n: int) -> Text:
    return msg("{n} ducat", "{n} ducats", n=n)


RICHEST_RACE: Final = Feat(
    "race", msg("Richest race"), msg("{who} earns {amount} in one race"), ducats_text, great=9
)
DEAREST_CARD: Final = Feat(
    "card", msg("Dearest card"), msg("{who} buys one card back for {amount}"), ducats_text, great=4
)
CLOSEST_FINISH: Final = Feat(
    "finish", msg("Closest finish"), msg("{who} beats {rival} by {amount}"), ducats_text, great=1, least=True
)
FEATS: Final = (RICHEST_RACE, DEAREST_CARD, CLOSEST_FINISH)


class Ready(EventFacts):
    cards: int
    ducats: int
    lanes: int

    def says(self, names: Sequence[str]) -> Text:
        return msg(
            "Each takes {cards} cards of one colour and {ducats} ducat",
            "Each takes {cards} cards of one colour and {ducats} ducats",
            n=self.ducats,
        )

    def task(self) -> Text:
        return msg(
            "{lanes} lanes. Each: {cards} cards, {n} ducat",
            "{lanes} lanes. Each: {cards} cards, {n} ducats",
            n=self.ducats,
        )


class Handicap(EventFacts):
    ducats: int

    def says(self, names: Sequence[str]) -> Text:
        return msg(
            "{who} begins with {ducats} extra ducat", "{who} begins with {ducats} extra ducats", n=self.ducats
        )


class Race(EventFacts):
    race: int
    SAYS = msg("Race {race}: {who} begins")


class Played(EventFacts):
    card: str
    lane: int
    SAYS = msg("{who} plays {card} in lane {lane}")
    SOUND = CARD


class Falls(EventFacts):
    card: str
    lane: int
    SAYS = msg("{who}'s {card} falls into the mud of lane {lane}")
    TONE = BAD
    TASK = msg("Move {who}'s {card} into the mud of lane {lane}")


class Skips(EventFacts):
    SAYS = msg("{who} cannot play a card and skips the turn")


class Exchanged(EventFacts):
    """An Austausch: two cards change places. `seats` are their owners, `lanes` where they came from.

    `mud` says for each card whether it was in the penalty zone; None if neither was.
    """

    cards: tuple[str, ...]
    seats: tuple[Seat, ...]
    lanes: tuple[int, ...]
    mud: tuple[bool, ...] | None = None

    def says(self, names: Sequence[str]) -> Text:
        cards = zip(self.seats, self.cards, self.lanes, self.mud or (False, False), strict=True)
        one, other = (
            msg("{name} {card} (mud of {lane})", name=names[seat], card=card, lane=lane)
            if mud
            else msg("{name} {card} ({lane})", name=names[seat], card=card, lane=lane)
            for seat, card, lane, mud in cards
        )
        return msg("{who} swaps {cards}", cards=msg("{one} - {other}", one=one, other=other))


class Thrown(EventFacts):
    card: str
    lane: int
    SAYS = msg("{who}'s {card} is thrown into the mud of lane {lane}")
    TONE = BAD


class Reward(EventFacts):
    ducats: int
    SAYS = msg("The bank gives {who} {ducats} ducat")
    TONE = GOOD
    SOUND = PAY


class Reordered(EventFacts):
    lane: int
    cards: tuple[str, ...]
    seats: tuple[Seat, ...]

    def says(self, names: Sequence[str]) -> Text:
        track = ", ".join(f"{names[seat]} {card}" for seat, card in zip(self.seats, self.cards, strict=True))
        return msg("{who} reorders lane {lane}: {cards}", cards=track)


class Declined(EventFacts):
    SAYS = msg("{who} skips the action")


class RaceEnd(EventFacts):
    race: int
    SAYS = msg("Race {race} is over: {who} ended it")


class EarlyEnd(EventFacts):
    race: int
    SAYS = msg("Race {race} is over: nobody can play a card")


class Mc(EventFacts):
    cards: int
    SAYS = msg("{who} takes an MC card and now has {cards}")
    TONE = BAD
    TASK = msg("Take an MC card")


class FreeRight(EventFacts):
    """The seat may take back `one` card for free, or `all`."""

    cards: str

    def says(self, names: Sequence[str]) -> Text:
        if self.cards == "one":
            return msg("{who} may take back one card for free")
        return msg("{who} may take back all their cards for free")


class McMoved(EventFacts):
    """A Schiebung: an MC card moves from `source` to `seats[0]`, who now has `cards`."""

    source: Seat
    seats: tuple[Seat, ...]
    cards: int

    def says(self, names: Sequence[str]) -> Text:
        giver, taker = names[self.source], names[self.seats[0]]
        return msg("{who} moves an MC card from {giver} to {taker}", giver=giver, taker=taker)


class Lane(EventFacts):
    """The payment of a lane to a seat or to nobody. `why` is as in LaneResult."""

    lane: int
    why: str
    ducats: int
    TONE = GOOD
    SOUND = PAY

    def says(self, names: Sequence[str]) -> Text:
        return _LANE[self.why]._replace(values=(("n", self.ducats),))

    def feats(self, seat: Seat | None) -> Iterable[Achieved]:
        return () if seat is None else (RICHEST_RACE.by(self.ducats, seat),)


_LANE: Final = {
    "sum": msg("Lane {lane}: {who} gets {ducats} ducat", "Lane {lane}: {who} gets {ducats} ducats"),
    "cards": msg(
        "Lane {lane}: {who} gets {ducats} ducat with more cards",
        "Lane {lane}: {who} gets {ducats} ducats with more cards",
    ),
    "empty": msg("Lane {lane} pays nothing: it is empty"),
    "zero": msg("Lane {lane} pays nothing: only a zero"),
    "colour": msg("Lane {lane} pays nothing: only one colour"),
    "tie": msg("Lane {lane} pays nothing: a tie"),
}


class BankEmpty(EventFacts):
    SAYS = TASK = msg("The bank is empty: write down what it owes")


class Bought(EventFacts):
    card: str
    lane: int
    ducats: int
    SOUND = PAY

    def says(self, names: Sequence[str]) -> Text:
        if not self.ducats:
            return msg("{who} takes back {card} from lane {lane} for free")
        return msg(
            "{who} buys back {card} from lane {lane} for {ducats} ducat",
            "{who} buys back {card} from lane {lane} for {ducats} ducats",
            n=self.ducats,
        )

    def task(self) -> Text:
        if not self.ducats:
            return msg("Take back {card} from lane {lane}")
        return msg(
            "Pay {n} ducat, take back {card} from lane {lane}",
            "Pay {n} ducats, take back {card} from lane {lane}",
            n=self.ducats,
        )

    def feats(self, seat: Seat | None) -> Iterable[Achieved]:
        return (DEAREST_CARD.by(self.ducats, seat),) if seat is not None and self.ducats else ()


class Left(EventFacts):
    card: str
    lane: int
    SAYS = msg("{who} leaves {card} in the mud of lane {lane}")


class Removed(EventFacts):
    cards: int
    TASK = msg("Take cards left in the mud out of the game")

    def says(self, names: Sequence[str]) -> Text:
        return msg("{cards} card leaves the game", "{cards} cards leave the game", n=self.cards)


class McPaid(EventFacts):
    cards: int
    ducats: int
    SOUND = PAY

    def says(self, names: Sequence[str]) -> Text:
        return msg(
            "{who} pays {ducats} for {cards} MC card", "{who} pays {ducats} for {cards} MC cards", n=self.cards
        )


class McUnpaid(EventFacts):
    cards: int
    ducats: int
    TONE = BAD

    def says(self, names: Sequence[str]) -> Text:
        return msg(
            "{who} cannot pay {ducats} for {cards} MC card",
            "{who} cannot pay {ducats} for {cards} MC cards",
            n=self.cards,
        )


class Over(EventFacts):
    """The match is over.

    `reason` is `ducats`, `cards` (equal ducats, more points in hand), `cards_and_tracks`, `shared`, `debt`,
    `shared_debt` or `all_last` (nobody could pay).
    """

    ranking: Ranking
    purses: tuple[int, ...]
    reason: str

    def says(self, names: Sequence[str]) -> Text:
        best = self.purses[self.ranking[0][0]]
        return _OVER[self.reason]._replace(values=(("best", best), ("n", best)))

    def feats(self, seat: Seat | None) -> Iterable[Achieved]:
        return CLOSEST_FINISH.of_end(self.ranking, self.purses)


_OVER: Final = {
    "ducats": msg("{who} wins with {best} ducat", "{who} wins with {best} ducats"),
    "cards": msg(
        "{who} wins, {best} ducat and more points in hand",
        "{who} wins, {best} ducats and more points in hand",
    ),
    "cards_and_tracks": msg(
        "{who} wins, {best} ducat and more points on cards",
        "{who} wins, {best} ducats and more points on cards",
    ),
    "shared": msg("{who} share the win with {best} ducat", "{who} share the win with {best} ducats"),
    "debt": msg("Everyone is in debt: {who} owes the least and wins"),
    "shared_debt": msg("Everyone is in debt: {who} owe the least and win"),
    "all_last": msg("Everyone is in debt: {who} are tied"),
}
