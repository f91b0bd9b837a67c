"""What follows a call, or its lack: rows keyed in time or too late, cards given up, the house at a real table."""

import pytest
from bench import MS, Bench

from companion.core.console import Lamp
from companion.core.move import TABLE, Move
from companion.core.signal import SeatSignal
from companion.games.buntherum.console import LEAST_MS

CALLED_MS = 1511
"""When the call of a press at 1500 is known, half a second after the card: from then the caller has LEAST_MS."""


def called(**options) -> Bench:
    """Return a table at which seat 0 has just got the call."""
    bench = Bench(settle_ms=10, **options).at(1500)
    bench.buzz(0)
    return bench.at(CALLED_MS)


# --- The time limit of the declaration ------------------------------------------------------------------------


def test_a_key_stamped_within_the_limit_counts_though_it_is_reported_after_it():
    bench = called()
    limit_ms = CALLED_MS + LEAST_MS
    bench.at(limit_ms + 9.999)
    bench.keys(0, "4", stamped_ms=limit_ms)
    assert bench.of("declare")[0].facts["row"] == 4
    assert bench.evidence("declare").t_ns == limit_ms * MS


def test_a_key_stamped_after_the_limit_does_not_count_though_it_is_reported_before_anybody_is_told():
    bench = called()
    bench.at(2412)
    bench.keys(0, "4", stamped_ms=2411.001)
    bench.at(2500)
    assert bench.of("declare") == []
    assert bench.refusals(0) == ["too late"]
    assert bench.of("late")[0].seat == 0


def test_a_key_that_may_have_been_in_time_counts():
    bench = called()
    bench.at(2415)
    bench.keys(0, "4", stamped_ms=2414, within_ms=3)
    assert len(bench.of("declare")) == 1


def test_nobody_is_late_before_the_last_report_of_a_key_in_time_could_be_here():
    bench = called().at(CALLED_MS + LEAST_MS + 9.999)
    assert bench.of("late") == []
    bench.at(CALLED_MS + LEAST_MS + 10)
    assert len(bench.of("late")) == 1


@pytest.mark.parametrize(("late_declare", "chips"), [("chip", 1), ("skip", 0)])
def test_a_call_without_a_row_costs_what_the_rulings_say(late_declare, chips):
    bench = called(late_declare=late_declare).at(6000)
    assert bench.chips() == (chips, 0, 0)
    assert bench.match.moves[8:10] == (Move(TABLE, "call", (0,)), Move(TABLE, "late"))
    assert bench.times("flip") == [1000, 3421]


def test_only_the_caller_declares_and_only_rows():
    bench = called()
    bench.keys(1, "4")
    bench.keys(0, "78A*#")
    assert bench.of("declare") == []
    assert (bench.refusals(1), len(bench.refusals(0))) == (["Seat 1 has the call: only the first counts"], 5)
    bench.keys(0, "4")
    assert bench.of("declare")[0].seat == 0


def test_a_row_that_is_keyed_before_the_call_is_judged_counts_after_it():
    bench = Bench(settle_ms=30).at(1500)
    bench.buzz(1)
    bench.at(1505)
    bench.keys(1, "3")
    bench.at(1700)
    assert bench.winners() == [(1,)]
    assert len(bench.of("declare")) == 1
    assert bench.refusals(1) == []


def test_the_first_declaration_counts():
    bench = called()
    bench.keys(0, "45")
    assert [event.facts["row"] for event in bench.of("declare")] == [4]


# --- Nobody calls ----------------------------------------------------------------------------------------------


def test_without_a_time_limit_a_card_lies_until_the_house_skips_it():
    bench = Bench().at(3_600_000)
    assert bench.of("nobody") == []
    bench.house("skip")
    bench.at(3_600_010)
    assert len(bench.of("nobody")) == 1


@pytest.mark.parametrize("skip", ["house", "last star", "script"])
@pytest.mark.parametrize(("stamped_ms", "winners"), [(1490, [(2,)]), (1500, [(2,)]), (1501, [])])
def test_bh_r16_a_call_before_a_skip_that_is_reported_after_it_counts(skip, stamped_ms, winners):
    bench = Bench(settle_ms=30).at(1500)
    bench.give_up(skip)
    bench.at(1520)
    bench.buzz(2, stamped_ms=stamped_ms)
    bench.at(1529.9)
    assert bench.of("nobody") == []
    bench.at(1700)
    assert bench.winners() == winners
    assert len(bench.of("nobody")) == (not winners)
    assert bench.of("false_start") == []


