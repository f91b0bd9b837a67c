"""Büro Crazy in words: what happened and which pieces to move, and the building as a text picture."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from companion.core.event import Event
from companion.core.game import Order
from companion.core.move import TABLE, Seat
from companion.core.text import Render, Text, msg
from companion.games.buro_crazy.rules import View, card_values, kinds
from companion.games.buro_crazy.rules.building import BOSS, EMPTY, LEVELS, PAIRS, STAIRS, office

_SENTENCES: Final = {
    "colour": msg("{who} plays {colour}"),
    "placed": msg("On the stairs from the left: {who}"),
    "dealt": msg("Each player gets {cards} cards worth {points}"),
    "handicap": msg("{who} begins with {points} more"),
    "kitchen": msg("The kitchen has {points}"),
    "kitchen more": msg("The kitchen gets {more} from the stock, now {points}"),
    "kitchen more roof": msg("The kitchen gets {more} (stock), {roof} (roof), now {points}"),
    "kitchen roof": msg("The kitchen gets {roof} from the roof, now {points}"),
    "kitchen less roof": msg("The kitchen gives {less} to the roof, now {points}"),
    "kitchen less": msg("The kitchen gives {less} to the stock, now {points}"),
    "duel": msg("{pair}: {first} and {second} bid in secret"),
    "duel again": msg("{pair} again: {first} and {second} bid in secret"),
    "locked": msg("{who} has locked a bid"),
    "unlocked": msg("{who} has taken the bid back"),
    "reveal": msg("{first} bids {one}, {second} bids {other}"),
    "up": msg("{who} moves up from {pair} to {to}"),
    "up B": msg("{who} moves up to the boss suite"),
    "discard": msg("{who} lays {sum} on the roof"),
    "gain": msg("The kitchen gives {who} {sum}"),
    "gain less": msg("The kitchen gives {who} only {sum}, not {due}"),
    "gain none": msg("The kitchen can give {who} nothing: {due} due"),
    "swap": msg("With the {pile}: {payer} changes {given} for {taken}"),
    "swap own": msg("{who} changes {given} for {taken} with the {pile}"),
    "tie": msg("A tie of {points}: each loses {half}"),
    "tie none": msg("A tie of nothing"),
    "loss": msg("{who} lays {points} on the roof"),
    "loss cards": msg("{who} lays {points} on the roof: {n} card", "{who} lays {points} on the roof: {n} cards"),
    "loss other": msg("{who} lays {points} on the roof, not {due}: no change"),
    "lost_cards": msg("{who} lays these on the roof: {cards}"),
    "toss": msg("A coin decides between {who}"),
    "coin": msg("The coin falls for {who}"),
    "forfeit": msg("{pair}: {who} has nobody to fight and pays {points}"),
    "forfeit none": msg("{pair}: {who} has no rival and pays nothing"),
    "stays": msg("{pair}: {who} cannot pay {due} and stays"),
    "alone": msg("{pair}: {who} is alone and pays nothing"),
    "own_pair": msg("{pair}: both figures are {who}'s, one moves up"),
    "piles": msg(
        "The roof has {n} card, {each} for each pile. {who}", "The roof has {n} cards, {each} for each pile. {who}"
    ),
    "piles uncounted": msg("The cards of the roof make equal piles. {who}"),
    "counted": msg("{n} card lies on the roof", "{n} cards lie on the roof"),
    "reported": msg("{who} has keyed all points"),
    "outside": msg("{who} has no figure inside and cannot win"),
    "over": msg("{who} wins. Points: {points}", "{who} win. Points: {points}"),
}

SHORT: Final = 30
"""Names and bids of more letters than this do not fit into two lines at a short edge."""

TONES: Final = {"up": "good", "coin": "good", "gain": "good", "loss": "bad", "outside": "bad"}

_COLOURS: Final = {
    "red": msg("red"),
    "blue": msg("blue"),
    "green": msg("green"),
    "yellow": msg("yellow"),
    "black": msg("black"),
}
"""The colours of the box as people say them; another box may have others, which stay as they are."""

_PILES: Final = {"stock": msg("stock"), "roof": msg("roof")}
_PAYERS: Final = {"kitchen": msg("the kitchen"), "stock": msg("the stock")}


def tell(happened: Event, names: Sequence[str]) -> Text | None:
    """Return a sentence for an event, None for one that needs no words."""
    kind = _sentence(happened)
    if kind not in _SENTENCES:
        return None
    values = {**happened.facts, **_words(happened, names)}
    return _SENTENCES[kind]._replace(values=tuple(values.items()))


def orders(happened: Sequence[Event], names: Sequence[str]) -> Iterator[Order]:
    """Return which cards or figures are to be moved; which cards are lost is for the eyes of their owner."""
    over = any(isinstance(told.data, kinds.Over) for told in happened)
    first, later = _payers_of_a_tie(happened)
    for told in happened:
        if later is not None and told.seat == later and isinstance(told.data, kinds.Swap | kinds.Loss):
            yield Order(later, msg("Wait for {who}", who=names[first]))
            later = None
        text = _order(told)
        if text and not (over and isinstance(told.data, kinds.Piles)):  # a roof of no piles ends the match at once
            secret, last = not told.visible_to(None), _is_last(told, happened)
            yield Order(TABLE if told.seat is None else told.seat, text, secret=secret, after_all=last)


def _payers_of_a_tie(happened: Sequence[Event]) -> tuple[Seat, Seat | None]:
    """Return who pays first in a tie, and who then: what one leaves or takes as change the other may need (BC-A8).

    That somebody changes is a secret, so this is said of every tie in which cards are followed.
    """
    tied = any(isinstance(told.data, kinds.Tie) for told in happened)
    losses = [(told.seat, told.data) for told in happened if isinstance(told.data, kinds.Loss)]
    payers = [seat for seat, loss in losses if seat is not None and loss.n]
    if not tied or len(payers) < 2:
        return TABLE, None
    return payers[0], payers[1]


def _is_last(told: Event, happened: Sequence[Event]) -> bool:
    """Tell whether others first lay cards on the roof, or take their change from it."""
    changed = any(isinstance(other.data, kinds.Swap) and other.data.pile == "roof" for other in happened)
    return isinstance(told.data, kinds.Piles) or (isinstance(told.data, kinds.Kitchen) and changed)


def _order(happened: Event) -> Text | None:
    """Say what is to be moved because of an event; None for one that moves nothing."""
    data = happened.data
    if isinstance(data, kinds.Placed):
        return msg("Figures and kitchen as on the screen")
    if isinstance(data, kinds.Dealt):
        return msg("Each takes {cards} cards worth {points}", cards=data.cards, points=data.points)
    if isinstance(data, kinds.Up):
        return msg("Move up to {to}", to=data.to)
    if isinstance(data, kinds.Gain):
        return msg("Take {cards}", cards=_heap(data.cards) or data.points) if data.points else None
    if isinstance(data, kinds.Handicap):
        return msg("Take {cards} (stock)", cards=_heap(data.cards) or data.points)
    if isinstance(data, kinds.Discard):
        return msg("Lay your bid on the roof")
    if isinstance(data, kinds.LostCards):
        return msg("Lay {cards} on the roof", cards=_heap(data.cards))
    if isinstance(data, kinds.Loss):
        return _loss_order(data)
    if isinstance(data, kinds.Kitchen):
        return _kitchen_order(data)
    if isinstance(data, kinds.Piles):
        return _piles_order(data)
    return _swap_order(data) if isinstance(data, kinds.Swap) else None


def _loss_order(loss: kinds.Loss) -> Text | None:
    """Say how much is to be paid; which cards are the secret of whoever pays."""
    if not loss.points:
        return None
    if not loss.n:
        return msg("Pay {points} to the roof", points=loss.points)  # only points are followed
    return msg(
        "Pay {points} to the roof: {n} card", "Pay {points} to the roof: {n} cards", points=loss.points, n=loss.n
    )


def _piles_order(piles: kinds.Piles) -> Text | None:
    """Say what becomes of the roof; whose each pile is stands on the screen."""
    if piles.each:
        return msg("Shuffle the roof: piles of {each} as on the screen", each=piles.each)
    return None if piles.cards else msg("Shuffle the roof: equal piles as on the screen")


def _kitchen_order(floor: kinds.Kitchen) -> Text | None:
    added, from_roof, removed = (_heap(cards or ()) for cards in (floor.added, floor.from_roof, floor.removed))
    roof = floor.roof_points or 0
    if not floor.change:
        return None
    if removed and from_roof:
        return _SWAPS["kitchen", "roof"]._replace(values=(("given", removed), ("taken", from_roof)))
    if floor.change < 0:
        text = msg("Kitchen to roof: {cards}") if roof < 0 else msg("Kitchen to stock: {cards}")
        return text._replace(values=(("cards", removed or -floor.change),))
    if added and from_roof:
        return msg("To the kitchen: {added} (stock), {from_roof} (roof)", added=added, from_roof=from_roof)
    if roof:
        return msg("Roof to kitchen: {cards}", cards=from_roof or roof)
    return msg("Stock to kitchen: {cards}", cards=added or floor.change)


_SWAPS: Final = {
    ("kitchen", "stock"): msg("Kitchen changes {given} for {taken} (stock)"),
    ("kitchen", "roof"): msg("Kitchen changes {given} for {taken} (roof)"),
    ("stock", "roof"): msg("Stock changes {given} for {taken} (roof)"),
    ("hand", "stock"): msg("Change {given} for {taken} (stock)"),
    ("hand", "roof"): msg("Change {given} for {taken} (roof)"),
}
"""By who changes cards, and with which pile."""


def _swap_order(swap: kinds.Swap) -> Text:
    values = {"given": _heap(swap.given), "taken": _heap(swap.taken)}
    return _SWAPS[swap.payer, swap.pile]._replace(values=tuple(values.items()))


def _colour(name: str) -> Text:
    return _COLOURS.get(name) or Text(name)


def _sentence(happened: Event) -> str:
    """Return which of the sentences for a kind of event fits."""
    data = happened.data
    if isinstance(data, kinds.Kitchen):
        return _kitchen(data)
    if isinstance(data, kinds.Gain):
        return _gain(data)
    if isinstance(data, kinds.Loss):
        return _loss(data)
    others = {
        "duel again": isinstance(data, kinds.Duel) and data.attempt > 1,
        "up B": isinstance(data, kinds.Up) and data.to == "B",
        "swap own": isinstance(data, kinds.Swap) and happened.seat is not None,
        "tie none": isinstance(data, kinds.Tie) and not data.points,
        "forfeit none": isinstance(data, kinds.Forfeit) and not data.points,
        "piles uncounted": isinstance(data, kinds.Piles) and not data.cards,
    }
    return next((other for other, fits in others.items() if fits), happened.kind)


def _kitchen(floor: kinds.Kitchen) -> str:
    change, roof = floor.change, floor.roof_points
    if change <= 0:
        less = "kitchen less roof" if roof else "kitchen less"
        return less if change else "kitchen"
    if not roof:
        return "kitchen more"
    return "kitchen more roof" if change > roof else "kitchen roof"


def _gain(gain: kinds.Gain) -> str:
    if gain.points == gain.due:
        return "gain"
    return "gain less" if gain.points else "gain none"


def _loss(loss: kinds.Loss) -> str:
    if loss.points != loss.due:
        return "loss other"
    if not loss.points:
        return "loss none"  # nothing to carry out, nothing to say
    return "loss cards" if loss.n else "loss"


def _words(happened: Event, names: Sequence[str]) -> dict[str, object]:
    """Return the values of a sentence that are no facts themselves: names, and cards as people add them up."""
    data = happened.data
    seats: tuple[Seat, ...] = () if happened.seat is None else (happened.seat,)
    if isinstance(data, kinds.Placed | kinds.Duel | kinds.Reveal | kinds.Tie | kinds.Toss | kinds.Piles):
        seats = data.seats
    who = [names[seat] for seat in seats]
    words: dict[str, object] = {"who": ", ".join(who)}
    if isinstance(data, kinds.Colour):
        words["colour"] = _colour(data.colour)
    elif isinstance(data, kinds.Duel):
        words |= {"first": who[0], "second": who[1]}
    elif isinstance(data, kinds.Reveal):
        one, other = _bids(who, data)
        words |= {"first": who[0], "second": who[1], "one": one, "other": other}
    elif isinstance(data, kinds.Kitchen) and data.change:
        roof = data.roof_points or 0
        points = data.change - roof
        added, from_roof, removed = data.added or (), data.from_roof or (), data.removed or ()
        if removed and from_roof:  # of an exchange the cards do not add up to what was moved
            from_roof = removed = ()
        words |= {"more": _sum(points, added), "less": _sum(-data.change, removed), "roof": _sum(roof, from_roof)}
    elif isinstance(data, kinds.Gain | kinds.Discard):
        words["sum"] = _sum(data.points, data.cards)
    elif isinstance(data, kinds.Swap):
        words |= {"given": _plus(data.given), "taken": _plus(data.taken)}
        words |= {"pile": _PILES[data.pile], "payer": _PAYERS.get(data.payer, "")}
    elif isinstance(data, kinds.LostCards):
        words["cards"] = _plus(data.cards)
    elif isinstance(data, kinds.Piles):
        shares = zip(who, data.piles, strict=True)
        words |= {"who": ", ".join(f"{name} {piles}" for name, piles in shares), "n": data.cards}
    elif isinstance(data, kinds.Counted):
        words["n"] = data.cards
    elif isinstance(data, kinds.Over):
        first = data.ranking[0]
        words |= {"who": ", ".join(names[seat] for seat in first), "n": len(first)}
        words["points"] = ", ".join(f"{name} {n}" for name, n in zip(names, data.points, strict=True))
    return words


def _bids(who: Sequence[str], reveal: kinds.Reveal) -> tuple[str, str]:
    """Return both bids, without their cards where a strip has no room for them: these lie open on the table."""
    one, other = map(_sum, reveal.totals, reveal.bids)
    if sum(map(len, (*who, one, other))) > SHORT:
        one, other = map(str, reveal.totals)
    return one, other


def _sum(points: int, cards: Sequence[int]) -> str:
    """Return points as `23 = 20+2+1`; without their cards where these are one or not known."""
    return f"{points} = {_plus(cards)}" if len(cards) > 1 else str(points)


def _plus(cards: Sequence[int]) -> str:
    return "+".join(map(str, cards))


def _heap(cards: Sequence[int]) -> str:
    """Return cards to be taken in hand, those of a kind together: `3x20 5 2x1`."""
    numbers = [(value, len(list(same))) for value, same in groupby(sorted(cards, reverse=True))]
    return " ".join(f"{n}x{value}" if n > 1 else str(value) for value, n in numbers)


SCORE: Final = msg("Floors climbed")


def score(view: View) -> tuple[int | None, ...]:
    """Return how many floors the figures of each seat have climbed together."""
    heights = [0] * view.seats
    for floors, level in enumerate(reversed(LEVELS), 1):
        for space in level:
            if view.board[space] != EMPTY:
                heights[view.board[space]] += floors
    return tuple(heights)


def stands(view: View, seat: Seat) -> Text:
    """Say how a seat stands: by its points where they are known."""
    if view.points:
        return msg("{n} point", "{n} points", n=view.points[seat])
    return msg("{n} floor", "{n} floors", n=score(view)[seat])


def colours(view: View) -> tuple[str, ...]:
    """Return the colours of the seats' figures."""
    return tuple(view.box.colours[colour] for colour in view.colours)


