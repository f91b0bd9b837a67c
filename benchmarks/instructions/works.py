"""Runs typical work in the emulator, each piece between two marks, and prints its name."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any, Final

import pygame

from benchmarks import frames, paths
from companion.core.dealer import DEALS
from companion.core.game import LEVELS, Act
from companion.core.move import Move, Seat
from companion.display import screens
from companion.display.canvas import Canvas
from companion.display.motion import TIME_NS
from companion.games import all_games
from companion.match.simulation import Simulation
from companion.match.simulation import run as simulate

MARK: Final = -1000
"""The plug-in prints its count when this file descriptor is closed."""

SIZE: Final = (800, 480)
PLAYS: Final = 60
"""Frames of a match; each fifth is drawn."""

EACH: Final = 5
MOTIONS: Final = 6
STEPS: Final = 9


def mark() -> None:
    with suppress(OSError):
        os.close(MARK)


@contextmanager
def counted(name: str) -> Iterator[None]:
    mark()
    yield
    mark()
    print(name, flush=True)


class Thinker:
    """A robot whose decisions are counted, without a name if there was none."""

    def __init__(self, name: str, bot: Any) -> None:
        self._name, self._bot = name, bot
        if hasattr(bot, "decide"):
            self.decide = self._decide

    def acts(self, view: Any, seat: Seat, luck: Random) -> Sequence[Act]:
        return self._thought(lambda: self._bot.acts(view, seat, luck))

    def _decide(self, view: Any, seat: Seat, luck: Random) -> Move | None:
        return self._thought(lambda: self._bot.decide(view, seat, luck))

    def _thought(self, think: Callable[[], Any]) -> Any:
        mark()
        found = think()
        mark()
        print(self._name if found else "", flush=True)
        return found


def draw(folder: Path) -> None:
    surface = pygame.Surface(SIZE, 0, 32)
    for name, game in all_games().items():
        plays = list(islice(frames.plays(name, folder), PLAYS))
        for frame in plays[::EACH]:
            screens.draw(Canvas(surface, noted=False), frame)  # fill the caches
            with counted(f"frame, {game.title}"):
                screens.draw(Canvas(surface, noted=False), frame)
        motions = filter(None, (frames.motion(surface, pair) for pair in pairwise(plays)))
        for each in islice(motions, MOTIONS):
            for step in range(STEPS):
                with counted(f"step of a motion, {game.title}"):
                    each.draw(surface, TIME_NS * step // STEPS)


def think() -> None:
    for game in all_games().values():
        if game.no_robots(game.rulings(), DEALS[0]):
            continue
        names = ("Anna", "Ben", "Cleo", "Dan")[: min(4, game.rules.SEATS[-1])]
        for level in LEVELS:
            thinker = Thinker(f"robot, {game.title}, {level}", game.bots[level])
            plan = Simulation(game._replace(bots={level: thinker}), names, (level,), game.rulings(), "thinking")
            for _tally in simulate(plan, 1):
                pass


def main() -> None:
    for _ in range(3):
        with counted("nothing"):
            pass
    for name, path in (("press to lamp and frame", paths.call), ("last bid to reveal", paths.reveal)):
        for _ in range(2):  # the second time, everything is loaded
            with tempfile.TemporaryDirectory() as folder:
                path(Path(folder), lambda name=name: counted(name))
    with tempfile.TemporaryDirectory() as folder:
        draw(Path(folder))
    think()


main()
