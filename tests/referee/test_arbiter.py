"""The arbiter: who was first, and what is a tie (docs/fairness.md)."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.console import Call
from companion.referee.arbiter import SETTLE_MOST_NS, judge, settle_ns

US = 1_000
MS = 1_000_000
S = 1_000_000_000


def seats(*calls: Call, margin_ns: int = MS) -> list[int]:
    return sorted(call.seat for call in judge(calls, margin_ns).winners)


def test_single_call_wins_despite_its_uncertainty():
    verdict = judge([Call(2, 5 * S, 10 * S)], MS)
    assert verdict.winners == verdict.calls == (Call(2, 5 * S, 10 * S),)
    assert verdict.margin_ns is None


def test_judging_without_a_call_is_refused():
    with pytest.raises(ValueError, match=r"^no call to judge$"):
        judge([], MS)


@pytest.mark.parametrize(("apart_ns", "tied"), [(0, True), (MS, True), (MS + 1, False), (50 * MS, False)])
def test_exact_timestamps_tie_up_to_the_margin(apart_ns, tied):
    assert seats(Call(0, 7 * S), Call(1, 7 * S + apart_ns)) == ([0, 1] if tied else [0])


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_equal_timestamps_tie_in_any_order(order):
    calls = [Call(seat, S) for seat in order]
    assert judge(calls, 0).winners == (Call(0, S), Call(1, S), Call(2, S))


@pytest.mark.parametrize(("apart_us", "tied"), [(299, True), (300, True), (301, False)])
def test_indistinguishable_calls_tie_even_with_margin_zero(apart_us, tied):
    # gpiod: 150 us each, so up to 300 us apart either may have been first.
    calls = Call(0, S, 150 * US), Call(1, S + apart_us * US, 150 * US)
    assert seats(*calls, margin_ns=0) == ([0, 1] if tied else [0])


def test_margin_zero_separates_timestamps_by_a_nanosecond():
    assert seats(Call(0, S), Call(1, S + 1), margin_ns=0) == [0]


def test_earliest_certain_end_is_the_limit():
    # Seat 0 has the earliest timestamp but is uncertain; seat 1 is exact, so a call surely after it is out.
    vague, exact, late = Call(0, S, 10 * MS), Call(1, S + 2 * MS), Call(2, S + 5 * MS)
    assert seats(vague, exact, late, margin_ns=0) == [0, 1]


def test_uncertain_call_ties_despite_a_late_timestamp():
    assert seats(Call(0, S), Call(1, S + 400 * MS, 400 * MS), Call(2, S + 2 * MS)) == [0, 1]


def test_margin_counts_from_earliest_timestamp_despite_uncertainty():
    assert seats(Call(0, S, 20 * MS), Call(1, S + 25 * MS), margin_ns=25 * MS) == [0, 1]
    assert seats(Call(0, S, 20 * MS), Call(1, S + 25 * MS), margin_ns=25 * MS - 1) == [0]


def test_calls_are_compared_with_the_earliest_only():
    chain = [Call(seat, S + seat * 600 * US) for seat in range(5)]
    assert seats(*chain) == [0, 1]


def test_indistinguishability_is_not_transitive():
    # 0 and 1 cannot be told apart, nor 1 and 2; but 2 was surely after 0.
    calls = [Call(seat, S + seat * 250 * US, 150 * US) for seat in range(3)]
    assert seats(*calls, margin_ns=0) == [0, 1]
    assert seats(*calls[1:], margin_ns=0) == [1, 2]


@pytest.mark.parametrize(("margin_ms", "tied"), [(10, [0, 3]), (1, [0])])
def test_bh_e7_margin_decides_between_tie_and_call(margin_ms, tied):
    calls = Call(0, 2_000_000_000), Call(3, 2_006_000_000), Call(1, 2_014_000_000)
    assert seats(*calls, margin_ns=margin_ms * MS) == tied


def test_verdict_has_all_calls_and_the_margin():
    third, first, second = Call(0, S + 9 * MS, 5), Call(1, S, 6), Call(2, S + 4 * MS, 7, "3", ("merged",))
    verdict = judge([third, first, second], MS)
    assert verdict.calls == (first, second, third)
    assert verdict.winners == (first,)
    assert verdict.margin_ns == 4 * MS


@pytest.mark.parametrize(
    ("first_u_ns", "t_ns", "u_ns", "wins"),
    [
        (150 * US, S + MS, 0, True),
        (150 * US, S + MS + 1, 0, False),
        (10 * MS, S + 10 * MS, 0, True),
        (10 * MS, S + 10 * MS + 1, 0, False),
        # The interval begins within the margin of the earliest timestamp; the timestamp itself is beyond it.
        (150 * US, S + 2 * MS, 2 * MS - 150 * US, True),
        (150 * US, S + 2 * MS, 2 * MS - 150 * US - 1, False),
    ],
)
def test_verdict_knows_whether_a_late_call_would_win(first_u_ns, t_ns, u_ns, wins):
    first, late = Call(0, S, first_u_ns), Call(1, t_ns, u_ns)
    assert judge([first], MS).has_among_winners(late) == wins
    assert (late in judge([first, late], MS).winners) == wins


calls_of_a_table = st.lists(
    st.builds(Call, st.integers(0, 4), st.integers(0, 30 * MS), st.integers(0, 20 * MS)),
    min_size=1,
    unique_by=lambda call: call.seat,
)


@given(calls_of_a_table, st.integers(0, 20 * MS))
def test_late_call_is_judged_as_if_in_time(calls, margin_ns):
    *heard, late = calls
    if heard:
        would_win = judge(heard, margin_ns).has_among_winners(late)
        assert would_win == (late in judge(calls, margin_ns).winners)


@given(calls_of_a_table.flatmap(st.permutations), st.integers(0, 20 * MS))
def test_order_of_calls_never_changes_the_verdict(calls, margin_ns):
    assert judge(calls, margin_ns) == judge(sorted(calls), margin_ns)


@given(calls_of_a_table, st.integers(0, 20 * MS), st.integers(-S, S))
def test_time_of_day_never_changes_the_verdict(calls, margin_ns, later_ns):
    moved = [call._replace(t_ns=call.t_ns + later_ns) for call in calls]
    assert seats(*moved, margin_ns=margin_ns) == seats(*calls, margin_ns=margin_ns)


@given(calls_of_a_table, st.integers(0, 20 * MS))
def test_earliest_timestamp_is_always_a_winner(calls, margin_ns):
    assert min(calls, key=lambda call: call.t_ns).seat in seats(*calls, margin_ns=margin_ns)


@given(calls_of_a_table, st.integers(0, 20 * MS), st.integers(0, 20 * MS))
def test_tie_never_shrinks_when_the_margin_grows(calls, margin_ns, more_ns):
    assert set(seats(*calls, margin_ns=margin_ns)) <= set(seats(*calls, margin_ns=margin_ns + more_ns))


def test_window_covers_slowest_source_and_tie_margin():
    assert settle_ns(5 * MS, MS, SETTLE_MOST_NS) == 6 * MS
    assert settle_ns(30 * MS, 10 * MS, SETTLE_MOST_NS) == 40 * MS
    assert settle_ns(0, 0, SETTLE_MOST_NS) == 0


@pytest.mark.parametrize(("slowest_ms", "margin_ms"), [(60, 1), (59, 1), (5, 1000), (1000, 0)])
def test_no_verdict_waits_longer_than_60_ms(slowest_ms, margin_ms):
    assert settle_ns(slowest_ms * MS, margin_ms * MS, SETTLE_MOST_NS) == 60 * MS


def test_slow_device_raises_the_limit_of_the_window():
    assert settle_ns(150 * MS, 10 * MS, 150 * MS) == 150 * MS
    assert settle_ns(20 * MS, 10 * MS, 150 * MS) == 30 * MS
