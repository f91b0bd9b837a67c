"""A seat's private values in Büro Crazy: its hand, and the bid or the points that it keys."""

from typing import NamedTuple

from companion.games.buro_crazy.rules import View
from companion.games.buro_crazy.rules.change import Cards, fewest, minus, no_cards, worth
from companion.games.buro_crazy.rules.components import Phase, by_total


class Own(NamedTuple):
    """The `hand` without the keyed cards, in the order of `values`; points alone are cards of one value.

    `bid` are the cards keyed or locked; `number` are their points, or the reported points as keyed. With `keys`,
    each key adds a card.
    """

    values: Cards
    hand: Cards
    bid: Cards
    number: str = ""
    due: bool = False
    locked: bool = False
    keys: bool = False


def own_of(view: View, entry: str) -> Own | None:
    """Return the viewing seat's values; None for the public view, and before and after the match."""
    hand, you = view.hand, view.you
    if hand is None or you is None or view.phase in {Phase.SETUP, Phase.OVER}:
        return None
    nothing = no_cards(view.values)
    if view.bid is not None:
        rest, points = minus(hand, view.bid), str(worth(view.bid, view.values))
        return Own(view.values, rest, view.bid, points, due=True, locked=True)
    bids = view.phase == Phase.BID and you in view.duel
    reports = view.reporting and you not in view.reported
    if bids and not by_total(view.rulings):
        bid = typed_cards(view, entry)
        points = str(worth(bid, view.values)) if entry else ""
        return Own(view.values, minus(hand, bid), bid, points, due=True, keys=True)
    number = entry.rstrip("#")
    bid = (fewest(int(number), hand, view.values) if bids and number else None) or nothing
    return Own(view.values, minus(hand, bid), bid, number, due=bids or reports or bool(number))


def typed_cards(view: View, typed: str) -> Cards:
    """Return the cards that the typed keys add to a bid."""
    return tuple(typed.count(str(place)) for place in range(1, len(view.values) + 1))
