"""The window on a dummy screen: frames, input, motion, and missing requirements."""

import os
import queue
import signal
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pygame
import pytest
from pygame import Rect

from companion.core.console import BUZZ, HOLD_S, OFF
from companion.core.place import HOUSE
from companion.core.signal import PC, VISIBLE, Signal
from companion.display import key_sheet, scenes, screens, theme, virtual_seats, window
from companion.display.canvas import Canvas
from companion.display.frame import CELEBRATION_NS, Frame, Look, Menu, Panel, Play, Poster, Result, ResultLine, Side
from companion.display.motion import TIME_NS, Flight
from companion.display.table_plan import table_plan
from companion.display.window import (
    IDLE_S,
    RACE_S,
    STEP_S,
    DisplayError,
    Frames,
    Placement,
    Window,
    check_pygame,
    placed_on,
)

MS = 1_000_000

SIZE = (1000, 600)
"""The size of a window on the dummy screen of 1024 by 768 pixels."""

MIDDLE = table_plan(SIZE).display.center

POSTER = Frame(1, Poster("Hello"), (Side("Anna"), Side("Ben")), tuple(map(Panel, range(5))))
MENU = POSTER._replace(serial=2, screen=Menu("Which?", ("this", "that"), 0))


class Clock:
    """A clock that advances by `step_ns` at each look."""

    def __init__(self) -> None:
        self.now_ns = 1_000 * MS
        self.step_ns = 0

    def monotonic_ns(self) -> int:
        self.now_ns += self.step_ns
        return self.now_ns


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(window, "time", clock)
    return clock


@pytest.fixture
def flips(monkeypatch) -> list[str]:
    happened: list[str] = []

    class Flipped(pygame.Window):
        def flip(self) -> None:
            happened.append("flip")

    monkeypatch.setattr(pygame, "Window", Flipped)
    return happened


@pytest.fixture
def virtual(clock, flips) -> Iterator[Window]:
    opened = Window(virtual=True, kept=Placement(SIZE))
    pygame.event.clear()
    yield opened
    opened.close()


class Hands:
    """Runs a window's loop over some frames; `signals` has the results."""

    def __init__(self, opened: Window) -> None:
        self.window = opened
        self.signals: list[Signal] = []
        self.shown: list[Frame] = []

    def run(self, *frames: Frame) -> list[Signal]:
        """Poll input before each frame and once more."""
        self.signals.clear()
        for frame in frames:
            self._once(frame)
        self._once(None)
        return self.signals

    def told(self, *frames: Frame) -> list[tuple[int, str]]:
        return [(signal.place, signal.control) for signal in self.run(*frames)]

    def pass_ns(self, ns: int) -> bytes:
        window.time.now_ns += ns
        self.window._move_on()
        return shot(self.window)

    def _once(self, frame: Frame | None) -> None:
        waiting = queued(*([frame] if frame else []), None)
        # The loop takes the newest waiting frame, so it gets one at a time.
        one_by_one = SimpleNamespace(get=lambda timeout=None: waiting.get(timeout=0), empty=lambda: True)
        self.window.run(one_by_one, self.signals.append, self._seen)  # type: ignore[arg-type]

    def _seen(self, frame: Frame, t_ns: int) -> None:
        self.shown.append(frame)


@pytest.fixture
def hands(virtual) -> Hands:
    return Hands(virtual)


@pytest.fixture
def alone(clock, flips) -> Iterator[Hands]:
    """The display alone, at a table with real buzzers."""
    opened = Window(virtual=False)
    pygame.event.clear()
    yield Hands(opened)
    opened.close()


def queued(*frames: Frame | None) -> Frames:
    waiting = Frames()
    for frame in frames:
        waiting.put(frame)
    return waiting


def mouse(kind: int, spot: tuple[int, int], button: int = pygame.BUTTON_LEFT) -> None:
    pygame.event.post(pygame.event.Event(kind, pos=spot, button=button))


def key(kind: int, which: int, scancode: int | None = None, mod: int = 0) -> None:
    """Press or release a key; without a scancode its position is unknown."""
    scancode = 1000 + which if scancode is None else scancode
    pygame.event.post(pygame.event.Event(kind, key=which, scancode=scancode, mod=mod))


