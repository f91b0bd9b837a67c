"""Tests the guided check with pods behind pseudo-terminals."""

import threading

from companion.core.clock import MonotonicClock
from companion.core.inbox import Inbox
from companion.devices.findings import Severity
from companion.devices.hardware import Hardware
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.pods.options import PodWiring
from companion.devices.wiring import Wiring
from companion.diagnostics.guided_check import Walk
from companion.display.frame import Poster
from companion.referee.serving import STOP, run_live
from tests.devices.pod_pty import PtyPod

IDENTITIES = ("E66118604B3A5C21", "E66118604B3A0000")


def test_guided_check_passes_at_a_table_of_pods() -> None:
    pods = [PtyPod(identity) for identity in IDENTITIES]
    wiring = Wiring(
        BuzzerWiring(pins=()),
        LampWiring(pins=(), siren=NOT_WIRED),
        HouseWiring(*[NOT_WIRED] * 7),
        PodWiring(seats=IDENTITIES, ports=tuple(pod.path for pod in pods)),
    )
    inbox, clock = Inbox(), MonotonicClock()

    def say(poster: Poster, place: int | None) -> None:
        if place is None:
            return
        if "keypad" in poster.title:
            pods[place].key("5")
        elif "buzzer" in poster.title:
            pods[place].buzz(1)
            threading.Timer(0.06, pods[place].buzz, (0,)).start()

    with Hardware(wiring, inbox, clock) as hardware:
        walk = Walk(wiring, hardware, say, lambda: inbox.put(STOP))
        walk.start(clock.now_ns())
        run_live(walk, inbox, clock)
    for pod in pods:
        pod.vanish()
    assert [str(finding.name) for finding in walk.findings] == [
        f"{device} of seat {seat}" for device in ("buzzer", "lamp", "the keypad") for seat in (1, 2)
    ]
    assert [finding for finding in walk.findings if finding.severity is not Severity.OK] == []
