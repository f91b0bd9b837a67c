"""Random walks of presses, unplugged devices, disk errors and restarts.

After each walk everything is repaired; the table must return to its match with `*`, play on, and undo everything.
"""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final

import pytest

from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS
from companion.core.match import Match
from companion.core.move import TABLE
from companion.display.frame import Frame, Menu, Play, Result
from companion.games import OTHER, all_games, load
from companion.match.new_match import NAMES, new_match
from companion.match.seating import Sitter
from companion.referee.journal import open_record
from tests.host_bench import Bench, FakeClock

STEPS: Final = 60
LAST: Final = ("Leave", "Start again", "Another")

pytestmark = pytest.mark.usefixtures("fixed_secrets")


class Disk:
    """The journal's disk; while it `refuses`, writes fail halfway."""

    refuses = 0

    @contextmanager
    def mounted(self) -> Iterator[None]:
        really = os.pwrite

        def pwrite(fd: int, data: bytes, offset: int) -> int:
            if not self.refuses:
                return really(fd, data, offset)
            really(fd, data[: len(data) // 2], offset)
            raise OSError(self.refuses, os.strerror(self.refuses))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "pwrite", pwrite)
            yield


class Walk:
    """A match of people at a virtual table, with everything shown for each record."""

    def __init__(self, folder: Path, name: str, seed: int) -> None:
        self.luck = Random(f"{name} {seed}")
        self.folder, self.disk = folder, Disk()
        self.shown: dict[Path, list[str]] = {}
        game = load(name)
        self.names = NAMES[: self.luck.choice(game.rules.SEATS)]
        sitters = [Sitter(each) for each in self.names]
        self.bench = Bench(folder, match=new_match(game, self.names, seed=str(seed)), sitters=sitters)
        self._watch()

    def _watch(self) -> None:
        frames = self.bench.host.frames
        send = frames.send

        def look(frame: Frame) -> None:
            if (session := frames.session) and session.is_kept:
                path, entries = session.journal.path, list(map(str, session.match.entries))
                assert not entries or entries[-1] in path.read_text("utf-8"), "it is shown before it is kept"
                self.shown[path] = max(self.shown.get(path, []), entries, key=len)
            send(frame)

        frames.send = look

    # --- Steps ----------------------------------------------------------------------------------------

    def step(self) -> None:
        bench, luck = self.bench, self.luck
        place = luck.randrange(5)
        match luck.randrange(24):
            case 0 | 1:
                bench.press(place, luck.choice((BUZZ, *KEYS)))
            case 2 | 3:
                bench.house(luck.choice((*HOUSE_CONTROLS, *KEYS)))
            case 4:
                bench.hand(place, f"fault {luck.choice(('unplug', 'bounce', 'late', 'stuck'))}")
            case 5:
                self.disk.refuses = luck.choice((0, errno.ENOSPC, errno.EROFS, errno.EIO))
            case 6:
                bench.blind = not bench.blind
            case 7:
                bench.wait(luck.choice((0.01, 1, 60)))
            case 8 if luck.random() < 0.3:
                self.start_anew()
            case _:
                self.do_what_is_due()

    def do_what_is_due(self) -> None:
        bench, luck, session = self.bench, self.luck, self.bench.host.session
        if not session or bench.host.frames.overlays.top:
            lines = bench.screen.items if isinstance(bench.screen, Menu) else ()
            taken = luck.choice(range(len(lines))) if lines else 0
            leaves = bool(lines) and lines[taken].startswith(LAST)
            bench.press(luck.randrange(5), "*" if leaves or luck.random() < 0.3 else str(taken + 1))
            return
        bench.wait(0.5)
        match, race, rules = session.match, session.referee.stage.race, session.match.game.rules
        seat = luck.choice([*(race.callers if race else rules.to_act(match.state)), TABLE])
        if seat == TABLE:
            if match.game.name == OTHER:
                bench.house(luck.choice([*session.referee.keys.house_controls()]))
            bench.wait(luck.choice((1, 4)))
            if match.game.name == OTHER:
                bench.house(luck.choice(("ok", "right", "wrong")))
            return
        moves = [] if race else list(rules.legal(match.state, seat))
        keys = match.game.console.keys_for(match.view(seat), luck.choice(moves)) if moves else (BUZZ,)
        bench.press(session.places[seat], *(keys or luck.choice(KEYS)))

    def start_anew(self) -> None:
        self.bench.host.close()
        clock = FakeClock()
        clock.t_ns = self.bench.clock.t_ns
        sitters = [Sitter(each) for each in self.names]
        self.bench = Bench(self.folder, clock=clock, sitters=sitters)
        self._watch()

    # --- Checks -----------------------------------------------------------------------------------------

    def check(self) -> None:
        """Fail unless the records contain everything shown, and the match agrees with its record."""
        refuses, self.disk.refuses = self.disk.refuses, 0
        for path, shown in self.shown.items():
            opened = open_record(path, all_games()).match
            assert list(map(str, opened.entries[: len(shown)])) == shown
            session = self.bench.host.session
            if session and session.is_kept and session.journal.path == path and not refuses:
                assert (opened.entries, opened.state) == (session.match.entries, session.match.state)
        self.disk.refuses = refuses

    def mend(self) -> None:
        self.disk.refuses, self.bench.blind = 0, False
        for place, buzzer in enumerate(self.bench.host.devices.buzzers):
            for fault in buzzer.faults:
                self.bench.hand(place, f"fault {fault}")
        self.bench.wait(4)

    def go_back(self) -> bool:
        """Return to the match with `*`; return whether there is an unfinished one to play on.

        Lessons and matches with real cards do not count; the house would have to enter the cards.
        """
        bench = self.bench
        for _ in range(30):
            session = bench.host.session
            if session is None or session.tutor or isinstance(bench.screen, Result):
                return False
            if bench.host.frames.overlays.top is None:
                return session.referee.dealer is not None
            bench.press(self.luck.randrange(5), "*")
            bench.wait(1)
        pytest.fail(f"it cannot be left: {bench.screen}")

    def play_on(self, match: Match) -> None:
        entries = len(match.entries)
        for _ in range(80):
            if len(match.entries) > entries or match.outcome or self.bench.host.session is None:
                return
            self.do_what_is_due()
        pytest.fail(f"nothing comes of anything: {self.bench.screen}")

    def take_all_back(self, match: Match) -> None:
        """Undo as far as possible, to the TABLE's first moves."""
        for _ in range(3 * match.length + 3):
            if isinstance(self.bench.screen, Play):
                self.bench.house("undo")
            if self.bench.host.session is None or not self.bench.host.session.next_undo().moves:
                break
            self.bench.press(0, "#")
        assert all(move.seat == TABLE for move in match.moves)
        fresh = Match(match.game, match.names, rulings=match.rulings, box_text=match.box_text)
        for move in match.moves:
            fresh.push(move)
        assert fresh.state == match.state


@pytest.mark.soak
@pytest.mark.parametrize("name", all_games())
def test_table_records_everything_shown_and_recovers(
    tmp_path: Path, name: str, soak_count: Callable[[int], int]
) -> None:
    came_back = 0
    for seed in range(soak_count(400)):
        walk = Walk(tmp_path / str(seed), name, seed)
        with walk.disk.mounted():
            for _ in range(STEPS):
                walk.step()
            walk.check()
            walk.mend()
            if walk.go_back() and (session := walk.bench.host.session):
                came_back += 1
                walk.play_on(session.match)
                walk.check()
                if walk.go_back() and walk.bench.host.session is session:
                    walk.take_all_back(session.match)
            walk.check()
        walk.bench.host.close()
    assert came_back
