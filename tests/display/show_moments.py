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
    "attract": "The attract screen: nobody sits at the table.",
    "join": "Players press their buzzers to sit down; robots take free seats.",
    "games": "All games; a grey one is for another number of players.",
    "table_menu": "The menu of the table.",
    "settings": "The settings.",
    "pause": "The menu of a pause.",
    "rulings_help": "House rules before a match; A explains the game.",
    "rulings_page": "The second page of house rules.",
    "help_games": "Help: choose a game.",
    "help_about": "Help: what a game is about.",
    "help_duel": "Help: a duel.",
    "help_keys": "Help: the keys of a game.",
    "help_steps": "Help: keys for directions, as on the keypad.",
    "help_rulings": "The house rules in force, with a star where they are not the rulebook's.",
    "device": "A seat has lost a device: the match waits.",
    "trouble": "Something is wrong, and what to do.",
    "photo_answer": "The first caller has to answer; the strips say by how much.",
    "photo_finish": "All presses of a contested call, after the answer.",
    "photo_tie": "A tie: the card is played off.",
    "photo_handicap": "A call with a handicap; stripes begin where it was made.",
    "photo_early": "A false start, and a press that was reported too late.",
    "photo_again": "The last photo finish, from the pause.",
    "reminded": "A reminder: the strip of the player who must act is white, with a bell.",
    "limit": "A time limit: the light of the strip shrinks.",
    "limit_race": "A time limit for all: the card is skipped if nobody calls.",
    "drum": "All bids are locked; the drum rolls.",
    "revealed": "Both bids at once.",
    "reveal_over": "The consequences of the bids, on the strips.",
    "result_cards": "The result of Buntherum, with the cards left.",
    "result_floors": "The result of Büro Crazy, with the height of each figure.",
    "result_ducats": "The result of Böse Buben: all purses are shown.",
    "result_sous": "The result of Dé et Boulanger, with each player's earnings.",
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
