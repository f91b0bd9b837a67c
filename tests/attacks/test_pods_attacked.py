"""Pods that claim another's identity, an old session or an earlier timestamp."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.clock import MonotonicClock
from companion.core.console import Lamp
from companion.core.inbox import Inbox
from companion.core.signal import LEVEL, Signal
from companion.devices.pods.keys import PodKeys
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods
from companion.devices.pods.proof import PodKey
from tests.devices.pod_pty import WAIT_S, PtyPod

ANNA, BEN = "E66118604B3A5C21", "E66118604B3A0000"
SECRET, OTHER_SECRET = bytes(range(32)), bytes(32)
HAND = ("Your bid", "40 20 10")


class Table:
    """A table with Anna's paired pod and Ben's unpaired one."""

    def __init__(self, folder: Path) -> None:
        self.keys = PodKeys(lambda: folder)
        self.keys.keep(ANNA, PodKey(SECRET))
        self.plugged: list[PtyPod] = []
        self.open()

    def open(self, *, proved_only: bool = False) -> None:
        wiring = PodWiring(seats=(ANNA, BEN), proved_only=proved_only)
        self.signals = Inbox()
        self.pods = Pods(wiring, self.signals.put, MonotonicClock(), find=self._find, keys=self.keys)
        self.pods.show(0, Lamp.ON)
        self.pods.say(0, *HAND)

    def _find(self) -> list[str]:
        return [pod.path for pod in self.plugged]

    def plug(self, identity: str = ANNA, secret: bytes | None = SECRET) -> PtyPod:
        pod = PtyPod(identity, secret=secret)
        self.plugged.append(pod)
        return pod

    def pull(self, pod: PtyPod) -> None:
        self.plugged.remove(pod)
        pod.vanish()

    def until(self, true) -> None:
        """Look for pods, as the watch does each second, until `true()` holds."""
        given_up = time.monotonic() + WAIT_S
        while not true():
            assert time.monotonic() < given_up
            self.pods.look()
            time.sleep(0.005)

    def pressed(self) -> list[Signal]:
        signals = self.signals.waiting()
        for _ in signals:
            self.signals.get(0)
        return [signal for signal in signals if len(signal.control) == 1 or signal.control == "buzz"]

    def close(self) -> None:
        self.pods.close()
        for pod in self.plugged:
            pod.vanish()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("secret", [None, OTHER_SECRET])
def test_impostor_is_ignored_and_named_with_the_remedy(
    table: Table, secret: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    impostor = table.plug(secret=secret)
    impostor.key("7")
    impostor.buzz()
    table.until(lambda: impostor.path in table.pods.silent_ports)
    assert impostor.shows() == (0, ["", ""])
    assert table.pressed() == []
    assert table.pods.seen() == []
    for told in (str(table.pods.troubles[0]), str(table.pods.silent_ports[impostor.path]), caplog.text):
        assert ANNA in told
        assert "cannot prove it" in told
        assert "pair it again: `companion pod pair`" in told
    assert SECRET.hex() not in caplog.text
    table.pull(impostor)
    table.until(lambda: impostor.path not in table.pods.silent_ports)
    assert "it is not plugged in" in str(table.pods.troubles[0])
    anna = table.plug()
    table.until(lambda: 0 not in table.pods.troubles)
    table.until(lambda: anna.shows() == (1, list(HAND)))
    anna.key("5")
    table.until(lambda: any(signal.control == "5" and signal.place == 0 for signal in table.pressed()))


def test_impostor_does_not_replace_the_real_pod(table: Table) -> None:
    anna = table.plug()
    table.until(lambda: 0 not in table.pods.troubles)
    impostor = table.plug(secret=None)
    table.until(lambda: impostor.path in table.pods.silent_ports)
    impostor.key("7")
    anna.key("5")
    heard: list[Signal] = []
    table.until(lambda: heard.extend(table.pressed()) or heard)
    assert {signal.control for signal in heard if LEVEL not in signal.flags} == {"5"}
    assert impostor.shows() == (0, ["", ""])


def test_unpaired_pod_plays_and_is_reported_once(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    ben = table.plug(BEN, secret=None)
    table.until(lambda: 1 not in table.pods.troubles)
    table.pull(ben)
    table.until(lambda: 1 in table.pods.troubles)
    ben = table.plug(BEN, secret=OTHER_SECRET)  # paired with another table
    table.until(lambda: 1 not in table.pods.troubles)
    ben.key("5")
    table.until(table.pressed)
    assert caplog.text.count(f"the pod {BEN} is unproved") == 1
    assert [pod.proved for pod in table.pods.seen()] == [False]


def test_proved_only_refuses_an_unpaired_pod(table: Table) -> None:
    table.pods.close()
    table.open(proved_only=True)
    ben, anna = table.plug(BEN, secret=None), table.plug()
    table.until(lambda: ben.path in table.pods.silent_ports and 0 not in table.pods.troubles)
    assert "companion pod pair" in str(table.pods.troubles[1])
    assert [(pod.identity, pod.proved, pod.path) for pod in table.pods.seen()] == [(ANNA, True, anna.path)]


def test_unreadable_key_never_admits_an_impostor(table: Table, tmp_path: Path) -> None:
    (tmp_path / "pods" / f"{ANNA}.key").write_text("damaged")
    impostor = table.plug(secret=None)
    table.until(lambda: impostor.path in table.pods.silent_ports)
    assert "pair it again" in str(table.pods.troubles[0])
    assert impostor.shows() == (0, ["", ""])