def spot_of(place: int, control: str, size: tuple[int, int] = SIZE) -> tuple[int, int]:
    targets = virtual_seats.targets(size, 5)
    return next(target.rect.center for target in targets if (target.place, target.control) == (place, control))


# --- Ctrl-C -----------------------------------------------------------------------------------------------


@pytest.fixture(params=[signal.default_int_handler], ids=["heard"])
def handler(request) -> Iterator[Any]:
    """The SIGINT handler of this process."""
    before = signal.signal(signal.SIGINT, request.param)
    yield request.param
    signal.signal(signal.SIGINT, before)


def ctrl_c(times: int, done: list[str]) -> Callable[[Frame, int], None]:
    def shown(frame: Frame, t_ns: int) -> None:
        for number in range(times):
            os.kill(os.getpid(), signal.SIGINT)
            done.append(f"went on after {number + 1}")

    return shown


@pytest.mark.parametrize(
    ("times", "went_on"), [(1, ["went on after 1"]), (2, ["went on after 1"])], ids=["once", "twice"]
)
def test_ctrl_c_ends_between_pictures_or_at_once(virtual, handler, times, went_on):
    """Inside pygame or an import it could become another error or a hang."""
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        virtual.run(queued(POSTER), lambda _: None, ctrl_c(times, done))
    assert done == went_on
    assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.parametrize("handler", [signal.SIG_IGN], indirect=True, ids=["ignored"])
def test_ignored_ctrl_c_stays_ignored(virtual, handler):
    frames, done = queued(POSTER, None), []
    virtual.run(SimpleNamespace(get=frames.get, empty=lambda: True), lambda _: None, ctrl_c(2, done))
    assert done == ["went on after 1", "went on after 2"]
    assert signal.getsignal(signal.SIGINT) is handler


# --- Frames -----------------------------------------------------------------------------------------------


def test_identical_frame_is_not_flipped_again(hands, flips):
    hands.run(POSTER, POSTER._replace(serial=7), MENU, MENU)
    assert flips == ["flip", "flip"]
    assert [frame.serial for frame in hands.shown] == [1, 7, 2, 2], "but all of them are reported as visible"


def test_earlier_frame_is_drawn_again(hands, flips):
    hands.run(POSTER, MENU, POSTER)
    assert len(flips) == 3


def test_frame_is_reported_after_its_flip(virtual, clock, flips):
    waiting = queued(POSTER)
    seen: list[tuple[Frame, int]] = []
    answer = Signal("display", HOUSE, VISIBLE, 5, 0, 5)

    def shown(frame: Frame, t_ns: int) -> Signal:
        flips.append("shown")
        seen.append((frame, t_ns))
        waiting.put(None)
        return answer

    signals: list[Signal] = []
    virtual.run(waiting, signals.append, shown)
    assert flips == ["flip", "shown"]
    assert seen == [(POSTER, clock.now_ns)]
    assert signals == [answer]


def test_only_the_newest_frame_is_drawn(virtual, flips):
    waiting = queued(POSTER, MENU, POSTER._replace(serial=9))
    seen: list[int] = []

    def shown(frame: Frame, t_ns: int) -> None:
        seen.append(frame.serial)
        waiting.put(None)

    virtual.run(waiting, lambda signal: None, shown)
    assert seen == [9]
    assert flips == ["flip"]


def test_none_ends_the_loop_at_once(virtual, flips):
    virtual.run(queued(POSTER, None), lambda signal: None, lambda frame, t_ns: None)
    assert flips == []


def test_closing_the_window_ends_the_loop(virtual):
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    virtual.run(Frames(), lambda signal: None, lambda frame, t_ns: None)


def test_system_signal_does_not_stop_the_loop():
    began_s, interrupted = time.monotonic(), []

    def interrupt(*_: object) -> None:
        interrupted.append(1)
        assert len(interrupted) == 1, "it still waits for a frame"
        while time.monotonic() < began_s + 2 * IDLE_S:  # the wait ends before this does
            pass

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, IDLE_S / 2, 100 * IDLE_S)
    try:
        with pytest.raises(queue.Empty):
            Frames().get(timeout=IDLE_S)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(("calls_open", "pause_s"), [(False, IDLE_S), (True, RACE_S)])
