"""A PC without a person: a readable screen, the running program, its keys and mouse."""

import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Self

import pygame
import pytest
from pygame import Rect

from companion.core.match import Match
from companion.display import virtual_seats
from companion.display.canvas import Canvas
from companion.display.frame import Panel
from companion.display.table_plan import TablePlan, table_plan
from companion.games import all_games
from companion.records.history import records
from companion.referee.journal import Opened, open_record
from tests.running import COMMAND, environment


def missing() -> str:
    """Return why these tests cannot run here, or ""."""
    if not sys.platform.startswith("linux"):
        return "Xvfb is for Linux"
    gone = [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]
    return f"needs {' and '.join(gone)} (Debian: apt install xvfb xdotool)" if gone else ""


needs_a_screen = pytest.mark.skipif(bool(missing()), reason=missing())

PATIENCE_S = 30.0
"""The timeout of any wait on a busy machine."""

AGAIN_S = 3.0
"""The time after which a press without effect is repeated."""

PLAY = ("play", "--virtual")

SIZE = (1280, 720)

PERSON = 0

KEY_NAMES = {
    "digits": {
        **{str(digit): str(digit) for digit in range(10)},
        "*": "BackSpace",
        "#": "Return",
        **dict(zip("ABCD", "abcd", strict=True)),
    },
    "number pad": {
        **{str(digit): f"KP_{digit}" for digit in range(10)},
        "*": "KP_Multiply",
        "#": "KP_Enter",
        **dict(zip("ABCD", ("KP_Divide", "KP_Subtract", "KP_Add", "KP_Decimal"), strict=True)),
    },
}
"""The xdotool names of the keys in each keypad on the PC."""


def eventually(reached: Callable[[], Any], what: str, seconds: float = PATIENCE_S, pause_s: float = 0.02) -> Any:
    """Wait for a true value and return it."""
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        found = reached()
        if found:
            return found
        time.sleep(pause_s)
    raise AssertionError(f"not within {seconds:.0f} s: {what}")


def soon(reached: Callable[[], bool]) -> bool:
    """Return whether a press has an effect within AGAIN_S."""
    end_s = time.monotonic() + AGAIN_S
    while time.monotonic() < end_s and not reached():
        time.sleep(0.02)
    return reached()


