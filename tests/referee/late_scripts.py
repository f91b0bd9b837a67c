"""Random scripts for a table whose devices report sooner or later.

The time of a verdict depends on its reports; the next card and the limits follow from it. These moments are not
evidence. A script with an act close to one of them is skipped, and so are the cases that docs/fairness.md leaves to
the report.
"""

import random
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from itertools import pairwise, product
from typing import Any, Final, NamedTuple

from companion.core.console import BUZZ, Call
from companion.core.event import Event
from companion.core.move import TABLE, Move, Seat
from companion.core.signal import SeatSignal
from companion.referee.arbiter import SETTLE_MOST_NS
from companion.referee.calls import STOP_NS
from tests.referee.bench import MS, Bench

END_MS: Final = 8_000
REST_MS: Final = 150
"""How long a contact rests after a press."""

SPIKE_REST_MS: Final = 8
"""The same after a spike, which within 5 ms looks like bounce."""

NEAR_MS: Final = 8
END_NEAR_MS: Final = 250
"""Events this close to the end may come after it."""

LIMIT_MS: Final = 2_000
"""The limit of a declaration, and of a card with `nobody_after_s`."""

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
Record = tuple[list[Move], list[tuple[Seat, ...]], list[tuple[Call, tuple[Call, ...]]], list[Event]]
"""The moves, the winners of each race, its first call and false starts, and late reports."""


class Act(NamedTuple):
    """A press with bounce, a spike, a key, or an act of the house or a plug."""

    at_ms: float
    what: str
    seat: Seat = TABLE
    control: str = BUZZ
    bounces_ms: tuple[float, ...] = ()

    @property
    def edges_ms(self) -> tuple[float, ...]:
        """When the contact closes and opens, in turn; other acts have one moment."""
        bounced = (self.at_ms, *(self.at_ms + after_ms for after_ms in self.bounces_ms))
        return (*bounced, self.at_ms + 90) if self.what == "press" else bounced


class Script(NamedTuple):
    """Acts, lateness of devices, uncertainty of buzzers, and rulings."""

    acts: tuple[Act, ...]
    settle_ms: int
    vague_ns: int
    rulings: Rulings


def draw_script(luck: random.Random) -> Script:
    rulings = luck.choice(RULINGS)
    weights = [weight * luck.choice((0.2, 1, 1, 4)) for weight in (10, 4, 3, 2, 1, 1, 6, 4)]
    acts: list[Act] = []
    at_ms = luck.uniform(600, 1_100)
    end_ms = luck.choice((1_300, 1_300, 4_000))  # a short script has fewer uncertain moments
    while at_ms < end_ms:
        for _ in range(luck.randint(1, 4)):
            kinds = ("press", "key", "skip", "house", "pause", "undo", "spike", "stars")
            acts += _draw_acts(luck, luck.choices(kinds, weights)[0], at_ms)
            at_ms += luck.choice((0, 0.3, 1.2, 3, 7, 15, 40))
        at_ms += luck.choice((60, 150, 400, 700, 1_100))
    return Script(tuple(_kept(acts)), luck.choice((5, 10, 30, 60, 150)), luck.choice((0, 0, 150_000, MS)), rulings)


def _draw_acts(luck: random.Random, what: str, at_ms: float) -> list[Act]:
    seat = Seat(luck.randrange(3))
    if what == "press":
        bounces_ms = sorted(luck.uniform(0, 7) for _ in range(luck.choice((0, 0, 2, 4))))
        return [Act(at_ms, what, seat, BUZZ, tuple(bounces_ms))]
    if what == "spike":
        return [Act(at_ms, what, seat, BUZZ, (luck.choice((0.02, 0.4, 0.9)),))]
    if what == "stars":
        return [Act(at_ms + luck.choice((0, 1, 4, 9)), "key", Seat(star), "*") for star in range(3)]
    if what == "key":
        by = seat if luck.random() < 0.9 else TABLE
        return [Act(at_ms, what, by, luck.choice("0123456*#78B"))]
    if what == "skip":
        return [Act(at_ms, "key", TABLE, "skip")]
    if what == "house":
        return [Act(at_ms, "key", TABLE, luck.choice(("ok", "right", "wrong")))]
    at_ms += 0.05  # pause and undo lack a timestamp to compare with a press in the same instant
    later_ms = at_ms + luck.choice((3.1, 8.1, 25.1, 300.1))
    if what == "undo":
        return [Act(at_ms, "house", TABLE, "undo"), Act(later_ms, "house", TABLE, "ok")]
    if luck.random() < 0.5:
        return [Act(at_ms, "unplug", seat), Act(later_ms, "plug", seat)]
    return [Act(at_ms, "house", TABLE, "pause"), Act(later_ms, "house", TABLE, "pause")]


