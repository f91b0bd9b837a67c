"""Fixtures for tests of wired devices."""

import pytest
from gpiozero.pins.mock import MockFactory

from tests.gpio_fakes import FakeClock, Reports


@pytest.fixture
def factory():
    factory = MockFactory()
    yield factory
    factory.reset()


@pytest.fixture
def heard():
    return Reports()


@pytest.fixture
def clock():
    return FakeClock()
