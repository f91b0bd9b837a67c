"""The games: one folder each, with the same rooms. Adding a game is adding a folder, here or elsewhere.

Elsewhere: a package that is installed names its GAME as an entry point of the group `companion.games`; a folder of
such packages that are not installed is named by the environment variable COMPANION_GAMES, several as in PATH.

Why it is as it is:

* Others' games are found, not registered: entry points for what is installed, a folder in `COMPANION_GAMES`
  for what is tried. What cannot be used is named with its place and left out; everything else runs.
* A game of ours is loaded when it is first asked for: its folder's `__init__` has a `SIGN`, all that a table shows
  of it while nobody plays. So the first picture waits for none of them; they are loaded while people look at it.
* Change is searched in the order of the table: exact payment, then the swap that moves the fewest cards with
  the stock, then with the roof, then rounding (`buro_crazy/change.py`). Where only points are tracked a pile
  is cards of value 1, so that one set of rules plays both.
* Notation is a room of its own beside `rules`, which would otherwise hold two things.
* A robot decides, a typist types. Deciders see a view and name a move; in `simulate` they play by the rules
  alone, at the table their keys go through the same console as everybody's, which so proves that each move
  can be keyed. A secret is typed while the robot thinks: the moment of its lock does not tell how many keys
  it has.
* Help follows the rulings. A game's `guide` returns its pages for the rulings in force, and the last ones are
  made of their declarations, so a page cannot tell of a rule that is not played. A page is values: rows of a
  sign and a sentence.
"""

import os
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.core.errors import OptionError, nearest
from companion.core.game import LEVELS, Game, Sign, missing
from companion.core.options import defaults
from companion.core.plugins import PLUGINS, entry_points_of
from companion.core.text import Text, msg
from companion.games.guesser import Guesser

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "companion.games"
FOLDERS: Final = "COMPANION_GAMES"


class Found(NamedTuple):
    """A game, and where it was found."""

    game: Game
    where: str


class Games(Mapping[str, Game]):
    """Games by their names; each of ours is loaded when it is first asked for, and stays."""

    def __init__(self, ours: Iterable[str], others: Mapping[str, Game]) -> None:
        self._ours = {name: import_module(f"{__name__}.{name}").SIGN for name in ours}
        self._loaded = dict(others)

    def __getitem__(self, name: str) -> Game:
        """Return a game. Raise KeyError where there is none of that name."""
        if name not in self._loaded and name in self._ours:
            self._loaded[name] = _with_robots(import_module(f"{__name__}.{name}.game").GAME)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        """Tell whether there is a game of that name; it is not loaded for that."""
        return name in self._ours or name in self._loaded

    def __iter__(self) -> Iterator[str]:
        """Return the names, those of ours first."""
        return iter(dict.fromkeys((*self._ours, *self._loaded)))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._ours.keys() | self._loaded.keys())

    @property
    def signs(self) -> Sequence[Sign]:
        """What a table shows of each, without loading it."""
        return [self._ours.get(name) or self._loaded[name].sign for name in self]


@cache
def all_games() -> Games:
    """Return every game by its name: ours, those that are installed, those in the folders that were named.

    One of others that cannot be used, or has the name of another, is left out; PLUGINS says which and why.
    """
    ours = _our_names()
    return Games(ours, by_name(_of_others(), ours))


def signs_of(games: Mapping[str, Game]) -> Sequence[Sign]:
    """Return what a table shows of games before anybody plays one; those of ours need not be loaded for it."""
    return games.signs if isinstance(games, Games) else [game.sign for game in games.values()]


def names() -> list[str]:
    """Return the names of all games without loading one: whoever only asks for help has no use for them."""
    folders = [path.parent.name for folder in _folders() for path in _packages(folder)]
    points = [point.name for point in entry_points_of(GROUP)]
    return list(dict.fromkeys([*_our_names(), *sorted(points), *folders]))


def load(name: str) -> Game:
    """Return the game of that name. Raise OptionError naming the nearest."""
    games = all_games()
    if name not in games:
        raise OptionError(msg("unknown game {name!r}; {near}", name=name, near=nearest(name, games)))
    return games[name]


def by_name(found: Iterable[Found], ours: Iterable[str] = ()) -> dict[str, Game]:
    """Return games by their names. One that is called as one of `ours`, or as an earlier one, is left out."""
    wheres = {name: f"{__name__}.{name}" for name in ours}
    games: dict[str, Game] = {}
    for game, where in found:
        if game.name in wheres:
            one = wheres[game.name]
            PLUGINS.refuse(
                msg("two games are called {name!r}: {one}, {other}", name=game.name, one=one, other=where)
            )
            continue
        wheres[game.name] = where
        games[game.name] = _with_robots(game)
    return games


def _with_robots(game: Game) -> Game:
    """Return a game with a robot that guesses where it has none."""
    return game if game.bots else game._replace(bots={LEVELS[0]: Guesser(game.console)})


def _our_names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


def _of_others() -> Iterator[Found]:
    if PLUGINS.wanted:
        yield from installed(entry_points_of(GROUP))
        for folder in _folders():
            yield from in_folder(folder)


def _folders() -> list[Path]:
    return [Path(word) for word in os.environ.get(FOLDERS, "").split(os.pathsep) if word]


def _packages(folder: Path) -> list[Path]:
    return sorted(folder.resolve().glob("*/__init__.py"))


def installed(points: "Iterable[EntryPoint]") -> Iterator[Found]:
    """Find the games of entry points; one that cannot be used is left out."""
    for point in sorted(points, key=lambda point: point.name):
        where = f"{point.value} ({point.dist.name if point.dist else GROUP})"
        yield from _found(point.load, point.name, where)


def in_folder(folder: Path) -> Iterator[Found]:
    """Find the games of a folder of packages; one that cannot be used is left out, and so is a folder of none."""
    if not folder.is_dir():
        PLUGINS.refuse(msg("{variable}: {folder} is no folder", variable=FOLDERS, folder=folder))
        return
    packages = _packages(folder)
    if not packages:
        PLUGINS.refuse(
            msg(
                "{variable}: {folder} has no game in it; name the folder that the games' folders are in",
                variable=FOLDERS,
                folder=folder,
            )
        )
        return
    if str(folder.resolve()) not in sys.path:
        sys.path.append(str(folder.resolve()))  # last, so that a game hides no other module
    for path in packages:
        name = path.parent.name
        yield from _found(partial(_of_module, name), name, str(path.parent))


def _of_module(name: str) -> object:
    return import_module(name).GAME


def _found(load: Callable[[], object], name: str, where: str) -> Iterator[Found]:
    def refusal(why: str) -> Text:
        return msg("the game in {where} cannot be used: {why}", where=where, why=why)

    game = PLUGINS.guarded(lambda: _checked(load(), name), refusal)
    if game is not None:
        yield Found(game, where)


def _checked(game: object, name: str) -> Game:
    """Return a game; raise TypeError or ValueError for what is none, or not whole."""
    if not isinstance(game, Game):
        raise TypeError(f"its GAME is {game!r}")
    if game.name != name:
        raise ValueError(f"it is called {name!r}, its GAME {game.name!r}")
    if lacking := "; ".join(missing(game)):
        raise ValueError(lacking)
    defaults(game.rulings)  # they are asked for whenever a table.toml is read
    return game
