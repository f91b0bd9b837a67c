"""Büro Crazy's robots. They see only their seat's view, and type their bids."""

import random
from dataclasses import dataclass
from typing import Final

from companion.core.game import Bot
from companion.core.move import Move, Seat, SecretMove
from companion.core.text import Text, msg
from companion.games.buro_crazy import console
from companion.games.buro_crazy.console import may_bid
from companion.games.buro_crazy.rules import View, bid_verb
from companion.games.buro_crazy.rules.change import Cards, fewest, sums, worth
from companion.games.buro_crazy.rules.choices import Subsets
from companion.games.buro_crazy.rules.components import Rulings, by_cards, by_total
from companion.games.typist import Typist

THINK_MS: Final = 1800
"""Minimum thinking time, in which everybody sees the result of the last duel."""

_PATIENCE: Final = 5
"""After this many bids in a duel a planner bids anything, since two alike could tie for ever."""


@dataclass(frozen=True)
class Random:
    """Bids any cards, or any total, with equal probability."""

    def decide(self, view: View, seat: Seat, luck: random.Random) -> Move | None:
        if not may_bid(view, seat):
            return _report(view, seat)
        hand = view.hand
        assert hand is not None
        if by_total(view.rulings):
            cards = fewest(luck.choice(_totals(hand, view.values)), hand, view.values)
            assert cards is not None
        else:
            bids = Subsets(hand)
            cards = bids[luck.randrange(len(bids))]
        return SecretMove(seat, bid_verb(view.rulings), cards)


@dataclass(frozen=True)
class Planner:
    """Bids what a place is worth, with some randomness.

    For each floor, `stakes` are the usual points, `hopes` the percentage of an average pile of the roof that is
    added, and `most` the maximum percentage of the hand. `folds` is the probability of bidding nothing, `moods` the
    range of a random factor.
    """

    stakes: tuple[int, ...] = (20, 14, 20, 35)
    hopes: tuple[int, ...] = (20, 50, 75, 110)
    most: tuple[int, ...] = (25, 40, 60, 90)
    folds: float = 0.04
    moods: tuple[float, float] = (0.6, 1.4)

    def decide(self, view: View, seat: Seat, luck: random.Random) -> Move | None:
        if not may_bid(view, seat):
            return _report(view, seat)
        hand = view.hand
        assert hand is not None
        wish, totals = self._wish(view, worth(hand, view.values), luck), _totals(hand, view.values)
        if view.zeros and len(totals) > 1:
            wish = max(wish, totals[1])  # after a zero tie bid something: the other hand may be empty
        if view.attempt > _PATIENCE:
            wish = luck.choice(totals)
        cards = fewest(max(total for total in totals if total <= wish), hand, view.values)
        assert cards is not None
        return SecretMove(seat, bid_verb(view.rulings), cards)

    def _wish(self, view: View, held: int, luck: random.Random) -> int:
        floor = "PGFT".index(view.pair[0])
        if luck.random() < self.folds and view.pair != "T":
            return 0
        box = view.box
        pile = view.roof_cards * worth(box.deck, box.values) // (sum(box.deck) * box.piles)
        stake = (self.stakes[floor] + self.hopes[floor] * pile // 100) * luck.uniform(*self.moods)
        return min(int(stake), held * self.most[floor] // 100)


def _report(view: View, seat: Seat) -> Move | None:
    if not view.reporting or seat in view.reported or view.hand is None:
        return None
    return SecretMove(seat, "report", (worth(view.hand, view.values),))


def _totals(hand: Cards, values: Cards) -> list[int]:
    bits = sums(hand, values)
    return [total for total in range(bits.bit_length()) if bits >> total & 1]


def no_robots(rulings: Rulings, deal: str) -> Text | None:
    """Return why robots cannot play: they see neither change made by hand nor real cards."""
    if not by_cards(rulings):
        return msg("Robots need every card tracked")
    return msg("Robots cannot count real cards") if deal == "table" else None


_OVERBIDS: Final = Planner(stakes=(30, 25, 30, 40), most=(50, 65, 80, 95), moods=(0.3, 1.9))

_WASTES: Final = Planner(stakes=(70, 70, 70, 70), most=(38, 80, 95, 100), moods=(0.5, 1.5))

BOTS: Final[dict[str, Bot[View]]] = {
    "easy": Typist(_WASTES, console, THINK_MS),
    "middle": Typist(_OVERBIDS, console, THINK_MS),
    "strong": Typist(Planner(), console, THINK_MS),
    "random": Typist(Random(), console, THINK_MS),
}
