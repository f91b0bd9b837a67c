"""The direct variant: the key of a row is the call."""

import pytest

from companion.core.move import TABLE, Move
from tests.referee.bench import Bench


def direct(**options) -> Bench:
    """Return a table with direct calls, half a second after its first card."""
    return Bench(call_input="direct", settle_ms=options.pop("settle_ms", 20), **options).at(1500)


def test_key_is_call_and_declaration_in_one():
    bench = direct()
    bench.keys(1, "4")
    bench.at(1521)
    assert bench.match.moves[-1] == Move(TABLE, "call", (1, 4))
    assert bench.of("declare")[0].facts["row"] == 4
    assert bench.evidence("call").calls[0].control == "4"


def test_key_zero_means_impossible():
    bench = direct()
    bench.keys(1, "0")
    bench.at(1600)
    assert bench.match.moves[-1].args == (1, 0)


def test_earlier_timestamp_wins_not_the_earlier_report():
    bench = direct()
    bench.keys(0, "1")
    bench.at(1518)
    bench.keys(2, "5", stamped_ms=1498)
    bench.at(1600)
    assert bench.match.moves[-1].args == (2, 5)


@pytest.mark.parametrize(("within_ms", "winners"), [(4, (0, 1)), (2.4, (0,))])
def test_keys_are_judged_by_their_uncertainty(within_ms, winners):
    # A number pad has an uncertainty of 4 or 5 ms, so keys 5 ms apart are too close to call.
    bench = direct()
    bench.keys(0, "1", within_ms=within_ms)
    bench.keys(1, "1", stamped_ms=1505, within_ms=within_ms)
    bench.at(1600)
    assert bench.winners() == [winners]


def test_earliest_of_a_seats_keys_counts():
    bench = direct()
    bench.keys(0, "4")
    bench.at(1505)
    bench.keys(0, "5")
    bench.keys(0, "6", stamped_ms=1499)
    bench.at(1600)
    assert bench.match.moves[-1].args == (0, 6)


def test_only_tied_seats_call_after_a_tie():
    bench = direct()
    bench.keys(0, "1")
    bench.keys(1, "2")
    bench.at(3000)
    bench.keys(2, "3")
    bench.at(3050)
    bench.keys(1, "3")
    bench.at(3200)
    assert bench.winners() == [(0, 1), (1,)]
    assert bench.match.moves[-1].args == (1, 3)


def test_buzzer_is_not_a_call():
    bench = direct()
    bench.buzz(0)
    bench.at(1700)
    assert bench.winners() == []
    assert bench.of("false_start") == []


@pytest.mark.parametrize("touched_ms", [1495, 1500, 1502, 1518])
def test_row_key_counts_beside_an_unused_buzzer(touched_ms):
    bench = direct()
    bench.at(max(1500, touched_ms)).buzz(1, stamped_ms=touched_ms)
    bench.at(1519).keys(1, "4", stamped_ms=1500)
    bench.at(1600)
    assert bench.match.moves[-1] == Move(TABLE, "call", (1, 4))


def test_star_counts_beside_an_unused_buzzer():
    bench = direct()
    bench.keys(0, "*")
    bench.keys(2, "*")
    bench.at(1510).buzz(1)
    bench.at(1515).keys(1, "*", stamped_ms=1505)
    bench.at(1600)
    assert (len(bench.of("nobody")), bench.refusals(1)) == (1, [])


def test_keys_that_name_no_row_do_not_call():
    bench = direct()
    bench.keys(0, "7A#")
    bench.at(1700)
    assert bench.winners() == []
    assert bench.refusals(0) == ["Your row: 1 to 6, 0 for impossible; *: give up"] * 3


def test_card_can_be_given_up():
    bench = direct()
    for seat in range(3):
        bench.keys(seat, "*")
    bench.at(bench.now_ms + 20)
    assert len(bench.of("nobody")) == 1


@pytest.mark.parametrize("delivered_ms", [990, 1010])
def test_key_before_the_card_is_a_false_start(delivered_ms):
    bench = Bench(call_input="direct", settle_ms=20).at(delivered_ms)
    bench.keys(1, "4", stamped_ms=990)
    bench.at(1400)
    assert bench.winners() == []
    assert [event.seat for event in bench.of("false_start")] == [1]
    bench.keys(1, "4")
    bench.at(1500)
    assert bench.winners() == [(1,)]
    assert [(call.seat, call.control) for call in bench.evidence("call").early] == [(1, "4")]


@pytest.mark.parametrize("delivered_ms", [998, 1003])
def test_uncertain_key_around_the_opening_counts(delivered_ms):
    bench = Bench(call_input="direct", settle_ms=20).at(delivered_ms)
    bench.keys(1, "4", stamped_ms=998, within_ms=5)
    bench.at(1400)
    assert bench.winners() == [(1,)]


def test_early_key_costs_a_chip_by_ruling():
    bench = Bench(call_input="direct", early_buzz="chip").at(700)
    bench.keys(1, "4")
    bench.keys(2, "7")
    bench.at(1800)
    assert bench.chips() == (0, 1, 0)


def test_late_key_that_would_win_is_announced():
    bench = direct()
    bench.keys(0, "1")
    bench.at(1600)
    bench.keys(2, "5", stamped_ms=1499)
    assert [event.seat for event in bench.of("late_report")] == [2]
    assert bench.of("false_start") == []


def test_late_key_is_also_announced_during_judging():
    bench = Bench(call_input="direct", deal="table", open="ok", settle_ms=20).at(100)
    bench.lay_starters()
    bench.at(1000)
    bench.house("ok")
    bench.at(1500)
    bench.keys(0, "1")
    bench.at(1600)
    assert bench.view.phase == "judge"
    bench.keys(2, "5", stamped_ms=1499)
    assert [event.seat for event in bench.of("late_report")] == [2]


def test_house_keypad_makes_no_false_start():
    bench = Bench(call_input="direct").at(700)
    bench.keys(TABLE, "1")
    bench.at(1500)
    bench.keys(0, "1")
    bench.at(1600)
    assert bench.of("false_start") == []
    assert bench.evidence("call").early == ()


def test_every_entry_of_a_match_has_its_time():
    bench = Bench(call_input="direct").at(700)
    bench.keys(2, "3")
    bench.at(1500)
    bench.keys(0, "1", within_ms=2)
    bench.keys(1, "6", stamped_ms=1501.5)
    bench.at(1600)
    for entry in bench.match.entries:
        assert entry.evidence.t_ns is not None
