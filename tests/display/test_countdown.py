"""A time limit on the display."""

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pygame
import pytest

from companion.core.console import BUZZ
from companion.core.match import Match
from companion.core.move import TABLE, Move
from companion.display import screens, theme, window
from companion.display.countdown import COARSE_STEPS, STEP_NS, Countdown
from companion.display.frame import Frame, Look, Poster, TimeLeft
from companion.display.geometry import ScreenGeometry
from companion.display.window import Window
from companion.games import load
from companion.games.any.rules import Rest
from tests.display import gallery

S = 1_000_000_000
SIZE = (800, 480)


@pytest.fixture
def locked(tmp_path: Path) -> Frame:
    """The call is at seat 1, with three seconds left."""
    match = gallery.call(gallery.flip(gallery.new(5)), 0)
    return gallery.Table(tmp_path, match).frame


def countdown(frame: Frame) -> Countdown:
    return screens.countdown_of(frame, SIZE, ScreenGeometry(), pygame.Surface(SIZE, 0, 32))


def lit(surface: pygame.Surface) -> int:
    return pygame.mask.from_threshold(surface, theme.LIT, (1, 1, 1, 255)).count()


def test_countdown_starts_full_and_ends_empty(locked: Frame) -> None:
    waiting = countdown(locked._replace(limit=TimeLeft((0,), 3 * S)))
    assert {waiting.step(now_ns) for now_ns in (0, S, 100 * S)} == {3 * S // STEP_NS}
    running = countdown(locked._replace(limit=TimeLeft((0,), 3 * S, 10 * S)))
    steps = [running.step(now_ns) for now_ns in (0, 7 * S, 8 * S, 10 * S - 1, 10 * S, 99 * S)]
    assert steps == [30, 30, 20, 1, 0, 0]


def test_reduced_motion_has_few_steps(locked: Frame) -> None:
    calm = countdown(locked._replace(limit=TimeLeft((0,), 3 * S, 3 * S), look=Look(motion=False)))
    assert {calm.step(now_ns) for now_ns in range(0, 4 * S, S // 10)} == set(range(COARSE_STEPS + 1))


def test_only_the_strips_of_limited_seats_change(locked: Frame) -> None:
    before = gallery.drawn(locked, SIZE).surface
    after = before.copy()
    shrinking = countdown(locked)
    shrinking.draw(after, shrinking.steps // 2)
    changed = pygame.mask.from_threshold(after, (0, 0, 0), (1, 1, 1, 255), before)
    changed.invert()
    (strip,) = shrinking.strips
    outside = pygame.mask.Mask(SIZE, fill=True)
    outside.erase(pygame.mask.Mask(strip.size, fill=True), strip.topleft)
    assert changed.count()
    assert not changed.overlap_area(outside, (0, 0))


def test_strip_shrinks_evenly_from_both_ends(locked: Frame) -> None:
    shown = []
    steps = countdown(locked).steps
    for step in (steps, steps // 2, 0):
        surface = gallery.drawn(locked, SIZE).surface.copy()
        countdown(locked).draw(surface, step)
        shown.append(lit(surface))
    assert shown[0] > 1.7 * shown[1] > shown[2]
    assert shown[2] < 0.2 * shown[0], "what is lit in the centre stays"


@pytest.mark.parametrize("look", [Look(), Look(high_contrast=True), Look(large_text=True), Look(True, True)])
def test_every_look_darkens_only_the_elapsed_part(locked: Frame, look: Look) -> None:
    seen = locked._replace(look=look)
    shrinking = countdown(seen)
    before = gallery.drawn(seen, SIZE).surface
    full, over = before.copy(), before.copy()
    shrinking.draw(full, shrinking.steps)
    assert pygame.image.tobytes(full, "RGB") == pygame.image.tobytes(before, "RGB")
    shrinking.draw(over, 0)
    lights = theme.toned(theme.LIT, strong=look.high_contrast)
    (strip,) = shrinking.strips
    assert pygame.mask.from_threshold(before.subsurface(strip), lights, (1, 1, 1, 255)).count()
    assert not pygame.mask.from_threshold(over.subsurface(strip), lights, (1, 1, 1, 255)).count()


# --- In the window ----------------------------------------------------------------------------------------


class Hand:
    """A window on a manual clock that counts flips."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now_ns, self.flips = 0, 0
        patch.setattr(window, "time", SimpleNamespace(monotonic_ns=lambda: self.now_ns))
        patch.setattr(Window, "_flip", lambda _: self._flip())
        self.window = Window(virtual=True)

    def _flip(self) -> None:
        self.flips += 1

    def show(self, frame: Frame) -> None:
        self.window.show(frame)
        self.flips = 0

    def wait(self, seconds: float, step_s: float = 0.002) -> int:
        self.flips = 0
        for _ in range(round(seconds / step_s)):
            self.now_ns += round(step_s * S)
            self.window._move_on()
        return self.flips


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hand]:
    assert os.environ["SDL_VIDEODRIVER"] == "dummy"
    opened = Hand(monkeypatch)
    yield opened
    opened.window.close()


def test_window_flips_ten_times_a_second_while_running(locked: Frame, hand: Hand) -> None:
    hand.show(locked._replace(limit=TimeLeft((0,), 3 * S, 3 * S)))
    assert hand.wait(1) == 10
    assert hand.wait(2) == 20
    assert hand.wait(60) == 0


def test_window_does_not_flip_before_the_start(locked: Frame, hand: Hand) -> None:
    hand.show(locked._replace(limit=TimeLeft((0,), 3 * S)))
    assert hand.wait(10) == 0


def test_next_picture_removes_the_countdown(locked: Frame, hand: Hand) -> None:
    hand.show(locked._replace(limit=TimeLeft((0,), 3 * S, 3 * S)))
    hand.wait(1)
    hand.show(locked._replace(serial=99, limit=None))
    now = pygame.image.tobytes(hand.window._display, "RGB")
    assert hand.wait(3) == 0
    expected = pygame.Surface(hand.window._display.get_size())
    hand.window._countdown = None
    hand.window._draw_moment()
    expected.blit(hand.window._picture, (0, 0))
    assert now == pygame.image.tobytes(expected, "RGB")


def test_race_starts_the_countdown_without_another_picture(
    tmp_path: Path, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = gallery.Table(tmp_path, gallery.flip(gallery.new(3, nobody_after_s=10)))
    waiting, running = [frame for frame in table.frames if frame.limit][-2:]
    assert (waiting.limit.ends_ns, running.limit.ends_ns is not None) == (None, True)
    hand.now_ns = running.limit.ends_ns - running.limit.length_ns
    hand.show(waiting)
    monkeypatch.setattr(screens, "draw", lambda *_: pytest.fail("nothing has changed but the time"))
    hand.show(running)
    assert hand.wait(1) == 10


def test_call_ends_the_race_limit(tmp_path: Path) -> None:
    table = gallery.Table(tmp_path, gallery.flip(gallery.new(3, nobody_after_s=10)))
    table.press(BUZZ, place=1).wait(S // 10)
    assert table.frame.limit.seats == (1,)


# --- Figures ----------------------------------------------------------------------------------------------


@pytest.fixture(params=[2, 5], ids=["opposite", "around"])
def clocks(request, tmp_path: Path) -> Frame:
    """The clock of seat 1 runs, with ten minutes left."""
    game = load("any")
    match = Match(game, gallery.NAMES[: request.param], rulings=game.rulings(play="clock"))
    match.push(Move(TABLE, "open"))
    return gallery.Table(tmp_path, match).frame._replace(limit=TimeLeft((0,), 600 * S, 600 * S))


@pytest.mark.parametrize("turn", range(4))
def test_running_clock_shows_what_a_new_picture_would(clocks: Frame, turn: int) -> None:
    geometry = ScreenGeometry(turn=turn)
    running = screens.countdown_of(clocks, SIZE, geometry, pygame.Surface(SIZE, 0, 32))
    rest = clocks.screen.view.rest
    left = clocks.screen.view._replace(rest=(Rest(543, 0), *rest[1:]))
    expected = gallery.drawn(clocks._replace(screen=clocks.screen._replace(view=left)), SIZE, turn).surface
    shown = gallery.drawn(clocks, SIZE, turn).surface.copy()
    assert pygame.image.tobytes(shown, "RGB") != pygame.image.tobytes(expected, "RGB")
    running.draw_figures(shown, 57 * S)
    assert pygame.image.tobytes(shown, "RGB") == pygame.image.tobytes(expected, "RGB")


@pytest.mark.parametrize("look", [Look(), Look(motion=False)])
def test_figures_change_each_second_in_every_look(clocks: Frame, look: Look) -> None:
    running = countdown(clocks._replace(look=look))
    assert [running.second(now_ns) for now_ns in (0, 1, S, 600 * S, 900 * S)] == [600, 599, 599, 0, 0]
    assert countdown(clocks._replace(look=look, screen=Poster("Pause"))).second(0) == 0
