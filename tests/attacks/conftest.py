"""What the attacks share with other tests: simulated pads, lines and pods, and a table in virtual time."""

import sys
from pathlib import Path

import pytest

from companion.config.sections import PaceOptions
from companion.core.units import MS
from companion.devices import floods

sys.path += [str(Path(__file__).parents[1] / room) for room in ("devices", "referee")]


@pytest.fixture
def sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let take less what only takes its time: what is shown, and until a device that flooded is believed again."""
    monkeypatch.setattr(PaceOptions, "shown_percent", 10)
    monkeypatch.setattr(floods, "REST_NS", 250 * MS)
    monkeypatch.setattr(floods, "CALM_NS", 1_000 * MS)
    monkeypatch.setattr(floods, "LOOK_S", 0.1)
