"""A host driven by signals in virtual time."""

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import pytest

from companion.config.sections import CardOptions, JournalOptions
from companion.config.table_file import TableConfig
from companion.core.clock import PlanningClock
from companion.core.console import BUZZ, Lamp
from companion.core.files import assets_folder
from companion.core.match import Match
from companion.core.menu import MOST_LINES
from companion.core.place import HOUSE, Place
from companion.core.signal import PC, Signal
from companion.devices.sound import Player
from companion.display.frame import Frame, Menu, Play, Poster, Result, Screen
from companion.games import all_games, load
from companion.games.buntherum.rules import Phase
from companion.match.new_match import NAMES, new_match
from companion.match.seating import Sitter, Wanted
from companion.records.history import records
from companion.referee import durable
from companion.referee.journal import Opened, open_record
from companion.table.host import Host
from companion.table.system import NO_SYSTEM, System

GAME = load("buntherum")
MS = 1_000_000
S = 1_000_000_000


class FakeClock(PlanningClock):
    """A clock that tests advance."""

    def __init__(self) -> None:
        super().__init__()
        self.t_ns = S

    def now_ns(self) -> int:
        return self.t_ns


STARTERS: Final = "2231314151617"
"""The house's keys for real cards before the first: the youngest, then six starters."""

DRAWINGS: Final = frozenset(path.stem for path in (assets_folder() / "pictograms").glob("*.svg"))

OPEN: Final[list[Host]] = []
"""The hosts of the running test, whose records are closed at its end."""


@lru_cache(maxsize=1)
def _opened(path: Path, changed_ns: int, size: int) -> Opened:
    """Reopen a record only when it has changed, because waits ask at each step."""
    return open_record(path, all_games())


class Bench:
    """A host with simulated hands and a window that flips `flip_ns` after a frame.

    Unless `by_hand`, cards turn after `next_s` and lots decide the youngest. Only a `newcomer` gets hints. By
    default the folder stores records and people play the `match`.
    """

    def __init__(
        self,
        folder: Path,
        *,
        config: TableConfig | None = None,
        clock: FakeClock | None = None,
        by_hand: bool = False,
        next_s: int = 1,
        newcomer: bool = False,
        hardware: Any = None,
        player: Player | None = None,
        system: System = NO_SYSTEM,
        deal: str = "pi",
        club: Any = None,
        paint: Any = None,
        **wanted: Any,
    ) -> None:
        self.folder = folder
        self.clock = clock or FakeClock()
        self.frames: list[Frame] = []
        self.waiting: list[Frame] = []
        self.flip_ns = 0
        self.blind = False
        self.by_hand = by_hand
        config = config or TableConfig(cards=CardOptions(deal))
        if not config.journal.folder:
            config = replace(config, journal=JournalOptions(str(folder)))
        if not by_hand:
            config = replace(config, pace=replace(config.pace, next_card="auto", next_s=next_s))
        if wanted.get("match"):
            wanted.setdefault("sitters", [Sitter(name) for name in wanted["match"].names])
        self.host = Host(
            all_games(),
            config,
            self.clock,
            self._show,
            Wanted(**wanted),
            settle_ns=30 * MS,
            hardware=hardware,
            player=player,
            club=club,
            paint=paint,
            system=system,
        )
        if not newcomer:
            self.host.frames.hints = None
        OPEN.append(self.host)
        self.host.start()
        self._flip()

    def _show(self, frame: Frame) -> None:
        self.frames.append(frame)
        self.waiting.append(frame)

    def _flip(self) -> None:
        while self.waiting and not self.blind:
            newest = self.waiting[-1]
            self.waiting.clear()
            assert not isinstance(newest.screen, Menu) or DRAWINGS.issuperset(newest.screen.pictures)
            self.clock.t_ns += self.flip_ns
            told = self.host.frames.shown(newest, self.clock.t_ns)
            if told:
                self.host.signal(told)

    def wait(self, seconds: float) -> None:
        """Let time pass as `run_live` does."""
        self.until(lambda: False, seconds)

    def until(self, reached: Any, seconds: float = 3600) -> bool:
        """Let time pass until `reached()`; return whether it came."""
        end_ns = self.clock.t_ns + round(seconds * S)
        while not reached():
            if not self.by_hand:
                self.draw_lots()
            due_ns = self.host.deadline_ns
            if due_ns is None or due_ns > end_ns:
                self.clock.t_ns = max(self.clock.t_ns, end_ns)
                self.host.tick(self.clock.t_ns)
                self._flip()
                return bool(reached())
            self.clock.t_ns = max(self.clock.t_ns, due_ns)
            self.host.tick(self.clock.t_ns)
            self._flip()
        return True

    def hand(
        self, place: Place, control: str, *, pressed: bool = True, early_ns: int = 0, source: str = PC
    ) -> None:
        """Press or release a control `early_ns` before the host is notified."""
        now_ns = self.clock.t_ns
        self.host.signal(Signal(source, place, control, now_ns - early_ns, 0, now_ns, pressed))
        self._flip()

    def press(self, place: Place, *controls: str) -> None:
        for control in controls:
            self.hand(place, control)
            self.wait(0.08)
            self.hand(place, control, pressed=False)
            self.wait(0.12)

    def read(self) -> None:
        self.wait(0.4)

    def answer(self, place: Place, *controls: str) -> None:
        """Press controls in order, each after the reading time."""
        for control in controls:
            self.read()
            self.press(place, control)

    def house(self, *controls: str) -> None:
        self.press(HOUSE, *controls)

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def screen(self) -> Screen:
        return self.frame.screen

    @property
    def menu(self) -> Menu:
        assert isinstance(self.screen, Menu), self.screen
        return self.screen

    @property
    def poster(self) -> Poster:
        assert isinstance(self.screen, Poster), self.screen
        return self.screen

    @property
    def view(self) -> Any:
        assert isinstance(self.screen, Play), self.screen
        return self.screen.view

    @property
    def beat(self) -> Any:
        return self.screen.beat if isinstance(self.screen, Play) else None

    @property
    def lamps(self) -> list[Lamp]:
        return [panel.lamp for panel in self.frame.panels]

    @property
    def records(self) -> list[Path]:
        return records(self.folder)

    def opened(self) -> Opened:
        path = self.records[-1]
        status = path.stat()
        return _opened(path, status.st_mtime_ns, status.st_size)

    @property
    def match(self) -> Match:
        return self.opened().match

    def take(self, *lines: str) -> None:
        """Choose menu lines by their beginning, with buzzer and `#` only."""
        for words in lines:
            place = next(iter(self.people()), 0)
            for _ in range(2 * MOST_LINES):
                if self.menu.items[self.menu.selected].startswith(words):
                    break
                self.press(place, BUZZ)
            assert self.menu.items[self.menu.selected].startswith(words)
            assert [item.startswith(words) for item in self.menu.items].count(True) == 1
            self.press(place, "#")

    def visit(self, title: str) -> "Bench":
        """Choose a line of the table's menu, postponing an interrupted match."""
        if isinstance(self.screen, Menu):
            self.take("Later")
        self.house("menu")
        self.hand(HOUSE, str(self.menu.items.index(title) + 1))
        return self

    def undo(self) -> None:
        self.house("undo")
        self.take("Undo", "Go on")

    def choose(self, *lines: str) -> None:
        self.house("menu")
        self.take(*lines)

    def correct(self, *lines: str) -> None:
        self.choose("Correct", *lines)

    def people(self) -> list[int]:
        return [place for place, panel in enumerate(self.frame.panels) if panel.keys]

    def open(self) -> bool:
        return isinstance(self.screen, Play) and self.screen.view.phase == Phase.OPEN

    def sit(self, people: int, *lines: str) -> None:
        """Seat `people` from the first place on, and choose lines of the following menus."""
        self._sit(range(people), *lines)

    def _sit(self, places: Sequence[int], *lines: str) -> None:
        for place in places:
            self.press(place, BUZZ)
        self.press(places[0], "#")
        self.take(*lines)

    def play(self, places: Sequence[int] = (0, 1, 2)) -> None:
        """Begin a match by default rulings; return when the first card is open."""
        self._sit(places, "Buntherum", "Start")
        assert self.until(self.open)

    def draw_lots(self) -> None:
        session = self.host.session
        hand = session.referee.player_prompt if session and not session.referee.pauses else None
        if session and session.referee.dealer and hand and hand.lot:
            self.hand(HOUSE, "ok")

    def call(self, place: Place, row: int | None) -> None:
        """Call, wait for the verdict and enter a row, unless it is None."""
        self.press(place, BUZZ)
        if row is not None:
            self.press(place, str(row))

    def fitting(self) -> list[int]:
        state = self.match.state
        return [row for row in range(7) if fits(state, row)]

    def wrong(self) -> int:
        return next(row for row in range(7) if row not in self.fitting())

    def next_card(self) -> None:
        assert self.until(self.open, 5)


