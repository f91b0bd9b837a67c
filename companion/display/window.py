"""The window: shows the newest frame and reports key presses and clicks."""

import logging
import operator
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple, Protocol

import pygame

from companion.core.console import HOLD_S, HOUSE_CONTROLS, KEYS, OFF
from companion.core.errors import CompanionError
from companion.core.install import add_command, apt_command, replace_command
from companion.core.move import Seat
from companion.core.place import HOUSE
from companion.core.signal import PC, Signal
from companion.core.text import Text, msg
from companion.display import key_sheet, scenes, screen_drivers, screens, theme, virtual_seats
from companion.display.canvas import Canvas, Target
from companion.display.celebration import Celebration
from companion.display.countdown import Countdown
from companion.display.frame import Frame, Play, Result
from companion.display.geometry import ScreenGeometry
from companion.display.motion import TIME_NS, Motion
from companion.display.table_plan import LEAST_SIZE, table_plan
from companion.display.virtual_seats import Around

IDLE_S: Final = 0.05
"""The longest sleep of the loop, and so the delay of a click."""

RACE_S: Final = 0.002
"""The same while calls are open. Half of the actual gap is the uncertainty of a press."""

STEP_S: Final = 1 / 60  # the same while pieces move

FIRST_SHARE: Final = 0.85  # size of a new window / of the desktop; panels and a title bar need the rest

SMALL: Final = (800, 480)
"""A new window that would be smaller fills the screen instead."""

TITLE: Final = "Table companion"

ICON_PX: Final = 64

EXPOSED: Final = frozenset({pygame.WINDOWEXPOSED, pygame.WINDOWSHOWN, pygame.WINDOWRESTORED})
"""Events after which the desktop may have lost the picture."""

MOUSE: Final = -1  # among the scancodes of keys

REAL_KEYS: Final = frozenset({*KEYS, *HOUSE_CONTROLS})
"""The controls of a keyboard at a table with real buzzers: all others."""

Frames = queue.Queue[Frame | None]
"""Frames to show; None ends the loop.

Not a SimpleQueue: in Python 3.11 and 3.12 its `get` never returns if a system signal interrupts it at the end of
its timeout. Then SIGTERM could not stop the table.
"""

log = logging.getLogger(__name__)


class DisplayError(CompanionError, RuntimeError):
    """Error raised when no screen can be opened. Its text names the remedy."""


def check_pygame() -> None:
    """Raise DisplayError if pygame and pygame-ce share a folder, where they overwrite each other's files.

    Debian's pygame beside a virtual environment with pygame-ce does no harm.
    """
    folder = Path(pygame.__file__).parents[1]
    if all(any(folder.glob(f"{name}-*-info")) for name in ("pygame", "pygame_ce")):
        raise DisplayError(
            msg(
                "pygame and pygame-ce are both installed and conflict with each other: {get}",
                get=replace_command("pygame pygame-ce", add_command("pygame-ce")),
            )
        )


def _moment_of(countdown: Countdown, now_ns: int) -> tuple[int, int]:
    """Return what changes in a countdown's picture: the strips' step, and the second of figures."""
    return countdown.step(now_ns), countdown.second(now_ns)


def _limited(frame: Frame) -> tuple[Seat, ...]:
    return frame.limit.seats if frame.limit else ()


class Placement(NamedTuple):
    """The window of a virtual table, with its size in units of the desktop."""

    size: tuple[int, int]
    full: bool = False


def placed_on(desktop: tuple[int, int], kept: Placement | None) -> Placement:
    """Return the saved placement if it fits the desktop, else that of a new window."""
    if kept and all(map(operator.le, LEAST_SIZE, kept.size)) and all(map(operator.le, kept.size, desktop)):
        return kept
    wide, high = (round(side * FIRST_SHARE) for side in desktop)
    # A tall window needs as much room as a wide one.
    is_small = max(wide, high) < max(SMALL) or min(wide, high) < min(SMALL)
    return Placement((wide, high), is_small)


