"""The works that are counted, each between two marks; runs within the emulator, and prints the name of each."""

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
from companion.core.game import LEVELS, Act
from companion.core.move import Move, Seat
from companion.display import screens
from companion.display.canvas import Canvas
from companion.display.motion import TIME_NS
from companion.games import all_games
from companion.match.simulation import Simulation
from companion.match.simulation import run as simulate

MARK: Final = -1000
"""The plugin writes how many instructions there were whenever the file of this number is closed."""

SIZE: Final = (800, 480)
PLAYS: Final = 60
"""So many frames of a match are looked at; each fifth is drawn."""

EACH: Final = 5
MOTIONS: Final = 6
STEPS: Final = 9


def mark() -> None:
    with suppress(OSError):
        os.close(MARK)


@contextmanager
def counted(name: str) -> Iterator[None]:
    """Count what is done meanwhile."""
    mark()
    yield
    mark()
    print(name, flush=True)


class Thinker:
    """A robot whose decisions are counted; what led to nothing has no name."""

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
    """Draw frames of each game, and steps of what moves between them."""
    surface = pygame.Surface(SIZE, 0, 32)
    for name, game in all_games().items():
        plays = list(islice(frames.plays(name, folder), PLAYS))
        for frame in plays[::EACH]:
            screens.draw(Canvas(surface, noted=False), frame)  # what can be kept is kept now
            with counted(f"frame, {game.title}"):
                screens.draw(Canvas(surface, noted=False), frame)
        motions = filter(None, (frames.motion(surface, pair) for pair in pairwise(plays)))
        for each in islice(motions, MOTIONS):
            for step in range(STEPS):
                with counted(f"step of a motion, {game.title}"):
                    each.draw(surface, TIME_NS * step // STEPS)


def think() -> None:
    """Play a match of robots of each level of each game."""
    for game in all_games().values():
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
        for _ in range(2):  # what is loaded once is there at the second time
            with tempfile.TemporaryDirectory() as folder:
                path(Path(folder), lambda name=name: counted(name))
    with tempfile.TemporaryDirectory() as folder:
        draw(Path(folder))
    think()


main()
