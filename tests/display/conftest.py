"""Fixtures for tests of the display."""

from collections.abc import Callable
from functools import cache

import pytest

from tests.display import gallery, shows

FramesOf = Callable[[str], dict[int, gallery.Frames]]


@pytest.fixture(autouse=True)
def _dummy_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests open no window on the desktop."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture(scope="session")
def frames_of(tmp_path_factory: pytest.TempPathFactory) -> FramesOf:
    """Return a function from a show to its frames."""

    @cache
    def frames(show: str) -> dict[int, gallery.Frames]:
        return shows.frames_of(shows.all_shows()[show], tmp_path_factory.mktemp("shows"))

    return frames
