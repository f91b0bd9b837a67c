"""Random scripts of a table whose devices report sooner or later what happens there: presses that bounce, keys,
what the house does, pauses, undos and plugs.

When a verdict is made follows from when its call was heard, and from that when the next card can be seen and how
long a limit runs: moments that everybody sees, and no evidence. A script in which somebody acts while one of them
may already have been or not says nothing about lateness, and is passed over.
"""

import random
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from itertools import pairwise, product
from typing import Any, Final, NamedTuple

from bench import MS, Bench

from companion.core.console import BUZZ
from companion.core.event import Event
from companion.core.move import TABLE, Move, Seat
from companion.core.signal import SeatSignal
from companion.referee.calls import STOP_NS

END_MS: Final = 8_000
REST_MS: Final = 150
"""A contact rests so long before it is pressed again."""

APART_MS: Final = 170
"""Of keys, and of what the house does, nobody says whose was first if they are closer to anything else."""

NEAR_MS: Final = 8
LIMIT_MS: Final = 2_000
"""How long a declaration may take, and a card lies with `nobody_after_s`."""

RULINGS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"early_buzz": "chip"},
    {"early_buzz": "chip", "tie_margin_ms": 10},
    {"early_buzz": "chip", "nobody_after_s": 2},
    {"early_buzz": "chip", "call_input": "direct"},
    {"early_buzz": "chip", "handicap_1": 20, "handicap_3": 90},
    {"tie_margin_ms": 0},
    {"deal": "table"},
    {"deal": "table", "open": "ok", "early_buzz": "chip"},
)

Rulings = dict[str, Any]
Record = tuple[list[Move], list[tuple[Seat, ...]], list[Event]]
"""The moves that stand, the winners of each race, and what was told of reports that came too late."""


class Act(NamedTuple):
    """Something that happens at a time: a press that bounces, a key, or what the house or a plug does."""

    at_ms: float
    what: str
    seat: Seat = TABLE
    control: str = BUZZ
    bounces_ms: tuple[float, ...] = ()

    @property
    def edges_ms(self) -> tuple[float, ...]:
        """When its contact closes and opens, by turns; of anything else the one moment."""
        bounced = (self.at_ms, *(self.at_ms + after_ms for after_ms in self.bounces_ms))
        return (*bounced, self.at_ms + 90) if self.what == "press" else (self.at_ms,)


class Script(NamedTuple):
    """What happens, how late the devices may be, how vague the stamps of buzzers are, and by which rulings."""

    acts: tuple[Act, ...]
    settle_ms: int
    vague_ns: int
    rulings: Rulings


def draw_script(luck: random.Random) -> Script:
    """Return a script of some seconds: at each time several things close together."""
    rulings = luck.choice(RULINGS)
    weights = [weight * luck.choice((0.2, 1, 1, 4)) for weight in (10, 4, 3, 2, 1, 1)]
    acts: list[Act] = []
    at_ms = luck.uniform(600, 1_100)
    while at_ms < 4_000:
        for _ in range(luck.randint(1, 4)):
            what = luck.choices(("press", "key", "skip", "house", "pause", "undo"), weights)[0]
            acts += _draw_acts(luck, what, at_ms)
            at_ms += luck.choice((0.3, 1.2, 3, 7, 15, 40))
        at_ms += luck.choice((60, 150, 400, 700, 1_100))
    return Script(
        tuple(_kept(acts, rulings)), luck.choice((5, 10, 30, 60)), luck.choice((0, 0, 150_000, MS)), rulings
    )


def _draw_acts(luck: random.Random, what: str, at_ms: float) -> list[Act]:
    seat = Seat(luck.randrange(3))
    if what == "press":
        bounces_ms = sorted(luck.uniform(0, 7) for _ in range(luck.choice((0, 0, 2, 4))))
        return [Act(at_ms, what, seat, BUZZ, tuple(bounces_ms))]
    if what == "key":
        by = seat if luck.random() < 0.9 else TABLE
        return [Act(at_ms, what, by, luck.choice("0123456*#78B"))]
    if what == "skip":
        return [Act(at_ms, "key", TABLE, "skip")]
    if what == "house":
        return [Act(at_ms, "key", TABLE, luck.choice(("ok", "right", "wrong")))]
    later_ms = at_ms + luck.choice((3, 8, 25, 300))
    if what == "undo":
        return [Act(at_ms, "house", TABLE, "undo"), Act(later_ms, "house", TABLE, "ok")]
    if luck.random() < 0.5:
        return [Act(at_ms, "unplug", seat), Act(later_ms, "plug", seat)]
    return [Act(at_ms, "house", TABLE, "pause"), Act(later_ms, "house", TABLE, "pause")]


