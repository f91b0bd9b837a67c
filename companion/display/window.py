"""The window: opens the screen, draws the newest frame when something changed, and sleeps in between."""

import os
import queue
import time
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

import pygame

from companion.core.console import HOUSE_CONTROLS, KEYS
from companion.core.errors import CompanionError
from companion.core.signal import PC, Signal
from companion.core.text import msg
from companion.display import screens, theme, virtual_seats
from companion.display.canvas import Canvas, Target
from companion.display.frame import Frame
from companion.display.layout import Glass

IDLE_S: Final = 0.05
"""How long the loop sleeps at most; a person's click is seen this soon."""

RACE_S: Final = 0.002
"""And while calls are open, so that the PC's keys are stamped well; half of the actual gap is their uncertainty."""

REAL_KEYS: Final = frozenset({*KEYS, *HOUSE_CONTROLS})
"""What a keyboard does at a table with real buzzers: it answers and works the house's controls, it never calls."""

Frames = queue.SimpleQueue[Frame | None]
"""Frames to show; None ends the loop."""


class DisplayError(CompanionError, RuntimeError):
    """Error raised when no screen can be opened; the text names the remedy."""


def check_pygame() -> None:
    """Raise DisplayError when both pygame and pygame-ce are installed: they overwrite each other's files."""
    for name in ("pygame", "pygame-ce"):
        try:
            distribution(name)
        except PackageNotFoundError:
            return  # Debian's pygame alone is as good
    raise DisplayError(
        msg(
            "both pygame and pygame-ce are installed and break each other: "
            "pip uninstall pygame pygame-ce, then pip install pygame-ce"
        )
    )


def screen_driver(fullscreen: bool) -> str | None:
    """Return the SDL driver to ask for, None when there is no screen. SDL itself would pick an invisible one."""
    asked = os.environ.get("SDL_VIDEODRIVER")
    if asked:
        return asked
    if os.environ.get("WAYLAND_DISPLAY") and not os.environ.get("DISPLAY"):
        return "wayland"
    if os.environ.get("DISPLAY"):
        return "x11"
    return "kmsdrm" if fullscreen else None


def connected_card(folder: Path = Path("/sys/class/drm")) -> int | None:
    """Return the number of the graphics card that a screen is plugged into; None when there is no such card.

    Cards change their numbers from one boot to the next, so this is looked up at each start.
    """
    for status in sorted(folder.glob("card*-*/status")):
        if status.read_text().strip() == "connected":
            return int(status.parent.name.removeprefix("card").partition("-")[0])
    return None


