"""What the attacks share with other tests: simulated pads, lines and pods, and a table in virtual time."""

import pytest

from companion.core.units import SECOND
from companion.devices import floods


@pytest.fixture
def sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a device that flooded be believed again sooner."""
    monkeypatch.setattr(floods, "CALM_NS", SECOND)
