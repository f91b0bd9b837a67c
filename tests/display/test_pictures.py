"""The comparison of pictures: few pixels or small differences are allowed."""

import pygame
import pytest

from tests import pictures

FAR = pictures.ROUNDING + pictures.TOLERANCE


@pytest.fixture
def picture() -> pygame.Surface:
    surface = pygame.Surface((40, 30), 0, 32)
    surface.fill((200, 100, 50))
    surface.fill((16, 20, 24), (5, 5, 10, 10))
    return surface


def test_written_picture_is_read_back(tmp_path, picture):
    pictures.write(tmp_path / "whole.png", picture)
    assert pictures.far(pictures.loaded(tmp_path / "whole.png"), picture, 0) == 0
    assert pictures.wrong(picture, tmp_path / "whole.png") == 0


def test_missing_picture_or_wrong_size_fails_completely(tmp_path, picture):
    pictures.write(tmp_path / "small.png", picture.subsurface((0, 0, 30, 30)))
    assert pictures.wrong(picture, tmp_path / "small.png") == 1200
    assert pictures.wrong(picture, tmp_path / "none.png") == 1200


def test_colours_are_rounded_within_the_tolerance(tmp_path):
    surface = pygame.Surface((256, 30), 0, 32)
    for level in range(256):
        for row in range(30):
            surface.set_at((level, row), (level, 255 - level, row * 8))
    pictures.write(tmp_path / "tones.png", surface)
    golden = pictures.loaded(tmp_path / "tones.png")
    assert pictures.far(surface, golden, pictures.ROUNDING) == 0 < pictures.far(surface, golden, 4)


def test_too_many_colours_are_an_error(tmp_path):
    surface = pygame.Surface((343, 1), 0, 32)
    for number in range(343):
        surface.set_at((number, 0), (number % 7 * 40, number // 7 % 7 * 40, number // 49 * 40))
    with pytest.raises(ValueError, match="343 colours"):
        pictures.write(tmp_path / "many.png", surface)


@pytest.mark.parametrize(("levels", "wrong"), [(0, 0), (FAR, 0), (FAR + 1, 1), (-FAR - 1, 1)])
def test_pixel_fails_beyond_the_tolerance(picture, levels, wrong):
    other = picture.copy()
    other.set_at((30, 20), (200, 100 + levels, 50))
    assert pictures.far(picture, other, FAR) == wrong


@pytest.mark.parametrize(("more", "wrong"), [(0, 0), (1, pictures.MOST_FAR + 1)])
def test_picture_fails_with_many_wrong_pixels(tmp_path, picture, more, wrong):
    pictures.write(tmp_path / "golden.png", picture)
    picture.fill((0, 0, 0), (10, 20, pictures.MOST_FAR + more, 1))
    assert pictures.wrong(picture, tmp_path / "golden.png") == wrong


def test_difference_shows_what_changed(picture):
    other = picture.copy()
    other.set_at((30, 20), (210, 90, 50))
    found = pictures.difference(picture, other)
    assert found.get_at((30, 20))[:3] == (80, 80, 0)
    assert found.get_at((0, 0))[:3] == (0, 0, 0)


def test_pictures_are_stacked_with_a_seam(picture):
    assert pictures.sheet([picture, picture]).get_size() == (40, 60 + pictures.SEAM_PX)
    assert pictures.sheet([picture, picture]).get_at((0, 30))[:3] == pictures.SEAM
