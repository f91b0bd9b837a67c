"""Fixtures of the attacks."""

import pytest

from companion.core.units import SECOND
from companion.devices import floods


@pytest.fixture
def sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the cool-down after a flood."""
    monkeypatch.setattr(floods, "CALM_NS", SECOND)
