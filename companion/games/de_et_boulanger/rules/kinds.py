"""The events of Dé et Boulanger, in the order of docs/headless.md."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from companion.core.event import BAD, CARD, GOOD, PAY, EventFacts
from companion.core.feats import Achieved, Feat
from companion.core.move import Seat
from companion.core.rules import Ranking
from companion.core.text import Text, listed, msg
from companion.games.de_et_boulanger.rules.board import SIDE_NAMES, SIDES

_COUNTED: Final = {
    "flour": msg("{n} flour", "{n} flour"),
    "water": msg("{n} water", "{n} water"),
    "butter": msg("{n} butter", "{n} butter"),
    "bread": msg("{n} bread", "{n} breads"),
    "croissant": msg("{n} croissant", "{n} croissants"),
    "sous": msg("{n} sou", "{n} sous"),
}


def goods_text(counts: Mapping[str, int]) -> Text:
    there = [_counted(goods, n) for goods, n in counts.items() if n]
    return listed(there) if there else msg("nothing")


def _counted(goods: str, n: int) -> Text:
    return _COUNTED[goods]._replace(values=(("n", n),))


def _paid(sous: int) -> Text:
    return goods_text({"sous": sous})


BIGGEST_SALE: Final = Feat("sale", msg("Biggest sale"), msg("{who} sells for {amount} at once"), _paid, great=30)
CLOSEST_FINISH: Final = Feat(
    "finish", msg("Closest finish"), msg("{who} beats {rival} by {amount}"), _paid, great=2, least=True
)
FEATS: Final = (BIGGEST_SALE, CLOSEST_FINISH)


class Bakery(EventFacts):
    side: str

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} takes bakery {side}", side=SIDE_NAMES[SIDES.index(self.side)])

    def task(self) -> Text:
        side = SIDE_NAMES[SIDES.index(self.side)]
        return msg("Your bakery is {side}: put your baker there", side=side)


class Tiles(EventFacts):
    tiles: tuple[str, ...]

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} lines up the tiles: {tiles}", tiles=", ".join(self.tiles))


class StartRolls(EventFacts):
    SAYS = msg("Everybody rolls for the first turn")


class Handicap(EventFacts):
    sous: int

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} begins with {paid} extra", paid=_paid(self.sous))

    def task(self) -> Text:
        return msg("Take {paid}", paid=_paid(self.sous))


class StartRoll(EventFacts):
    die: int
    SAYS = msg("{who} rolls a {die}")


class StartAgain(EventFacts):
    seats: tuple[Seat, ...]
    SAYS = msg("A tie: {who} roll again")


class First(EventFacts):
    seats: tuple[Seat, ...]

    def says(self, names: Sequence[str]) -> Text:
        return msg("Order of play: {who}", who=", ".join(names[seat] for seat in self.seats))


class Round(EventFacts):
    round: int
    of: int
    SAYS = msg("Round {round} of {of}")


class Errands(EventFacts):
    SAYS = msg("Everybody moves and enters purchases")


class Turn(EventFacts):
    series: int
    of: int
    SAYS = msg("{who} is next, roll {series} of {of}")
    SOUND = CARD


class Load(EventFacts):
    sous: int
    cash: int

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} loads {goods}, {cash} left", goods=_paid(self.sous))


class Unload(EventFacts):
    flour: int
    water: int
    butter: int
    sous: int

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} unloads {goods}", goods=goods_text(vars(self)))

    def task(self) -> Text:
        return msg("Put away {goods}", goods=goods_text(vars(self)))


class Trade(EventFacts):
    n: int
    sous: int

    def says(self, names: Sequence[str]) -> Text:
        goods = _counted(self.KIND, self.n)
        if self.sous:
            return msg("{who} buys {goods} for {paid}", goods=goods, paid=_paid(self.sous))
        return msg("{who} takes {goods}", goods=goods)


class Flour(Trade):
    """The seat buys `n` flour at a mill."""


class Butter(Trade):
    """The seat buys `n` butter at a farm."""


class Water(Trade):
    """The seat takes `n` water at the fountain."""


class Roll(EventFacts):
    die: int
    SAYS = msg("{who} rolls a {die}")
    SOUND = CARD


class Step(EventFacts):
    """The seat enters the square `to` and has `steps` left.

    `at` is `plain`, `mill`, `farm`, `fountain` or `shop`.
    """

    to: str
    at: str
    steps: int

    def says(self, names: Sequence[str]) -> Text | None:
        # The display shows the walk, so only its destination is worded.
        return _STEPS.get(self.at) if self.at != "plain" or self.steps else msg("{who} stops on the way")


_STEPS: Final = {
    "shop": msg("{who} comes home"),
    "mill": msg("{who} reaches the mill {to}"),
    "farm": msg("{who} reaches the farm {to}"),
    "fountain": msg("{who} reaches the fountain"),
}


class Home(EventFacts):
    home: int

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} is home") if self.home else msg("{who} is not home")


class Stay(EventFacts):
    SAYS = msg("{who} stays at home today")


class Bonus(EventFacts):
    sous: int
    cash: int
    TONE = GOOD
    SOUND = PAY

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} is home in time and gets {paid}, now {cash}", paid=_paid(self.sous))

    def task(self) -> Text | None:
        return msg("Take {paid}", paid=_paid(self.sous)) if self.sous else None


class Carried(EventFacts):
    SAYS = msg("{who}'s baker is carried home")
    TASK = msg("Carry your baker home")


class Production(EventFacts):
    SAYS = msg("All bakers are home. Everybody bakes")


class Bake(EventFacts):
    bread: int
    croissant: int
    flour: int
    water: int
    butter: int

    def says(self, names: Sequence[str]) -> Text:
        if not self.bread and not self.croissant:
            return msg("{who} bakes nothing")
        return msg("{who} bakes {goods}", goods=goods_text({"bread": self.bread, "croissant": self.croissant}))


class Validate(EventFacts):
    SAYS = msg("{who} has finished baking")


class Selling(EventFacts):
    SAYS = msg("The bakeries open")


class Sale(EventFacts):
    die: int
    tile: str
    SAYS = msg("{who} rolls a {die}: tile {tile}")
    SOUND = CARD
    TASK = msg("Move your marker to tile {tile}")


class Sold(EventFacts):
    bread: int
    croissant: int
    sous: int
    cash: int

    @property
    def tone(self) -> str:
        return GOOD if self.sous else BAD

    @property
    def sound(self) -> str:
        return PAY if self.sous else ""

    def says(self, names: Sequence[str]) -> Text:
        if not self.bread and not self.croissant:
            return msg("{who} sells nothing")
        goods = goods_text({"bread": self.bread, "croissant": self.croissant})
        return msg("{who} sells {goods} for {paid}, now {cash}", goods=goods, paid=_paid(self.sous))

    def task(self) -> Text | None:
        if self.sous:  # unsold products are lost, so the shop is empty
            return msg("Clear the shop, take {paid}", paid=_paid(self.sous))
        return msg("Clear the shop") if self.bread or self.croissant else None

    def feats(self, seat: Seat | None) -> Iterable[Achieved]:
        return (BIGGEST_SALE.by(self.sous, seat),) if seat is not None and self.sous else ()


class Incident(EventFacts):
    """An incident: `flood`, `earthquake` or `gift`."""

    die: int
    effect: str
    TONE = BAD

    def says(self, names: Sequence[str]) -> Text:
        return _INCIDENTS[self.effect]


_INCIDENTS: Final = {
    "flood": msg("{who} rolls a {die}: a flood in the shop"),
    "earthquake": msg("{who} rolls a {die}: an earthquake"),
    "gift": msg("{who} rolls a {die}: a gift to charity"),
}


class Ruined(EventFacts):
    flour: int
    water: int
    butter: int
    TASK = msg("Clear the laboratory")

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who}'s lab loses {goods}", goods=goods_text(vars(self)))


class Gift(EventFacts):
    sous: int
    cash: int
    SOUND = PAY

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} gives {paid} and keeps {cash}", paid=_paid(self.sous))

    def task(self) -> Text | None:
        return msg("Give away {paid}", paid=_paid(self.sous)) if self.sous else None


class Lost(EventFacts):
    bread: int
    croissant: int
    TASK = msg("Clear the shop")

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} loses {goods}", goods=goods_text(vars(self)))


class TileUsed(EventFacts):
    tile: str
    marker: str
    SAYS = msg("{who}: tile {tile} is used up, marker to {marker}")
    TASK = msg("Remove tile {tile}, marker to {marker}")


class Over(EventFacts):
    ranking: Ranking
    cash: tuple[int, ...]

    def says(self, names: Sequence[str]) -> Text:
        winners = len(self.ranking[0])
        return msg("{who} wins with the most sous", "{who} win with the most sous", n=winners)

    def feats(self, seat: Seat | None) -> Iterable[Achieved]:
        return CLOSEST_FINISH.of_end(self.ranking, self.cash)
