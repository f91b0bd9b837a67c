"""Buntherum's real cards and chips, moved by keyed moves and by orders."""

from collections import deque
from typing import Final

from companion.core.move import TABLE, Move, Seat
from companion.games.buntherum import rules
from companion.games.buntherum.rules import NO_CARD, UNKNOWN, Box, Rulings, State

Card = int


class Cards:
    """One table's pieces; only cards that were open have faces."""

    ORDERS: Final = {
        "{n} card each, {draw_pile} in the draw pile": "deal",
        "Lay the card in row {row}": "lay",
        "Card under the draw pile": "put_under",
        "Card under the draw pile, take a chip": "fail",
        "Take a red chip": "take_chip",
        "You are out: cards aside, chips back": "leave",
        "Next: your pile": "turn_own",
        "Next: the draw pile": "turn_next",
    }

    def __init__(self, box: Box, _: Rulings, seats: int) -> None:
        self.draw = deque([UNKNOWN] * len(box.deck))
        self.piles = [0] * seats
        self.chips = [0] * seats
        self.aside = 0
        self.rows: list[list[Card]] = [[] for _ in range(6)]
        self.open = NO_CARD
        self.source: Seat = TABLE
        self.turner: Seat = TABLE

    # --- Keyed moves: starters, turned cards, names of open or unread cards

    def keyed(self, move: Move) -> None:
        if move.verb == "starter":
            side, card = move.args
            self.draw.pop()
            self.rows[side - 1].append(card)
        elif move.verb == "laid":
            for row in self.rows:
                self.draw.pop()
                row.append(UNKNOWN)
        elif move.verb == "read":
            row = self.rows[move.args[0] - 1]
            row[row.index(UNKNOWN)] = move.args[1]
        elif move.verb == "flip":
            if self.source == TABLE:
                self.open = self.draw.popleft()
            else:
                self.piles[self.source] -= 1
            self.open = move.args[0]
        elif move.verb == "card":
            self.open = move.args[0]

    # --- Orders

    def deal(self, _: Seat, n: int, draw_pile: int) -> None:
        for seat in range(len(self.piles)):
            self.piles[seat] = n
            for _ in range(n):
                self.draw.pop()
        assert len(self.draw) == draw_pile

    def lay(self, _: Seat, row: int) -> None:
        assert self.open != NO_CARD
        self.rows[row - 1].append(self.open)
        self.open = NO_CARD

    def put_under(self, _: Seat) -> None:
        assert self.open != NO_CARD
        self.draw.append(self.open)
        self.open = NO_CARD

    def fail(self, seat: Seat) -> None:
        self.put_under(seat)
        self.take_chip(seat)

    def take_chip(self, seat: Seat) -> None:
        self.chips[seat] += 1

    def leave(self, seat: Seat) -> None:
        self.aside += self.piles[seat]
        self.piles[seat] = self.chips[seat] = 0

    def turn_own(self, seat: Seat) -> None:
        self.source = self.turner = seat

    def turn_next(self, seat: Seat) -> None:
        self.source, self.turner = TABLE, seat

    def compare(self, state: State) -> None:
        table = rules.view(state, None)
        assert self.rows == list(map(list, table.rows))
        assert self.open == table.card
        assert self.chips == list(table.chips)
        if table.phase != "setup":
            assert (self.piles, len(self.draw)) == (list(table.piles), table.draw_pile)
            assert list(self.draw)[len(self.draw) - len(state.under) :] == list(state.under)
        if table.phase == "ready":
            assert (self.turner, self.source) == (table.flipper, table.source)
