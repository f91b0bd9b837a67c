"""The events of Büro Crazy, in the order of docs/headless.md."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from companion.core.event import BAD, CARD, GOOD, PAY, EventFacts
from companion.core.feats import Achieved, Feat
from companion.core.move import Seat
from companion.core.rules import Ranking
from companion.core.text import Text, msg
from companion.games.buro_crazy.rules.change import HAND, KITCHEN, ROOF, STOCK, Cards

SHORT: Final = 30
"""Names and bids with more characters exceed two lines at a short edge."""

_COLOURS: Final = {
    "red": msg("red"),
    "blue": msg("blue"),
    "green": msg("green"),
    "yellow": msg("yellow"),
    "black": msg("black"),
}
"""Words of the built-in box. Those of custom boxes stay as they are."""

_PILES: Final = {STOCK: msg("stock"), ROOF: msg("roof")}

_SWAPS: Final = {
    (KITCHEN, STOCK): msg("Kitchen changes {given} for {taken} (stock)"),
    (KITCHEN, ROOF): msg("Kitchen changes {given} for {taken} (roof)"),
    (STOCK, ROOF): msg("Stock changes {given} for {taken} (roof)"),
    (HAND, STOCK): msg("Change {given} for {taken} (stock)"),
    (HAND, ROOF): msg("Change {given} for {taken} (roof)"),
}
"""The tasks of swaps, by payer and pile."""


def points_text(n: int) -> Text:
    return msg("{n} point", "{n} points", n=n)


BIGGEST_BID: Final = Feat("bid", msg("Biggest bid"), msg("{who} bids {amount} in one duel"), points_text, great=80)
CLOSEST_DUEL: Final = Feat(
    "duel", msg("Closest duel"), msg("{who} outbids {rival} by {amount}"), points_text, great=2, least=True
)
CLOSEST_FINISH: Final = Feat(
    "finish", msg("Closest finish"), msg("{who} beats {rival} by {amount}"), points_text, great=5, least=True
)
FEATS: Final = (BIGGEST_BID, CLOSEST_DUEL, CLOSEST_FINISH)
"""Remarkable results of a match."""


def colour_text(name: str) -> Text:
    return _COLOURS.get(name) or Text(name)


def summed(points: int, cards: Cards) -> str:
    """Return points as `23 = 20+2+1`, or `23` for a single card or unknown ones."""
    return f"{points} = {_plus(cards)}" if len(cards) > 1 else str(points)


def _plus(cards: Cards) -> str:
    return "+".join(map(str, cards))


def _heap(cards: Cards) -> str:
    """Return cards grouped by value: `3x20 5 2x1`."""
    numbers = [(value, len(list(same))) for value, same in groupby(sorted(cards, reverse=True))]
    return " ".join(f"{n}x{value}" if n > 1 else str(value) for value, n in numbers)


class Colour(EventFacts):
    colour: str

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} plays {colour}", colour=colour_text(self.colour))


class Placed(EventFacts):
    seats: tuple[Seat, ...]
    SAYS = msg("On the stairs from the left: {who}")
    TASK = msg("Figures and kitchen as on the screen")


class Dealt(EventFacts):
    cards: int
    points: int
    SAYS = msg("Each player gets {cards} cards worth {points}")
    TASK = msg("Each takes {cards} cards worth {points}")


class Handicap(EventFacts):
    points: int
    cards: Cards
    SAYS = msg("{who} starts with {points} extra")

    def task(self) -> Text:
        return msg("Take {cards} (stock)", cards=_heap(self.cards) or self.points)


class Kitchen(EventFacts):
    """A floor begins, and the kitchen has `points`, `change` more than before.

    The cards `added` came from the stock, `from_roof` from the roof. Those `removed` went to the stock, or to the
    roof if `roof_points`, the net gain from it, is negative or `from_roof` has cards.
    """

    floor: str
    points: int
    target: int
    change: int
    added: Cards | None = None
    from_roof: Cards | None = None
    roof_points: int | None = None
    removed: Cards | None = None

    def says(self, names: Sequence[str]) -> Text:
        roof = self.roof_points or 0
        added, from_roof, removed = self.added or (), self.from_roof or (), self.removed or ()
        if removed and from_roof:  # in an exchange, the cards do not add up to the change
            from_roof = removed = ()
        if self.change < 0:
            less = summed(-self.change, removed)
            if roof:
                return msg("The kitchen gives {less} to the roof, now {points}", less=less)
            return msg("The kitchen gives {less} to the stock, now {points}", less=less)
        if not self.change:
            return msg("The kitchen has {points}")
        more, got = summed(self.change - roof, added), summed(roof, from_roof)
        if not roof:
            return msg("The kitchen gets {more} from the stock, now {points}", more=more)
        if self.change > roof:
            return msg("The kitchen gets {more} (stock), {roof} (roof), now {points}", more=more, roof=got)
        return msg("The kitchen gets {roof} from the roof, now {points}", roof=got)

    def task(self) -> Text | None:
        added, from_roof, removed = (_heap(cards or ()) for cards in (self.added, self.from_roof, self.removed))
        roof = self.roof_points or 0
        if not self.change:
            return None
        if removed and from_roof:
            return _SWAPS[KITCHEN, ROOF]._replace(values=(("given", removed), ("taken", from_roof)))
        if self.change < 0:
            text = msg("Kitchen to roof: {cards}") if roof < 0 else msg("Kitchen to stock: {cards}")
            return text._replace(values=(("cards", removed or -self.change),))
        if added and from_roof:
            return msg("To the kitchen: {added} (stock), {from_roof} (roof)", added=added, from_roof=from_roof)
        if roof:
            return msg("Roof to kitchen: {cards}", cards=from_roof or roof)
        return msg("Stock to kitchen: {cards}", cards=added or self.change)


class Duel(EventFacts):
    pair: str
    seats: tuple[Seat, ...]
    attempt: int
    SOUND = CARD

    def says(self, names: Sequence[str]) -> Text:
        first, second = (names[seat] for seat in self.seats)
        if self.attempt > 1:
            return msg("{pair} again: {first} and {second} bid in secret", first=first, second=second)
        return msg("{pair}: {first} and {second} bid in secret", first=first, second=second)


class Locked(EventFacts):
    SAYS = msg("{who} has locked a bid")


class Unlocked(EventFacts):
    SAYS = msg("{who} has reopened the bid")


class Reveal(EventFacts):
    pair: str
    seats: tuple[Seat, ...]
    bids: tuple[Cards, Cards]
    totals: tuple[int, int]

    def says(self, names: Sequence[str]) -> Text:
        first, second = (names[seat] for seat in self.seats)
        one, other = map(summed, self.totals, self.bids)
        if sum(map(len, (first, second, one, other))) > SHORT:
            one, other = map(str, self.totals)  # the cards are open on the table
        return msg("{first} bids {one}, {second} bids {other}", first=first, second=second, one=one, other=other)

    def feats(self, seat: Seat | None) -> Iterable[Achieved]:
        (low, loser), (high, winner) = sorted(zip(self.totals, self.seats, strict=True))
        yield BIGGEST_BID.by(high, winner)
        if 0 < low < high:
            yield CLOSEST_DUEL.by(high - low, winner, loser)


class Up(EventFacts):
    """A figure moves up to another pair's place, or to `B`, the boss suite."""

    pair: str
    to: str
    TONE = GOOD
    TASK = msg("Move up to {to}")

    def says(self, names: Sequence[str]) -> Text:
        return (
            msg("{who} moves up to the boss suite") if self.to == "B" else msg("{who} moves up from {pair} to {to}")
        )


