"""A real broker, three tables and a tournament: every match counts once despite kills."""

import io
import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import PIPE
from typing import Final

import pygame
import pytest

from companion.club.ledger import read
from companion.club.schedule import from_records
from companion.club.tournament import Tournament
from companion.games import all_games
from tests.club.with_mosquitto import mosquitto
from tests.club.with_mosquitto.mosquitto import Mosquitto

TABLES: Final = ("Window", "Door", "Stairs")
PLAYERS: Final = 6
MANY: Final = 24
"""Enough players to outlast ten minutes of kills."""

log = logging.getLogger(__name__)
TESTS: Final = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(mosquitto.PROGRAM is None, reason="mosquitto is not here: apt install mosquitto")


def in_order(counted: Iterable[tuple[str, dict[str, int]]]) -> list[tuple[str, list[tuple[str, int]]]]:
    return sorted((match, sorted(places.items())) for match, places in counted)


class Helper:
    """A process of the evening that can be killed and restarted."""

    def __init__(self, name: str, command: list[str], folder: Path) -> None:
        self.name, self._command, self._folder = name, command, folder
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        if self._process is None or self._process.poll() is not None:
            environ = {
                **os.environ,
                "PYTHONPATH": os.pathsep.join(map(str, (TESTS, TESTS.parent))),
                "SDL_VIDEODRIVER": "dummy",
                "LANGUAGE": "en",
            }
            environ["XDG_DATA_HOME"] = environ["XDG_STATE_HOME"] = str(self._folder)
            with (self._folder / f"{self.name}.log").open("ab") as log:
                self._process = subprocess.Popen(self._command, stdout=log, stderr=log, env=environ)

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop the process with SIGSTOP for the duration."""
        assert self._process
        os.kill(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._process.pid, signal.SIGCONT)


class Room:
    """An evening with a broker, three tables and a tournament."""

    def __init__(self, folder: Path, broker: Mosquitto, players: int, step_s: float) -> None:
        self.folder, self.broker, self.players = folder, broker, players
        os.environ["STEP_S"] = str(step_s)
        self.file = folder / "autumn.club"
        names = folder / "names.txt"
        names.write_text("\n".join(f"Player {n}" for n in range(1, players + 1)))
        companion = [sys.executable, "-m", "companion", "club"]
        options = ["buntherum", "--names", str(names), "--tables", ",".join(TABLES)]
        options += ["--system", "robin", "--seats", "2", "--seed", "evening"]
        subprocess.run([*companion, "new", str(self.file), *options], check=True)
        config = folder / "club.toml"
        config.write_text(broker.section())
        run = [*companion, "run", str(self.file), "--table", str(config)]
        self.evening = Helper("evening", run, folder)
        self.tables = [self._table(name) for name in TABLES]

    def _table(self, name: str) -> Helper:
        folder = self.folder / name
        folder.mkdir()
        section = self.broker.section(table=f'"{name}"', accept='["call"]')
        (folder / "table.toml").write_text(f'{section}[journal]\nfolder = "{folder / "matches"}"\n')
        return Helper(name, [sys.executable, str(Path(__file__).with_name("robot_table.py")), str(folder)], folder)

    @property
    def processes(self) -> list[Helper]:
        return [*self.tables, self.evening]

    @property
    def tournament(self) -> Tournament:
        return read(self.file)

    def wait(self, reached: Callable[[], bool], patience_s: float) -> bool:
        end_s = time.monotonic() + patience_s
        while not reached() and time.monotonic() < end_s:
            time.sleep(0.2)
        return reached()

    def check(self) -> None:
        """Check that each finished match is in the standings once, as its record says."""
        tournament = self.tournament
        played, damaged = from_records([self.folder / name / "matches" for name in TABLES], all_games())
        assert not damaged
        counted = [
            (result.match, dict(zip(each.drawn.groups[group], result.places, strict=True)))
            for each in tournament.rounds
            for group, result in each.results.items()
        ]
        assert in_order(counted) == in_order((each.match, dict(each.places)) for each in played)
        assert all(standing.matches == self.players - 1 for standing in tournament.standings())


@contextmanager
def room(folder: Path, players: int, step_s: float) -> Iterator[Room]:
    with mosquitto.running(folder / "broker") as broker:
        made = Room(folder, broker, players, step_s)
        try:
            yield made
        finally:
            for each in made.processes:
                each.kill()


def test_every_match_counts_once(tmp_path: Path) -> None:
    with room(tmp_path, PLAYERS, 0.002) as evening:
        for each in evening.processes:
            each.begin()
        assert evening.wait(lambda: evening.tournament.over, 120)
        evening.check()
        assert matches_by_the_broker(tmp_path / "club.toml") == PLAYERS * (PLAYERS - 1) // 2


def matches_by_the_broker(config: Path) -> int:
    command = [sys.executable, "-m", "companion", "stats", "--club", str(config), "--json"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return sum(game["matches"] for game in told["games"])


@pytest.mark.soak
def test_every_match_counts_once_despite_kills(tmp_path: Path, soak_count: Callable[[int], int]) -> None:
    seconds = soak_count(600)
    with room(tmp_path, *((MANY, 0.03) if seconds == 600 else (PLAYERS, 0.01))) as evening:
        kills = interrupted(evening, seconds)
        for each in evening.processes:
            each.begin()
        assert evening.wait(lambda: evening.tournament.over, 900), "it does not end"
        evening.check()
        matches = sum(len(each.results) for each in evening.tournament.rounds)
    log.info("%s matches, %s interruptions: %s", matches, sum(kills.values()), dict(kills))


def interrupted(room: Room, seconds: float) -> Counter[str]:
    """Kill or freeze random processes; return how often each."""
    luck, kills, end_s = random.Random("kills"), Counter[str](), time.monotonic() + seconds
    while not room.tournament.over and time.monotonic() < end_s:
        for each in room.processes:
            each.begin()
        time.sleep(luck.uniform(0.5, 4))
        victim = luck.choice([*room.processes, None])
        if victim is None:
            kills["broker"] += 1
            room.broker.kill()
            time.sleep(luck.uniform(0, 3))
            room.broker.start()
        elif luck.random() < 0.5:
            kills[victim.name] += 1
            victim.kill()
        else:
            kills[f"{victim.name} cut off"] += 1
            with victim.frozen():
                time.sleep(luck.uniform(0.5, 3))
    return kills


def test_wall_picture_is_made_while_all_play(tmp_path: Path) -> None:
    picture = tmp_path / "wall.png"
    with room(tmp_path, PLAYERS, 0.01) as evening:
        for each in evening.processes:
            each.begin()
        assert evening.wait(lambda: bool(evening.tournament.rounds), 60)
        command = ["wall", "--table", str(tmp_path / "club.toml"), "--tournament", str(evening.file)]
        made = subprocess.run(
            [sys.executable, "-m", "companion", *command, "--picture", str(picture)],
            env={**os.environ, "SDL_VIDEODRIVER": "dummy", "LANGUAGE": "en"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert (made.returncode, made.stderr) == (0, "")
    surface = pygame.image.load(picture)
    assert surface.get_size() == (1920, 1080)
    assert len({surface.get_at((x, y))[:3] for x in range(0, 1920, 7) for y in range(0, 1080, 7)}) > 100


def test_wall_without_a_broker_explains_the_missing_picture(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(f'[club]\nbroker = "127.0.0.1"\nport = {mosquitto.free_port()}\n')
    made = subprocess.run(
        [sys.executable, "-m", "companion", "wall", "--table", str(tmp_path / "club.toml"), "--picture", "x.png"],
        env={**os.environ, "SDL_VIDEODRIVER": "dummy", "LANGUAGE": "en"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 2
    assert "cannot use the broker: Connection refused" in made.stderr


def test_served_wall_starts_before_its_broker(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(
        f'[club]\nbroker = "127.0.0.1"\nport = {mosquitto.free_port()}\n'
        f'[phones]\naddress = "127.0.0.1"\nport = {mosquitto.free_port()}\n'
    )
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "LANGUAGE": "en", "PYTHONUNBUFFERED": "1"}
    for screen in ("DISPLAY", "WAYLAND_DISPLAY"):
        environment.pop(screen, None)
    command = [sys.executable, "-m", "companion", "wall", "--table", str(tmp_path / "club.toml"), "--serve"]
    with ExitStack() as opened:
        wall = opened.enter_context(subprocess.Popen(command, env=environment, stdout=PIPE, stderr=PIPE, text=True))
        opened.callback(wall.kill)
        assert wall.stdout
        address = wall.stdout.readline().removeprefix("the wall: ").strip()
        with urllib.request.urlopen(address, timeout=20) as page:
            assert b"/table.js" in page.read()
        picture = b""
        while not picture:  # until the first frame is drawn
            with urllib.request.urlopen(address.replace("/table", "/frame.png"), timeout=20) as frame:
                picture = frame.read()
            time.sleep(0.2)  # requests without a pause are refused
        wall.send_signal(signal.SIGINT)
        told = wall.communicate(timeout=20)
    assert pygame.image.load(io.BytesIO(picture)).get_size() == (1920, 1080)
    assert (wall.returncode, told) == (130, ("", "companion: interrupted\n"))