def test_input_is_polled_faster_during_a_race(virtual, calls_open, pause_s):
    asked: list[float] = []

    def get(timeout: float | None = None) -> Frame | None:
        asked.append(timeout or 0)
        if len(asked) == 2:
            raise queue.Empty
        return POSTER._replace(calls_open=calls_open) if len(asked) == 1 else None

    waiting = SimpleNamespace(get=get, empty=lambda: True)
    virtual.run(waiting, lambda signal: None, lambda frame, t_ns: None)  # type: ignore[arg-type]
    assert asked == [IDLE_S, pause_s, pause_s]


# --- Hands ------------------------------------------------------------------------------------------------


def test_mouse_presses_and_releases_a_buzzer(hands, clock):
    hands.run(POSTER)
    clock.now_ns += 6 * MS
    mouse(pygame.MOUSEBUTTONDOWN, spot_of(3, BUZZ))
    (down,) = hands.run()
    clock.now_ns += 40 * MS
    mouse(pygame.MOUSEBUTTONUP, (1, 1))
    (up,) = hands.run()
    now_ns = clock.now_ns
    assert down == Signal(PC, 3, BUZZ, now_ns - 43 * MS, 3 * MS, now_ns - 40 * MS, pressed=True)
    assert up == Signal(PC, 3, BUZZ, now_ns - 20 * MS, 20 * MS, now_ns, pressed=False), "wherever it is let go"


def test_uncertainty_is_half_of_the_polling_gap(hands, clock):
    hands.run(POSTER)
    for gap_ms in (2, 50, 333):
        clock.now_ns += gap_ms * MS
        key(pygame.KEYDOWN, virtual_seats.BUZZER_KEYS[0])
        (signal,) = hands.run()
        assert signal.uncertainty_ns == gap_ms * MS // 2
        assert signal.received_ns == clock.now_ns
        earliest, latest = signal.t_ns - signal.uncertainty_ns, signal.t_ns + signal.uncertainty_ns
        assert earliest == clock.now_ns - gap_ms * MS
        assert latest == clock.now_ns


@pytest.mark.parametrize("place", range(5))
def test_keyboard_presses_and_releases_a_buzzer(hands, place):
    hands.run(POSTER)
    key(pygame.KEYDOWN, virtual_seats.BUZZER_KEYS[place])
    key(pygame.KEYUP, virtual_seats.BUZZER_KEYS[place])
    heard = [(signal.source, signal.place, signal.control, signal.pressed) for signal in hands.run()]
    assert heard == [(PC, place, BUZZ, True), (PC, place, BUZZ, False)]


@pytest.mark.parametrize("layout", ["ячезь", "ζ;τπμ", "ז/אפצ", "ئضفحة"], ids=["ru", "gr", "il", "ara"])
def test_buzzer_keys_work_by_position_without_latin_letters(hands, layout):
    hands.run(POSTER)
    positions = (pygame.KSCAN_Z, pygame.KSCAN_Q, pygame.KSCAN_T, pygame.KSCAN_P, pygame.KSCAN_M)
    for letter, position in zip(layout, positions, strict=True):
        key(pygame.KEYDOWN, ord(letter), position)
    assert [(signal.place, signal.control) for signal in hands.run()] == [(place, BUZZ) for place in range(5)]


@pytest.mark.parametrize("letters", ["фисв", "αβψδ", "شلؤي"], ids=["ru", "gr", "ara"])
def test_keypad_letters_work_by_position(hands, letters):
    hands.run(POSTER._replace(panels=(Panel(0, keys="digits"), *POSTER.panels[1:])))
    positions = (pygame.KSCAN_A, pygame.KSCAN_B, pygame.KSCAN_C, pygame.KSCAN_D)
    for letter, position in zip(letters, positions, strict=True):
        key(pygame.KEYDOWN, ord(letter), position)
    assert hands.told() == [(0, control) for control in "ABCD"]


def test_latin_letter_counts_at_any_position(hands):
    """The French layout swaps W and Z."""
    hands.run(POSTER)
    key(pygame.KEYDOWN, pygame.K_w, pygame.KSCAN_Z)
    key(pygame.KEYDOWN, pygame.K_z, pygame.KSCAN_W)
    assert [(signal.place, signal.control) for signal in hands.run()] == [(0, BUZZ)]


