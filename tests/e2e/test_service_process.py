"""The program under systemd: it reports readiness, feeds the watchdog, and stops in time."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import all_games
from companion.records.history import records
from companion.referee.journal import open_record
from tests.e2e.pc import PATIENCE_S, Screen, eventually, needs_a_screen
from tests.running import COMMAND, companion, environment

pytestmark = needs_a_screen

LATE_S = 10
"""How long the table may take once its screen is switched on."""

STOP_S = 8
"""TimeoutStopSec of the units."""


class Supervised:
    """The program with a fake service manager."""

    def __init__(self, home: Path, *arguments: str, **shown: str) -> None:
        self.home = home
        self.heard: list[str] = []
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(str(home / "notify"))
        self._line.setblocking(False)
        told = {"NOTIFY_SOCKET": str(home / "notify"), "WATCHDOG_USEC": "15000000"}
        self.process = subprocess.Popen([*COMMAND, *arguments], cwd=home, env=environment(home) | shown | told)

    def count(self, state: str) -> int:
        """Return the number of notifications with this state."""
        try:
            while True:
                self.heard.append(self._line.recv(100).decode())
        except BlockingIOError:
            return self.heard.count(state)

    def stop(self) -> float:
        """Send SIGTERM; return the seconds until the exit."""
        began_s = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(STOP_S) == 0
        assert self.count("STOPPING=1")
        return time.monotonic() - began_s

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)
        self._line.close()
        (self.home / "notify").unlink(missing_ok=True)


@pytest.fixture
def run(screen: Screen, tmp_path: Path) -> Iterator[type[Supervised]]:
    made: list[Supervised] = []

    def begin(*arguments: str, **shown: str) -> Supervised:
        shown = shown or {"DISPLAY": screen.display, "SDL_VIDEODRIVER": "x11"}
        made.append(Supervised(tmp_path, *arguments, **shown))
        return made[-1]

    yield begin  # type: ignore[misc]
    for one in made:
        one.close()


@pytest.fixture
def wayland(tmp_path: Path) -> Iterator[dict[str, str]]:
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    shown = {"XDG_RUNTIME_DIR": str(runtime), "WAYLAND_DISPLAY": "table", "SDL_VIDEODRIVER": ""}
    weston = ["weston", "--backend=headless-backend.so", "--use-gl", "--socket=table", "--idle-time=0"]
    log = (tmp_path / "weston.log").open("w")
    with log, subprocess.Popen(weston, env=environment(tmp_path) | shown, stdout=log, stderr=log) as compositor:
        eventually((runtime / "table").exists, "the compositor answers")
        yield shown
        compositor.terminate()


def test_visible_program_reports_ready_and_stops_in_time(run, screen: Screen) -> None:
    dark = screen.still()
    table = run("play", "--virtual")
    eventually(lambda: table.count("READY=1"), "it is ready")
    assert screen.pixels() != dark
    eventually(lambda: table.count("WATCHDOG=1") >= 2, "the watchdog is fed")
    assert table.count("READY=1") == 1
    assert table.stop() < STOP_S


def test_stopped_demo_leaves_an_intact_record(run, tmp_path: Path) -> None:
    table = run("demo")
    matches = tmp_path / "data" / "companion" / "matches"
    eventually(lambda: [path for path in records(matches) if b"\n2. " in path.read_bytes()], "some moves are made")
    table.stop()
    (path,) = records(matches)
    opened = open_record(path, all_games())
    assert opened.damage is None
    assert opened.match.length > 0


def test_safe_mode_reports_ready_and_stops(run) -> None:
    table = run("play", "--safe", "--virtual")
    eventually(lambda: table.count("READY=1"), "it is ready")
    table.stop()


@pytest.mark.skipif(not shutil.which("weston"), reason="needs weston (Debian: apt install weston)")
@pytest.mark.parametrize("arguments", [("play",), ("play", "--safe"), ("play", "--virtual")])
def test_every_window_opens_on_wayland(run, wayland: dict[str, str], tmp_path: Path, arguments) -> None:
    table = tmp_path / "table.toml"
    table.write_text('[buzzers]\nsource = "mock"\n', "utf-8")
    program = run(*arguments, "--table", str(table), **wayland)
    eventually(lambda: program.count("READY=1"), "it can be seen")


def test_safe_mode_starts_the_table_after_recovery(run, screen: Screen, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text("[display]\nturn = 9\n", "utf-8")
    shown = {"DISPLAY": screen.display, "SDL_VIDEODRIVER": "x11", "RUNTIME_DIRECTORY": str(tmp_path)}
    assert companion(tmp_path, "play", "--table", table, **shown).returncode == 2
    safe = run("play", "--safe", "--table", str(table), **shown)
    eventually(lambda: safe.count("READY=1"), "it is ready")
    table.write_text('[buzzers]\nsource = "mock"\n', "utf-8")
    eventually((tmp_path / "again").exists, "the table is asked for")


def test_table_starts_within_ten_seconds_of_its_screen(run, tmp_path: Path) -> None:
    """Nobody presses a key, and the safe mode does not cover the screen."""
    (tmp_path / "table.toml").write_text('[buzzers]\nsource = "mock"\n', "utf-8")
    shown = {"DISPLAY": f":{os.getpid()}", "SDL_VIDEODRIVER": "x11", "RUNTIME_DIRECTORY": str(tmp_path)}
    words = ("--table", str(tmp_path / "table.toml"))
    assert companion(tmp_path, "play", *words, **shown).returncode == 2
    safe = run("play", "--safe", *words, **shown)
    eventually(lambda: safe.count("READY=1"), "it waits for the screen")
    eventually(lambda: safe.count("WATCHDOG=1"), "it is alive")
    assert not (tmp_path / "again").exists()

    screen = Screen(tmp_path, display=shown["DISPLAY"])
    began_s = time.monotonic()
    assert safe.process.wait(LATE_S) == 0
    assert (tmp_path / "again").exists()
    safe.close()
    table = run("play", *words, **shown)
    eventually(lambda: table.count("READY=1"), "it can be seen")
    assert time.monotonic() - began_s < LATE_S
    table.stop()
    screen.close()
