"""Dé et Boulanger in words: what happened, and the table as a text picture."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from companion.core.event import Event
from companion.core.game import Order
from companion.core.move import Seat
from companion.core.text import Render, Text, listed, msg
from companion.games.de_et_boulanger.rules import View, kinds
from companion.games.de_et_boulanger.rules.board import SIDE_NAMES, SIDES
from companion.games.de_et_boulanger.rules.components import NO_SIDE, tile_text

_SENTENCES: Final = {
    "bakery": msg("{who} has the bakery {side}"),
    "tiles": msg("{who} lines the tiles up: {tiles}"),
    "start_rolls": msg("Everybody rolls for the first turn"),
    "handicap": msg("{who} begins with {paid} more"),
    "start_roll": msg("{who} rolls a {die}"),
    "start_again": msg("A tie: {who} roll again"),
    "first": msg("The order of play: {who}"),
    "round": msg("Round {round} of {of}"),
    "errands": msg("Everybody moves and keys what is bought"),
    "turn": msg("{who} is next, roll {series} of {of}"),
    "load": msg("{who} loads {goods}, {cash} left"),
    "unload": msg("{who} puts away {goods}"),
    "trade": msg("{who} takes {goods} for {paid}"),
    "trade free": msg("{who} takes {goods}"),
    "roll": msg("{who} rolls a {die}"),
    "step last": msg("{who} stops on the way"),
    "step shop": msg("{who} comes home to the shop"),
    "step mill": msg("{who} comes to the mill {to}"),
    "step farm": msg("{who} comes to the farm {to}"),
    "step fountain": msg("{who} comes to the fountain"),
    "home yes": msg("{who} is home"),
    "home no": msg("{who} is not home"),
    "stay": msg("{who} stays at home today"),
    "bonus": msg("{who} is home in time and gets {paid}, now {cash}"),
    "carried": msg("The baker of {who} is carried home"),
    "production": msg("All bakers are home. Everybody bakes"),
    "bake": msg("{who} bakes {goods}"),
    "bake nothing": msg("{who} bakes nothing"),
    "validate": msg("{who} is done with baking"),
    "selling": msg("The bakeries open"),
    "sale": msg("{who} rolls a {die}: tile {tile}"),
    "sold": msg("{who} sells {goods} for {paid}, now {cash}"),
    "sold nothing": msg("{who} sells nothing"),
    "lost": msg("{who} loses {goods}"),
    "incident flood": msg("{who} rolls a {die}: a flood in the shop"),
    "incident earthquake": msg("{who} rolls a {die}: an earthquake"),
    "incident gift": msg("{who} rolls a {die}: a gift to charity"),
    "ruined": msg("The lab of {who} loses {goods}"),
    "gift": msg("{who} gives {paid} and keeps {cash}"),
    "tile_used": msg("{who}: tile {tile} is out, marker to {marker}"),
    "over": msg("The match is over; the most sous win: {who}"),
}

TONES: Final = {"bonus": "good", "sold": "good", "lost": "bad", "incident": "bad"}

_COUNTED: Final = {
    "flour": msg("{n} flour", "{n} flour"),
    "water": msg("{n} water", "{n} water"),
    "butter": msg("{n} butter", "{n} butter"),
    "bread": msg("{n} bread", "{n} breads"),
    "croissant": msg("{n} croissant", "{n} croissants"),
    "sous": msg("{n} sou", "{n} sous"),
}

_TRADED: Final = (kinds.Flour, kinds.Water, kinds.Butter)

_BY_HAND: Final = (kinds.Bakery, kinds.Tiles, kinds.Load, kinds.Unload, *_TRADED, kinds.Step, kinds.Bake)

_GOODS: Final = {
    "load": ("sous",),
    "unload": ("flour", "water", "butter", "sous"),
    "bake": ("bread", "croissant"),
    "sold": ("bread", "croissant"),
    "lost": ("bread", "croissant"),
    "ruined": ("flour", "water", "butter"),
}


def tell(happened: Event, names: Sequence[str]) -> Text | None:
    """Return a sentence for an event, None for one that needs no words."""
    kind, data, facts = happened.kind, happened.data, happened.facts
    seats: tuple[Seat, ...] = () if happened.seat is None else (happened.seat,)
    goods, paid = _counted(facts, _GOODS.get(kind, ())), _counted(facts, ("sous",))
    if isinstance(data, _TRADED):
        goods = _count(kind, data.n)
        kind = "trade" if data.sous else "trade free"
    elif isinstance(data, kinds.Sold | kinds.Bake) and not data.bread and not data.croissant:
        kind = f"{kind} nothing"
    elif isinstance(data, kinds.Step):
        # A walk is seen: told is only where it leads to.
        kind = "step last" if data.at == "plain" and not data.steps else f"step {data.at}"
    elif isinstance(data, kinds.Incident):
        kind = f"incident {data.effect}"
    elif isinstance(data, kinds.Home):
        kind = "home yes" if data.home else "home no"
    elif isinstance(data, kinds.Over):
        seats = data.ranking[0]
    elif isinstance(data, kinds.First | kinds.StartAgain):
        seats = data.seats
    elif isinstance(data, kinds.Bakery):
        facts["side"] = _side(data.side)
    elif isinstance(data, kinds.Tiles):
        facts["tiles"] = ", ".join(data.tiles)
    if kind not in _SENTENCES:
        return None
    who = ", ".join(names[seat] for seat in seats)
    return _SENTENCES[kind]._replace(values=(("who", who), ("goods", goods), ("paid", paid), *facts.items()))


def _side(letter: str) -> Text:
    return SIDE_NAMES[SIDES.index(letter)]


def orders(happened: Sequence[Event], _names: Sequence[str]) -> Iterator[Order]:
    """Return what is to be done with real pawns, tokens and tiles because of a step.

    Who keys a move makes it: walks, trades, loads, puts away, bakes, lines the tiles up. Ordered is what the end of
    the walks, a die of the sale, or the other baker's choice of a bakery brings.
    """
    # Who puts something away by himself does that alone; at the end of the walks other things happen, too.
    is_end = any(isinstance(told.data, kinds.Production | kinds.Turn) for told in happened)
    chooser = next((told.seat for told in happened if isinstance(told.data, kinds.Bakery)), None)
    for told in happened:
        if told.seat is None:
            continue
        data = told.data
        if isinstance(data, kinds.Unload) and is_end:
            yield Order(told.seat, msg("Put away {goods}", goods=_counted(told.facts, _GOODS["unload"])))
        elif isinstance(data, kinds.Bakery) and told.seat != chooser:
            yield Order(told.seat, msg("Your bakery is {side}: your baker goes there", side=_side(data.side)))
        elif isinstance(data, kinds.Bonus | kinds.Handicap) and data.sous:
            yield Order(told.seat, msg("Take {paid}", paid=_count("sous", data.sous)))
        elif isinstance(data, kinds.Carried):
            yield Order(told.seat, msg("Carry your baker home"))
        elif isinstance(data, _BY_HAND):
            yield Order(told.seat, msg("pieces as on the screen"), made=True)
    yield from _sale_orders(happened)


def _sale_orders(happened: Sequence[Event]) -> Iterator[Order]:
    """Return what the seller of a step gets and gives away, and what becomes of the tiles."""
    sold = next((told.data for told in happened if isinstance(told.data, kinds.Sold)), None)
    for told in happened:
        if told.seat is not None and (text := _sale_order(told.data, sold)):
            yield Order(told.seat, text)


def _sale_order(data: NamedTuple, sold: kinds.Sold | None) -> Text | None:
    """Say what is to be done because of an event of a sale, in which so much was sold; None for nothing."""
    if isinstance(data, kinds.Sale) and sold is None:
        return msg("Your marker to tile {tile}", tile=data.tile)
    if isinstance(data, kinds.Sold) and data.sous:  # what is not sold is lost: nothing stays there
        return msg("Clear the shop: {paid}", paid=_count("sous", data.sous))
    if isinstance(data, kinds.Sold) and (data.bread or data.croissant):  # the box has them for nothing
        return msg("Clear the shop")
    if isinstance(data, kinds.Lost) and not (sold and (sold.bread or sold.croissant)):
        return msg("Clear the shop")
    if isinstance(data, kinds.Ruined):
        return msg("Clear the laboratory")
    if isinstance(data, kinds.Gift) and data.sous:
        return msg("Give away {paid}", paid=_count("sous", data.sous))
    if isinstance(data, kinds.TileUsed):
        return msg("Tile {tile} out, marker to {marker}", tile=data.tile, marker=data.marker)
    return None


def _count(kind: str, n: int) -> Text:
    return _COUNTED[kind]._replace(values=(("n", n),))


def _counted(facts: Mapping[str, object], goods: Sequence[str]) -> Text:
    """Return how much there is of some goods, without those of which there is nothing."""
    there = [_count(each, n) for each in goods if isinstance(n := facts.get(each), int) and n]
    return listed(there) if there else msg("nothing")


SCORE: Final = msg("Sous")

COLOURS: Final = ("red", "sky", "yellow", "green")
"""The colour of each seat's baker on the display; the pawns on the table may have others."""