def test_key_is_released_after_a_layout_change(hands):
    hands.run(POSTER)
    key(pygame.KEYDOWN, pygame.K_z, pygame.KSCAN_Z)
    key(pygame.KEYUP, ord("я"), pygame.KSCAN_Z)
    assert [signal.pressed for signal in hands.run()] == [True, False]


def test_keypads_follow_the_newest_frame(hands):
    panels = (Panel(0), Panel(1, keys="digits"), Panel(2), Panel(3, keys="number pad"), Panel(4))
    hands.run(POSTER._replace(panels=panels))
    key(pygame.KEYDOWN, pygame.K_4)
    key(pygame.KEYDOWN, pygame.K_KP_4)
    assert hands.told() == [(1, "4"), (3, "4")]


def test_house_is_on_the_keyboard(hands):
    hands.run(POSTER)
    key(pygame.KEYDOWN, pygame.K_ESCAPE)
    assert hands.told() == [(HOUSE, "menu")]


def test_held_menu_key_requests_power_off_once(hands, clock):
    hands.run(POSTER)
    key(pygame.KEYDOWN, pygame.K_ESCAPE)
    hands.run()
    clock.now_ns += round(HOLD_S * 0.9e9)
    assert hands.run() == []
    clock.now_ns += round(HOLD_S * 0.2e9)
    assert hands.told() == [(HOUSE, OFF)]
    clock.now_ns += round(HOLD_S * 2e9)
    assert hands.run() == []
    key(pygame.KEYUP, pygame.K_ESCAPE)
    key(pygame.KEYDOWN, pygame.K_F5)
    clock.now_ns += round(HOLD_S * 2e9)
    assert OFF not in [signal.control for signal in hands.run()]


def test_keys_before_the_first_frame_are_harmless(hands):
    key(pygame.KEYDOWN, pygame.K_4)
    mouse(pygame.MOUSEBUTTONDOWN, MIDDLE)
    mouse(pygame.MOUSEBUTTONUP, MIDDLE)
    assert hands.run() == []


def test_input_outside_controls_does_nothing(hands):
    hands.run(MENU)
    corner = table_plan(SIZE).bezel.topleft
    mouse(pygame.MOUSEBUTTONDOWN, corner)
    mouse(pygame.MOUSEBUTTONUP, corner)
    mouse(pygame.MOUSEBUTTONDOWN, spot_of(0, BUZZ), pygame.BUTTON_RIGHT)
    key(pygame.KEYDOWN, pygame.K_F12)
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=spot_of(0, BUZZ), rel=(1, 1), buttons=(0, 0, 0)))
    assert hands.run() == []


def test_vanished_control_is_still_released(hands):
    hands.run(MENU)
    line = next(target for target in hands.window._targets if target.control == "2")
    mouse(pygame.MOUSEBUTTONDOWN, line.rect.center)
    (down,) = hands.run(POSTER)
    mouse(pygame.MOUSEBUTTONUP, line.rect.center)
    (up,) = hands.run()
    assert (down.place, down.control, down.pressed) == (HOUSE, "2", True)
    assert (up.place, up.control, up.pressed) == (HOUSE, "2", False)


def test_menu_lines_are_clicked_where_they_are_drawn(hands):
    hands.run(MENU)
    lines = [target for target in hands.window._targets if target.control in {"1", "2"} and target.place == HOUSE]
    assert len(lines) == 2
    assert all(table_plan(SIZE).display.contains(target.rect) for target in lines)


@pytest.mark.parametrize(
    ("side", "seat", "control"), [("center", HOUSE, "ok"), ("midbottom", 0, BUZZ), ("midtop", 1, BUZZ)]
)
def test_poster_can_be_touched_at_centre_and_seats(hands, side, seat, control):
    hands.run(POSTER)
    mouse(pygame.MOUSEBUTTONDOWN, getattr(table_plan(SIZE).display.inflate(-20, -20), side))
    assert hands.told() == [(seat, control)]


# --- Held controls ----------------------------------------------------------------------------------------


def test_pressed_control_is_shown_at_once(hands, flips):
    hands.run(POSTER)
    calm = shot(hands.window)
    key(pygame.KEYDOWN, virtual_seats.BUZZER_KEYS[2])
    hands.run()
    assert flips == ["flip", "flip"]
    assert shot(hands.window) != calm
    key(pygame.KEYUP, virtual_seats.BUZZER_KEYS[2])
    hands.run()
    assert flips == ["flip"] * 3
    assert shot(hands.window) == calm


