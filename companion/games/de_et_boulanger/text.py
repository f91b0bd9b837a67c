"""Tasks for players with real pieces, and the table as text."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.event import Event
from companion.core.game import PieceTask
from companion.core.move import Seat
from companion.core.text import Render, Text, msg
from companion.games.de_et_boulanger.rules import View, kinds
from companion.games.de_et_boulanger.rules.board import SIDES
from companion.games.de_et_boulanger.rules.components import NO_SIDE, tile_text

_MOVED_BY_PLAYERS: Final = (kinds.Tiles, kinds.Load, kinds.Trade, kinds.Step, kinds.Bake)


def piece_tasks(events: Sequence[Event], names: Sequence[str]) -> Iterator[PieceTask]:
    """Yield the tasks for real pawns, tokens and tiles that follow from a step.

    Players carry out their own moves. Tasks cover the consequences.
    """
    # Players unload themselves during a turn, but at its end other things happen as well.
    is_end = any(isinstance(told.data, kinds.Production | kinds.Turn) for told in events)
    chooser = next((told.seat for told in events if isinstance(told.data, kinds.Bakery)), None)
    sold = next((told.data for told in events if isinstance(told.data, kinds.Sold)), None)
    for told in events:
        data, seat = told.data, told.seat
        if seat is None:
            continue
        chosen = isinstance(data, kinds.Bakery) and seat == chooser
        if chosen or isinstance(data, _MOVED_BY_PLAYERS) or (isinstance(data, kinds.Unload) and not is_end):
            yield PieceTask(seat, msg("Arrange the pieces as on the screen"), made=True)
        elif isinstance(data, kinds.Sale) and sold:
            continue  # the marker moves on at once, to the next tile
        elif isinstance(data, kinds.Lost) and sold and (sold.bread or sold.croissant):
            continue  # the shop was cleared by the sale
        elif task := told.task(names):
            yield PieceTask(seat, task)


SCORE: Final = msg("Sous")

COLOURS: Final = ("red", "sky", "yellow", "green")
"""Display colours of the bakers; real pawns may differ."""


def score(view: View) -> tuple[int | None, ...]:
    return view.cash


def stands(view: View, seat: Seat) -> Text:
    return msg("{n} sou", "{n} sous", n=view.cash[seat])


def colours(view: View) -> tuple[str, ...]:
    return COLOURS[: len(view.cash)]


def picture(view: View, names: Sequence[str], render: Render) -> str:
    """Return the board with seat numbers as bakers, then each player's goods and tiles."""
    board = view.box.board
    letters = list(view.box.map.replace("\n", ""))
    for seat, place in enumerate(view.places):
        if place >= 0:
            # Several bakers at the fountain get separate cells.
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
            render(msg("on the baker: {goods}", goods=kinds.goods_text(view.loads[seat]._asdict()))),
            render(msg("laboratory: {goods}", goods=kinds.goods_text(view.labs[seat]._asdict()))),
        ]
        if any(view.products[seat]):
            parts.append(render(msg("baked: {goods}", goods=kinds.goods_text(view.products[seat]._asdict()))))
        row = [tile_text(view.box.tiles[tile]) for tile in view.tiles[seat]]
        if row:
            row[view.markers[seat]] = f"[{row[view.markers[seat]]}]"
        lines.append(f"  {seat + 1} {name:{width}} {side}  {'; '.join(parts)}")
        lines.append(f"    {' ':{width}}    {' '.join(row)}".rstrip())
    return "\n".join(lines)
