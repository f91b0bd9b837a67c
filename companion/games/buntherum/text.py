"""Buntherum in words: what happened, and the table as a text picture."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.event import Event
from companion.core.game import Order
from companion.core.move import HIDDEN, TABLE, Seat
from companion.core.text import Render, Text, msg
from companion.games.buntherum.rules import IMPOSSIBLE, NO_CARD, Phase, View, card_words, kinds, named

_SENTENCES: Final = {
    "youngest": msg("{who} turns the first card"),
    "first": msg("{who} is the youngest and turns the first card"),
    "lot": msg("By lot: {who} turns the first card"),
    "starter": msg("Side {row} starts with the {card}"),
    "laid": msg("The six starters lie on their sides"),
    "flip": msg("{who} turns over the {card}"),
    "flip from the draw pile": msg("{who} turns over the {card} (draw pile)"),
    "flip unread": msg("{who} turns the next card"),
    "flip unread from the draw pile": msg("{who} turns the next card (draw pile)"),
    "early": msg("{who} pressed before the card was visible"),
    "call": msg("{who} was first"),
    "tie": msg("A tie: {who}"),
    "nobody": msg("Nobody calls this card"),
    "declare": msg("{who} says: row {row}"),
    "declare impossible": msg("{who} says: impossible"),
    "late": msg("{who} named no row in time"),
    "reopen": msg("The card is open again for {who}"),
    "card": msg("The card is the {card}"),
    "read": msg("The unread card of row {row} is the {card}"),
    "right": msg("Right"),
    "wrong": msg("Wrong"),
    "placed": msg("The {card} goes to row {row}"),
    "under": msg("The {card} goes under the draw pile"),
    "chip": msg("A red chip for {who}: {chips}"),
    "eliminated": msg("{who} is out, cards set aside"),
    "over last_card": msg("{who} may turn the last card and wins"),
    "over last_placed": msg("{who} has no card left and wins"),
    "over last_standing": msg("{who} is the last one in the game and wins"),
    "over empty_pile": msg("Draw pile empty; fewest cards win: {who}"),
}

TONES: Final = {"right": "good", "wrong": "bad", "late": "bad", "eliminated": "bad"}


def tell(happened: Event, names: Sequence[str]) -> Text | None:
    """Return a sentence for an event, None for one that needs no words."""
    kind, data, facts = happened.kind, happened.data, happened.facts
    seats: tuple[Seat, ...] = () if happened.seat is None else (happened.seat,)
    if isinstance(data, kinds.Tie | kinds.Reopen):
        seats = data.seats
    elif isinstance(data, kinds.Over):
        kind, seats = f"over {data.reason}", data.ranking[0]
    elif isinstance(data, kinds.Declare) and data.row == IMPOSSIBLE:
        kind = "declare impossible"
    elif isinstance(data, kinds.Flip):
        unread, drawn = " unread" * (data.card == HIDDEN), " from the draw pile" * (data.source == TABLE)
        kind += unread + drawn
    elif isinstance(data, kinds.Dealt):
        return _dealt(data)
    if kind not in _SENTENCES:
        return None
    who = ", ".join(names[seat] for seat in seats)
    if isinstance(card := facts.get("card"), str):
        facts["card"] = named(card)
    return _SENTENCES[kind]._replace(values=(("who", who), *facts.items()))


def _dealt(data: kinds.Dealt) -> Text:
    return msg(
        "{n} card to each, {draw_pile} on the draw pile",
        "{n} cards to each, {draw_pile} on the draw pile",
        n=data.each,
        draw_pile=data.draw_pile,
    )


def orders(happened: Sequence[Event], _names: Sequence[str]) -> Iterator[Order]:
    """Return what is to be done with real cards and chips because of a step: of the open card, and the next one.

    Who keys a starter has laid it; all else is ordered. A card that nobody has answered lies before the one who
    turns the next.
    """
    wrong = next((told.seat for told in happened if isinstance(told.data, kinds.Wrong)), None)
    handling = kinds.Right | kinds.Wrong | kinds.Next
    near = next((told.seat for told in happened if isinstance(told.data, handling)), None)
    for told in happened:
        data, seat = told.data, near if told.seat is None else told.seat
        if isinstance(data, kinds.Dealt):
            yield Order(TABLE, _dealt(data))
        elif isinstance(data, kinds.Chip) and wrong is not None:
            continue  # that is told with the card
        elif text := _order(told, wrong):
            yield Order(TABLE if seat is None else seat, text)


def _order(happened: Event, wrong: Seat | None) -> Text | None:
    """Say what is to be done because of an event; who was `wrong` gets a chip beside the card."""
    data = happened.data
    if isinstance(data, kinds.Placed):
        return msg("Lay the card at row {row}", row=data.row)
    if isinstance(data, kinds.Under):
        if wrong is None:
            return msg("Card under the draw pile")
        return msg("Card under the draw pile, take a chip")
    if isinstance(data, kinds.Chip):
        return msg("Take a red chip")
    if isinstance(data, kinds.Eliminated):
        return msg("You are out: cards aside, chips back")
    if isinstance(data, kinds.Next):
        return msg("Next: your pile") if data.source == happened.seat else msg("Next: the draw pile")
    return None


SCORE: Final = msg("Cards left")
FEWEST_LEAD: Final = True

_COLOURS: Final = ("red", "sky", "yellow", "green", "purple")


def score(view: View) -> tuple[int | None, ...]:
    """Return how many cards each seat still has to get rid of; None before they are dealt, and for those out."""
    if view.phase == Phase.SETUP:
        return (None,) * len(view.piles)
    return tuple(None if seat in view.gone else cards for seat, cards in enumerate(view.piles))


def stands(view: View, seat: Seat) -> Text:
    """Say how a seat stands."""
    if seat in view.gone:
        return msg("out")
    return msg("{n} card left", "{n} cards left", n=view.piles[seat])


def colours(view: View) -> tuple[str, ...]:
    """Return the seats' colours: nobody has one in the box, so one for each chair."""
    return _COLOURS[: len(view.piles)]


def picture(view: View, names: Sequence[str], render: Render) -> str:
    """Return the rows round the hexagon, the open card, and each player's cards and chips."""
    lines = []
    for side, row in enumerate(view.rows):
        printed, *cards = (render(card_words(view.box, card)) for card in (view.box.printed[side], *row))
        lines.append(f"  {side + 1} [{printed}] {', '.join(cards)}")
    if view.card != NO_CARD:
        lines.append("  " + render(msg("open: {card}", card=card_words(view.box, view.card))))
    width = max(map(len, names))
    for seat, name in enumerate(names):
        cards_left = render(msg("{n} card", "{n} cards", n=view.piles[seat]))
        out = render(msg("out")) if seat in view.gone else cards_left
        lines.append(f"  {name:{width}}  {out:10} {'●' * view.chips[seat]}".rstrip())
    return "\n".join(lines)
