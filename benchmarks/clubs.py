"""Measures 200 tables and a wall at one broker: delays of verdicts, and the cost of broker and wall.

`python -m benchmarks.clubs`, with Debian's mosquitto.
"""

import json
import multiprocessing
import os
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Final

import pygame

from companion.club import topics
from companion.club.broker import Broker, Connection, Sent
from companion.club.hall import Hall
from companion.core.console import Call
from companion.core.place import Place
from companion.display import screens
from companion.display.canvas import Canvas
from companion.display.frame import Frame
from companion.games import all_games, load
from companion.match.new_match import NAMES, new_match
from companion.referee.events import Verdict
from companion.table.wall_app import MOST_PER_S, looks

TABLES: Final = 200
PROCESSES: Final = 4
SECONDS: Final = 60
WARM_S: Final = 8
SIZE: Final = (1920, 1080)


def messages(number: int) -> tuple[dict[str, object], dict[str, object]]:
    game = load(list(all_games())[number % 4])
    seats = min(game.rules.SEATS)
    match = new_match(game, NAMES[:seats], seed=str(number))
    places = [Place(place) for place in range(seats)]
    state = topics.state("m", match, match.state, places, (0,), since_s=0).message
    found = Verdict((1,), 4_300_000, 0, (Call(1, 7, 150_000), Call(0, 4_300_007, 150_000)))
    return state, topics.verdict("m", 1, match.names, ["#ffffff"] * seats, found).message


def tables(port: int, first: int, count: int, end_s: float) -> None:
    """Simulate tables until `end_s` of the monotonic clock."""
    lines = []
    for number in range(first, first + count):
        line = Broker(Connection("127.0.0.1", port))
        line.start()
        lines.append((f"companion/t{number:03}", line, *messages(number)))
        name = topics.payload({"online": True, "name": f"Table {number}"})
        line.put(Sent(f"companion/t{number:03}/online", name, kept=True))
    turn = 0
    while (now_s := time.monotonic()) < end_s:
        turn += 1
        for place, (topic, line, state, verdict) in enumerate(lines):
            time.sleep(max(0.0, now_s + place / count - time.monotonic()))
            line.put(Sent(f"{topic}/state", topics.payload(state | {"moves": turn}), kept=True))
            told = verdict | {"step": turn, "at_ns": time.monotonic_ns()}
            line.put(Sent(f"{topic}/verdict", topics.payload(told)))
        time.sleep(max(0.0, now_s + 1 - time.monotonic()))


def cpu_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def run() -> None:
    from tests.club.with_mosquitto import mosquitto  # noqa: PLC0415  it lies beside the tests

    os.environ["SDL_VIDEODRIVER"] = "dummy"
    with tempfile.TemporaryDirectory() as folder:
        broker = mosquitto.Mosquitto(Path(folder), tls=False)
        config = Path(folder) / "mosquitto.conf"
        config.write_text(config.read_text().replace("allow_anonymous false", "allow_anonymous true"))
        broker.start()
        end_s = time.monotonic() + WARM_S + SECONDS
        each = TABLES // PROCESSES
        processes = [
            multiprocessing.Process(target=tables, args=(broker.port, number * each, each, end_s))
            for number in range(PROCESSES)
        ]
        for process in processes:
            process.start()
        print(json.dumps(watched(broker.port, broker.pid, end_s), indent=1))
        for process in processes:
            process.join()
        broker.kill()


def watched(port: int, pid: int, end_s: float) -> dict[str, Any]:
    """Simulate the wall until `end_s`; return the figures."""
    late_ms: list[float] = []
    drawn_ms: list[float] = []
    heard: list[tuple[str, str, bytes]] = []
    hall, surface = Hall(all_games(), "Club"), pygame.Surface(SIZE, 0, 32)

    def hear(topic: str, data: bytes) -> None:
        _, table, kind = topic.split("/")
        if kind == topics.VERDICT:
            late_ms.append((time.monotonic_ns() - json.loads(data)["at_ns"]) / 1e6)
        heard.append((table, kind, data))

    wanted = ("companion/+/online", "companion/+/state", "companion/+/verdict")
    line = Broker(Connection("127.0.0.1", port), wanted=wanted, hear=hear, most_per_s=MOST_PER_S)
    line.start()
    time.sleep(WARM_S)
    late_ms.clear()
    began_s, broker_s, wall_s = time.monotonic(), cpu_s(pid), cpu_s(os.getpid())
    for _ in looks(threading.Event()):
        if time.monotonic() >= end_s:
            break
        now_ns = time.monotonic_ns()
        for _ in range(len(heard)):
            hall.take(*heard.pop(0), now_ns)
        at_s = time.monotonic()
        screens.draw(Canvas(surface, noted=False), Frame(1, hall.wall(now_ns), ()))
        drawn_ms.append((time.monotonic() - at_s) * 1e3)
    took_s = time.monotonic() - began_s
    broker_s, wall_s = cpu_s(pid) - broker_s, cpu_s(os.getpid()) - wall_s
    line.stop()
    late_ms.sort()
    drawn_ms.sort()
    return {
        "verdicts heard": len(late_ms),
        "of": TABLES * SECONDS,
        "late, median and p99 and worst, ms": [
            round(each, 1) for each in (statistics.median(late_ms), late_ms[len(late_ms) * 99 // 100], late_ms[-1])
        ],
        "broker, share of a processor": round(broker_s / took_s, 3),
        "wall, share of a processor": round(wall_s / took_s, 3),
        "pictures a second": round(len(drawn_ms) / took_s, 1),
        "a picture, median and p99, ms": [
            round(each, 1) for each in (statistics.median(drawn_ms), drawn_ms[len(drawn_ms) * 99 // 100])
        ],
    }


if __name__ == "__main__":
    run()
