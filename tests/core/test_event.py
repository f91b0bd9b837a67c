"""Events: audience, sentences and JSON."""

import json
from collections.abc import Sequence

import pytest

from companion.core.event import Event, EventFacts, event, to_json
from companion.core.move import TABLE
from companion.core.rules import Outcome
from companion.core.text import Text, msg


class SealedBid(EventFacts):
    bid: int
    left: int
    why: str | None = None


class Over(EventFacts):
    """An event with each kind of fact that JSON writes specially."""

    source: int
    seats: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    row: int


class Ended(EventFacts):
    result: Outcome
    why: Text


def test_event_kind_is_declared_with_its_facts() -> None:
    happened = event(SealedBid(3, left=2), 1)
    assert happened == Event("sealed_bid", 1, SealedBid(3, 2), None)
    assert happened.data == SealedBid(3, 2)
    assert list(happened.facts.items()) == [("bid", 3), ("left", 2)]
    assert event(SealedBid(3, 2, "high"), 1).facts == {"bid": 3, "left": 2, "why": "high"}


def test_missing_or_undeclared_fact_raises_at_once() -> None:
    with pytest.raises(TypeError):
        event(SealedBid(3))
    with pytest.raises(TypeError):
        event(SealedBid(3, left=2, right=1))


@pytest.mark.parametrize(("seen_by", "audiences"), [(None, [None, 0, 1]), ((1,), [1]), ((0, 1), [0, 1]), ((), [])])
def test_event_is_visible_only_to_its_audience(
    seen_by: tuple[int, ...] | None, audiences: list[int | None]
) -> None:
    happened = event(SealedBid(3, 2), seen_by=seen_by)
    assert [audience for audience in (None, 0, 1) if happened.visible_to(audience)] == audiences


def test_json_numbers_seats_from_one_and_table_zero() -> None:
    happened = event(Over(source=TABLE, seats=(0, 3), ranking=((2, 0), (1,)), row=4), 1)
    assert to_json(1_500, happened) == {
        "t_ns": 1_500,
        "kind": "over",
        "seat": 2,
        "source": 0,
        "seats": [1, 4],
        "ranking": [[3, 1], [2]],
        "row": 4,
    }


def test_json_omits_seat_when_event_has_none() -> None:
    assert to_json(0, Event("nobody")) == {"t_ns": 0, "kind": "nobody"}


def test_json_spells_out_texts_and_values() -> None:
    line = to_json(0, event(Ended(Outcome(((1,), (0,)), msg("{n} points", n=3)), msg("the end"))))
    assert json.loads(json.dumps(line)) == {
        "t_ns": 0,
        "kind": "ended",
        "result": {"ranking": [[2], [1]], "reason": "3 points"},
        "why": "the end",
    }


class Paid(EventFacts):
    ducats: int
    SAYS = msg("{who} pays {ducats}")
    TASK = msg("Pay {ducats}")


class Tied(EventFacts):
    seats: tuple[int, ...]
    SAYS = msg("A tie: {who}")


class Won(EventFacts):
    ranking: tuple[tuple[int, ...], ...]

    def says(self, names: Sequence[str]) -> Text:
        return msg("{who} of {n} wins", "{who} of {n} win", n=len(names))


@pytest.mark.parametrize(
    ("happened", "sentence"),
    [
        (event(Paid(3), 1), "Ben pays 3"),
        (event(Tied((0, 2))), "A tie: Anna, Cleo"),
        (event(Won(((2, 1), (0,)))), "Cleo, Ben of 3 win"),
        (event(Paid(3), 1, said=msg("as agreed")), "as agreed"),
        (Event("nobody"), "None"),
    ],
)
def test_sentence_names_the_seats_concerned(happened: Event, sentence: str) -> None:
    assert str(happened.sentence(("Anna", "Ben", "Cleo"))) == sentence


def test_task_has_only_the_facts_it_names() -> None:
    task = event(Paid(3), 1).task(("Anna", "Ben"))
    assert task is not None
    assert (str(task), task.values) == ("Pay 3", (("ducats", 3),))