def test_held_control_stays_pressed_in_the_next_frame(hands):
    hands.run(MENU)
    calm = shot(hands.window)
    key(pygame.KEYDOWN, virtual_seats.BUZZER_KEYS[2])
    hands.run(POSTER, MENU)
    assert shot(hands.window) != calm


def test_key_releases_its_control_after_the_keypad_moves(hands):
    panels = [
        tuple(Panel(place, keys="digits" if place == owner else "") for place in range(5)) for owner in (1, 3)
    ]
    hands.run(POSTER._replace(panels=panels[0]))
    key(pygame.KEYDOWN, pygame.K_4)
    (down,) = hands.run(POSTER._replace(panels=panels[1]))
    key(pygame.KEYUP, pygame.K_4)
    (up,) = hands.run()
    assert (down.place, down.control, down.pressed) == (1, "4", True)
    assert (up.place, up.control, up.pressed) == (1, "4", False)


def test_two_fingers_hold_two_buzzers(hands):
    hands.run(POSTER)
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        for place in (0, 4):
            key(kind, virtual_seats.BUZZER_KEYS[place])
    heard = [(signal.place, signal.pressed) for signal in hands.run()]
    assert heard == [(0, True), (4, True), (0, False), (4, False)]


# --- Motion -----------------------------------------------------------------------------------------------


class Moving:
    """A scene whose view is the position of a piece."""

    PICTURE = pygame.Surface((20, 20))

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []
        self.fails = False
        self.shakes_px = 0

    def centre(self, canvas, plan, play) -> None:
        canvas.panel(Rect(play.view, 200, 20, 20), theme.CHIP, 0)

    def strip(self, canvas, rect, play, seat, ink) -> Rect:
        return rect

    def flights(self, plan, before, after, look) -> list[Flight]:
        self.asked.append((before.view, after.view))
        if self.fails:
            raise LookupError("no such piece")
        self.PICTURE.fill(theme.GOOD)
        ends = [(play.view + 10, 210) for play in (before, after)]
        return [Flight(self.PICTURE, *ends, shake_px=self.shakes_px)] if ends[0] != ends[1] else []


def at(place: int, serial: int = 1, **other) -> Frame:
    frame = Frame(serial, Play("moving", place), (Side("Anna", seat=0), Side("Ben", seat=1)), POSTER.panels)
    return frame._replace(**other)


NOTED = at(300, 3, sides=(Side("Anna", "your turn", seat=0), Side("Ben", seat=1)))


WON = at(200)._replace(
    screen=Result("Ben wins", "he has", (ResultLine(1, 1, "Ben"), ResultLine(2, 0, "Anna")), celebrates=True),
    sides=(Side("Anna", "2nd", seat=0), Side("Ben", "You won!", seat=1, tone="good")),
)


@pytest.fixture
def scene(monkeypatch) -> Moving:
    scene = Moving()
    monkeypatch.setattr(scenes, "scene_of", lambda game: scene)
    return scene


def shot(opened: Window) -> bytes:
    return pygame.image.tobytes(opened._surface, "RGB")


def still(*shown: Frame) -> bytes:
    """Return the last picture of a window without motion."""
    opened = Window(virtual=True, kept=Placement(SIZE))
    try:
        for frame in shown:
            opened.show(frame._replace(look=Look(motion=False)))
        return shot(opened)
    finally:
        opened.close()


@pytest.fixture
def goals(flips, scene, clock) -> dict[object, bytes]:
    pictures: dict[object, bytes] = {place: still(at(place)) for place in (200, 300, 400)}
    return pictures | {frame: still(frame) for frame in (NOTED, WON, MENU)}


