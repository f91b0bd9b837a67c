"""The games: one folder each, with the same rooms. Adding a game is adding a folder, here or elsewhere.

Elsewhere: a package that is installed names its GAME as an entry point of the group `companion.games`; a folder of
such packages that are not installed is named by the environment variable COMPANION_GAMES, several as in PATH.

Why it is as it is:

* Others' games are found, not registered: entry points for what is installed, a folder in `COMPANION_GAMES`
  for what is tried. What cannot be used stops the program with its place, since a match may need it.
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
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.errors import OptionError, nearest
from companion.core.game import Game
from companion.core.text import msg
from companion.games.guesser import Guesser

GROUP: Final = "companion.games"
FOLDERS: Final = "COMPANION_GAMES"

_BROKEN: Final = (ImportError, AttributeError, SyntaxError, OSError)
"""What importing a package raises that is no game, cannot be parsed or lacks a file; all else is a traceback."""


class Found(NamedTuple):
    """A game, and where it was found."""

    game: Game
    where: str


@cache
def all_games() -> dict[str, Game]:
    """Return every game by its name: ours, those that are installed, those in the folders that were named.

    Raise OptionError for a game that cannot be used, naming it, and for two of one name, naming both.
    """
    named = [Path(word) for word in os.environ.get(FOLDERS, "").split(os.pathsep) if word]
    return by_name(
        [*_ours(), *installed(entry_points(group=GROUP)), *(each for path in named for each in in_folder(path))]
    )


def load(name: str) -> Game:
    """Return the game of that name. Raise OptionError naming the nearest."""
    games = all_games()
    if name not in games:
        raise OptionError(msg("there is no game {name!r}; {near}", name=name, near=nearest(name, games)))
    return games[name]


def by_name(found: Iterable[Found]) -> dict[str, Game]:
    """Return games by their names; one without robots gets one that guesses. Raise OptionError for a name twice."""
    wheres: dict[str, str] = {}
    games: dict[str, Game] = {}
    for game, where in found:
        if game.name in games:
            raise OptionError(
                msg(
                    "two games are called {name!r}: {one}, {other}",
                    name=game.name,
                    one=wheres[game.name],
                    other=where,
                )
            )
        wheres[game.name] = where
        games[game.name] = game if game.bots else game._replace(bots={"random": Guesser(game.console)})
    return games


def _ours() -> Iterator[Found]:
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg):
        module = import_module(f"{__name__}.{name}")
        yield Found(module.GAME, module.__name__)


def installed(points: Iterable[EntryPoint]) -> Iterator[Found]:
    """Find the games of entry points. Raise OptionError for one that is none."""
    for point in sorted(points, key=lambda point: point.name):
        where = f"{point.value} ({point.dist.name if point.dist else GROUP})"
        try:
            game = point.load()
        except _BROKEN as error:
            raise _unusable(where, error) from error
        yield Found(_checked(game, point.name, where), where)


def in_folder(folder: Path) -> Iterator[Found]:
    """Find the games of a folder of packages. Raise OptionError for a package that has none, or no such folder."""
    if not folder.is_dir():
        raise OptionError(msg("{variable}: {folder} is no folder", variable=FOLDERS, folder=folder))
    if str(folder.resolve()) not in sys.path:
        sys.path.append(str(folder.resolve()))  # last, so that a game hides no other module
    for path in sorted(folder.resolve().glob("*/__init__.py")):
        where = str(path.parent)
        try:
            module = import_module(path.parent.name)
            game = module.GAME
        except _BROKEN as error:
            raise _unusable(where, error) from error
        yield Found(_checked(game, path.parent.name, where), where)


def _checked(game: object, name: str, where: str) -> Game:
    if not isinstance(game, Game):
        raise _unusable(where, TypeError(f"its GAME is {game!r}"))
    if not hasattr(game.rules, "SECRETS"):
        # Without it nobody could tell a secret from what everybody may read.
        raise _unusable(where, AttributeError("its rules do not declare SECRETS"))
    if game.name != name:
        raise _unusable(where, ValueError(f"it is called {name!r}, its GAME {game.name!r}"))
    return game


def _unusable(where: str, why: Exception) -> OptionError:
    return OptionError(msg("the game in {where} cannot be used: {why}", where=where, why=why))
