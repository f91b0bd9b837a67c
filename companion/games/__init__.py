"""The games: one folder each, with the same rooms. Adding a game is adding a folder."""

import pkgutil
from functools import cache
from importlib import import_module

from companion.core.errors import OptionError, nearest
from companion.core.game import Game
from companion.core.text import msg


@cache
def all_games() -> dict[str, Game]:
    """Return every game by its name: the folders of this package, each of which has a GAME."""
    found = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    return {name: import_module(f"{__name__}.{name}").GAME for name in found}


def load(name: str) -> Game:
    """Return the game of that name. Raise OptionError naming the nearest."""
    games = all_games()
    if name not in games:
        raise OptionError(msg("there is no game {name!r}; {near}", name=name, near=nearest(name, games)))
    return games[name]
