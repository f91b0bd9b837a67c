"""People who know no rules: they carry out what they key and what they are ordered."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, Final, Protocol

from companion.core.game import Game, PieceTask
from companion.core.handicaps import handicap_names
from companion.core.move import Move
from companion.core.rules import Rules, Rulings, State, narrated
from companion.core.text import Text, msg
from companion.match.new_match import NAMES
from companion.testing.conformance import some_rulings
from companion.testing.playout import Pick, random_move

WIDTH: Final = 45
"""The letters that fit into two lines of a strip at a short edge."""

MATCHES: Final = 300

LEAST: Final = 30


class Pieces(Protocol):
    """The real pieces of one match, moved by keyed moves and by orders.

    `ORDERS` maps sentences to methods, which receive the seat and the values.
    """

    ORDERS: Mapping[str, str]

    def keyed(self, move: Move) -> None:
        """Move what people move when they key a move."""

    def compare(self, state: State) -> None:
        """Check that the pieces lie as in the engine."""


Make = Callable[[Any, Rulings, int], Pieces]
"""Lays out a box for rulings and a number of seats."""

Choose = Callable[[Rules, State, Pick], Move]
"""How people choose their moves."""


def evenings(game: Game, make: Make, count: int, choose: Choose = random_move) -> set[str]:
    """Play random matches and return the sentences of all orders."""
    return {text.msgid for number in range(max(LEAST, count)) for text in _evening(game, make, number, choose)}


def _evening(game: Game, make: Make, number: int, choose: Choose) -> Iterator[Text]:
    luck = Random(f"orders {game.name} {number}")
    box = game.read_box(game.box_text, "box.toml")
    seats = game.rules.SEATS[number % len(game.rules.SEATS)]
    even = dict.fromkeys(handicap_names(game.rulings, game.rules.SEATS[-1]), 0)
    rulings = some_rulings(game, luck.randrange, **even) if number % 3 else game.rulings()
    state, pieces = game.rules.setup(box, rulings, seats), make(box, rulings, seats)
    while game.rules.to_act(state):
        move = choose(game.rules, state, luck.randrange)
        state, told = narrated(game.rules, state, move)
        pieces.keyed(move)
        for order in game.teller.piece_tasks(told, NAMES):  # type: ignore[attr-defined]  # not every game has it
            if not order.made:
                obey(pieces, order)
                yield order.text
        pieces.compare(state)


def obey(pieces: Pieces, order: PieceTask) -> None:
    """Carry out an order."""
    assert len(str(order.text)) <= WIDTH, str(order.text)
    getattr(pieces, pieces.ORDERS[order.text.msgid])(order.seat, **dict(order.text.values))


def read(pieces: Pieces, strip: str) -> list[tuple[str, dict[str, object]]]:
    """Return each sentence of a strip as its msgid and values."""
    for msgid in pieces.ORDERS:
        for end in (*(stop.start() for stop in re.finditer(r"\. ", strip)), len(strip)):
            if found := _pattern(msgid).fullmatch(strip[:end]):
                values = {name: _value(name, text) for name, text in found.groupdict().items()}
                rest = strip[end + 2 :]
                return [(msgid, values), *(read(pieces, rest) if rest else ())]
    raise ValueError(f"nobody knows what to do: {strip!r}")


@cache
def _pattern(msgid: str) -> re.Pattern[str]:
    words = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(msgid))
    return re.compile(re.sub(r"(\(\?P<n>\.\+\?\)\\ (?:ducat|card))\b", r"\1s?", words))


def _value(name: str, text: str) -> object:
    if name in {"goods", "paid"}:
        said: Text | None = None
        for part in text.split(", "):
            n, _, word = part.partition(" ")
            one = "{n} " + word.removesuffix("s")
            count = msg(one, one, n=int(n))
            said = count if said is None else msg("{first}, {rest}", first=said, rest=count)
        return said
    return int(text) if name != "card" and text.isdecimal() else text


def counted(goods: Text) -> dict[str, int]:
    """Return the goods of a sentence, such as `{"flour": 3, "sou": 2}`."""
    values = dict(goods.values)
    if goods.plural:
        n = values["n"]
        assert isinstance(n, int)
        return {goods.msgid.removeprefix("{n} "): n}
    found: dict[str, int] = {}
    for part in values.values():
        assert isinstance(part, Text)
        for word, n in counted(part).items():
            found[word] = found.get(word, 0) + n
    return found
