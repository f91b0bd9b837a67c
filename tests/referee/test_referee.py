"""From presses to verdicts at a virtual table: the settle window, callers and late reports."""

import pytest

from companion.core.console import BUZZ
from companion.core.event import event
from companion.core.move import TABLE, Move
from companion.core.signal import DEBOUNCED, SeatSignal
from companion.referee.events import LateReport
from companion.referee.step_result import Reason
from tests.referee.bench import FIRST_CARD_MS, MS, Bench, readings, timeline, timelines

# --- The settle window and the verdict -----------------------------------------------------------------------


@timelines(
    timeline(
        "judged when the window closes",
        "1500 buzz 1, 1510.999",
        {"winners": []},
        "1511",
        {"winners": [(1,)], "call_ms": [1511]},
    ),
    timeline(
        "stamped earlier wins though reported later",
        "1500 buzz 0, 1520 buzz 2 @1497, 1600",
        {"winners": [(2,)]},
        settle_ms=30,
    ),
    timeline("at once is a tie", "1500 buzz 0, 1505 buzz 1 @1500, 1600", {"winners": [(0, 1)]}),
    timeline("a tie at the margin", "1500 buzz 0, 1505 buzz 1 @1501, 1600", {"winners": [(0, 1)]}),
    timeline("no tie beyond the margin", "1500 buzz 0, 1505 buzz 1 @1501.000001, 1600", {"winners": [(0,)]}),
    timeline(
        "what cannot be told apart is a tie",
        "1500 buzz 0 ~2, 1505 buzz 1 @1503.5 ~1.5, buzz 2 @1503.501 ~1.499, 1600",
        {"winners": [(0, 1)]},
        tie_margin_ms=0,
    ),
    timeline(
        "the same reported as late as may be",
        "1500 buzz 0 ~1, 1531.8 buzz 1 @1501.9 ~1, 1700",
        {"winners": [(0, 1)]},
        settle_ms=30,
        tie_margin_ms=0,
    ),
    timeline(
        "after noise the first call has its window",
        "1500 stray 0, 1519 buzz 2, 1530 buzz 1 @1515, 1600",
        {"winners": [(1,)], "verdict_ms": [1519 + 21]},
        settle_ms=20,
    ),
    timeline(
        "a report on its way is no lost edge",  # the contact of seat 1 is closed when the window closes
        "0 fault 1 late_ns 20, 1500 buzz 0, 1550 buzz 1, 1700",
        {"winners": [(0,)]},
        settle_ms=60,
    ),
)
def test_first_press_within_the_window_gets_the_call(steps, options):
    Bench(**options).follow(*steps)


def test_verdict_evidence_is_announced_and_recorded():
    bench = Bench(settle_ms=30).at(1500)
    bench.buzz(0, within_ms=0.15)
    bench.at(1520)
    bench.buzz(2, stamped_ms=1497, within_ms=1)
    bench.at(1600)
    facts, kept = bench.of("verdict")[0].facts, bench.evidence("call")
    assert facts["calls"] == kept.calls
    assert [(call.seat, call.t_ns, call.uncertainty_ns) for call in kept.calls] == [
        (2, 1497 * MS, 1 * MS),
        (0, 1500 * MS, 150_000),
    ]
    assert facts["margin_ns"] == kept.margin_ns == 3 * MS
    assert facts["open_ns"] == kept.open_ns == FIRST_CARD_MS * MS
    assert kept.t_ns == bench.told[bench.kinds().index("verdict")][0]


def test_call_that_looked_like_noise_extends_no_window():
    # The edge was read as released, but the level shows that the contact has been closed since.
    bench = Bench(settle_ms=20, tie_margin_ms=1)
    bench.devices.flush = readings({0: lambda t: t >= 1500 * MS})
    bench.at(1500)
    bench.stray(0)
    bench.at(1600)
    assert bench.winners() == [(0,)]
    assert bench.times("verdict") == [1500 + 21]


def test_false_start_heard_first_delays_nobody():
    # At 1005 a bounce of seat 0 is heard; the report of its press before the card is still on its way.
    bench = Bench(settle_ms=20, tie_margin_ms=1)
    bench.devices.flush = readings({0: lambda t: t >= 998 * MS, 1: lambda t: t >= 1006 * MS})
    for at_ms, seat, stamped_ms in ((1005, 0, 1005), (1006, 1, 1006), (1010, 0, 998)):
        bench.at(at_ms)
        bench.table.signal(SeatSignal("test", seat, BUZZ, stamped_ms * MS, 0, at_ms * MS, pressed=True))
    bench.at(1100)
    assert bench.winners() == [(1,)]
    assert bench.times("verdict") == [1006 + 21], "sure when it was closed for a millisecond"


def test_unreported_contact_closed_at_opening_does_not_call():
    bench = Bench()
    bench.devices.flush = readings({1: lambda t: t >= 990 * MS})
    bench.at(FIRST_CARD_MS + 100)
    bench.buzz(0)
    bench.at(1400)
    assert bench.winners() == [(0,)]


