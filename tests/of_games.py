"""What the tests of all games have to know of each one: it stands beside the tests of that game."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from companion.core.event import Event

FOLDER: Final = Path(__file__).parent / "games"

LETTERS: Final = {path.parent.name: path.name[:2].upper() for path in sorted(FOLDER.glob("*/??_facts.py"))}
"""The letters of each game's paragraphs; in small those of the modules beside its tests."""


def beside(name: str, module: str) -> Any:
    """Return a module that stands beside the tests of a game: `laws` is `bb_laws` for Böse Buben."""
    return import_module(f"tests.games.{name}.{LETTERS[name].lower()}_{module}")


@dataclass(frozen=True)
class Facts:
    """What the tests of all games have to know of one, as FACTS of the module `facts` beside its tests."""

    matches: int
    """How many random matches it takes until all has happened that the program has words for."""

    longest: int
    """How many moves lead to the positions that are looked at."""

    edges: Sequence[int]
    """Numbers that mean something: cards, points, squares."""

    prompt: int
    """The longest sentence above the keys, in letters."""

    witnessed: AbstractSet[str]
    """What has to have happened where hands press anything (test_key_law.py)."""

    moments: Callable[[Any, int], tuple[str, ...]]
    """Names a position as docs/play.md does, for a seat or the house; one that has no keys has no name there."""

    key_matches: int
    """How many random matches it takes until each key of docs/play.md has been pressed."""

    odd: Sequence[tuple[str, str]]
    """A box like no other: what is changed in the usual one."""

    odd_says: Sequence[str]
    """What the help says of the odd box, and of no other."""

    same_rows: int = 1
    """The rows of the help whose numbers no box changes: keys, cards' values, seconds."""

    reasons: int = 6
    """How many different reasons arbitrary keys are refused for, at least."""

    spoken: int = 6
    """How many different sentences a voice has in a match of robots, at least."""

    races: bool = False
    """Whether calls race."""

    seldom: AbstractSet[str] = frozenset()
    """Events that tests of their own are about."""

    silent: Callable[[Event], bool] = lambda _: False
    """Tells which events have no sentence."""

    nameless: AbstractSet[str] = frozenset()
    """Events of somebody whose name stands in the sentence before."""


def facts(name: str) -> Facts:
    found: Facts = beside(name, "facts").FACTS
    return found
