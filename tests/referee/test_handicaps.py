"""BH-A29: a handicap delays a seat's calls and nothing else."""

import pytest

from companion.core.replay import loads
from companion.games import all_games
from companion.match.photo_finish import photo_of
from companion.records.verdicts import verdicts
from tests.referee.bench import MS, Bench


def pressed(*presses: tuple[float, int], until_ms: float = 3000, **rulings: int) -> Bench:
    """Return a bench after presses of (milliseconds after the visible card, seat)."""
    bench = Bench(tie_margin_ms=1, **rulings)
    for after_ms, seat in sorted(presses):
        bench.at(1000 + after_ms)
        bench.buzz(seat)
    bench.at(until_ms)
    return bench


@pytest.mark.parametrize(("other_ms", "winners"), [(848, (1,)), (849, (1, 0)), (851, (0, 1)), (852, (0,))])
def test_bh_a29_call_counts_later_by_its_handicap(other_ms: int, winners: tuple[int, ...]) -> None:
    assert pressed((500, 0), (other_ms, 1), handicap_1=350).winners() == [winners]


def test_bh_a29_verdict_waits_only_for_possible_earlier_calls() -> None:
    bench = pressed((500, 0), until_ms=1859, handicap_1=350)
    assert bench.winners() == []
    bench.at(1862)
    assert bench.winners() == [(0,)]
    assert pressed((500, 0), (600, 1), until_ms=1612, handicap_1=350).winners() == [(1,)]  # known at once


def test_bh_a29_delayed_call_is_not_a_false_start() -> None:
    bench = pressed((500, 0), (600, 1), handicap_1=350)
    assert not bench.times("false_start")
    assert not bench.times("late_report")


def test_bh_a29_press_before_the_card_stays_too_early() -> None:
    bench = pressed((-100, 0), handicap_1=350, until_ms=2000)
    assert bench.winners() == []
    assert bench.times("false_start")


def test_bh_a29_long_handicap_survives_further_presses() -> None:
    bench = Bench(tie_margin_ms=1, handicap_1=2000).at(1500)
    bench.buzz(0)
    for at_ms in (1900, 2300, 2700, 3100):
        bench.at(at_ms)
        bench.buzz(0)
    bench.at(4000)
    assert bench.winners() == [(0,)]
    verdict = next(told for _, told in bench.told if told.kind == "verdict")
    assert [call.t_ns for call in verdict.facts["calls"]] == [3500 * MS]


def test_bh_a29_handicaps_are_in_record_and_photo_finish() -> None:
    bench = pressed((500, 0), (855, 1), handicap_1=350)
    match = loads(bench.table.match.dumps(), all_games())
    assert match.rulings.handicap_1 == 350  # type: ignore[attr-defined]
    (judged,) = verdicts(match)
    assert [(call.seat, call.handicap_ns) for call in judged.evidence.calls] == [(0, 350 * MS), (1, 0)]
    assert "!handicap_350" in match.dumps()
    photo = photo_of(match, match.before(judged.number), judged.verdict, (), str)
    assert photo
    assert [(line.name, line.handicap_ns, line.after_ns) for line in photo.presses] == [
        ("Anna", 350 * MS, 0),
        ("Ben", 0, 5 * MS),
    ]


def test_bh_a29_handicap_also_applies_after_an_undo() -> None:
    bench = pressed((500, 0), (800, 1), until_ms=2000, handicap_1=350)
    assert bench.winners() == [(1,)]
    bench.devices.house("undo")
    bench.devices.house("ok")
    bench.at(2600)
    bench.buzz(0)
    bench.at(2700)
    bench.buzz(1)
    bench.at(3400)
    assert bench.winners()[1:] == [(1,)]
