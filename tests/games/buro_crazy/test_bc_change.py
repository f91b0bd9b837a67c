"""Payments, compared with an exhaustive search."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.buro_crazy.rules.change import fewest, pay, sums, worth
from companion.games.buro_crazy.rules.refill import best_for, fill
from tests.games.buro_crazy.bc_table import BOX, cards_of, counts

VALUES = BOX.values

few = st.lists(st.sampled_from(VALUES), max_size=7)
some = st.lists(st.sampled_from(VALUES), max_size=9)
sixes = st.integers(0, 6)


def payments(cards: list[int]) -> dict[int, list[tuple[int, ...]]]:
    """Return every choice of cards by worth."""
    found: dict[int, list[tuple[int, ...]]] = {}
    for chosen in product(*(range(cards.count(value) + 1) for value in VALUES)):
        found.setdefault(worth(chosen, VALUES), []).append(chosen)
    return found


def worths(cards: Iterable[int]) -> set[int]:
    """Return the payable totals."""
    found = {0}
    for card in cards:
        found |= {worth + card for worth in found}
    return found


@cache
def coins(amount: int, largest: int) -> tuple[tuple[int, ...], ...]:
    """Return every way to make `amount` of cards up to `largest`."""
    if not amount:
        return ((),)
    return tuple(
        (value, *rest) for value in VALUES if value <= min(amount, largest) for rest in coins(amount - value, value)
    )


@st.composite
def unpayable(draw):
    """Return cards and an amount that they cannot pay."""
    cards = draw(st.lists(st.sampled_from(VALUES[1:]), min_size=1, max_size=6))
    cards += [] if 2 in cards else draw(st.sampled_from(([], [1])))
    return cards, draw(st.sampled_from(sorted({*range(sum(cards))} - worths(cards))))


def swaps(cards: list[int], pool: list[int]) -> list[tuple[list[int], list[int]]]:
    """Return swaps of one or two cards for smaller ones, shortest first."""
    found = []
    for size in (1, 2):
        for old in set(combinations(sorted(cards), size)):
            for new in coins(sum(old), max(old)):
                if max(new) < max(old) and not Counter(new) - Counter(pool) and not set(new) & set(old):
                    found.append((list(old), list(new)))
    return sorted(found, key=lambda swap: len(swap[0]) + len(swap[1]))


def moved_to_pay(amount: int, cards: list[int], pool: list[int]) -> int | None:
    """Return the fewest swapped cards that allow a payment, or None."""
    for old, new in swaps(cards, pool):
        changed = Counter(cards) - Counter(old) + Counter(new)
        if amount in worths(changed.elements()):
            return len(old) + len(new)
    return None


def paid(amount, cards, stock=(), roof=(), **how):
    """Pay and return (paid, left, stock, roof, swap); no card is lost."""
    found = pay(amount, counts(cards), counts(stock), counts(roof), VALUES, **how)
    piles = [cards_of(pile) for pile in found[:4]]
    assert all(count >= 0 for pile in found[:4] for count in pile)
    assert Counter(card for pile in piles for card in pile) == Counter((*cards, *stock, *roof))
    assert sum(piles[2]) == sum(stock)
    assert sum(piles[3]) == sum(roof)
    return (*piles, found.swap)


@given(st.lists(st.sampled_from(VALUES), max_size=12), st.integers(0, 80))
def test_fewest_prefers_few_then_high_cards(cards, amount):
    choices = payments(cards).get(amount, [])
    best = max(choices, key=lambda chosen: (-sum(chosen), chosen[::-1]), default=None)
    assert fewest(amount, counts(cards), VALUES) == best


@given(st.lists(st.sampled_from(VALUES), max_size=12))
def test_sums_has_every_payable_total(cards):
    bits = sums(counts(cards), VALUES)
    assert {n for n in range(bits.bit_length()) if bits >> n & 1} == payments(cards).keys()


@given(few, some, some, st.integers(0, 60), st.booleans(), st.booleans())
def test_payable_amount_is_paid_without_change(cards, stock, roof, amount, change, up):
    choices = payments(cards).get(amount)
    if choices is None:
        return
    found, left, after, after_roof, swap = paid(amount, cards, stock, roof, change=change, up=up)
    assert sum(found) == amount
    assert len(found) == min(map(sum, choices))
    assert swap is None
    assert (after, after_roof) == (sorted(stock), sorted(roof))
    assert Counter(found) + Counter(left) == Counter(cards)


@given(unpayable(), some, some, st.booleans())
def test_change_comes_from_stock_before_roof(due, stock, roof, up):
    cards, amount = due
    by_stock, by_roof = moved_to_pay(amount, cards, stock), moved_to_pay(amount, cards, roof)
    found, _, after_stock, after_roof, swap = paid(amount, cards, stock, roof, up=up)
    if by_stock is not None:
        assert (sum(found), swap.pile, after_roof) == (amount, "stock", sorted(roof))
        assert sum(swap.given) + sum(swap.taken) <= by_stock
    elif by_roof is not None and (swap is None or swap.pile == "roof"):
        assert (sum(found), swap.pile, after_stock) == (amount, "roof", sorted(stock))
        assert sum(swap.given) + sum(swap.taken) <= by_roof


@given(unpayable(), few, few, st.booleans())
def test_unpayable_amount_is_rounded_to_the_next_payable(due, stock, roof, up):
    cards, amount = due
    found, *_ = paid(amount, cards, stock, roof, up=up)
    due = min(amount, sum(cards))
    between = range(due, sum(found)) if up else range(due, sum(found), -1)
    assert sum(found) >= due if up else sum(found) <= due
    for missed in between:
        assert missed not in worths(cards)
        assert moved_to_pay(missed, cards, stock) is None
        assert moved_to_pay(missed, cards, roof) is None


@given(few, some, some, st.integers(0, 60), st.booleans())
def test_without_change_amounts_are_only_rounded(cards, stock, roof, amount, up):
    found, _, after_stock, after_roof, swap = paid(amount, cards, stock, roof, change=False, up=up)
    assert (after_stock, after_roof, swap) == (sorted(stock), sorted(roof), None)
    payable = sorted(payments(cards))
    due = min(amount, sum(cards))
    assert sum(found) == (min(n for n in payable if n >= due) if up else max(n for n in payable if n <= due))


@given(unpayable(), some, some)
def test_reported_swap_matches_the_cards_moved(due, stock, roof):
    cards, amount = due
    found, left, after_stock, after_roof, swap = paid(amount, cards, stock, roof)
    if swap is None:
        assert Counter(found + left) == Counter(cards)
        return
    given_away, taken = Counter(cards_of(swap.given)), Counter(cards_of(swap.taken))
    assert worth(swap.given, VALUES) == worth(swap.taken, VALUES)
    assert max(taken) < max(given_away)  # broken, not built
    assert Counter(found + left) == Counter(cards) - given_away + taken
    before, after = (stock, after_stock) if swap.pile == "stock" else (roof, after_roof)
    assert Counter(after) == Counter(before) - taken + given_away


@pytest.mark.parametrize(
    ("amount", "cards", "stock", "swapped", "given"),
    [
        (3, [5], [5, 2, 2, 1, 1, 1], ([5], [1, 2, 2]), [1, 2]),
        (12, [20, 2, 1], [10, 10, 5, 5, 2, 2], ([20], [10, 10]), [2, 10]),
        (10, [20], [10, 10, 5, 5], ([20], [10, 10]), [10]),
        (12, [20, 5], [10, 10, 2, 2, 1], ([5, 20], [1, 2, 2, 10, 10]), [2, 10]),  # one card is not enough
    ],
)
def test_swap_breaks_the_fewest_cards(amount, cards, stock, swapped, given):
    found, _, _, _, swap = paid(amount, cards, stock)
    assert (cards_of(swap.given), cards_of(swap.taken)) == swapped
    assert found == given


def filled(amount, stock, roof=(), **how):
    """Fill a kitchen and return (from stock, from roof, stock, roof, swap); no card is lost."""
    found = fill(amount, counts(()), counts(stock), counts(roof), VALUES, model=BOX.kitchen, **how)
    piles = [cards_of(pile) for pile in found[:4]]
    assert all(count >= 0 for pile in found[:4] for count in pile)
    assert Counter(card for pile in piles for card in pile) == Counter((*stock, *roof))
    return (*piles, found.swap)


@given(some, some, st.integers(0, 90), st.booleans())
def test_kitchen_is_filled_from_sufficient_stock_alone(stock, roof, amount, change):
    from_stock, from_roof, _, after_roof, swap = filled(amount, stock, roof, change=change)
    if amount in payments(stock):
        assert (sum(from_stock), from_roof, after_roof, swap) == (amount, [], sorted(roof), None)
    assert sum(from_stock) + sum(from_roof) <= amount


@given(unpayable(), some)
def test_kitchen_is_filled_with_change_from_roof(due, roof):
    stock, amount = due
    if moved_to_pay(amount, stock, roof) is None:
        return
    from_stock, from_roof, after_stock, after_roof, swap = filled(amount, stock, roof)
    assert swap.pile == "roof"
    assert (sum(from_stock), from_roof) == (amount, [])
    assert (sum(after_stock), sum(after_roof)) == (sum(stock) - amount, sum(roof))


@given(some, some, st.integers(1, 30), st.booleans())
def test_bc_a24_roof_helps_when_stock_is_too_small(stock, roof, more, change):
    amount = sum(stock) + more
    from_stock, from_roof, *_ = filled(amount, stock, roof, change=change)
    reached = sum(from_stock) + sum(from_roof)
    assert sum(stock) + max(n for n in payments(roof) if n <= more) <= reached <= amount
    if amount - sum(stock) in payments(roof):
        assert sorted(from_stock) == sorted(stock)  # the whole stock before the roof


@given(sixes, sixes, sixes, st.integers(0, 20), st.booleans())
def test_points_are_paid_like_one_point_cards(hand, stock, roof, amount, up):
    found = pay(amount, (hand,), (stock,), (roof,), (1,), up=up)
    assert found == ((min(amount, hand),), (max(0, hand - amount),), (stock,), (roof,), None)


def different(cards: list[int]) -> int:
    return len(payments(cards))


@given(
    st.lists(st.sampled_from(VALUES), max_size=5),
    st.lists(st.sampled_from(VALUES), max_size=10),
    st.integers(0, 60),
)
def test_bc_a4_refill_can_pay_the_most_amounts(kitchen, source, amount):
    choices = payments(source).get(amount)
    found = best_for(amount, counts(kitchen), counts(source), BOX.kitchen, VALUES)
    if choices is None:
        assert found is None
        return
    assert found in choices

    def rank(choice):
        unlike = sum(abs(a + b - c) for a, b, c in zip(choice, counts(kitchen), BOX.kitchen, strict=True))
        return -different(kitchen + cards_of(choice)), unlike

    assert rank(found) == min(map(rank, choices))


def test_bc_a4_refill_of_empty_kitchen_resembles_the_first():
    stock = (14, 15, 14, 9, 14)
    for amount, cards in ((60, (4, 3, 4, 3, 0)), (40, (4, 3, 4, 1, 0)), (20, (4, 3, 2, 0, 0)), (80, BOX.kitchen)):
        assert best_for(amount, counts(()), stock, BOX.kitchen, VALUES) == cards


@given(few, few, some, some, st.integers(0, 60), st.booleans())
def test_bc_a8_exact_hand_cards_come_before_any_swap(bid, rest, stock, roof, amount, up):
    amount = min(amount, sum(bid))
    found = pay(amount, counts(bid), counts(stock), counts(roof), VALUES, up=up, rest=counts(rest))
    if amount not in payments(bid + rest):
        return
    lost = cards_of(found.cards)
    assert (sum(lost), found.swap, found.stock, found.roof) == (amount, None, counts(stock), counts(roof))
    assert Counter(lost) + Counter(cards_of(found.left)) == Counter(bid + rest)
    of_the_bid = [n for n in payments(bid) if n <= amount and amount - n in payments(rest)]
    assert sum((Counter(bid) & Counter(lost)).elements()) >= max(of_the_bid)  # as many bid cards as possible
