"""The machine's clock and the virtual clock."""

import time

from hypothesis import given
from hypothesis import strategies as st

from companion.core.clock import Later, MonotonicClock, PlanningClock, VirtualClock


def test_machine_clock_is_the_kernels_monotonic_clock():
    before_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    now_ns = MonotonicClock().now_ns()
    assert before_ns <= now_ns <= time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    assert isinstance(now_ns, int)


def test_virtual_clock_stays_until_it_is_moved():
    clock = VirtualClock(42)
    assert clock.now_ns() == clock.now_ns() == 42
    assert clock.next_ns() is None


def test_virtual_clock_jumps_only_forward():
    clock = VirtualClock()
    clock.jump(100)
    clock.jump(50)
    assert clock.now_ns() == 100


@given(st.lists(st.integers(0, 20), min_size=1))
def test_actions_run_by_time_then_by_planning_order(times):
    clock, done = VirtualClock(), []
    for number, t_ns in enumerate(times):
        clock.at(t_ns, lambda number=number: done.append((clock.now_ns(), number)))
    while clock.next_ns() is not None:
        clock.act()
    assert done == sorted((t_ns, number) for number, t_ns in enumerate(times))


def test_action_planned_for_the_past_runs_now():
    clock, done = VirtualClock(1000), []
    clock.at(10, lambda: done.append(clock.now_ns()))
    assert clock.next_ns() == 10
    clock.act()
    assert done == [1000]


def test_action_may_plan_another_action():
    clock, done = VirtualClock(), []
    clock.at(5, lambda: clock.at(5, lambda: done.append(clock.now_ns())))
    clock.act()
    clock.act()
    assert done == [5]


def test_actions_planned_before_a_drop_never_run():
    clock, done = PlanningClock(), []
    later = Later(clock)
    later.after(0, lambda: done.append("before"))
    later.drop()
    later.after(0, lambda: done.append("after"))
    clock.act_due()
    assert done == ["after"]
