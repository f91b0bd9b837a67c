"""Debouncing: bounce and noise do not reorder presses (docs/timing.md). Helpers take milliseconds."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.signal import LEVEL, LEVEL_ONLY, USER_CLOCK, Signal
from companion.referee.debounce import CONFIRM_NS, Line
from tests.referee import naive
from tests.referee.naive import Heard

MS = 1_000_000

DOWN, UP = True, False


def edge(at_ms: float, pressed: bool, u_ns: int = 0) -> Signal:
    return Signal("test", 0, "buzz", round(at_ms * MS), u_ns, round(at_ms * MS), pressed)


def level(at_ms: float, pressed: bool) -> Signal:
    return edge(at_ms, pressed)._replace(flags=(LEVEL,))


def line_of(*signals: Signal) -> Line:
    line = Line()
    for signal in signals:
        line.hear(signal)
    return line


def told(*signals: Signal) -> list[tuple[int, int, bool, tuple[str, ...]]]:
    return [press[:4] for press in line_of(*signals).presses()]


def stamps(*signals: Signal) -> list[float]:
    return [press.t_ns / MS for press in line_of(*signals).presses() if press.confirmed]


# --- The first edge is the timestamp ---------------------------------------------------------------------------


def test_first_edge_is_the_timestamp_despite_bounce():
    bounces = [edge(100 + after, after % 2 == 0) for after in range(1, 9)]
    assert stamps(edge(100, DOWN), *bounces) == [100]


def test_first_edge_read_as_released_is_the_timestamp():
    assert stamps(edge(100, UP), edge(100.1, DOWN)) == [100]


def test_press_keeps_the_properties_of_its_first_edge():
    first = edge(100, DOWN, 150_000)._replace(flags=("merged",))
    assert told(first, edge(101, UP, 7), edge(102, DOWN, 9)) == [(100 * MS, 150_000, True, ("merged",))]


def test_silent_line_has_no_press():
    assert Line().presses() == []


def test_bounce_while_closing_is_one_press():
    chatter = [edge(100 + 29 * step, step % 2 == 0) for step in range(20)]
    assert stamps(*chatter) == [100]


# --- A line is armed again when released and quiet for 30 ms ------------------------------------------------


@pytest.mark.parametrize(("quiet_ms", "again"), [(29.999, []), (30, [210]), (300, [480])])
def test_line_is_armed_again_after_30_ms_quiet(quiet_ms, again):
    assert stamps(edge(100, DOWN), edge(180, UP), edge(180 + quiet_ms, DOWN)) == [100, *again]


def test_bounce_while_opening_delays_the_rearming():
    opening = [edge(180, UP), edge(185, DOWN), edge(190, UP)]
    assert stamps(edge(100, DOWN), *opening, edge(219, DOWN), edge(225, UP)) == [100]
    assert stamps(edge(100, DOWN), *opening, edge(220, DOWN)) == [100, 220]


def test_quiet_line_must_also_be_released():
    assert stamps(edge(100, DOWN), edge(900, DOWN), edge(901, UP), edge(1000, DOWN)) == [100, 1000]


def test_level_shows_an_unreported_release():
    assert stamps(edge(100, DOWN), level(400, UP), edge(500, DOWN)) == [100, 500]


@pytest.mark.parametrize("pressed", [DOWN, UP])
def test_level_at_an_edges_instant_is_ignored(pressed):
    for heard in permutations((edge(100, DOWN), level(100, pressed), edge(180, UP))):
        assert stamps(*heard) == [100]


def test_level_near_an_exact_edge_counts():
    unsure = edge(0, DOWN, 10 * MS), edge(20, UP, 10 * MS)
    assert stamps(*unsure, edge(200, DOWN), level(207, UP), edge(500, DOWN)) == [0, 200, 500]


def test_level_does_not_make_bouncing_contact_quiet():
    assert stamps(edge(100, DOWN), edge(110, UP), level(112, UP), edge(130, DOWN)) == [100]


# --- Edges that were read too late -----------------------------------------------------------------------------


@pytest.mark.parametrize("later", [edge(100.001, DOWN), edge(105, DOWN), level(103, DOWN), level(160, DOWN)])
def test_misread_edge_is_confirmed_by_closing_or_level(later):
    assert stamps(edge(100, UP), later) == [100]


def test_second_open_edge_confirms_nothing():
    assert stamps(edge(100, UP), edge(100.001, UP)) == []


def test_edge_after_more_than_5_ms_confirms_nothing():
    assert stamps(edge(100, UP), edge(105.001, DOWN)) == [105.001]


def test_unconfirmed_edge_is_a_glitch():
    assert line_of(edge(100, UP), level(160, UP)).presses() == []


def test_released_level_within_5_ms_proves_no_glitch():
    # The contact closed at 100, was open for a moment when its level was read, and bounced on.
    assert stamps(edge(100, UP), level(103, UP), edge(104.5, DOWN)) == [100]


def test_glitch_does_not_affect_the_next_press():
    assert stamps(edge(100, UP), edge(110, DOWN)) == [110]
    assert stamps(edge(100, UP), level(106, UP), edge(110, UP), edge(110.2, DOWN)) == [110]
    assert stamps(edge(100, UP), edge(110, UP), edge(120, UP), edge(130, DOWN)) == [130]


def test_glitch_after_a_press_does_not_delay_rearming():
    assert stamps(edge(100, DOWN), edge(180, UP), edge(215, UP), edge(225, DOWN)) == [100, 225]


# --- Held buttons --------------------------------------------------------------------------------------------


def test_held_button_never_presses():
    assert stamps(level(0, DOWN), edge(50, DOWN), edge(90, DOWN), level(100, DOWN), edge(300, DOWN)) == []


def test_release_is_not_a_press():
    letting_go = [level(0, DOWN), edge(200, UP), edge(201, DOWN), edge(202, UP)]
    assert stamps(*letting_go) == []
    assert stamps(*letting_go, edge(250, DOWN)) == [250]
    assert stamps(*letting_go, edge(231, DOWN)) == []


def test_closed_level_needs_an_open_one_before():
    assert stamps(level(100, DOWN), level(200, DOWN)) == []


# --- Presses without an edge ---------------------------------------------------------------------------------


def test_level_change_without_an_edge_is_a_press():
    assert told(level(100, UP), level(160, DOWN)) == [(130 * MS, 30 * MS, True, (LEVEL_ONLY,))]


@given(st.integers(0, 10**9), st.integers(1, 10**9))
def test_edgeless_press_covers_both_readings_closely(released_ns, gap_ns):
    readings = [level(0, up)._replace(t_ns=t) for up, t in ((UP, released_ns), (DOWN, released_ns + gap_ns))]
    (press,) = line_of(*readings).presses()
    earliest_ns, latest_ns = press.t_ns - press.uncertainty_ns, press.t_ns + press.uncertainty_ns
    assert earliest_ns <= released_ns
    assert latest_ns >= released_ns + gap_ns
    assert latest_ns - earliest_ns <= gap_ns + 1


def test_last_open_reading_counts_not_the_first():
    assert line_of(level(0, UP), level(100, UP), level(160, DOWN)).presses()[0].t_ns == 130 * MS


def test_late_edge_replaces_a_guess_from_levels():
    assert told(level(100, UP), level(160, DOWN), edge(140, DOWN)) == [(140 * MS, 0, True, ())]


def test_bouncing_contact_is_not_armed_by_levels():
    assert stamps(edge(100, DOWN), edge(105, UP), level(110, UP), level(115, DOWN)) == [100]


# --- Hearing twice, in any order, and forgetting -------------------------------------------------------------

times_us = st.integers(0, 400).map(lambda step: step * 500)
"""A grid of 0.5 ms, which meets the limits of 5 and 30 ms exactly."""

line_stories = st.lists(
    st.tuples(times_us, st.booleans(), st.sampled_from((False, False, True))),
    max_size=14,
    unique_by=lambda one: one[0],
)


def signals_of(story: list[tuple[int, bool, bool]]) -> list[Signal]:
    return [(level if reading else edge)(time_us / 1000, pressed) for time_us, pressed, reading in sorted(story)]


@pytest.mark.soak
@given(line_stories)
def test_line_agrees_with_the_naive_reading(story):
    heard = [Heard(time_us * 1000, pressed, 0, reading) for time_us, pressed, reading in story]
    expected = [(press.t_ns, press.u_ns) for press in naive.presses(heard)]
    line = line_of(*signals_of(story))
    assert [press[:2] for press in line.presses()] == expected
    assert [spike[:2] for spike in line.spikes()] == [*naive.spikes(heard)][-len(line.spikes()) :]


@pytest.mark.soak
@given(line_stories, st.randoms())
def test_order_of_signals_changes_nothing(story, luck):
    signals = signals_of(story)
    assert line_of(*luck.sample(signals, len(signals))).presses() == line_of(*signals).presses()


@given(line_stories, st.randoms())
def test_repeated_signals_change_nothing(story, luck):
    signals = signals_of(story)
    again = luck.choices(signals, k=5) if signals else []
    assert line_of(*signals, *again).presses() == line_of(*signals).presses()


@given(line_stories, st.lists(st.integers(0, 40), min_size=14, max_size=14), st.randoms())
def test_later_reports_of_the_same_signal_change_nothing(story, later_ms, luck):
    signals = signals_of(story)
    late = [
        signal._replace(received_ns=signal.received_ns + ms * MS)
        for signal, ms in zip(signals, later_ms, strict=False)
    ]
    both = luck.sample([*signals, *late], 2 * len(signals))
    once, twice = line_of(*signals), Line()
    for signal in both:
        twice.hear(signal)
        twice.presses()  # evaluating the later report must not preserve it
    assert (twice.presses(), twice.spikes()) == (once.presses(), once.spikes())


def test_spike_reported_twice_counts_once():
    pulse = [edge(100, DOWN), edge(100.02, UP)]
    again = [signal._replace(received_ns=signal.received_ns + MS) for signal in pulse]
    assert [spike.t_ns / MS for spike in line_of(*pulse, *again).spikes()] == [100]
    (press,) = line_of(again[0], pulse[0]).presses()
    assert press.heard_ns == 100 * MS


@pytest.mark.soak
@given(line_stories, st.integers(0, 14), st.integers(0, 200_000))
def test_forgetting_changes_no_later_press(story, count, before_us):
    signals = signals_of(story)
    line = line_of(*signals[:count])
    # Only settled signals may be forgotten.
    settled_ns = min((signal.t_ns for signal in signals[count:]), default=10**12) - 1
    if any(LEVEL in signal.flags and signal.pressed for signal in signals[count : count + 1]):
        # The level may prove that the last edge was misread.
        settled_ns = min([settled_ns, *(signal.t_ns - 1 for signal in signals[:count][-1:])])
    before_ns = min(before_us * 1000, settled_ns - CONFIRM_NS)
    line.forget(before_ns)
    for signal in signals[count:]:
        line.hear(signal)
    later = [press for press in line_of(*signals).presses() if press.t_ns + press.uncertainty_ns >= before_ns]
    assert line.presses() == later
    assert line.spikes() == line_of(*signals).spikes()[-len(line.spikes()) :]


def test_held_button_stays_known_after_forgetting():
    line = line_of(edge(100, DOWN))
    line.forget(2000 * MS)
    line.hear(edge(2500, DOWN))
    assert line.presses() == []
    line.hear(level(2600, UP))
    line.hear(edge(2700, DOWN))
    assert [press.t_ns for press in line.presses()] == [2700 * MS]


# --- Certainty --------------------------------------------------------------------------------------------------


@pytest.mark.soak
@given(line_stories, st.integers(0, 250_000))
def test_later_reports_never_change_confirmed_presses(story, settled_us):
    signals = signals_of(story)
    settled_ns = settled_us * 1000
    by_then = line_of(*(signal for signal in signals if signal.t_ns <= settled_ns))
    everything = line_of(*signals)
    if any(LEVEL in signal.flags for signal in signals):
        return  # a level that is read later may prove that an edge was misread
    known = [press.t_ns for press in by_then.presses(settled_ns) if press.confirmed]
    open_yet = [press.t_ns for press in by_then.presses(settled_ns) if not press.confirmed]
    assert known == [press.t_ns for press in everything.presses(settled_ns) if press.confirmed]
    assert [at for at in known if at not in (press.t_ns for press in everything.presses())] == []
    spikes = [spike.t_ns for spike in by_then.spikes(settled_ns)]
    assert [at for at in spikes if at not in (spike.t_ns for spike in everything.spikes())] == []
    assert all(settled_ns - at < CONFIRM_NS for at in open_yet)


# --- Timestamps of programs: the level is that of the interval's end ---------------------------------------


def late_edge(read_at_ms: float, pressed: bool) -> Signal:
    """Return an edge that happened up to 20 ms before `read_at_ms`."""
    return edge(read_at_ms - 10, pressed, 10 * MS)._replace(flags=(USER_CLOCK,))


def test_program_stamped_release_is_not_a_press():
    """The middle of its interval is before the pressed reading."""
    assert stamps(level(0, DOWN), level(100, DOWN), late_edge(105, UP)) == []


def test_press_after_program_stamped_release_counts():
    assert stamps(level(0, DOWN), level(100, DOWN), late_edge(105, UP), late_edge(200, DOWN)) == [190]


def test_press_soon_after_a_level_counts_once():
    assert stamps(level(0, UP), level(100, UP), late_edge(105, DOWN), level(120, DOWN)) == [95]


def test_program_stamped_signals_are_forgotten_in_order():
    line = line_of(level(0, UP), level(98, UP), late_edge(105, DOWN))
    line.forget(95 * MS)
    assert [press.t_ns for press in line.presses()] == [95 * MS]
    line.forget(96 * MS)
    assert line.presses() == []
    line.hear(late_edge(300, UP))
    assert line.presses() == []


# --- Levels and edges in unknown order --------------------------------------------------------------------------


def test_level_just_before_release_does_not_outlive_it():
    # gpiod: the level is read, the button is released, and then the clock is read for the level's timestamp.
    held, read, released = edge(0, DOWN, 150_000), level(82.02, DOWN), edge(82.01, UP, 150_000)
    assert stamps(held, read, released, edge(200, DOWN, 150_000)) == [0, 200]


def test_level_does_not_outlive_an_uncertain_release():
    # RPi.GPIO: released at 86 ms with timestamp 76 ms, give or take 10 ms; the level was read at 82 ms.
    u_ns = 10 * MS
    held, read, released = edge(0, DOWN, u_ns), level(82, DOWN), edge(76, UP, u_ns)
    assert stamps(held, read, released, edge(200, DOWN, u_ns)) == [0, 200]
