"""Pictures of statistics: layout, legibility, and golden copies of pictures, reports and JSON.

`pytest tests/records/test_stats_pictures.py --update-golden` renews the copies.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from companion.display import theme
from companion.display.canvas import Canvas
from companion.games import all_games
from companion.records.history import KeptRecord, kept
from companion.records.stats import Statistics, statistics
from companion.records.stats_pictures import PICTURES, SIZE, draw, picture
from companion.records.stats_text import report, to_json
from tests import pictures
from tests.running import Here
from tests.stats_matches import Hand, play, tiny

GOLDEN = Path(__file__).parent

LEAST_PX = 8
"""The height of the smallest capitals."""

LEAST_CONTRAST = 4.5
MANY = tuple(f"Player number {number}" for number in range(12))


def one_match() -> Statistics:
    return statistics([Hand(("Anna", "Ben")).call((0, 412, 0.2)).over(0).kept()])


def same_instant() -> Statistics:
    hand = Hand(("Anna", "Ben")).call((0, 412, 0), (1, 412, 0)).over(0, 1)
    return statistics([hand.kept("2026-01-01-200000-tiny")])


def crowd() -> Statistics:
    """Twelve players with long names, six games, calls of all speeds."""
    records = []
    for number in range(120):
        names = ("Maximilienne", *(MANY[(number + seat) % len(MANY)] for seat in range(4)))
        hand = Hand(names, tiny(f"game {number % 6}"))
        for at in range(1, 8):
            hand.call((at % 5, 40 * at * at + number, 10), ((at + 1) % 5, 40 * at * at + number + at * 3, 1))
        records.append(hand.over(number % 3).kept(f"2026-01-01-{number:06}-de_et_boulanger"))
    return statistics(records)


def some_games() -> Statistics:
    """Two games, one with unequal seats, an unfinished match, a demo and a damaged record."""
    two = ("Anna", "Ben")
    goose = [Hand(two, tiny("goose")).call((0, 350 + n, 0.2)).over(min(n % 4, 1)).kept() for n in range(40)]
    ludo = [Hand(("Ben", "Cleo", "Dan"), tiny("ludo")).wait(900 * n).over(n % 3).kept() for n in range(15)]
    close = Hand(("Ben", "Cleo", "Dan"), tiny("ludo"))
    for apart_ms in (0.4, 3, 11, 11.5):
        close.call((0, 300, 0.2), (1, 300 + apart_ms, 0.2))
    ludo.append(close.over(1).kept("2026-01-01-200000-de_et_boulanger-copy-12"))
    others = [Hand().kept(), Hand(demo=True).over(0).kept(), KeptRecord("milk", None)]
    return statistics([*goose, *ludo, *others])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight robot matches, two of each game."""
    where = tmp_path_factory.mktemp("matches")
    assert len(list(play(where, 8))) == 8
    return where


SETS = ("one", "same instant", "crowd", "robots")


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, Statistics]:
    """The statistics of each set."""
    robots = statistics(kept(folder, all_games()))
    return dict(zip(SETS, (one_match(), same_instant(), crowd(), robots), strict=True))


def troubles(canvas: Canvas) -> Iterator[str]:
    for number, item in enumerate(canvas.placed):
        if not item.room.inflate(2, 2).contains(item.rect) or not canvas.rect.contains(item.rect):
            yield f"{item.what!r} at {tuple(item.rect)} leaves its room"
        if item.cap_px < LEAST_PX:
            yield f"{item.what!r} has capitals of {item.cap_px} px"
        if theme.contrast(item.colour, item.on) < LEAST_CONTRAST:
            yield f"{item.what!r} is faint"
        for other in canvas.placed[number + 1 :]:
            if item.rect.inflate(-1, -1).colliderect(other.rect.inflate(-1, -1)):
                yield f"{item.what!r} overlaps {other.what!r}"


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("records", SETS)
def test_every_picture_fits_and_is_legible(found: dict[str, Statistics], name: str, records: str) -> None:
    canvas = picture(found[records], PICTURES[name])
    if (name, records) == ("finishes", "one"):
        assert canvas is None  # a single call is not a photo finish
        return
    assert canvas
    assert list(troubles(canvas)) == []


@pytest.mark.parametrize("made", [one_match, same_instant, crowd, some_games])
def test_reports_and_pictures_match_the_golden_files(
    made: Callable[[], Statistics], request: pytest.FixtureRequest
) -> None:
    found = made()
    sheet = pictures.sheet([drawn.surface for paint in PICTURES.values() if (drawn := picture(found, paint))])
    told = {".txt": report(found, Path("matches"))}
    if made is not crowd:  # its JSON is long
        told[".json"] = json.dumps(to_json(found), indent=1)
    golden = GOLDEN / f"stats-{made.__name__}.png"
    if request.config.getoption("update_golden"):
        pictures.write(golden, sheet)
        for suffix, text in told.items():
            golden.with_suffix(suffix).write_text(f"{text}\n", "utf-8")
    assert pictures.wrong(sheet, golden) == 0
    for suffix, text in told.items():
        assert f"{text}\n" == golden.with_suffix(suffix).read_text("utf-8")


def test_pictures_are_written_as_files(found: dict[str, Statistics], tmp_path: Path) -> None:
    drawn = draw(found["robots"], tmp_path / "new" / "folder")
    assert [path.name for path in drawn] == ["reactions.png", "seats.png", "finishes.png"]
    for path in drawn:
        assert pygame.image.load(path).get_size() == SIZE
    assert draw(statistics([]), tmp_path) == []


def test_command_names_the_pictures_it_wrote(folder: Path, tmp_path: Path, companion_here: Here) -> None:
    done = companion_here("stats", "--folder", folder, "--pictures", "drawn")
    assert done.returncode == 0
    assert done.stdout.endswith(
        "drawn/reactions.png written\ndrawn/seats.png written\ndrawn/finishes.png written\n"
    )
    done = companion_here("stats", "--folder", folder, "--pictures", "drawn", "--json")
    assert len(done.stdout.splitlines()) == 1
