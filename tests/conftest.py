"""What all tests share: how long the long ones are, and that hypothesis repeats itself."""

import os
from collections.abc import Callable

import hypothesis
import pytest

SOAK = os.environ.get("COMPANION_SOAK") == "1"

# A slow machine is no reason to fail, and what fails once must fail again: only a soak looks for new examples.
hypothesis.settings.register_profile("test", deadline=None, derandomize=True)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=5_000, print_blob=True)
hypothesis.settings.load_profile("soak" if SOAK else "test")


@pytest.fixture
def soak_count() -> Callable[[int], int]:
    """Return how often to repeat a long test: the full count in a soak, else a hundredth."""
    return lambda full: full if SOAK else max(1, full // 100)
