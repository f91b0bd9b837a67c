"""The longest names on every screen."""

from pathlib import Path

import pytest

from companion.core.limits import NAME_SIGNS
from tests.display import gallery, laws, show_moments

LONG = tuple(f"{letter}{'W' * (NAME_SIGNS - 1)}" for letter in "ABCDE")


@pytest.mark.parametrize("seats", [2, 5])
def test_longest_names_stay_in_their_rooms(seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (gallery, show_moments):
        monkeypatch.setattr(module, "NAMES", LONG)
    frames = show_moments.frames(tmp_path, seats).items()
    apart = (laws.stays_in_its_room, laws.does_not_overlap)
    faults = [
        f"{name} on {size}: {fault}"
        for name, frame in frames
        for size in ((800, 480), (720, 1280))
        for law in apart
        for fault in law(frame, gallery.placed(frame, size), size)
    ]
    assert not faults, "\n".join(faults)