def _kept(acts: list[Act], rulings: Rulings) -> list[Act]:
    """Return what has an order: no press of a contact before it rests, and keys apart from all but pauses."""
    pressed: dict[Seat, float] = {}
    kept = []
    for act in sorted(acts):
        if act.what == "press":
            if act.at_ms < pressed.get(act.seat, -REST_MS) + REST_MS:
                continue
            pressed[act.seat] = act.at_ms
        near = [other for other in acts if other is not act and abs(other.at_ms - act.at_ms) < APART_MS]
        if _has_no_order(act, rulings) and any(other.control not in {"pause", BUZZ} for other in near):
            continue
        if _has_no_order(act, rulings) and any(other.what == "press" for other in near):
            continue
        kept.append(act)
    return kept


def _has_no_order(act: Act, rulings: Rulings) -> bool:
    calls = rulings.get("call_input") == "direct" and act.control in "0123456" and act.seat != TABLE
    return act.what == "key" and not calls and act.control not in {"*", "skip"}


def play(script: Script, luck: random.Random | None) -> Bench:
    """Play a script with reports that are as late as luck has it; without luck they come at once.

    The keys of one device arrive in their order, and a pause or an undo at once.
    """
    bench = Bench(settle_ms=script.settle_ms, **script.rulings)
    if script.rulings.get("deal") == "table":
        bench.lay_starters()
    late_ns = script.settle_ms * MS - 2 * script.vague_ns  # which the settle time has in it
    arrived_ns: dict[Seat, int] = defaultdict(int)
    for act in sorted(script.acts):
        if act.what in {"house", "plug", "unplug"}:
            _plan(bench, round(act.at_ms * MS), _at_once(bench, act))
            if act.what == "house":
                arrived_ns[TABLE] = max(arrived_ns[TABLE], round(act.at_ms * MS))
            continue
        for number, edge_ms in enumerate(act.edges_ms):
            t_ns = round(edge_ms * MS)
            received_ns = t_ns + (luck.randrange(late_ns) if luck else 0)
            vague_ns = script.vague_ns if act.what == "press" else 0
            if act.what == "key":
                received_ns = arrived_ns[act.seat] = max(arrived_ns[act.seat], received_ns)
            report = SeatSignal("test", act.seat, act.control, t_ns, vague_ns, received_ns, number % 2 == 0)
            _plan(bench, received_ns, partial(bench.table.signal, report))
    return bench.at(END_MS)


def _at_once(bench: Bench, act: Act) -> Callable[[], object]:
    if act.what == "house":
        return partial(bench.house, act.control)
    return partial(bench.devices.plug if act.what == "plug" else bench.devices.unplug, act.seat)


def _plan(bench: Bench, at_ns: int, act: Callable[[], object]) -> None:
    bench.table.clock.at(at_ns, act)


def recorded(bench: Bench) -> Record:
    """Return what must not depend on lateness; whether a chip is noted before or after its card is no matter."""
    moves = bench.match.moves
    chips = sorted(move for move in moves if move.verb == "early")
    return [*chips, *(move for move in moves if move.verb != "early")], bench.winners(), bench.of("late_report")


def says_nothing(script: Script, punctual: Bench, late: Bench) -> bool:
    """Tell whether somebody acts while a moment that follows from a verdict may already have been or not.

    Nor does a script say anything in which an undo may come for one of two chips: it takes back that which was
    noted last.
    """
    early_ms = sorted(told.facts["stamp_ns"] / MS for told in punctual.of("false_start"))
    close = any(two - one < script.settle_ms + NEAR_MS for one, two in pairwise(early_ms))
    if close and any(act.control == "undo" for act in script.acts):
        return True
    acts_ms = [edge_ms for act in script.acts for edge_ms in act.edges_ms]
    acts_ms += END_MS, END_MS - script.settle_ms  # what ends a limit waits for what was in time
    for at_ms, other_ms in zip(_moments(punctual), _moments(late), strict=True):
        for both_ms in zip(at_ms, other_ms, strict=False):
            first_ms, last_ms = min(both_ms), max(both_ms)
            if first_ms != last_ms and any(first_ms - NEAR_MS <= ms <= last_ms + NEAR_MS for ms in acts_ms):
                return True
    return False


def _moments(bench: Bench) -> list[list[float]]:
    """Return, kind by kind, when something was told that others go by, and what follows from that."""
    kinds = ("visible", "verdict", "flip", "call", "went_on", "declare", "nobody", "late", "under", "next", "tie")
    after_ms = (0.0, STOP_NS / MS, LIMIT_MS)
    return [[at + more for at, more in product(bench.times(kind), after_ms)] for kind in kinds]