def fits(state: Any, row: int) -> bool:
    """Return whether declaring a row is right, by comparing words (BH-R2)."""
    names = state.box.names

    def words(side: int) -> set[str]:
        return {word for card in (*state.rows[side], state.box.printed[side]) for word in names[card].split()}

    clear = [side + 1 for side in range(6) if not words(side) & set(names[state.card].split())]
    return row in clear if row else not clear


def robots(folder: Path, seats: int = 3, kind: str = "middle", **options: Any) -> Bench:
    return Bench(folder, sitters=[Sitter(name, kind) for name in NAMES[:seats]], **options)


def demo(folder: Path) -> Bench:
    match = new_match(GAME, NAMES[:3], demo=True)
    return robots(folder, match=match)


def duel(folder: Path, *, robot: str = "", **options: Any) -> Bench:
    """Return a table of Büro Crazy at the first duel of three players."""
    game = load("buro_crazy")
    match = new_match(game, NAMES[:3], seed="reveal")
    match.push(game.rules.draws(match.state)[0])
    bench = Bench(folder, match=match, sitters=[Sitter(name, robot) for name in match.names], **options)
    bench.read()
    return bench


def bid(bench: Bench, one: str = "5", other: str = "4") -> tuple[int, int]:
    """Lock both bids of a duel; return the seats."""
    first, second = bench.view.duel
    bench.press(first, *one, "#")
    bench.press(second, *other)
    bench.hand(second, "#")
    return first, second


def started(bench: Bench) -> Bench:
    bench.press(HOUSE, "ok", "ok")
    bench.take("Buntherum")
    bench.take("Start")
    assert bench.until(bench.open)
    return bench


def ended(bench: Bench) -> Result:
    assert bench.until(lambda: isinstance(bench.screen, Result), 3600)
    assert isinstance(bench.screen, Result)
    return bench.screen


def orders(bench: Bench) -> list[str]:
    """Return each strip's instruction for real cards, or ""."""
    said = [re.fullmatch(r"(.*)\. (#: done|Buzzer: call)", side.note) for side in bench.frame.sides]
    return [found[1] if found else "" for found in said]


def entries(bench: Bench) -> list[str]:
    return [f"{entry.kind} {entry.number} {entry.move}".strip() for entry in bench.match.entries]


def position(bench: Bench) -> Any:
    return bench.match.state


def dropped(bench: Bench) -> Path:
    """Leave a journal as a killed program does; its lock goes with its process."""
    assert bench.host.session
    bench.host.close()
    return bench.records[-1]


def failing(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(durable, "write_all", refuse)
