"""What is missing is said before anything is tried."""

import pytest
from chromium import BROWSER, DRIVER


def pytest_sessionstart() -> None:
    """End where there is no browser."""
    if not (BROWSER and DRIVER):
        pytest.exit("there is no Chromium with its driver; on Debian: apt install chromium chromium-driver", 1)
