"""Fixtures: a card for each module; screenshots are in build/card/shots."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance.machine import Machine
from tests.card.in_emulator import card
from tests.card.in_emulator.card import Card
from tests.card.in_emulator.card_hands import CardHands, seated

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
    """A new card, for a table without wiring."""
    made = Card(image(), tmp_path_factory.mktemp("card"))
    made.write_table(card.NO_WIRES)
    yield made
    made.path.unlink()


def image() -> Path:
    """Return the image, or skip naming what is missing."""
    if packages := card.missing():
        pytest.skip(f"packages are missing; as root: apt-get install -y {' '.join(packages)}")
    found = card.image()
    if found is None:
        pytest.skip("there is no image; `make card` makes one")
    return found


@pytest.fixture(scope="module")
def hands(inserted: Card, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardHands]:
    """People at the card's first start."""
    inserted.write_table(card.POD_AND_PADS)
    inserted.write_data("pads.py", card.PADS_PROGRAM)
    key = tmp_path_factory.mktemp("key") / "key"
    key.write_text(f"{card.POD_SECRET.hex()}\n", encoding="utf-8")
    inserted.write_data(f"pods/{card.POD}.key", key)
    with seated(inserted, tmp_path_factory.mktemp("machine")) as people:
        yield people


@pytest.fixture
def machine(hands: CardHands) -> Machine:
    return hands.machine
