"""Payments in whole cards: exact, with change, or rounded (docs/rules/buro_crazy.md, "Change").

Cards are counts by rising value: `(0, 2, 0, 0, 1)` of `(1, 2, 5, 10, 20)` are 20+2+2.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from operator import add, mul, sub
from typing import Final, NamedTuple

Cards = tuple[int, ...]

MOST_BROKEN: Final = 3
"""Maximum cards broken in a swap, as people would not make larger change."""

STOCK: Final = "stock"
ROOF: Final = "roof"
KITCHEN: Final = "kitchen"
HAND: Final = "hand"


class Swap(NamedTuple):
    """Cards `given` to the pile `stock` or `roof`, and `taken` for them."""

    given: Cards
    taken: Cards
    pile: str


class Paid(NamedTuple):
    """A payment, what the payer has left, and the piles that gave change."""

    cards: Cards
    left: Cards
    stock: Cards
    roof: Cards
    swap: Swap | None


def worth(cards: Cards, values: Cards) -> int:
    return sum(map(mul, cards, values))


def no_cards(values: Cards) -> Cards:
    return (0,) * len(values)


def plus(cards: Cards, others: Cards) -> Cards:
    return tuple(map(add, cards, others))


def minus(cards: Cards, others: Cards) -> Cards:
    return tuple(map(sub, cards, others))


def fewest(amount: int, cards: Cards, values: Cards) -> Cards | None:
    """Return the fewest cards worth `amount`, preferring high ones; None if impossible."""
    rest, chosen = amount, list(cards)
    for place in range(len(cards) - 1, -1, -1):
        most = rest // values[place]
        if most < cards[place]:
            chosen[place] = most
        rest -= chosen[place] * values[place]
    if not rest:  # the usual case: taking as many as possible of each value works
        return tuple(chosen)
    if not sums(cards, values) >> amount & 1:
        return None
    return _highest(amount, cards, values, len(values) - 1)


def sums(cards: Cards, values: Cards) -> int:
    """Return every amount that some of the cards are worth, as the bits of a number."""
    bits = 1
    for count, value in zip(cards, values, strict=True):
        rest, some = count, 1
        while rest:  # 7 cards are 1 + 2 + 4 cards: any number of them is a sum of these three
            some = min(some, rest)
            bits |= bits << some * value
            rest -= some
            some *= 2
    return bits


def _highest(amount: int, cards: Cards, values: Cards, place: int) -> Cards | None:
    # With 1, 2, 5, 10 and 20 the choice with the highest cards also has the fewest; a test compares.
    if not amount:
        return (0,) * (place + 1)
    if place < 0:
        return None
    value = values[place]
    for number in range(min(cards[place], amount // value), -1, -1):
        rest = _highest(amount - number * value, cards, values, place - 1)
        if rest is not None:
            return (*rest, number)
    return None


def pay(
    amount: int,
    cards: Cards,
    stock: Cards,
    roof: Cards,
    values: Cards,
    *,
    change: bool = True,
    up: bool = False,
    rest: Cards | None = None,
) -> Paid:
    """Pay an amount: exactly, else with change from the stock, else from the roof, else rounded.

    `rest` is used only if `cards` cannot pay exactly, and as little as possible. `change` allows swaps; `up` rounds
    up. An amount above everything held takes all of it.
    """
    held = cards if rest is None else plus(cards, rest)
    if amount >= worth(held, values):
        return Paid(held, no_cards(values), stock, roof, None)
    chosen = fewest(amount, cards, values)
    if chosen is not None:  # the usual case
        return Paid(chosen, minus(held, chosen), stock, roof, None)
    piles = ((STOCK, stock), (ROOF, roof)) if change else ()
    paid = _exactly(amount, cards, rest, piles, values)
    while paid is None:  # ends, since paying nothing and paying everything are possible
        amount += 1 if up else -1
        paid = _exactly(amount, cards, rest, piles, values)
    chosen, left, swap = paid
    return Paid(chosen, left, swapped(STOCK, stock, swap), swapped(ROOF, roof, swap), swap)


Piles = Sequence[tuple[str, Cards]]
Exactly = tuple[Cards, Cards, Swap | None]
"""The cards paid, the cards left, and the swap before."""


def _exactly(amount: int, cards: Cards, rest: Cards | None, piles: Piles, values: Cards) -> Exactly | None:
    chosen = fewest(amount, cards, values)
    if rest is None:
        if chosen is not None:
            return chosen, minus(cards, chosen), None
        return with_change(amount, (cards,), piles, values)
    held = plus(cards, rest)
    if chosen is None:
        chosen = _with_some_of(rest, amount, cards, values)
    if chosen is not None:
        return chosen, minus(held, chosen), None
    paid = with_change(amount, (cards, held), piles, values)
    if paid is None:
        return None
    chosen, _, swap = paid
    assert swap is not None
    return chosen, minus(plus(minus(held, swap.given), swap.taken), chosen), swap


def _with_some_of(rest: Cards, amount: int, cards: Cards, values: Cards) -> Cards | None:
    """Pay exactly, with as many points of `cards` as possible."""
    mine, others = sums(cards, values), sums(rest, values)
    for part in range(min(amount, mine.bit_length() - 1), -1, -1):
        if mine >> part & 1 and others >> (amount - part) & 1:
            first, second = fewest(part, cards, values), fewest(amount - part, rest, values)
            assert first is not None
            assert second is not None
            return plus(first, second)
    return None


def with_change(amount: int, payers: Sequence[Cards], piles: Piles, values: Cards) -> Exactly | None:
    """Pay after a swap, with the first pile and the first of `payers` that allow it."""
    for name, pile in piles:
        for cards in payers:
            for given, taken, highest in _trades(values):
                if not cards[highest] or min(minus(cards, given)) < 0 or min(minus(pile, taken)) < 0:
                    continue
                changed = plus(minus(cards, given), taken)
                chosen = fewest(amount, changed, values)
                if chosen is not None:
                    return chosen, minus(changed, chosen), Swap(given, taken, name)
    return None


def swapped(name: str, pile: Cards, swap: Swap | None) -> Cards:
    """Return the pile `name` after a swap, which may be with another pile."""
    if swap is None or swap.pile != name:
        return pile
    return plus(minus(pile, swap.taken), swap.given)


@cache
def _trades(values: Cards) -> Sequence[tuple[Cards, Cards, int]]:
    """Return swaps of up to MOST_BROKEN cards, those that move fewer first: given, taken, highest index given."""
    trades = []
    for number in range(1, MOST_BROKEN + 1):
        for broken in combinations_with_replacement(range(len(values)), number):
            given = tuple(broken.count(place) for place in range(len(values)))
            # Nothing is both given and taken, and the highest card is given.
            usable = tuple(place < broken[-1] and place not in broken for place in range(len(values)))
            trades += [(given, taken, broken[-1]) for taken in _splits(worth(given, values), values, usable)]
    return sorted(trades, key=lambda trade: sum(trade[0]) + sum(trade[1]))


def _splits(amount: int, values: Cards, usable: Sequence[bool]) -> Iterator[Cards]:
    if not values:
        if not amount:
            yield ()
        return
    most = amount // values[-1] if usable[-1] else 0
    for number in range(most + 1):
        for rest in _splits(amount - number * values[-1], values[:-1], usable[:-1]):
            yield (*rest, number)
