"""Facts about each game for the tests of all games, from beside its own tests."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from companion.core.event import Event
from companion.games import OTHER

FOLDER: Final = Path(__file__).parent / "games"

LETTERS: Final = {
    path.parent.name: path.name[:2].upper()
    for path in sorted(FOLDER.glob("*/??_facts.py"), key=lambda path: (path.parent.name == OTHER, path))
}
"""The paragraph letters of each game, in the order of menus; its test modules begin with them in lower case."""


def beside(name: str, module: str) -> Any:
    """Return a module from a game's tests: `laws` is `bb_laws` for Böse Buben."""
    return import_module(f"tests.games.{name}.{LETTERS[name].lower()}_{module}")


@dataclass(frozen=True)
class Facts:
    """A game's FACTS, in the module `facts` beside its tests."""

    matches: int
    """Random matches that cause everything the program has words for."""

    longest: int

    edges: Sequence[int]
    """Meaningful numbers: cards, points, squares."""

    prompt: int
    """The longest prompt, in characters."""

    witnessed: AbstractSet[str]
    """Events that random presses must cause (test_key_law.py)."""

    moments: Callable[[Any, int], tuple[str, ...]]
    """Names a position for a seat or the house as docs/play.md does; positions without keys have none."""

    key_matches: int
    """Random matches in which every key of docs/play.md is pressed."""

    odd: Sequence[tuple[str, str]]
    """An unusual box, as replacements in the default one."""

    odd_says: Sequence[str]
    """The help's texts for the unusual box only."""

    same_rows: int = 1
    """The rows of the help whose numbers no box changes: keys, cards' values, seconds."""

    reasons: int = 6
    """The least number of different reasons for refusing random keys."""

    spoken: int = 6
    """The least number of different spoken sentences in a match of robots."""

    races: bool = False

    seldom: AbstractSet[str] = frozenset()
    """Events with separate tests."""

    silent: Callable[[Event], bool] = lambda _: False

    nameless: AbstractSet[str] = frozenset()
    """Events of a player whom the previous sentence names."""


def facts(name: str) -> Facts:
    found: Facts = beside(name, "facts").FACTS
    return found