def test_piece_moves_and_ends_on_the_new_picture(goals, scene, hands, clock, flips):
    hands.run(at(200), at(300, 2))
    assert [frame.serial for frame in hands.shown] == [1, 2], "visible with the first flip"
    flips.clear()
    seen = set()
    for _ in range(10):
        seen.add(hands.pass_ns(TIME_NS // 10))
    assert len(seen) >= 9
    assert flips == ["flip"] * 10
    assert shot(hands.window) == goals[300]
    hands.window._move_on()
    assert flips == ["flip"] * 10, "what does not move is not drawn"


def test_loop_moves_pieces_without_new_frames(goals, scene, virtual, clock, flips):
    pauses: list[float] = []
    script = [at(200), at(300, 2)]

    def get(timeout: float | None = None) -> Frame | None:
        pauses.append(timeout or 0)
        clock.now_ns += 4 * MS if script else TIME_NS // 4
        if script:
            return script.pop(0)
        if len(pauses) > 8:
            return None
        raise queue.Empty

    virtual.run(SimpleNamespace(get=get, empty=lambda: True), lambda signal: None, lambda frame, t_ns: None)
    assert pauses == [IDLE_S, IDLE_S, STEP_S, STEP_S, STEP_S, STEP_S, IDLE_S, IDLE_S, IDLE_S]
    assert len(flips) - len(goals) == 2 + 4
    assert shot(virtual) == goals[300]


def test_input_is_read_while_pieces_move(goals, scene, hands, clock):
    hands.run(at(200), at(300, 2))
    clock.now_ns += TIME_NS // 3
    key(pygame.KEYDOWN, virtual_seats.BUZZER_KEYS[1])
    assert [signal.place for signal in hands.run()] == [1]
    key(pygame.KEYUP, virtual_seats.BUZZER_KEYS[1])
    hands.run()
    assert hands.pass_ns(TIME_NS) == goals[300]


def test_new_frame_ends_the_motion(goals, scene, hands, clock):
    hands.run(at(200), at(300, 2))
    clock.now_ns += TIME_NS // 4
    hands.run(at(400, 3))
    assert scene.asked == [(200, 300), (300, 400)]
    assert hands.pass_ns(TIME_NS) == goals[400]


def test_frame_that_opens_a_race_has_no_motion(goals, scene, hands, flips):
    hands.run(at(200), at(300, 2, calls_open=True))
    assert scene.asked == []
    assert shot(hands.window) == goals[300]


def test_opening_race_ends_the_motion(goals, scene, hands, clock):
    hands.run(at(200), at(300, 2))
    assert shot(hands.window) != goals[300]
    hands.run(at(300, 3, calls_open=True))
    assert shot(hands.window) == goals[300]


def test_note_on_a_strip_keeps_the_motion(goals, scene, hands, clock):
    hands.run(at(200), at(300, 2))
    clock.now_ns += TIME_NS // 4
    before = shot(hands.window)
    hands.run(NOTED)
    assert shot(hands.window) not in {before, goals[300]}
    assert hands.window._motion
    assert hands.pass_ns(TIME_NS) == goals[NOTED]


@pytest.mark.parametrize(
    "other",
    [
        POSTER,
        at(300)._replace(screen=Play("other", 300)),
        at(300)._replace(sides=(Side("Anna"), Side("Ben"), Side("Cleo"))),
    ],
    ids=["no match", "another game", "another table"],
)
def test_nothing_moves_between_unrelated_pictures(scene, hands, other):
    hands.run(other, at(200), other)
    assert scene.asked == []
    assert hands.window._motion is None


def test_scene_is_not_asked_without_motion(scene, clock, flips):
    still(at(200), at(300), at(400))
    assert scene.asked == []
    assert flips == ["flip"] * 3


@pytest.mark.logs_errors
def test_failing_scene_shows_the_picture_without_motion(goals, scene, hands, caplog):
    scene.fails = True
    hands.run(at(200), at(300, 2))
    assert shot(hands.window) == goals[300]
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "no such piece" in caplog.text


def test_next_frame_stops_a_shaking_piece(goals, scene, hands, clock):
    scene.shakes_px = 3
    hands.run(at(200), at(300, 2))
    hands.pass_ns(3 * TIME_NS)
    assert hands.window._motion
    scene.shakes_px = 0
    hands.run(at(400, 3))
    assert hands.pass_ns(TIME_NS) == goals[400]


def test_result_celebrates_and_then_stops(goals, scene, hands):
    hands.run(at(200), WON)
    seen = {hands.pass_ns(CELEBRATION_NS // 10) for _ in range(9)}
    assert len(seen) == 9
    assert goals[WON] not in seen
    assert hands.pass_ns(CELEBRATION_NS // 10) == goals[WON]
    assert not hands.window.moves


def test_next_frame_ends_the_celebration(goals, scene, hands):
    hands.run(at(200), WON)
    hands.pass_ns(CELEBRATION_NS // 3)
    hands.run(MENU)
    assert shot(hands.window) == goals[MENU]
    assert not hands.window.moves


@pytest.mark.parametrize(
    "quiet",
    [WON._replace(look=Look(motion=False)), WON._replace(screen=WON.screen._replace(celebrates=False))],
    ids=["no motion", "a past match"],
)
def test_quiet_result_stands_still_at_once(scene, hands, quiet):
    hands.run(at(200), quiet)
    assert not hands.window.moves


# --- The window itself ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("desktop", "kept", "placed"),
    [
        ((1920, 1080), None, Placement((1632, 918))),
        ((1366, 768), None, Placement((1161, 653))),
        ((720, 1280), None, Placement((612, 1088))),
        ((800, 480), None, Placement((680, 408), full=True)),
        ((1366, 768), Placement((800, 480)), Placement((800, 480))),
        ((1366, 768), Placement((1366, 768), full=True), Placement((1366, 768), full=True)),
        ((1366, 768), Placement((1600, 700)), Placement((1161, 653))),
        ((1366, 768), Placement((0, -700)), Placement((1161, 653))),
    ],
)
def test_window_fits_its_desktop(desktop, kept, placed):
    assert placed_on(desktop, kept) == placed


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (600, 740)])
def test_resized_window_is_redrawn_and_accepts_clicks(hands, flips, size):
    hands.run(POSTER)
    flips.clear()
    hands.window._window.size = size
    assert hands.told() == []
    assert flips == ["flip"]
    plan, drawn = table_plan(size), hands.window._surface
    assert drawn.get_size() == size
    expected = Canvas(pygame.Surface(size, 0, drawn))
    virtual_seats.draw(expected, virtual_seats.around(POSTER))
    screens.draw(Canvas(expected.surface.subsurface(plan.display)), POSTER)
    assert shot(hands.window) == pygame.image.tobytes(expected.surface, "RGB")
    mouse(pygame.MOUSEBUTTONDOWN, spot_of(3, BUZZ, size))
    mouse(pygame.MOUSEBUTTONDOWN, plan.display.center)
    assert hands.told() == [(3, BUZZ), (HOUSE, "ok")]


@pytest.mark.parametrize("kind", [pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED])
def test_uncovered_window_is_shown_again_at_once(hands, flips, kind):
    hands.run(POSTER)
    flips.clear()
    pygame.event.post(pygame.event.Event(kind))
    assert hands.run() == []
    assert flips == ["flip"]


def test_nothing_is_shown_before_the_first_frame(hands, flips):
    pygame.event.post(pygame.event.Event(pygame.WINDOWEXPOSED))
    assert hands.run() == []
    assert flips == []


@pytest.mark.parametrize(("which", "mod"), [(pygame.K_F11, 0), (pygame.K_RETURN, pygame.KMOD_LALT)])
def test_keys_toggle_full_screen(hands, which, mod):
    hands.run(POSTER._replace(panels=(Panel(0, keys="digits"), *POSTER.panels[1:])))
    for full, size in ((True, (1024, 768)), (False, SIZE)):
        key(pygame.KEYDOWN, which, mod=mod)
        key(pygame.KEYUP, which, mod=mod)
        assert hands.run() == []
        hands.run()
        assert hands.window.placement == Placement(SIZE, full)
        assert hands.window._surface.get_size() == size


def test_stored_full_screen_has_its_size(clock, flips):
    opened = Window(virtual=True, kept=Placement(SIZE, full=True))
    assert opened._surface.get_size() == (1024, 768)
    assert opened.placement == Placement(SIZE, full=True)
    opened.close()


# --- The sheet of keys ------------------------------------------------------------------------------------


def sheet(frame: Frame, like: pygame.Surface) -> bytes:
    canvas = Canvas(pygame.Surface(SIZE, 0, like))
    key_sheet.draw(canvas, frame)
    return pygame.image.tobytes(canvas.surface, "RGB")


@pytest.mark.parametrize("closes", ["key", "mouse"])
def test_any_input_only_closes_the_sheet(hands, closes):
    hands.run(POSTER)
    calm = shot(hands.window)
    key(pygame.KEYDOWN, pygame.K_F1)
    assert hands.run() == []
    assert shot(hands.window) == sheet(POSTER, hands.window._surface)
    if closes == "key":
        key(pygame.KEYDOWN, virtual_seats.BUZZER_KEYS[0])
        key(pygame.KEYUP, virtual_seats.BUZZER_KEYS[0])
    else:
        mouse(pygame.MOUSEBUTTONDOWN, MIDDLE)
    assert hands.run() == []
    assert shot(hands.window) == calm


def test_sheet_pauses_a_match(scene, hands):
    hands.run(at(200))
    key(pygame.KEYDOWN, pygame.K_F1)
    assert hands.told() == [(HOUSE, "pause")]


def test_opening_race_closes_the_sheet(goals, scene, hands):
    hands.run(MENU)
    key(pygame.KEYDOWN, pygame.K_F1)
    hands.run(at(200, 3))
    assert shot(hands.window) == sheet(at(200, 3), hands.window._surface)
    hands.run(at(300, 4, calls_open=True))
    assert shot(hands.window) == goals[300]


# --- The display alone ------------------------------------------------------------------------------------


def test_display_alone_fills_the_screen(clock, flips):
    opened = Window(virtual=False)
    try:
        opened.show(POSTER)
        assert {target.control for target in opened._targets} == {"ok", BUZZ}
        key(pygame.KEYDOWN, virtual_seats.BUZZER_KEYS[0])
        assert Hands(opened).run() == [], "a keyboard is no buzzer here"
    finally:
        opened.close()


# --- Missing requirements ---------------------------------------------------------------------------------


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """An empty folder that pretends to contain pygame."""
    monkeypatch.setattr(pygame, "__file__", str(tmp_path / "pygame" / "__init__.py"))
    return tmp_path


@pytest.mark.parametrize(
    "name",
    ["pygame_ce-2.5.8.dist-info", "pygame-2.6.1.dist-info", "pygame-2.1.2.egg-info", None],
    ids=["ce", "pygame", "debian", "neither"],
)
def test_one_pygame_is_enough(packages, name):
    if name:
        (packages / name).mkdir()
    check_pygame()


def test_two_pygames_are_an_error(packages):
    for name in ("pygame_ce-2.5.8.dist-info", "pygame-2.6.1.dist-info"):
        (packages / name).mkdir()
    with pytest.raises(DisplayError, match=r"pip uninstall -y pygame pygame-ce && .* -m pip install pygame-ce"):
        Window(virtual=True)


def test_missing_screen_is_reported(monkeypatch):
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(DisplayError, match=r"no screen was found .*companion demo --text"):
        Window(virtual=True)


def test_driver_that_does_not_open_is_reported(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "nosuchdriver")
    with pytest.raises(DisplayError, match=r"cannot open the screen \(nosuchdriver: .*another program"):
        Window(virtual=True)


def test_unavailable_desktop_is_reported(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":4711")
    with pytest.raises(
        DisplayError, match=r"cannot open the screen :4711 \(.*libx11-6 libxext6.*companion demo --text"
    ):
        Window(virtual=True)


def test_unexpected_driver_is_reported(monkeypatch):
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
    try:
        with pytest.raises(DisplayError, match="asked for dummy, got offscreen"):
            Window(virtual=True)
    finally:
        pygame.display.quit()


def test_driver_name_may_differ_in_case(monkeypatch):
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "DUMMY")  # as it does for KMSDRM
    Window(virtual=True).close()


@pytest.mark.parametrize(
    ("which", "place", "control"),
    [
        (pygame.K_4, 2, "4"),
        (pygame.K_KP_4, 2, "4"),
        (pygame.K_KP_ENTER, 2, "#"),
        (pygame.K_F5, HOUSE, "ok"),
    ],
)
def test_keyboard_works_for_due_seats_and_the_house(alone, which, place, control):
    alone.run(POSTER._replace(panels=(Panel(0), Panel(1), Panel(2, keys="digits"))))
    key(pygame.KEYDOWN, which)
    assert alone.told() == [(place, control)]


@pytest.mark.parametrize("which", [*virtual_seats.BUZZER_KEYS.values(), virtual_seats.PEEK_KEY])
def test_keyboard_cannot_call_or_uncover_private_lines(alone, which):
    alone.run(POSTER)
    key(pygame.KEYDOWN, which)
    assert alone.run() == []
