"""Records for statistics: a tiny game's by hand, and robots' at a virtual table with uncertain timestamps."""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from companion.core.console import BUZZ, Call
from companion.core.game import Game
from companion.core.match import SEED_TAG, Match
from companion.core.move import TABLE, Move, Seat
from companion.core.record import Evidence
from companion.core.replay import loads
from companion.core.rules import Outcome
from companion.core.seats import parse_seat, seat_text
from companion.core.tags import EVENT_TAG
from companion.core.text import Text, msg
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.match.robots import bots_named
from companion.match.simulation import Simulation, run
from companion.match.virtual_table import VirtualTable
from companion.records.history import KeptRecord
from companion.referee.arbiter import judge
from companion.referee.journal import Journal, Opened
from tests.running import for_robots

MS = 1_000_000
S = 1_000 * MS

UNCERTAINTIES_NS = (150_000, 150_000, MS)
"""The uncertainties of gpiod and lgpio."""

KINDS = {"Anna": "strong", "Ben": "middle", "Cleo": "middle", "Dan": "easy", "Eva": "strong"}
"""The robots' levels, and so their speeds."""


# --- By hand ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Rulings:
    """A game without house rules."""


def _outcome(state: tuple[Any, ...]) -> Outcome | None:
    seats, last = state
    if last is None or last.verb != "over":
        return None
    return Outcome((last.args, tuple(seat for seat in range(seats) if seat not in last.args)), msg("so it is"))


def _parse(box: None, text: str) -> Move:
    who, verb, *args = text.split()
    return Move(parse_seat(who), verb, tuple(map(parse_seat, args)))


def tiny(name: str = "tiny") -> Game:
    """Return a game whose TABLE may name callers and winners at any time."""
    rules = SimpleNamespace(
        SEATS=range(2, 6),
        DRAWS=frozenset(),
        SECRETS=frozenset(),
        setup=lambda box, rulings, seats: (seats, None),
        apply=lambda state, move, told: (state[0], move),
        outcome=_outcome,
        view=lambda state, seat: state,
    )
    console = SimpleNamespace(early=lambda view, seat: Move(TABLE, "early", (seat,)))
    notation = SimpleNamespace(
        format_move=lambda box, move: " ".join([seat_text(move.seat), move.verb, *map(seat_text, move.args)]),
        parse_move=_parse,
    )
    return Game(name, Text(name.title()), rules, notation, _Rulings, "", lambda *_: None, console, None, {})


class Hand:
    """A match made by hand from presses `(seat, after the card, uncertainty)` in milliseconds."""

    _rounds = itertools.count()

    def __init__(self, names: Sequence[str] = NAMES[:3], game: Game | None = None, *, demo: bool = False) -> None:
        tags = {"Round": str(next(self._rounds))}  # makes equal matches distinct
        self.match = Match(game or tiny(), names, tags=tags | ({EVENT_TAG: "demo"} if demo else {}))
        self.now_ns = 1000 * S

    def call(self, *presses: tuple[Seat, float, float], flags: tuple[str, ...] = ()) -> "Hand":
        """Open a card two seconds after the last move, and judge the calls."""
        open_ns = self.now_ns + 2 * S
        calls = [Call(seat, open_ns + int(at * MS), int(u * MS), BUZZ, flags) for seat, at, u in presses]
        verdict = judge(calls, MS)
        seats = tuple(sorted(call.seat for call in verdict.winners))
        self.now_ns = open_ns + S
        comment = Evidence(self.now_ns, open_ns, verdict.margin_ns, verdict.calls)
        self.match.push(Move(TABLE, "tie" if len(seats) > 1 else "call", seats), comment)
        return self

    def wait(self, seconds: float) -> "Hand":
        """Let time pass, or go back as after a restart."""
        self.now_ns += int(seconds * S)
        return self

    def over(self, *winners: Seat) -> "Hand":
        self.now_ns += S
        self.match.push(Move(TABLE, "over", winners), Evidence(self.now_ns))
        return self

    def kept(self, name: str = "match") -> KeptRecord:
        return KeptRecord(name, Opened(self.match, None, 0, 0))


# --- By robots --------------------------------------------------------------------------------------------


class _Unsure(VirtualTable):
    uncertainty_ns = 0

    def press(self, seat: Seat, control: str) -> None:
        if control == BUZZ:
            self.devices.buzzers[seat].press(None, self.uncertainty_ns)
        else:
            super().press(seat, control)


def play(folder: Path, count: int, seed: int = 4) -> Iterator[Path]:
    """Record `count` matches of robots, games in turn, seats by lot; yield each path."""
    folder.mkdir(parents=True, exist_ok=True)
    luck, games = random.Random(seed), list(all_games().values())
    for number in range(count):
        game = games[number % len(games)]
        names = luck.sample(NAMES, luck.choice(game.rules.SEATS))
        day, hour = divmod(number, 20)
        path = folder / f"2026-{1 + day // 28:02}-{1 + day % 28:02}-{hour:02}0000-{game.name}.record"
        rulings = for_robots(game, game.rulings())
        match = new_match(game, names, rulings=rulings, seed=f"{seed}/{number}")
        with Journal.create(path, match) as store:
            table = _Unsure(match, store, settle_ns=30 * MS)
            table.uncertainty_ns = luck.choice(UNCERTAINTIES_NS)
            kinds = luck.choices(["strong", "random"], k=len(names))
            if game.name == "buntherum":
                kinds = [KINDS[name] for name in names]
            table.seat_robots(bots_named(game, kinds, len(kinds)), match.tags[SEED_TAG])
            table.start()
            table.run()
        yield path


# --- By robots of two strengths -----------------------------------------------------------------------------

UNEVEN = {"Anna": "strong", "Ben": "easy"}


def played(folder: Path, game: str, count: int, **rulings: Any) -> list[Match]:
    """Return matches of Anna, who is strong, and weaker players."""
    plan = Simulation(
        load(game), tuple(UNEVEN), tuple(UNEVEN.values()), load(game).rulings(**rulings), "even", folder
    )
    list(run(plan, count))
    return [loads(path.read_text("utf-8"), all_games()) for path in sorted(folder.glob("*.record"))]


def by_kind(match: Match) -> Match:
    """Return the match with Anna's name at the strong robot, which changes seats."""
    names = {kind: name for name, kind in UNEVEN.items()}
    text = match.dumps()
    for seat, kind in enumerate(match.tags["Robots"].split(), 1):
        text = text.replace(f'[Seat{seat} "{match.names[seat - 1]}"]', f'[Seat{seat} "{names[kind]}"]')
    return loads(text, all_games())
