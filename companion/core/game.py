"""A game as everything else sees it: its rules, its box, its rulings and the rooms around them."""

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
"""The robots that people choose from, the first one first; a game may have others besides."""


class Sign(NamedTuple):
    """What a table shows of a game before anybody plays it: it need not be loaded for that.

    `seats` are the most that can play, `emblem` is the name of a drawing, `robots` are the kinds that it has.
    """

    name: str
    seats: int
    emblem: str
    robots: tuple[str, ...] = (*LEVELS, "random")


class Act(NamedTuple):
    """What a robot's hands do: `delay_ns` after the moment it reacts to, it presses `control`."""

    delay_ns: int
    control: str


class Bot(Protocol[SeenT]):
    """A robot player: a function of what its seat may see, and of its own luck."""

    def acts(self, view: SeenT, seat: Seat, luck: "random.Random") -> Sequence[Act]:
        """Return what to press now, in order; () to wait."""


@runtime_checkable
class Decider(Protocol[SeenT]):
    """How a robot decides where time does not matter: it names its move, and other hands make it."""

    def decide(self, view: SeenT, seat: Seat, luck: "random.Random") -> Move | None:
        """Return the move to make now; None to wait."""


class PieceTask(NamedTuple):
    """Something to do with real pieces, in a few words: for a seat, or with TABLE for the person next to it.

    The player who enters a move carries it out; a task is what follows from it, or what the companion has decided.
    A task that is already `made` is left only for a robot, which has no hands. Only its owner reads a `secret` one.
    A task of the TABLE that comes `after_all` waits until all tasks before it are done.
    """

    seat: Seat
    text: Text
    secret: bool = False
    made: bool = False
    after_all: bool = False


class Teller(Protocol[SeenT]):
    """One game's text module: how things stand, in words.

    It may have what PieceTasking asks for, and `FEWEST_LEAD`.
    """

    @property
    def SCORE(self) -> Text:  # noqa: N802
        """What `score` counts."""

    def score(self, view: SeenT) -> tuple[int | None, ...]:
        """Return how each seat stands, from the public view; None for one that has no score (yet)."""

    def stands(self, view: SeenT, seat: Seat) -> Text:
        """Say how a seat stands, in a few words, as `12 ducats`."""

    def colours(self, view: SeenT) -> tuple[str, ...]:
        """Return the name of each seat's colour: one of the INKS of companion/display/theme.py."""

    def picture(self, view: SeenT, names: Sequence[str], render: Render) -> str:
        """Return a view as a text picture of some lines."""


@runtime_checkable
class PieceTasking(Protocol):
    """A text module of a game with real pieces, of which something has to be done that nobody keys."""

    def piece_tasks(self, events: Sequence[Event], names: Sequence[str]) -> Iterable[PieceTask]:
        """Return what follows from the events of one step."""


@runtime_checkable
class FewestLead(Protocol):
    """A text module whose scores are not all better the higher they are."""

    @property
    def FEWEST_LEAD(self) -> bool:  # noqa: N802
        """Whether the lowest score is the best."""


class Game(NamedTuple, Generic[StateT, BoxT, RulingsT, SeenT]):
    """One game: a folder of rooms, discovered by name.

    `bots` have a robot for each of LEVELS, or for some of them, and others besides; one without any gets one that
    guesses. `no_robots` says why none may play by these rulings, with that one of DEALS. One without a guide has no
    help, one without a lesson cannot be learnt at the table, and a box of one without a `form` cannot be keyed
    there. `scene` is the name of the module that draws it, imported where something is drawn; without one the
    display shows what the teller says. `emblem` is the name of a drawing that stands for it. The list of games
    says what it is `about`, in three or four words, and how many `minutes` a match takes; 0 if nobody knows.
    Its events achieve its `feats`.
    """

    name: str
    title: str
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
        """What a table shows of it before anybody plays it."""
        return Sign(self.name, max(self.rules.SEATS), self.emblem, tuple(self.bots))


_CONTRACTS: Final[dict[str, type]] = {"rules": Rules, "notation": Notation, "console": Console, "teller": Teller}


def missing(game: Game) -> Iterator[str]:
    """Say what its rooms have not of what their contracts ask for, and which scene or emblem is not there.

    Without it the table would find out in the middle of a match, or of its menu. It is for the game's author: never
    translated.
    """
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
    """Tell whether there is a module of that name; it is not imported, since only who draws may do that."""
    try:
        return find_spec(name) is not None
    except ImportError:
        return False