class _Screen(Protocol):
    """A pygame.Window, or pygame.display for the whole screen."""

    def get_surface(self) -> pygame.Surface | None: ...

    def flip(self) -> None: ...


def _opened(driver: str, *, virtual: bool, kept: Placement | None) -> tuple[pygame.Window | None, Placement]:
    """Return the window (None for the whole screen) and its placement. Raises DisplayError."""
    try:
        desktop = pygame.display.get_desktop_sizes()[0]
        icon = theme.pictogram("buzzer", theme.LIT, ICON_PX)
        if virtual:
            placement = placed_on(desktop, kept)
            size = desktop if placement.full else placement.size
            window = pygame.Window(
                TITLE, size, fullscreen_desktop=placement.full, resizable=True, allow_high_dpi=True
            )
            window.set_icon(icon)
            window.minimum_size = LEAST_SIZE
            window.get_surface()
        else:
            window, placement = None, Placement(desktop, full=True)
            pygame.display.set_icon(icon)
            pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
            pygame.display.set_caption(TITLE)
    except pygame.error as error:
        raise DisplayError(_does_not_open(driver, error)) from error
    found = pygame.display.get_driver()
    if found.lower() != driver.lower():  # SDL reports kmsdrm as KMSDRM
        raise DisplayError(msg("asked for {driver}, got {found}", driver=driver, found=found))
    return window, placement


def _does_not_open(driver: str, error: Exception) -> Text:
    # SDL gives the same error for a missing library and for a screen that does not respond.
    if driver == "x11":
        return msg(
            "cannot open the screen {display} ({error}). Check DISPLAY. Two libraries are needed: {get}. "
            "Without a screen try `companion demo --text`",
            display=os.environ.get("DISPLAY", ""),
            error=error,
            get=apt_command("libx11-6", "libxext6"),
        )
    if driver == "wayland":
        return msg(
            "cannot open the screen {display} ({error}). Check WAYLAND_DISPLAY. Wayland also needs "
            "libraries: {get}. Without a screen try `companion demo --text`",
            display=os.environ.get("WAYLAND_DISPLAY", ""),
            error=error,
            get=apt_command("libegl1", "libgles2", "libgl1-mesa-dri"),
        )
    return msg(
        "cannot open the screen ({driver}: {error}); is another program using it?", driver=driver, error=error
    )


def find_screen(*, virtual: bool) -> str:
    """Let SDL look for a screen, which is fast; return its driver. Raises DisplayError."""
    check_pygame()
    driver = screen_drivers.screen_driver(fullscreen=not virtual)
    if driver is None:
        raise DisplayError(msg("no screen was found (DISPLAY is not set); try `companion demo --text`"))
    os.environ.update(screen_drivers.environment(driver))
    try:
        if driver == "wayland":
            import ctypes  # noqa: PLC0415  other screens do not need it

            ctypes.CDLL("libEGL.so.1")  # SDL crashes without it
        pygame.display.init()
    except (pygame.error, OSError) as error:
        raise DisplayError(_does_not_open(driver, error)) from error
    return driver


@contextmanager
def _noted_ctrl_c() -> Iterator[list[int]]:
    """Record Ctrl-C and raise KeyboardInterrupt at the end. A second one raises at once.

    Anywhere else, pygame could turn it into another error, or Python's import lock could stay held.
    """
    noted: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if noted:
            signal.default_int_handler(number, frame)
        noted.append(number)

    is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    is_heard = is_heard and threading.current_thread() is threading.main_thread()  # others may not set it
    if is_heard:
        signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        if is_heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if noted:
        raise KeyboardInterrupt


