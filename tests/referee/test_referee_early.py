"""Presses before the card: since when it is visible, and what was too early in whatever order it is reported."""

from functools import partial

import pytest
from bench import FIRST_CARD_MS, MS, Bench, SlowScreen

from companion.core.console import BUZZ
from companion.core.event import event
from companion.core.place import Place
from companion.core.signal import DEBOUNCED, Signal
from companion.match.virtual_table import VirtualTable
from companion.referee.events import FalseStart

# --- Too early ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delivered_ms", [990, 1020])
def test_a_press_before_the_card_is_no_call_whenever_it_is_reported(delivered_ms):
    bench = Bench().at(delivered_ms)
    bench.buzz(0, stamped_ms=990)
    bench.at(1400)
    assert bench.winners() == []
    assert bench.of("false_start") == [event(FalseStart(990 * MS), 0, seen_by=(0,))]


def test_after_a_false_start_the_button_has_to_be_released_and_pressed_again():
    bench = Bench().at(900)
    bench.buzz(0, hold_ms=700)
    bench.at(1500)
    assert bench.winners() == []
    bench.at(1650)
    bench.buzz(0)
    bench.at(1700)
    assert bench.winners() == [(0,)]
    assert [call.t_ns for call in bench.evidence("call").early] == [900 * MS]


def test_false_starts_are_evidence_for_their_own_card_only():
    bench = Bench().at(900)
    bench.buzz(0)
    bench.at(1500)
    bench.house("skip")
    bench.at(1900)
    bench.buzz(1)
    bench.at(3000)
    bench.buzz(2)
    bench.at(3100)
    assert [call.seat for call in bench.evidence("call").early] == [1]


@pytest.mark.parametrize("direct", [False, True])
def test_bh_a24_a_press_for_a_card_that_others_play_off_is_no_false_start(direct):
    """It is dead for this card, not too early: neither the seat nor the photo finish says so."""
    bench = Bench(early_buzz="chip", call_input="direct" if direct else "buzz_then_key").at(1500)

    def call(seat: int) -> None:
        if direct:
            bench.keys(seat, "3")
        else:
            bench.buzz(seat)

    call(0)
    call(1)
    bench.at(2900)
    call(2)
    bench.at(3000)
    assert bench.winners() == [(0, 1)]
    assert bench.of("false_start") == []
    call(0)
    bench.at(3100)
    assert bench.evidence("call").early == ()
    assert bench.chips()[2] == 0


def test_bh_a11_a_chip_for_a_press_before_the_card_takes_back_nobodys_star():
    bench = Bench(settle_ms=60, early_buzz="chip").at(1005)
    bench.keys(0, "*")
    bench.keys(1, "*")
    bench.at(1020)
    bench.buzz(2, stamped_ms=990)
    bench.at(1040)
    assert bench.chips() == (0, 0, 1)
    bench.keys(2, "*")
    bench.at(1200)
    assert len(bench.of("nobody")) == 1


def test_a_false_start_whose_report_is_on_its_way_when_the_card_opens_is_told_once_and_by_its_stamp():
    # Its level is read before its edge is here.
    bench = Bench(settle_ms=30).at(1500)
    bench.house("skip")
    bench.devices.buzzers[0].fault.late_ns = 20 * MS
    bench.at(2490)
    bench.buzz(0)
    bench.at(4000)
    assert [event.facts["stamp_ns"] for event in bench.of("false_start")] == [2490 * MS]


def test_a_press_at_the_opening_that_counts_costs_no_chip_while_its_report_is_on_its_way():
    bench = Bench(settle_ms=30, early_buzz="chip").at(1500)
    bench.house("skip")
    bench.devices.buzzers[0].fault.late_ns = 20 * MS
    bench.at(2529.5)
    bench.buzz(0, within_ms=1)
    bench.at(3000)
    assert bench.winners() == [(0,)]
    assert bench.chips() == (0, 0, 0)


