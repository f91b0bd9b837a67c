"""The pictures of the self-test and of the doctor's findings."""

from pathlib import Path

import pygame
import pytest

from companion.display import theme
from companion.display.frame import Frame
from companion.display.layout import layout
from companion.display.self_test_rows import Found, Tried
from tests.display import gallery, show_selftest, shows
from tests.display.gallery import drawn

SIZES = pytest.mark.parametrize("size", shows.SIZES, ids=lambda size: "{}x{}".format(*size))


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Frame]:
    folder: Path = tmp_path_factory.mktemp("self_test")
    return show_selftest.frames(folder, 5)


@SIZES
@pytest.mark.parametrize("name", ["fresh", "doctor"])
def test_marks_reach_every_pixel_of_the_rim(frames, name, size):
    surface = drawn(frames[name], size).surface
    wide, high = size
    rim = [(x, y) for x in range(wide) for y in (0, high - 1)]
    rim += [(x, y) for y in range(high) for x in (0, wide - 1)]
    assert {surface.get_at(at)[:3] for at in rim} == {theme.PAPER, theme.LIT}
    for corner in ((0, 0), (wide - 1, 0), (0, high - 1), (wide - 1, high - 1)):
        assert surface.get_at(corner)[:3] == theme.LIT


@SIZES
def test_no_text_lies_under_the_marks(frames, size):
    for frame in frames.values():
        canvas = drawn(frame, size)
        inside = canvas.rect.inflate(-8, -8)
        assert all(inside.contains(item.rect) for item in canvas.placed)


def _changed(one: Frame, other: Frame, size: tuple[int, int]) -> pygame.Rect:
    surfaces = [drawn(frame, size).surface for frame in (one, other)]
    same = pygame.mask.from_threshold(surfaces[0], (0, 0, 0), (1, 1, 1, 255), surfaces[1])
    same.invert()
    boxes = same.get_bounding_rects()
    return boxes[0].unionall(boxes[1:])


@SIZES
def test_held_buzzer_changes_only_its_own_strip(frames, size):
    frame = frames["fresh"]
    places = list(frame.screen.places)
    places[3] = places[3]._replace(held=True)
    sides = list(frame.sides)
    sides[3] = sides[3]._replace(lit=True)
    held = frame._replace(screen=frame.screen._replace(places=tuple(places)), sides=tuple(sides))
    assert layout(size, 5).strips[3].rect.contains(_changed(frame, held, size))


@SIZES
def test_each_key_has_its_own_mark(frames, size):
    frame = frames["fresh"]
    pictures = set()
    for keys in ((), ("1",), ("A",), ("#",), ("1", "A"), ("A", "1")):
        places = (frame.screen.places[0]._replace(keys=keys), *frame.screen.places[1:])
        pictures.add(gallery.pixels(frame._replace(screen=frame.screen._replace(places=places)), size))
    assert len(pictures) == 6


@SIZES
@pytest.mark.parametrize("name", ["fresh", "doctor"])
def test_menu_and_doctor_can_be_touched(frames, name, size):
    canvas = drawn(frames[name], size)
    assert [(target.place, target.control) for target in canvas.targets] == [(-1, "menu"), (-1, "skip")]
    back, doctor = (target.rect for target in canvas.targets)
    assert not back.colliderect(doctor)
    assert all(any(target.rect.colliderect(item.rect) for item in canvas.placed) for target in canvas.targets)


@SIZES
def test_every_finding_is_complete_on_some_page(frames, size):
    frame = frames["doctor"]
    rows = tuple(
        Found(Tried.WEAK, f"finding {number}: " + "what was found here " * (number % 5), f"remedy{number} " * 9)
        for number in range(12)
    )
    shown = ""
    for page in range(12):
        screen = frame.screen._replace(rows=rows, page=page)
        shown += " ".join(item.what for item in drawn(frame._replace(screen=screen), size).placed) + " "
    for number, row in enumerate(rows):
        assert f"finding {number}:" in shown
        assert f"{row.remedy}".split()[0] in shown


@SIZES
def test_first_page_follows_the_last(frames, size):
    frame = frames["doctor"]
    rows = tuple(Found(Tried.WORKS, f"finding {number} " * 12) for number in range(9))
    pictures = [
        gallery.pixels(frame._replace(screen=frame.screen._replace(rows=rows, page=page)), size)
        for page in range(30)
    ]
    count = len(set(pictures))
    assert 1 < count < 9
    assert pictures[count:] == pictures[:-count]