@pytest.mark.parametrize("skip", ["house", "last star", "script"])
@pytest.mark.parametrize("reported_ms", [1490, 1505])
def test_bh_a11_whether_a_call_or_a_later_skip_is_heard_first_decides_nothing(skip, reported_ms):
    """Seat 0 calls, the card is given up, seat 1 calls within the margin: nothing was given up, and it is a tie."""
    bench = Bench(settle_ms=60, tie_margin_ms=20)
    bench.happens(
        (reported_ms, lambda: bench.buzz(0, stamped_ms=1490)),
        (1500, lambda: bench.give_up(skip)),
        (1508, lambda: bench.buzz(1)),
    )
    bench.at(1800)
    assert bench.winners() == [(0, 1)]
    assert bench.of("nobody") == bench.of("late_report") == []


@pytest.mark.parametrize("by", ["house", "stars"])
@pytest.mark.parametrize("reported_ms", [999, 1003, 1029])
@pytest.mark.parametrize(("stamped_ms", "given_up"), [(999, 0), (1000 - 1e-6, 0), (1000, 1), (1002, 1)])
def test_bh_a11_a_card_is_given_up_only_after_it_was_turned_whenever_that_is_reported(
    by, reported_ms, stamped_ms, given_up
):
    bench, at_ms = Bench(settle_ms=30), max(reported_ms, stamped_ms)
    skip = SeatSignal("test", TABLE, "skip", round(stamped_ms * MS), 0, round(at_ms * MS))

    def give_up() -> None:
        if by == "house":
            bench.table.signal(skip)
        else:
            for seat in range(3):
                bench.keys(seat, "*", stamped_ms=stamped_ms)

    bench.happens((at_ms, give_up))
    bench.at(1500)
    assert len(bench.of("nobody")) == given_up
    assert len(bench.of("refused")) == (0 if given_up else 1 if by == "house" else 3)


def test_bh_a11_a_window_is_that_of_the_first_call_heard_though_a_skip_came_before_it():
    bench = Bench(settle_ms=30, handicap_1=1000).at(1500)
    bench.house("skip")
    bench.at(1510)
    bench.buzz(1)
    bench.at(1515)
    bench.buzz(0, stamped_ms=1490)
    bench.at(1700)
    assert (bench.times("verdict"), bench.winners()) == ([1541], [(1,)])


def test_a_card_that_nobody_calls_is_skipped_in_time():
    bench = Bench(nobody_after_s=5, settle_ms=10).at(6009.999)
    assert bench.of("nobody") == []
    bench.at(6010)
    assert len(bench.of("nobody")) == 1


@pytest.mark.parametrize("reported_ms", [6000, 6009])
def test_a_press_just_before_the_limit_wins_over_it(reported_ms):
    bench = Bench(nobody_after_s=5, settle_ms=10).at(reported_ms)
    bench.buzz(2, stamped_ms=5999)
    bench.at(6500)
    assert bench.of("nobody") == []
    assert bench.winners() == [(2,)]


def test_noise_just_before_the_limit_holds_it_up_until_it_is_known_to_be_noise():
    bench = Bench(nobody_after_s=5, settle_ms=10).at(5999)
    bench.stray(0)
    bench.at(6500)
    assert bench.times("nobody") == [6014]


@pytest.mark.parametrize("declared", [False, True])
def test_a_press_after_the_limit_is_no_call_though_it_is_reported_before_anybody_is_told(declared):
    bench = Bench(nobody_after_s=5, settle_ms=10, call_input="direct" if declared else "buzz_then_key").at(6005)
    if declared:
        bench.keys(2, "3", stamped_ms=6001)
    else:
        bench.buzz(2, stamped_ms=6001)
    bench.at(6500)
    assert (bench.times("nobody"), bench.winners()) == ([6010], [])
    assert bench.of("false_start") == []


def test_of_two_presses_around_the_limit_the_earlier_one_has_the_call():
    bench = Bench(nobody_after_s=5, settle_ms=10).at(6001)
    bench.buzz(1, stamped_ms=6000.6)
    bench.buzz(2, stamped_ms=6000)
    bench.at(6500)
    assert (bench.of("nobody"), bench.winners()) == ([], [(2,)])


def test_a_press_after_the_limit_is_not_told_as_one_that_would_have_counted():
    bench = Bench(nobody_after_s=5, settle_ms=10, tie_margin_ms=20).at(5998)
    bench.buzz(2)
    bench.at(6003)
    bench.buzz(1)
    bench.at(9000)
    assert bench.winners() == [(2,)]
    assert bench.of("late_report") == []


def test_all_give_up_with_a_star():
    bench = Bench().at(1500)
    bench.keys(0, "*")
    bench.keys(2, "*")
    assert bench.of("nobody") == []
    bench.keys(1, "*")
    bench.at(1510)
    assert len(bench.of("nobody")) == 1


def test_in_a_tie_break_the_tied_seats_are_all():
    bench = Bench().at(1500)
    bench.buzz(0)
    bench.buzz(1)
    bench.at(3000)
    bench.keys(2, "*")
    bench.keys(0, "*")
    assert bench.of("nobody") == []
    bench.keys(1, "*")
    bench.at(3010)
    assert len(bench.of("nobody")) == 1
    assert bench.refusals(2) == ["A tie is played off: wait"]


