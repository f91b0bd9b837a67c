"""A seat's private values: its hand, and the bid or points being keyed."""

from typing import NamedTuple

from companion.games.buro_crazy.rules import View
from companion.games.buro_crazy.rules.change import Cards, fewest, minus, no_cards, worth
from companion.games.buro_crazy.rules.components import Phase, by_total


class Own(NamedTuple):
    """The values drawn on a seat's own screen.

    `hand` excludes the cards of `bid`, which are keyed or locked. `number` has the bid's or the reported points.
    With `keys`, each key adds a card.
    """

    values: Cards
    hand: Cards
    bid: Cards
    number: str = ""
    due: bool = False
    locked: bool = False
    keys: bool = False


def own_of(view: View, entry: str) -> Own | None:
    """Return the seat's values; None for the public view, before and after the match."""
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
    return tuple(typed.count(str(place)) for place in range(1, len(view.values) + 1))