def score(view: View) -> tuple[int | None, ...]:
    """Return the sous in each seat's cash box."""
    return view.cash


def stands(view: View, seat: Seat) -> Text:
    """Say how a seat stands."""
    return msg("{n} sou", "{n} sous", n=view.cash[seat])


def colours(view: View) -> tuple[str, ...]:
    """Return the seats' colours."""
    return COLOURS[: len(view.cash)]


def picture(view: View, names: Sequence[str], render: Render) -> str:
    """Return the board with the bakers as their seats' numbers, and what each of them has."""
    board = view.box.board
    letters = list(view.box.map.replace("\n", ""))
    for seat, place in enumerate(view.places):
        if place >= 0:
            # Several bakers at the fountain stand on cells of their own.
            cells = [cell for cell in board.cells(place) if not letters[cell].isdecimal()]
            if cells:
                letters[cells[0]] = str(seat + 1)
    columns = board.columns
    lines = ["  " + "".join(letters[row * columns : (row + 1) * columns]) for row in range(board.rows)]
    width = max(map(len, names))
    for seat, name in enumerate(names):
        side = "-" if view.sides[seat] == NO_SIDE else SIDES[view.sides[seat]]
        sous = render(msg("{n} sou", "{n} sous", n=view.cash[seat]))
        parts = [
            sous,
            render(msg("on the baker: {goods}", goods=_counted(view.loads[seat]._asdict(), _GOODS["unload"]))),
            render(msg("laboratory: {goods}", goods=_counted(view.labs[seat]._asdict(), _GOODS["ruined"]))),
        ]
        if any(view.products[seat]):
            parts.append(
                render(msg("baked: {goods}", goods=_counted(view.products[seat]._asdict(), _GOODS["bake"])))
            )
        row = [tile_text(view.box.tiles[tile]) for tile in view.tiles[seat]]
        if row:
            row[view.markers[seat]] = f"[{row[view.markers[seat]]}]"
        lines.append(f"  {seat + 1} {name:{width}} {side}  {'; '.join(parts)}")
        lines.append(f"    {' ':{width}}    {' '.join(row)}".rstrip())
    return "\n".join(lines)
