"""Hints beside a virtual table: which key of the PC to press next, in each person's first match of a game.

Controls are in brackets, such as `[buzz]`, `[ok]` or `[#]`. The window replaces them by the PC's keys.
"""

import json
import logging
import os
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Final

from companion.core.files import read_regular
from companion.core.limits import TOML_BYTES
from companion.core.menu import HELP_KEY, Choice
from companion.core.text import Text, msg
from companion.referee import durable

FILE_NAME: Final = "hints.json"

log = logging.getLogger(__name__)


class Hints:
    """Which people still get hints: everybody, until they have finished a match of the game.

    `wanted` returns whether the table gives hints at all. FILE_NAME in `folder` stores who has learned which game.
    """

    def __init__(self, folder: Path, wanted: Callable[[], bool]) -> None:
        self._path = folder / FILE_NAME
        self._wanted = wanted
        self._games = self._kept()

    def helps(self, name: str, game: str) -> bool:
        return self._wanted() and game not in self._games.get(name, ())

    @property
    def for_newcomers(self) -> bool:
        """True if hints are wanted and nobody has finished a match yet."""
        return self._wanted() and not self._games

    def learnt(self, names: Iterable[str], game: str) -> None:
        new = [name for name in names if game not in self._games.get(name, ())]
        for name in new:
            self._games.setdefault(name, set()).add(game)
        if new:
            self._keep()

    def _kept(self) -> dict[str, set[str]]:
        try:
            if not self._path.exists():
                return {}
            known = json.loads(read_regular(self._path, TOML_BYTES))["known"]
            return {str(name): set(map(str, games)) for name, games in known.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            log.warning("%s: %s; hints are given anew", self._path, error)
            return {}

    def _keep(self) -> None:
        try:
            durable.make_folder(self._path.parent)
            kept = json.dumps({"known": {name: sorted(games) for name, games in sorted(self._games.items())}})
            os.close(durable.write_whole(self._path, kept.encode()))
        except OSError as error:
            log.warning("%s: %s; hints are given again after the next start", self._path, error.strerror)


def to_sit_down() -> Text:
    return msg("Press {key} to sit down", key="[buzz]")


def to_begin(taken: int, allowed: Collection[int]) -> Text:
    if not taken:
        return to_sit_down()
    if taken not in allowed:
        return msg("Press {key} to add a robot", key="[C]")
    return msg("Press {begin} to begin, or {robot} to add a robot", begin="[#]", robot="[C]")


def to_choose(choice: Choice) -> Text:
    if len(choice.lines) == 1:
        return msg("Press {take}", take="[#]")
    taken = msg("{take} chooses the bright line, {next} moves to the next one", take="[#]", next="[buzz]")
    if choice.items[choice.selected].help:
        return msg("{taken}, {help} shows how to play", taken=taken, help=f"[{HELP_KEY}]")
    return taken
