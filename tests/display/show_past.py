"""Frames of past matches: the list, replays, photo finishes, statistics."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.core.match import Match
from companion.display.frame import Beat, Frame, Menu, PastMatches, Play
from companion.games import load
from companion.match.new_match import new_match
from companion.referee.journal import Journal
from tests.display.gallery import Table, answer
from tests.display.show_moments import MS, contested, whole
from tests.stats_matches import play

SEATS: Final = (2, 5)

ROBOTS: Final = 24
"""Number of matches behind the statistics."""

CAPTIONS: Final = {
    "list": "Past matches, newest first.",
    "list_older": "The last page: an unfinished match, one of robots for show, a damaged one.",
    "match": "The menu of a past match.",
    "replay_begin": "A replay begins; the band below shows how far it is.",
    "replay_buntherum": "A contested call in a replay; a key opens its photo finish.",
    "replay_buro_crazy": "Both bids of a duel in a replay.",
    "replay_boese_buben": "Böse Buben in a replay, without hands.",
    "replay_de_et_boulanger": "Dé et Boulanger in a replay that runs by itself.",
    "replay_photo": "The photo finish of an old call.",
    "photos": "All photo finishes of a match, one by one.",
    "result": "The result of a past match.",
    "stats_reading": "Statistics are being read.",
    "stats_hall": "The hall of fame: most wins and other records.",
    "stats_games": "Games played, and for how long.",
    "stats_players": "Wins: each share with its interval, beside chance.",
    "stats_seats": "Whether a seat of a game is better than another.",
    "stats_reactions": "How fast each player calls.",
    "stats_finishes": "The closest calls.",
}


def _keep(folder: Path, day: str, match: Match) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{day}-183000-{match.game.name}.record"
    Journal.create(path, match).close()
    return path


def _records(folder: Path, seats: int) -> Path:
    kept = folder / "kept"
    _keep(kept, "2026-10-31", _called(folder, seats))
    damaged = _keep(kept, "2026-11-01", whole("buntherum", seats))
    damaged.write_bytes(damaged.read_bytes()[:-400])
    show = new_match(load("buntherum"), whole("buntherum", 2).names, demo=True)
    _keep(kept, "2026-11-02", show)
    (kept / "2026-11-03-170000-buntherum.record").write_text("milk\n")
    games = ("buntherum", "buro_crazy", "boese_buben", "de_et_boulanger")
    for day in range(6):
        _keep(kept, f"2026-12-{24 - day}", whole(games[day % 4], seats if day < 4 else 2))
    return kept


def _called(folder: Path, seats: int) -> Match:
    table = contested(folder / "called", seats)
    match: Match = table.host.session.match
    table.press(str(answer(match, right=True)), place=1).wait(5_000 * MS)
    return match


def _listed(folder: Path) -> Table:
    # The unfinished match is offered first.
    return _filled(_line(Table(folder).press("2").press("0"), "history"))


def _line(table: Table, picture: str) -> Table:
    """Choose a menu line by its drawing, in any language."""
    assert isinstance(table.frame.screen, Menu)
    return table.press(str(table.frame.screen.pictures.index(picture) + 1))


def _filled(table: Table) -> Table:
    while isinstance(table.frame.screen, PastMatches) and any(
        line.note == "…" for line in table.frame.screen.lines
    ):
        table.wait(2 * MS)
    return table


def _replayed(folder: Path, match: Match, steps: int = 0) -> Table:
    _keep(folder, "2026-12-24", match)
    table = Table(folder)
    if match.outcome is None:
        table.press("2")  # does not resume it
    return _line(_filled(_line(table.press("0"), "history")).press("1"), "arrow").press(*["6"] * steps)


def _lists(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    kept = _records(folder, seats)
    newest, oldest = _listed(kept), _filled(_listed(kept).press("8"))
    yield "list", newest.frame
    yield "list_older", oldest.frame
    yield "match", newest.press("1").frame
    yield "result", _line(newest, "cup_trophy").frame
    yield "photos", _line(oldest.press("3"), "camera").frame


def _replays(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    called = _replayed(folder / "called_again", _called(folder / "again", seats))
    yield "replay_begin", called.frame
    yield "replay_photo", called.press("8").frame
    yield "replay_buntherum", called.press("8").frame
    office = _replayed(folder / "office", whole("buro_crazy", max(3, seats)), 20)
    while not (isinstance(office.frame.screen, Play) and office.frame.screen.beat == Beat.REVEALED):
        office.press("6")
    yield "replay_buro_crazy", office.frame
    yield "replay_boese_buben", _replayed(folder / "buddies", whole("boese_buben", seats), 30).frame
    yield (
        "replay_de_et_boulanger",
        _replayed(folder / "baker", whole("de_et_boulanger", seats), 90).press("5").frame,
    )


@cache
def _robots() -> TemporaryDirectory[str]:
    folder = TemporaryDirectory()
    list(play(Path(folder.name), ROBOTS))
    return folder


@cache
def _statistics(language: str) -> dict[str, Frame]:
    """Return the pages in a language, the same for every number of seats."""
    table = _line(Table(Path(_robots().name)).press("0"), "bars")
    found = {"stats_reading": table.frame}
    while not table.frame.sides[0].name.startswith(f"{ROBOTS} "):  # before, it says how many are read
        table.wait(2 * MS)
    hall = found["stats_hall"] = table.frame
    while table.frame.screen.title == hall.screen.title:
        table.press("6")
    for name in ("games", "players", "seats"):
        found[f"stats_{name}"] = table.frame
        table.press("6")
    found["stats_finishes"] = table.press("1", "4").frame
    found["stats_reactions"] = table.press("4").frame
    return found


def frames(folder: Path, seats: int) -> dict[str, Frame]:
    found = {name: frame for make in (_lists, _replays) for name, frame in make(folder / str(seats), seats)}
    return found | _statistics(os.environ["LANGUAGE"])
