"""A match for a game's tests, played by written or random moves."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from companion.core.event import Event
from companion.core.game import Game
from companion.core.handicaps import handicap_names
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.rules import Rules, State, narrated
from companion.testing import conformance
from tests.games.contract import Step, refusal


class Table:
    """A match whose moves are methods; each game adds its verbs."""

    rules: Any
    state: Any
    told: tuple[Event, ...] = ()
    """The events of the last move."""

    @property
    def view(self) -> Any:
        return self.rules.view(self.state, None)

    def own(self, seat: Seat) -> Any:
        return self.rules.view(self.state, seat)

    def push(self, move: Move) -> tuple[Event, ...]:
        self.state, self.told = narrated(self.rules, self.state, move)
        return self.told

    def make(self, verb: str, *args: int, seat: Seat = TABLE) -> tuple[Event, ...]:
        return self.push((SecretMove if verb in self.rules.SECRETS else Move)(seat, verb, args))

    def refused(self, verb: str, *args: int, seat: Seat = TABLE) -> str:
        return self.refuses(Move(seat, verb, args))

    def refuses(self, move: Move) -> str:
        paragraph = refusal(self.rules, self.state, move)
        assert paragraph, f"{move} was accepted"
        return paragraph


def some_rulings(game: Game, luck: Random, *, even: bool = False, **fixed: object) -> Any:
    """Return random house rules; handicaps are zero if `even`, else in three of four."""
    if even or luck.randrange(4):
        fixed |= dict.fromkeys(handicap_names(game.rulings, game.rules.SEATS[-1]), 0)
    return conformance.some_rulings(game, luck.randrange, **fixed)


def wander(rules: Rules, state: State, choose: Callable[[State], Move]) -> Iterator[Step]:
    """Yield the steps of a match played by `choose`."""
    while rules.to_act(state):
        move = choose(state)
        following, events = narrated(rules, state, move)
        yield state, move, following, events
        state = following
