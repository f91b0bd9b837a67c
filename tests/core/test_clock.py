"""The machine's clock never goes back; the virtual one jumps from one planned action to the next."""

import time

from hypothesis import given
from hypothesis import strategies as st

from companion.core.clock import Later, MonotonicClock, PlanningClock, VirtualClock


def test_the_machines_clock_is_the_kernels_monotonic_one():
    before_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    now_ns = MonotonicClock().now_ns()
    assert before_ns <= now_ns <= time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    assert isinstance(now_ns, int)


def test_a_virtual_clock_stands_until_it_is_moved():
    clock = VirtualClock(42)
    assert clock.now_ns() == clock.now_ns() == 42
    assert clock.next_ns() is None


def test_it_jumps_forward_and_not_back():
    clock = VirtualClock()
    clock.jump(100)
    clock.jump(50)
    assert clock.now_ns() == 100


@given(st.lists(st.integers(0, 20), min_size=1))
def test_actions_happen_in_the_order_of_their_times_and_then_of_their_planning(times):
    clock, done = VirtualClock(), []
    for number, t_ns in enumerate(times):
        clock.at(t_ns, lambda number=number: done.append((clock.now_ns(), number)))
    while clock.next_ns() is not None:
        clock.act()
    assert done == sorted((t_ns, number) for number, t_ns in enumerate(times))


def test_what_is_planned_for_the_past_happens_now():
    clock, done = VirtualClock(1000), []
    clock.at(10, lambda: done.append(clock.now_ns()))
    assert clock.next_ns() == 10
    clock.act()
    assert done == [1000]


def test_an_action_may_plan_another():
    clock, done = VirtualClock(), []
    clock.at(5, lambda: clock.at(5, lambda: done.append(clock.now_ns())))
    clock.act()
    clock.act()
    assert done == [5]


def test_what_was_planned_before_a_drop_is_not_done():
    clock, done = PlanningClock(), []
    later = Later(clock)
    later.after(0, lambda: done.append("before"))
    later.drop()
    later.after(0, lambda: done.append("after"))
    clock.act_due()
    assert done == ["after"]
