"""The driver of pods."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Final

from companion.core.clock import Clock, MonotonicClock
from companion.core.install import install_command
from companion.core.place import Place
from companion.core.text import Text, msg
from companion.devices.driver import Deliver, Device, Driver, Sections
from companion.devices.findings import Finding, Machine, Severity, join
from companion.devices.pairing import START_TO_ASK
from companion.devices.pods.options import PodWiring
from companion.devices.pods.pods import Pods, Seen
from companion.devices.pods.port import ports_with_boards

GREET_S: Final = 3.5
"""Time in which every pod answers."""


@contextmanager
def greeted(wiring: PodWiring) -> Iterator[Pods]:
    """Open the pods of a table and wait for their answers."""
    with Pods(wiring, lambda _: None, MonotonicClock()) as pods:
        pods.watch()
        time.sleep(GREET_S)
        yield pods


def look(
    wiring: PodWiring,
    machine: Machine,
    ports_here: Callable[[], Sequence[str]] = ports_with_boards,
    greet: Callable[[PodWiring], AbstractContextManager[Pods]] = greeted,
) -> Iterator[Finding]:
    """Check each seat's pod, then pods without a seat and silent ports."""
    why = machine.why_not_imported("serial")
    if why:
        found = msg("pods cannot be read: {why}", why=why)
        yield Finding(Text("pyserial"), Severity.BAD, found, Text(install_command()))
        return
    ports = tuple(dict.fromkeys((*wiring.ports, *ports_here())))
    closed = [path for path in ports if Path(path).exists() and not machine.may_use(Path(path))]
    for path in closed:
        yield Finding(Text(path), Severity.BAD, msg("no permission to use this port"), join("dialout"))
    if not ports:
        for place, identity in wiring.identities.items():
            yield _missing(place, msg("the pod {identity}: it is not plugged in", identity=identity))
        return
    with greet(wiring) as here:
        yield from _seats(here)
        yield from _without_seat(here)
        for path, silence in here.silent_ports.items():
            if path not in closed:
                yield _silent(path, silence)


def _seats(here: Pods) -> Iterator[Finding]:
    found = {
        pod.place: Finding(_seat(pod.place), Severity.OK, _told(pod))
        for pod in here.seen()
        if pod.place is not None
    }
    missing = {place: _missing(place, why) for place, why in here.troubles.items() if place not in found}
    for _, finding in sorted({**missing, **found}.items()):
        yield finding


def _seat(place: Place) -> Text:
    return msg("[pods] seat {n}", n=place + 1)


def _told(pod: Seen) -> Text:
    told = msg(
        "{identity} at {path}, firmware {firmware}",
        identity=pod.identity,
        path=pod.path,
        firmware=pod.firmware,
    )
    return told if pod.proved else msg("{pod}, not paired", pod=told)


def _missing(place: Place, why: Text) -> Finding:
    remedy = msg(
        "Plug it in with a cable that carries data; `companion pod list` shows the pods found, and [pods] seats "
        "those expected"
    )
    return Finding(_seat(place), Severity.BAD, why, remedy)


def _without_seat(here: Pods) -> Iterator[Finding]:
    for pod in here.unbound():
        yield Finding(
            msg("pod {identity}", identity=pod.identity),
            Severity.WEAK,
            msg("{pod}; without a seat", pod=_told(pod)),
            START_TO_ASK,
        )


def _silent(path: str, why: Text) -> Finding:
    if Path(path).exists():
        remedy = msg("If it is a pod: companion pod flash {path}; if not, leave it alone", path=path)
    else:
        remedy = msg("Plug it in, or remove it from [pods] ports")
    return Finding(Text(path), Severity.WEAK, why, remedy)


def _open(wiring: Sections, deliver: Deliver, clock: Clock) -> Iterable[Device]:
    yield Pods(wiring.of(PodWiring), deliver, clock)  # even without seats: a new pod may be plugged in


def _look(wiring: Sections, machine: Machine, opened: Sequence[Device]) -> Iterable[Finding]:
    pods = next((device for device in opened if isinstance(device, Pods)), None)
    return look(wiring.of(PodWiring), machine, greet=(lambda _: nullcontext(pods)) if pods else greeted)


DRIVER: Final = Driver("pods", {"pods": PodWiring}, _open, _look)
