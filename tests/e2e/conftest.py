"""Fixtures of the end-to-end tests: simulated pods and a virtual screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.config.sections import PaceOptions
from companion.games.buro_crazy import console
from tests.e2e.pc import Screen


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    """An invisible screen whose picture tests can read."""
    folder = tmp_path / "screen"
    folder.mkdir()
    one = Screen(folder)
    yield one
    one.close()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PaceOptions, "shown_percent", 5)
    monkeypatch.setattr(console, "CHOOSE_MS", 60)
