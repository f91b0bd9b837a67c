"""A table for Buntherum's tests, with a separate way to find fitting rows."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

from companion.core.event import Event
from companion.core.move import TABLE, Move, Seat
from companion.games.buntherum import rules
from companion.games.buntherum.box import BuntherumBox
from companion.games.buntherum.game import GAME
from companion.games.buntherum.rules import IMPOSSIBLE, UNKNOWN, Box, Phase, Rulings, State, View
from tests.games import kit
from tests.games.contract import Step

BOX = BuntherumBox.read(GAME.box_text, "box.toml")

STARTERS = ("pink ball", "pink cube", "pink butterfly", "pink cup", "pink icecream", "pink telephone")
"""With these the pink car and the pink flower fit nowhere; the sky car fits everywhere."""


def card(name: str, box: Box = BOX) -> int:
    """Return the number of a named card; `??` is unread."""
    return UNKNOWN if name == "??" else box.names.index(name)


def row_words(box: Box, rulings: Rulings, rows: tuple[tuple[int, ...], ...], row: int) -> list[str]:
    """Return the words that `row` (1 to 6) shows."""
    shown = [*rows[row - 1], *([box.printed[row - 1]] if rulings.printed_counts else [])]
    return [word for one in shown for word in box.names[one].split()]


def fitting(state: State | View, one: int) -> set[int]:
    """Return the rows (1 to 6) that accept a card (BH-R2)."""
    words = set(state.box.names[one].split())
    return {row for row in range(1, 7) if not words & set(row_words(state.box, state.rulings, state.rows, row))}


def true_call(state: State) -> int:
    return min(fitting(state, state.card), default=IMPOSSIBLE)


def false_call(state: State) -> int:
    rows = fitting(state, state.card)
    return next((row for row in range(1, 7) if row not in rows), IMPOSSIBLE)


class Play(kit.Table):
    """A match whose moves are methods; seats count from 0, rows from 1, 0 is "impossible"."""

    rules = rules

    def __init__(
        self,
        seats: int = 3,
        *,
        youngest: Seat = 0,
        starters: tuple[str, ...] = STARTERS,
        box: Box = BOX,
        **rulings: Any,
    ) -> None:
        self.state: State = rules.setup(box, Rulings(**rulings), seats)
        self.make("youngest", youngest)
        for side, name in enumerate(starters, 1):
            self.make("starter", side, card(name, box))

    def flip(self, name: str) -> tuple[Event, ...]:
        return self.make("flip", card(name, self.state.box))

    def say(self, seat: Seat, said: int) -> tuple[Event, ...]:
        """Call for a seat and declare a row, or 0."""
        if self.state.rulings.call_input == "direct":
            return self.make("call", seat, said)
        return self.make("call", seat) + self.make("declare", said, seat=seat)

    def turn(self) -> None:
        """Turn a card unless one is open."""
        if self.state.phase == Phase.READY:
            self.make("flip", *rules.draws(self.state)[0].args)

    def right(self, seat: Seat, times: int = 1) -> tuple[Event, ...]:
        """Call rightly `times` times."""
        for _ in range(times):
            self.turn()
            events = self.say(seat, true_call(self.state))
        return events

    def wrong(self, seat: Seat, times: int = 1) -> tuple[Event, ...]:
        """Call wrongly `times` times."""
        for _ in range(times):
            self.turn()
            events = self.say(seat, false_call(self.state))
        return events


some_rulings = partial(kit.some_rulings, GAME)


def wander(state: State, luck: Random, unread: float = 0.0) -> Iterator[Step]:
    """Yield the steps of a random match; `unread` is the share of cards that stay unread."""
    return kit.wander(rules, state, lambda at: _some_move(at, luck, unread))


def _some_move(state: State, luck: Random, unread: float) -> Move:
    moves = [move for move in rules.legal(state, TABLE) if move.verb not in rules.DRAWS]
    if not unread:
        moves = [move for move in moves if move.verb != "laid"]
    knows = state.card >= 0 and not any(UNKNOWN in row for row in state.rows)
    if state.phase in {Phase.SETUP, Phase.READY}:
        if moves and luck.random() < 0.05:
            return _any_of(moves, luck)
        if state.phase == Phase.READY and luck.random() < unread:
            return Move(TABLE, "flip", (UNKNOWN,))
        return luck.choice(rules.draws(state))
    if state.phase == Phase.OPEN and luck.random() < 0.8:
        moves = [move for move in moves if move.verb == "call"]
        if state.rulings.call_input == "direct" and knows and luck.random() < 0.6:
            moves = [move for move in moves if move.args[1] == true_call(state)]
    if state.phase == Phase.LOCKED and luck.random() < 0.9:
        if knows and luck.random() < 0.7:
            return Move(state.caller, "declare", (true_call(state),))
        moves = list(rules.legal(state, state.caller))
    return _any_of(moves, luck)


def _any_of(moves: list[Move], luck: Random) -> Move:
    """Return a random move, each verb equally likely."""
    verb = luck.choice(sorted({move.verb for move in moves}))
    return luck.choice([move for move in moves if move.verb == verb])