def _kept(acts: list[Act]) -> list[Act]:
    """Drop acts on contacts that are not at rest."""
    rests_ms: dict[Seat, float] = defaultdict(float)
    kept = []
    for act in sorted(acts):
        if act.what in {"press", "spike"}:
            if act.at_ms < rests_ms[act.seat]:
                continue
            rests_ms[act.seat] = act.at_ms + (REST_MS if act.what == "press" else SPIKE_REST_MS)
        kept.append(act)
    return kept


def play(script: Script, luck: random.Random | None) -> Bench:
    """Play a script with randomly late reports, or with punctual ones without `luck`.

    Each device's keys keep their order; pauses and undos arrive at once.
    """
    bench = Bench(settle_ms=script.settle_ms, **script.rulings)
    bench.devices.settle_most_ns = max(SETTLE_MOST_NS, script.settle_ms * MS)  # as much as phones need
    if script.rulings.get("deal") == "table":
        bench.lay_starters()
    late_ns = script.settle_ms * MS - 2 * script.vague_ns  # the settle time includes the uncertainty
    arrived_ns: dict[Seat, int] = defaultdict(int)
    acts = sorted(script.acts)
    if luck:
        order = {device: luck.random() for device in dict.fromkeys((act.what, act.seat) for act in acts)}
        acts.sort(key=lambda act: (act.at_ms, order[act.what, act.seat]))
    for act in acts:
        if act.what in {"house", "plug", "unplug"}:
            _plan(bench, round(act.at_ms * MS), _at_once(bench, act))
            if act.what == "house":
                arrived_ns[TABLE] = max(arrived_ns[TABLE], round(act.at_ms * MS))
            continue
        for number, edge_ms in enumerate(act.edges_ms):
            t_ns = round(edge_ms * MS)
            received_ns = t_ns + (luck.randrange(late_ns) if luck else 0)
            vague_ns = 0 if act.what == "key" else script.vague_ns
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
    """Return what must not depend on lateness; the place of chips may vary."""
    moves = bench.match.moves
    chips = sorted(move for move in moves if move.verb == "early")
    proofs = [entry.evidence for entry in bench.match.entries if entry.evidence]
    proved = [(proof.calls[0], proof.early) for proof in proofs if proof.calls]
    others = [move for move in moves if move.verb != "early"]
    return [*chips, *others], bench.winners(), proved, bench.of("late_report")


def without_spikes(script: Script) -> Script:
    return script._replace(acts=tuple(act for act in script.acts if act.what != "spike"))


def says_nothing(script: Script, punctual: Bench, late: Bench) -> bool:
    """Return whether an act is close to a moment that depends on lateness, or the report decides."""
    settle_ms = script.settle_ms
    early_ms = sorted(told.facts["stamp_ns"] / MS for told in punctual.of("false_start"))
    if _report_decides(script, early_ms):
        return True
    acts_ms = [edge_ms for act in script.acts if act.what != "spike" for edge_ms in act.edges_ms]
    acts_ms += [ms + settle_ms for ms in early_ms]  # an undo shows whether a chip came before or after a card
    acts_ms += END_MS, END_MS - settle_ms  # the end of a limit waits for reports in time
    for at_ms, other_ms in zip(_moments(punctual), _moments(late), strict=True):
        if any(END_MS - END_NEAR_MS < ms <= END_MS for ms in (*at_ms, *other_ms)):
            return True
        for both_ms in zip(at_ms, other_ms, strict=False):
            first_ms, last_ms = min(both_ms), max(both_ms)
            if first_ms != last_ms and any(first_ms - NEAR_MS <= ms <= last_ms + NEAR_MS for ms in acts_ms):
                return True
    return False


def _report_decides(script: Script, early_ms: list[float]) -> bool:
    """Return whether the reports of two close acts decide, not their timestamps (docs/fairness.md)."""
    near_ms = script.settle_ms + NEAR_MS
    acts = script.acts
    undone_ms = [act.at_ms for act in acts if act.control == "undo"]
    judged_ms = [act.at_ms for act in acts if act.control in {"right", "wrong"}]
    keys = [act for act in acts if act.what == "key" and act.control != "skip"]
    presses = [act for act in acts if act.what == "press"]
    return (
        any(key.seat == own.seat and 0 <= key.at_ms - own.at_ms <= near_ms for key, own in product(keys, presses))
        or any(0 <= undo_ms - key.at_ms <= near_ms for key, undo_ms in product(keys, undone_ms))
        or (bool(undone_ms) and any(two_ms - one_ms < near_ms for one_ms, two_ms in pairwise(early_ms)))
        or any(abs(judge_ms - one_ms) < near_ms for judge_ms, one_ms in product(judged_ms, early_ms))
    )


def _moments(bench: Bench) -> list[list[float]]:
    """Return by kind when public events came, and when what follows from them is due."""
    kinds = ("visible", "verdict", "flip", "call", "went_on", "declare", "nobody", "late", "under", "next", "tie")
    after_ms = (0.0, STOP_NS / MS, LIMIT_MS)
    return [[at + more for at, more in product(bench.times(kind), after_ms)] for kind in kinds]
