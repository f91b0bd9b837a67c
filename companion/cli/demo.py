"""The demo: robots press the virtual buzzers and keys of a whole match, told as text."""

from typing import IO

from companion.core.event import Event
from companion.core.game import LEVELS, Bot, Game
from companion.core.match import SEED_TAG, Match
from companion.core.rules import Rulings
from companion.match.robots import bots_named
from companion.match.virtual_table import VirtualTable
from companion.referee.journal import Store
from companion.referee.words import tell

SETTLE_NS = 5_000_000
"""The robots' buzzers report at once."""


def kinds_for(game: Game, rulings: Rulings, seats: int, kinds: str | None) -> list[str]:
    """Return the kind of each seat's robot in a demo: those named, or one of each level. Raise OptionError."""
    levels = [kind for kind in LEVELS if kind in game.bots]
    names = (levels or list(game.bots))[:seats] if kinds is None else kinds.split(",")
    bots_named(game, names, seats, rulings)
    return [names[seat % len(names)] for seat in range(seats)]


def play(match: Match, store: Store, bots: list[Bot], out: IO[str]) -> None:
    """Play a match to its end and tell it."""

    def follow(t_ns: int, told: Event) -> None:
        sentence = tell(match.game, told, match.names) if told.visible_to(None) else None
        if sentence is not None:
            print(f"{t_ns / 1e9:8.3f} s  {sentence}", file=out)

    table = VirtualTable(match, store, settle_ns=SETTLE_NS, tell=follow)
    table.seat_robots(bots, match.tags[SEED_TAG])
    table.start()
    table.run()
    print(file=out)
    print(match.game.teller.picture(match.view(), match.names, str), file=out)
