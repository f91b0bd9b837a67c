"""The values on a seat's private screen: ducats, hand, typed cards and cards to buy back."""

from typing import Final, NamedTuple

from companion.games.boese_buben.rules import Phase, View
from companion.games.boese_buben.rules.cards import CARDS, NAMES, Card, card_text, owner
from companion.games.boese_buben.rules.components import Box, Rulings

TEXT_KEY: Final = "A"
"""After a value: the copy with the action text."""


class Own(NamedTuple):
    """A seat's private values, with `hand` in the order of names.

    `typed` are the cards that the typed keys may mean. `offered` are the cards to buy back, each with its price;
    the first is the one in question.
    """

    box: Box
    rulings: Rulings
    purse: int
    hand: tuple[Card, ...]
    typed: tuple[Card, ...] = ()
    offered: tuple[tuple[Card, int], ...] = ()


def own_of(view: View, entry: str) -> Own | None:
    """Return the viewing seat's values; None for the public view and after the end."""
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
    """Return the cards of the hand that the entry can mean: a value, perhaps followed by TEXT_KEY."""
    if not entry:
        return ()
    name = f"{entry[0]}a" if entry[1:2] == TEXT_KEY else entry[0]
    same = tuple(card for card in sorted(view.hand, key=card_text) if card_text(card)[0] == entry[0])
    exact = tuple(card for card in same if card_text(card) == name)
    asked = view.rulings.variant == "basic" and name == entry[0]  # then either copy
    return same if asked else exact or same


def copies_differ(box: Box, rulings: Rulings, card: Card) -> bool:
    """Return True if the copies of a card's value differ in text or price."""
    same = [number for number, name in enumerate(NAMES) if name[0] == card_text(card)[0]]
    return rulings.variant == "action" or len({box.goblins[number] for number in same}) > 1


def named(view: View, card: Card) -> str:
    """Return a card's name, with its copy only if the copies differ."""
    name = card_text(card)
    return name if copies_differ(view.box, view.rulings, card) else name[0]


def offered(view: View) -> tuple[Card, ...]:
    """Return the owner's cards in the penalty zone, from the one in question on."""
    lane, place = view.asked
    return tuple(card for card in view.zones[lane - 1][place - 1 :] if owner(card) == view.mover)


def price_of(view: View, card: Card) -> int:
    free = view.free == view.mover and view.rulings.kostenlos == "all"
    return 0 if free else view.box.goblins[card % CARDS]


def free_of_all(view: View) -> Card | None:
    """Return the dearest offered card, which a yes to all takes for free; None without that right (BB-A25)."""
    dearest = max(offered(view), key=lambda card: price_of(view, card))
    return dearest if view.free == view.mover and price_of(view, dearest) else None


def price_of_all(view: View) -> int:
    free = free_of_all(view)
    return sum(price_of(view, card) for card in offered(view) if card != free)