def picture(view: View, names: Sequence[str], render: Render) -> str:
    """Return the building from the top: the figures of each office, and what lies on roof, kitchen and stock."""
    counted = msg("roof: {n} card", "roof: {n} cards", n=view.roof_cards)
    roof = render(counted if view.roof_counted else msg("roof: not counted"))
    kitchen = render(msg("kitchen: {n}", n=_sum(view.kitchen_points, card_values(view.kitchen, view.values))))
    stock = render(msg("stock: {n}", n=view.stock_points))
    lines = [f"  {roof}", f"  {kitchen}", f"  {stock}"]
    for floor in ((BOSS,), (28,), (24, 26), (16, 18, 20, 22), tuple(range(0, STAIRS, 2))):
        offices = []
        for space in floor:
            figures = [names[seat] for seat in view.board[space : space + 2] if seat != EMPTY]
            due = ">" if view.duel and 2 * PAIRS.index(view.pair) == space else " "
            offices.append(f"{due}{office(space)}[{' '.join(figures)}]")
        lines.append(" " + " ".join(offices))
    width = max(map(len, names))
    for seat, name in enumerate(names):
        words = [render(_colour(view.box.colours[view.colours[seat]]))]
        if view.points:
            words.append(render(msg("{n} point", "{n} points", n=view.points[seat])))
        if seat in (*view.locked, *view.reported) and not view.points:
            words.append(render(msg("locked")))
        lines.append(f"  {name:{width}}  {', '.join(words)}")
    return "\n".join(lines)