class Screen:
    """A virtual X server whose frame buffer can be read."""

    def __init__(self, folder: Path, size: tuple[int, int] = SIZE, display: str = "") -> None:
        """Start it as `display`, by default the first free one."""
        self.size = size
        wide, high = size
        reader, writer = os.pipe()
        self._buffer = folder / "Xvfb_screen0"
        mode = f"{wide}x{high}x24"
        options = ("-displayfd", str(writer), "-screen", "0", mode, "-nolisten", "tcp", "-fbdir", str(folder))
        number = [display] if display else []
        self._server = subprocess.Popen(
            ["Xvfb", *number, *options], pass_fds=(writer,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(writer)
        with os.fdopen(reader) as numbers:
            self.display = f":{numbers.readline().strip()}"

    def pixels(self) -> bytes:
        """Return the picture without the mouse, as BGRX bytes."""
        data = self._buffer.read_bytes()
        fields = struct.unpack(">25I", data[:100])
        begin, (wide, high) = fields[0] + 12 * fields[19], self.size
        return data[begin : begin + 4 * wide * high]

    def part(self, rect: Rect) -> bytes:
        picture = pygame.image.frombuffer(self.pixels(), self.size, "BGRA")
        return pygame.image.tobytes(picture.subsurface(rect), "RGB")

    def still(self) -> bytes:
        """Return the picture once it stops changing."""
        return eventually(self._same_twice, "the picture stands still")

    def _same_twice(self) -> bytes | None:
        once = self.pixels()
        time.sleep(0.1)
        return once if once == self.pixels() else None

    def do(self, *words: object) -> None:
        environ = os.environ | {"DISPLAY": self.display}
        subprocess.run(["xdotool", *map(str, words)], env=environ, check=True, timeout=PATIENCE_S)

    def close(self) -> None:
        self._server.terminate()
        self._server.wait(PATIENCE_S)


class Table:
    """The running program, its keys, its mouse and its newest record."""

    def __init__(self, screen: Screen, home: Path, *arguments: str, command: Sequence[str] = PLAY) -> None:
        self.screen = screen
        self.home = home
        environ = environment(home) | {"DISPLAY": screen.display, "SDL_VIDEODRIVER": "x11"}
        state = home / "state" / "companion"
        if not state.exists():
            state.mkdir(parents=True)
            (state / "window.json").write_text(json.dumps({"size": screen.size, "full": True}), "utf-8")
        self._errors = (home / "errors.txt").open("w+")
        self.process = subprocess.Popen(
            [*COMMAND, *command, *arguments],
            cwd=home,
            env=environ,
            stdout=self._errors,
            stderr=self._errors,
        )
        targets = virtual_seats.targets(screen.size, 5)
        self._targets = {(one.place, one.control): one.rect.center for one in targets}
        self._read: tuple[tuple[Path, int], Opened] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE_S)
        self._errors.close()

    @property
    def plan(self) -> TablePlan:
        return table_plan(self.screen.size)

    def said(self) -> str:
        return (self.home / "errors.txt").read_text()

    def key(self, *names: str) -> None:
        self.screen.do("key", *names)

    def click(self, control: str, place: int = PERSON) -> None:
        x, y = self._targets[place, control]
        self.screen.do("mousemove", x, y, "click", 1)

    def keypad(self, place: int) -> str | None:
        """Read from the screen which PC keys are a place's keypad."""
        seen = self.screen.part(_middle_row(self.screen.size, place))
        return next((keys for keys in KEY_NAMES if seen == _tag(self.screen.size, place, keys)), None)

    def type(self, place: int, controls: Iterable[str]) -> None:
        keys = eventually(lambda: self.keypad(place), f"keys for place {place + 1}", pause_s=0.005)
        self.key(*(KEY_NAMES[keys][control] for control in controls))

    def type_for_house(self, control: str) -> None:
        """Enter a key for the house, once it has the row of digits."""
        glass = self.plan.house.screen.inflate(-12, -8)

        def lit() -> bool:
            seen = self.screen.part(glass)
            return seen != seen[:3] * (len(seen) // 3)

        eventually(lit, "the house has the digits", pause_s=0.005)
        self.key(KEY_NAMES["digits"][control])

    def and_see(self, act: Callable[[], None]) -> None:
        """Act in a menu, and wait until the display changes.

        The surrounding table shows a held key earlier, before it has any effect.
        """
        self.screen.still()
        before = self.screen.part(self.plan.display)
        act()
        eventually(lambda: self.screen.part(self.plan.display) != before, "the display answers")
        self.screen.still()

    @property
    def folder(self) -> Path:
        return self.home / "data" / "companion" / "matches"

    def opened(self) -> Opened:
        path = records(self.folder)[-1]
        grown = (path, path.stat().st_size)
        if self._read is None or self._read[0] != grown:
            self._read = (grown, open_record(path, all_games()))
        return self._read[1]

    @property
    def match(self) -> Match:
        """The newest record, except for an unfinished line."""
        return self.opened().match

    def wait_for(self, reached: Callable[[Match], Any], what: str, seconds: float = PATIENCE_S) -> Match:
        def look() -> Match | None:
            assert self.process.poll() is None, self.said()
            match = self.match
            return match if reached(match) else None

        try:
            return eventually(look, what, seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}; the record ends with {self.match.entries[-6:]}") from error

    def ready(self) -> None:
        eventually(lambda: self.process.poll() is not None or any(self.screen.pixels()[::997]), "a first frame")
        assert self.process.poll() is None, self.said()
        self.screen.still()

    def end(self, number: signal.Signals) -> None:
        self.process.send_signal(number)
        self.process.wait(PATIENCE_S)
        eventually(lambda: not any(self.screen.pixels()), "the window is gone")


def _middle_row(size: tuple[int, int], place: int) -> Rect:
    rect = table_plan(size).seats[place].tag
    return Rect(rect.left, rect.centery, rect.width, 1)


@cache
def _tag(size: tuple[int, int], place: int, keys: str) -> bytes:
    surface = pygame.Surface(size, 0, 32)
    virtual_seats.draw(Canvas(surface), virtual_seats.Around((Panel(place, keys=keys, name="?"),)))
    return pygame.image.tobytes(surface.subsurface(_middle_row(size, place)), "RGB")
