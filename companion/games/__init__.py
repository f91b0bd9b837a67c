"""The games: one folder each, with the same rooms. Adding a game is adding a folder, here or elsewhere.

Elsewhere: a package that is installed names its GAME as an entry point of the group `companion.games`; a folder of
such packages that are not installed is named by the environment variable COMPANION_GAMES, several as in PATH.

Why it is as it is:

* Others' games are found, not registered: entry points for what is installed, a folder in `COMPANION_GAMES`
  for what is tried. What cannot be used is named with its place and left out; everything else runs.
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
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final, NamedTuple

from companion.core.errors import OptionError, nearest
from companion.core.game import LEVELS, Game
from companion.core.others import OTHERS
from companion.core.text import Text, msg
from companion.games.guesser import Guesser

GROUP: Final = "companion.games"
FOLDERS: Final = "COMPANION_GAMES"


class Found(NamedTuple):
    """A game, and where it was found."""

    game: Game
    where: str


@cache
def all_games() -> dict[str, Game]:
    """Return every game by its name: ours, those that are installed, those in the folders that were named.

    One of others that cannot be used, or has the name of another, is left out; OTHERS says which and why.
    """
    return by_name([*_ours(), *_of_others()])


def names() -> list[str]:
    """Return the names of all games without loading one: whoever only asks for help has no use for them."""
    folders = [path.parent.name for folder in _folders() for path in _packages(folder)]
    points = [point.name for point in entry_points(group=GROUP)]
    return list(dict.fromkeys([*_our_names(), *sorted(points), *folders]))


def load(name: str) -> Game:
    """Return the game of that name. Raise OptionError naming the nearest."""
    games = all_games()
    if name not in games:
        raise OptionError(msg("there is no game {name!r}; {near}", name=name, near=nearest(name, games)))
    return games[name]


def by_name(found: Iterable[Found]) -> dict[str, Game]:
    """Return games by their names; one without robots gets one that guesses. The second of a name is left out."""
    wheres: dict[str, str] = {}
    games: dict[str, Game] = {}
    for game, where in found:
        if game.name in games:
            one = wheres[game.name]
            OTHERS.refuse(
                msg("two games are called {name!r}: {one}, {other}", name=game.name, one=one, other=where)
            )
            continue
        wheres[game.name] = where
        games[game.name] = game if game.bots else game._replace(bots={LEVELS[0]: Guesser(game.console)})
    return games


def _our_names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


def _ours() -> Iterator[Found]:
    for name in _our_names():
        module = import_module(f"{__name__}.{name}")
        yield Found(module.GAME, module.__name__)


def _of_others() -> Iterator[Found]:
    if OTHERS.wanted:
        yield from installed(entry_points(group=GROUP))
        for folder in _folders():
            yield from in_folder(folder)


def _folders() -> list[Path]:
    return [Path(word) for word in os.environ.get(FOLDERS, "").split(os.pathsep) if word]


def _packages(folder: Path) -> list[Path]:
    return sorted(folder.resolve().glob("*/__init__.py"))


def installed(points: Iterable[EntryPoint]) -> Iterator[Found]:
    """Find the games of entry points; one that cannot be used is left out."""
    for point in sorted(points, key=lambda point: point.name):
        where = f"{point.value} ({point.dist.name if point.dist else GROUP})"
        yield from _found(point.load, point.name, where)


def in_folder(folder: Path) -> Iterator[Found]:
    """Find the games of a folder of packages; one that cannot be used is left out, and so is no such folder."""
    if not folder.is_dir():
        OTHERS.refuse(msg("{variable}: {folder} is no folder", variable=FOLDERS, folder=folder))
        return
    if str(folder.resolve()) not in sys.path:
        sys.path.append(str(folder.resolve()))  # last, so that a game hides no other module
    for path in _packages(folder):
        name = path.parent.name
        yield from _found(partial(_of_module, name), name, str(path.parent))


def _of_module(name: str) -> object:
    return import_module(name).GAME


def _found(load: Callable[[], object], name: str, where: str) -> Iterator[Found]:
    def refusal(why: str) -> Text:
        return msg("the game in {where} cannot be used: {why}", where=where, why=why)

    game = OTHERS.guarded(lambda: _checked(load(), name), refusal)
    if game is not None:
        yield Found(game, where)


def _checked(game: object, name: str) -> Game:
    """Return a game; raise TypeError, AttributeError or ValueError for what is none."""
    if not isinstance(game, Game):
        raise TypeError(f"its GAME is {game!r}")
    if not hasattr(game.rules, "SECRETS"):
        # Without it nobody could tell a secret from what everybody may read.
        raise AttributeError("its rules do not declare SECRETS")
    if game.name != name:
        raise ValueError(f"it is called {name!r}, its GAME {game.name!r}")
    game.rulings()  # its defaults are asked for whenever a table.toml is read
    return game
