"""The public interface: play games, replay records and simulate matches from a Python program (docs/python.md).

The names in `__all__` are public, with the attributes that docs/python.md shows. From 1.0 on they change only with
a new major version. Every other module of this package is private and may change in any release.

>>> from companion import api
>>> match = api.begin(api.load("buro_crazy"), ["Anna", "Ben", "Cleo"], seed="1")
>>> api.deal(match) is not None
True
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from secrets import token_hex

from companion.core import options
from companion.core.boxfile import NamedBox
from companion.core.errors import CompanionError, IllegalMove, OptionError
from companion.core.event import Event
from companion.core.game import Decider, Game
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat
from companion.core.record import Entry
from companion.core.replay import loads, replay_entries
from companion.core.rules import Outcome
from companion.core.tags import dealer_of
from companion.core.text import msg
from companion.games import all_games, load
from companion.games import names as game_names
from companion.match.new_match import NAMES, new_match
from companion.match.robots import bots_named
from companion.match.simulation import Simulation, Tally, run

__all__ = [
    "TABLE",
    "CompanionError",
    "Game",
    "IllegalMove",
    "Match",
    "Move",
    "Outcome",
    "Robot",
    "Tally",
    "begin",
    "deal",
    "game_names",
    "load",
    "replay",
    "simulate",
    "steps",
]


def begin(
    game: Game,
    players: Iterable[str],
    *,
    rulings: Mapping[str, object] | None = None,
    box: str | None = None,
    seed: str | None = None,
) -> Match:
    """Return a match before its first move, for one player name a seat.

    `rulings` are house rules by name, `box` the text of a custom box. The same `seed` deals the same cards; by
    default it is 128 random bits. Raises OptionError for rulings or a number of players that the game does not
    have, and BoxError for a bad box.
    """
    chosen = options.read(game.rulings, rulings or {}, "rulings")
    return new_match(game, players, rulings=chosen, box=NamedBox("", box) if box else None, seed=seed)


def deal(match: Match) -> Move | None:
    """Make the dealer's next draw, such as a card or a die. Return the move, or None if no draw is due."""
    draws, dealer = match.game.rules.draws(match.state), dealer_of(match)
    if not draws or not dealer:
        return None
    draw = match.next_draw
    move = dealer.choose(draw.number, draws, draw.again)
    match.push(move)
    return move


class Robot:
    """A robot of a game that chooses moves for any seat. The same `seed` makes the same choices.

    `kind` is a key of `game.bots`. Raises OptionError for another kind, and for a robot that can only play with
    reaction times, such as those of Buntherum; `simulate` plays those.
    """

    def __init__(self, game: Game, kind: str = "easy", *, seed: str | None = None) -> None:
        (bot,) = bots_named(game, [kind], 1)
        if not isinstance(bot, Decider):
            raise OptionError(
                msg(
                    "{game}: the robot {kind!r} plays in real time; use simulate instead",
                    game=game.title,
                    kind=kind,
                )
            )
        self._bot = bot
        self._luck = random.Random(seed)

    def choose(self, match: Match, seat: Seat) -> Move | None:
        """Return the robot's move, from what `seat` may see; None to wait for other seats."""
        return self._bot.decide(match.view(seat), seat, self._luck)


def replay(record: str) -> Match:
    """Return the match of a record's text. Raises RecordError, which names the line or the move."""
    return loads(record, all_games())


def steps(match: Match) -> Iterator[tuple[Entry, tuple[Event, ...]]]:
    """Play a match again from its start. Yield each entry of its record with the events that it caused."""
    return replay_entries(match)


def simulate(
    game: Game,
    matches: int,
    *,
    robots: Sequence[str] = ("easy",),
    players: int | None = None,
    rulings: Mapping[str, object] | None = None,
    seed: str | None = None,
    jobs: int = 1,
) -> Tally:
    """Let robots play many matches and return the tally: wins by seat and by robot, moves, decisions.

    `robots` are kinds by seat, repeated if there are more seats, and move on by one seat each match. `players` is
    by default the least number that the game allows. The same `seed` gives the same tally. With `jobs` above 1
    that number of processes play; the calling program then needs the usual `if __name__ == "__main__":`.
    """
    seats = min(game.rules.SEATS) if players is None else players
    chosen = options.read(game.rulings, rulings or {}, "rulings")
    plan = Simulation(game, NAMES[:seats], tuple(robots), chosen, token_hex(8) if seed is None else seed)
    *_earlier, tally = Tally(), *run(plan, matches, jobs=jobs)
    return tally
