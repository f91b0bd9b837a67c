"""Fixtures of the guest."""

import logging
from collections.abc import Iterator

import pytest

from tests.kernel.inside.gpiosim import Chip, World


@pytest.fixture(scope="session")
def the_chip() -> Chip:
    return Chip()


@pytest.fixture(scope="session")
def the_world(the_chip: Chip) -> Iterator[World]:
    with World(the_chip) as world:
        yield world


@pytest.fixture
def chip(the_chip: Chip) -> Chip:
    the_chip.release_all()
    return the_chip


@pytest.fixture
def world(chip: Chip, the_world: World) -> World:
    return the_world


@pytest.fixture(autouse=True)
def no_error_in_the_log(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test that logs an error, unless it is marked `logs_errors`."""
    yield
    if "logs_errors" not in request.keywords:
        records = [record for when in ("setup", "call") for record in caplog.get_records(when)]
        errors = [record.getMessage() for record in records if record.levelno >= logging.ERROR]
        assert errors == []
