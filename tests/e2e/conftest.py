"""What the tests from end to end share: the simulated pods, and a screen of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.config.sections import PaceOptions
from companion.games.buro_crazy import console
from tests.e2e.pc import Screen


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    """A screen that nobody sees, and of which a test can read what it shows."""
    folder = tmp_path / "screen"
    folder.mkdir()
    one = Screen(folder)
    yield one
    one.close()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody look long at what is only shown, or choose cards for long."""
    monkeypatch.setattr(PaceOptions, "shown_percent", 5)
    monkeypatch.setattr(console, "CHOOSE_MS", 60)
