"""Earlier presses come first, in any order of reports (docs/fairness.md)."""

from itertools import product

import pytest

from companion.core.console import BUZZ
from companion.core.move import TABLE, Seat
from companion.core.signal import SeatSignal
from tests.referee.bench import FIRST_CARD_MS, MS, Bench

SETTLE_MS = 30
LATE_MS = (0, 2, 13, 29)
"""How late reports are; all are in time."""

CALLED_MS = FIRST_CARD_MS + 500


def played(*pressed: tuple[float, Seat, str], late_ms: tuple[float, ...], **options) -> Bench:
    """Report each press `late_ms` after it."""
    bench = Bench(settle_ms=SETTLE_MS, **options).at(FIRST_CARD_MS)
    for (at_ms, seat, control), after_ms in zip(pressed, late_ms, strict=True):
        report(bench, at_ms, at_ms + after_ms, seat, control)
        if control == BUZZ:
            report(bench, at_ms + 80, at_ms + 80 + after_ms, seat, control, pressed=False)
    return bench.at(pressed[-1][0] + 500)


def report(bench: Bench, at_ms: float, heard_ms: float, seat: Seat, control: str, *, pressed: bool = True) -> None:
    said = SeatSignal("test", seat, control, round(at_ms * MS), 0, round(heard_ms * MS), pressed)
    bench.table.clock.at(said.received_ns, lambda: bench.table.signal(said))


def of_late(number: int) -> list[tuple[float, ...]]:
    return list(product(LATE_MS, repeat=number))


@pytest.mark.parametrize("late_ms", of_late(2))
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("settle_ms", [SETTLE_MS, 60])
def test_contacts_closing_in_one_instant_tie(order, late_ms, settle_ms):
    """The longest window also reads levels in that instant."""
    bench = Bench(settle_ms=settle_ms).at(CALLED_MS)
    for seat, after_ms in enumerate(late_ms):
        bench.devices.buzzers[seat].fault.late_ns = after_ms * MS
    for seat in order:
        bench.devices.buzzers[seat].touch(closed=True)
    assert bench.at(CALLED_MS + 200).winners() == [(0, 1)]


@pytest.mark.parametrize("late_ms", of_late(3))
def test_first_of_two_skips_ends_the_card(late_ms):
    """A press between them is too late, in any order of reports."""
    stars, acts = ((1400, 0, "*"), (1440, 1, "*")), ((1560, TABLE, "skip"), (1567, 1, BUZZ), (1574, 2, "*"))
    bench = played(*stars, *acts, late_ms=(0, 0, *late_ms))
    assert (bench.winners(), len(bench.of("nobody"))) == ([], 1)


@pytest.mark.parametrize("late_ms", of_late(3))
@pytest.mark.parametrize("pressed_ms", [1563, 1573])
def test_last_star_by_timestamp_ends_the_card(pressed_ms, late_ms):
    """A press before it is a call, in any order of reports."""
    acts = (1400, 1, "*"), (1560, 0, "*"), (1568, 2, "*"), (pressed_ms, 1, BUZZ)
    bench = played(*acts, late_ms=(0, *late_ms))
    assert bench.winners() == ([(1,)] if pressed_ms < 1568 else [])
    assert len(bench.of("nobody")) == (pressed_ms > 1568)
    if bench.of("nobody"):
        assert bench.evidence("nobody").t_ns == 1568 * MS


@pytest.mark.parametrize("late_ms", of_late(2))
@pytest.mark.parametrize("spike_ms", [1559.5, 1561, 1569, None])
@pytest.mark.parametrize("pressed_ms", [1563, 1590])
def test_spike_does_not_change_who_gave_up(spike_ms, pressed_ms, late_ms):
    acts = (1400, 1, "*"), (1560, 0, "*"), (1568, 2, "*"), (pressed_ms, 1, BUZZ)
    bench = Bench(settle_ms=SETTLE_MS).at(FIRST_CARD_MS)
    for (at_ms, seat, control), after_ms in zip(acts, (0, *late_ms, 0), strict=True):
        report(bench, at_ms, at_ms + after_ms, seat, control)
    if spike_ms:
        report(bench, spike_ms, spike_ms, 2, BUZZ)
        report(bench, spike_ms + 0.4, spike_ms + 0.4, 2, BUZZ, pressed=False)
    bench.at(2000)
    assert bench.winners() == ([(1,)] if pressed_ms < 1568 else [])
    assert len(bench.of("nobody")) == (pressed_ms > 1568)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_report_order_does_not_decide_simultaneous_eliminations(order):
    """Both have two chips, and are too early in the same nanosecond."""
    bench = Bench(2, settle_ms=SETTLE_MS, early_buzz="chip", call_input="direct")
    for turn in range(4):
        bench.at(1500 + 3000 * turn).keys(turn % 2, str(bench.wrong_row()))
    bench.at(bench.now_ms + 500)
    assert bench.chips() == (2, 2)
    for seat in order:
        report(bench, bench.now_ms, bench.now_ms + 1 + order.index(seat), seat, "1")
    bench.at(bench.now_ms + 200)
    assert bench.match.view().gone == (0,)


