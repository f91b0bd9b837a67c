"""Böse Buben in words: what to do with the real cards, and the table as a text picture."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.event import Event
from companion.core.game import PieceTask
from companion.core.move import TABLE, Seat
from companion.core.text import Render, Text, msg
from companion.games.boese_buben.rules import Phase, View, kinds
from companion.games.boese_buben.rules.cards import NOBODY, Card, card_text, owner


def piece_tasks(events: Sequence[Event], names: Sequence[str]) -> Iterator[PieceTask]:
    """Return what is to be done with real cards and ducats because of a step.

    Who keys a move makes it: lays the card, swaps two, throws one out, puts a lane into order, hands an MC card on.
    Ordered is what follows: what falls, what the bank pays, what an answer costs.
    """
    mover = next((told.seat for told in events if isinstance(told.data, kinds.Played | kinds.Bought)), None)
    moved_by_players = kinds.Played | kinds.Exchanged | kinds.Reward | kinds.Reordered | kinds.McMoved
    for told in events:
        seat = told.seat
        if isinstance(told.data, moved_by_players) and seat is not None:
            yield PieceTask(seat, msg("pieces as on the screen"), made=True)
        elif task := told.task(names):
            if isinstance(told.data, kinds.Falls):
                seat = mover  # it lies before the one who has just placed another; its owner may sit far away
            # Whoever has bought a card takes that one out before the others leave the game.
            yield PieceTask(TABLE if seat is None else seat, task, after_all=isinstance(told.data, kinds.Removed))
    yield from _ducats(events)


def _ducats(events: Sequence[Event]) -> Iterator[PieceTask]:
    """Return what the bank pays in a step, to each seat as one sum, and what it then gets for MC cards."""
    won: Counter[Seat] = Counter()
    for told in events:
        if isinstance(told.data, kinds.Lane | kinds.Reward | kinds.Handicap) and told.seat is not None:
            won[told.seat] += told.data.ducats
    for seat, n in won.items():
        yield PieceTask(seat, msg("Take {n} ducat", "Take {n} ducats", n=n))
    for told in events:
        if isinstance(told.data, kinds.McPaid) and told.data.ducats and told.seat is not None:
            n = told.data.ducats
            yield PieceTask(told.seat, msg("Pay {n} ducat for MC cards", "Pay {n} ducats for MC cards", n=n))


SCORE: Final = msg("Ducats")

COLOURS: Final = ("red", "sky", "yellow", "green")
"""The colour of each seat's cards on the display; the cards on the table may have others."""


def score(view: View) -> tuple[int | None, ...]:
    """Return the ducats of each seat: nobody's are known before the end."""
    return view.purses or (None,) * len(view.counts)


def stands(view: View, seat: Seat) -> Text:
    if view.purses:
        return kinds.ducats_text(view.purses[seat])
    return msg("{n} card", "{n} cards", n=view.counts[seat])


def colours(view: View) -> tuple[str, ...]:
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
            parts.append(render(kinds.ducats_text(view.purses[seat])))
        lines.append(f"  {name:{width}}  {', '.join(parts)}")
    return "\n".join(lines)


def _cards(cards: Sequence[Card], marked: Card, names: Sequence[str]) -> str:
    """Return cards with their owners, as `Ann 4a`; the marked one in brackets."""
    texts = [f"{names[owner(card)]} {card_text(card)}" for card in cards]
    return ", ".join(f"[{text}]" if card == marked else text for card, text in zip(cards, texts, strict=True))
