"""One card for all tests of a module, plugged in once; photographs are kept in build/card/shots to be looked at."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import card
import pytest
from card import Card
from machine import Machine

SHOTS = card.FOLDER / "shots"


@pytest.fixture(autouse=True, scope="session")
def _dummy_screen() -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"


@pytest.fixture(scope="session")
def shots() -> Path:
    shutil.rmtree(SHOTS, ignore_errors=True)
    SHOTS.mkdir(parents=True)
    return SHOTS


@pytest.fixture(scope="module")
def inserted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Card]:
    """A card that has never been started, for a table without wires."""
    if packages := card.missing():
        pytest.skip(f"packages are missing; as root: apt-get install -y {' '.join(packages)}")
    source = card.image()
    if source is None:
        pytest.skip("there is no image; `make card` makes one")
    made = Card(source, tmp_path_factory.mktemp("card"))
    made.write_table(card.NO_WIRES)
    yield made
    made.path.unlink()


@pytest.fixture(scope="module")
def machine(inserted: Card, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """The machine at its first start."""
    with Machine.start(inserted.build(), tmp_path_factory.mktemp("machine")) as started:
        yield started
