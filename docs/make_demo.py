"""Makes docs/pictures/demo.png, the animation of the README: robots play a moment of each game.

`.venv/bin/python docs/make_demo.py [FOLDER]`. It draws as the window does, but in virtual time, so the result is
always the same. With FOLDER it also writes each picture there: check them before a commit.
"""

import os
import struct
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pygame
from pygame import Rect

from companion.display import scenes, screens, theme
from companion.display.canvas import LEFT, RIGHT, Canvas
from companion.display.frame import Beat, Frame, Play, Result
from companion.display.geometry import ScreenGeometry
from companion.display.layout import Layout
from companion.display.motion import Motion
from companion.display.theme import Style
from companion.games import load
from tests import pictures
from tests.display import gallery, robots, shows

DEMO = Path(__file__).parent / "pictures" / "demo.png"
MOST_BYTES = 2_000_000

SIZE = (640, 384)  # the ratio of 800x480, in the width of a page

FOOT_PX = 40
STEP_MS = 50
STEP_NS = STEP_MS * 1_000_000
ATTRACT_MS = 1600
ROUNDING = 20  # largest change of a colour, since all pictures share 255

NAMES = ("Anna", "Ben", "Cleo", "Dan")


class Moment(NamedTuple):
    """A part of a match that begins `lead_s` before the first frame that `about` accepts."""

    game: str
    seed: str
    about: Callable[[Frame], bool]
    lead_s: float
    lasts_s: float


def _play(frame: Frame) -> Play | None:
    return frame.screen if isinstance(frame.screen, Play) else None


def _contested(frame: Frame) -> bool:
    play = _play(frame)
    return bool(play and play.finish)


def _revealed(frame: Frame) -> bool:
    play = _play(frame)
    return bool(play and play.beat == Beat.REVEALED and play.view.last and play.view.last.winner >= 0)


def _tells(*words: str) -> Callable[[Frame], bool]:
    return lambda frame: any(all(word in line for word in words) for line in frame.story[-2:])


def _over(frame: Frame) -> bool:
    return isinstance(frame.screen, Result)


MOMENTS = (
    Moment("buntherum", "3", _contested, 1.2, 7.5),
    Moment("buro_crazy", "demo", _revealed, 1.5, 5.5),
    Moment("boese_buben", "demo", _tells("Lane ", "gets"), 2.5, 4.5),
    Moment("de_et_boulanger", "demo", _tells("takes", "water"), 4.0, 4.5),
    Moment("de_et_boulanger", "demo", _tells("sells", "for"), 1.0, 3.0),
    Moment("buntherum", "3", _over, 0.0, 2.5),
)

Picture = tuple[bytes, int]
"""The pixels of a picture (RGBX) and its duration in milliseconds."""


def all_pictures(folder: Path) -> Iterator[Picture]:
    with shows.in_language("en"):
        attract = gallery.Table(folder / "attract").frame
        yield from _drawn([robots.Shown(0, attract)], 0, ATTRACT_MS * 1_000_000, "")
        for number, moment in enumerate(MOMENTS):
            shown = list(robots.watched(moment.game, NAMES, moment.seed, folder / str(number)))
            begin_ns = next(t_ns for t_ns, frame in shown if moment.about(frame)) - round(moment.lead_s * 1e9)
            end_ns = begin_ns + round(moment.lasts_s * 1e9)
            yield from _drawn(shown, begin_ns, end_ns, str(load(moment.game).title))


def _drawn(shown: list[robots.Shown], begin_ns: int, end_ns: int, title: str) -> Iterator[Picture]:
    last, stood_ms = b"", 0
    film = Film(shown, title)
    for t_ns in range(begin_ns, end_ns, STEP_NS):
        pixels = film.at(t_ns)
        if pixels != last and last:
            yield last, stood_ms
            stood_ms = 0
        last, stood_ms = pixels, stood_ms + STEP_MS
    yield last, stood_ms


