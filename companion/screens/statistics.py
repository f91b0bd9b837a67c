"""Statistics on the display, page by page. They grow while records are being read."""

from collections.abc import Iterator
from typing import Final

from companion.core.errors import CompanionError
from companion.core.menu import BACK_CONTROLS, Pager
from companion.core.place import Place
from companion.core.text import Text, decimal, msg
from companion.display.frame import Poster, Screen, Side
from companion.display.rows import GamePlayed, Rows, StatsPage
from companion.match.seating import ROBOTS
from companion.match.services import TableServices
from companion.records import history
from companion.records.evening_out import Proposal
from companion.records.hall import Fame, hall_of_fame
from companion.records.stats import Counted, GameStatistics
from companion.records.stats_rows import close_rows, inks_of, player_rows, robot_rows, seat_rows, signs, times_rows
from companion.records.stats_text import advantage, calls, lasting, proposed
from companion.referee.journal import SUFFIX, opening
from companion.screens.long_work import LongWork
from companion.screens.overlays import Overlay

MOST_PLAYERS: Final = 5
MOST_FAME: Final = 5
MOST_FINISHES: Final = 4
"""Rows that fit on a display."""

TELL_NS: Final = 500_000_000

_MINUTE_NS: Final = 60_000_000_000


_Page = tuple[Text, Rows, Text | None]


class StatisticsPages(Overlay):
    """The statistics of all records. Leaving stops the reading."""

    def __init__(self, services: TableServices) -> None:
        self._services = services
        self._read = services.settings.read
        self._paths = history.records(services.settings.config.journal.path)[::-1]
        self._done = 0
        self._found = Counted().statistics()
        self._pages: list[_Page] = []
        self._pager = Pager(0)
        self._work = LongWork(services.clock, self._reading())

    def screen(self) -> Screen:
        if not self._pages:
            line = msg("No finished matches yet") if self._is_done else msg("Reading the matches")
            hint = self._read(msg("*: back"))
            return Poster(self._read(msg("Statistics")), (self._read(line),), hint, pictures=("bars",))
        title, rows, note = self._pages[self._pager.page]
        said = self._read(note) if note else ""
        return StatsPage(self._read(title), rows, said, self._pager.page + 1, self._pager.of, signs(self._read))

    def sides(self) -> tuple[Side, ...] | None:
        found = self._found
        count = msg("{n} match", "{n} matches", n=found.matches)
        if not self._is_done:
            count = msg("{done} of {n} read", done=self._done, n=len(self._paths))
        return (Side(self._read(count), self._read(_HINT) if self._pages else ""),)

    def press(self, place: Place, control: str) -> bool:
        if control in BACK_CONTROLS:
            return False
        turned = self._pager.turned(control).round
        if turned == self._pager and control.isdecimal() and 1 <= int(control) <= turned.of:
            turned = turned._replace(page=int(control) - 1)
        self._pager = turned
        return True

    def leave(self) -> None:
        self._work.stop()

    # --- Reading --------------------------------------------------------------------------------------

    @property
    def _is_done(self) -> bool:
        return self._done == len(self._paths)

    def _reading(self) -> Iterator[None]:
        """Count the records, newest first. Update the pages whenever the number of records has doubled."""
        counted, shown, told_ns = Counted(), 1, self._services.clock.now_ns()
        for path in self._paths:
            name = path.name.removesuffix(SUFFIX)
            try:
                opened = yield from opening(path, self._services.games)
                counted.count(history.KeptRecord(name, opened))
            except CompanionError:
                counted.count(history.KeptRecord(name, None))
            self._done += 1
            if self._done == 2 * shown or self._is_done:
                shown = self._done
                self._found = counted.statistics()
                self._pages = self._made()
                self._pager = Pager(len(self._pages), min(self._pager.page, max(0, len(self._pages) - 1)))
            elif self._services.clock.now_ns() - told_ns < TELL_NS:
                yield
                continue
            told_ns = self._services.clock.now_ns()
            self.changed()
            yield

    # --- Pages ----------------------------------------------------------------------------------------

    def _made(self) -> list[_Page]:
        found, read = self._found, self._read
        if not found.matches:
            return []
        inks = inks_of(found)
        played = [game for game in found.games if game.matches]
        fame = [self._fame(each) for each in hall_of_fame(found, self._services.games)]
        pages: list[_Page] = [
            (msg("Hall of fame"), tuple(fame[begin : begin + MOST_FAME]), None)
            for begin in range(0, len(fame), MOST_FAME)
        ]
        pages.append((msg("Games played"), tuple(self._played(game) for game in played), self._left_out()))
        if found.players:
            pages.append((msg("Who wins?"), tuple(player_rows(found, inks, MOST_PLAYERS, read)), _LUCK))
        if found.robots:
            pages.append(
                (msg("Robots against people"), tuple(robot_rows(found, ROBOTS, MOST_PLAYERS, read)), _LUCK)
            )
        if even := [self._even(game, each) for game in played for each in game.proposals]:
            pages.append((msg("Handicaps that would make it even"), tuple(even[:MOST_PLAYERS]), _EVEN))
        for game in (game for game in played if game.seats):
            pages.append((msg("Seats in {game}", game=game.title), tuple(seat_rows(game, read)), advantage(game)))
        if inks and found.reactions:
            times = tuple(times_rows(found, inks, MOST_PLAYERS, read))
            pages.append(
                (msg("Seconds until the call"), times, msg("Each call. Shaded: the middle half. Line: the median"))
            )
        if found.finishes:
            tie = read(msg("tie"))
            rows = tuple(
                row._replace(told=read(decimal(row.after_ms, 2)), where="", judged=tie if finish.tie else "")
                for row, finish in zip(close_rows(found, inks, MOST_FINISHES), found.finishes, strict=False)
            )
            pages.append((msg("The closest calls, in ms"), rows, calls(found)))
        return pages

    def _fame(self, fame: Fame) -> GamePlayed:
        read, game = self._read, self._services.games[fame.game] if fame.game else None
        return GamePlayed(
            game.emblem if game else "cup_trophy",
            read(fame.who),
            read(fame.amount),
            read(fame.title),
            read(game.title) if game else "",
        )

    def _played(self, game: GameStatistics) -> GamePlayed:
        read, length = self._read, game.length_ns
        each = msg("a match: {n} min", n=max(1, round(length.median / _MINUTE_NS))) if length else None
        return GamePlayed(
            self._services.games[game.name].emblem,
            read(game.title),
            read(msg("{n} match", "{n} matches", n=game.matches)),
            read(lasting(game.played_ns)) if game.timed else "",
            read(each) if each else "",
        )

    def _even(self, game: GameStatistics, proposal: Proposal) -> GamePlayed:
        read, (amount, sure) = self._read, proposed(game.name, proposal)
        count = msg("{n} match", "{n} matches", n=proposal.matches)
        emblem = self._services.games[game.name].emblem
        return GamePlayed(emblem, proposal.who, read(amount), read(sure), read(count))

    def _left_out(self) -> Text | None:
        found = self._found
        if not (found.unfinished or found.demos or found.damaged):
            return None
        return msg(
            "Not counted: {unfinished} unfinished, {demos} robot demos, {damaged} damaged",
            unfinished=found.unfinished,
            demos=found.demos,
            damaged=len(found.damaged),
        )


_HINT: Final = msg("# or buzzer: next page. *: back")
_EVEN: Final = msg("From matches without handicaps; the range is right in 95% of cases")
_LUCK: Final = msg("Line: where the true share lies. Dark bar: by luck alone")
