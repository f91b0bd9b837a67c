"""The shows of the gallery: modules `show_*.py`.

A show has `SEATS`, `frames(folder, seats)`, and `CAPTIONS` of frames by name.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeVar

from companion.core import text
from companion.display.frame import Frame

Way = TypeVar("Way")

WIDE: Final = (800, 480)
TALL: Final = (720, 1280)
SIZES: Final = (WIDE, TALL)
"""The displays of the gallery."""

PAGES: Final = {
    "moments": ("table", "At the table", "photo_finish"),
    "looks": ("looks", "Easier to see", "large_buro_crazy"),
    "selftest": ("self_test", "The self-test", "half"),
    "bh": ("buntherum", "Buntherum", "open_long"),
    "bc": ("buro_crazy", "Büro Crazy", "effects"),
    "bb": ("boese_buben", "Böse Buben", "race_end"),
    "db": ("de_et_boulanger", "Dé et Boulanger", "rolled"),
    "an": ("any", "Any other game", "first_open"),
    "box": ("box", "Your own box", "board"),
    "evenings": ("evenings", "Real pieces", "buro_crazy_order"),
    "past": ("past", "What was played before", "replay_photo"),
}
"""Folder, heading and tall frame of each show, in the order of the page."""


class Module(Protocol):
    """The interface of a show's module."""

    SEATS: Sequence[int]

    def frames(self, folder: Path, seats: int) -> dict[str, Frame]:
        """Return all frames of a table; hosts write to `folder`."""


class Show(NamedTuple):
    """A show: folder, heading, the frame for tall displays, module."""

    folder: str
    title: str
    tall: str
    module: Module

    @property
    def captions(self) -> Mapping[str, str]:
        return getattr(self.module, "CAPTIONS", {})


@cache
def all_shows() -> dict[str, Show]:
    found = {path.stem.removeprefix("show_") for path in Path(__file__).parent.glob("show_*.py")}
    missing = found - set(PAGES)
    if missing:
        raise LookupError(f"PAGES has no heading for {sorted(missing)}")
    modules = {name: import_module(f"tests.display.show_{name}") for name in PAGES if name in found}
    return {PAGES[name][0]: Show(*PAGES[name], module) for name, module in modules.items()}


@contextmanager
def in_language(language: str) -> Iterator[None]:
    before = os.environ.get("LANGUAGE")
    os.environ["LANGUAGE"] = language
    text.translations.cache_clear()
    try:
        yield
    finally:
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before
        text.translations.cache_clear()


def frames_of(
    show: Show, folder: Path, language: str = "en", seats: Sequence[int] = ()
) -> dict[int, dict[str, Frame]]:
    """Return a show's frames by number of seats and by name; `seats` restricts the numbers."""
    with in_language(language):
        return {n: show.module.frames(folder / show.folder / str(n), n) for n in seats or show.module.SEATS}


def sheets_of(frames: Mapping[int, Mapping[str, Frame]]) -> dict[str, list[Frame]]:
    """Return the frames of each sheet by name, without those that look alike."""
    sheets: dict[str, list[Frame]] = {}
    for each in frames.values():
        for name, frame in each.items():
            sheet = sheets.setdefault(name, [])
            if not any(frame.looks_like(other) for other in sheet):
                sheet.append(frame)
    return sheets


def sizes_of(show: str, name: str) -> tuple[tuple[int, int], ...]:
    return SIZES if name == all_shows()[show].tall else (WIDE,)


def shown_at(size: tuple[int, int], sheet: list[Frame]) -> list[Frame]:
    """A tall display shows only the fullest table."""
    return sheet if size == WIDE else sheet[-1:]


def by_turns(frames: Mapping[int, Mapping[str, Frame]], ways: Sequence[Way]) -> Iterator[tuple[str, Frame, Way]]:
    """Yield a name, a frame, and one of the `ways` in turn.

    Every way meets every kind of screen; all combinations would take minutes. Frames of one way come together, to
    share drawings.
    """
    step = len(ways)
    for number, way in enumerate(ways):
        for turn, (seats, named) in enumerate(frames.items()):
            for name, frame in islice(named.items(), (number - turn * (step // 2)) % step, None, step):
                yield f"{name}, {seats} seats, {way}", frame, way
