"""What all tests of the referee share: that whatever opens a file lets go of it, also when it fails."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest


def opened() -> set[str]:
    """Return which files this process has open, each by its number and its path."""
    found = set()
    for file in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the one by which they are listed
            found.add(f"{file.name} {file.readlink()}")
    return found


@pytest.fixture(autouse=True)
def no_file_stays_open(tmp_path: Path) -> Iterator[None]:
    before = opened()
    yield
    assert opened() <= before
