"""Whether a game has what it needs at a table: asked where one of others is loaded, and by the conformance suite.

Without it the table would find out in the middle of a match, or of its menu. It is for the game's author: never
translated.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

from companion.core.console import Console
from companion.core.errors import closest
from companion.core.files import assets_folder
from companion.core.game import Game, Teller
from companion.core.rules import Notation, Rules

_CONTRACTS: Final[dict[str, type]] = {"rules": Rules, "notation": Notation, "console": Console, "teller": Teller}


def missing(game: Game) -> Iterator[str]:
    """Say what its rooms have not of what their contracts ask for, and which scene or emblem is not there."""
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
