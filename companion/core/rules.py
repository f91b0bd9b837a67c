"""The interface between the rules of a game and everything that plays it: referee, robots, records, display."""

from collections.abc import Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, NamedTuple, NewType, Protocol, runtime_checkable

from companion.core.event import Event
from companion.core.move import Move, Seat
from companion.core.options import Options
from companion.core.text import Text

# Each game defines its own types for the following. Game-agnostic code only passes them through.

State = NewType("State", object)
"""A position: immutable, hashable, made of numbers and tuples."""

Box = NewType("Box", object)
"""The contents of the game's box (deck, board, prices), read from its data file; immutable."""


class View(Protocol):
    """The part of a position that one player, or everybody, may see."""

    @property
    def you(self) -> Seat | None:
        """The viewing seat; None for the public view."""


class Rulings(Options, Protocol):
    """The house rules of one match, a frozen dataclass."""


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    T = TypeVar("T")
    # Without parameters, `Game`, `Rules` and `Console` are those of an unknown game.
    StateT = TypeVar("StateT", default=State)
    GivenT = TypeVar("GivenT", default=State, contravariant=True)  # a position as a parameter only
    BoxT = TypeVar("BoxT", default=Box, contravariant=True)
    RulingsT = TypeVar("RulingsT", bound=Rulings, default=Rulings, contravariant=True)
    ViewT = TypeVar("ViewT", bound=View, default=View, covariant=True)  # views that rules return
    SeenT = TypeVar("SeenT", bound=View, default=View, contravariant=True)  # views passed in
else:
    from typing import TypeVar

    T, StateT, GivenT, BoxT, RulingsT, ViewT, SeenT = map(
        TypeVar, ("T", "StateT", "GivenT", "BoxT", "RulingsT", "ViewT", "SeenT")
    )


Ranking = tuple[tuple[Seat, ...], ...]
"""The seats of a match from first to last; seats of equal rank share a tuple."""


def places(ranking: Iterable[Iterable[T]]) -> dict[T, int]:
    """Return the rank of each item from 1. After two that share the first rank comes the third."""
    found: dict[T, int] = {}
    for shared in ranking:
        found |= dict.fromkeys(shared, 1 + len(found))
    return found


class Outcome(NamedTuple):
    """The result of a match."""

    ranking: Ranking
    reason: Text

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that share the first rank."""
        return self.ranking[0]


class Rules(Protocol[StateT, BoxT, RulingsT, ViewT]):
    """The rules of one game, as pure functions on values: no clock, no randomness, no devices.

    * `move in legal(state, move.seat)` if and only if `apply(state, move)` does not raise.
    * A seat that is not in `to_act(state)` does not have legal moves.
    * Moves whose verb is in `SECRETS` are `SecretMove`s, both from `legal` and from `parse_move`.
    * Optional protocols: Releasing, Concealing, Closing, Grouping, Binding, Judging.
    """

    @property
    def SEATS(self) -> range:  # noqa: N802
        """Supported numbers of players."""

    @property
    def DRAWS(self) -> frozenset[str]:  # noqa: N802
        """Verbs of random TABLE moves: dealing, rolling, shuffling."""

    @property
    def SECRETS(self) -> frozenset[str]:  # noqa: N802
        """Verbs whose arguments are private to their seat until `released`."""

    def setup(self, box: BoxT, rulings: RulingsT, seats: int) -> StateT:
        """Return the position before the first move. Raise OptionError for an unsupported number of seats."""

    def to_act(self, state: StateT) -> tuple[Seat, ...]:
        """Return the seats that may move now, simultaneously if several.

        It is () after the end, and (TABLE,) for chance, clock, arbiter or house.
        """

    def legal(self, state: StateT, seat: Seat) -> Sequence[Move]:
        """Return the legal moves of one seat. Long lists are lazy."""

    def draws(self, state: StateT) -> Sequence[Move]:
        """Return the equally likely outcomes of the dealer's next draw; () if nothing is drawn now."""

    def apply(self, state: StateT, move: Move, told: list[Event] | None = None) -> StateT:
        """Return the next position; append the events to `told`. Raise IllegalMove. `state` is never changed."""

    def view(self, state: StateT, seat: Seat | None) -> ViewT:
        """Return what a seat, or everybody (None), may see, from an allow-list.

        The TABLE, for the house's own page, sees what everybody sees. A view with `you` TABLE may add what is for
        the house's eyes only, never a secret of a seat.
        """

    def outcome(self, state: StateT) -> Outcome | None:
        """Return the result; None while the match is running."""


@runtime_checkable
class Releasing(Protocol[GivenT]):
    """Rules with secrets."""

    def released(self, state: GivenT, move: Move) -> Hashable:
        """Return what a move makes public, None for nothing. See testing/conformance.py."""


@runtime_checkable
class Concealing(Protocol[StateT]):
    """Rules with other secrets than secret moves, such as a purse."""

    def lookalikes(self, state: StateT, seat: Seat) -> Sequence[StateT]:
        """Return positions that differ only in the secret of `seat`, () if it has none.

        The TABLE's secret is what only the house knows. See testing/conformance.py.
        """


@runtime_checkable
class Closing(Protocol):
    """Rules with public moves whose legal alternatives would reveal a hand."""

    @property
    def PRIVATE(self) -> AbstractSet[str]:  # noqa: N802
        """The verbs of these moves."""


@runtime_checkable
class Grouping(Protocol[GivenT]):
    """Rules that define which moves form one undo. By default, these are the moves of one key."""

    def undo_unit(self, state: GivenT, moves: Sequence[Move]) -> int:
        """Return how many of the last `moves` form one undo. `state` is the position before the last move."""


@runtime_checkable
class Binding(Protocol[GivenT]):
    """Rules with answers that a correction may separate from their questions."""

    def belongs(self, was: GivenT, now: GivenT, move: Move) -> None:
        """Raise IllegalMove if `move`, made in the position `was`, means something else in `now`."""


@runtime_checkable
class Judging(Protocol[GivenT]):
    """Rules by which the companion judges answers, and the house may overrule it."""

    def overruled(self, state: GivenT, move: Move, *, right: bool) -> Move | None:
        """Return the correction of an answer that the house judges right or wrong; None for no change."""

    def in_place(self, move: Move) -> bool:
        """Return True if the house judged in place of the companion. Such a move is not offered to anybody."""


def narrated(rules: Rules, state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the position after a move, and its events. Raise IllegalMove."""
    told: list[Event] = []
    following = rules.apply(state, move, told)
    return following, tuple(told)


class Notation(Protocol[BoxT]):
    """The text form of one game's moves."""

    def format_move(self, box: BoxT, move: Move) -> str:
        """Return a move as it is in a record: `2 declare 4`."""

    def parse_move(self, box: BoxT, text: str) -> Move:
        """Return the move of a text, a SecretMove if it has a secret. Raise NotationError."""