def test_noise_does_not_become_a_false_start_because_a_later_press_is_still_on_its_way():
    # The level that is read at the opening belongs to the press, whose report comes after it, not to the noise.
    bench = Bench(settle_ms=30, early_buzz="chip").at(1500)
    bench.house("skip")
    bench.devices.buzzers[0].fault.late_ns = 20 * MS
    bench.at(2480)
    bench.stray(0)
    bench.at(2529.5)
    bench.buzz(0, within_ms=1)
    bench.at(3000)
    assert bench.of("false_start") == []
    assert bench.chips() == (0, 0, 0)
    assert bench.winners() == [(0,)]


def test_bounce_after_the_opening_does_not_make_a_call_of_a_false_start():
    bench = Bench()
    bench.devices.buzzers[0].fault.bounce_ns = 8 * MS
    bench.at(998)
    bench.buzz(0)
    bench.at(1400)
    assert bench.winners() == []
    assert [event.facts["stamp_ns"] for event in bench.of("false_start")] == [998 * MS]


@pytest.mark.parametrize("delivered_ms", [999, 1003])
@pytest.mark.parametrize(("within_ms", "verdicts"), [(1, [(0,)]), (0.999999, [])])
def test_a_press_counts_when_it_may_have_been_after_the_opening_whenever_it_is_reported(
    delivered_ms, within_ms, verdicts
):
    bench = Bench().at(delivered_ms)
    bench.buzz(0, stamped_ms=999, within_ms=within_ms)
    bench.at(1400)
    assert bench.winners() == verdicts


def test_presses_while_nobody_waits_for_a_card_are_neither_calls_nor_false_starts():
    bench = Bench().at(1500)
    bench.buzz(0)
    bench.at(1600)  # seat 0 has the call and owes its row
    bench.buzz(1)
    bench.at(1900)
    bench.keys(0, "1")
    bench.at(2250)
    bench.buzz(2)
    bench.at(3000)
    assert [event.seat for event in bench.of("false_start")] == [2]
    assert bench.winners() == [(0,)]


def test_an_early_press_costs_one_chip_a_card_where_the_rulings_say_so():
    bench = Bench(early_buzz="chip").at(600)
    bench.buzz(0)
    bench.at(750)
    bench.buzz(0)
    bench.at(760)
    bench.buzz(2)
    bench.at(2000)
    assert bench.chips() == (1, 0, 1)
    assert [event.seat for event in bench.of("early")] == [0, 2]


def test_an_early_press_that_is_reported_after_the_opening_costs_its_chip_too_and_the_card_stays_open():
    bench = Bench(early_buzz="chip").at(1020)
    bench.buzz(0, stamped_ms=990)
    bench.at(1300)
    assert bench.chips() == (1, 0, 0)
    assert bench.times("visible") == [1000]
    bench.buzz(1)
    bench.at(1400)
    assert bench.winners() == [(1,)]


def test_who_has_turned_a_card_pays_no_chip_for_pressing_before_though_another_has_paid_meanwhile():
    bench = Bench(early_buzz="chip", settle_ms=30).at(500)
    bench.referee.pacing.people, bench.referee.pacing.turned = frozenset({0, 1, 2}), True
    bench.at(2000)
    turner = bench.view.flipper
    bench.keys(turner, "#")
    bench.at(2001).buzz((turner + 1) % 3, stamped_ms=1990)
    bench.at(2015).buzz(turner, stamped_ms=1995)
    bench.at(2100)
    assert [event.seat for event in bench.of("false_start")] == [(turner + 1) % 3]
    assert bench.chips()[turner] == 0


@pytest.mark.parametrize(("stamped_ms", "chips"), [(4990, (0, 0, 0)), (5001, (1, 0, 0))])
def test_a_press_of_before_a_match_goes_on_is_not_too_early_for_its_next_card(stamped_ms, chips):
    bench = Bench(early_buzz="chip").at(FIRST_CARD_MS - 100)
    table = VirtualTable(bench.match, settle_ns=30 * MS)
    table.clock.jump(5000 * MS)
    table.start()
    table.run(5010 * MS)
    table.devices.buzzers[0].press(round(stamped_ms * MS))
    table.run(5100 * MS)
    assert bench.chips() == chips


