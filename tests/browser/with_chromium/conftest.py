"""Reports a missing browser before any test runs."""

from collections.abc import Iterator

import pytest

from companion.core.clock import MonotonicClock
from companion.core.signal import Signal
from companion.devices.phones.phones import Phones
from tests.browser.with_chromium.chromium import BROWSER, DRIVER, Chromium
from tests.browser.with_chromium.firefox import BROWSER as FIREFOX
from tests.browser.with_chromium.firefox import Firefox
from tests.browser.with_chromium.page import HERE


def pytest_sessionstart() -> None:
    if not (BROWSER and DRIVER):
        pytest.exit("there is no Chromium with its driver; on Debian: apt install chromium chromium-driver", 1)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    with Chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def firefox() -> Iterator[Firefox]:
    """A browser whose tabs are phones; tests skip without Firefox."""
    if not FIREFOX:
        pytest.skip("there is no Firefox; on Debian: apt install firefox-esr")
    with Firefox() as browser:
        yield browser


@pytest.fixture
def told() -> list[Signal]:
    return []


@pytest.fixture
def phones(told: list[Signal]) -> Iterator[Phones]:
    phones = Phones(HERE, told.append, MonotonicClock())
    phones.watch()
    yield phones
    phones.close()
