"""Buntherum in words: what happened, and the table as a text picture."""

from collections.abc import Sequence
from typing import Final

from companion.core.event import Event
from companion.core.move import TABLE, Seat
from companion.core.text import Render, Text, msg
from companion.games.buntherum.rules import IMPOSSIBLE, NO_CARD, Phase, View, card_text, kinds

_SENTENCES: Final = {
    "youngest": msg("{who} is the youngest and turns the first card"),
    "starter": msg("Side {row} starts with the {card}"),
    "dealt": msg("{each} cards to each, {draw_pile} on the draw pile"),
    "flip": msg("{who} turns over the {card}"),
    "flip from the draw pile": msg("{who} turns over the {card} (draw pile)"),
    "early": msg("{who} pressed before the card was visible"),
    "call": msg("{who} was first"),
    "tie": msg("A tie: {who}"),
    "nobody": msg("Nobody calls this card"),
    "declare": msg("{who} says: row {row}"),
    "declare impossible": msg("{who} says: impossible"),
    "late": msg("{who} named no row in time"),
    "card": msg("The card is the {card}"),
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

_WORDS: Final = {
    "cube": msg("cube"),
    "butterfly": msg("butterfly"),
    "ball": msg("ball"),
    "icecream": msg("icecream"),
    "cup": msg("cup"),
    "flower": msg("flower"),
    "car": msg("car"),
    "telephone": msg("telephone"),
    "green": msg("green"),
    "red": msg("red"),
    "blue": msg("blue"),
    "yellow": msg("yellow"),
    "orange": msg("orange"),
    "purple": msg("purple"),
    "pink": msg("pink"),
    "sky": msg("sky"),
}
"""The words of the box as people say them; another box may have others, which stay as they are."""

TONES: Final = {"right": "good", "wrong": "bad", "late": "bad", "eliminated": "bad"}


def tell(happened: Event, names: Sequence[str]) -> Text | None:
    """Return a sentence for an event, None for one that needs no words."""
    kind, data, facts = happened.kind, happened.data, happened.facts
    seats: tuple[Seat, ...] = () if happened.seat is None else (happened.seat,)
    if isinstance(data, kinds.Tie):
        seats = data.seats
    elif isinstance(data, kinds.Over):
        kind, seats = f"over {data.reason}", data.ranking[0]
    elif isinstance(data, kinds.Declare) and data.row == IMPOSSIBLE:
        kind = "declare impossible"
    elif isinstance(data, kinds.Flip) and data.source == TABLE:
        kind = "flip from the draw pile"
    if kind not in _SENTENCES:
        return None
    who = ", ".join(names[seat] for seat in seats)
    if isinstance(card := facts.get("card"), str):
        facts["card"] = _card(card)
    return _SENTENCES[kind]._replace(values=(("who", who), *facts.items()))


def _card(name: str) -> Text:
    """Return a card as people say it; one that nobody has named yet stays `??`."""
    colour, _, thing = name.partition(" ")
    if not thing:
        return Text(name)
    return msg("{colour} {object}", colour=_WORDS.get(colour, colour), object=_WORDS.get(thing, thing))


SCORE: Final = msg("Cards left")

_COLOURS: Final = ("red", "sky", "yellow", "green", "purple")


def score(view: View) -> tuple[int | None, ...]:
    """Return how many cards each seat still has to get rid of; None before they are dealt, and for who is out."""
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
        printed, *cards = (render(_card(card_text(view.box, card))) for card in (view.box.printed[side], *row))
        lines.append(f"  {side + 1} [{printed}] {', '.join(cards)}")
    if view.card != NO_CARD:
        lines.append("  " + render(msg("open: {card}", card=_card(card_text(view.box, view.card)))))
    width = max(map(len, names))
    for seat, name in enumerate(names):
        cards_left = render(msg("{n} card", "{n} cards", n=view.piles[seat]))
        out = render(msg("out")) if seat in view.gone else cards_left
        lines.append(f"  {name:{width}}  {out:10} {'●' * view.chips[seat]}".rstrip())
    return "\n".join(lines)