def test_early_presses_do_not_put_off_the_next_card():
    bench = Bench(early_buzz="chip").at(1500)
    bench.house("skip")
    bench.at(2400)
    bench.buzz(0)
    bench.at(4000)
    assert bench.times("flip") == [FIRST_CARD_MS, 2510]


def last_chips(*seats: int, of: int = 2) -> Bench:
    """A table at which the next card is visible at 5018 ms, and one more early press puts these seats out."""
    bench = Bench(of, settle_ms=60, early_buzz="chip").at(100)
    for early_ms, skipped_ms in ((900, 1500), (2500, 3958)):
        bench.at(early_ms)
        for seat in seats:
            bench.buzz(seat)
        bench.at(skipped_ms)
        bench.house("skip")
    return bench.at(4018)


@pytest.mark.parametrize("reported_ms", [4900, 4930, 4959])
def test_bh_a14_of_two_last_chips_that_of_the_earlier_press_comes_first_whenever_it_is_reported(reported_ms):
    bench = last_chips(0, 1)
    for at_ms, seat, stamped_ms in sorted([(reported_ms, 0, 4900), (4950, 1, 4950)]):
        bench.at(at_ms).buzz(seat, stamped_ms=stamped_ms)
    bench.at(8000)
    assert bench.match.outcome.winners == (1,)
    assert bench.chips()[1] == 2, "all was over when it would have paid"


def test_bh_a14_a_false_start_is_told_at_once_also_where_its_chip_waits_for_an_earlier_one():
    bench = last_chips(0, 1).at(4900)
    bench.buzz(0)
    bench.at(4900 + 60 + 5 - 0.001)
    assert bench.times("false_start")[-1] == 4900.000001
    assert not bench.referee.over
    assert bench.at(4900 + 60 + 5).referee.over


def test_bh_a14_a_chip_that_puts_nobody_out_waits_for_nothing():
    bench = last_chips(0, of=3).at(4900)
    bench.buzz(1)
    bench.at(4901)
    assert bench.chips() == (2, 1, 0)


@pytest.mark.parametrize("of", [2, 3])
def test_bh_a14_a_last_chip_comes_before_the_verdict_of_the_card(of):
    bench = last_chips(0, 1, of=of).at(5015)
    bench.buzz(0)
    bench.at(5017).buzz(1)
    bench.at(5018).buzz(of - 1)
    bench.at(5400)
    assert bench.view.gone == ((0, 1) if of == 3 else (0,))
    assert bench.referee.over
    assert bench.winners() == []


def test_bh_a14_a_last_chip_of_before_the_card_keeps_nobody_elses_call_from_its_verdict():
    bench = last_chips(0, of=3).at(5017)
    bench.buzz(0)
    bench.at(5018).buzz(1)
    bench.at(5400)
    assert bench.view.gone == (0,)
    assert bench.winners() == [(1,)]
    assert bench.kinds().index("eliminated") < bench.kinds().index("verdict")


def test_an_undo_takes_back_a_chip_that_is_not_given_yet():
    bench = last_chips(0, of=3).at(6000)
    bench.house("skip")
    bench.at(6900).buzz(0)
    bench.at(6901)
    bench.house("undo", "ok")
    bench.at(8000)
    assert len(bench.of("undone")) == 1
    assert bench.view.gone == ()


# --- Too early, as it turns out --------------------------------------------------------------------------------


def touch(bench: Bench, seat: int, *at_ms: float) -> None:
    """Let a bare contact close and open, by turns, at these times."""
    for number, ms in enumerate(at_ms):
        closed = number % 2 == 0
        act = partial(bench.devices.buzzers[seat].touch, closed=closed)
        bench.table.clock.at(round(ms * MS), act)


