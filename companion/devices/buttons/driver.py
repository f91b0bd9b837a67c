"""The driver of buttons that Linux shows as input devices."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from companion.core.clock import Clock
from companion.core.errors import CompanionError
from companion.core.place import Place
from companion.core.text import Text, msg, shortest
from companion.devices.buttons import button_of
from companion.devices.buttons.buttons import Buttons, buttons_here, controls_of
from companion.devices.buttons.lights import light_of, no_light
from companion.devices.buttons.options import ButtonWiring, is_handset, split
from companion.devices.driver import Deliver, Device, Driver, Sections
from companion.devices.findings import Finding, Machine, Severity, join
from companion.devices.inputs.found import SYSFS, Here
from companion.devices.inputs.reader import get_evdev, uncertainty_ns
from companion.devices.inputs.watched import find_input
from companion.devices.pairing import START_TO_ASK


def look(
    wiring: ButtonWiring, machine: Machine, opened: Buttons | None = None, sysfs: Path = SYSFS
) -> Iterator[Finding]:
    """Check the library, and each button and lamp."""
    if not (wiring.bound or wiring.ask):
        return
    why = machine.why_not_imported("evdev")
    if why:
        found = msg("buttons cannot be read: {why}", why=why)
        yield Finding(Text("[buttons] evdev"), Severity.BAD, found, msg("{get}", get=get_evdev()))
    if not wiring.bound:
        plugged = ", ".join(map(str, buttons_here(sysfs))) or msg("none")
        found = msg("no button has an owner yet; plugged in: {found}", found=plugged)
        yield Finding(Text("[buttons]"), Severity.WEAK, found, START_TO_ASK)
    for place, name in wiring.bound.items():
        try:
            here = find_input(split(name)[0], button_of(place), "buttons", buttons_here(sysfs))
            controls_of(here, split(name)[1], place)
        except CompanionError as error:
            remedy = msg("Plug it in, or choose Buttons in the table's menu: it asks whose each is")
            yield Finding(_seat(place), Severity.BAD, error.text, remedy)
            continue
        yield _button(place, here, machine, opened)
        if is_handset(name):
            yield _lamp(place, light_of(sysfs, here, split(name)[1]), machine)


def _seat(place: Place) -> Text:
    return msg("[buttons] seat {n}", n=place + 1)


def _button(place: Place, here: Here, machine: Machine, opened: Buttons | None) -> Finding:
    if not machine.may_use(here.path):
        found = msg("{pad}: no permission to use {path}", pad=here, path=here.path)
        return Finding(_seat(place), Severity.BAD, found, join("input"))
    interval = opened.interval_of(place) if opened else None
    found = msg("{button}; how often it reports is measured while the table runs", button=here)
    if interval and interval.measured:
        found = msg(
            "{button} reports every {interval} ms; each press is accurate to {ms} ms",
            button=here,
            interval=shortest(interval.ns / 1e6),
            ms=shortest(uncertainty_ns(interval.ns) / 1e6),
        )
    return Finding(_seat(place), Severity.OK, found)


def _lamp(place: Place, light: Path | None, machine: Machine) -> Finding:
    name = msg("[buttons] lamp of seat {n}", n=place + 1)
    if light is None:
        found = msg("the kernel shows no lamp: its module hid-sony is missing")
        return Finding(name, Severity.WEAK, found, msg("Play without it, or use a kernel that has the module"))
    if not machine.may_use(light):
        remedy = msg("Copy systemd/60-companion.rules into /etc/udev/rules.d, then plug it in again")
        return Finding(name, Severity.WEAK, no_light(light, msg("no permission")), remedy)
    return Finding(name, Severity.OK, Text(light.parent.name))


def _open(wiring: Sections, deliver: Deliver, clock: Clock) -> Iterable[Device]:
    buttons = wiring.of(ButtonWiring)
    if buttons.bound or buttons.ask:
        yield Buttons(buttons, deliver, clock)


def _look(wiring: Sections, machine: Machine, opened: Sequence[Device]) -> Iterable[Finding]:
    buttons = next((device for device in opened if isinstance(device, Buttons)), None)
    return look(wiring.of(ButtonWiring), machine, buttons)


DRIVER: Final = Driver("buttons", {"buttons": ButtonWiring}, _open, _look)
