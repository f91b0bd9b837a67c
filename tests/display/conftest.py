"""What the display's tests share: frames to look at, a screen that nobody sees."""

from collections.abc import Callable
from functools import cache

import pytest

from tests.display import gallery, shows

FramesOf = Callable[[str], dict[int, gallery.Frames]]


@pytest.fixture(autouse=True)
def _dummy_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test opens a window on the desktop of whoever runs it."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture(scope="session")
def frames_of(tmp_path_factory: pytest.TempPathFactory) -> FramesOf:
    """Return the frames of a show by the number of seats and their names."""

    @cache
    def frames(show: str) -> dict[int, gallery.Frames]:
        return shows.frames_of(shows.all_shows()[show], tmp_path_factory.mktemp("shows"))

    return frames