class Discard(EventFacts):
    points: int
    cards: Cards
    TASK = msg("Lay your bid on the roof")

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} lays {sum} on the roof", sum=summed(self.points, self.cards))


class Gain(EventFacts):
    points: int
    due: int
    cards: Cards

    @property
    def tone(self) -> str:
        return GOOD if self.points else BAD

    @property
    def sound(self) -> str:
        return PAY if self.points else ""

    def says(self, names: Sequence[str]) -> Text:
        paid = summed(self.points, self.cards)
        if self.points == self.due:
            return msg("The kitchen gives {who} {sum}", sum=paid)
        if self.points:
            return msg("The kitchen gives {who} only {sum}, not {due}", sum=paid)
        return msg("The kitchen has nothing for {who}")

    def task(self) -> Text | None:
        return msg("Take {cards}", cards=_heap(self.cards) or self.points) if self.points else None


class Swap(EventFacts):
    """The `payer` (`kitchen`, `stock` or `hand`) swaps cards with a `pile` (`stock` or `roof`).

    Only its own seat learns of a swap by a `hand`.
    """

    payer: str
    given: Cards
    taken: Cards
    pile: str

    def says(self, names: Sequence[str]) -> Text:
        given, taken, pile = _plus(self.given), _plus(self.taken), _PILES[self.pile]
        if self.payer == HAND:
            return msg("{who} changes {given} for {taken} with the {pile}", given=given, taken=taken, pile=pile)
        payer = msg("the kitchen") if self.payer == KITCHEN else msg("the stock")
        return msg(
            "With the {pile}: {payer} changes {given} for {taken}", payer=payer, given=given, taken=taken, pile=pile
        )

    def task(self) -> Text:
        values = (("given", _heap(self.given)), ("taken", _heap(self.taken)))
        return _SWAPS[self.payer, self.pile]._replace(values=values)


