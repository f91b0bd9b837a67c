"""The games, one folder each with the same modules.

Third-party games are plug-ins whose GAME is an entry point of the group `companion.games`. To try one, the
environment variable COMPANION_GAMES names folders of packages (separated as in PATH). A game that fails is left out
and reported.

Design decisions:

* A built-in game is loaded on first use; its folder's `__init__` has a `SIGN` for the table's list of games. So the
  first screen does not wait for the games.
* Change is searched in this order: exact payment, the swap with the stock that moves the fewest cards, the swap
  with the roof, rounding (`buro_crazy/change.py`). With points only, a pile is cards of value 1.
* A robot's policy chooses a move, a typist presses its keys through the same console as a player's. Secrets are
  typed while the robot thinks, so that the time of its lock does not reveal the number of keys.
* Help pages follow the house rules in force; their last pages are derived from the declarations.
"""

import os
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.core.errors import OptionError, nearest
from companion.core.game import LEVELS, Game, Sign, missing
from companion.core.options import defaults
from companion.core.plugins import PLUGINS, entry_points_of, load_point, origin, put_on_path
from companion.core.text import Text, msg

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "companion.games"
FOLDERS: Final = "COMPANION_GAMES"

OTHER: Final = "any"
"""The game that stands for all others, listed last."""


class Found(NamedTuple):
    """A game and its location."""

    game: Game
    where: str


class Games(Mapping[str, Game]):
    """Games by name. A built-in game is loaded on first access and cached."""

    def __init__(self, ours: Iterable[str], others: Mapping[str, Game]) -> None:
        self._ours = {name: import_module(f"{__name__}.{name}").SIGN for name in ours}
        self._loaded = dict(others)

    def __getitem__(self, name: str) -> Game:
        if name not in self._loaded and name in self._ours:
            self._loaded[name] = _with_robots(import_module(f"{__name__}.{name}.game").GAME)
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in self._loaded

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._ours, *self._loaded)))

    def __len__(self) -> int:
        return len(self._ours.keys() | self._loaded.keys())

    @property
    def signs(self) -> Sequence[Sign]:
        return [self._ours.get(name) or self._loaded[name].sign for name in self]


@cache
def all_games() -> Games:
    """Return all games: built-in, installed and from folders. PLUGINS has the third-party games that failed."""
    ours = _our_names()
    return Games(ours, by_name(_of_others(), ours))


def signs_of(games: Mapping[str, Game]) -> Sequence[Sign]:
    return games.signs if isinstance(games, Games) else [game.sign for game in games.values()]


def names() -> list[str]:
    """Return the names of all games without loading them."""
    folders = [path.parent.name for folder in _folders() for path in _packages(folder)]
    points = [point.name for point in entry_points_of(GROUP)]
    return list(dict.fromkeys([*_our_names(), *sorted(points), *folders]))


def load(name: str) -> Game:
    """Return the game. Raise OptionError naming the nearest."""
    games = all_games()
    if name not in games:
        raise OptionError(msg("unknown game {name!r}; {near}", name=name, near=nearest(name, games)))
    return games[name]


def by_name(found: Iterable[Found], ours: Iterable[str] = ()) -> dict[str, Game]:
    """Return games by name, except those whose name is in `ours` or was found before."""
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
    if game.bots:
        return game
    from companion.games.guesser import Guesser  # noqa: PLC0415  our own games have robots

    return game._replace(bots={LEVELS[0]: Guesser(game.console)})


def _our_names() -> list[str]:
    found = (module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    return sorted(found, key=lambda name: (name == OTHER, name))


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
    """Yield the games of entry points, except unusable ones."""
    for point in sorted(points, key=lambda point: point.name):
        yield from _found(partial(load_point, point), point.name, origin(point))


def in_folder(folder: Path) -> Iterator[Found]:
    """Yield the games of a folder of packages, except unusable ones."""
    if not folder.is_dir():
        PLUGINS.refuse(msg("{variable}: {folder} is not a folder", variable=FOLDERS, folder=folder))
        return
    packages = _packages(folder)
    if not packages:
        PLUGINS.refuse(
            msg(
                "{variable}: {folder} contains no games; set it to the folder that contains the games' folders",
                variable=FOLDERS,
                folder=folder,
            )
        )
        return
    put_on_path(folder.resolve())
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
    """Return the game. Raise TypeError or ValueError if it is not a complete one."""
    if not isinstance(game, Game):
        raise TypeError(f"its GAME is {game!r}")
    if game.name != name:
        raise ValueError(f"it is called {name!r}, its GAME {game.name!r}")
    if lacking := "; ".join(missing(game)):
        raise ValueError(lacking)
    defaults(game.rulings)  # every table.toml needs them
    return game
