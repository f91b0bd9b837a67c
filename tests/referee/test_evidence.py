"""The evidence of a verdict prints and parses without loss, and says no when it is something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.console import BUZZ, KEYS, Call
from companion.core.errors import RecordError
from companion.core.event import to_json
from companion.core.record import Entry, parse_entry
from companion.referee.arbiter import judge
from companion.referee.evidence import Evidence, format_evidence, parse_evidence, verdict_event

times_ns = st.integers(-(10**18), 10**18)
all_calls = st.builds(
    Call,
    seat=st.integers(0, 4),
    t_ns=times_ns,
    uncertainty_ns=st.integers(0, 10**12),
    control=st.sampled_from((BUZZ, *KEYS)),
    flags=st.lists(st.sampled_from(("merged", "level_only", "user_clock")), unique=True).map(tuple),
)
races = st.lists(all_calls, min_size=1, max_size=5, unique_by=lambda call: call.seat)


@given(times_ns, times_ns, races, st.lists(all_calls, max_size=4), st.integers(0, 10**9))
def test_what_is_printed_is_parsed_again(t_ns, open_ns, calls, early, margin_ns):
    verdict = judge(calls, margin_ns)
    comment = format_evidence(t_ns, verdict, open_ns, early)
    assert parse_evidence(comment) == Evidence(t_ns, open_ns, verdict.margin_ns, verdict.calls, tuple(early))


@given(races, st.lists(all_calls, max_size=4))
def test_a_record_can_carry_it_as_a_comment(calls, early):
    entry = Entry("move", 9, "T call 2", format_evidence(7, judge(calls, 0), 1, early))
    assert parse_entry(str(entry)) == entry


@given(times_ns)
def test_a_move_without_a_verdict_has_its_time_only(t_ns):
    assert parse_evidence(format_evidence(t_ns)) == Evidence(t_ns)


def test_a_comment_without_evidence_is_none():
    assert parse_evidence("") == Evidence()


def test_how_it_looks():
    verdict = judge([Call(0, 1_500, 150), Call(2, 1_497, 1_000, "4", ("merged", "level_only"))], 1)
    assert format_evidence(1_531, verdict, 1_000, [Call(1, 990)]) == (
        "t_ns=1531 open_ns=1000 margin_ns=3 call=3:4@1497+-1000!merged!level_only call=1:buzz@1500+-150"
        " early=2:buzz@990+-0"
    )


@pytest.mark.parametrize(
    "comment",
    [
        "hello",
        "t_ns=",
        "t_ns=1.5",
        "t_ns=--5",
        "t_ns=5 what=3",
        "call=0:buzz@1+-1",
        "call=6:buzz@1+-1",
        "call=T:buzz@1+-1",
        "call=1:buzz@1",
        "call=1:buzz@1+-",
        "call=1:buzz@1+--1",
        "call=1:buzz@1+-1!",
        "call=",
        "early=1",
    ],
)
def test_what_is_no_evidence_is_named(comment):
    word = comment.split()[-1]
    with pytest.raises(RecordError) as caught:
        parse_evidence(comment)
    assert word.partition("=")[2] in str(caught.value)


def test_the_announcement_names_winners_calls_and_margin():
    told = verdict_event(judge([Call(0, 1_500, 150), Call(2, 1_497)], 10), 1_000)
    assert to_json(1_600, told) == {
        "t_ns": 1_600,
        "kind": "verdict",
        "seats": [3, 1],
        "margin_ns": 3,
        "open_ns": 1_000,
        "calls": [
            {"seat": 3, "t_ns": 1_497, "uncertainty_ns": 0, "control": "buzz", "flags": []},
            {"seat": 1, "t_ns": 1_500, "uncertainty_ns": 150, "control": "buzz", "flags": []},
        ],
    }
