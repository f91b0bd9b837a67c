"""The driver of USB number pads."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from companion.core.clock import Clock
from companion.core.errors import CompanionError
from companion.core.place import HOUSE, Place
from companion.core.text import Text, msg, shortest
from companion.devices.driver import Deliver, Device, Driver, Sections
from companion.devices.findings import Finding, Machine, Severity, join
from companion.devices.inputs.found import SYSFS
from companion.devices.inputs.reader import get_evdev, uncertainty_ns
from companion.devices.inputs.watched import find_input, same_device
from companion.devices.keypads import keypad_of
from companion.devices.keypads.pad_keys import pads_here
from companion.devices.keypads.usb_pads import PadWiring, UsbPads
from companion.devices.pairing import START_TO_ASK


def look(wiring: PadWiring, machine: Machine, sysfs: Path = SYSFS) -> Iterator[Finding]:
    """Check the library and each pad."""
    bound = wiring.bound
    if not (bound or wiring.ask):
        return
    why = machine.why_not_imported("evdev")
    if why:
        found = msg("number pads cannot be read: {why}", why=why)
        yield Finding(Text("evdev"), Severity.BAD, found, msg("{get}", get=get_evdev()))
    if not bound:
        here = ", ".join(map(str, pads_here(sysfs))) or msg("none")
        found = msg("no pad has an owner yet; plugged in: {found}", found=here)
        yield Finding(Text("[pads]"), Severity.WEAK, found, START_TO_ASK)
    taken: dict[Path, Place] = {}
    for place in bound:
        yield _pad(place, wiring, machine, sysfs, taken)


def _pad(place: Place, wiring: PadWiring, machine: Machine, sysfs: Path, taken: dict[Path, Place]) -> Finding:
    name = Text("[pads] house") if place == HOUSE else msg("[pads] seat {n}", n=place + 1)
    how = msg("docs/keypads.md says how to name pads: grep . /sys/class/input/event*/device/phys")
    if wiring.ask:
        how = msg("Plug it into its socket, or choose Number pads in the table's menu")
    try:
        pad = find_input(wiring.bound[place], keypad_of(place), "pads", pads_here(sysfs))
    except CompanionError as error:
        return Finding(name, Severity.BAD, error.text, how)
    other = taken.setdefault(pad.path, place)
    if other != place:
        return Finding(name, Severity.BAD, same_device(pad, keypad_of(other), keypad_of(place), "pads"), how)
    if not machine.may_use(pad.path):
        found = msg("{pad}: no permission to use {path}", pad=pad, path=pad.path)
        return Finding(name, Severity.BAD, found, join("input"))
    ms = shortest(uncertainty_ns(pad.interval_ns) / 1e6)
    return Finding(name, Severity.OK, msg("{pad}; each key is accurate to {ms} ms", pad=pad, ms=ms))


def _open(wiring: Sections, deliver: Deliver, clock: Clock) -> Iterable[Device]:
    pads = wiring.of(PadWiring)
    if pads.bound or pads.ask:
        yield UsbPads(pads.bound, deliver, clock, ask=pads.ask)


def _look(wiring: Sections, machine: Machine, opened: Sequence[Device]) -> Iterable[Finding]:
    return look(wiring.of(PadWiring), machine)


DRIVER: Final = Driver("pads", {"pads": PadWiring}, _open, _look)
