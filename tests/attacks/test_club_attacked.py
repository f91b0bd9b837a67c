"""Attacks through a broker on a table, a wall and a tournament."""

import json
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from benchmarks.brokers import LET_IN, bad_broker
from companion.club import topics, views
from companion.club.broker import Broker, Connection
from companion.club.evening import OTHERS, RESULTS_READ, Evening
from companion.club.hall import Hall
from companion.club.ledger import Ledger
from companion.config.sections import ClubOptions
from companion.core.place import HOUSE
from companion.core.signal import ASKED
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.table.club_desk import NOTES
from tests.club.evenings_of_robots import GAME, plan
from tests.club_line import line_of, linked
from tests.host_bench import Bench

PATIENCE_S = 20
BOMB_BYTES = 200_000_000
BUFFERED_BYTES = 32_000_000


def announced(topic: bytes, size: int) -> bytes:
    """Return the header of a message of `size` bytes."""
    digits = bytes((size >> 7 * place) & 127 | (128 if place < 3 else 0) for place in range(4))
    return b"\x30" + digits + len(topic).to_bytes(2, "big") + topic


def test_huge_message_is_refused_before_it_is_read() -> None:
    sent_bytes, over = 0, threading.Event()

    def swell(line: socket.socket) -> None:
        nonlocal sent_bytes
        line.recv(4096)
        line.sendall(LET_IN + announced(b"companion/window/do/message", BOMB_BYTES))
        with suppress(OSError):
            while sent_bytes < BOMB_BYTES:
                sent_bytes += line.send(bytes(1 << 16))
        over.set()

    with bad_broker(swell) as port:
        tried = Broker(Connection("127.0.0.1", port), wanted=("companion/window/do/message",))
        tried.start()
        assert over.wait(PATIENCE_S)
        tried.stop()
    assert sent_bytes < BUFFERED_BYTES


# --- The wall ---------------------------------------------------------------------------------------------


def view_of(name: str) -> dict[str, Any]:
    game = load(name)
    match = new_match(game, NAMES[: max(game.rules.SEATS)], seed="1")
    found: dict[str, Any] = json.loads(json.dumps(views.as_json(match.view())))
    return found


def bombs(found: Any) -> Iterator[Any]:
    """Yield copies of a part of a view with one oversized number or list."""
    if type(found) is int:
        yield from (10**30, -(10**30), 10_000)
    if isinstance(found, list):
        yield (found or [0]) * 10_000
        for place, part in enumerate(found):
            yield from ([*found[:place], bomb, *found[place + 1 :]] for bomb in bombs(part))


@pytest.mark.parametrize("name", all_games())
def test_view_with_oversized_values_is_refused(name: str) -> None:
    game, found = load(name), view_of(name)
    tried = 0
    for key in found.keys() - {"rulings"}:
        for bomb in bombs(found[key]):
            with pytest.raises(ValueError, match=r"more than a view has|this is no"):
                views.read(game, found | {key: bomb})
            tried += 1
    assert tried > 50


def test_wall_survives_a_view_that_exhausts_memory() -> None:
    hall, game = Hall(all_games(), "Club"), load("de_et_boulanger")
    match = new_match(game, NAMES[:2], seed="1")
    told = dict(topics.state("m", match, match.state, (), (), since_s=0).message)
    view = view_of("de_et_boulanger")
    told["view"] = view | {"loads": [[10**30] * len(load_) for load_ in view["loads"]]}
    with pytest.raises(topics.NO_MESSAGE):
        hall.take("window", topics.STATE, topics.payload(told), 0)
    assert not hall.wall(0).boards


# --- A table ----------------------------------------------------------------------------------------------


def test_endless_messages_do_not_pile_up(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with linked(tmp_path, accept=("message",)) as club:
        bench, line = Bench(tmp_path, club=club), line_of(club)
        for number in range(100):
            line.say("do/message", {"v": 1, "text": f"sentence {number}"})
            bench.hand(HOUSE, ASKED, source="club")
        assert len(bench.host.frames.overlays._lying) <= NOTES + 2
        assert bench.poster.lines == (f"sentence {NOTES - 1}",)
    assert "the newest is left out" in caplog.text


# --- A tournament -----------------------------------------------------------------------------------------


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with Ledger.create(tmp_path / "autumn.club", plan(4, 3, 2, sizes=(2,))) as ledger:
        yield Evening(ledger, ClubOptions(broker="127.0.0.1"), "autumn")


def forged(*matches: str) -> bytes:
    one = {"game": GAME, "players": ["Player 1", "Player 2"], "ranking": [[1], [2]]}
    return topics.payload({"results": [one | {"match": match} for match in matches]})


def test_forged_results_of_one_table_are_bounded(evening: Evening) -> None:
    for number in range(3 * RESULTS_READ):
        evening._hear("companion/t1/results", forged(f"a {number}", f"b {number}"))
        list(evening.go_on(0.0))
    assert len(evening._results["t1"]) == RESULTS_READ


def test_forged_tables_do_not_displace_real_ones(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    for number in range(2_000):
        evening._hear(f"companion/nobody-{number}/results", forged("m"))
    evening._hear("companion/t1/results", forged("real"))
    for _ in range(2 * OTHERS):
        list(evening.go_on(0.0))
    assert "real" in evening._results["t1"]
    assert len(evening._results) == OTHERS + 1
    assert f"more than {OTHERS} other tables" in caplog.text


def test_forged_result_with_long_words_is_refused(evening: Evening) -> None:
    evening._hear("companion/t1/results", forged("m" * 60_000))
    list(evening.go_on(0.0))
    assert evening._results["t1"] == {}
