"""Büro Crazy in words: what happened and which pieces to move, and the building as a text picture."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.core.event import Event
from companion.core.move import Seat
from companion.core.text import Render, Text, msg
from companion.games.buro_crazy.rules import View, card_values
from companion.games.buro_crazy.rules.building import BOSS, EMPTY, LEVELS, PAIRS, STAIRS, office

_SENTENCES: Final = {
    "colour": msg("{who} plays {colour}"),
    "placed": msg("On the stairs from the left: {who}"),
    "dealt": msg("Each player gets {cards} cards worth {points}"),
    "kitchen": msg("The kitchen has {points}"),
    "kitchen more": msg("The kitchen gets {more} from the stock, now {points}"),
    "kitchen more roof": msg("The kitchen gets {more} (stock), {roof} (roof), now {points}"),
    "kitchen roof": msg("The kitchen gets {roof} from the roof, now {points}"),
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
    "gain none": msg("The kitchen has nothing for {who}: {due} due"),
    "swap": msg("With the {pile}: {payer} changes {given} for {taken}"),
    "swap own": msg("{who} changes {given} for {taken} with the {pile}"),
    "tie": msg("A tie of {points}: each loses {half}"),
    "tie none": msg("A tie of nothing"),
    "loss": msg("{who} lays {points} on the roof"),
    "loss cards": msg("{who} lays {points} on the roof: {n} card", "{who} lays {points} on the roof: {n} cards"),
    "loss more": msg("{who} lays {points} on the roof, not {due}: no change"),
    "lost_cards": msg("{who} lays these on the roof: {cards}"),
    "toss": msg("A coin decides between {who}"),
    "coin": msg("The coin falls for {who}"),
    "forfeit": msg("{pair}: {who} has nobody to fight and pays {points}"),
    "forfeit none": msg("{pair}: {who} has no rival and cannot pay"),
    "own_pair": msg("{pair}: both figures are {who}'s, one moves up"),
    "piles": msg("The roof has {cards} cards, {each} for each pile. {who}"),
    "piles uncounted": msg("The cards of the roof make equal piles. {who}"),
    "counted": msg("{cards} cards lie on the roof"),
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
    facts = happened.facts
    kind = _kind(happened.kind, facts, happened.seat is not None)
    if kind not in _SENTENCES:
        return None
    values = {**facts, **_words(happened, facts, names)}
    if kind == "colour":
        values["colour"] = _colour(facts["colour"])
    return _SENTENCES[kind]._replace(values=tuple(values.items()))


def _colour(name: str) -> Text:
    return _COLOURS.get(name) or Text(name)


def _kind(kind: str, facts: Mapping[str, Any], private: bool) -> str:
    """Return which of the sentences for a kind of event fits."""
    if kind in {"kitchen", "gain", "loss"}:
        return {"kitchen": _kitchen, "gain": _gain, "loss": _loss}[kind](facts)
    others = {
        "duel again": kind == "duel" and facts["attempt"] > 1,
        "up B": kind == "up" and facts["to"] == "B",
        "swap own": kind == "swap" and private,
        "tie none": kind == "tie" and not facts["points"],
        "forfeit none": kind == "forfeit" and not facts["points"],
        "piles uncounted": kind == "piles" and not facts["cards"],
    }
    return next((other for other, fits in others.items() if fits), kind)


def _kitchen(facts: Mapping[str, Any]) -> str:
    change, roof = facts["change"], facts.get("roof_points", 0)
    if change <= 0:
        return "kitchen less" if change else "kitchen"
    if not roof:
        return "kitchen more"
    return "kitchen more roof" if change > roof else "kitchen roof"


def _gain(facts: Mapping[str, Any]) -> str:
    if facts["points"] == facts["due"]:
        return "gain"
    return "gain less" if facts["points"] else "gain none"


def _loss(facts: Mapping[str, Any]) -> str:
    if not facts["points"]:
        return "loss none"  # nothing to carry out, nothing to say
    if facts["points"] > facts["due"]:
        return "loss more"
    return "loss cards" if facts["n"] else "loss"


def _words(happened: Event, facts: Mapping[str, Any], names: Sequence[str]) -> dict[str, object]:
    """Return the values of a sentence that are no facts themselves: names, and cards as people add them up."""
    seats = facts.get("seats", () if happened.seat is None else (happened.seat,))
    who = [names[seat] for seat in seats]
    words: dict[str, object] = {"who": ", ".join(who)}
    if happened.kind == "duel":
        words |= {"first": who[0], "second": who[1]}
    elif happened.kind == "reveal":
        one, other = _bids(who, facts)
        words |= {"first": who[0], "second": who[1], "one": one, "other": other}
    elif happened.kind == "kitchen" and facts["change"]:
        points = facts["change"] - facts["roof_points"]
        words |= {"more": _sum(points, facts["added"]), "less": _sum(-points, facts["removed"])}
        words |= {"roof": _sum(facts["roof_points"], facts["from_roof"])}
    elif happened.kind in {"gain", "discard"}:
        words["sum"] = _sum(facts["points"], facts["cards"])
    elif happened.kind == "swap":
        words |= {"given": _plus(facts["given"]), "taken": _plus(facts["taken"])}
        words |= {"pile": _PILES[facts["pile"]], "payer": _PAYERS.get(facts["payer"], "")}
    elif happened.kind == "lost_cards":
        words["cards"] = _plus(facts["cards"])
    elif happened.kind == "piles":
        shares = zip(who, facts["piles"], strict=True)
        words["who"] = ", ".join(f"{name} {piles}" for name, piles in shares)
    elif happened.kind == "over":
        words["who"] = ", ".join(names[seat] for seat in facts["ranking"][0])
        words["n"] = len(facts["ranking"][0])
        words["points"] = ", ".join(f"{name} {n}" for name, n in zip(names, facts["points"], strict=True))
    return words


def _bids(who: Sequence[str], facts: Mapping[str, Any]) -> tuple[str, str]:
    """Return both bids, without their cards where a strip has no room for them: these lie open on the table."""
    one, other = map(_sum, facts["totals"], facts["bids"])
    if sum(map(len, (*who, one, other))) > SHORT:
        one, other = map(str, facts["totals"])
    return one, other


def _sum(points: int, cards: Sequence[int]) -> str:
    """Return points as `23 = 20+2+1`; without their cards where these are one or not known."""
    return f"{points} = {_plus(cards)}" if len(cards) > 1 else str(points)


def _plus(cards: Sequence[int]) -> str:
    return "+".join(map(str, cards))


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
    roof = render(msg("roof: {n} card", "roof: {n} cards", n=view.roof_cards))
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
