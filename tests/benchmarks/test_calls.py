"""The fairness benchmark's arithmetic: its presses and its expected verdicts."""

import json
import random
from itertools import product
from pathlib import Path

import pytest

from benchmarks.calls.summary import summary, tables
from companion.match.fairness.pairs import (
    BOUNCE_MOST_NS,
    CLOSED,
    HOLD_NS,
    LEAD_NS,
    MS,
    OPEN,
    Pair,
    PairVerdict,
    Truth,
    assign,
    expected,
    fails,
    found,
    plan,
    row,
    truth,
)
from tests.running import for_each

DOCS = Path(__file__).parents[2] / "docs"


@for_each(*product(range(10), (False, True)))
def test_pair_is_pressed_as_planned(seed: int, bounce: bool) -> None:
    pair = plan(random.Random(seed), 2, bounce=bounce)
    at_ns, edges = 0, []
    for wait_ns, place, level in pair.moves:
        assert wait_ns >= 0
        at_ns += wait_ns
        edges.append((at_ns, place, level))
    first, second = (edges[at] for at in pair.contacts)
    assert first == edges[0]
    assert (first[1], second[1]) == (pair.first, 1 - pair.first)
    assert LEAD_NS[0] <= first[0] <= LEAD_NS[1]
    assert 2.0 * MS < second[0] - first[0] < 2.3 * MS
    for place in range(2):
        mine = [(t_ns, level) for t_ns, whose, level in edges if whose == place]
        levels = [level for _, level in mine]
        assert levels == [CLOSED, OPEN] * (len(mine) // 2)
        began_ns = mine[0][0]
        closing = [t_ns for t_ns, _ in mine if t_ns - began_ns < HOLD_NS // 2]
        assert closing[-1] - began_ns <= BOUNCE_MOST_NS
        assert mine[-1][0] - mine[len(closing)][0] <= BOUNCE_MOST_NS
        assert mine[len(closing) - 1][1] == CLOSED
        assert bounce or len(mine) == 2


def test_some_contacts_bounce_for_long() -> None:
    longest_ns = 0
    for seed in range(200):
        pair = plan(random.Random(seed), 0.05, bounce=True)
        at_ns = 0
        for place, (wait_ns, _, _) in enumerate(pair.moves):
            at_ns += wait_ns if place else 0
            if at_ns < HOLD_NS // 2:
                longest_ns = max(longest_ns, at_ns)
    assert 4 * MS < longest_ns <= BOUNCE_MOST_NS + MS // 10


def test_truth_comes_from_measured_times() -> None:
    pair = Pair(1, 0, ((0, 0, 0), (MS, 1, 0)), (0, 1))
    assert truth(pair, [(100, 110), (1_000_200, 1_000_230)]) == Truth(100, 1_000_090, 1_000_130)


@pytest.mark.parametrize(
    ("least_ns", "most_ns", "wanted"),
    [(101, 120, "first"), (80, 99, "tie"), (90, 110, "either"), (100, 100, "either")],
)
def test_expected_verdict_depends_on_the_margin(least_ns: int, most_ns: int, wanted: str) -> None:
    assert expected(Truth(0, least_ns, most_ns), 100) == wanted


@pytest.mark.parametrize(("seats", "was"), [(None, "missed"), ((1,), "first"), ((0,), "wrong"), ((0, 1), "tie")])
def test_decision_is_classified_against_the_pair(seats: tuple[int, ...] | None, was: str) -> None:
    pair = Pair(1, 1, (), (0, 1))
    assert found(pair, None if seats is None else PairVerdict(seats, 0)) == was


def test_only_expected_results_pass() -> None:
    assert [was for was in ("first", "tie", "wrong", "missed") if not fails("first", was)] == ["first"]
    assert [was for was in ("first", "tie", "wrong", "missed") if not fails("tie", was)] == ["tie"]
    assert [was for was in ("first", "tie", "wrong", "missed") if not fails("either", was)] == ["first", "tie"]


def test_decisions_belong_to_the_press_before_them() -> None:
    early, late, again = PairVerdict((0,), 150), PairVerdict((1,), 320), PairVerdict((0,), 390)
    assert assign([100, 200, 300], [early, late, again]) == [[early], [], [late, again]]
    with pytest.raises(ValueError, match="before the first press"):
        assign([100], [PairVerdict((0,), 99)])


def test_row_stores_a_failure_and_a_second_verdict() -> None:
    pair, true = Pair(2, 0, (), (0, 1)), Truth(1000, 2 * MS, 2 * MS)
    kept = row(pair, true, [PairVerdict((1,), 7000), PairVerdict((0,), 9000)], MS)
    assert (kept["found"], kept["expected"], kept["failed"]) == ("wrong", "first", True)
    assert (kept["late_ns"], kept["more"]) == (6000, [[0]])


def test_summary_counts_each_result() -> None:
    pair = Pair(2, 0, (), (0, 1))
    decisions = ([PairVerdict((0,), 5 * MS)], [PairVerdict((1,), 9 * MS)], [PairVerdict((0, 1), 7 * MS)], [])
    rows = [
        row(pair._replace(distance_ms=ms), Truth(0, 1, 1), made, None) for made in decisions for ms in _DISTANCES
    ]
    figures = summary([{"method": "poll", "bounce": True, "load": 2, "rows": rows, "odd": []}], [], {})
    cell = figures["cells"][0]
    assert [cell[name] for name in ("pairs", "first", "wrong", "tie", "missed")] == [4, 1, 1, 1, 1]
    assert cell["late_ms"] == [7, 9]
    assert "| poll loop, 10 ms | yes | 2 | 1 wrong, 1 tie, 1 missed |" in tables(figures)


_DISTANCES = (0.05, 0.1, 0.5, 1, 2, 5)


def test_page_shows_the_stored_figures() -> None:
    page = (DOCS / "fairness.md").read_text("utf-8")
    for table in tables(json.loads((DOCS / "figures" / "calls.json").read_text("utf-8"))).split("\n\n"):
        assert table in page
