"""Every frame looks as it looked when somebody last looked at it: `pytest tests/display --update-golden`."""

import importlib
from collections.abc import Mapping
from pathlib import Path

import gallery
import pictures
import pygame
import pytest
import shows

from companion.core.text import LANGUAGES
from companion.display.frame import Frame

MOST_BYTES = 15 * 2**20

OTHER_LANGUAGES = [language for language in LANGUAGES if language != "en"]

SIZES = pytest.mark.parametrize("size", shows.SIZES, ids=lambda size: "{}x{}".format(*size))


@SIZES
@pytest.mark.parametrize("show", shows.all_shows())
def test_the_pictures(frames_of, request, tmp_path: Path, show, size):
    sheets = shows.sheets_of(frames_of(show))
    _compare(
        {
            pictures.sheet_path(show, name, size): (size, shows.shown_at(size, frames))
            for name, frames in sheets.items()
        },
        request,
        tmp_path,
    )


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
@pytest.mark.parametrize("show", shows.all_shows())
def test_the_pictures_in_other_languages(frames_of, request, tmp_path: Path, show, language):
    """The fuller table at one size: what else there is to see does not depend on the language."""
    sheets = shows.sheets_of(frames_of(show, language))
    _compare(
        {_path_in(language, show, name): (shows.WIDE, frames[-1:]) for name, frames in sheets.items()},
        request,
        tmp_path,
    )


def _path_in(language: str, show: str, name: str) -> Path:
    """Return where the sheet of a frame in another language is kept."""
    return pictures.sheet_path(show, name, shows.WIDE, pictures.FOLDER / language)


def _compare(sheets: Mapping[Path, tuple[pictures.Size, list[Frame]]], request, tmp_path: Path) -> None:
    """Compare frames at a size with the golden sheet of each path, or make that anew."""
    faults = []
    for path, (size, frames) in sheets.items():
        actual = pictures.sheet([gallery.drawn(frame, size).surface for frame in frames])
        wrong = pictures.wrong(actual, path)
        if wrong and request.config.getoption("update_golden"):
            pictures.write(path, actual)
            wrong = pictures.wrong(actual, path)
        if wrong:
            faults.append(f"{wrong} pixels are not as in {path}")
            _keep(actual, path, tmp_path)
    assert not faults, "\n".join([*faults, f"look at {tmp_path}, then pytest tests/display --update-golden"])


def _keep(actual: pygame.Surface, path: Path, folder: Path) -> None:
    """Write a picture that is not as it was, and where it differs."""
    pygame.image.save(actual, folder / f"{path.stem}-actual.png")
    if path.exists():
        golden = pygame.transform.scale(pictures.loaded(path), actual.get_size())
        pygame.image.save(pictures.difference(actual, golden), folder / f"{path.stem}-difference.png")


def test_the_pictures_are_small_and_none_is_left_over(frames_of, request):
    kept = {
        pictures.sheet_path(show, name, size)
        for show in shows.all_shows()
        for name in shows.sheets_of(frames_of(show))
        for size in shows.SIZES
    } | {
        _path_in(language, show, name)
        for language in OTHER_LANGUAGES
        for show in shows.all_shows()
        for name in shows.sheets_of(frames_of(show, language))
    }
    found = set(pictures.FOLDER.rglob("*.png"))
    if request.config.getoption("update_golden"):
        for path in found - kept:
            path.unlink()
        found &= kept
    assert found == kept
    assert sum(path.stat().st_size for path in found) < MOST_BYTES


@pytest.mark.parametrize("show", shows.all_shows())
def test_captions_are_of_pictures(frames_of, show):
    captions = shows.all_shows()[show].captions
    assert set(captions) <= set(shows.sheets_of(frames_of(show)))


def test_the_page_shows_them_all(frames_of, request, monkeypatch):
    monkeypatch.syspath_prepend(pictures.FOLDER.parent)
    make_gallery = importlib.import_module("make_gallery")
    page = make_gallery.page({show: shows.sheets_of(frames_of(show)) for show in shows.all_shows()})
    if request.config.getoption("update_golden"):
        make_gallery.PAGE.write_text(page, "utf-8")
    assert make_gallery.PAGE.read_text("utf-8") == page, "pytest tests/display --update-golden makes it anew"


class TestComparison:
    """The comparison itself: one wrong pixel is enough."""

    @pytest.fixture
    def picture(self) -> pygame.Surface:
        surface = pygame.Surface((40, 30), 0, 32)
        surface.fill((200, 100, 50))
        surface.fill((16, 20, 24), (5, 5, 10, 10))
        return surface

    def test_what_is_written_is_read_back(self, tmp_path, picture):
        pictures.write(tmp_path / "whole.png", picture)
        assert pictures.far(pictures.loaded(tmp_path / "whole.png"), picture, 0) == 0
        assert pictures.wrong(picture, tmp_path / "whole.png") == 0

    def test_a_picture_that_is_not_there_or_of_another_size_is_all_wrong(self, tmp_path, picture):
        pictures.write(tmp_path / "small.png", picture.subsurface((0, 0, 30, 30)))
        assert pictures.wrong(picture, tmp_path / "small.png") == 1200
        assert pictures.wrong(picture, tmp_path / "none.png") == 1200

    def test_colours_are_rounded_and_never_farther(self, tmp_path):
        surface = pygame.Surface((256, 30), 0, 32)
        for level in range(256):
            for row in range(30):
                surface.set_at((level, row), (level, 255 - level, row * 8))
        pictures.write(tmp_path / "tones.png", surface)
        golden = pictures.loaded(tmp_path / "tones.png")
        assert pictures.far(surface, golden, pictures.ROUNDING) == 0 < pictures.far(surface, golden, 4)

    def test_too_many_colours_are_an_error(self, tmp_path):
        surface = pygame.Surface((343, 1), 0, 32)
        for number in range(343):
            surface.set_at((number, 0), (number % 7 * 40, number // 7 % 7 * 40, number // 49 * 40))
        with pytest.raises(ValueError, match="343 colours"):
            pictures.write(tmp_path / "many.png", surface)

    @pytest.mark.parametrize(("levels", "wrong"), [(0, 0), (14, 0), (15, 1), (-15, 1)])
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

    def test_pictures_stand_below_each_other(self, picture):
        assert pictures.sheet([picture, picture]).get_size() == (40, 60 + pictures.SEAM_PX)
        assert pictures.sheet([picture, picture]).get_at((0, 30))[:3] == pictures.SEAM
