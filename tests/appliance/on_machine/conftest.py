"""Fixtures for emulated machines."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance import disk_images
from tests.appliance.disk_images import Images
from tests.appliance.hands import Hands
from tests.appliance.machine import Build, Machine, copy_of, kept
from tests.kernel.guest_images import CHECKOUT, ImageError

SHOTS = CHECKOUT / "build" / "appliance"
"""The screenshots of the last run."""


@pytest.fixture(autouse=True, scope="session")
def _dummy_screen() -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"


@pytest.fixture(scope="session")
def images() -> Images:
    """Return the images, or skip naming what is missing."""
    try:
        images = disk_images.wanted(os.environ)
    except ImageError as error:
        pytest.skip(str(error))
    if packages := disk_images.missing_packages(images):
        pytest.skip(f"packages are missing; as root: apt-get install -y {' '.join(packages)}")
    for image in (images.kernel, images.system):
        if not image.exists():
            pytest.skip(f"there is no {image}; `make images` makes what is missing, as root")
    if not images.disk.exists() and os.geteuid() != 0:
        pytest.skip(f"there is no {images.disk}, and to make it the installer needs root")
    disk_images.build_disk(images)
    return images


@pytest.fixture(scope="module")
def shots(request: pytest.FixtureRequest) -> Path:
    """Return an empty folder for a module; two modules may run at once."""
    folder = SHOTS / request.module.__name__.removeprefix("test_machine_")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@pytest.fixture(scope="module")
def machine(images: Images, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A newly started machine, shared by a module's tests."""
    folder = tmp_path_factory.mktemp("machine")
    disk = copy_of(images.disk, folder)
    with Machine.start(Build(images.kernel, [kept(disk)]), folder) as machine:
        yield machine
    disk.unlink()


@pytest.fixture
def hands(machine: Machine, tmp_path: Path) -> Hands:
    return Hands(machine, tmp_path)