class Window:
    """A window on a PC with the virtual seats around the display, or the display alone on the whole screen."""

    def __init__(self, *, virtual: bool, glass: Glass = Glass()) -> None:  # noqa: B008  a value
        """Open it. Raise DisplayError naming the remedy."""
        check_pygame()
        driver = screen_driver(fullscreen=not virtual)
        if driver is None:
            raise DisplayError(msg("there is no screen here (DISPLAY is not set); try `companion demo --text`"))
        os.environ["SDL_VIDEODRIVER"] = driver
        if driver == "kmsdrm":
            # NOTE: without libgl1 SDL picks desktop OpenGL, which flips and draws nothing.
            os.environ.setdefault("SDL_RENDER_DRIVER", "opengles2")
            card = connected_card()
            if card is not None:
                os.environ.setdefault("SDL_KMSDRM_DEVICE_INDEX", str(card))
        else:
            # A desktop's drivers for 3D would take 90 MB and half the start, for nothing that is drawn here.
            os.environ.setdefault("SDL_RENDER_DRIVER", "software")
            os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
        os.environ.setdefault("SDL_VIDEO_X11_WMCLASS", "companion")
        try:
            pygame.display.init()
            size = virtual_seats.WINDOW if virtual else (0, 0)
            flags = pygame.SCALED | pygame.RESIZABLE if virtual else pygame.FULLSCREEN
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore"
                )  # that scaling is slow here: so little changes that it does not matter
                self._surface = pygame.display.set_mode(size, flags)
        except pygame.error as error:
            raise DisplayError(
                msg(
                    "the screen does not open ({driver}: {error}); is another program on it?",
                    driver=driver,
                    error=error,
                )
            ) from error
        if pygame.display.get_driver() != driver:
            raise DisplayError(
                msg("asked for {driver}, got {found}", driver=driver, found=pygame.display.get_driver())
            )
        pygame.display.set_caption("Table companion")
        self._virtual = virtual
        self._glass = glass
        self._drawn: Frame | None = None
        self._targets: list[Target] = []
        self._held: Target | None = None
        self._polled_ns = time.monotonic_ns()

    def run(
        self, frames: Frames, press: Callable[[Signal], None], shown: Callable[[Frame, int], Signal | None]
    ) -> None:
        """Show frames until None comes or the window is closed; `press` takes what hands do on the PC.

        `shown` is told of each frame when its flip has returned, and may answer with a signal.
        """
        while self._hear_hands(press):
            try:
                frame = frames.get(timeout=self._pause_s())
                while frame is not None and not frames.empty():
                    frame = frames.get()
            except queue.Empty:
                continue
            if frame is None:
                return
            self.show(frame)
            signal = shown(frame, time.monotonic_ns())
            if signal:
                press(signal)

    def show(self, frame: Frame) -> None:
        """Draw a frame and flip, unless the same picture is there already."""
        if frame.looks_like(self._drawn):
            self._drawn = frame
            return
        self._targets = draw_window(self._surface, frame, virtual=self._virtual, glass=self._glass)
        pygame.display.flip()
        self._drawn = frame

    def save(self, path: str) -> None:
        """Write what is on the screen to a picture file."""
        pygame.image.save(self._surface, path)

    def close(self) -> None:
        """Close the window."""
        pygame.display.quit()

    def _pause_s(self) -> float:
        race = self._virtual and self._drawn is not None and self._drawn.calls_open
        return RACE_S if race else IDLE_S

    def _hear_hands(self, press: Callable[[Signal], None]) -> bool:
        """Pass on what was pressed since the last look; return False when the window was closed."""
        now_ns = time.monotonic_ns()
        half_gap_ns = (now_ns - self._polled_ns) // 2
        self._polled_ns = now_ns
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return False
            for target, pressed in self._meaning(event):
                t_ns = now_ns - half_gap_ns
                press(Signal(PC, target.place, target.control, t_ns, half_gap_ns, now_ns, pressed))
        return True

    def _meaning(self, event: pygame.event.Event) -> list[tuple[Target, bool]]:
        """Return what a hand did: the controls it pressed or released."""
        if event.type in {pygame.KEYDOWN, pygame.KEYUP}:
            frame = self._drawn
            panels, house = (frame.panels, frame.house is not None) if frame else ((), False)
            key = event.key if self._virtual else virtual_seats.ONE_PAD.get(event.key, event.key)
            target = virtual_seats.on_keyboard(key, panels, house=house)
            if target is None or not (self._virtual or target.control in REAL_KEYS):
                return []
            return [(target, event.type == pygame.KEYDOWN)]
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            hit = [target for target in self._targets if target.rect.collidepoint(event.pos)]
            self._held = hit[-1] if hit else None
            return [(self._held, True)] if self._held else []
        if event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_LEFT and self._held:
            released, self._held = self._held, None
            return [(released, False)]
        return []


def draw_window(surface: pygame.Surface, frame: Frame, *, virtual: bool, glass: Glass = Glass()) -> list[Target]:  # noqa: B008
    """Draw a frame onto a window's surface; return what can be clicked on it."""
    if not virtual:
        canvas = Canvas(surface)
        screens.draw(canvas, frame, glass)
        return canvas.targets
    around = Canvas(surface)
    around.fill(theme.BACKGROUND)
    virtual_seats.draw(around, frame.panels, frame.house)
    display = Canvas(surface.subsurface(virtual_seats.DISPLAY))
    screens.draw(display, frame, glass)
    inside = [target.moved(virtual_seats.DISPLAY.topleft) for target in display.targets]
    return inside + virtual_seats.targets(len(frame.panels))
