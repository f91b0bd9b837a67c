"""Waits for what a guest does in its own time."""

import time
from collections.abc import Callable
from typing import Any, Final

PATIENCE_S: Final = 120.0


def eventually(reached: Callable[[], Any], what: str) -> Any:
    """Wait until something is true, and return it."""
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s:
        found = reached()
        if found:
            return found
        time.sleep(0.05)  # on counted time a look costs the others much
    raise AssertionError(f"not within {PATIENCE_S:.0f} s: {what}")
