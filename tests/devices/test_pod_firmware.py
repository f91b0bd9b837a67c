"""The firmware of pods behind pseudo-terminals is replaced by mpremote itself."""

import io
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from serial.tools import list_ports

from companion.cli import pods as pods_command
from companion.cli.status import DONE, FAILED
from companion.core.clock import MonotonicClock
from companion.core.inbox import Inbox
from companion.devices.errors import DeviceError
from companion.devices.pods import driver, firmware, port
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods
from companion.devices.pods.port import BOARDS
from tests.devices.pod_board import BoardPod, firmware_of
from tests.devices.pod_pty import WAIT_S, PtyPod
from tests.devices.pod_sim import FIRMWARE

NOW = firmware.firmware_version()
IDENTITIES = tuple(f"E66118604B3A00{seat}0" for seat in range(1, 5))

Plug = Callable[..., PtyPod]


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plug]:
    """Return what plugs in a pod with a firmware of a version."""
    plugged: list[PtyPod] = []
    vendor, product = next(iter(BOARDS))

    def plug(version: str, *, identity: str = IDENTITIES[0], usb: bool = True, **options: Any) -> PtyPod:
        kind: Any = partial(_board, version, options)
        pod = PtyPod(identity, kind=kind)
        pod.usb = usb  # type: ignore[attr-defined]
        plugged.append(pod)
        return pod

    def ports() -> list[Any]:
        return [SimpleNamespace(device=pod.path, vid=vendor, pid=product) for pod in plugged if pod.usb]  # type: ignore[attr-defined]

    monkeypatch.setattr(list_ports, "comports", ports)
    monkeypatch.setattr(port, "may_have_boards", lambda: True)
    monkeypatch.setattr(firmware, "GONE_S", 0)  # the port of a pseudo-terminal stays
    monkeypatch.setattr(driver, "GREET_S", 1.5)
    yield plug
    for pod in plugged:
        pod.vanish()


def _board(version: str, options: dict[str, Any], identity: str, secret: None = None) -> BoardPod:
    return BoardPod(identity, firmware_of(version), **options)


@pytest.fixture
def few_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the time for the files that do not matter here."""
    files = [FIRMWARE / name for name in ("pins.py", "pod.py", "main.py")]
    monkeypatch.setattr(firmware, "firmware_files", lambda: files)


def until(true: Callable[[], Any]) -> None:
    """Wait until something is true; each look lets other threads run."""
    given_up = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < given_up
        time.sleep(0.001)


def flash_all() -> tuple[int, list[str]]:
    out = io.StringIO()
    return pods_command.flash_all(PodWiring(), out), out.getvalue().splitlines()


def test_update_keeps_pins_and_key(plug: Plug) -> None:
    pod = plug("1.9")
    firmware.update(pod.path)
    ours = {file.name: file.read_bytes() for file in FIRMWARE.glob("*.py")}
    kept = {name: data for name, data in firmware_of("1.9").items() if name != "pod.py"}
    assert pod.pod.flash == {**ours, **kept}
    assert list(pod.pod.flash)[-1] == "main.py"


@pytest.mark.usefixtures("few_files")
def test_flash_all_updates_each_outdated_pod(plug: Plug) -> None:
    old = plug("1.9", identity=IDENTITIES[0])
    plug(NOW, identity=IDENTITIES[1], safe_mode=True)
    new = plug(NOW, identity=IDENTITIES[2])
    status, said = flash_all()
    assert status == DONE
    assert said == [
        f"1 of 2: {IDENTITIES[0]}  firmware 1.9  {old.path}  no seat  not paired: `companion pod pair`",
        f"2 of 2: the pod {IDENTITIES[1]} is in safe mode, since it crashed three times. Update it: Update pods in "
        "the menu, or `companion pod flash --all`",
        f"Firmware {NOW}: 2 updated, 0 failed, 1 had it already",
    ]
    assert "main.py" not in new.pod.flash
    assert flash_all() == (DONE, [f"Firmware {NOW}: 0 updated, 0 failed, 3 had it already"])


@pytest.mark.usefixtures("few_files")
def test_flash_all_continues_after_a_failure(plug: Plug) -> None:
    full = plug("1.9", identity=IDENTITIES[0], full=True)
    plug("1.9", identity=IDENTITIES[1])
    status, said = flash_all()
    assert status == FAILED
    assert any(line.startswith(f"{full.path}: mpremote: ") for line in said)
    assert said[-1] == f"Firmware {NOW}: 1 updated, 1 failed, 0 had it already"


@pytest.mark.usefixtures("few_files")
def test_running_table_updates_its_pod(plug: Plug) -> None:
    pod = plug("1.9")
    with Pods(PodWiring(seats=(pod.pod.identity,)), Inbox().put, MonotonicClock()) as pods:
        pods.watch()
        until(lambda: pods.outdated(NOW))
        with pods.lent(pod.path):
            firmware.update(pod.path)
        until(lambda: not pods.troubles)
        assert pods.outdated(NOW) == []


def test_flash_all_leaves_other_boards_alone(plug: Plug) -> None:
    other = plug("acme 7", usb=False)
    out = io.StringIO()
    assert pods_command.flash_all(PodWiring(ports=(other.path,)), out) == DONE
    assert out.getvalue() == f"Firmware {NOW}: 0 updated, 0 failed, 0 had it already\n"


def test_update_of_a_missing_port_names_it() -> None:
    with pytest.raises(DeviceError, match="/dev/no-such-port: "):
        firmware.update("/dev/no-such-port")
