"""An edge costs the referee hardly more at 10,000 a second than at 100, counted in function calls.

Comprehensions are left out, as they are not calls from Python 3.12 on.
"""

import sys
from types import FrameType

import pytest

from companion.core.console import BUZZ
from companion.core.signal import LEVEL, SeatSignal
from tests.referee.bench import MS, Bench

EDGES = 1_000


def calls_an_edge(a_second: int, settle_ms: int, *, closed_for: int = 1, levels: bool = False) -> float:
    """Return the function calls per edge of a chattering contact."""
    bench = Bench(settle_ms=settle_ms)
    bench.at(2_000)
    called = 0

    def count(frame: FrameType, kind: str, argument: object) -> None:
        nonlocal called
        called += kind == "call" and not frame.f_code.co_name.startswith("<")

    now_ns = 2_000 * MS
    for number in range(EDGES):
        now_ns += 1_000 * MS // a_second
        flags = (LEVEL,) if levels and number % 4 == 3 else ()
        bench.table.run(now_ns)
        edge = SeatSignal("test", 2, BUZZ, now_ns, 150_000, now_ns, number % (1 + closed_for) != 0, flags)
        sys.setprofile(count)
        try:
            bench.table.signal(edge)
        finally:
            sys.setprofile(None)
    return called / EDGES


@pytest.mark.parametrize(
    ("settle_ms", "closed_for", "levels"), [(0, 1, False), (5, 2, True), (60, 1, True), (60, 2, False)]
)
def test_edge_costs_little_more_at_hundredfold_rate(settle_ms: int, closed_for: int, levels: bool) -> None:
    seldom, often = (
        calls_an_edge(a_second, settle_ms, closed_for=closed_for, levels=levels) for a_second in (100, 10_000)
    )
    assert often < 4 * seldom
