"""The pages of statistics at a table, which grow while records are read."""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from companion.core.clock import PlanningClock
from companion.core.console import BUZZ
from companion.core.place import HOUSE
from companion.core.text import reader
from companion.display import theme
from companion.display.frame import Menu, Poster
from companion.display.rows import PLAYER_COLOURS, CloseCall, GamePlayed, Share, StatsPage, Times
from companion.games import all_games
from companion.records.evening_out import NEWEST
from companion.records.history import kept
from companion.records.stats import statistics
from companion.records.stats_rows import inks_of, seat_rows, signs, times_rows
from companion.records.stats_text import proposed
from companion.referee import journal
from companion.screens.long_work import LongWork
from tests.host_bench import Bench
from tests.stats_matches import play, played

COUNT = 8

PLAYED = "Games played"


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches of all games."""
    folder = tmp_path_factory.mktemp("robots")
    assert len(list(play(folder, COUNT))) == COUNT
    return folder


def begun(folder: Path) -> Bench:
    return Bench(folder).visit("Statistics")


def counted(folder: Path) -> Bench:
    bench = begun(folder)
    assert bench.until(lambda: "read" not in bench.frame.sides[0].name, 60)
    return bench


def page(bench: Bench) -> StatsPage:
    assert isinstance(bench.screen, StatsPage), bench.screen
    return bench.screen


def all_pages(bench: Bench) -> list[StatsPage]:
    found = [page(bench)]
    while found[-1].page < found[-1].of:
        bench.press(0, BUZZ)
        found.append(page(bench))
    return found


def after_the_hall(bench: Bench) -> list[StatsPage]:
    pages = all_pages(bench)
    first = next(number for number, each in enumerate(pages) if each.title == PLAYED)
    assert {each.title for each in pages[:first]} == {"Hall of fame"}
    return pages[first:]


def games_played(bench: Bench) -> tuple[GamePlayed, ...]:
    [rows] = [rows for title, rows, _ in bench.host.frames.overlays.top._pages if str(title) == PLAYED]
    return rows


def test_pages_agree_with_the_command(robots: Path) -> None:
    found = statistics(kept(robots, all_games()))
    played, players, *others = after_the_hall(counted(robots))
    assert [row.title for row in played.rows if isinstance(row, GamePlayed)] == [
        str(game.title) for game in found.games
    ]
    wins = {
        row.label[:2]: (row.share, row.low, row.high, row.luck) for row in players.rows if isinstance(row, Share)
    }
    assert wins == {
        (each.who, "1 match" if each.matches == 1 else f"{each.matches} matches"): (
            each.share,
            *each.interval,
            each.expected_share,
        )
        for each in found.players
    }
    seats = [each for each in others if isinstance(each.rows[0], Share)]
    assert [len(each.rows) for each in seats] == [len(game.seats) for game in found.games]
    times = [row for each in others for row in each.rows if isinstance(row, Times)]
    assert [row.label.name for row in times] == [each.who for each in found.reactions]
    close = [row for each in others for row in each.rows if isinstance(row, CloseCall)]
    assert [row.after_ms for row in close] == [finish.margin_ns / 1e6 for finish in found.finishes[: len(close)]]


def test_proposed_handicaps_use_the_newest_matches(tmp_path: Path) -> None:
    [match, *_] = played(tmp_path / "robots", "boese_buben", 1)
    at_end = match.game.teller.score(match.view())
    ahead, behind = sorted(range(2), key=lambda seat: -at_end[seat])
    assert at_end[ahead] > at_end[behind]
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(NEWEST + 20):
        text = match.dumps().replace('[Seed "', f'[Seed "{number} of ')
        for seat, name in zip((ahead, behind), ("Anna", "Ben") if number < 20 else ("Ben", "Anna"), strict=True):
            text = re.sub(rf'(?<=\[Seat{seat + 1} ").*(?="\])', name, text)
        (folder / f"2026-01-01-{number:06}-boese_buben.record").write_text(text, "utf-8")
    pages = all_pages(counted(folder))
    [row] = next(each.rows for each in pages if each.title == "Handicaps that would make it even")
    [proposal] = statistics(kept(folder, all_games())).games[0].proposals
    assert isinstance(row, GamePlayed)
    assert (row.title, proposal.who, proposal.matches) == ("Anna", "Anna", NEWEST)
    assert row.matches == str(proposed("boese_buben", proposal)[0])


def test_player_has_one_colour_on_all_pages(robots: Path) -> None:
    labels = [
        row.label for each in all_pages(counted(robots)) for row in each.rows if isinstance(row, Share | Times)
    ]
    colours = {(label.name, label.colour) for label in labels if label.colour}
    assert len(colours) == len({name for name, _ in colours}) == 5


def test_times_use_the_decimal_separator_of_the_locale(robots: Path) -> None:
    found = statistics(kept(robots, all_games()))
    for language, point in (("en", "."), ("fr", ",")):
        rows = times_rows(found, inks_of(found), read=reader(language))
        assert all(re.fullmatch(rf"\d+{re.escape(point)}\d\d s", row.told) for row in rows)
        assert signs(reader(language)).point == point


def test_shares_use_the_percent_format_of_the_locale(robots: Path) -> None:
    game = statistics(kept(robots, all_games())).games[0]
    for language, sign in (("en", "%"), ("fr", "\N{NARROW NO-BREAK SPACE}%")):
        rows = seat_rows(game, reader(language))
        assert all(re.fullmatch(rf"\d+{sign}", row.told) for row in rows)
        assert signs(reader(language)).percent == sign


def test_palette_matches_the_display() -> None:
    assert list(PLAYER_COLOURS) == list(theme.INKS)


def test_pages_turn_both_ways_and_by_number(robots: Path) -> None:
    bench = counted(robots)
    of = page(bench).of
    bench.house("4")
    assert page(bench).page == of
    bench.house("6")
    assert page(bench).page == 1
    bench.house("3")
    assert page(bench).page == 3
    bench.house("9" if of < 9 else "0")
    assert page(bench).page == 3


def test_pages_grow_while_records_are_read(robots: Path) -> None:
    bench = begun(robots)
    assert isinstance(bench.screen, Poster)
    assert bench.frame.sides[0].name == f"0 of {COUNT} read"
    assert bench.until(lambda: isinstance(bench.screen, StatsPage), 60)
    assert page(bench).title == "Hall of fame"
    first = sum(int(row.matches.split()[0]) for row in games_played(bench))
    assert bench.until(lambda: bench.frame.sides[0].name == f"{COUNT} matches", 60)
    last = sum(int(row.matches.split()[0]) for row in games_played(bench))
    assert 0 < first < last == COUNT


def test_newest_matches_are_counted_first(robots: Path) -> None:
    bench = begun(robots)
    assert bench.until(lambda: isinstance(bench.screen, StatsPage), 60)
    titles = {row.title for row in games_played(bench)}
    oldest_first = [str(each.opened.match.game.title) for each in kept(robots, all_games()) if each.opened]
    assert titles == set(oldest_first[-len(titles) :])
    assert titles != set(oldest_first[: len(titles)]), "so which come first makes a difference"


def test_leaving_stops_the_reading(robots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = begun(robots)
    bench.hand(HOUSE, "*")
    assert isinstance(bench.screen, Menu)
    monkeypatch.setattr(journal, "read_regular", lambda path, _: pytest.fail(f"{path} is read"))
    bench.wait(60)
    assert isinstance(bench.screen, Menu)


def test_missing_matches_are_reported(tmp_path: Path) -> None:
    bench = begun(tmp_path)
    assert bench.poster.lines == ("No finished matches yet",)
    assert [side.note for side in bench.frame.sides] == [""]
    bench.press(0, BUZZ)
    bench.house("4", "1", "*")
    assert isinstance(bench.screen, Menu)


def test_uncounted_records_are_listed(robots: Path, tmp_path: Path) -> None:
    folder = tmp_path / "some"
    folder.mkdir()
    whole, damaged = sorted(robots.glob("*.record"))[:2]
    (folder / whole.name).write_bytes(whole.read_bytes())
    (folder / damaged.name).write_bytes(damaged.read_bytes()[:-300])
    (folder / "2026-01-01-090000-buntherum.record").write_text("milk\n")
    bench = counted(folder)
    [note] = [each.note for each in all_pages(bench) if each.title == PLAYED]
    assert note == "Not counted: 0 unfinished, 0 robot demos, 2 damaged"


# --- Work in pieces ---------------------------------------------------------------------------------------


class _Clock(PlanningClock):
    t_ns = 0

    def now_ns(self) -> int:
        return self.t_ns


def test_work_is_done_in_single_pieces() -> None:
    clock, done = _Clock(), []

    def work() -> Iterator[None]:
        for number in count():
            done.append(number)
            yield

    work_ = LongWork(clock, work())
    for number in range(3):
        assert done == list(range(number))
        due_ns = clock.next_ns()
        assert due_ns is not None
        assert due_ns > clock.t_ns  # there is time for something else
        clock.t_ns = due_ns
        clock.act_due()
    work_.stop()
    clock.t_ns += 1_000_000_000
    clock.act_due()
    assert done == [0, 1, 2]
    assert clock.next_ns() is None
