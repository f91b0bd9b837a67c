"""The contract between the rules of a game and everything that plays it."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from companion.core.event import Event
from companion.core.move import Move, Seat
from companion.core.text import Text

State = Any
"""A position: a value of the game's own type, made of numbers and tuples, hashable, never changed."""

Box = Any
"""What is in the game's box, read from its data file: a frozen value of the game's own type."""

Rulings = Any
"""The house rules of one match: a frozen dataclass of the game's own."""

View = Any
"""What one audience may see of a position: a value of the game's own type."""


class Outcome(NamedTuple):
    """How a match ended: places from first to last, shared where several seats stand together, and why."""

    ranking: tuple[tuple[Seat, ...], ...]
    reason: Text

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Those who share the first place."""
        return self.ranking[0]


class Rules(Protocol):
    """One game's rules module. Pure functions on values; it knows no clock, no randomness and no device.

    * `move in legal(state, move.seat)` exactly when `apply(state, move)` does not raise.
    * `legal` is empty for a seat that is not in `to_act`.
    * A move of the SECRETS is a SecretMove, from `legal` as well as from `parse_move`.
    * A module may have `released(state, move)`, which says what a move makes public: see testing/conformance.py.
    * It may have `PRIVATE`, the verbs whose legal arguments together would tell a hand, although each move is open.
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

    def setup(self, box: Box, rulings: Rulings, seats: int) -> State:
        """Return the position before the first move. Raise OptionError for a number of seats it cannot play."""

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Who may move: () when over, (TABLE,) for chance, clock, arbiter or house; several act at once."""

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return the moves of one seat; long lists are computed when they are asked."""

    def draws(self, state: State) -> Sequence[Move]:
        """Return the equally likely moves of a dealer now; () when the TABLE waits for something else."""

    def apply(self, state: State, move: Move) -> tuple[State, tuple[Event, ...]]:
        """Return the next position and what to tell of it. Raise IllegalMove; the state never changes."""

    def view(self, state: State, seat: Seat | None) -> View:
        """Return what one seat, or everybody (None), may see: built from an allow-list."""

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended, or None while it goes on."""


class Notation(Protocol):
    """One game's notation module: its moves as text. A move with a secret is parsed into a SecretMove."""

    def format_move(self, box: Box, move: Move) -> str:
        """Return a move as the record has it: `2 declare 4`."""

    def parse_move(self, box: Box, text: str) -> Move:
        """Return the move that `format_move` printed. Raise NotationError."""
