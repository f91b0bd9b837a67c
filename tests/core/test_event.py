"""Events: who may see them, and how other programs get to read them."""

import json

import pytest

from companion.core.event import Event, event, to_json
from companion.core.move import TABLE
from companion.core.rules import Outcome
from companion.core.text import msg


def test_event_keeps_its_data_in_order() -> None:
    happened = event("bid", 1, bid=3, left=2)
    assert happened == Event("bid", 1, (("bid", 3), ("left", 2)), None)
    assert happened.facts == {"bid": 3, "left": 2}


@pytest.mark.parametrize(("seen_by", "audiences"), [(None, [None, 0, 1]), ((1,), [1]), ((0, 1), [0, 1]), ((), [])])
def test_event_is_seen_by_its_audience_only(seen_by: tuple[int, ...] | None, audiences: list[int | None]) -> None:
    happened = event("bid", seen_by=seen_by)
    assert [audience for audience in (None, 0, 1) if happened.visible_to(audience)] == audiences


def test_json_counts_seats_from_one_and_the_table_as_zero() -> None:
    happened = event("over", 1, source=TABLE, seats=(0, 3), ranking=((2, 0), (1,)), row=4)
    assert to_json(1_500, happened) == {
        "t_ns": 1_500,
        "kind": "over",
        "seat": 2,
        "source": 0,
        "seats": [1, 4],
        "ranking": [[3, 1], [2]],
        "row": 4,
    }


def test_json_has_no_seat_where_an_event_is_about_nobody() -> None:
    assert to_json(0, event("nobody")) == {"t_ns": 0, "kind": "nobody"}


def test_json_spells_out_texts_and_values() -> None:
    line = to_json(0, event("over", result=Outcome(((1,), (0,)), msg("{n} points", n=3)), why=msg("the end")))
    assert json.loads(json.dumps(line)) == {
        "t_ns": 0,
        "kind": "over",
        "result": {"ranking": [[2], [1]], "reason": "3 points"},
        "why": "the end",
    }
