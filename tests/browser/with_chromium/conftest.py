"""What is missing is said before anything is tried."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import BROWSER, DRIVER, Chromium
from firefox import BROWSER as FIREFOX
from firefox import Firefox

TESTS = Path(__file__).parents[2]
sys.path += [str(TESTS), str(TESTS / "attacks"), str(TESTS / "devices")]


def pytest_sessionstart() -> None:
    """End where there is no browser."""
    if not (BROWSER and DRIVER):
        pytest.exit("there is no Chromium with its driver; on Debian: apt install chromium chromium-driver", 1)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """A browser whose windows are phones."""
    with Chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def firefox() -> Iterator[Firefox]:
    """A browser whose tabs are phones; who needs it skips where it is missing."""
    if not FIREFOX:
        pytest.skip("there is no Firefox; on Debian: apt install firefox-esr")
    with Firefox() as browser:
        yield browser
