"""Measures the processor time of drawing the frames and animations of the tests' gallery."""

import logging
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Final, NamedTuple

import pygame

from companion.display import scenes, screens
from companion.display.canvas import Canvas
from companion.display.frame import Frame, Play
from companion.display.geometry import ScreenGeometry
from companion.display.motion import TIME_NS, Motion
from companion.games import all_games

GALLERY: Final = Path(__file__).parents[1] / "tests" / "display"

Report = Callable[..., None]
Size = tuple[int, int]

AGAIN = 9

STEPS = 27
"""Steps of an animation at 60 Hz."""

FRAMES = 150
"""Frames of a match that are searched for animations."""

SLOWER = 20
"""The estimated slowdown of a Raspberry Pi Zero 2, at most (docs/evidence.md)."""

STEP_MOST_MS = 1e3 / 60 / SLOWER
FRAME_MOST_MS = 6.0
NAMES = ("Anna", "Ben", "Cleo", "Dan")
SEED = "bench"


class Cost(NamedTuple):
    """Milliseconds for drawing a frame for the first time and with warm caches."""

    what: str
    first_ms: float
    again_ms: float


def run(report: Report) -> None:
    # One frame is of an unreadable folder; its warning is not needed.
    logging.getLogger("companion").addHandler(logging.NullHandler())
    from tests.display import shows  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        for show in shows.all_shows().values():
            frames = shows.frames_of(show, Path(folder))
            named = [(f"{name}, {n}", frame) for n, each in frames.items() for name, frame in each.items()]
            for size in shows.SIZES:
                target = f"target: below {FRAME_MOST_MS:.0f} ms" if size == shows.WIDE else ""
                costs = [_cost(*one, size) for one in named]
                _report_frames(report, f"{show.title} at {size[0]}x{size[1]}", costs, target)
        for game, each in all_games().items():
            shown = list(islice(plays(game, Path(folder)), FRAMES))
            for size in shows.SIZES:
                _report_motion(report, f"{each.title} at {size[0]}x{size[1]}", _steps_ms(shown, size))


def _report_frames(report: Report, what: str, costs: list[Cost], target: str) -> None:
    worst = max(costs, key=lambda cost: cost.again_ms)
    median = statistics.median(cost.again_ms for cost in costs)
    first = max(costs, key=lambda cost: cost.first_ms)
    report(f"{what}: {len(costs)} frames, median", f"{median:.2f} ms")
    report(f"  worst ({worst.what})", f"{worst.again_ms:.2f} ms", target)
    report(f"  worst of all first times ({first.what})", f"{first.first_ms:.1f} ms")


def _report_motion(report: Report, what: str, steps_ms: list[float]) -> None:
    if not steps_ms:
        report(f"{what}: nothing moves", "")
        return
    high = statistics.quantiles(steps_ms, n=100)[98]
    report(f"{what}: a step of a motion, median and p99", f"{statistics.median(steps_ms):.2f}, {high:.2f} ms",
           f"target: below {STEP_MOST_MS:.2f} ms")  # fmt: skip


def _cost(what: str, frame: Frame, size: Size) -> Cost:
    surface = pygame.Surface(size, 0, 32)
    first_ms = _draw_ms(surface, frame)
    return Cost(what, first_ms, statistics.median(_draw_ms(surface, frame) for _ in range(AGAIN)))


def _draw_ms(surface: pygame.Surface, frame: Frame) -> float:
    began = time.thread_time()
    screens.draw(Canvas(surface, noted=False), frame)
    return (time.thread_time() - began) * 1e3


def plays(game: str, folder: Path) -> Iterator[Frame]:
    from tests.display import robots  # noqa: PLC0415

    shown = robots.watched(game, NAMES, SEED, folder / game)
    return (frame for _, frame in shown if isinstance(frame.screen, Play))


def _steps_ms(shown: list[Frame], size: Size) -> list[float]:
    surface = pygame.Surface(size, 0, 32)
    motions = filter(None, (motion(surface, pair) for pair in pairwise(shown)))
    return [step for each in motions for step in _motion_ms(surface, each)]


def motion(surface: pygame.Surface, pair: tuple[Frame, Frame]) -> Motion | None:
    """Return the animation between two frames, or None."""
    before, after = pair
    if after.calls_open:
        return None
    plan = screens.plan_of(surface.get_size(), after, ScreenGeometry())
    flights = scenes.scene_of(after.screen.scene).flights(plan, before.screen, after.screen, after.look)
    if not flights:
        return None
    pictures = []
    for frame in pair:
        screens.draw(Canvas(surface, noted=False), frame)
        pictures.append(surface.copy())
    return Motion(*pictures, flights, 0, plan.centre)


def _motion_ms(surface: pygame.Surface, moves: Motion) -> Iterator[float]:
    for step in range(STEPS):
        began = time.thread_time()
        moves.draw(surface, TIME_NS * step // STEPS)
        yield (time.thread_time() - began) * 1e3


if __name__ == "__main__":
    run(lambda what, figure, target="": print(f"{what:58} {figure:>22}  {target}"))
