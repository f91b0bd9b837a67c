"""Tests the messages to the service manager, and the watchdog."""

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.clock import MonotonicClock
from companion.core.heartbeat import Heartbeat
from companion.core.inbox import Inbox
from companion.core.signal import Signal
from companion.devices.buzzers.gpiod_lines import GpiodLines
from companion.devices.inputs import watched
from companion.devices.keypads.usb_pads import UsbPads
from companion.devices.lines import BuzzerWiring
from companion.diagnostics.service import POWER_OFF, START_AGAIN, Service, ServiceError, Watchdog
from companion.referee.serving import STOP, run_live
from tests.devices.pad_fakes import here
from tests.gpio_fakes import PATIENCE_S, FakeClock, FakeLines

S = 1_000_000_000
INTERVAL_S = 15


class Manager:
    def __init__(self, address: str) -> None:
        self.line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.line.bind(address)
        self.line.setblocking(False)

    def heard(self) -> list[str]:
        told = []
        try:
            while True:
                told.append(self.line.recv(1000).decode())
        except BlockingIOError:
            return told


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(str(tmp_path / "notify"))
    yield made
    made.line.close()


def environ(tmp_path: Path, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": str(INTERVAL_S * 1_000_000), **more}


@pytest.fixture
def service(tmp_path: Path, manager: Manager) -> Service:
    return Service(environ(tmp_path))


# --- Messages ---------------------------------------------------------------------------------------------


def test_ready_is_reported_once_and_stopping_once(service: Service, manager: Manager) -> None:
    service.ready()
    service.ready()
    service.stopping()
    assert manager.heard() == ["READY=1", "STOPPING=1"]


def test_abstract_socket_address_works() -> None:
    manager = Manager("\0companion-test-notify")
    Service({"NOTIFY_SOCKET": "@companion-test-notify"}).ready()
    assert manager.heard() == ["READY=1"]
    manager.line.close()


def test_no_service_manager_needs_no_messages() -> None:
    service = Service({})
    service.ready()
    assert (service.is_there, service.watchdog_ns) == (False, 0)
    Watchdog(service, lambda: pytest.fail("nobody asks")).look(S)


def test_watchdog_of_another_process_is_ignored(tmp_path: Path) -> None:
    assert Service(environ(tmp_path, WATCHDOG_PID="1")).watchdog_ns == 0


def test_root_actions_are_requested_by_files(tmp_path: Path) -> None:
    service = Service(environ(tmp_path, RUNTIME_DIRECTORY=str(tmp_path)))
    service.ask(POWER_OFF)
    service.ask(START_AGAIN)
    assert {path.name for path in tmp_path.iterdir()} >= {"poweroff", "again"}


@pytest.mark.parametrize("folder", ["", "/nowhere"])
def test_impossible_request_is_an_error(tmp_path: Path, folder: str) -> None:
    with pytest.raises(ServiceError, match="The system could not be asked"):
        Service(environ(tmp_path, RUNTIME_DIRECTORY=folder)).ask(POWER_OFF)


# --- The watchdog -----------------------------------------------------------------------------------------


def fed(watchdog: Watchdog, manager: Manager, from_s: float, to_s: float, each: Callable[[], None]) -> int:
    """Let time pass; return how many times the watchdog was fed."""
    meals = 0
    for tenth in range(round(from_s * 10), round(to_s * 10)):
        each()
        watchdog.look(tenth * S // 10)
        meals += manager.heard().count("WATCHDOG=1")  # the kernel queues only ten
    return meals


def test_watchdog_is_fed_well_within_its_interval(service: Service, manager: Manager) -> None:
    heartbeats = [Heartbeat("host"), Heartbeat("buzzers")]
    watchdog = Watchdog(service, lambda: heartbeats)

    def beat() -> None:
        for heartbeat in heartbeats:
            heartbeat.beat()

    assert fed(watchdog, manager, 0, 60, beat) >= 60 / (INTERVAL_S / 3)


@pytest.mark.logs_errors
@pytest.mark.parametrize("dead", ["host", "buzzers", "usb keypads"])
def test_silent_thread_starves_watchdog_and_is_named(
    service: Service, manager: Manager, dead: str, caplog: pytest.LogCaptureFixture
) -> None:
    heartbeats = [Heartbeat(name) for name in ("host", "buzzers", "usb keypads")]
    watchdog = Watchdog(service, lambda: heartbeats)

    def beat() -> None:
        for heartbeat in heartbeats:
            if heartbeat.name != dead:
                heartbeat.beat()

    fed(watchdog, manager, 0, 5, beat)
    assert fed(watchdog, manager, 5, 40, beat) == 0
    assert [record.getMessage() for record in caplog.records] == [
        f"no sign of life of {dead}: the table will be started again"
    ]


def test_hanging_display_starves_the_watchdog(service: Service, manager: Manager) -> None:
    heartbeat = Heartbeat("host")
    watchdog = Watchdog(service, lambda: [heartbeat])
    watchdog.look(0)
    manager.heard()
    heartbeat.beat()  # other threads live, but nobody looks
    assert manager.heard() == []


def test_unplugged_device_is_not_awaited(service: Service, manager: Manager) -> None:
    host, pod = Heartbeat("host"), Heartbeat("pod at /dev/ttyACM0")
    plugged = [host, pod]
    watchdog = Watchdog(service, lambda: plugged)
    fed(watchdog, manager, 0, 2, host.beat)
    assert fed(watchdog, manager, 2, 5, host.beat) == 0
    plugged.remove(pod)
    assert fed(watchdog, manager, 5, 8, host.beat) >= 2


def test_each_beat_counts_for_one_feeding(service: Service, manager: Manager) -> None:
    heartbeat = Heartbeat("host")
    watchdog = Watchdog(service, lambda: [heartbeat])
    watchdog.look(0)
    assert manager.heard() == ["WATCHDOG=1"]
    watchdog.look(S)
    watchdog.look(2 * S)
    assert manager.heard() == []


# --- Heartbeats -------------------------------------------------------------------------------------------


def beats(heartbeat: Heartbeat) -> bool:
    """Return whether a heartbeat beats within the timeout."""
    waiting = threading.Event()
    heartbeat.beaten()
    return any(heartbeat.beaten() or waiting.wait(0.01) for _ in range(round(PATIENCE_S / 0.01)))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let idle threads beat often."""
    for module in ("companion.referee.serving", "companion.devices.buzzers.gpiod_lines"):
        monkeypatch.setattr(f"{module}.BEAT_S", 0.01)
    monkeypatch.setattr(watched, "BEAT_MS", 10)
    monkeypatch.setattr(watched, "LOOK_MS", 10)


class Idle:
    """A host that hangs at a signal until released."""

    deadline_ns = None

    def __init__(self) -> None:
        self.hangs, self.let_go = threading.Event(), threading.Event()

    def tick(self, now_ns: int) -> None:
        pytest.fail("nothing is due")

    def signal(self, signal: object) -> None:
        self.hangs.set()
        assert self.let_go.wait(PATIENCE_S)


@pytest.mark.usefixtures("quick")
def test_host_beats_unless_it_hangs() -> None:
    host, inbox, heartbeat = Idle(), Inbox(), Heartbeat("host")
    thread = threading.Thread(target=run_live, args=(host, inbox, MonotonicClock(), heartbeat.beat))
    thread.start()
    assert beats(heartbeat)
    inbox.put(Signal("pod", 0, "buzz", 0, 0, 0))
    assert host.hangs.wait(PATIENCE_S)
    heartbeat.beaten()
    assert not heartbeat.beaten()
    host.let_go.set()
    inbox.put(STOP)
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


@pytest.mark.usefixtures("quick")
def test_buzzers_beat_until_their_thread_ends() -> None:
    lines, errors = FakeLines(), []
    source = GpiodLines(lines, BuzzerWiring(pins=(17,)), lambda edge: None, errors.append)
    (heartbeat,) = source.heartbeats
    assert beats(heartbeat)
    source.close()
    heartbeat.beaten()
    assert not heartbeat.beaten()
    assert errors == []


class Broken(UsbPads):
    fails = 1

    def serve(self, timeout_ms: int | None = None) -> None:
        if self.fails:
            self.fails -= 1
            raise ZeroDivisionError
        super().serve(timeout_ms)


@pytest.mark.logs_errors
@pytest.mark.usefixtures("quick")
def test_number_pads_survive_an_unexpected_error(caplog: pytest.LogCaptureFixture) -> None:
    told = []
    back = threading.Event()

    def deliver(signal: object) -> None:
        told.append(signal.control)  # type: ignore[attr-defined]
        if told[-1] == "plug":
            back.set()

    pad = FakePad()
    pads = Broken(
        {0: "left"}, deliver, FakeClock(), list_inputs=lambda: [here(1, "left")], open_device=lambda _: pad
    )
    (heartbeat,) = pads.heartbeats
    pads.watch()
    assert back.wait(PATIENCE_S)
    assert beats(heartbeat)
    pads.close()
    pad.own.close()
    pad.other.close()
    assert told == ["unplug", "plug"]
    assert "keypad of seat 1" in caplog.text
    caplog.clear()


class FakePad:
    interval_ns = 8_000_000

    def __init__(self) -> None:
        self.own, self.other = socket.socketpair()

    def fileno(self) -> int:
        return self.own.fileno()

    def read(self) -> list[object]:
        raise BlockingIOError

    def active_keys(self) -> list[int]:
        return []

    def grab(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Stay open, to be found again."""
