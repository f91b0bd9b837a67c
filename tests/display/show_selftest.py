"""Frames of the self-test and the doctor's findings."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from companion.config.settings import Settings
from companion.config.table_file import TableConfig
from companion.core.console import BUZZ
from companion.core.place import HOUSE
from companion.core.signal import Signal
from companion.core.text import Text, msg
from companion.devices.findings import Finding, Severity
from companion.devices.keypads.usb_pads import PadWiring
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.wiring import Wiring
from companion.display.frame import Frame
from companion.screens.doctor_at_table import told
from companion.screens.self_test import SelfTestBoard
from tests.display.gallery import Table

SEATS: Final = (2, 5)

MS: Final = 1_000_000

WIRING: Final = Wiring(
    BuzzerWiring(pins=(17, 27, 22)),
    LampWiring(pins=(5, 6)),
    HouseWiring(ok=16, undo=20, pause=21, skip=26, right=NOT_WIRED),
    PadWiring(seats=("usb-1", "usb-2"), house="usb-3"),
)

TROUBLES: Final = {
    1: msg(
        (
            "the buzzer of seat {n} chatters: a wire is loose, or the pull resistor is missing. See `companion "
            "doctor`"
        ),
        n=2,
    ),
    2: msg("the buzzer of seat {n} stays pressed: release it, or see `companion doctor`", n=3),
}

FOUND: Final = (
    Finding(
        msg("[buzzers] seat {n}", n=3),
        Severity.BAD,
        msg("line {pin}: {label} has only the lines 0 to {most}", pin=99, label="pinctrl-rp1", most=53),
        msg("Correct the number, or [buzzers] chip, in table.toml"),
    ),
    Finding(
        msg("permission"),
        Severity.BAD,
        msg("{path} belongs to the group {group}", path="/dev/gpiochip0", group="root"),
        msg(
            "Give the chips to a group gpio: sudo groupadd -f --system gpio, write "
            'SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660" into /etc/udev/rules.d/60-gpio.rules, '
            "sudo usermod -aG gpio {user}, and start the machine again",
            user="anna",
        ),
    ),
    Finding(
        Text("lgpio"),
        Severity.WEAK,
        msg(
            "reads the buzzers; timestamps by {stamp}, accurate to {ms} ms",
            stamp=msg("the kernel, in the interrupt; reported late"),
            ms="0.5",
        ),
        msg(
            "Better: {found}; {remedy}",
            found=msg("{module} is not installed", module="gpiod"),
            remedy="pip install",
        ),
    ),
    Finding(msg("clock"), Severity.OK, msg("CLOCK_MONOTONIC runs, in steps of {ns} ns", ns=1)),
    Finding(msg("sound"), Severity.OK, msg("volume {n} of 10", n=7)),
    Finding(Text("[lamps] siren"), Severity.SKIPPED, msg("not wired")),
)

CAPTIONS: Final = {
    "fresh": "A virtual table: the rim shows what a frame would cover.",
    "half": "Some buzzers and keys were tried; a held one lights its strip and lamp.",
    "broken": "A wired table: two of three buzzers are broken, and timestamps could be better.",
    "doctor": "The doctor's findings at this table.",
    "doctor2": "The second page of the findings.",
}


def self_test(folder: Path) -> Table:
    return Table(folder).press("menu").menu("Self-test")


def still(frame: Frame) -> Frame:
    screen: Any = frame.screen
    return frame._replace(screen=screen._replace(wall=re.sub(r"\d\d:\d\d:\d\d", "14:05:09", screen.wall)))


def wired(table: Table) -> SelfTestBoard:
    services = table.host.services
    hardware = SimpleNamespace(
        troubles=TROUBLES,
        notice=msg("The buzzers are read by {name}, which tells presses {ms} ms apart", name="rpigpio", ms=5),
        of=lambda kind: SimpleNamespace(source="rpigpio"),
        show=lambda place, lamp: None,
        flush=lambda now_ns: (),
    )
    settings = Settings(TableConfig(wiring=WIRING), services.player)
    visit = SelfTestBoard(replace(services, settings=settings, hardware=hardware))
    for pressed, at_ms in ((True, 0), (False, 4), (True, 9), (False, 13), (True, 14)):
        t_ns = table.clock.now_ns() + at_ms * MS
        visit.hear(Signal("rpigpio", 0, BUZZ, t_ns, 2 * MS, t_ns + 700_000, pressed))
    visit.press(0, BUZZ)
    for place, key in ((0, "7"), (0, "8"), (HOUSE, "4"), (HOUSE, "*")):
        now_ns = table.clock.now_ns()
        visit.hear(Signal("pad", place, key, now_ns, 5 * MS, now_ns))
        visit.press(place, key)
    now_ns = table.clock.now_ns()
    visit.hear(Signal("house", HOUSE, "ok", now_ns, 0, now_ns))
    visit.press(HOUSE, "ok")
    table.wait(100 * MS)
    return visit


def frames(folder: Path, seats: int) -> dict[str, Frame]:
    """The five places do not depend on `seats`."""
    table = self_test(folder)
    shown = {"fresh": still(table.frame)}
    for key in "123A5":
        table.press(key, place=1)
    for key in "0123456789ABCD*#":
        table.press(key, place=0)
    table.press("ok", "undo")
    table.press("fault bounce", place=2)
    table.press(BUZZ, place=0).press(BUZZ, BUZZ, place=2).wait(100 * MS)
    table.hold(BUZZ, place=3)
    shown["half"] = still(table.frame)
    visit = wired(table)
    frame = table.frame._replace(screen=visit.screen(), sides=visit.sides())
    shown["broken"] = still(frame)
    read = visit._read
    found = visit._findings(0)._replace(title=read(msg("The doctor's findings")), rows=told(FOUND, read))
    shown["doctor"] = frame._replace(screen=found)
    shown["doctor2"] = frame._replace(screen=found._replace(page=1))
    return shown
