"""Races at wired buzzers stay fair, in bounded memory, while a crowd floods the table's page.

Three phones at empty places press 30 times a second and send thousands of malformed messages; 47 more press without
a seat; 200 connections never finish a request.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.phone_crowd import HALF_OPEN
from benchmarks.phone_floods import PLACES, Crowd, crowded, opens
from companion.core.clock import MonotonicClock
from companion.devices.phones.options import PhoneOptions
from companion.devices.phones.phones import Phones
from companion.devices.phones.server import Server
from tests.attacks.test_flooded import FLOOD_S, GROWTH_BYTES, resident_bytes, table_at
from tests.phone_sim import SimPhone, wait_for

MALFORMED = 10_000
FLOOD = 2_000
LONGEST_S = 60

pytestmark = pytest.mark.usefixtures("sooner")


def in_use(server: Server) -> tuple[int, int, int]:
    """Return the numbers of threads, descriptors and server tasks."""
    asked = asyncio.run_coroutine_threadsafe(_tasks(), server._loop)
    return threading.active_count(), len([*Path("/proc/self/fd").iterdir()]), asked.result(LONGEST_S)


async def _tasks() -> int:
    return len(asyncio.all_tasks())


def settles(server: Server, at_most: tuple[int, int, int]) -> bool:
    """Wait until no more than `at_most` is in use; return whether that came."""
    until = time.monotonic() + LONGEST_S
    while any(now > before for now, before in zip(in_use(server), at_most, strict=True)):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def test_flooding_phone_is_not_read_before_others(monkeypatch: pytest.MonkeyPatch) -> None:
    phones = Phones(PhoneOptions(on=True, port=0, address="127.0.0.1"), lambda _: None, MonotonicClock())
    phones.watch()
    codes = phones.invite(PLACES[:2])
    server = phones.server
    assert server
    with SimPhone(codes[PLACES[0]].address) as bad, SimPhone(codes[PLACES[1]].address) as good:
        wait_for(lambda: len(phones.places) == 2 and not phones.troubles)
        heard: list[bytes] = []
        hear = phones.hear
        monkeypatch.setattr(phones, "hear", lambda talk, said: (heard.append(said), hear(talk, said)))

        async def flood() -> None:
            for _ in range(FLOOD):
                await bad._socket.send_str("flood")

        held, goes_on = threading.Event(), threading.Event()
        server._loop.call_soon_threadsafe(lambda: (held.set(), goes_on.wait(LONGEST_S)))
        assert held.wait(LONGEST_S)  # meanwhile both phones' messages wait for the server
        asyncio.run_coroutine_threadsafe(flood(), bad._loop).result(LONGEST_S)
        good.key("5")
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0.2), good._loop).result(LONGEST_S)
        goes_on.set()
        wait_for(lambda: heard.count(b"flood") == FLOOD and any(b"TCKEY" in said for said in heard))
        before = next(number for number, said in enumerate(heard) if b"TCKEY" in said)
        assert heard[:before].count(b"flood") < FLOOD // 10
    phones.close()


@pytest.mark.soak
def test_races_are_judged_while_a_crowd_floods(tmp_path: Path, soak_count: Callable[[int], int]) -> None:
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