@pytest.mark.parametrize("settle_ms", [5, 10, 60])
@pytest.mark.parametrize("closes_ms", [1000.5, 1001.2, 1002, 1002.9])
def test_bounce_after_the_opening_of_a_press_before_it_is_no_call_beside_anothers(settle_ms, closes_ms):
    """What the verdict waits for without the bounce is over before it is known whether there was a press."""
    bench = Bench(settle_ms=settle_ms, early_buzz="chip").at(990)
    touch(bench, 0, 998, 998.02, closes_ms, 1080)
    touch(bench, 1, 1000, 1080)
    bench.at(1400)
    assert bench.winners() == [(1,)]
    assert [(told.seat, told.facts["stamp_ns"]) for told in bench.of("false_start")] == [(0, 998 * MS)]
    assert bench.chips() == (1, 0, 0)
    evidence = bench.evidence("call")
    assert [[call.seat for call in calls] for calls in (evidence.early, evidence.calls)] == [[0], [1]]


def test_after_a_spike_before_the_opening_the_press_of_its_contact_is_a_call():
    bench = Bench(settle_ms=5, early_buzz="chip").at(990)
    touch(bench, 0, 995.9, 995.92, 1000.95, 1080)
    touch(bench, 1, 1000, 1080)
    bench.at(1400)
    assert bench.winners() == [(1, 0)]
    assert bench.chips() == (0, 0, 0)


@pytest.mark.parametrize("first", [0, 1])
def test_bh_a14_no_last_chip_comes_before_that_of_an_earlier_press_that_may_be_a_spike(first):
    other = 1 - first
    bench = last_chips(0, 1)
    touch(bench, first, 5016.5, 5016.52, 5019.2, 5080)
    touch(bench, other, 5017, 5080)
    bench.at(5018).buzz(other, stamped_ms=5018)
    bench.at(8000)
    assert bench.match.outcome.winners == (other,)


def test_bh_a14_a_press_too_early_that_a_busy_machine_hears_only_for_the_verdict_is_told_before_it():
    bench = Bench(settle_ms=10, early_buzz="chip").at(1001)
    waiting = Signal("test", Place(0), BUZZ, 999 * MS, 0, 1008 * MS, flags=(DEBOUNCED,))
    levels = bench.devices.flush
    bench.devices.flush = lambda now_ns: [*([waiting] if now_ns >= 1008 * MS else []), *levels(now_ns)]
    bench.buzz(1)
    bench.at(1400)
    assert bench.winners() == [(1,)]
    assert [told.seat for told in bench.of("false_start")] == [0]
    assert bench.chips() == (1, 0, 0)


# --- Since when is the card visible? --------------------------------------------------------------------------


def test_a_screen_that_flips_later_opens_the_card_later():
    bench = Bench(screen=SlowScreen()).at(1030)
    assert bench.of("visible") == []
    SlowScreen.flipped(bench, stamped_ms=1016)
    assert bench.of("visible")[0].facts["open_ns"] == 1016 * MS


@pytest.mark.parametrize(("stamped_ms", "verdicts"), [(1016, [(0,)]), (1015.999, [])])
def test_a_press_that_is_reported_before_the_flip_is_judged_by_its_stamp(stamped_ms, verdicts):
    bench = Bench(screen=SlowScreen(), settle_ms=30).at(1020)
    bench.buzz(0, stamped_ms=stamped_ms)
    bench.at(1025)
    assert bench.of("false_start") == bench.of("verdict") == []
    SlowScreen.flipped(bench, stamped_ms=1016)
    bench.at(1300)
    assert bench.winners() == verdicts
    assert len(bench.of("false_start")) == 1 - len(verdicts)


def test_an_older_flip_does_not_open_the_card():
    bench = Bench(screen=SlowScreen()).at(1010)
    SlowScreen.flipped(bench, stamped_ms=999)
    assert bench.of("visible") == []


def test_only_the_first_flip_of_a_card_counts():
    bench = Bench(screen=SlowScreen()).at(1020)
    SlowScreen.flipped(bench, stamped_ms=1016)
    bench.at(1040)
    SlowScreen.flipped(bench, stamped_ms=1033)
    bench.at(1050)
    bench.buzz(0, stamped_ms=1020)
    bench.at(1100)
    assert bench.winners() == [(0,)]
