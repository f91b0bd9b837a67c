"""The contract between the rules of a game and everything that plays it."""

from collections.abc import Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, NamedTuple, NewType, Protocol, runtime_checkable

from companion.core.event import Event
from companion.core.move import Move, Seat
from companion.core.options import Options
from companion.core.text import Text

# Each game has types of its own for what follows. Who handles a game without knowing which only passes them on.

State = NewType("State", object)
"""A position: a value of the game's own type, made of numbers and tuples, hashable, never changed."""

Box = NewType("Box", object)
"""What is in the game's box, read from its data file: a frozen value of the game's own type."""


class View(Protocol):
    """What one audience may see of a position: a value of the game's own type."""

    @property
    def you(self) -> Seat | None:
        """Whose view it is; None for that of everybody."""


class Rulings(Options, Protocol):
    """The house rules of one match: a frozen dataclass of the game's own."""


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    T = TypeVar("T")
    # The defaults: `Game`, `Rules` or `Console` alone are those of a game that is not known, of the types above.
    StateT = TypeVar("StateT", default=State)
    GivenT = TypeVar("GivenT", default=State, contravariant=True)  # a position that only comes in
    BoxT = TypeVar("BoxT", default=Box, contravariant=True)
    RulingsT = TypeVar("RulingsT", bound=Rulings, default=Rulings, contravariant=True)
    ViewT = TypeVar("ViewT", bound=View, default=View, covariant=True)  # what rules show
    SeenT = TypeVar("SeenT", bound=View, default=View, contravariant=True)  # what consoles, tellers, robots see
else:
    from typing import TypeVar

    T, StateT, GivenT, BoxT, RulingsT, ViewT, SeenT = map(
        TypeVar, ("T", "StateT", "GivenT", "BoxT", "RulingsT", "ViewT", "SeenT")
    )


Ranking = tuple[tuple[Seat, ...], ...]
"""The places of a match from first to last, shared where several seats stand together."""


def places(ranking: Iterable[Iterable[T]]) -> dict[T, int]:
    """Return the place of each, the first ones first; those who share one count: after two firsts comes a third."""
    found: dict[T, int] = {}
    for shared in ranking:
        found |= dict.fromkeys(shared, 1 + len(found))
    return found


class Outcome(NamedTuple):
    """How a match ended, and why."""

    ranking: Ranking
    reason: Text

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Those who share the first place."""
        return self.ranking[0]


class Rules(Protocol[StateT, BoxT, RulingsT, ViewT]):
    """One game's rules module. Pure functions on values; it knows no clock, no randomness and no device.

    * `move in legal(state, move.seat)` exactly when `apply(state, move)` does not raise.
    * `legal` is empty for a seat that is not in `to_act`.
    * A move of the SECRETS is a SecretMove, from `legal` as well as from `parse_move`.
    * A module may have what one of the protocols below asks for: Releasing, Concealing, Closing, Grouping, Binding,
      Judging.
    """

    @property
    def SEATS(self) -> range:  # noqa: N802
        """How many seats can play."""

    @property
    def DRAWS(self) -> frozenset[str]:  # noqa: N802
        """The verbs of the TABLE that are chance: cards, dice, shuffles."""

    @property
    def SECRETS(self) -> frozenset[str]:  # noqa: N802
        """The verbs whose arguments only their seat may see, until `released` makes them public."""

    def setup(self, box: BoxT, rulings: RulingsT, seats: int) -> StateT:
        """Return the position before the first move. Raise OptionError for a number of seats it cannot play."""

    def to_act(self, state: StateT) -> tuple[Seat, ...]:
        """Who may move: () when over, (TABLE,) for chance, clock, arbiter or house; several act at once."""

    def legal(self, state: StateT, seat: Seat) -> Sequence[Move]:
        """Return the moves of one seat; long lists are computed when they are asked."""

    def draws(self, state: StateT) -> Sequence[Move]:
        """Return the equally likely moves of a dealer now; () when the TABLE waits for something else."""

    def apply(self, state: StateT, move: Move, told: list[Event] | None = None) -> StateT:
        """Return the next position; tell in `told` what happened, if somebody listens.

        Raise IllegalMove; the state never changes.
        """

    def view(self, state: StateT, seat: Seat | None) -> ViewT:
        """Return what one seat, or everybody (None), may see: built from an allow-list."""

    def outcome(self, state: StateT) -> Outcome | None:
        """Return how the match ended, or None while it goes on."""


@runtime_checkable
class Releasing(Protocol[GivenT]):
    """Rules that have secrets, and say when they are none any more."""

    def released(self, state: GivenT, move: Move) -> Hashable:
        """Return what a move makes public, None for nothing: see testing/conformance.py."""


@runtime_checkable
class Concealing(Protocol[StateT]):
    """Rules with a secret that no secret move has made, such as a purse."""

    def lookalikes(self, state: StateT, seat: Seat) -> Sequence[StateT]:
        """Return positions that only this seat may tell from this one until the end: testing/conformance.py."""


@runtime_checkable
class Closing(Protocol):
    """Rules with open moves of which a list of those that are legal would tell a hand."""

    @property
    def PRIVATE(self) -> AbstractSet[str]:  # noqa: N802
        """The verbs of these moves."""


@runtime_checkable
class Grouping(Protocol[GivenT]):
    """Rules of which an undo takes back several moves as one, other ones than one key has made."""

    def undo_unit(self, state: GivenT, moves: Sequence[Move]) -> int:
        """Return how many of these moves an undo takes back; the last one was made in this position."""


@runtime_checkable
class Binding(Protocol[GivenT]):
    """Rules whose answers belong to their questions."""

    def belongs(self, was: GivenT, now: GivenT, move: Move) -> None:
        """Raise IllegalMove for a move that was made in one position and means something else in the other.

        A correction has led to that.
        """


@runtime_checkable
class Judging(Protocol[GivenT]):
    """Rules by which the companion judges answers, and the house may overrule it."""

    def overruled(self, state: GivenT, move: Move, *, right: bool) -> Move | None:
        """Return the move by which the house judges the answer that a move gives: as `right`, or as wrong.

        None where that would be no other verdict. The answer stays, and the move says that the house has judged it.
        """

    def in_place(self, move: Move) -> bool:
        """Tell whether the house judges by a move what the companion would: nobody is offered such a one."""


def narrated(rules: Rules, state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
    """Return the position after a move and what is told of it. Raise IllegalMove."""
    told: list[Event] = []
    following = rules.apply(state, move, told)
    return following, tuple(told)


class Notation(Protocol[BoxT]):
    """One game's notation module: its moves as text. A move with a secret is parsed into a SecretMove."""

    def format_move(self, box: BoxT, move: Move) -> str:
        """Return a move as the record has it: `2 declare 4`."""

    def parse_move(self, box: BoxT, text: str) -> Move:
        """Return the move that `format_move` printed. Raise NotationError."""
