"""Frames of lobby, menus, trouble, results, photo finishes and reveals."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from companion.core.console import BUZZ, TURN
from companion.core.match import Match
from companion.core.signal import PC, Signal
from companion.core.text import msg
from companion.display.frame import Frame
from companion.games import load
from companion.games.buro_crazy.rules import Phase
from companion.match import centre
from companion.match.new_match import new_match
from companion.referee.input_gate import READ_NS
from companion.table.house_rules import rulings_menu
from companion.table.match_menus import VERDICT_NS
from tests.display.gallery import NAMES, Table, answer, be_right, call, fill, flip, new
from tests.running import played

SEATS: Final = (2, 5)

MS: Final = 1_000_000

CAPTIONS: Final = {
    "attract": "Nobody sits at the table yet.",
    "join": "Players press their buzzers to sit down; robots take free seats.",
    "games": "All games; a grey one is for another number of players.",
    "table_menu": "What can be done where nobody plays.",
    "settings": "What can be changed at the table.",
    "pause": "The menu of a pause.",
    "rulings_help": "House rules before a match; A says how the game is played.",
    "rulings_page": "The second page of the house rules; 0 turns to the next one.",
    "help_games": "The games to read about.",
    "help_about": "The first page of the help: what a game is about.",
    "help_duel": "A page of the help.",
    "help_keys": "The keys of a game: a cap for each.",
    "help_steps": "Keys that mean directions, as they lie on the keypad.",
    "help_rulings": "The rulings in force: a star where they are not the rulebook's.",
    "device": "A device of a seat is missing: the match waits for it.",
    "trouble": "Something is wrong, and what to do about it.",
    "photo_answer": "Who was first has to answer; the strips say by how much.",
    "photo_finish": "Every press of a contested call, after the answer and before the next card.",
    "photo_tie": "A call that nobody won: the card is played off.",
    "photo_handicap": "A call that is put back by its handicap, which the stripes show from when it was made.",
    "photo_early": "A false start, and a press that was reported too late to count.",
    "photo_again": "The last photo finish, looked at again in a pause.",
    "reminded": "Who has to act and does not is reminded: the strip is white and has a bell.",
    "limit": "Seconds to answer: the light of the strip shrinks to its middle.",
    "limit_race": "A card that is skipped when nobody calls: everybody's strip shrinks.",
    "drum": "All bids of a duel are locked; the drum rolls.",
    "revealed": "Both bids at once.",
    "reveal_over": "What follows from the bids, on the strips.",
    "result_cards": "The result of Buntherum, and how many cards each had left.",
    "result_floors": "The result of Büro Crazy, and how far up the figures of each came.",
    "result_ducats": "The result of Böse Buben: nobody knew the others' purses.",
    "result_sous": "The result of Dé et Boulanger, and how much each earned.",
}


def _press(table: Table, *presses: tuple[int, float, float]) -> None:
    """Press buzzers: (seat, ms from now, uncertainty in ms)."""
    now_ns = table.clock.now_ns()
    for seat, at_ms, half_ms in presses:
        t_ns = now_ns + round(at_ms * MS)
        for pressed, after_ns in ((True, 0), (False, 60 * MS)):
            table.clock.jump(now_ns + 100 * MS)
            when_ns = t_ns + after_ns
            table.host.signal(Signal(PC, seat, BUZZ, when_ns, round(half_ms * MS), table.clock.now_ns(), pressed))
    table.wait(60 * MS)


def contested(folder: Path, seats: int, *, tie: bool = False) -> Table:
    table = Table(folder, flip(fill(new(seats), 3, 8)))
    table.wait(400 * MS)
    second = 6.3 if tie else 12.4
    presses = [(1, 0.0, 0.4), (0, second, 0.6), (4, 31.0, 1.5), (2, 57.8, 0.2)]
    if tie:
        presses = [(1, 0.0, 2.0), (0, 3.1, 2.0), (3, 24.0, 2.0)]
    _press(table, *(press for press in presses if press[0] < seats))
    return table


def _early(folder: Path, seats: int) -> Table:
    """Return a table with an early press and a late report."""
    match = fill(new(seats), 3, 8)
    table = Table(folder, match)
    _press(table, (0, 300, 0.4))
    table.wait(700 * MS).press(TURN, place=match.state.flipper).wait(700 * MS)
    began_ns = table.clock.now_ns()
    _press(table, (1, 0.0, 0.4), (0, 22.5, 0.6))
    if seats > 2:
        ago_ms = (began_ns - table.clock.now_ns()) / MS
        _press(table, (2, ago_ms - 6.2, 0.5))
    return table.press(str(answer(match, right=True)), place=1).wait(1_000 * MS)


def _handicapped(folder: Path, seats: int) -> Table:
    """Return a table whose fastest seat is second by a handicap."""
    match = fill(new(seats, handicap_2=350), 3, 8)
    table = Table(folder, flip(match)).wait(400 * MS)
    _press(table, (1, 0.0, 0.4))
    table.wait(170 * MS)
    _press(table, (0, 0.0, 0.6), *([(2, 45.2, 0.2)] if seats > 2 else []))
    return table.press(str(answer(match, right=True)), place=0).wait(1_000 * MS)


def _handicaps(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    yield "photo_handicap", _handicapped(folder / "handicap", seats).frame


def _photos(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    table = contested(folder / "photo", seats)
    yield "photo_answer", table.frame
    match = table.host.session.match
    table.press(str(answer(match, right=True)), place=1).wait(1_000 * MS)
    yield "photo_finish", table.frame
    yield "photo_again", table.wait(3_000 * MS).press("pause").menu("Photo").frame
    yield "photo_early", _early(folder / "early", seats).frame
    tied = contested(folder / "tied", seats, tie=True)
    yield "photo_tie", tied.wait(1_000 * MS).frame


def duel(seats: int, phase: Any = Phase.BID) -> Match:
    game = load("buro_crazy")
    match = new_match(game, NAMES[:seats], seed="gallery")
    while match.state.phase != phase:
        match.push(game.rules.draws(match.state)[0])
    return match


def _reveals(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    match = duel(max(3, seats))
    table = Table(folder / "reveal", match).wait(READ_NS)
    one, other = match.state.duel
    table.press("5", "2", "#", place=one).press("4", "4", "1", "#", place=other)
    yield "drum", table.frame
    yield "revealed", table.wait(700 * MS).frame
    yield "reveal_over", table.wait(3_000 * MS).frame


def _paces(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    table = Table(folder / "reminded", duel(max(3, seats)))
    yield "reminded", table.wait(10_000 * MS).frame
    yield "limit", Table(folder / "limit", call(flip(fill(new(seats), 3, 8)), seats - 1)).frame
    race = flip(fill(new(seats, nobody_after_s=20), 3, 8))
    yield "limit_race", Table(folder / "limit_race", race).frame


def _lobby(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    table = Table(folder / "lobby")
    yield "attract", table.frame
    for place in range(seats):
        table.press(BUZZ, place=place)
    yield "join", table.press("B", place=seats - 1).frame
    yield "games", table.press("#").frame
    table = Table(folder / "menus").press("menu")
    yield "table_menu", table.frame
    yield "settings", table.menu("Settings").frame
    match = be_right(fill(new(seats), 2, 4), 1)
    yield "pause", Table(folder / "pause", flip(match)).press("pause").frame
    gone = centre.troubles({0: msg("Seat 1: the buzzer at line 17 does not answer; check its wire")})
    yield "device", Table(folder / "device", flip(fill(new(seats), 2, 4))).frame._replace(screen=gone)
    nowhere = "/dev/null/volumes/family-table/matches"
    yield "trouble", Table(folder, new(seats), journal=nowhere).frame


def _helps(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    table = Table(folder / "help").press("0").menu("How")
    yield "help_games", table.frame
    yield "help_about", table.press("1").frame
    yield "help_keys", table.press("#", "#", "#").frame
    table = Table(folder / "duel").press("0").menu("How")
    yield "help_duel", table.press("3", "#").frame
    table = Table(folder / "steps").press("0").menu("How")
    yield "help_steps", table.press(*"4####").frame
    table = Table(folder / "rulings")
    for place in range(seats):
        table.press(BUZZ, place=place)
    table.press("#").menu("Buntherum").press("4", "6", place=0).press("0", "1", place=0)
    yield "rulings_help", table.frame
    game = load("buntherum")
    long = rulings_menu(game, game.rulings(), *[lambda *_: None] * 3)._replace(selected=9)
    yield "rulings_page", table.frame._replace(screen=centre.menu(long, table.host.services.settings.read))
    yield "help_rulings", table.press("A", *"#####").frame


def whole(name: str, seats: int) -> Match:
    allowed = load(name).rules.SEATS
    return played(name, NAMES[: min(max(seats, allowed[0]), allowed[-1])], "gallery")


def _results(folder: Path, seats: int) -> Iterator[tuple[str, Frame]]:
    told = {"buntherum": "cards", "buro_crazy": "floors", "boese_buben": "ducats", "de_et_boulanger": "sous"}
    for name, what in told.items():
        yield f"result_{what}", Table(folder / name, whole(name, seats)).wait(VERDICT_NS).wait(VERDICT_NS).frame


def frames(folder: Path, seats: int) -> dict[str, Frame]:
    makers = (_lobby, _helps, _photos, _paces, _reveals, _results, _handicaps)
    return {name: frame for make in makers for name, frame in make(folder / str(seats), seats)}
