"""Calls that an evening sends to its tables through the broker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.club import topics
from companion.club.broker import Sent
from companion.club.evening import Evening
from companion.club.ledger import Ledger
from companion.club.tournament import Called, Drawn, GroupResult, Tables
from companion.config.sections import ClubOptions
from companion.core.errors import OptionError
from tests.club.evenings_of_robots import GAME, plan

HERE = ClubOptions(broker="127.0.0.1")
TWO = (("Player 1", "Player 2"), ("Player 3", "Player 4"))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.create(tmp_path / "autumn.club", plan(4, 3, 2, sizes=(2,))) as ledger:
        yield ledger


@pytest.fixture
def evening(ledger: Ledger) -> Evening:
    return Evening(ledger, HERE, "autumn")


def told(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Advance once; return the called players by topic."""
    put: list[Sent] = []
    monkeypatch.setattr(evening._broker, "put", put.append)
    assert list(evening.go_on(0.0)) == []
    return {sent.topic: topics.read_payload(sent.payload).get("players", []) for sent in put}


def test_each_call_is_sent_once(ledger: Ledger, evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger.take(Drawn(TWO))
    ledger.take(Called(0, "T1"))
    everything = {
        "companion/t1/call": ["Player 1", "Player 2"],
        "companion/t2/call": [],
        "companion/t3/call": [],
    }
    assert told(evening, monkeypatch) == everything
    assert told(evening, monkeypatch) == {}
    ledger.take(Called(1, "T2"))
    ledger.take(GroupResult(1, 0, (1, 2), "m"))
    assert told(evening, monkeypatch) == {"companion/t1/call": [], "companion/t2/call": ["Player 3", "Player 4"]}
    assert len(evening._calls()) == 3, "a broker that comes back is told all"


def test_lost_table_calls_nobody(ledger: Ledger, evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger.take(Drawn(TWO))
    ledger.take(Called(0, "T1"))
    told(evening, monkeypatch)
    ledger.take(Tables(("T2", "T3")))
    ledger.take(Called(0, "T2"))
    assert told(evening, monkeypatch) == {"companion/t1/call": [], "companion/t2/call": ["Player 1", "Player 2"]}
    ledger.take(Tables(("T1", "T2")))
    ledger.take(Called(1, "T1"))
    assert told(evening, monkeypatch) == {"companion/t1/call": ["Player 3", "Player 4"]}


def result(revision: int, *ranking: int) -> bytes:
    """Return a table's message about a match of the first group; `ranking` lists seats."""
    order = [[seat] for seat in ranking]
    one = {"match": "m", "revision": revision, "game": GAME, "players": list(TWO[0]), "ranking": order}
    return topics.payload({"results": [one]})


@pytest.mark.parametrize("corrected", ["t1", "t9"])
def test_result_corrected_under_another_table_name_counts_once(
    ledger: Ledger, evening: Evening, monkeypatch: pytest.MonkeyPatch, corrected: str
) -> None:
    ledger.take(Drawn(TWO))
    ledger.take(Called(0, "T1"))
    monkeypatch.setattr(evening._broker, "put", lambda sent: None)
    monkeypatch.setattr(evening, "_knows_all", True)
    for table in ("t1", "t9"):
        said = result(2, 2, 1) if table == corrected else result(1, 1, 2)
        evening._hear(f"companion/{table}/results", said)
    events = [event for _ in range(5) for event in evening.go_on(0.0)]
    taken = [event.places for event in events if isinstance(event, GroupResult)]
    assert taken == ([(2, 1)] if corrected == "t1" else [(1, 2), (2, 1)]), "and not again and again"


@pytest.mark.parametrize("tables", [("Fenêtre", "fenetre"), ("窗", "门"), ("A 1", "Door", "a-1")])
def test_tables_with_equal_topics_are_refused(tmp_path: Path, tables: tuple[str, ...]) -> None:
    wanted = plan(4, 3, 2, sizes=(2,))._replace(tables=tables)
    with (
        Ledger.create(tmp_path / "autumn.club", wanted) as ledger,
        pytest.raises(OptionError, match="on the broker: rename one of them"),
    ):
        Evening(ledger, HERE, "autumn")
