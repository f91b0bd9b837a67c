"""Sets the kitchen to an amount, with cards that can pay (BC-R19, BC-R21, BC-A4, BC-A24)."""

from collections.abc import Iterator
from functools import lru_cache
from operator import le
from typing import Final, NamedTuple

from companion.games.buro_crazy.rules.change import (
    ROOF,
    Cards,
    Swap,
    fewest,
    minus,
    no_cards,
    plus,
    sums,
    swapped,
    with_change,
    worth,
)

LOOKED_AT: Final = 100_000
"""Maximum choices, with dead ends, per refill. For 80 points there are up to 94,000."""


class Filled(NamedTuple):
    """The cards from stock and roof, what these have left, and their swap."""

    from_stock: Cards
    from_roof: Cards
    stock: Cards
    roof: Cards
    swap: Swap | None


def fill(
    amount: int,
    kitchen: Cards,
    stock: Cards,
    roof: Cards,
    values: Cards,
    *,
    model: Cards,
    change: bool = True,
) -> Filled:
    """Add an amount from the stock, else after a swap with the roof, else from both.

    An impossible amount becomes the highest possible one below. The cards are chosen by `best_for`.
    """

    def choose(amount: int, kitchen: Cards, source: Cards) -> Cards | None:
        return best_for(amount, kitchen, source, model, values)

    none = no_cards(values)
    chosen = choose(amount, kitchen, stock)
    if chosen is not None:
        return Filled(chosen, none, minus(stock, chosen), roof, None)
    paid = with_change(amount, (stock,), ((ROOF, roof),), values) if change else None
    if paid is not None:
        chosen, left, swap = paid
        changed = plus(chosen, left)
        chosen = choose(amount, kitchen, changed)
        assert chosen is not None
        return Filled(chosen, none, minus(changed, chosen), swapped(ROOF, roof, swap), swap)
    first, second = _most(amount, stock, roof, values)
    from_stock = choose(first, kitchen, stock)
    assert from_stock is not None
    from_roof = choose(second, plus(kitchen, from_stock), roof)
    assert from_roof is not None
    return Filled(from_stock, from_roof, minus(stock, from_stock), minus(roof, from_roof), None)


def exchange(target: int, kitchen: Cards, roof: Cards, model: Cards, values: Cards) -> tuple[Cards, Cards] | None:
    """Return the cards given to and taken from the roof for a kitchen worth `target`, if any.

    Used if the roof has no exact amount. `best_for` chooses from all cards of both.
    """
    chosen = best_for(target, no_cards(values), plus(kitchen, roof), model, values)
    if chosen is None:
        return None
    kept = tuple(map(min, kitchen, chosen))
    return minus(kitchen, kept), minus(chosen, kept)


def best_for(amount: int, kitchen: Cards, source: Cards, model: Cards, values: Cards) -> Cards | None:
    """Return cards of `source` worth `amount` with which the kitchen can pay most amounts (BC-A4).

    Equal choices are ranked by their likeness to the `model`. The search stops after LOOKED_AT choices. None if
    impossible.
    """
    if len(values) == 1:
        return (amount,) if amount <= source[0] else None
    # Try the best choice from unlimited cards first: it is often possible, and cached.
    plenty = tuple(amount // value for value in values)
    best = _best_for(amount, kitchen, plenty, model, values)
    if all(map(le, best, source)):
        return best
    if not sums(source, values) >> amount & 1:
        return None
    usable = tuple(min(number, amount // value) for number, value in zip(source, values, strict=True))
    return _best_for(amount, kitchen, usable, model, values)


@lru_cache(maxsize=1024)
def _best_for(amount: int, kitchen: Cards, source: Cards, model: Cards, values: Cards) -> Cards:
    best, most, all_amounts = fewest(amount, source, values), 0, worth(kitchen, values) + amount + 1
    assert best is not None
    looked_at = 0
    for unlike in range(1 + sum(map(max, plus(kitchen, source), model))):
        for choice in _refills(amount, unlike, minus(model, kitchen), source, values):
            looked_at += 1
            if looked_at > LOOKED_AT:
                return best
            if choice is None:
                continue
            payable = sums(plus(kitchen, choice), values).bit_count()
            if payable > most:
                best, most = choice, payable
            if most == all_amounts:
                return best
    return best


def _refills(amount: int, unlike: int, missing: Cards, source: Cards, values: Cards) -> Iterator[Cards | None]:
    """Yield choices with `unlike` cards more or fewer than `missing`; None for a dead end."""
    value, wanted, most = values[-1], missing[-1], min(source[-1], amount // values[-1])
    if len(values) == 1:
        yield (most,) if amount == most * value and abs(most - wanted) == unlike else None
        return
    numbers = range(max(0, wanted - unlike), min(most, wanted + unlike) + 1)
    if not numbers:
        yield None
    for number in numbers:
        others = unlike - abs(number - wanted)
        for lower in _refills(amount - number * value, others, missing[:-1], source[:-1], values[:-1]):
            yield lower and (*lower, number)


def _most(amount: int, stock: Cards, roof: Cards, values: Cards) -> tuple[int, int]:
    """Return the highest possible amounts, as much as possible from the stock."""
    stock_sums, roof_sums = sums(stock, values), sums(roof, values)
    return next(
        (part, total - part)
        for total in range(amount, -1, -1)
        for part in range(total, -1, -1)
        if stock_sums >> part & 1 and roof_sums >> (total - part) & 1
    )
