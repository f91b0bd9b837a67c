"""What is plugged in of the number pads and pods of a table: a list of findings, each failure with its remedy.

They need no chip: a table may have nothing else.
"""

import grp
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from companion.core.clock import MonotonicClock
from companion.core.errors import CompanionError
from companion.core.inbox import Inbox
from companion.core.move import TABLE
from companion.core.text import Text, msg
from companion.devices.checks import Finding, Machine, Verdict, join_group
from companion.devices.keypads.here import find_pad
from companion.devices.keypads.troubles import keypad_of
from companion.devices.keypads.usb_pads import GET_EVDEV, uncertainty_ns
from companion.devices.pods.link import VERSION
from companion.devices.pods.pods import Pods, Seen
from companion.devices.pods.port import ports_with_boards
from companion.devices.wiring import PodWiring, Wiring

GREET_S: Final = 3.5
"""By then every pod has greeted, or its port was given up."""


class PodsHere(Protocol):
    """The pods that answer, as `Pods` has them."""

    def seen(self) -> Sequence[Seen]:
        """Return the pods that answer."""

    def unbound(self) -> Sequence[Seen]:
        """Return those of them that have no seat."""

    @property
    def troubles(self) -> Mapping[int, Text]:
        """Which pods of seats do not answer, and why, by place."""

    @property
    def silent_ports(self) -> Mapping[str, Text]:
        """Why ports are not used, by path."""


@contextmanager
def greeted(wiring: PodWiring) -> Iterator[Pods]:
    """Open the pods of a table, and give each the time to answer."""
    with Pods(wiring, Inbox(), MonotonicClock()) as pods:
        pods.watch()
        time.sleep(GREET_S)
        yield pods


@dataclass(frozen=True)
class Sockets:
    """Where and how is looked for what is plugged in; the tests let it look elsewhere."""

    sysfs: Path = Path("/sys/class/input")
    ports: Callable[[], Sequence[str]] = ports_with_boards
    pods: Callable[[PodWiring], AbstractContextManager[PodsHere]] = greeted


def look(wiring: Wiring, machine: Machine, sockets: Sockets) -> Iterator[Finding]:
    """Look at the number pads and pods of a table, and at pods that have no seat yet."""
    yield from pads(wiring.pads.bound, machine, sockets.sysfs)
    yield from pods(wiring.pods, machine, sockets)


# --- Number pads ------------------------------------------------------------------------------------------


def pads(bound: Mapping[int, str], machine: Machine, sysfs: Path) -> Iterator[Finding]:
    """Check that each number pad is plugged in and may be read, and that there is a library that reads it."""
    if not bound:
        return
    why = machine.why_not_imported("evdev")
    if why:
        found = msg("number pads cannot be read: {why}", why=why)
        yield Finding(Text("evdev"), Verdict.BAD, found, msg("{get}", get=GET_EVDEV))
    for place, name in bound.items():
        yield _pad(place, name, machine, sysfs)


def _pad(place: int, bound: str, machine: Machine, sysfs: Path) -> Finding:
    name = Text("[pads] house") if place == TABLE else msg("[pads] seat {n}", n=place + 1)
    try:
        pad = find_pad(bound, keypad_of(place), sysfs)
    except CompanionError as error:
        remedy = msg("docs/keypads.md tells how pads are named: grep . /sys/class/input/event*/device/phys")
        return Finding(name, Verdict.BAD, error.text, remedy)
    if not machine.may_use(pad.path):
        found = msg("{pad}: you may not use {path}", pad=pad, path=pad.path)
        return Finding(name, Verdict.BAD, found, _join("input"))
    ms = f"{uncertainty_ns(pad.interval_ns) / 1e6:g}"
    return Finding(name, Verdict.OK, msg("{pad}; each key is right to {ms} ms", pad=pad, ms=ms))


# --- Pods -------------------------------------------------------------------------------------------------


def pods(wiring: PodWiring, machine: Machine, sockets: Sockets) -> Iterator[Finding]:
    """Check each seat's pod, then name pods without a seat and ports at which none answers."""
    why = machine.why_not_imported("serial")
    if why:
        found = msg("pods cannot be read: {why}", why=why)
        yield Finding(Text("pyserial"), Verdict.BAD, found, msg("pip install pyserial"))
        return
    ports = tuple(dict.fromkeys((*wiring.ports, *sockets.ports())))
    closed = [path for path in ports if Path(path).exists() and not machine.may_use(Path(path))]
    for path in closed:
        yield Finding(Text(path), Verdict.BAD, msg("you may not use this port"), _join("dialout"))
    if not ports:
        for place, identity in enumerate(wiring.seats):
            if identity:
                yield _missing(place, msg("the pod {identity}: it is not plugged in", identity=identity))
        return
    with sockets.pods(wiring) as here:
        yield from _seats(here)
        yield from _without_seat(here)
        for path, silence in here.silent_ports.items():
            if path not in closed:
                yield _silent(path, silence)


def _seats(here: PodsHere) -> Iterator[Finding]:
    found = {
        pod.place: Finding(_seat(pod.place), Verdict.OK, _told(pod)) for pod in here.seen() if pod.place is not None
    }
    missing = {place: _missing(place, why) for place, why in here.troubles.items() if place not in found}
    for _, finding in sorted({**missing, **found}.items()):
        yield finding


def _seat(place: int) -> Text:
    return msg("[pods] seat {n}", n=place + 1)


def _told(pod: Seen) -> Text:
    return msg(
        "{identity} at {path}, firmware {firmware}, protocol {version}",
        identity=pod.identity,
        path=pod.path,
        firmware=pod.firmware,
        version=VERSION,
    )


def _missing(place: int, why: Text) -> Finding:
    remedy = msg(
        "Plug it in by a cable that carries data; `companion pod list` shows what answers, and [pods] seats who is "
        "waited for"
    )
    return Finding(_seat(place), Verdict.BAD, why, remedy)


def _without_seat(here: PodsHere) -> Iterator[Finding]:
    for pod in here.unbound():
        remedy = msg("Start `companion play --table table.toml`: it asks whose it is")
        yield Finding(
            msg("pod {identity}", identity=pod.identity),
            Verdict.WEAK,
            msg("{pod}; it has no seat", pod=_told(pod)),
            remedy,
        )


def _silent(path: str, why: Text) -> Finding:
    if Path(path).exists():
        remedy = msg("If it is a pod: companion pod flash {path}; if not, leave it alone", path=path)
    else:
        remedy = msg("Plug it in, or take it out of [pods] ports")
    return Finding(Text(path), Verdict.WEAK, why, remedy)


# --- Permission -------------------------------------------------------------------------------------------


def _join(group: str) -> Text:
    """Return how this user comes into the group that such device files belong to."""
    try:
        members = grp.getgrnam(group).gr_mem
    except KeyError:
        members = []
    return join_group(group, members)
