"""Tasks for players with real cards, and the table as text."""

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
    """Yield the tasks for real cards and ducats that follow from a step.

    Players carry out their own moves. Tasks cover the consequences: falling cards, payments and costs.
    """
    mover = next((told.seat for told in events if isinstance(told.data, kinds.Played | kinds.Bought)), None)
    moved_by_players = kinds.Played | kinds.Exchanged | kinds.Reward | kinds.Reordered | kinds.McMoved
    for told in events:
        seat = told.seat
        if isinstance(told.data, moved_by_players) and seat is not None:
            yield PieceTask(seat, msg("Arrange the pieces as on the screen"), made=True)
        elif task := told.task(names):
            if isinstance(told.data, kinds.Falls):
                seat = mover  # the card lies in front of the mover; its owner may sit far away
            # Bought cards are removed before the others leave the game.
            yield PieceTask(TABLE if seat is None else seat, task, after_all=isinstance(told.data, kinds.Removed))
    yield from _ducats(events)


def _ducats(events: Sequence[Event]) -> Iterator[PieceTask]:
    """Yield one task per seat for all ducats won, then the payments for MC cards."""
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
"""Display colours of the seats' cards; real cards may differ."""


def score(view: View) -> tuple[int | None, ...]:
    """Return each seat's ducats; None before the end."""
    return view.purses or (None,) * len(view.counts)


def stands(view: View, seat: Seat) -> Text:
    if view.purses:
        return kinds.ducats_text(view.purses[seat])
    return msg("{n} card", "{n} cards", n=view.counts[seat])


def colours(view: View) -> tuple[str, ...]:
    return COLOURS[: len(view.counts)]


def picture(view: View, names: Sequence[str], render: Render) -> str:
    """Return the lanes (penalty zone | track) and the public facts about each player."""
    zones = [_cards(zone, view.card, names) for zone in view.zones]
    width = max(map(len, zones))
    lines = []
    for lane, (zone, track) in enumerate(zip(zones, view.tracks, strict=True), 1):
        result = ""
        if view.results and view.phase in {Phase.BRIBERY, Phase.OVER}:  # else they are the last race's
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
    texts = [f"{names[owner(card)]} {card_text(card)}" for card in cards]
    return ", ".join(f"[{text}]" if card == marked else text for card, text in zip(cards, texts, strict=True))
