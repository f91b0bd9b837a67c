"""Böse Buben in words: what happened, what to do with the real cards, and the table as a text picture."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.event import Event
from companion.core.game import Order
from companion.core.move import TABLE, Seat
from companion.core.text import Render, Text, msg
from companion.games.boese_buben.rules import Phase, View, kinds
from companion.games.boese_buben.rules.cards import NOBODY, Card, card_text, owner

_SENTENCES: Final = {
    "ready": msg(
        "Each takes the {cards} cards of a colour and {ducats} ducat",
        "Each takes the {cards} cards of a colour and {ducats} ducats",
    ),
    "handicap": msg("{who} begins with {ducats} ducat more", "{who} begins with {ducats} ducats more"),
    "race": msg("Race {race}: {who} begins"),
    "played": msg("{who} plays {card} in lane {lane}"),
    "falls": msg("{who}'s {card} falls into the penalty zone of lane {lane}"),
    "skips": msg("{who} cannot place a card and skips"),
    "exchanged": msg("{who} swaps {cards}"),
    "thrown": msg("{who}'s {card} is thrown: penalty zone, lane {lane}"),
    "reward": msg("The bank gives {who} {ducats} ducat"),
    "reordered": msg("{who} puts lane {lane} into this order: {cards}"),
    "declined": msg("{who} does not use the text"),
    "race_end": msg("Race {race} is over: {who} ended it"),
    "early_end": msg("Race {race} is over: nobody can place a card"),
    "mc": msg("{who} takes an MC card and has {cards}"),
    "mc_moved": msg("{who} moves an MC card from {giver} to {taker}"),
    "free_right one": msg("{who} may take back one card for nothing"),
    "free_right all": msg("{who} may take back all own cards for nothing"),
    "lane sum": msg("Lane {lane}: {who} gets {ducats} ducat", "Lane {lane}: {who} gets {ducats} ducats"),
    "lane cards": msg(
        "Lane {lane}: {who} gets {ducats} ducat for more cards",
        "Lane {lane}: {who} gets {ducats} ducats for more cards",
    ),
    "lane empty": msg("Lane {lane} pays nothing: it is empty"),
    "lane zero": msg("Lane {lane} pays nothing: a zero alone"),
    "lane colour": msg("Lane {lane} pays nothing: only one colour"),
    "lane tie": msg("Lane {lane} pays nothing: a tie"),
    "bank_empty": msg("The bank has no more ducats: note what it owes"),
    "bought": msg(
        "{who} buys the {card} of lane {lane} back for {ducats} ducat",
        "{who} buys the {card} of lane {lane} back for {ducats} ducats",
    ),
    "bought free": msg("{who} takes the {card} of lane {lane} back for nothing"),
    "left": msg("{who} leaves the {card} of lane {lane}"),
    "removed": msg("{cards} card leaves the game", "{cards} cards leave the game"),
    "mc_paid": msg("{who} pays {ducats} for {cards} MC card", "{who} pays {ducats} for {cards} MC cards"),
    "mc_unpaid": msg(
        "{who} cannot pay {ducats} for {cards} MC card", "{who} cannot pay {ducats} for {cards} MC cards"
    ),
    "over ducats": msg("{who} wins with {best} ducat", "{who} wins with {best} ducats"),
    "over cards": msg(
        "{who} wins, {best} ducat and more points in hand",
        "{who} wins, {best} ducats and more points in hand",
    ),
    "over cards_and_tracks": msg(
        "{who} wins, {best} ducat and more points on cards",
        "{who} wins, {best} ducats and more points on cards",
    ),
    "over shared": msg("{who} win together with {best} ducat", "{who} win together with {best} ducats"),
    "over debt": msg("All in debt: {who} owes least and wins"),
    "over shared_debt": msg("All in debt, and {who} owe least"),
    "over all_last": msg("All in debt: {who} share the place"),
}

_COUNTED: Final = {"removed": "cards", "mc_paid": "cards", "mc_unpaid": "cards", "over": "best"}
"""Which number of an event decides whether its sentence is a plural, where it is not the ducats."""

TONES: Final = {"mc": "bad", "falls": "bad", "thrown": "bad", "mc_unpaid": "bad", "lane": "good", "reward": "good"}


def tell(happened: Event, names: Sequence[str]) -> Text | None:
    """Return a sentence for an event, None for one that needs no words."""
    kind, data, facts = happened.kind, happened.data, happened.facts
    who = "" if happened.seat is None else names[happened.seat]
    if isinstance(data, kinds.Lane):
        kind = f"lane {data.why}"
    elif isinstance(data, kinds.FreeRight):
        kind = f"free_right {data.cards}"
    elif isinstance(data, kinds.Bought) and not data.ducats:
        kind = "bought free"
    elif isinstance(data, kinds.Over):
        kind, first = f"over {data.reason}", data.ranking[0]
        who = ", ".join(names[seat] for seat in first)
        facts["best"] = data.purses[first[0]]
    elif isinstance(data, kinds.McMoved):
        facts |= {"giver": names[data.source], "taker": names[data.seats[0]]}
    elif isinstance(data, kinds.Exchanged):
        facts["cards"] = _swapped(data, names)
    elif isinstance(data, kinds.Reordered):
        track = zip(data.seats, data.cards, strict=True)
        facts["cards"] = ", ".join(f"{names[seat]} {card}" for seat, card in track)
    if kind not in _SENTENCES:
        return None
    sentence = _SENTENCES[kind]
    if sentence.plural:
        facts["n"] = facts[_COUNTED.get(happened.kind, "ducats")]
    return sentence._replace(values=(("who", who), *facts.items()))


def orders(happened: Sequence[Event], names: Sequence[str]) -> Iterator[Order]:
    """Return what is to be done with real cards and ducats because of a step.

    Who keys a move makes it: lays the card, swaps two, throws one out, puts a lane into order, hands an MC card on.
    Ordered is what follows: what falls, what the bank pays, what an answer costs.
    """
    mover = next((told.seat for told in happened if isinstance(told.data, kinds.Played | kinds.Bought)), None)
    by_hand = kinds.Played | kinds.Exchanged | kinds.Reward | kinds.Reordered | kinds.McMoved
    for told in happened:
        if isinstance(told.data, by_hand) and told.seat is not None:
            yield Order(told.seat, msg("pieces as on the screen"), made=True)
        if isinstance(told.data, kinds.Falls) and mover is not None and told.seat is not None:
            # It lies before the one who has just placed another; its owner may sit far away.
            who, card, lane = names[told.seat], told.data.card, told.data.lane
            yield Order(mover, msg("{who}'s {card} into the mud of lane {lane}", who=who, card=card, lane=lane))
        elif isinstance(told.data, kinds.Removed):
            # Whoever has bought a card takes that one out first.
            yield Order(TABLE, msg("What is left in the mud leaves the game"), after_all=True)
        elif text := _order(told):
            yield Order(TABLE if told.seat is None else told.seat, text)
    yield from _ducats(happened)


def _ducats(happened: Sequence[Event]) -> Iterator[Order]:
    """Return what the bank pays in a step, to each seat as one sum, and what it then gets for MC cards."""
    won: Counter[Seat] = Counter()
    for told in happened:
        if isinstance(told.data, kinds.Lane | kinds.Reward | kinds.Handicap) and told.seat is not None:
            won[told.seat] += told.data.ducats
    for seat, n in won.items():
        yield Order(seat, msg("Take {n} ducat", "Take {n} ducats", n=n))
    for told in happened:
        if isinstance(told.data, kinds.McPaid) and told.data.ducats and told.seat is not None:
            n = told.data.ducats
            yield Order(told.seat, msg("Pay {n} ducat for MC cards", "Pay {n} ducats for MC cards", n=n))


def _order(happened: Event) -> Text | None:
    """Say what is to be moved because of an event alone; None for nothing."""
    data = happened.data
    if isinstance(data, kinds.Ready):
        return msg(
            "{lanes} lanes. Each: {cards} cards, {n} ducat",
            "{lanes} lanes. Each: {cards} cards, {n} ducats",
            lanes=data.lanes,
            cards=data.cards,
            n=data.ducats,
        )
    if isinstance(data, kinds.Mc):
        return msg("Take an MC card")
    if isinstance(data, kinds.Bought):
        card, lane, n = data.card, data.lane, data.ducats
        if not n:
            return msg("Take back {card} from lane {lane}", card=card, lane=lane)
        return msg(
            "Pay {n} ducat, take back {card} from lane {lane}",
            "Pay {n} ducats, take back {card} from lane {lane}",
            n=n,
            card=card,
            lane=lane,
        )
    return _SENTENCES["bank_empty"] if isinstance(data, kinds.BankEmpty) else None


def _swapped(data: kinds.Exchanged, names: Sequence[str]) -> Text:
    """Return the two cards of an Austausch, each with where it lay."""
    cards = zip(data.seats, data.cards, data.lanes, data.mud or (False, False), strict=True)
    one, other = (
        msg("{name} {card} (mud of {lane})", name=names[seat], card=card, lane=lane)
        if mud
        else msg("{name} {card} ({lane})", name=names[seat], card=card, lane=lane)
        for seat, card, lane, mud in cards
    )
    return msg("{one} - {other}", one=one, other=other)


SCORE: Final = msg("Ducats")

COLOURS: Final = ("red", "sky", "yellow", "green")
"""The colour of each seat's cards on the display; the cards on the table may have others."""