def test_giving_up_does_not_bind_and_is_forgotten_with_the_card():
    bench = Bench().at(1500)
    bench.keys(0, "*")
    bench.keys(1, "*")
    bench.house("skip")
    bench.at(3000)
    bench.keys(2, "*")
    assert len(bench.of("nobody")) == 1
    bench.buzz(0)
    bench.at(3100)
    assert bench.winners() == [(0,)]


def test_a_call_that_was_heard_is_judged_before_the_house_skips():
    bench = Bench(settle_ms=60).at(1500)
    bench.buzz(0)
    bench.at(1530)
    bench.house("skip")
    bench.at(1700)
    assert bench.winners() == [(0,)]


# --- The house at a table with real cards ----------------------------------------------------------------------


@pytest.fixture
def real() -> Bench:
    """A table with real starters, at which seat 0 is to turn the first card."""
    bench = Bench(deal="table", open="ok").at(100)
    bench.lay_starters()
    return bench


def test_a_real_card_is_turned_with_ok_and_is_visible_at_once(real):
    real.at(5000)
    real.house("ok")
    assert real.of("flip")[0].facts["card"] == "??"
    assert real.of("visible")[0].facts["open_ns"] == 5000 * MS


def test_nothing_is_dealt_by_itself(real):
    real.at(60_000)
    assert real.of("flip") == []
    assert real.referee.due is None


@pytest.mark.parametrize(("control", "chips"), [("right", 0), ("wrong", 1)])
def test_the_house_judges_what_the_pi_cannot_see(real, control, chips):
    real.house("ok")
    real.at(500)
    real.call(1, 4)
    assert real.view.phase == "judge"
    real.house(control)
    assert (real.chips()[1], real.view.phase) == (chips, "ready")
    assert len(real.of(control)) == 1


@pytest.mark.parametrize("early", [True, False])
def test_two_house_keys_name_the_card_and_the_pi_judges(real, early):
    real.house("ok")
    real.at(500)
    real.buzz(1)
    real.at(600)
    if early:
        real.keys(TABLE, "78")
        assert real.of("card")[0].facts["card"] == named(real, 7, 8)
        real.keys(1, "4")
    else:
        real.keys(1, "4")
        real.keys(TABLE, "7")
        assert real.of("card") == []
        real.keys(TABLE, "8")
    assert real.of("declare")[0].facts["row"] == 4
    assert len(real.of("right")) + len(real.of("wrong")) == 1


def named(bench: Bench, thing: int, colour: int) -> str:
    box = bench.match.box
    return f"{box.colours[colour - 1]} {box.objects[thing - 1]}"


def test_a_wrong_first_key_of_the_house_is_refused_and_typed_again(real):
    real.house("ok")
    real.at(500)
    real.call(1, 4)
    real.keys(TABLE, "9078")
    assert real.refusals(None) == ["The object is a key from 1 to 8"] * 2
    assert real.of("card")[0].facts["card"] == named(real, 7, 8)


@pytest.mark.parametrize("control", ["right", "wrong", "ok", "menu"])
def test_a_control_without_meaning_is_refused_before_everybody(real, control):
    real.house("ok")
    moves = real.match.length
    real.house(control)
    assert real.refusals(None) == [f"{control} has no meaning now; the house has: skip, undo, pause"]
    assert real.of("refused")[0].seen_by is None
    assert real.match.length == moves


def test_with_a_dealer_the_house_does_not_turn_the_card():
    bench = Bench().at(700)
    bench.house("ok")
    assert bench.of("flip") == []
    assert len(bench.refusals(None)) == 1


def test_a_card_that_cannot_be_next_is_refused_and_named_with_its_paragraph(real):
    real.table_move("flip pink ball")
    assert real.of("flip") == []
    assert real.of("refused")[0].facts["rule"] == "BH-R6"


# --- Lamps -----------------------------------------------------------------------------------------------------


def test_the_lamps_follow_what_everybody_may_see():
    bench = Bench().at(1500)
    lamps = bench.devices.lamps
    bench.buzz(0)
    bench.buzz(2)
    assert lamps == [Lamp.OFF] * 3
    bench.at(1600)
    assert lamps == [Lamp.BLINK, Lamp.OFF, Lamp.BLINK]
    bench.at(3000)
    bench.buzz(2)
    bench.at(3100)
    assert lamps == [Lamp.OFF, Lamp.OFF, Lamp.ON]
    bench.keys(2, "0")
    assert lamps == [Lamp.OFF] * 3
    told = [(event.seat, event.facts["lamp"]) for event in bench.of("lamp")]
    assert told == [(0, "blink"), (2, "blink"), (0, "off"), (2, "on"), (2, "off")]
