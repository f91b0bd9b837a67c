"""Collects what tables report, for a wall that shows them all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.club import topics, views
from companion.club.tournament import Tournament
from companion.core.console import Call
from companion.core.game import Game
from companion.core.move import Seat
from companion.core.place import MOST_PLACES
from companion.core.text import Render, msg, printable, shortened
from companion.display.frame import (
    Beat,
    PhotoFinish,
    Play,
    PressLine,
    Wall,
    WallBoard,
    WallRow,
    WallSeat,
)
from companion.referee.events import Verdict

TABLES: Final = 200
"""Maximum tables shown; others are counted."""

A_PAGE: Final = 12
"""Maximum tables per page, legible across a hall."""

PAGE_NS: Final = 10_000_000_000
FINISH_NS: Final = 4_000_000_000
"""How long a photo finish covers its board."""

NAME_SIGNS: Final = 24
CALLS: Final = 8
MOST_NS: Final = 10**11
"""Maximum time between presses in a photo finish."""

SCORE_MOST: Final = 999_999_999

KINDS: Final = frozenset({topics.ONLINE, topics.STATE, topics.VERDICT})


@dataclass
class _Table:
    name: str
    online: bool = True
    board: WallBoard | None = None
    finish: PhotoFinish | None = None
    until_ns: int = 0
    colours: tuple[str, ...] = ()
    match: str = ""


class Hall:
    """The tables of a club. `take` receives their messages, `wall` returns what to show."""

    def __init__(self, games: Mapping[str, Game], title: str, read: Render = str) -> None:
        self._games, self._title, self._read = games, title, read
        self._tables: dict[str, _Table] = {}
        self._more: set[str] = set()

    def take(self, table: str, kind: str, data: bytes, now_ns: int) -> None:
        """Apply a table's message. Raise one of `topics.NO_MESSAGE` if it is invalid."""
        if kind not in KINDS:
            return
        if table not in self._tables and len(self._tables) >= TABLES:
            if len(self._more) < TABLES:
                self._more.add(table)
            return
        if kind == topics.ONLINE and not data:  # the table was renamed
            self._tables.pop(table, None)
            return
        found = topics.read_payload(data)
        known = self._tables.get(table) or _Table(table)
        if kind == topics.ONLINE:
            known.online = found["online"] is True
            known.name = _words(found["name"])
        elif kind == topics.STATE:
            self._take_state(known, found)
        else:
            self._take_verdict(known, found, now_ns)
        self._tables[table] = known

    def _take_state(self, known: _Table, found: Mapping[str, Any]) -> None:
        if found["match"] is None:
            known.board, known.match = None, ""
            return
        game = self._games.get(str(found["game"]))
        names = [_words(name) for name in found["players"]][:MOST_PLACES]
        scores = [_number(score, -SCORE_MOST, SCORE_MOST) for score in found["scores"]]
        if len(scores) != len(names) or len(names) < 2:
            raise ValueError("not each player has a score")
        turn, over = set(found["turn"]), found["over"] is True
        play, colours = None, ("",) * len(names)
        if game and "view" in found:
            view = views.read(game, found["view"])
            play = Play(game.scene, view)
            colours = (*game.teller.colours(view), *colours)[: len(names)]
        first = found["ranking"][0] if over else found["leads"]
        seats = tuple(
            WallSeat(
                name,
                colours[seat],
                "" if score is None else str(score),
                seat + 1 in turn and not over,
                seat + 1 in first,
            )
            for seat, (name, score) in enumerate(zip(names, scores, strict=True))
        )
        if known.match != found["match"]:
            known.finish = None
        known.match, known.colours = str(found["match"]), colours
        title = self._read(game.title) if game else _words(found["game_name"])
        note = self._read(msg("{game} is over", game=title)) if over else title
        known.board = WallBoard(known.name, note, play, seats)

    def _take_verdict(self, known: _Table, found: Mapping[str, Any], now_ns: int) -> None:
        if known.board is None or found["match"] != known.match or known.board.play is None:
            return
        names = [seat.name for seat in known.board.seats]
        first = tuple(Seat(_seat(each, names)) for each in found["first"])
        calls = [_call(each, names) for each in found["order"][:CALLS]]
        margin_ns = _number(found["margin_ns"], 0, MOST_NS)
        told = Verdict(first, margin_ns, 0, tuple(calls)).says(names)
        lines = tuple(
            PressLine(call.seat, names[call.seat], call.t_ns, call.uncertainty_ns, call.seat in first)
            for call in calls
        )
        if len(lines) > 1:  # a single call is not a photo finish
            sentence = self._read(told) if told else ""
            known.finish = PhotoFinish(lines, margin_ns or 0, 0, sentence, colours=known.colours)
            known.until_ns = now_ns + FINISH_NS

    def wall(self, now_ns: int, tournament: Tournament | None = None) -> Wall:
        """Return the current page, with tables that play first."""
        tables = sorted(self._tables.items(), key=lambda each: (each[1].board is None, each[0]))
        pages = max(1, -(-len(tables) // A_PAGE))
        page = now_ns // PAGE_NS % pages
        boards = tuple(self._board(known, now_ns) for _, known in tables[page * A_PAGE : (page + 1) * A_PAGE])
        return Wall(
            self._title,
            boards,
            standings(tournament) if tournament else (),
            self._read(msg("{n} of {last}", n=page + 1, last=pages)) if pages > 1 else "",
            self._note(),
        )

    def _note(self) -> str:
        if not self._tables:
            return self._read(msg("no table has reported yet"))
        return self._read(msg("and {n} more table", "and {n} more tables", n=len(self._more))) if self._more else ""

    def _board(self, known: _Table, now_ns: int) -> WallBoard:
        if known.board is None:
            note = msg("no match") if known.online else msg("switched off")
            return WallBoard(known.name, self._read(note), lost=not known.online)
        board = known.board._replace(table=known.name, lost=not known.online)
        if board.lost:
            board = board._replace(note=self._read(msg("switched off")))
        if known.finish and board.play and now_ns < known.until_ns:
            board = board._replace(play=board.play._replace(beat=Beat.FINISH, finish=known.finish))
        return board


def standings(tournament: Tournament) -> tuple[WallRow, ...]:
    best = max(1, len(tournament.rounds))
    return tuple(
        WallRow(each.rank, each.player, f"{float(each.points):.2f}", float(each.points) / best)
        for each in tournament.standings()
    )


def _words(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError(f"{found!r:.40} is no text")
    return printable(shortened(found, NAME_SIGNS))


def _number(found: object, least: int, most: int) -> int | None:
    return None if found is None else topics.whole_number(found, least, most)


def _seat(number: object, names: list[str]) -> int:
    return topics.whole_number(number, 1, len(names)) - 1


def _call(found: Mapping[str, Any], names: list[str]) -> Call:
    after_ns = topics.whole_number(found["after_ns"], 0, MOST_NS)
    uncertainty_ns = topics.whole_number(found["uncertainty_ns"], 0, MOST_NS)
    return Call(Seat(_seat(found["seat"], names)), after_ns, uncertainty_ns)
