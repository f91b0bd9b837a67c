"""The interface of a game: rules, box, house rules and other modules."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, Protocol, runtime_checkable

from companion.core.console import Console
from companion.core.errors import closest
from companion.core.event import Event
from companion.core.feats import Feat
from companion.core.files import assets_folder
from companion.core.form import Form
from companion.core.guide import Guide, Lesson
from companion.core.move import Move, Seat
from companion.core.rules import BoxT, Notation, Rules, RulingsT, SeenT, StateT
from companion.core.text import Render, Text

if TYPE_CHECKING:
    import random


LEVELS: Final = ("easy", "middle", "strong")
"""The robots that a menu offers, the default first; a game may have others."""


class Sign(NamedTuple):
    """A summary of a game that is available without loading it.

    `seats` is the largest number of players, `emblem` the name of a drawing, `robots` their names.
    """

    name: str
    seats: int
    emblem: str
    robots: tuple[str, ...] = (*LEVELS, "random")


class Act(NamedTuple):
    """One press of a robot: `control`, `delay_ns` after the moment it reacts to."""

    delay_ns: int
    control: str


class Bot(Protocol[SeenT]):
    """A robot: a function of its seat's view and a random source."""

    def acts(self, view: SeenT, seat: Seat, luck: "random.Random") -> Sequence[Act]:
        """Return what to press now, in order; () to wait."""


@runtime_checkable
class Decider(Protocol[SeenT]):
    """A robot's policy: it chooses a move; a `Typist` presses the keys."""

    def decide(self, view: SeenT, seat: Seat, luck: "random.Random") -> Move | None:
        """Return the move to make now; None to wait."""


class PieceTask(NamedTuple):
    """Something to do with real pieces, by a seat, or by TABLE: any player near it.

    The player who enters a move carries it out without a task. A `made` task concerns robots only. Only its seat
    reads a `secret` task. With `after_all`, a task of the TABLE waits for all earlier tasks.
    """

    seat: Seat
    text: Text
    secret: bool = False
    made: bool = False
    after_all: bool = False


class Teller(Protocol[SeenT]):
    """One game's text module. Optional protocols: PieceTasking, FewestLead."""

    @property
    def SCORE(self) -> Text:  # noqa: N802
        """The name of the unit of `score`, such as ducats."""

    def score(self, view: SeenT) -> tuple[int | None, ...]:
        """Return each seat's score from the public view; None for a seat without one."""

    def stands(self, view: SeenT, seat: Seat) -> Text:
        """Return how a seat is doing in a few words, such as `12 ducats`."""

    def colours(self, view: SeenT) -> tuple[str, ...]:
        """Return the name of each seat's colour, one of the INKS of companion/display/theme.py."""

    def picture(self, view: SeenT, names: Sequence[str], render: Render) -> str:
        """Return a view as text of several lines."""


@runtime_checkable
class PieceTasking(Protocol):
    """A text module of a game whose events require moving real pieces."""

    def piece_tasks(self, events: Sequence[Event], names: Sequence[str]) -> Iterable[PieceTask]:
        """Return the tasks that follow from the events of one step."""


@runtime_checkable
class FewestLead(Protocol):
    """A text module that says whether low scores are better."""

    @property
    def FEWEST_LEAD(self) -> bool:  # noqa: N802
        """True if the lowest score leads."""


class Game(NamedTuple, Generic[StateT, BoxT, RulingsT, SeenT]):
    """One game, with its modules.

    * `read_box(text, where)` parses a box. Raises BoxError.
    * `bots`: robots by name, of LEVELS or others. A game without any gets one that guesses.
    * `no_robots(rulings, deal)`: why robots cannot play so; None if they can. `deal` is one of DEALS.
    * `scene`: the module that draws the game. Without one, the display shows the teller's texts.
    * `emblem`: the name of a drawing. `about`: three or four words for the list of games.
    * `minutes`: the length of a match, 0 if unknown. `feats`: what its events can achieve.
    """

    name: str
    title: Text
    rules: Rules[StateT, BoxT, RulingsT, SeenT]
    notation: Notation[BoxT]
    rulings: type[RulingsT]
    box_text: str
    read_box: Callable[[str, str], BoxT]
    console: Console[SeenT]
    teller: Teller[SeenT]
    bots: Mapping[str, Bot[SeenT]] = MappingProxyType({})
    no_robots: Callable[[RulingsT, str], Text | None] = lambda *_: None
    guide: Guide[RulingsT, BoxT] | None = None
    lesson: Lesson | None = None
    form: Form | None = None
    scene: str = ""
    emblem: str = "die_5"
    about: Text | None = None
    minutes: int = 0
    feats: tuple[Feat, ...] = ()

    @property
    def sign(self) -> Sign:
        """The entry of the game in the table's list."""
        return Sign(self.name, max(self.rules.SEATS), self.emblem, tuple(self.bots))


_CONTRACTS: Final[dict[str, type]] = {"rules": Rules, "notation": Notation, "console": Console, "teller": Teller}


def missing(game: Game) -> Iterator[str]:
    """Yield what the modules lack of their contracts, for the game's author (not translated)."""
    for room, contract in _CONTRACTS.items():
        names = [name for name in vars(contract) if not name.startswith("_")]
        lacking = [name for name in names if not hasattr(getattr(game, room), name)]
        if lacking:
            yield f"missing in its {room}: {', '.join(lacking)}"
    if game.scene and not _is_module(game.scene):
        yield f"its scene is no module: {game.scene}"
    emblems = [path.stem for path in (assets_folder() / "pictograms").glob("*.svg")]
    if game.emblem not in emblems:
        near = closest(game.emblem, emblems)
        meant = f"; did you mean {near}?" if near else ""
        yield f"its emblem is no drawing of assets/pictograms: {game.emblem}{meant}"


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ImportError:
        return False
