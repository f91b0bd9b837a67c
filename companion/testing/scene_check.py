"""Tests a scene with a random match: it must draw each position on every display."""

import logging
from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.console import ShowsOwn
from companion.core.event import REVEAL, Event
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import by_seat, each_seat
from companion.core.rules import Rulings, View
from companion.display import scenes, screens
from companion.display.frame import Beat, Frame, Look, Play, PrivatePicture, Side
from companion.display.geometry import ScreenGeometry
from companion.testing.conformance import ConformanceError
from companion.testing.playout import Pick, random_move

SIZES: Final = ((800, 480), (720, 1280))
PRIVATE_SIZE: Final = (320, 240)
LOOKS: Final = (Look(), Look(high_contrast=True, large_text=True))
"""They alternate every two moves."""


def check_scene(
    game: Game, pick: Pick, *, seats: int | None = None, rulings: Rulings | None = None, limit: int = 100
) -> None:
    """Draw a random match of at most `limit` moves: centre, strips, animations and the values of `own`.

    By default with the most `seats`. Raise ConformanceError for a scene that is incomplete or raises.
    """
    if not game.scene:
        raise ConformanceError("it has no scene", ())
    lacking = [name for name in ("centre", "strip", "flights") if not hasattr(scenes.scene_of(game.scene), name)]
    if lacking:
        raise ConformanceError(f"missing in its scene: {', '.join(lacking)}", ())
    names = [f"P{seat + 1}" for seat in each_seat(seats or game.rules.SEATS[-1])]
    match, raises = Match(game, names, rulings=rulings), _Raises()
    scenes.log.addHandler(raises)
    try:
        _draw(match, (Play(game.scene, match.view()),))
        while match.outcome is None and match.length < limit:
            before = match.view()
            events = match.push(random_move(game.rules, match.state, pick))
            _draw(match, tuple(_plays(match, before, events)))
    except Exception as error:
        raise ConformanceError(f"its scene raises {type(error).__name__}: {error}", match.moves) from error
    finally:
        scenes.log.removeHandler(raises)


class _Raises(logging.Handler):
    """Raises the errors that the display only logs."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            raise record.exc_info[1]


def _plays(match: Match, before: View, events: Sequence[Event]) -> Iterator[Play]:
    scene, view = match.game.scene, match.view()
    yield Play(scene, before)
    if any(happened.kind == REVEAL for happened in events):
        yield Play(scene, before, Beat.DRUM)
        yield Play(scene, view, Beat.REVEALED, before)
    yield Play(scene, view)


def _draw(match: Match, plays: Sequence[Play]) -> None:
    look, console = LOOKS[match.length // 2 % len(LOOKS)], match.game.console
    sides = tuple(Side(name, seat=seat) for seat, name in by_seat(match.names))
    for size in SIZES:
        for number, play in enumerate(plays):
            frame = Frame(0, play, sides, look=look)
            if number or len(plays) == 1:
                screens.pixels(size, frame)
            if number:
                plan = screens.plan_of(size, frame, ScreenGeometry()).of_scene
                list(scenes.scene_of(play.scene).flights(plan, plays[number - 1], play, look))
    for seat in each_seat(len(match.names)):
        own = console.own(match.view(seat), "") if isinstance(console, ShowsOwn) else None
        if own is not None:
            screens.private_pixels(PRIVATE_SIZE, PrivatePicture(match.game.scene, own, "", look))
