"""The program with a window: the host in a thread of its own, the window in the main one."""

import queue
import threading
from collections.abc import Sequence
from typing import Final

from companion.config import TableConfig
from companion.core.errors import OptionError, nearest
from companion.core.match import Match
from companion.core.signal import Signal
from companion.core.text import msg
from companion.display.frame import Frame
from companion.display.window import Window
from companion.games import all_games, load
from companion.host import PLACES, Host
from companion.lobby import Sitter, common_robots
from companion.referee.clock import PlanningClock
from companion.referee.loop import STOP, run_live

SETTLE_NS: Final = 30_000_000
"""How late the PC's keys may be seen, in a frame that takes long to draw."""

PERSON: Final = "person"


def play(config: TableConfig, game: str | None, bots: Sequence[str], deal: str) -> None:
    """Open the virtual table with its attract screen; `bots` sit there, `person` leaves a seat free.

    Raise OptionError for a robot that the game, or some game, does not have.
    """
    kinds = load(game).bots if game else common_robots(all_games())
    for kind in bots:
        if kind not in {*kinds, PERSON}:
            raise OptionError(msg("there is no bot {kind!r}; {near}", kind=kind, near=nearest(kind, kinds)))
    if len(bots) > PLACES:
        raise OptionError(msg("{n} robots for {places} seats", n=len(bots), places=PLACES))
    names = iter(config.seats.names)
    sitters = [
        None if kind == PERSON else Sitter(next(names, f"Robot {seat}"), kind) for seat, kind in enumerate(bots, 1)
    ]
    _run(config, sitters, game=game, deal=deal)


def demo(config: TableConfig, match: Match, kinds: Sequence[str]) -> None:
    """Let robots play a match in the window."""
    sitters = [Sitter(name, kind) for name, kind in zip(match.names, kinds, strict=True)]
    _run(config, sitters, match=match)


def _run(
    config: TableConfig,
    sitters: Sequence[Sitter | None],
    *,
    game: str | None = None,
    match: Match | None = None,
    deal: str = "pi",
) -> None:
    frames: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
    inbox: queue.SimpleQueue[Signal | None] = queue.SimpleQueue()
    clock = PlanningClock()
    window = Window(virtual=True, turn=config.display.turn)
    host = Host(
        all_games(),
        config,
        clock,
        frames.put,
        settle_ns=SETTLE_NS,
        sitters=sitters,
        game=game,
        match=match,
        deal=deal,
    )

    def serve() -> None:
        try:
            host.start()
            run_live(host, inbox, clock)
        finally:
            host.close()
            frames.put(None)

    thread = threading.Thread(target=serve, name="host")
    thread.start()
    try:
        window.run(frames, inbox.put, host.shown)
    finally:
        inbox.put(STOP)
        thread.join()
        window.close()
