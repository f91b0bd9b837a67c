"""Whole matches with real pieces, moved only by keys and by orders or strips."""

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.console import BUZZ
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat
from companion.core.place import HOUSE
from companion.core.rules import Rules, State
from companion.display.frame import Result
from companion.games import load
from companion.games.buntherum.rules import UNKNOWN
from companion.match.session import Session
from companion.testing.playout import Pick, random_move
from tests.games.obedient import MATCHES, Choose, Pieces, evenings, read
from tests.host_bench import Bench
from tests.of_games import beside

AT_TABLE = 30

DONE = re.compile(r"\. (#: done|Buzzer: call)$")

PIECES = {"boese_buben": "Lanes", "buntherum": "Cards", "de_et_boulanger": "Bakeries"}
"""Each game's class of pieces."""


class Table:
    """A bench whose people key random moves and follow their strips."""

    def __init__(self, folder: Path, game: str, people: int, luck: Random) -> None:
        self.bench = Bench(folder, game=game, deal="table")
        self.luck, self.made = luck, 0
        for place in range(people):
            self.press(place, BUZZ)
        self.press(0, "#")
        self.bench.take("Start")
        assert self.bench.host.session
        self.session: Session = self.bench.host.session
        match = self.session.match
        pieces = getattr(beside(game, "pieces"), PIECES[game])
        self.pieces: Pieces = pieces(match.box, match.rulings, people)

    def move(self) -> None:
        """Key a random move of a seat or the house."""
        match, luck = self.session.match, self.luck
        seat, rules = luck.choice(match.to_act), match.game.rules
        moves = rules.legal(match.state, seat) if seat != TABLE else rules.draws(match.state)
        move = luck.choice(moves or rules.legal(match.state, TABLE))
        if seat != TABLE:
            self.press(seat, *self.session.console.keys_for(match.view(seat), move))
        elif move.verb == "call":
            self.press(move.args[0], BUZZ)
        elif move.verb not in {"tie", "late", "early"}:  # only the companion makes these
            self.press(HOUSE, *house_keys(match, move))

    def press(self, place: int, *controls: str) -> None:
        """Press controls in turn, after reading the screen."""
        for control in controls:
            self.bench.read()
            self.bench.press(place, control)

    def follow(self) -> None:
        """Carry out keyed moves and the orders that follow, then turn a card."""
        match, flips = self.session.match, []
        while self.made < match.length:
            for move in match.moves[self.made :]:
                if move.verb == "flip":
                    flips.append(move)
                else:
                    self.pieces.keyed(move)
            self.made = match.length
            self.obey()
        for flip in flips:
            self.pieces.keyed(flip)

    def obey(self) -> None:
        """Follow the strips in random order until none has an order."""
        while due := [
            (Seat(place), DONE.sub("", side.note))
            for place, side in enumerate(self.bench.frame.sides)
            if DONE.search(side.note)
        ]:
            seat, said = self.luck.choice(due)
            for msgid, values in read(self.pieces, said):
                getattr(self.pieces, self.pieces.ORDERS[msgid])(seat, **values)
            self.press(seat, "#")
            self.bench.wait(2.1)  # so that no press counts as an echo


def house_keys(match: Match, move: Move) -> Iterable[str]:
    """Return the house's keys or control for a move of the TABLE."""
    if move.verb in {"starter", "card"}:
        colour, thing = divmod(move.args[-1], len(match.box.objects))
        return str(thing + 1), str(colour + 1)
    if move.verb == "judge":
        return ("right" if move.args[0] else "wrong",)
    if move.verb in {"flip", "nobody"}:
        return ("ok" if move.verb == "flip" else "skip",)
    return (str(move.args[0] + (move.verb in {"first", "youngest"})),)


def unread(rules: Rules, state: State, pick: Pick) -> Move:
    """Return a random move that leaves two of three cards unread."""
    move = random_move(rules, state, pick)
    return Move(TABLE, "flip", (UNKNOWN,)) if move.verb == "flip" and pick(3) else move


def greedy(rules: Rules, state: State, pick: Pick) -> Move:
    """Return a random move, every second time the largest amount."""
    move = random_move(rules, state, pick)
    if move.verb not in {"flour", "water", "butter", "load", "bake"} or pick(2):
        return move
    same = [each for each in rules.legal(state, move.seat) if each.verb == move.verb]
    return max(same, key=lambda each: sum(each.args))


CHOOSE: dict[str, Choose] = {"buntherum": unread, "de_et_boulanger": greedy}


@pytest.mark.soak
@pytest.mark.parametrize("game", PIECES)
def test_following_orders_keeps_table_and_engine_equal(game: str, soak_count: Any) -> None:
    pieces = getattr(beside(game, "pieces"), PIECES[game])
    said = evenings(load(game), pieces, soak_count(MATCHES), CHOOSE.get(game, random_move))
    assert said >= set(pieces.ORDERS) - {"The bank is empty: write down what it owes"}


@pytest.mark.soak
@pytest.mark.parametrize("game", PIECES)
def test_following_strips_keeps_table_and_engine_equal(tmp_path: Path, game: str, soak_count: Any) -> None:
    for number in range(soak_count(AT_TABLE)):
        luck = Random(f"strips {game} {number}")
        table = Table(tmp_path / str(number), game, luck.choice((2, 4)), luck)
        match = table.session.match
        while not match.outcome:
            table.move()
            table.bench.wait(1)
            table.follow()
            table.pieces.compare(match.state)
        table.bench.wait(5)
        assert isinstance(table.bench.screen, Result)
        table.bench.host.close()
