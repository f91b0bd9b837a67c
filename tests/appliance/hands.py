"""The people at the machine's table."""

import random
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.core.console import BACK
from companion.core.match import Match
from companion.core.move import TABLE
from companion.devices.lines import BuzzerWiring, HouseWiring, LampWiring
from companion.devices.wiring import Wiring
from companion.games import all_games
from companion.games.buntherum.rules import Phase
from companion.referee.journal import Opened, open_record
from tests.appliance.machine import PATIENCE_S, Machine, MachineError

WIRING: Final = Wiring()
MATCHES: Final = "/var/lib/companion/matches"

HOLD_S: Final = 0.08
LOOK_S: Final = 0.2
KEY_S: Final = 0.15
"""A press with its pause (inside/pads.py)."""

READ_S: Final = 0.6
"""Keys before a question has been read belong to the one before."""

AGAIN_S: Final = 2.0
"""When an ignored key is pressed again."""


class Hands:
    """All that people at the table press and see; records are copied to a folder."""

    pause_s = 1.0
    """Time in which the picture follows a press."""

    def __init__(self, machine: Machine, folder: Path) -> None:
        self.machine: Final = machine
        self._folder = folder
        self._luck = random.Random(7)

    # --- Pressing -------------------------------------------------------------------------------------

    def press(self, line: int, hold_s: float = HOLD_S) -> None:
        """Press the button at a line, and release it."""
        pull = f"/run/lines/sim_gpio{line}/pull"
        self.machine.run(f"echo pull-down >{pull}; sleep {hold_s}; echo pull-up >{pull}")

    def buzz(self, *seats: int) -> None:
        for seat in seats:
            self.press(WIRING.of(BuzzerWiring).pins[seat])

    def house(self, *controls: str) -> None:
        """Press buttons of the house, and wait for the picture."""
        for control in controls:
            self.press(WIRING.of(HouseWiring).pins[control])
            time.sleep(self.pause_s)

    def keys(self, seat: int, *keys: str) -> None:
        self.machine.run(f"echo {shlex.join([str(seat + 1), *keys])} >/run/pads")

    def lamps(self) -> set[int]:
        """Return the seats whose lamps are lit."""
        pins = WIRING.of(LampWiring).pins
        said = self.machine.run("cat " + " ".join(f"/run/lines/sim_gpio{pin}/value" for pin in pins))
        return {seat for seat, level in enumerate(said.split()) if level == "1"}

    def wait_for_lamps(self, *seats: int) -> None:
        """Wait until exactly these lamps are lit."""
        end_s = time.monotonic() + PATIENCE_S
        while (lit := self.lamps()) != set(seats):
            if time.monotonic() > end_s:
                raise MachineError(f"the lamps of seats {sorted(lit)} are lit")

    # --- The record -----------------------------------------------------------------------------------

    def records(self) -> list[str]:
        """Return the names of the records, the newest last."""
        return self.machine.run(f"cd {MATCHES} 2>/dev/null && ls -tr *.record 2>/dev/null; true").split()

    def opened(self, name: str = "") -> Opened:
        """Return a record, by default the newest."""
        name = name or self.records()[-1]
        kept = self._folder / name
        kept.write_bytes(self.machine.read(f"{MATCHES}/{name}"))
        return open_record(kept, all_games())

    def match(self, name: str = "") -> Match:
        return self.opened(name).match

    def wait_for(self, reached: Callable[[Match], bool], what: str, timeout_s: float = PATIENCE_S) -> Match:
        end_s = time.monotonic() + timeout_s
        while not reached(match := self.match()):
            if time.monotonic() > end_s:
                raise MachineError(f"not within {timeout_s:.0f} s: {what}; moves: {match.moves[-5:]}")
            time.sleep(LOOK_S)
        return match

    # --- Playing --------------------------------------------------------------------------------------

    def sit_down(self, seats: int, game: str) -> None:
        """From the attract screen: sit down, choose the game, start."""
        self.buzz(*range(seats))
        time.sleep(self.pause_s)
        self.begin(game)

    def stand_up(self, seats: int) -> None:
        """From the result: return to the attract screen, and stand up."""
        self.keys(0, "*")
        time.sleep(self.pause_s)
        self.buzz(0)  # a seated player only looks at the players
        self.buzz(*range(seats))
        self.keys(0, "*")
        time.sleep(self.pause_s)

    def begin(self, game: str) -> None:
        """From the seating screen: choose the game, start."""
        before = len(self.records())
        self.house("ok")  # all are seated
        self.keys(0, str([*all_games()].index(game) + 1))
        time.sleep(self.pause_s)
        self.house("ok")  # start with these rules
        end_s = time.monotonic() + PATIENCE_S
        while len(self.records()) == before:
            if time.monotonic() > end_s:
                raise MachineError("no match has begun")
            time.sleep(LOOK_S)
        while game == "buntherum" and not self.match().length:
            if time.monotonic() > end_s:
                raise MachineError("no lot was drawn for who is the youngest")
            time.sleep(self.pause_s)  # ok before the question is ignored
            self.house("ok")

    def call(self, seat: int) -> Match:
        """Call the open card, turning it if needed, and wait for the verdict."""
        match = self.wait_for(
            lambda match: match.view().phase in {Phase.READY, Phase.OPEN}, "a card is due or open"
        )
        if match.view().phase == Phase.READY:
            self.house("ok")
            match = self.wait_for(lambda match: match.view().phase == Phase.OPEN, "a card lies open")
        while match.view().phase == Phase.OPEN:
            length = match.length
            time.sleep(self.pause_s)  # the record is a little ahead of the screen
            self.buzz(seat)
            match = self._moved(length) or match
        return match

    def name_row(self, seat: int, row: int) -> Match:
        """Key the caller's row, and wait until it is judged."""
        length = self.match().length
        for _ in range(10):  # a key before the match continues is ignored
            self.keys(seat, str(row))
            if match := self._moved(length):
                return match
        raise MachineError(f"the row of seat {seat + 1} is not judged")

    def decide(self, kind: str = "strong", over: Callable[[], bool] = lambda: False) -> Match:
        """Key a robot's decision for the seat to act.

        Ignored keys are repeated, unless it is `over`.
        """
        match = self.match()
        seats = [seat for seat in match.game.rules.to_act(match.state) if seat != TABLE]
        for seat in seats:
            acts = list(match.game.bots[kind].acts(match.view(seat), seat, self._luck))
            if not acts:
                continue
            keys = [act.control for act in acts]
            while not (moved := self._typed(match.length, seat, keys)):
                if over():
                    return match
                self.keys(seat, *[BACK] * len(keys))
                time.sleep(KEY_S * len(keys))
            return moved
        return self._moved(match.length) or match

    def _typed(self, length: int, seat: int, keys: list[str]) -> Match | None:
        time.sleep(READ_S)
        self.keys(seat, *keys)
        return self._moved(length, KEY_S * len(keys) + AGAIN_S)

    def _moved(self, length: int, within_s: float = AGAIN_S) -> Match | None:
        """Return the match once it has more than `length` moves, or None after a timeout."""
        end_s = time.monotonic() + within_s
        while time.monotonic() < end_s:
            match = self.match()
            if match.length > length or match.outcome:
                return match
            time.sleep(LOOK_S)
        return None
