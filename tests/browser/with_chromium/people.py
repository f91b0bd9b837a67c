"""People with real browsers as phones, at the program's table without its window.

They decide as robots do, from their seat's view, and touch their console's keys.
"""

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion.config.sections import DisplayOptions, JournalOptions, PaceOptions
from companion.config.table_file import TableConfig
from companion.core.console import BUZZ, TURN
from companion.core.game import Game
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat, SecretMove
from companion.core.place import Place, each_place
from companion.core.units import MS
from companion.devices.driver import Driver
from companion.devices.hardware import Hardware
from companion.devices.phones import driver as phones
from companion.devices.phones.options import PhoneOptions
from companion.devices.wiring import Wiring
from companion.display.frame import Frame, JoinPage, Menu, Play, Poster, Result
from companion.games import all_games
from companion.games.buntherum.rules import fits
from companion.match.seating import Wanted
from companion.match.session import Session
from companion.records.history import records
from companion.referee.journal import open_record
from companion.table.host import Host
from tests.browser.with_chromium.chromium import Chromium, Phone
from tests.browser.with_chromium.page import wait_for
from tests.browser.with_chromium.painted_table import Drawer
from tests.browser.with_chromium.relay import Relay, through_relay
from tests.live_host import LiveHost

OPTIONS = PhoneOptions(on=True, port=0, address="127.0.0.1", wait_ms=1_000)
STOP_S = 30
SURE_NS = 150 * MS
"""An upper limit of a browser timestamp's uncertainty here."""

Trouble = Callable[["PhoneTable", Seat, str], bool]
"""Happens to a seat about to touch a key; returns whether the key was touched meanwhile."""

RIGHT = 0.7