@pytest.mark.parametrize("late_ms", of_late(2))
def test_row_keyed_before_the_call_is_not_declared(late_ms):
    bench = played((CALLED_MS, 1, "4"), (CALLED_MS + 0.3, 1, BUZZ), late_ms=late_ms)
    assert (bench.winners(), bench.of("declare")) == ([(1,)], [])
    assert len(bench.refusals(1)) == 1


@pytest.mark.parametrize("late_ms", LATE_MS)
def test_row_keyed_after_the_call_awaits_its_verdict(late_ms):
    bench = played((CALLED_MS, 1, BUZZ), (CALLED_MS + 0.3, 1, "4"), late_ms=(0, late_ms))
    assert [told.facts["row"] for told in bench.of("declare")] == [4]


@pytest.mark.parametrize("late_ms", of_late(2))
def test_house_cannot_overrule_before_the_verdict(late_ms):
    """Row 6 is right; a "wrong" before the verdict cannot be meant for it."""
    acts = (CALLED_MS, 1, "6"), (CALLED_MS + 1, TABLE, "wrong")
    bench = played(*acts, late_ms=late_ms, call_input="direct")
    assert (len(bench.of("right")), bench.of("amended")) == (1, [])
    assert len(bench.refusals(None)) == 1


def test_house_overrules_a_verdict_it_has_heard():
    bench = played((CALLED_MS, 1, "6"), (CALLED_MS + 200, TABLE, "wrong"), late_ms=(0, 0), call_input="direct")
    assert len(bench.of("amended")) == 1


@pytest.mark.parametrize("late_ms", of_late(2))
def test_house_turns_no_card_while_skip_is_pending(late_ms):
    bench = Bench(settle_ms=SETTLE_MS, deal="table", open="ok")
    bench.lay_starters()
    bench.house("ok")
    skip_ms, ok_ms = (at_ms + after_ms for at_ms, after_ms in zip((500, 507), late_ms, strict=True))
    ok_ms = max(skip_ms, ok_ms)  # one device reports both
    report(bench, 500, skip_ms, TABLE, "skip")
    report(bench, 507, ok_ms, TABLE, "ok")
    bench.at(1000)
    assert (len(bench.of("nobody")), len(bench.of("flip"))) == (1, 1)
    assert len(bench.refusals(None)) == 1


@pytest.mark.parametrize("late_ms", LATE_MS)
@pytest.mark.parametrize("pressed_ms", [1985, 1999])
def test_false_start_just_before_undo_leaves_no_evidence(pressed_ms, late_ms):
    """It may be announced before the undo, or dropped by it."""
    bench = Bench(settle_ms=SETTLE_MS, call_input="direct", early_buzz="chip").at(1500)
    bench.house("skip")  # the next card would come at 2530
    report(bench, pressed_ms, pressed_ms + late_ms, 2, "3")
    bench.at(2000).house("undo")
    report(bench, 2500, 2500, 0, "1")
    bench.at(3000)
    assert bench.evidence("call").early == ()


def test_false_start_long_before_an_undo_stays_evidence():
    bench = Bench(settle_ms=SETTLE_MS, call_input="direct").at(1500)
    bench.house("skip")
    report(bench, 1900, 1900, 2, "3")
    bench.at(1960).house("undo")
    report(bench, 2500, 2500, 0, "1")
    bench.at(3000)
    assert [call.seat for call in bench.evidence("call").early] == [2]


@pytest.mark.parametrize("late_ms", of_late(2))
def test_evidence_sorts_false_starts_by_timestamp(late_ms):
    early = (910, 2, "3"), (913, 0, "1")
    bench = Bench(settle_ms=SETTLE_MS, call_input="direct").at(900)
    for (at_ms, seat, control), after_ms in zip(early, late_ms, strict=True):
        report(bench, at_ms, at_ms + after_ms, seat, control)
    report(bench, CALLED_MS, CALLED_MS, 1, "1")
    bench.at(CALLED_MS + 500)
    assert [call.seat for call in bench.evidence("call").early] == [2, 0]
