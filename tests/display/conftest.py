"""What the display's tests share: the gallery, a screen that nobody sees, the option to renew the pictures."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import gallery
import pytest

from companion.core import text
from companion.display.canvas import Placed

PlacedOf = Callable[[int, str, tuple[int, int], int], list[Placed]]


@pytest.fixture(autouse=True)
def _dummy_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test opens a window on the desktop of whoever runs it."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture(scope="session")
def all_frames(tmp_path_factory: pytest.TempPathFactory) -> dict[int, gallery.Frames]:
    """Every frame of the gallery, in English, by the number of seats and its name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGUAGE", "en")
        text._catalogue.cache_clear()
        folder: Path = tmp_path_factory.mktemp("gallery")
        frames = {seats: gallery.frames(folder, seats) for seats in gallery.SEATS}
    text._catalogue.cache_clear()
    return frames


@pytest.fixture(scope="session")
def placed_of(all_frames: dict[int, gallery.Frames]) -> PlacedOf:
    """Return what a frame places on a display of some size and turn."""

    @cache
    def placed(seats: int, name: str, size: tuple[int, int], turn: int) -> list[Placed]:
        return gallery.drawn(all_frames[seats][name], size, turn).placed

    return placed
