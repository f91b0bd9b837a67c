"""Tests a whole match of Buntherum with the real program on simulated lines."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from companion.core.match import Match
from companion.devices.chips import find_chip, read_line
from companion.devices.lines import BuzzerWiring, HouseWiring, LampWiring
from companion.devices.wiring import Wiring
from companion.games import all_games
from companion.games.buntherum.bots import Walker
from companion.games.buntherum.rules import Phase
from companion.referee.journal import open_record
from tests.kernel.inside.gpiosim import Chip, Move, World
from tests.kernel.inside.patience import PATIENCE_S, eventually

MS: Final = 1_000_000
WIRING: Final = Wiring()
HOLD_NS: Final = 80 * MS

BOUNCE: Final = [Move(370_000, 0, level) for level in (1, 0, 1, 0)]
"""The moves after the first edge of a press."""

SEATS: Final = 3

ROBOT: Final = Walker(500, 10, errors=0)
"""Finds the right row of every card."""


def test_match_is_played_on_lines_with_right_lamps(table: "Table") -> None:
    table.begin()
    calls, luck = 0, random.Random(7)
    while not (match := table.match()).outcome:
        view = match.view()
        if view.phase == Phase.OPEN:
            first = calls % 4 % SEATS  # seat 1 twice in four, so that somebody wins soon
            second = (first + 1) % SEATS
            table.call(first, second, apart_ns=2 * MS)
            match = table.wait_for(lambda match: match.view().phase == Phase.LOCKED, "a verdict")
            assert match.view().caller == first, "the seat that was pressed first has the call"
            table.wait_for_lamp(first)
            calls += 1
        elif view.phase == Phase.LOCKED:
            (said,) = ROBOT.acts(view, view.caller, luck)
            time.sleep(0.5)  # the screen asks for it
            table.type(said.control)
            table.wait_for(lambda match: match.view().phase != Phase.LOCKED, "the row is judged")
        else:
            table.wait_for(lambda match: match.outcome or match.view().phase == Phase.OPEN, "the next card")
    assert calls >= 9
    assert match.outcome.winners == (0,)
    assert [match.moves[-1].verb] == ["declare"]
    table.end()


@pytest.fixture
def table(chip: Chip, world: World, tmp_path: Path) -> Iterator["Table"]:
    table = Table(chip, world, tmp_path)
    yield table
    table.leave()
    print((table.folder / "said.txt").read_text(), *[path.read_text() for path in table.folder.glob("matches/*")])


class Table:
    """The running program, and the people at its buzzers."""

    def __init__(self, chip: Chip, world: World, folder: Path) -> None:
        self.chip, self.world, self.folder = chip, world, folder
        for pin in WIRING.of(LampWiring).pins:
            chip.hang_lamp(pin)
        config = folder / "table.toml"
        said = f'[journal]\nfolder = "{folder}/matches"\n[sound]\nmute = true\n'  # no sound card in here
        config.write_text(said + '[pace]\nnext_card = "auto"\n')
        self._said = (folder / "said.txt").open("w+")
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("keyboard_table.py"), "play", "buntherum", "--table", config],
            cwd=folder,
            env=os.environ | {"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"},
            stdin=subprocess.PIPE,
            stdout=self._said,
            stderr=self._said,
            text=True,
        )
        self._size, self._match = -1, None

    def begin(self) -> None:
        """Sit down and begin the match."""
        eventually(self._listens, "the program takes its lines")
        for seat in range(SEATS):
            self.press(WIRING.of(BuzzerWiring).pins[seat])
        self.press(WIRING.of(HouseWiring).ok)  # all are seated
        self.press(WIRING.of(HouseWiring).ok)  # start with these rules
        eventually(self._record, "a record")
        # Lots are drawn for the youngest player; an earlier ok is ignored.
        eventually(lambda: self.match().length or self.press(WIRING.of(HouseWiring).ok), "a lot")

    def call(self, first: int, second: int, *, apart_ns: int) -> None:
        """Let two seats call; the first contact still bounces when the second has closed."""
        one, other = (WIRING.of(BuzzerWiring).pins[seat] for seat in (first, second))
        time.sleep(0.6)  # the card is visible
        bounce = [move._replace(line=one) for move in BOUNCE]
        self.world.play(
            [Move(0, one, 0), Move(apart_ns, other, 0), *bounce, Move(HOLD_NS, one, 1), Move(0, other, 1)]
        )

    def press(self, line: int) -> None:
        """Press a button, and give the screen time to follow."""
        self.world.play([Move(0, line, 0), Move(HOLD_NS, line, 1)])
        time.sleep(0.5)

    def type(self, key: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{key}\n")
        self.process.stdin.flush()

    def match(self) -> Match:
        """Return the match as recorded."""
        path = self._record()
        assert path
        size = path.stat().st_size
        if size != self._size:
            self._size, self._match = size, open_record(path, all_games()).match
        assert self._match
        return self._match

    def wait_for(self, reached: Any, what: str) -> Match:
        """Wait for a condition; fail if a lamp is lit before its call is recorded."""

        def look() -> Match | None:
            lit = self._lit()
            match = self.match()  # read after the lamps: what they show must be recorded by now
            callers = {move.args[0] for move in match.moves if move.verb == "call"}
            assert lit <= callers
            return match if reached(match) else None

        return eventually(look, what)

    def wait_for_lamp(self, seat: int) -> None:
        """Wait until only the caller's lamp is lit."""
        eventually(lambda: self._lit() == {seat}, f"the lamp of seat {seat + 1}, and no other")

    def end(self) -> None:
        """End the program like a service."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE_S) == 0
        self._said.seek(0)
        assert self._said.read() == ""
        assert self._lit() == set()

    def leave(self) -> None:
        self.process.kill()
        with self.process, self._said:  # closes the pipe and the file
            pass

    def _lit(self) -> set[int]:
        return {seat for seat in range(SEATS) if self.chip.level(WIRING.of(LampWiring).pins[seat])}

    def _record(self) -> Path | None:
        return next((self.folder / "matches").glob("*.record"), None)

    def _listens(self) -> bool:
        assert self.process.poll() is None, (self.folder / "said.txt").read_text()
        chip = find_chip()
        return all(read_line(chip, pin).taken_by for pin in WIRING.of(BuzzerWiring).pins)