def test_noise_alone_is_not_a_call():
    bench = Bench().at(1500)
    bench.stray(0)
    bench.at(1600)
    assert bench.winners() == []
    bench.buzz(0)
    bench.at(1700)
    assert bench.winners() == [(0,)]
    assert bench.evidence("call").calls[0].t_ns == 1600 * MS


def test_lost_edge_is_replaced_by_its_level():
    # Two contacts close in the same microsecond and the edge of one is lost, so either may have been first.
    bench = Bench(settle_ms=5)
    bench.devices.flush = readings(dict.fromkeys(range(3), lambda t: False) | {1: lambda t: t >= 1500 * MS})
    bench.at(1500)
    bench.buzz(0)
    bench.at(1600)
    assert bench.winners() == [(1, 0)]
    assert bench.evidence("tie").calls[0].flags == ("level_only",)


# --- Late reports and barred seats ----------------------------------------------------------------------------


@timelines(
    timeline("at the margin", "1112 buzz 2 @1101", {"late_report": [2]}),
    timeline("beyond the margin", "1112 buzz 2 @1101.000001", {"late_report": 0}),
    timeline("surely after the first stamp", "1112 buzz 2 @1102 ~1", {"late_report": 0}),
    timeline("perhaps as early as the first", "1112 buzz 2 @1102 ~2", {"late_report": [2]}),
    timeline("vague and surely after", "1112 buzz 2 @1102.000001 ~2", {"late_report": 0}),
    timeline("at the opening", "1112 buzz 2 @1000", {"late_report": [2]}),
    timeline("before the opening", "1112 buzz 2 @999.999999", {"late_report": 0}),
    timeline("perhaps at the opening", "1112 buzz 2 @999 ~1", {"late_report": [2]}),
    timeline("vague and before the opening", "1112 buzz 2 @999 ~0.999999", {"late_report": 0}),
    timeline("far beyond the margin", "1112 buzz 2 @1108", {"late_report": 0}),
    timeline(
        "a key that is no call",
        "1112 keys 2 4 @1099",
        {"late_report": 0, "refusals 2": ["Seat 1 has the call: only the first counts"]},
    ),
    timeline(
        "a tie that is to be played off",
        "1100 buzz 1, 1120 buzz 2 @1099",
        {"late_report": [2], "false_start": 0},
    ),
)
def test_only_reports_that_would_count_are_late(steps, options):
    late, *seen = steps
    Bench(**options).follow("1100 buzz 0", late, "1200", *seen)


def test_late_report_is_announced_and_changes_nothing():
    bench = Bench(settle_ms=10).at(1500)
    bench.buzz(0)
    bench.at(1512)
    moves = bench.match.moves
    bench.buzz(2, stamped_ms=1497)
    bench.at(1600)
    assert bench.of("late_report") == [event(LateReport(1497 * MS, 0), 2)]
    assert bench.match.moves == moves
    assert bench.winners() == [(0,)]


@pytest.mark.parametrize(("after_ms", "chips"), [(299.999999, 0), (300, 1)])
def test_press_just_after_verdict_belongs_to_judged_card(after_ms, chips):
    bench = Bench(settle_ms=10, early_buzz="chip").at(1500)
    bench.buzz(0)
    bench.at(1600)
    bench.keys(0, str(bench.right_row()))
    before = bench.chips()[1]
    bench.at(1600 + after_ms)
    bench.buzz(1)
    bench.at(2000)
    assert bench.chips()[1] == before + chips


@pytest.mark.parametrize(("after_ms", "chips"), [(299, 0), (300, 1)])
@pytest.mark.parametrize("closed", ["by the house", "by time", "by a late row"])
def test_bh_a14_press_just_after_a_card_belongs_to_it(closed, after_ms, chips):
    bench = Bench(settle_ms=10, early_buzz="chip", late_declare="skip", nobody_after_s=1).at(1500)
    if closed == "by the house":
        bench.house("skip")
    if closed == "by a late row":
        bench.buzz(0)
    while not (bench.of("nobody") or bench.of("late")):
        bench.at(bench.now_ms + 1)
    (closed_ms,) = bench.times("nobody") or bench.times("late")
    bench.at(closed_ms + after_ms)
    bench.buzz(1)
    bench.at(closed_ms + 400)
    assert bench.chips() == (0, chips, 0)


@pytest.mark.parametrize("late_ms", [20, 300, 300.000001, 412, 5000])
def test_late_report_is_announced_exactly_once(late_ms):
    bench = Bench(settle_ms=10).at(1100)
    bench.buzz(0)
    bench.at(1100 + late_ms)
    bench.buzz(2, stamped_ms=1100)
    bench.at(1500 + late_ms)
    assert bench.of("late_report") == [event(LateReport(1100 * MS, 0), 2)]
    assert bench.winners() == [(0,)]
    assert bench.of("false_start") == []