class Window:
    """A window with the virtual seats around the display, or the display alone on the whole screen."""

    def __init__(
        self,
        *,
        virtual: bool,
        geometry: ScreenGeometry = ScreenGeometry(),  # noqa: B008  a value
        kept: Placement | None = None,
    ) -> None:
        """Open it, with the placement `kept` if that fits. Raises DisplayError."""
        driver = find_screen(virtual=virtual)
        self._window, self._placement = _opened(driver, virtual=virtual, kept=kept)
        self._screen: _Screen = pygame.display
        if self._window:
            self._screen = self._window
        self._virtual = virtual
        self._geometry = geometry
        self._motion: Motion | Celebration | None = None
        self._moved_ns = 0
        self._countdown: Countdown | None = None
        self._step = (0, 0)
        self._drawn: Frame | None = None
        self._targets: list[Target] = []
        self._around: Around | None = None
        self._has_sheet = False
        self._held: dict[int, Target] = {}
        self._menu_ns: int | None = None  # when the hold of the menu button began; 0 once reported
        self._polled_ns = time.monotonic_ns()
        self._lay_out()
        if virtual:
            virtual_seats.wood(table_plan(self._size))  # cached while the first frame is still being made

    def _lay_out(self) -> None:
        surface = self._screen.get_surface()
        assert surface  # it is open
        self._surface = surface
        self._size = self._surface.get_size()
        whole = self._surface.get_rect()
        place = table_plan(self._size).display if self._virtual else whole
        self._display = self._surface.subsurface(place.clip(whole))
        # The display's current and previous picture. Pieces move from one to the other.
        self._picture, self._before = (pygame.Surface(place.size, 0, self._surface) for _ in range(2))
        self._dark = self._picture.copy()

    @property
    def placement(self) -> Placement:
        """The window's size while it does not fill the screen, and whether it does."""
        window, full = self._window, self._placement.full
        return Placement(window.size) if window and not full else self._placement

    def run(
        self,
        frames: Frames,
        press: Callable[[Signal], None],
        shown: Callable[[Frame, int], Signal | None],
        alive: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Show frames until None arrives or the window is closed.

        `press` receives key presses and clicks. `shown` receives each frame and the time when its flip returned,
        and may return a signal. `alive` receives the time in each pass of the loop. Raises KeyboardInterrupt after
        Ctrl-C, between two pictures.
        """
        with _noted_ctrl_c() as noted:
            while not noted and self._hear_hands(press):
                alive(time.monotonic_ns())
                try:
                    frame = frames.get(timeout=self._pause_s())
                    while frame is not None and not frames.empty():
                        frame = frames.get()
                except queue.Empty:
                    self._move_on()
                    continue
                if frame is None:
                    return
                self.show(frame)
                answer = shown(frame, time.monotonic_ns())
                if answer:
                    press(answer)

    def show(self, frame: Frame) -> None:
        """Draw a frame and flip, unless the same picture is already there."""
        if frame.looks_like(self._drawn):
            self._drawn = frame
            return
        if frame.calls_open and self._has_sheet:
            self._has_sheet = False
            self._forget_drawn()
        before, self._drawn = self._drawn, frame
        if before is None or (before.screen, before.look) != (frame.screen, frame.look):
            self._picture, self._before = self._before, self._picture
            self._draw_display(frame)
            self._motion = self._motion_between(before, frame)
        elif before.sides != frame.sides or _limited(before) != _limited(frame):
            self._draw_display(frame)  # motion in the centre continues
        if frame.calls_open:
            self._motion = None  # a race opens for everybody at once
        if before is None or (before.sides, before.limit) != (frame.sides, frame.limit):
            self._countdown = screens.countdown_of(frame, self._picture.get_size(), self._geometry, self._dark)
        self._draw_around()
        self._draw_moment()

    @property
    def drawn(self) -> Frame | None:
        return self._drawn

    @property
    def moves(self) -> bool:
        """Whether the picture changes by itself now."""
        return self._motion is not None or self._countdown is not None

    def pixels(self) -> tuple[tuple[int, int], bytes]:
        """Return the size of the display and its rows of RGB pixels."""
        return self._display.get_size(), pygame.image.tobytes(self._display, "RGB")

    def close(self) -> None:
        if self._window:
            self._window.destroy()
        pygame.display.quit()

    def _forget_drawn(self) -> None:
        self._drawn = self._around = self._motion = None

    def _draw_again(self) -> None:
        frame = self._drawn
        self._forget_drawn()
        if frame:
            self.show(frame)

    def _flip(self) -> None:
        if self._has_sheet and self._drawn:
            key_sheet.draw(Canvas(self._surface, noted=False), self._drawn)
        self._screen.flip()

    def _draw_around(self) -> bool:
        """Draw what changed around the display. Return True if anything did."""
        if not self._virtual or self._drawn is None:
            return False
        held = frozenset((target.place, target.control) for target in self._held.values())
        now = virtual_seats.around(self._drawn, held)
        before, self._around = self._around, now
        if now == before:
            return False
        virtual_seats.draw(Canvas(self._surface, noted=False), now, before)
        return True

    def _draw_display(self, frame: Frame) -> None:
        """Draw the picture of the display and collect what can be clicked."""
        canvas = Canvas(self._picture, noted=False)
        screens.draw(canvas, frame, self._geometry)
        corner = self._display.get_offset()
        self._targets = [target.moved(corner) for target in canvas.targets]
        if self._virtual:
            self._targets += virtual_seats.targets(self._size, len(frame.panels))

    def _motion_between(self, before: Frame | None, after: Frame) -> Motion | Celebration | None:
        """Return the motion between two pictures, or None if nothing moves or the scene fails."""
        if not after.look.motion or after.calls_open or before is None or len(before.sides) != len(after.sides):
            return None
        old, new = before.screen, after.screen
        if isinstance(new, Result) and new.celebrates and not isinstance(old, Result):
            now_ns = time.monotonic_ns()
            return screens.celebration_of(after, self._picture, self._dark, self._geometry, now_ns)
        if not (isinstance(old, Play) and isinstance(new, Play) and old.scene == new.scene):
            return None
        try:
            size = self._picture.get_size()
            plan = screens.plan_of(size, after, self._geometry)
            if plan != screens.plan_of(size, before, self._geometry):
                return None  # the house's band came or went: everything is elsewhere
            flights = scenes.scene_of(new.scene).flights(plan.of_scene, old, new, after.look)
        except Exception:
            log.exception("what moves in %s", new.scene)
            return None
        if not flights:
            return None
        time_ns = 2 * TIME_NS if after.look.unhurried else TIME_NS
        return Motion(self._before, self._picture, flights, time.monotonic_ns(), plan.centre, time_ns)

    def _draw_moment(self) -> None:
        self._moved_ns = time.monotonic_ns()
        if self._motion is None:
            self._display.blit(self._picture, (0, 0))
        elif not self._motion.draw(self._display, self._moved_ns):
            self._motion = None
        if self._countdown:
            self._step = _moment_of(self._countdown, self._moved_ns)
            self._countdown.draw(self._display, self._step[0])
            if self._motion is None:
                self._countdown.draw_figures(self._display, self._moved_ns)
        self._flip()

    def _move_on(self) -> None:
        """Draw the next moment of a motion or countdown, if it is due."""
        countdown = self._countdown
        if self._motion or (countdown and _moment_of(countdown, time.monotonic_ns()) != self._step):
            self._draw_moment()

    def _pause_s(self) -> float:
        if self._virtual and self._drawn is not None and self._drawn.calls_open:
            return RACE_S
        if self._motion is None:
            return IDLE_S
        return max(0.0, STEP_S - (time.monotonic_ns() - self._moved_ns) / 1e9)

    def _hear_hands(self, press: Callable[[Signal], None]) -> bool:
        """Report key presses and clicks since the last call. Return False once the window is closed."""
        now_ns = time.monotonic_ns()
        half_gap_ns = (now_ns - self._polled_ns) // 2
        self._polled_ns = now_ns
        events = pygame.event.get()
        kinds = {event.type for event in events}
        if pygame.WINDOWSIZECHANGED in kinds:
            self._lay_out()  # SDL has made a new surface, even if the size is the same
        for event in events:
            if event.type == pygame.QUIT:
                return False
            if self._is_of_window(event, press):
                continue
            for target, pressed in self._meaning(event):
                t_ns = now_ns - half_gap_ns
                press(Signal(PC, target.place, target.control, t_ns, half_gap_ns, now_ns, pressed))
        if self._is_held_long(now_ns):
            press(Signal(PC, HOUSE, OFF, now_ns, half_gap_ns, now_ns))
        if pygame.WINDOWSIZECHANGED in kinds:
            self._draw_again()
        elif kinds & EXPOSED and self._drawn:
            self._flip()
        if self._draw_around():
            self._flip()  # show the press at once
        return True

    def _is_of_window(self, event: pygame.event.Event, press: Callable[[Signal], None]) -> bool:
        """Handle the window's own keys. Return True if the event was one."""
        if not self._virtual or event.type not in {pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN}:
            return False
        key = event.key if event.type == pygame.KEYDOWN else None
        if key == key_sheet.FULL_KEY or (key == pygame.K_RETURN and event.mod & pygame.KMOD_ALT):
            self._change_full()
        elif self._has_sheet:
            self._has_sheet = False
            self._draw_again()
        elif key == key_sheet.SHEET_KEY:
            self._open_sheet(press)
        else:
            return False
        return True

    def _change_full(self) -> None:
        window, self._placement = self._window, self.placement
        assert window
        if self._placement.full:
            window.set_windowed()
            window.size = self._placement.size
            window.position = pygame.WINDOWPOS_CENTERED
        else:
            desktop, *others = pygame.display.get_desktop_sizes()
            if not others:  # without a window manager, nothing else moves or enlarges it
                window.position, window.size = (0, 0), desktop
            window.set_fullscreen(desktop=True)
        self._placement = self._placement._replace(full=not self._placement.full)
        self._lay_out()
        self._draw_again()

    def _open_sheet(self, press: Callable[[Signal], None]) -> None:
        """Show all keys and pause the match."""
        frame = self._drawn
        if frame is None:
            return
        self._has_sheet = True
        self._flip()
        if isinstance(frame.screen, Play) and not frame.screen.tape:
            press(Signal(PC, HOUSE, "pause", self._polled_ns, 0, self._polled_ns))

    def _is_held_long(self, now_ns: int) -> bool:
        """Return True once, when the menu button has been held for HOLD_S."""
        if not any(target.control == "menu" for target in self._held.values()):
            self._menu_ns = None
        elif self._menu_ns is None:
            self._menu_ns = now_ns
        elif self._menu_ns and now_ns - self._menu_ns >= HOLD_S * 1e9:
            self._menu_ns = 0
            return True
        return False

    def _meaning(self, event: pygame.event.Event) -> list[tuple[Target, bool]]:
        if event.type == pygame.KEYDOWN:
            return self._press(event.scancode, self._control_of(virtual_seats.in_latin(event.key, event.scancode)))
        if event.type == pygame.KEYUP:
            return self._release(event.scancode)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            points = self._window.size if self._window else self._size  # HiDPI has more pixels than points
            spot = tuple(at * self._size[0] // points[0] for at in event.pos)
            hit = [target for target in self._targets if target.rect.collidepoint(spot)]
            return self._press(MOUSE, hit[-1] if hit else None)
        if event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_LEFT:
            return self._release(MOUSE)
        return []

    def _control_of(self, key: int) -> Target | None:
        frame = self._drawn
        panels, house = (frame.panels, frame.house is not None) if frame else ((), False)
        target = virtual_seats.on_keyboard(key, panels, house=house)
        return target if target and (self._virtual or target.control in REAL_KEYS) else None

    def _press(self, finger: int, target: Target | None) -> list[tuple[Target, bool]]:
        if target is None:
            return []
        self._held[finger] = target
        return [(target, True)]

    def _release(self, finger: int) -> list[tuple[Target, bool]]:
        target = self._held.pop(finger, None)
        return [(target, False)] if target else []
