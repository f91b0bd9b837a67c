"""Real pawns, tokens and tiles, moved by keys and tasks."""

from collections import Counter
from typing import Final

from companion.core.move import Move, Seat
from companion.core.text import Text
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules.board import SIDES
from companion.games.de_et_boulanger.rules.components import Box, Rulings, State, tile_text
from tests.games.obedient import counted

GOODS = ("flour", "water", "butter")
PRODUCTS = ("bread", "croissant")


class Bakeries:
    ORDERS: Final = {
        "Your bakery is {side}: put your baker there": "move_in",
        "Put away {goods}": "put_away",
        "Take {paid}": "take",
        "Carry your baker home": "carry",
        "Move your marker to tile {tile}": "mark",
        "Clear the shop, take {paid}": "clear_shop",
        "Clear the shop": "clear_shop",
        "Clear the laboratory": "clear_lab",
        "Give away {paid}": "give",
        "Remove tile {tile}, marker to {marker}": "turn",
    }

    def __init__(self, box: Box, _: Rulings, seats: int) -> None:
        self.box = box
        self.homes: list[int | None] = [None] * seats
        self.squares: list[int | None] = [None] * seats
        self.loads = [Counter[str]() for _ in range(seats)]
        self.labs = [Counter[str]() for _ in range(seats)]
        self.baked = [Counter[str]() for _ in range(seats)]
        self.cash = [box.start_sous] * seats
        self.rows: list[list[str]] = [[] for _ in range(seats)]
        self.marked = [""] * seats

    # --- Moves that players make themselves

    def keyed(self, move: Move) -> None:
        if move.verb in {"bakery", "tiles", "load", "unload", *GOODS, "step", "bake"}:
            getattr(self, move.verb)(move.seat, *move.args)

    def bakery(self, seat: Seat, side: int) -> None:
        self.homes[seat] = self.squares[seat] = self.box.board.shops[side]

    def tiles(self, seat: Seat, *row: int) -> None:
        self.rows[seat] = [tile_text(self.box.tiles[tile]) for tile in row]
        self.marked[seat] = self.rows[seat][0]

    def load(self, seat: Seat, sous: int) -> None:
        self.cash[seat] -= sous
        self.loads[seat]["sou"] += sous

    def unload(self, seat: Seat, flour: int, water: int, butter: int, sous: int) -> None:
        for what, n in {"flour": flour, "water": water, "butter": butter, "sou": sous}.items():
            self.loads[seat][what] -= n
            if what == "sou":
                self.cash[seat] += n
            else:
                self.labs[seat][what] += n

    def flour(self, seat: Seat, n: int) -> None:
        self.trade(seat, "flour", n, self.box.price.flour)

    def water(self, seat: Seat, n: int) -> None:
        self.trade(seat, "water", n, self.box.price.water)

    def butter(self, seat: Seat, n: int) -> None:
        self.trade(seat, "butter", n, self.box.price.butter)

    def trade(self, seat: Seat, what: str, n: int, price: int) -> None:
        self.loads[seat][what] += n
        self.loads[seat]["sou"] -= n * price

    def step(self, seat: Seat, square: int) -> None:
        self.squares[seat] = square

    def bake(self, seat: Seat, *wanted: int) -> None:
        for what, n, recipe in zip(PRODUCTS, wanted, self.box.recipes, strict=True):
            more = n - self.baked[seat][what]
            self.baked[seat][what] = n
            for good, needed in zip(GOODS, recipe, strict=True):
                self.labs[seat][good] -= more * needed

    # --- Tasks

    def move_in(self, seat: Seat, side: str) -> None:
        self.bakery(seat, SIDES.index(str(side)))

    def put_away(self, seat: Seat, goods: Text) -> None:
        away = counted(goods)
        self.unload(seat, *(away.get(what, 0) for what in (*GOODS, "sou")))

    def take(self, seat: Seat, paid: Text) -> None:
        self.cash[seat] += counted(paid)["sou"]

    def carry(self, seat: Seat) -> None:
        self.squares[seat] = self.homes[seat]

    def mark(self, seat: Seat, tile: str) -> None:
        assert tile in self.rows[seat]
        self.marked[seat] = tile

    def clear_shop(self, seat: Seat, paid: Text | None = None) -> None:
        assert any(self.baked[seat].values()), "there is nothing in it"
        self.baked[seat].clear()
        if paid:
            self.take(seat, paid)

    def clear_lab(self, seat: Seat) -> None:
        self.labs[seat].clear()

    def give(self, seat: Seat, paid: Text) -> None:
        self.cash[seat] -= counted(paid)["sou"]

    def turn(self, seat: Seat, tile: str, marker: str) -> None:
        self.rows[seat].remove(tile)
        self.mark(seat, marker)

    def compare(self, state: State) -> None:
        table = rules.view(state, None)
        assert self.cash == list(table.cash)
        for seat, load in enumerate(self.loads):
            assert [load[what] for what in (*GOODS, "sou")] == list(table.loads[seat])
            assert [self.labs[seat][what] for what in GOODS] == list(table.labs[seat])
            assert [self.baked[seat][what] for what in PRODUCTS] == list(table.products[seat])
            row = [tile_text(self.box.tiles[tile]) for tile in table.tiles[seat]]
            assert self.rows[seat] == row
            assert not row or self.marked[seat] == row[table.markers[seat]]
            assert self.squares[seat] is None or self.squares[seat] == table.places[seat]