class Film:
    """Draws a match at a given time, as the window does."""

    def __init__(self, shown: list[robots.Shown], title: str) -> None:
        self._shown = shown
        self._title = title
        self._newest = -1
        self._surface = pygame.Surface((SIZE[0], SIZE[1] + FOOT_PX), 0, 32)
        self._still = pygame.Surface(SIZE, 0, 32)
        self._motion: Motion | None = None

    def at(self, t_ns: int) -> bytes:
        """Return the pixels at a time. Times must not decrease."""
        newest = max((place for place, one in enumerate(self._shown) if one.t_ns <= t_ns), default=0)
        if newest != self._newest:
            self._take(newest)
        display = self._surface.subsurface(Rect((0, 0), SIZE))
        if self._motion is None or not self._motion.draw(display, t_ns):
            display.blit(self._still, (0, 0))
        return pygame.image.tobytes(self._surface, "RGBX")

    def _take(self, newest: int) -> None:
        before = self._shown[self._newest].frame if self._newest >= 0 else None
        begin_ns, after = self._shown[newest]
        old = self._still.copy()
        screens.draw(Canvas(self._still), after)
        plan = screens.plan_of(SIZE, after, ScreenGeometry())
        flights = _flights(plan, before, after) if before else ()
        self._motion = Motion(old, self._still.copy(), flights, begin_ns, plan.centre) if flights else None
        self._newest = newest
        self._foot(after)

    def _foot(self, frame: Frame) -> None:
        canvas = Canvas(self._surface.subsurface(Rect(0, SIZE[1], SIZE[0], FOOT_PX)))
        canvas.fill(theme.PAPER)
        room = canvas.rect.inflate(-24, 0)
        title = canvas.text(self._title, room, Style(12, theme.LINE, bold=True), align=LEFT)
        story = Rect(title.right + 24, 0, room.right - title.right - 24, FOOT_PX)
        canvas.text(frame.story[-1] if frame.story else "", story, Style(11, theme.LINE), align=RIGHT)


def _flights(plan: Layout, before: Frame, after: Frame) -> tuple:
    one, other = _play(before), _play(after)
    if not one or not other or one.scene != other.scene or after.calls_open:
        return ()
    return tuple(scenes.scene_of(other.scene).flights(plan, one, other, after.look))


def write(path: Path, frames: list[Picture]) -> None:
    """Write an animated PNG with one palette. Each picture has only what changed."""
    counts: Counter[int] = Counter()
    for pixels, _ in frames:
        counts.update(memoryview(pixels).cast("I"))
    number, palette = pictures.palette(counts, ROUNDING, 255)
    nothing = len(palette)
    indexed = [bytes(map(number.__getitem__, memoryview(pixels).cast("I"))) for pixels, _ in frames]
    width, height = SIZE[0], SIZE[1] + FOOT_PX
    parts = [
        pictures.chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        pictures.chunk(b"acTL", struct.pack(">II", len(frames), 0)),
        pictures.chunk(b"PLTE", b"".join(palette) + bytes(3)),
        pictures.chunk(b"tRNS", b"\xff" * nothing + b"\0"),
        _control(0, Rect(0, 0, width, height), frames[0][1]),
        pictures.chunk(b"IDAT", _packed(indexed[0], Rect(0, 0, width, height), width)),
    ]
    serial = 1
    for (before, after), (_, stands_ms) in zip(pairwise(indexed), frames[1:], strict=True):
        changed = bytes(nothing if a == b else b for a, b in zip(before, after, strict=True))
        rect = _changed(changed, nothing, width)
        parts.append(_control(serial, rect, stands_ms))
        parts.append(pictures.chunk(b"fdAT", struct.pack(">I", serial + 1) + _packed(changed, rect, width)))
        serial += 2
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts) + pictures.chunk(b"IEND", b""))


def _control(serial: int, rect: Rect, stands_ms: int) -> bytes:
    over = 1 if serial else 0
    place = struct.pack(">IIIII", serial, rect.width, rect.height, rect.left, rect.top)
    return pictures.chunk(b"fcTL", place + struct.pack(">HHBB", stands_ms, 1000, 0, over))


def _changed(indexed: bytes, nothing: int, width: int) -> Rect:
    """Return the area that changed, or one pixel if nothing did."""
    rows = [indexed[start : start + width] for start in range(0, len(indexed), width)]
    blank = bytes([nothing])
    filled = [number for number, row in enumerate(rows) if row.strip(blank)]
    if not filled:
        return Rect(0, 0, 1, 1)
    left = min(width - len(rows[number].lstrip(blank)) for number in filled)
    right = max(len(rows[number].rstrip(blank)) for number in filled)
    return Rect(left, filled[0], right - left, filled[-1] + 1 - filled[0])


def _packed(indexed: bytes, rect: Rect, width: int) -> bytes:
    starts = range(rect.top * width + rect.left, rect.bottom * width, width)
    return zlib.compress(b"".join(b"\0" + indexed[start : start + rect.width] for start in starts), 9)


def main() -> None:
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    with tempfile.TemporaryDirectory() as folder:
        frames = list(all_pictures(Path(folder)))
    for place, (pixels, _) in enumerate(frames if sys.argv[1:] else ()):
        surface = pygame.image.frombytes(pixels, (SIZE[0], SIZE[1] + FOOT_PX), "RGBX")
        pygame.image.save(surface, Path(sys.argv[1]) / f"{place:03}.png")
    write(DEMO, frames)
    size, lasts_s = DEMO.stat().st_size, sum(stands_ms for _, stands_ms in frames) / 1000
    sys.stdout.write(f"{len(frames)} pictures, {lasts_s:.1f} s, {size / 1000:.0f} kB\n")
    if size > MOST_BYTES:
        raise ValueError(f"at most {MOST_BYTES} bytes are wanted")


if __name__ == "__main__":
    main()