class Tie(EventFacts):
    seats: tuple[Seat, ...]
    points: int
    half: int

    def says(self, names: Sequence[str]) -> Text:
        return msg("A tie at {points}: each loses {half}") if self.points else msg("A tie at 0")


class Loss(EventFacts):
    """The seat puts `points` on the roof, as `n` cards. Without fitting change they differ from `due`."""

    points: int
    due: int
    n: int
    TONE = BAD

    def says(self, names: Sequence[str]) -> Text | None:
        if self.points != self.due:
            return msg("{who} lays {points} on the roof, not {due}: no change")
        if not self.points:
            return None  # nothing to do
        if not self.n:
            return msg("{who} lays {points} on the roof")
        return msg("{who} lays {points} on the roof: {n} card", "{who} lays {points} on the roof: {n} cards")

    def task(self) -> Text | None:
        if not self.points:
            return None
        if not self.n:
            return msg("Pay {points} to the roof")  # only points are tracked
        return msg("Pay {points} to the roof: {n} card", "Pay {points} to the roof: {n} cards")


class LostCards(EventFacts):
    cards: Cards

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} lays these on the roof: {cards}", cards=_plus(self.cards))

    def task(self) -> Text:
        return msg("Lay {cards} on the roof", cards=_heap(self.cards))


class Toss(EventFacts):
    seats: tuple[Seat, ...]
    SAYS = msg("A coin decides between {who}")


class Coin(EventFacts):
    SAYS = msg("{who} wins the toss")
    TONE = GOOD


class Forfeit(EventFacts):
    pair: str
    points: int

    def says(self, names: Sequence[str]) -> Text:
        if self.points:
            return msg("{pair}: {who} is unopposed and pays {points}")
        return msg("{pair}: {who} is unopposed and pays nothing")


class Stays(EventFacts):
    pair: str
    due: int
    SAYS = msg("{pair}: {who} cannot pay {due} and stays")


class Alone(EventFacts):
    pair: str
    SAYS = msg("{pair}: {who} is alone and pays nothing")


class OwnPair(EventFacts):
    pair: str
    SAYS = msg("{pair}: both figures are {who}'s, one moves up")


class Piles(EventFacts):
    """The roof has `cards`, each pile gets `each`, and `seats` get `piles`.

    `seats` are in dealing order and may repeat.
    """

    seats: tuple[Seat, ...]
    piles: tuple[int, ...]
    cards: int
    each: int

    def says(self, names: Sequence[str]) -> Text:
        shares = ", ".join(f"{names[seat]} {piles}" for seat, piles in zip(self.seats, self.piles, strict=True))
        if not self.cards:
            return msg("The roof is dealt into equal piles. {who}", who=shares)
        return msg(
            "The roof has {n} card, {each} per pile. {who}",
            "The roof has {n} cards, {each} per pile. {who}",
            n=self.cards,
            who=shares,
        )

    def task(self) -> Text | None:
        if self.each:
            return msg("Shuffle the roof: piles of {each} as on the screen")
        return None if self.cards else msg("Shuffle the roof: equal piles as on the screen")


class Counted(EventFacts):
    cards: int

    def says(self, names: Sequence[str]) -> Text:
        return msg("{n} card is on the roof", "{n} cards are on the roof", n=self.cards)


class Reported(EventFacts):
    SAYS = msg("{who} has entered all points")


class Outside(EventFacts):
    SAYS = msg("{who} never left the stairs and cannot win")
    TONE = BAD


class Over(EventFacts):
    ranking: Ranking
    points: tuple[int, ...]

    def says(self, names: Sequence[str]) -> Text:
        points = ", ".join(f"{name} {n}" for name, n in zip(names, self.points, strict=True))
        return msg(
            "{who} wins. Points: {points}", "{who} win. Points: {points}", n=len(self.ranking[0]), points=points
        )

    def feats(self, seat: Seat | None) -> Iterable[Achieved]:
        return CLOSEST_FINISH.of_end(self.ranking, self.points)