class PhoneTable(LiveHost):
    """A table with phones at every seat; the first phone's network can be cut.

    `meant` has the decisions of each seat in order; `told` the lines sent to each phone's screen.
    """

    def __init__(
        self,
        folder: Path,
        game: Game,
        seats: int,
        browser: Chromium,
        luck: str,
        beside: Sequence[Driver] = (),
        timers: str = "x1",
        **rulings: Any,
    ) -> None:
        """Seat `seats` people by phone at the places without a buzzer of `beside`."""
        super().__init__()
        self.folder, self.game = folder, game
        self.frames: list[Frame] = []
        self.meant: dict[Seat, list[Move]] = {}
        self.told: dict[Place, tuple[str, ...]] = {}
        self.took_s: list[float] = []
        self.luck = random.Random(luck)
        self.hardware = Hardware(Wiring(OPTIONS), self.inbox, self.clock, lambda: (phones.DRIVER, *beside))
        self._drawer = Drawer(self.hardware)
        config = TableConfig(
            journal=JournalOptions(str(folder)),
            display=DisplayOptions(drum_ms=0),
            pace=PaceOptions(next_card="auto", next_s=1, nudge_s=0, sound_s=0, timers=timers),
            rulings={game.name: game.rulings(**rulings)},
        )
        self.host = Host(
            all_games(),
            config,
            self.clock,
            self._show,
            Wanted(game=game.name),
            settle_ns=0,
            hardware=self.hardware,
            paint=self._drawer.painter.put,
        )
        self.phones: dict[Seat, Phone] = {}
        self.relay: Relay | None = None
        self.start_host()
        try:
            self._sit_down(seats, browser)
        except BaseException:
            self.close()
            raise

    def _sit_down(self, seats: int, browser: Chromium) -> None:
        wait_for(lambda: isinstance(self.screen, JoinPage), "the codes")
        server = self.hardware.of(phones.Phones)
        assert server
        free = [place for place in each_place(5) if place not in self.hardware.places]
        codes = {place: code.address for place, code in [*server.invite(free).items()][:seats]}
        self.relay = Relay(server.server.port if server.server else 0)
        self.relay.__enter__()
        for place, code in codes.items():
            address = code if self.phones else through_relay(code)
            self.phones[Seat(place)] = Phone(address, browser=browser).sits()
        wait_for(lambda: len(server.places) == seats and not server.troubles, "all have joined")
        say = server.say

        def noted(place: Place, *lines: str) -> None:
            self.told[place] = (*lines, "", "", "", "")[:4]
            say(place, *lines)

        server.say = noted  # type: ignore[method-assign]

    def close(self) -> None:
        for phone in self.phones.values():
            phone.close()
        self.stop_host(STOP_S)
        self._drawer.close()
        self.hardware.close()
        if self.relay:
            self.relay.__exit__()

    # --- What people see --------------------------------------------------------------------------------

    @property
    def screen(self) -> Any:
        return self.frames[-1].screen if self.frames else None

    @property
    def session(self) -> Session:
        assert self.host.session
        return self.host.session

    @property
    def match(self) -> Match:
        return self.session.match

    @property
    def away(self) -> set[Seat | None]:
        return {pause.seat for pause in self.session.referee.pauses}

    def opened(self) -> Match:
        [path] = records(self.folder)
        opened = open_record(path, all_games())
        assert opened.damage is None
        return opened.match

    # --- What people do ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """Wait until all named players sit, then accept the first choice of each menu."""
        wait_for(lambda: all(self.frames[-1].sides[seat].lit for seat in self.phones), "all sit")
        self.confirm(lambda: isinstance(self.screen, Menu), "the house rules")
        self.confirm(lambda: isinstance(self.screen, Play), "the match")

    def sit(self, seat: Seat, press: Callable[[], Any]) -> None:
        press()
        wait_for(lambda: self.frames[-1].sides[seat].name, f"{seat + 1} sits")

    def confirm(self, done: Callable[[], bool], what: str) -> None:
        assert isinstance(self.screen, JoinPage | Poster | Menu)
        time.sleep(0.5)
        next(iter(self.phones.values())).press(TURN)
        wait_for(done, what)

    def play(self, trouble: Trouble) -> None:
        """Play to the result; `trouble` happens to players who type or are about to."""
        while not isinstance(self.screen, Result):
            self.now(trouble)

    def now(self, trouble: Trouble) -> None:
        wait_for(lambda: isinstance(self.screen, Result) or self._due(), "what is due")
        if isinstance(self.screen, Result):
            return
        stage, hand = self.session.referee.stage, self.session.referee.player_prompt
        if stage.race:
            self.call(stage.race.callers, trouble)
        elif hand:
            self.turn(next(seat for seat in hand.seats if seat in self.phones))
        else:
            self.decide(trouble)

    def _due(self) -> bool:
        session, frame = self.session, self.frames[-1]
        referee = session.referee
        if referee.over or referee.pauses or not isinstance(frame.screen, Play) or session.reveal.hidden:
            return False
        if frame.screen.view != self.match.view():
            return False  # a key may make several moves
        if referee.stage.race:
            return frame.calls_open
        return bool(referee.player_prompt or set(self.match.to_act) - {TABLE})

    def turn(self, seat: Seat) -> None:
        length = self.match.length
        self.read(seat)
        self.phones[seat].press(BUZZ)
        wait_for(lambda: self.match.length > length, "what was pressed for")

    def call(self, callers: tuple[Seat, ...], trouble: Trouble) -> None:
        """Call by one seat, and check it is the verdict's caller."""
        seat, length = self.luck.choice(callers), self.match.length
        if not self._in_trouble(trouble, seat, BUZZ):
            self.phones[seat].press(BUZZ)
        wait_for(lambda: self.match.length > length, "a verdict")
        called = self.match.moves[length]
        assert (called.seat, called.verb, called.args[0]) == (TABLE, "call", seat)

    def _in_trouble(self, trouble: Trouble, *whom: Any) -> bool:
        touched = trouble(self, *whom)
        wait_for(lambda: not self.session.referee.pauses, "the match goes on")
        return touched

    def decide(self, trouble: Trouble) -> None:
        """Touch the keys of all due decisions; secrets simultaneously, alternating key by key."""
        match, decided = self.match, {}
        for seat in match.to_act:
            if seat != TABLE and (move := self._decision(seat)):
                decided[seat] = move
        if not all(isinstance(move, SecretMove) for move in decided.values()):
            decided = dict([*decided.items()][:1])
        keys = {
            seat: "".join(self.game.console.keys_for(match.view(seat), move))
            for seat, move in sorted(decided.items())
        }
        for seat in keys:
            self.read(seat)
            self.reads_its_screen(seat)
        length, rest, number = match.length, dict(keys), 0
        while any(rest.values()):
            for seat, left in [*rest.items()]:
                if not left:
                    continue
                control = self.phones[seat].control_for(left)
                rest[seat] = left.removeprefix(control)
                troubled = number == 1 or (number == 0 and not rest[seat])
                if not (troubled and self._in_trouble(trouble, seat, control)):
                    self.touch(seat, control, secret=isinstance(decided[seat], SecretMove))
            number += 1
        for seat, move in decided.items():
            self.meant.setdefault(seat, []).append(move)
            self._is_made(seat, length, keys[seat][-1])

    def touch(self, seat: Seat, key: str, *, secret: bool) -> None:
        """Touch a key; unless it is secret, wait for its effect."""
        referee = self.session.referee
        if not secret:
            self.read(seat)  # also after a pause

        def position() -> tuple[int, str]:
            return self.match.length, referee.entries.get(seat, "")

        was = position()
        self.phones[seat].press(self.phones[seat].control_for(key))
        if not secret:
            wait_for(lambda: position() != was or self.session.refused.get(seat), f"the answer to {key}")

    def _is_made(self, seat: Seat, length: int, last: str) -> None:
        def made() -> bool:
            return any(move.seat == seat for move in self.match.moves[length:])

        wait_for(lambda: made() or self.session.refused.get(seat), f"a move of {seat + 1}")
        if not made():
            assert self.session.refused[seat].msgid.startswith("Sure?"), self.session.refused[seat]
            self.read(seat)
            self.phones[seat].press(last)
            wait_for(made, f"a move of {seat + 1} that is meant")

    def _decision(self, seat: Seat) -> Move | None:
        match, view = self.match, self.match.view(seat)
        if self.game.name == "buntherum":
            assert match.view().phase == "locked"
            right = [row for row in range(1, 7) if fits(match.state, match.state.card, row)] or [0]
            wrong = [row for row in range(7) if row not in right]
            row = self.luck.choice(right if self.luck.random() < RIGHT else wrong)
            return next(move for move in self.game.rules.legal(match.state, seat) if move.args[0] == row)
        robot: Any = self.game.bots["strong"]  # which also has hands, unneeded here
        return robot.decide(view, seat, self.luck)  # type: ignore[no-any-return]

    def read(self, seat: Seat) -> None:
        """Wait for the minimum reading time of a question."""
        referee = self.session.referee
        wait_for(lambda: referee.gate.takes(seat, self.clock.now_ns() - SURE_NS), "reading")

    def reads_its_screen(self, seat: Seat) -> None:
        """Wait until a page shows exactly the lines sent to its seat."""
        wait_for(lambda: self.phones[seat].lines == [*self.told[Place(seat)]], f"the screen of {seat + 1}")
