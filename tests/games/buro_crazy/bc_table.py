"""A table for Büro Crazy's tests; piles are lists of card values."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from companion.core.errors import IllegalMove
from companion.core.event import Event
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.games import buro_crazy
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.box import BuroCrazyBox
from companion.games.buro_crazy.game import GAME
from companion.games.buro_crazy.rules import Box, Phase, Rulings, State, View
from tests.games import kit
from tests.games.contract import Step

BOX_TEXT = Path(buro_crazy.__file__).with_name("box.toml").read_text("utf-8")
BOX = BuroCrazyBox.read(BOX_TEXT, "box.toml")

PLACES = ("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "G1", "G2", "G3", "G4", "F1", "F2", "T", "B")

STAIRS = {
    3: (0, 1, 2) * 5,
    4: (0, 1, 2, 3, 1, 0, 3, 2, 2, 0, 3, 1, 0, 3, 1, 2),
    5: (0, 1, 2, 3, 4) * 3,
}
"""Placements in which a seat never meets itself while left figures win."""

EMPTY = -1


def counts(values: Iterable[int]) -> tuple[int, ...]:
    """Return the number of cards of each value, as in a bid."""
    cards = list(values)
    assert set(cards) <= set(BOX.values)
    return tuple(cards.count(value) for value in BOX.values)


def cards_of(found: tuple[int, ...], values: tuple[int, ...] = BOX.values) -> list[int]:
    return [value for value, count in zip(values, found, strict=True) for _ in range(count)]


def edited(old: str, new: str, text: str = BOX_TEXT) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


class Piles(NamedTuple):
    """The cards of a position, as lists of values."""

    hands: tuple[list[int], ...]
    kitchen: list[int]
    stock: list[int]
    roof: list[int]

    @property
    def points(self) -> tuple[int, ...]:
        """The points of hands, kitchen, stock and roof."""
        return (*map(sum, self.hands), sum(self.kitchen), sum(self.stock), sum(self.roof))

    @property
    def cards(self) -> list[int]:
        return sorted([card for hand in self.hands for card in hand] + self.kitchen + self.stock + self.roof)


def piles_of(state: State) -> Piles:
    values = state.terms.values
    return Piles(
        tuple(cards_of(hand, values) for hand in state.hands),
        cards_of(state.kitchen, values),
        cards_of(state.stock, values),
        cards_of(state.roof, values),
    )


def board_of(view: View) -> dict[str, list[Seat]]:
    """Return the seats at each place, left to right, or EMPTY."""
    board = list(view.board)
    assert len(board) == 31
    return {place: board[2 * n : 2 * n + 2] for n, place in enumerate(PLACES)}


class Play(kit.Table):
    """A match whose moves are methods; seats count from 0, cards are their values."""

    rules = rules

    def __init__(
        self, seats: int = 4, *, stairs: tuple[Seat, ...] | None = None, box: Box = BOX, **rulings: Any
    ) -> None:
        self.box = box
        self.state: State = rules.setup(box, Rulings(**rulings), seats)
        self.decided: list[str] = []
        self.make("place", *(STAIRS[seats] if stairs is None else stairs))

    @property
    def pair(self) -> str:
        return self.view.pair

    @property
    def duel(self) -> tuple[Seat, ...]:
        return tuple(self.view.duel)

    @property
    def piles(self) -> Piles:
        return piles_of(self.state)

    @property
    def kitchen(self) -> int:
        return sum(self.piles.kitchen)

    @property
    def stock(self) -> int:
        return sum(self.piles.stock)

    @property
    def roof(self) -> int:
        return sum(self.piles.roof)

    def points(self, seat: Seat) -> int:
        return sum(self.piles.hands[seat])

    def at(self, place: str) -> list[Seat]:
        return [seat for seat in board_of(self.view)[place] if seat != EMPTY]

    def accepts(self, verb: str, *args: int, seat: Seat = TABLE) -> bool:
        move = Move(seat, verb, args)
        try:
            rules.apply(self.state, move)
        except IllegalMove:
            assert move not in rules.legal(self.state, seat)
            return False
        assert move in rules.legal(self.state, seat)
        return True

    def bid(self, seat: Seat, cards: Iterable[int]) -> tuple[Event, ...]:
        """Commit cards, or their total with `tracking=points`."""
        if self.state.terms.rulings.tracking == "points":
            return self.make("total", sum(cards), seat=seat)
        return self.make("commit", *counts(cards), seat=seat)

    def fight(self, left: Iterable[int], right: Iterable[int]) -> tuple[Event, ...]:
        """Let both duellists bid; return the events."""
        one, other = self.duel
        self.bid(one, left)
        return self.bid(other, right)

    def put(
        self,
        hands: Mapping[Seat, Iterable[int]] | None = None,
        *,
        kitchen: Iterable[int] | None = None,
        stock: Iterable[int] | None = None,
        roof: Iterable[int] | None = None,
    ) -> None:
        """Replace some piles; real play may not reach this."""
        state = self.state
        new = {seat: counts(cards) for seat, cards in (hands or {}).items()}
        self.state = state._replace(
            hands=tuple(new.get(seat, hand) for seat, hand in enumerate(state.hands)),
            kitchen=state.kitchen if kitchen is None else counts(kitchen),
            stock=state.stock if stock is None else counts(stock),
            roof=state.roof if roof is None else counts(roof),
        )

    def hold(self, points: Mapping[Seat, int]) -> None:
        """Give seats hands worth `points`; real play may not reach this."""
        hands = list(self.state.hands)
        for seat, left in points.items():
            hand, due = [], left
            for value in reversed(self.state.terms.values):
                count, due = divmod(due, value)
                hand.insert(0, count)
            hands[seat] = tuple(hand)
        self.state = self.state._replace(hands=tuple(hands))

    def decide(self, side: int = 0) -> tuple[Event, ...]:
        """Let the left (0) or right (1) duellist win with its lowest card or a coin."""
        self.decided.append(self.pair)
        winner, loser = self.duel[side], self.duel[1 - side]
        hand = self.piles.hands[winner]
        points = self.state.terms.rulings.tracking == "points"
        cards = hand[:1]
        if not cards and self.piles.hands[loser]:
            raise AssertionError(f"seat {winner} has no card to win with")
        self.bid(loser, [])
        self.bid(winner, cards if not points else [1])
        if self.view.phase == "coin":
            self.make("coin", winner)
        return self.told

    def to(self, pair: str, sides: Mapping[str, int] | None = None) -> "Play":
        """Decide duels until `pair` is due; in `sides` 1 lets the right figure win."""
        while self.view.phase == "bid" and self.pair != pair:
            self.decide((sides or {}).get(self.pair, 0))
        if pair in {"roof", "over"}:
            assert self.view.phase in {"roof", "over"}
        else:
            assert self.pair == pair
        return self


class SetUp(Play):
    """A table before the placement."""

    def __init__(self, seats: int = 4, *, box: Box = BOX, **rulings: Any) -> None:
        self.box = box
        self.state = rules.setup(box, Rulings(**rulings), seats)


OWN = (1, 0, 2, 3, 1, 3, 2, 3, 3, 0, 2, 1, 0, 1, 0, 2)
"""Seat 0 is on the left of P7 and P8."""


def own_in_g4() -> Play:
    """Return a table at P8; seat 0 is there and in G4."""
    play = Play(4, stairs=OWN).to("P8")
    assert (play.at("G4"), play.duel[0]) == ([0], 0)
    return play


def at_the_roof(roof: list[int], seats: int = 4, winners: dict[str, int] | None = None, **rulings) -> Play:
    """Return a table after the last duel; the first roof card, a 1, decided it."""
    play = Play(seats, **rulings).to("T", winners)
    left, right = play.duel
    play.put({left: roof[:1], right: []}, roof=roof[1:], kitchen=[])
    play.fight([1], [])
    return play


def deal(play: Play, luck: Random) -> list[int]:
    dealt = []
    while play.view.phase == Phase.ROOF:
        drawn = rules.draws(play.state)
        dealt.append(drawn[luck.randrange(len(drawn))].args[0])
        play.make("roof", dealt[-1])
    return dealt


def ended(points: dict[int, int], board: dict[str, list[int]], **rulings) -> State:
    """Return the end with these reports and figures."""
    play = at_the_roof([1] * 9, len(points), **rulings)
    play.hold(points)
    spaces = [rules.EMPTY] * 31
    for place, seats in board.items():
        first = list(board_of(play.view)).index(place) * 2
        spaces[first : first + len(seats)] = seats
    play.state = play.state._replace(board=tuple(spaces))
    for seat, total in points.items():
        play.make("report", total, seat=seat)
    return play.state


def ranked(points: dict[int, int], board: dict[str, list[int]], **rulings) -> tuple[tuple[int, ...], ...]:
    return rules.outcome(ended(points, board, **rulings)).ranking


# Random matches

some_rulings = partial(kit.some_rulings, GAME)


def wander(state: State, luck: Random) -> Iterator[Step]:
    return kit.wander(rules, state, lambda at: some_move(at, luck))


def some_move(state: State, luck: Random) -> Move:
    drawn = rules.draws(state)
    if state.phase == Phase.SETUP and luck.random() < 0.2:
        return luck.choice([move for move in rules.legal(state, TABLE)[:40] if move.verb == "colour"])
    if drawn and luck.random() < 0.95:
        return drawn[luck.randrange(len(drawn))]
    seat = luck.choice([seat for seat in rules.to_act(state) if rules.legal(state, seat)])
    legal = rules.legal(state, seat)
    if state.phase == Phase.BID and seat != TABLE:
        other = state.duel[1 - state.duel.index(seat)]
        if len(legal) == 1 and legal[0].verb == "retract" and luck.random() < 0.8:
            return some_bid(state, other, seat, luck)
        if legal[0].verb != "retract":
            return some_bid(state, seat, other, luck)
    return legal[luck.randrange(len(legal))]


def some_bid(state: State, seat: Seat, other: Seat, luck: Random) -> Move:
    """Return a small, full, empty or copied bid."""
    hand = state.hands[seat]
    locked = state.bids[state.duel.index(other)]
    if locked is not None and luck.random() < 0.4:
        bid = tuple(map(min, locked, hand))
    elif luck.random() < 0.1:
        bid = hand
    elif len(hand) == 1:
        bid = (luck.randrange(min(hand[0], 40) + 1),)
    else:
        held = cards_of(hand)
        bid = counts(luck.sample(held, min(len(held), luck.randrange(5))))
    return SecretMove(seat, "commit" if len(hand) > 1 else "total", bid)


def position(seats: int, seed: int, length: int, **fixed: object) -> State:
    """Return a random match after `length` moves."""
    luck = Random(f"{seats} {seed}")
    state = rules.setup(BOX, some_rulings(luck, **fixed), seats)
    for place, (*_, following, _events) in enumerate(wander(state, luck), 1):
        state = following
        if place == length:
            break
    return state