def test_late_bare_contact_is_also_announced_once():
    bench = Bench(settle_ms=10)
    bench.devices.flush = lambda now_ns: []
    bench.at(1100)
    bench.buzz(0)
    for late_ms, stamped_ms, pressed in (
        (0, 1100, True),
        (1, 1100.02, False),
        (2, 1102, True),
        (80, 1180, False),
        (1000, 2180, True),
    ):
        bench.at(1700 + late_ms)
        now_ns = bench.table.clock.now_ns()
        bench.table.signal(SeatSignal("test", 2, BUZZ, round(stamped_ms * MS), 0, now_ns, pressed))
    bench.at(3000)
    assert bench.of("late_report") == [event(LateReport(1100 * MS, 0), 2)]


def test_later_press_in_the_window_is_only_evidence():
    bench = Bench(settle_ms=30).at(1500)
    bench.buzz(0)
    bench.at(1520)
    bench.buzz(1)
    bench.at(4000)
    assert [call.seat for call in bench.evidence("call").calls] == [0, 1]
    assert bench.of("late_report") == bench.of("false_start") == []


def test_only_tied_seats_may_call_the_next_card():
    bench = Bench().at(1500)
    bench.buzz(0)
    bench.buzz(2)
    bench.at(3000)
    bench.buzz(1)
    bench.at(3050)
    assert bench.winners() == [(0, 2)]
    bench.buzz(2)
    bench.at(3200)
    assert bench.winners() == [(0, 2), (2,)]
    assert [call.seat for call in bench.evidence("call").calls] == [2]


def test_eliminated_seats_presses_are_ignored():
    bench = Bench(early_buzz="chip")
    for skipped_ms in (0, 2000, 4000):
        bench.at(skipped_ms)
        bench.house("skip")
        bench.at(skipped_ms + 700)
        bench.buzz(1)
    bench.at(4700 + 10 + 5)  # all earlier presses are known by then
    assert bench.view.gone == (1,)
    bench.at(7000)
    bench.buzz(1)
    bench.at(7100)
    assert bench.winners() == []
    bench.buzz(0)
    bench.at(7200)
    assert bench.winners() == [(0,)]


def test_held_button_does_not_call_the_next_card():
    bench = Bench().at(1500)
    bench.buzz(0, hold_ms=5000)
    bench.at(1600)
    bench.keys(0, "0")
    bench.at(4000)
    assert bench.view.turn == 2
    assert bench.winners() == [(0,)]


@pytest.mark.parametrize("control", ["ok", "skip", "undo", "pause", "bogus", ""])
def test_seat_cannot_use_house_or_unknown_controls(control, caplog):
    bench = Bench().at(1500)
    told = list(bench.told)
    bench.table.signal(SeatSignal("pod", 1, control, 1500 * MS, 0, 1500 * MS))
    assert bench.told == told
    assert "no meaning for control" in caplog.text


# --- Storage --------------------------------------------------------------------------------------------------


def test_verdict_is_a_move_of_the_table():
    bench = Bench().at(1500)
    bench.buzz(1)
    bench.at(1600)
    assert bench.match.moves[-1] == Move(-1, "call", (1,))


def test_line_stores_few_signals_of_a_busy_button():
    bench = Bench()
    kept = []
    for press in range(1_000):
        bench.at(100 * press)
        bench.buzz(0, hold_ms=40)
        kept.append(len(bench.referee.calls.log._lines[0]._heard))
    assert max(kept[500:]) <= max(kept[:100]) <= 50


def test_edge_before_a_delayed_verdict_is_still_judged():
    """A busy machine is late for the window's end and its edges."""
    bench = Bench().at(1200)
    for seat, stamped_ms, received_ms in ((0, 1300, 1300), (1, 1300.5, 1320)):
        bench.table.signal(
            SeatSignal("test", seat, "buzz", round(stamped_ms * MS), 0, received_ms * MS, True, (DEBOUNCED,))
        )
    assert bench.winners() == [(0, 1)]


@pytest.mark.parametrize(
    "act",
    [
        lambda table, now_ns: table.pause(now_ns, Reason.UNDO),
        lambda table, now_ns: table.resume(now_ns),
        lambda table, now_ns: table.settle(now_ns),
        lambda table, now_ns: table.undo(now_ns),
        lambda table, now_ns: table.amend(1, table.match.moves[0], now_ns),
        lambda table, now_ns: table.table_move(Move(TABLE, "nobody"), now_ns),
    ],
    ids=["pause", "resume", "settle", "undo", "amend", "table_move"],
)
def test_due_verdict_comes_before_a_later_house_act(act):
    bench = Bench(settle_ms=60).at(1500)
    bench.buzz(0)
    bench.at(1510).house("pause")
    bench.table.clock.jump(2000 * MS)
    act(bench.table, 2000 * MS)
    assert (bench.times("verdict"), bench.kinds().index("verdict")) == ([1560], bench.kinds().index("paused") + 1)