def score(view: View) -> tuple[int | None, ...]:
    """Return the ducats of each seat: nobody's are known before the end."""
    return view.purses or (None,) * len(view.counts)


def stands(view: View, seat: Seat) -> Text:
    """Say how a seat stands."""
    if view.purses:
        return msg("{n} ducat", "{n} ducats", n=view.purses[seat])
    return msg("{n} card", "{n} cards", n=view.counts[seat])


def colours(view: View) -> tuple[str, ...]:
    """Return the colours of the seats' cards."""
    return COLOURS[: len(view.counts)]


def picture(view: View, names: Sequence[str], render: Render) -> str:
    """Return the lanes (penalty zone, start line, track), then what everybody may know of each player."""
    zones = [_cards(zone, view.card, names) for zone in view.zones]
    width = max(map(len, zones))
    lines = []
    for lane, (zone, track) in enumerate(zip(zones, view.tracks, strict=True), 1):
        result = ""
        if view.results and view.phase in {Phase.BRIBERY, Phase.OVER}:  # else they are of the last race
            winner = view.results[lane - 1].winner
            result = "  = " + ("–" if winner == NOBODY else names[winner])
        lines.append(f"  {lane}  {zone:>{width}} | {_cards(track, view.last, names)}{result}".rstrip())
    width = max(map(len, names))
    for seat, name in enumerate(names):
        parts = [render(msg("{n} card", "{n} cards", n=view.counts[seat])), render(msg("{n} MC", n=view.mc[seat]))]
        if view.purses:
            parts.append(render(msg("{n} ducat", "{n} ducats", n=view.purses[seat])))
        lines.append(f"  {name:{width}}  {', '.join(parts)}")
    return "\n".join(lines)


def _cards(cards: Sequence[Card], marked: Card, names: Sequence[str]) -> str:
    """Return cards with their owners, as `Ann 4a`; the marked one in brackets."""
    texts = [f"{names[owner(card)]} {card_text(card)}" for card in cards]
    return ", ".join(f"[{text}]" if card == marked else text for card, text in zip(cards, texts, strict=True))
