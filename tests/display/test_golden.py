"""Every frame looks as it looked when somebody last looked at it: `pytest tests/display --update-golden`."""

from pathlib import Path

import gallery
import pictures
import pygame
import pytest

UNKEPT = {"setup", "open_direct", "unread", "refused"}
"""Frames so like another one that only their structure is tested."""

LONELY = {"attract"}
"""Frames that are the same for any number of seats, since nobody sits yet."""

SOME_SEATS = {"eliminated", "shared"}
"""Frames that two seats do not have."""

NAMES = (
    pictures.BASE, "attract", "join", "games", "rulings", "pause", "correct", "alternatives", "sure", "resume",
    "trouble", "ready", "open_long", "locked", "tie", "judge", "eliminated", "right", "wrong", "unplugged", "over",
    "result", "shared",
)  # fmt: skip

SIZES = pytest.mark.parametrize("size", gallery.SIZES, ids=lambda size: "{}x{}".format(*size))


def test_every_frame_has_a_picture_or_a_reason(all_frames):
    assert {*NAMES, *UNKEPT} == {name for frames in all_frames.values() for name in frames}


def _seats(name: str) -> tuple[int, ...]:
    if name in LONELY:
        return gallery.SEATS[-1:]
    return gallery.SEATS[1:] if name in SOME_SEATS else gallery.SEATS


def _sheet(all_frames: dict[int, gallery.Frames], name: str, size: tuple[int, int], seats: tuple[int, ...]):
    return pictures.stacked([gallery.drawn(all_frames[n][name], size).surface for n in seats])


@SIZES
@pytest.mark.parametrize("name", NAMES)
def test_the_picture(all_frames, request, tmp_path: Path, name, size):
    actual = _sheet(all_frames, name, size, _seats(name))
    base = None if name == pictures.BASE else _sheet(all_frames, pictures.BASE, size, _seats(name))
    path = pictures.sheet_path(name, size)
    if request.config.getoption("update_golden", default=False):
        pictures.write(path, actual, base)
    assert path.exists(), f"{path} is missing: look at the new picture, then pytest tests/display --update-golden"
    golden = pictures.restored(pygame.image.load(path), base)
    if golden.get_size() == actual.get_size():
        wrong = pictures.far(actual, golden, pictures.ROUNDING + pictures.TOLERANCE)
        if not wrong:
            return
    else:
        wrong = actual.get_width() * actual.get_height()
        golden = pygame.transform.scale(golden, actual.get_size())
    pygame.image.save(actual, tmp_path / "actual.png")
    pygame.image.save(pictures.difference(actual, golden), tmp_path / "difference.png")
    pytest.fail(f"{wrong} pixels are not as in {path}: see actual.png and difference.png in {tmp_path}")


def test_the_pictures_are_small_and_none_is_left_over():
    kept = {pictures.sheet_path(name, size) for name in NAMES for size in gallery.SIZES}
    found = set(pictures.FOLDER.rglob("*.png"))
    assert found == kept
    assert sum(path.stat().st_size for path in found) < 4_000_000


class TestComparison:
    """The comparison itself: one wrong pixel is enough."""

    @pytest.fixture
    def picture(self) -> pygame.Surface:
        surface = pygame.Surface((40, 30), 0, 32)
        surface.fill((200, 100, 50))
        surface.fill((16, 20, 24), (5, 5, 10, 10))
        return surface

    def test_what_is_written_is_read_back(self, tmp_path, picture):
        pictures.write(tmp_path / "whole.png", picture, None)
        assert pictures.far(pictures.restored(pygame.image.load(tmp_path / "whole.png"), None), picture, 0) == 0

    def test_a_sheet_shows_only_what_differs_from_its_base(self, tmp_path, picture):
        base = picture.copy()
        picture.fill((1, 2, 3), (20, 20, 2, 2))
        pictures.write(tmp_path / "part.png", picture, base)
        golden = pygame.image.load(tmp_path / "part.png")
        assert golden.get_at((0, 0))[:3] == pictures.SAME
        assert golden.get_at((21, 21))[:3] == (1, 2, 3)
        assert pictures.far(pictures.restored(golden, base), picture, 0) == 0

    @pytest.mark.parametrize(("levels", "wrong"), [(0, 0), (10, 0), (11, 1), (-11, 1)])
    def test_one_pixel_counts(self, picture, levels, wrong):
        other = picture.copy()
        other.set_at((30, 20), (200, 100 + levels, 50))
        assert pictures.far(picture, other, pictures.ROUNDING + pictures.TOLERANCE) == wrong

    def test_the_difference_shows_what_changed(self, picture):
        other = picture.copy()
        other.set_at((30, 20), (210, 90, 50))
        found = pictures.difference(picture, other)
        assert found.get_at((30, 20))[:3] == (80, 80, 0)
        assert found.get_at((0, 0))[:3] == (0, 0, 0)
