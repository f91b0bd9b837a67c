"""A match of robots as the display shows it, in reproducible virtual time."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from companion.config.sections import JournalOptions, Seats
from companion.config.table_file import TableConfig
from companion.core.game import Game
from companion.core.tags import DEALS
from companion.display.frame import Frame, Result
from companion.games import all_games, load
from companion.match.new_match import new_match
from companion.match.seating import Sitter, Wanted
from companion.table.host import Host
from tests.display.gallery import StillClock

SETTLE_NS = 30_000_000
"""The latest report that still counts; closer calls get a photo finish."""


class Shown(NamedTuple):
    t_ns: int
    frame: Frame


def _playable(game: Game) -> Any:
    """Return the default house rules, or secret numbers for a game of questions."""
    default = game.rulings()
    return replace(default, play="sealed") if game.no_robots(default, DEALS[0]) else default


def watched(game: str, names: Sequence[str], seed: str, folder: Path, kind: str = "strong") -> Iterator[Shown]:
    """Yield the frames of a match up to its result; the host writes to `folder`."""
    match = new_match(load(game), names, rulings=_playable(load(game)), seed=seed, demo=True)
    clock, sent = StillClock(), list[Frame]()
    config = TableConfig(seats=Seats(tuple(names)), journal=JournalOptions(str(folder)))
    sitters = [Sitter(name, kind) for name in names]
    host = Host(all_games(), config, clock, sent.append, Wanted(sitters, match=match), settle_ns=SETTLE_NS)
    with closing(host):
        host.start()
        while not (sent and isinstance(sent[-1].screen, Result)):
            for frame in sent:
                yield Shown(clock.now_ns(), frame)
            newest, sent[:] = sent[-1:], []
            for frame in newest:
                visible = host.frames.shown(frame, clock.now_ns())
                if visible:
                    host.signal(visible)
            if not sent:
                due_ns = host.deadline_ns
                if due_ns is None:
                    raise LookupError(f"the match of {game} does not go on: is another one in {folder}?")
                clock.jump(due_ns)
                host.tick(clock.now_ns())
        yield Shown(clock.now_ns(), sent[-1])
