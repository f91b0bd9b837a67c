"""The evidence of a verdict as text; anything else stays a comment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.console import BUZZ, KEYS, Call
from companion.core.event import event, to_json
from companion.core.record import Entry, Evidence, parse_entry, read_comment
from companion.referee import events
from companion.referee.arbiter import judge

times_ns = st.integers(1 - 10**17, 10**17 - 1)  # three years; evidence has numbers of 18 digits
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
def test_printed_evidence_parses_back(t_ns, open_ns, calls, early, margin_ns):
    verdict = judge(calls, margin_ns)
    comment = Evidence(t_ns, open_ns, verdict.margin_ns, verdict.calls, tuple(early))
    assert read_comment(str(comment)) == comment


@given(races, st.lists(all_calls, max_size=4))
def test_record_entry_carries_evidence_as_a_comment(calls, early):
    verdict = judge(calls, 0)
    entry = Entry("move", 9, "T call 2", Evidence(7, 1, verdict.margin_ns, verdict.calls, tuple(early)))
    assert parse_entry(str(entry)) == entry


@given(times_ns)
def test_move_without_a_verdict_has_only_its_time(t_ns):
    assert read_comment(str(Evidence(t_ns))) == Evidence(t_ns)


def test_entry_without_evidence_has_empty_evidence():
    assert parse_entry("undo 1").evidence == parse_entry("undo 1 {sorry}").evidence == Evidence()


def test_evidence_text_has_its_fixed_form():
    verdict = judge([Call(0, 1_500, 150), Call(2, 1_497, 1_000, "4", ("merged", "level_only"))], 1)
    assert str(Evidence(1_531, 1_000, verdict.margin_ns, verdict.calls, (Call(1, 990),))) == (
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
        "open_ns=1 t_ns=5",
        "t_ns=5 t_ns=6",
        "t_ns=05",
        "t_ns=-0",
        "t_ns=5  open_ns=1",
        "t_ns=5 ",
        "t_ns=\u0665",
        "call=1:buzz@1+-1 margin_ns=3",
    ],
)
def test_comment_that_is_not_evidence_stays_a_comment(comment):
    assert read_comment(comment) == comment
    assert parse_entry(f"undo 1 {{{comment}}}") == Entry("undo", 1, "", comment)


def test_verdict_event_names_winners_calls_and_margin():
    verdict = judge([Call(0, 1_500, 150), Call(2, 1_497)], 10)
    seats = tuple(call.seat for call in verdict.winners)
    told = event(events.Verdict(seats, verdict.margin_ns, 1_000, verdict.calls))
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
