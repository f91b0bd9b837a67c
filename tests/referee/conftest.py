"""Each test of the referee must close the files that it opens."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest


def opened() -> set[str]:
    found = set()
    for file in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the descriptor of this listing
            found.add(f"{file.name} {file.readlink()}")
    return found


@pytest.fixture(autouse=True)
def no_file_stays_open(tmp_path: Path) -> Iterator[None]:
    before = opened()
    yield
    assert opened() <= before
