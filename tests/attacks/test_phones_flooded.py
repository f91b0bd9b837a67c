"""Races at wired buzzers while a crowd floods the page of the table: judged, in bounded memory, and nothing leaks.

Three phones sit where nobody plays, press 30 times a second, and say thousands of malformed messages between that;
47 more press without a seat; 200 connections never finish a request.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from test_flooded import FLOOD_S, GROWTH_BYTES, resident_bytes, table_at

from benchmarks.phone_crowd import HALF_OPEN
from benchmarks.phone_floods import PLACES, Crowd, crowded, opens
from companion.devices.phones.phones import Phones
from companion.devices.phones.server import Server

MALFORMED = 10_000
LONGEST_S = 60

pytestmark = pytest.mark.usefixtures("sooner")


def in_use(server: Server) -> tuple[int, int, int]:
    """Return how many threads and descriptors this process has, and how many tasks the server."""
    asked = asyncio.run_coroutine_threadsafe(_tasks(), server._loop)
    return threading.active_count(), len([*Path("/proc/self/fd").iterdir()]), asked.result(LONGEST_S)


async def _tasks() -> int:
    return len(asyncio.all_tasks())


def settles(server: Server, at_most: tuple[int, int, int]) -> bool:
    """Tell whether no more is in use than was before; what is just being closed is waited for."""
    until = time.monotonic() + LONGEST_S
    while any(now > before for now, before in zip(in_use(server), at_most, strict=True)):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.soak
def test_races_are_judged_while_a_crowd_floods_the_page(tmp_path: Path, soak_count: Callable[[int], int]) -> None:
    flood_s = FLOOD_S if soak_count(100) == 100 else 0
    malformed = soak_count(MALFORMED)
    opened: list[Phones] = []
    with table_at(tmp_path, opens(opened)) as table:
        [phones] = opened
        server = phones.server
        assert server
        assert table.race(0) == 0
        before = in_use(server)
        crowd: Crowd
        with crowded(phones, floods=True) as crowd:
            table.until(lambda: len(phones.places) == len(PLACES) and not phones.troubles, "all sit")
            until_s, memory, winner, races = time.monotonic() + flood_s, resident_bytes(), 0, 0
            while races < 2 or time.monotonic() < until_s or crowd.so_far().get("malformed", 0) < malformed:
                winner = 1 - winner
                assert table.race(winner) == winner
                races += 1
                assert phones.troubles == {}, "who sits is heard through it"
            assert resident_bytes() - memory < GROWTH_BYTES
        assert crowd.done["half open"] >= HALF_OPEN
        assert crowd.done["presses of strangers"] > 0
        for place in PLACES:
            phones.give_free(place)
        phones.invite([])
        assert settles(server, before), (in_use(server), before)
