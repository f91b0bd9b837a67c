"""The example driver outside the package, docs/examples/udp_buzzer, is found and plays a match."""

import socket
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.config.sections import JournalOptions
from companion.config.table_file import TableConfig, default_config, parse_config
from companion.core.clock import MonotonicClock
from companion.core.console import BUZZ
from companion.core.errors import OptionError
from companion.core.inbox import Inbox
from companion.core.plugins import PLUGINS
from companion.core.signal import USER_CLOCK, Signal
from companion.devices.driver import Driver
from companion.devices.drivers import GROUP, OURS, all_drivers
from companion.devices.errors import DeviceError
from companion.devices.findings import Machine, Severity
from companion.devices.hardware import Hardware
from companion.diagnostics.doctor import devices
from companion.display.frame import Result
from companion.games import all_games
from tests.host_bench import Bench, FakeClock

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "udp_buzzer"
PATIENCE_S = 30
MS = 1_000_000
SEATS = (1, 2, 3)

NO_LINES = """
[buzzers]
pins = []
[lamps]
pins = []
siren = -1
[house]
ok = -1
undo = -1
pause = -1
skip = -1
"""


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, points: dict[str, str]) -> None:
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{point} = {value}\n" for point, value in points.items()]
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{''.join(lines)}")
    monkeypatch.syspath_prepend(str(folder))
    all_drivers.cache_clear()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages that are removed after the test."""
    folder = tmp_path / "site"
    folder.mkdir()
    yield folder
    monkeypatch.undo()
    all_drivers.cache_clear()


@pytest.fixture
def driver(site: Path, monkeypatch: pytest.MonkeyPatch) -> Driver:
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    install(site, monkeypatch, project["name"], project["entry-points"][GROUP])
    monkeypatch.syspath_prepend(str(EXAMPLE))
    return all_drivers()[-1]


@pytest.fixture
def port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def read(text: str) -> TableConfig:
    return parse_config(text, "table.toml", all_games())


def table_toml(port: int) -> str:
    return f"{NO_LINES}[udp]\nport = {port}\nseats = {list(SEATS)}\n"


class Players:
    """Programs that send datagrams for the seats."""

    def __init__(self, port: int) -> None:
        self._to = ("127.0.0.1", port)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def send(self, words: str) -> None:
        self._socket.sendto(words.encode(), self._to)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def players(port: int) -> Iterator[Players]:
    players = Players(port)
    yield players
    players.close()


# --- Found ------------------------------------------------------------------------------------------------


def test_driver_is_found_with_its_config_section(driver: Driver, port: int) -> None:
    assert driver.name == "udp_buzzer"
    assert "\n[udp]\n# the UDP port that is listened to; 0: none (a whole number from 0 to 65535)\n#port = 0\n" in (
        default_config(all_games())
    )
    buzzers = read(table_toml(port)).wiring.buzzers
    assert sorted(buzzers) == [0, 1, 2]
    assert len({str(part.where) for part in buzzers.values()}) == 3, "the doctor tells them apart"
    with pytest.raises(OptionError, match="unknown option 'prot'; did you mean 'port'"):
        read("[udp]\nprot = 1")
    with pytest.raises(OptionError, match=r"table.toml: \[udp\]: seats: allowed: seats 1 to 5, each once"):
        read("[udp]\nseats = [1, 1]")


def test_package_contains_the_driver() -> None:
    pyproject = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))
    [point] = pyproject["project"]["entry-points"][GROUP].values()
    module = f"{point.partition(':')[0]}.py"
    assert pyproject["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"] == [module]
    assert (EXAMPLE / module).is_file()


def test_section_is_unknown_without_the_driver() -> None:
    with pytest.raises(OptionError, match="unknown section 'udp'"):
        read("[udp]\nport = 1")


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("", "No module named 'broken_driver'"),
        ("DRIVER = 7", "it is no Driver but 7"),
        ("import nothing_like_it", "No module named 'nothing_like_it'"),
        (
            "from companion.devices.driver import Driver\nDRIVER = Driver('other', {}, lambda *_: ())",
            "it calls itself 'other'",
        ),
        (
            "from companion.devices.lines import LampWiring\nfrom companion.devices.driver import Driver\n"
            "DRIVER = Driver('bad', {'lamps': LampWiring}, lambda *_: ())",
            "the section [lamps] is that of the driver 'lines'",
        ),
        (
            "from companion.devices.driver import Driver\nDRIVER = Driver('bad', {'x': dict}, lambda *_: ())",
            "the options of [x] are no dataclass of DeviceOptions",
        ),
        (
            "from dataclasses import dataclass\n"
            "from companion.devices.driver import DeviceOptions, Driver\n"
            "@dataclass(frozen=True)\nclass PadOptions(DeviceOptions):\n    port: str = ''\n"
            "DRIVER = Driver('bad', {'x': PadOptions}, lambda *_: ())",
            "PadOptions.port is not declared by option()",
        ),
    ],
)
def test_unusable_driver_is_named(site: Path, monkeypatch: pytest.MonkeyPatch, module: str, why: str) -> None:
    if module:
        (site / "broken_driver.py").write_text(module)
    monkeypatch.delitem(__import__("sys").modules, "broken_driver", raising=False)
    install(site, monkeypatch, "broken", {"bad": "broken_driver:DRIVER"})
    assert all_drivers() == OURS
    [told] = PLUGINS.refused
    assert str(told) == f"the driver bad = broken_driver:DRIVER (broken 1.0) cannot be used: {why}"
    monkeypatch.delitem(__import__("sys").modules, "broken_driver", raising=False)


# --- The port ---------------------------------------------------------------------------------------------


def test_port_in_use_is_an_error_with_remedy(driver: Driver, port: int) -> None:
    wiring = read(table_toml(port)).wiring
    said = f"[udp] port {port}: another program listens there. End it, or name another port"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", port))
        with pytest.raises(DeviceError) as told:
            Hardware(wiring, Inbox(), MonotonicClock())
        assert str(told.value) == said
        [finding] = driver.look(wiring, Machine(), ())
        assert (finding.severity, str(finding.found)) == (Severity.BAD, said)
    found = {str(finding.name): finding for finding in devices(wiring, Machine(), all_drivers())}
    assert found["UDP buzzers"].severity is Severity.OK
    assert str(found["UDP buzzers"].found) == f"port {port}; each press is right to 2 ms"


def test_press_lies_within_its_uncertainty(driver: Driver, port: int, players: Players) -> None:
    inbox, clock = Inbox(), MonotonicClock()
    with Hardware(read(table_toml(port)).wiring, inbox, clock) as table:
        assert (table.places, table.settle_ns) == ((0, 1, 2), 4 * MS)
        for words in ("nonsense", "9 down", "2", "2 sideways"):
            players.send(words)
        before_ns = clock.now_ns()
        players.send("2 down")
        after_ns = clock.now_ns()
        signal = inbox.get(PATIENCE_S)
        assert signal
        assert (signal.source, signal.place, signal.control, signal.pressed) == ("udp", 1, BUZZ, True)
        assert signal.t_ns + signal.uncertainty_ns >= before_ns
        assert signal.t_ns - signal.uncertainty_ns <= after_ns
        assert signal.uncertainty_ns >= 2 * MS
        assert USER_CLOCK in signal.flags or signal.uncertainty_ns < 4 * MS
        assert inbox.waiting() == []


def test_wall_clock_jump_keeps_the_press_within_uncertainty(
    driver: Driver, port: int, players: Players, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox, clock = Inbox(), MonotonicClock()
    with Hardware(read(table_toml(port)).wiring, inbox, clock):
        wall_ns = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: wall_ns() + 3_600_000_000_000)
        before_ns = clock.now_ns()
        players.send("1 down")
        signal = inbox.get(PATIENCE_S)
        assert signal
        assert signal.flags == (USER_CLOCK,)
        assert signal.t_ns - signal.uncertainty_ns <= before_ns <= signal.t_ns + signal.uncertainty_ns


def test_flush_returns_datagrams_waiting_at_the_port(driver: Driver, port: int, players: Players) -> None:
    inbox = Inbox()
    with Hardware(read(table_toml(port)).wiring, inbox, MonotonicClock()) as table:
        players.send("3 down")
        assert [(signal.place, signal.pressed) for signal in table.flush(0)] == [(2, True)]


# --- A match ----------------------------------------------------------------------------------------------


class UdpBench(Bench):
    """A host whose buzzers are datagrams; digits are pressed as usual."""

    def __init__(self, folder: Path, port: int, players: Players) -> None:
        self.inbox, self.players, clock = Inbox(), players, FakeClock()
        config = read(f"[journal]\nfolder = {str(folder)!r}\n{table_toml(port)}")
        assert config.journal == JournalOptions(str(folder))
        self.hardware = Hardware(config.wiring, self.inbox, clock)
        super().__init__(folder, config=config, clock=clock, hardware=self.hardware)

    def sent(self, place: int, act: str) -> None:
        self.players.send(f"{place + 1} {act}")
        signal = self.inbox.get(PATIENCE_S)
        assert isinstance(signal, Signal)
        self.host.signal(signal)
        self._flip()

    def press(self, place: int, *controls: str) -> None:
        for control in controls:
            if control != BUZZ:
                super().press(place, control)
                continue
            self.sent(place, "down")
            self.wait(0.08)
            self.sent(place, "up")
            self.wait(0.12)


@pytest.fixture
def bench(tmp_path: Path, driver: Driver, port: int, players: Players, fixed_secrets: Any) -> Iterator[UdpBench]:
    bench = UdpBench(tmp_path / "matches", port, players)
    yield bench
    bench.host.close()
    bench.hardware.close()


def test_whole_match_is_played_by_datagrams(bench: UdpBench) -> None:
    bench.play()
    calls = 0
    while not isinstance(bench.screen, Result):
        if bench.open():
            bench.wait(0.5)
            bench.call(calls % 3, bench.fitting()[0])
            calls += 1
        else:
            bench.wait(0.5)
    match = bench.match
    assert match.outcome
    callers = [move.args[0] for move in match.moves if move.verb == "call"]
    assert callers == [call % 3 for call in range(calls)]
    assert calls > 5


def test_earlier_datagram_wins_the_call(bench: UdpBench) -> None:
    bench.play()
    bench.wait(1)
    bench.sent(2, "down")
    bench.clock.t_ns += 9 * MS
    bench.sent(0, "down")
    bench.wait(0.3)
    assert bench.view.caller == 2
