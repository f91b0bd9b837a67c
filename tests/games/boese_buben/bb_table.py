"""A table of Böse Buben for tests; R4a is a card."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from companion.core.event import Event
from companion.core.move import Move, Seat
from companion.games.boese_buben import rules
from companion.games.boese_buben.box import BoeseBubenBox
from companion.games.boese_buben.game import GAME
from companion.games.boese_buben.rules import Box, Phase, Rulings, State, View
from tests.games import kit
from tests.games.boese_buben.bb_naive import NAMES
from tests.games.contract import Step

BOX = BoeseBubenBox.read(GAME.box_text, "box.toml")

COLOURS = "RBGY"
"""The colours of the seats' cards."""

ANSWERS = {"leave": 0, "buy": 1, "free": 2}


def number(name: str) -> int:
    """Return a card's number: `B4a` is 12 + 10."""
    return COLOURS.index(name[0]) * 12 + NAMES.index(name[1:])


def name(card: int) -> str:
    return COLOURS[card // 12] + NAMES[card % 12]


def pair(card: int) -> tuple[Seat, str]:
    return card // 12, NAMES[card % 12]


def row(text: str) -> tuple[int, ...]:
    return tuple(map(number, text.split()))


def text(cards: Iterable[int]) -> str:
    return " ".join(map(name, cards))


# The only code of these tests that knows the engine's fields


def hand_of(state: State, seat: Seat) -> set[int]:
    return {seat * 12 + index for index in range(12) if state.hands[seat] >> index & 1}


def out_of(state: State) -> set[int]:
    return set(state.books.out)


def rearranged(state: State, **fields: Any) -> State:
    """Return a position with other fields; hands are card numbers."""
    books = {key: fields.pop(key) for key in ("purses", "mc", "race", "starter", "out") if key in fields}
    if "purses" in books:
        books["bank"] = state.terms.box.ducats - sum(books["purses"])
    if "hands" in fields:
        fields["hands"] = tuple(sum(1 << card % 12 for card in cards) for cards in fields["hands"])
    return state._replace(books=state.books._replace(**books), **fields)


def lane_winner(lane: Sequence[tuple[Seat, str]], monochrome: str) -> Seat | None:
    won = rules.lane_result(tuple(seat * 12 + NAMES.index(index) for seat, index in lane), monochrome).winner
    return None if won == rules.NOBODY else won


def prizes_of(view: View) -> list[Seat | None]:
    return [None if result.winner == rules.NOBODY else result.winner for result in view.results]


class Play(kit.Table):
    """A match with moves as methods; seats count from 0, lanes and places from 1."""

    rules = rules

    def __init__(self, seats: int = 3, *, first: Seat | None = 0, box: Box = BOX, **rulings: Any) -> None:
        self.state: State = rules.setup(box, Rulings(**rulings), seats)
        self.seats = range(seats)
        if first is not None:
            self.make("first", first)

    def put(
        self,
        lanes: list[str],
        *,
        zones: list[str] | None = None,
        hands: list[str] | None = None,
        turn: Seat = 0,
        **books: Any,
    ) -> "Play":
        """Lay out cards; all others are out of the game."""
        tracks = tuple(map(row, lanes))
        zones_ = tuple(map(row, zones or [""] * len(lanes)))
        held = [row(" ".join(f"{COLOURS[seat]}{n}" for n in words.split())) for seat, words in enumerate(hands)]
        shown = [card for group in (*tracks, *zones_, *held) for card in group]
        assert len(shown) == len(set(shown)), "a card lies in two places"
        assert len(tracks) == len(zones_) == len(held) + 1
        out = tuple(card for card in range(12 * len(self.seats)) if card not in shown)
        self.state = rearranged(self.state, tracks=tracks, zones=zones_, hands=held, mover=turn, out=out, **books)
        assert self.phase == Phase.TURN
        return self

    def put_books(self, **books: Any) -> None:
        """Change purses, mc, race or starter."""
        self.state = rearranged(self.state, **books)

    @property
    def phase(self) -> Phase:
        return self.view.phase

    @property
    def turn(self) -> Seat:
        (seat,) = rules.to_act(self.state)
        return seat

    @property
    def race(self) -> int:
        return self.view.race

    @property
    def starter(self) -> Seat:
        return self.view.starter

    @property
    def tracks(self) -> list[str]:
        return [text(cards) for cards in self.view.tracks]

    @property
    def zones(self) -> list[str]:
        return [text(cards) for cards in self.view.zones]

    @property
    def mc(self) -> tuple[int, ...]:
        return self.view.mc

    @property
    def purses(self) -> tuple[int, ...]:
        return tuple(rules.view(self.state, seat).purse for seat in self.seats)

    @property
    def bank(self) -> int:
        return self.state.books.bank

    @property
    def prizes(self) -> list[Seat | None]:
        return prizes_of(self.view)

    @property
    def ranking(self) -> tuple[tuple[Seat, ...], ...]:
        return rules.outcome(self.state).ranking

    @property
    def asked(self) -> str:
        return name(self.view.card)

    @property
    def price(self) -> int:
        return self.view.price

    @property
    def out(self) -> list[str]:
        return sorted(map(name, out_of(self.state)))

    def hand(self, seat: Seat) -> set[str]:
        return {name(card) for card in rules.view(self.state, seat).hand}

    def all_cards(self, seat: Seat) -> set[str]:
        """Return a seat's cards in hand and on tracks."""
        on_tracks = {card for track in self.tracks for card in track.split() if card[0] == COLOURS[seat]}
        return self.hand(seat) | on_tracks

    def lay(self, card: str, lane: int) -> tuple[Event, ...]:
        return self.make("play", NAMES.index(card[1:]), lane, seat=COLOURS.index(card[0]))

    def cannot(self, card: str, lane: int) -> str:
        return self.refused("play", NAMES.index(card[1:]), lane, seat=COLOURS.index(card[0]))

    def run(self, plays: str) -> "Play":
        """Make plays such as `R2 1, B5 1`."""
        for play in plays.split(", "):
            card, lane = play.split()
            self.lay(card, int(lane))
        return self

    def can(self, seat: Seat) -> set[tuple[str, int]]:
        moves = rules.legal(self.state, seat)
        return {(COLOURS[seat] + NAMES[move.args[0]], move.args[1]) for move in moves if move.verb == "play"}

    def actions(self) -> set[tuple[str, tuple[int, ...]]]:
        moves = list(rules.legal(self.state, self.turn))
        found = {(move.verb, move.args) for move in moves}
        assert len(found) == len(moves)
        return found

    def answers(self) -> set[str]:
        said = {move.args[0] for move in rules.legal(self.state, self.turn)}
        return {word for word, number in ANSWERS.items() if number in said}

    def answer(self, word: str) -> tuple[Event, ...]:
        assert self.phase == Phase.BRIBERY
        return self.make("answer", ANSWERS[word], seat=self.turn)

    def leave_all(self) -> None:
        race = self.race
        while self.phase == Phase.BRIBERY and self.race == race:
            self.answer("leave")


class Ending(Play):
    """A table at which the next card ends the race in an unpaid lane."""

    seat: Seat = 0
    closing: str = "0"

    def end(self) -> tuple[Event, ...]:
        return self.lay(COLOURS[self.seat] + self.closing, len(self.seats) + 1)


def ender(
    seats: int = 3,
    *,
    seat: Seat = 0,
    closing: str = "0",
    lanes: Sequence[str] = (),
    zones: Sequence[str] = (),
    hands: Sequence[str] = (),
    purses: tuple[int, ...] | None = None,
    mc: tuple[int, ...] | None = None,
    race: int = 1,
    box: Box = BOX,
    **rulings: Any,
) -> Ending:
    """Return a table at which `seat` is about to end the race."""
    play = Ending(seats, box=box, **rulings)
    play.seat, play.closing = seat, closing
    track, zone = ("2", "3", "5") if closing == "1a" else ("1a", "3", "5"), ("3a", "4a", "5a")
    own = [" ".join(COLOURS[seat] + n for n in group) for group in (track, zone)]
    held = [*hands, *[""] * (seats - len(hands))]
    held[seat] = f"{held[seat]} {closing}"
    given_zones = [*zones, *[""] * seats][:seats]
    play.put(
        [*lanes, *[""] * (seats - len(lanes)), own[0]],
        zones=[*given_zones, own[1]],
        hands=held,
        turn=seat,
        purses=purses or (6,) * seats,
        mc=mc or (0,) * seats,
        race=race,
    )
    return play


def some_rulings(luck: Random) -> Rulings:
    """Return random house rules; two of three have action cards."""
    return kit.some_rulings(GAME, luck, even=True, variant=luck.choice(("basic", "action", "action")))


def wander(state: State, luck: Random) -> Iterator[Step]:
    """Yield the steps of a uniformly random match."""

    def choose(at: State) -> Move:
        moves = rules.legal(at, *rules.to_act(at))
        return moves[luck.randrange(len(moves))]

    return kit.wander(rules, state, choose)
