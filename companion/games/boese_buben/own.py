"""What a seat of Böse Buben has before it: ducats, hand, what was typed of it, what it can buy back."""

from typing import Final, NamedTuple

from companion.games.boese_buben.rules import Phase, View
from companion.games.boese_buben.rules.cards import CARDS, Card, card_text, owner
from companion.games.boese_buben.rules.components import Box, Rulings

TEXT_KEY: Final = "A"
"""Behind a value: the copy with the action text."""


class Own(NamedTuple):
    """The own cards in the order of their names; `typed` are those that what was typed may be.

    `offered` are the cards that are asked for, each with its price; the first is asked for now.
    """

    box: Box
    rulings: Rulings
    purse: int
    hand: tuple[Card, ...]
    typed: tuple[Card, ...] = ()
    offered: tuple[tuple[Card, int], ...] = ()


def own_of(view: View, entry: str) -> Own | None:
    """Return what a seat has; None for everybody, and when the match is over."""
    if view.purse is None or view.phase == Phase.OVER:
        return None
    found = Own(view.box, view.rulings, view.purse, tuple(sorted(view.hand, key=card_text)))
    if view.you != view.mover:
        return found
    if view.phase == Phase.BRIBERY:
        first, *others = offered(view)
        return found._replace(offered=((first, view.price), *((card, price_of(view, card)) for card in others)))
    return found._replace(typed=typed_cards(view, entry)) if view.phase == Phase.TURN else found


def typed_cards(view: View, entry: str) -> tuple[Card, ...]:
    """Return the cards of the hand that a value, perhaps with the text key, can mean."""
    if not entry:
        return ()
    name = f"{entry[0]}a" if entry[1:2] == TEXT_KEY else entry[0]
    same = tuple(card for card in sorted(view.hand, key=card_text) if card_text(card)[0] == entry[0])
    exact = tuple(card for card in same if card_text(card) == name)
    asked = view.rulings.variant == "basic" and name == entry[0]  # then either copy can be meant
    return same if asked else exact or same


def offered(view: View) -> tuple[Card, ...]:
    """Return the cards in the zone of the one asked for that are the same owner's and were not asked for before."""
    lane, place = view.asked
    return tuple(card for card in view.zones[lane - 1][place - 1 :] if owner(card) == view.mover)


def price_of(view: View, card: Card) -> int:
    """Return what a card costs its owner, who is asked."""
    free = view.free == view.mover and view.rulings.kostenlos == "all"
    return 0 if free else view.box.goblins[card % CARDS]


def free_of_all(view: View) -> Card | None:
    """Return the dearest card offered, on which a yes to all spends the right to one; None without it (BB-A25)."""
    dearest = max(offered(view), key=lambda card: price_of(view, card))
    return dearest if view.free == view.mover and price_of(view, dearest) else None


def price_of_all(view: View) -> int:
    """Return what a yes to all cards offered costs their owner."""
    free = free_of_all(view)
    return sum(price_of(view, card) for card in offered(view) if card != free)
