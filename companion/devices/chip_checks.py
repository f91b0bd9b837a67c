"""The doctor's findings about the GPIO chip, its libraries and its lines."""

import getpass
import grp
import importlib.util
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.core.install import install_command, replace_command
from companion.core.text import Text, msg, reason, shortest
from companion.devices import chips
from companion.devices.buzzers.choice import KINDS, Kind, choose
from companion.devices.chips import Chip
from companion.devices.driver import Sections
from companion.devices.errors import DeviceError, Problem
from companion.devices.findings import PI_GPIO, SHIM, Finding, Machine, Severity, join
from companion.devices.lgpio_library import get_lgpio
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring

LEAST_LGPIO: Final = "0.2.2.0"
"""Without a wheel, pip installs version 0.0.0.2, which is empty."""


def look(wiring: Sections, machine: Machine, *, holds_lines: bool = False) -> Iterator[Finding]:
    """Yield findings in the order in which to fix them. `holds_lines`: the table's own lines are open."""
    if not wiring.lines:
        yield Finding(msg("chip"), Severity.SKIPPED, msg("not needed: table.toml wires nothing to a chip"))
        yield from not_wired(wiring)
        return
    if wiring.of(BuzzerWiring).source == "mock":
        yield from sources(wiring, None, machine)
        return
    chip, found = chips_here(wiring.of(BuzzerWiring).chip, machine)
    yield from found
    allowed = chip is not None and machine.may_use(chip.path)
    if chip:
        yield permission(chip.path, allowed)
    yield from sources(wiring, chip, machine)
    yield from wired_lines(wiring, chip if allowed else None, machine, holds_lines=holds_lines)
    yield from not_wired(wiring)


# --- The chip ---------------------------------------------------------------------------------------------


def chips_here(label: str, machine: Machine) -> tuple[Chip | None, list[Finding]]:
    files = chips.chip_files(machine.dev)
    if not files:
        remedy = msg("Run it on a Raspberry Pi; on this machine play with `companion play --virtual`")
        return None, [Finding(msg("chip"), Severity.BAD, msg("there is no GPIO chip on this machine"), remedy)]
    listed, labels = [], []
    for path in files:
        try:
            chip = chips.read_chip(path)
        except OSError as error:
            found = msg("cannot be read: {why}", why=reason(error))
            listed.append(Finding(Text(path.name), Severity.WEAK, found, _joining(path)))
            continue
        labels.append(chip.label)
        found = msg("{label}, {n} line", "{label}, {n} lines", label=chip.label, n=chip.lines)
        listed.append(Finding(Text(path.name), Severity.OK, found))
    used, finding = _chip_to_use(label, labels, machine.dev)
    return used, [*listed, finding]


def _chip_to_use(label: str, labels: list[str], dev: Path) -> tuple[Chip | None, Finding]:
    try:
        chip = chips.find_chip(label, dev)
    except DeviceError as error:
        if labels:
            named = ", ".join(labels)
            remedy = msg("In table.toml, [buzzers], set chip to one of: {named}; empty: a Pi's own", named=named)
        else:
            remedy = msg("Fix the read errors of the chips above")
        return None, Finding(msg("chip"), Severity.BAD, error.text, remedy)
    why = msg("chosen in table.toml") if label else msg("the one behind a Raspberry Pi's header")
    number = chip.path.name
    return chip, Finding(msg("chip"), Severity.OK, msg("{number} is used: {why}", number=number, why=why))


def permission(path: Path, allowed: bool) -> Finding:
    found = msg("{path} belongs to the group {group}", path=path, group=_group_name(path.stat().st_gid))
    if allowed:
        return Finding(msg("permission"), Severity.OK, found)
    return Finding(
        msg("permission"), Severity.BAD, msg("{found}; no permission to use it", found=found), _joining(path)
    )


def _joining(path: Path) -> Text:
    number = path.stat().st_gid
    if number == 0:
        return msg(
            "Give the chips to a group gpio: sudo groupadd -f --system gpio, write "
            'SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660" into /etc/udev/rules.d/60-gpio.rules, '
            "sudo usermod -aG gpio {user}, and start the machine again",
            user=getpass.getuser(),
        )
    return join(_group_name(number))


def _group_name(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


# --- The source of the buzzers ----------------------------------------------------------------------------


def sources(wiring: Sections, chip: Chip | None, machine: Machine) -> Iterator[Finding]:
    asked = wiring.of(BuzzerWiring).source
    try:
        chosen, _ = choose(asked)
    except (DeviceError, ImportError) as error:
        chosen = None
        found = error.text if isinstance(error, DeviceError) else msg("{why}", why=error)
        yield Finding(
            msg("source"), Severity.BAD, found, msg("Install what is missing, or set [buzzers] source to auto")
        )
    better: Problem | None = None
    for kind in KINDS.values():
        if kind.name == "mock" and chosen is not kind:
            continue
        problem = _problem(kind, chip, machine, needed=kind is chosen or _moves_pins(kind, chosen))
        if kind is chosen:
            yield _used(kind, problem, better if asked == "auto" else None)
        elif chosen and _moves_pins(kind, chosen):
            yield _moving(kind, problem)
        else:
            found = msg("not used; {why}", why=problem.found) if problem else msg("not used; also available")
            yield Finding(Text(kind.name), Severity.SKIPPED, found)
        better = better or problem


def _moves_pins(kind: Kind, chosen: Kind | None) -> bool:
    """Return True if `kind` drives lamps and house buttons while `chosen` reads the buzzers."""
    return chosen is not None and chosen.name == "gpiod" and kind.name == "lgpio"


def _used(kind: Kind, problem: Problem | None, better: Problem | None) -> Finding:
    if problem:
        return Finding(Text(kind.name), Severity.BAD, problem.found, problem.remedy)
    ms = shortest(kind.uncertainty_ns / 1e6)
    found = msg("reads the buzzers; timestamps by {stamp}, accurate to {ms} ms", stamp=kind.stamped_by, ms=ms)
    if kind.name == "gpiod":
        return Finding(Text(kind.name), Severity.OK, found)
    remedy = msg("Set [buzzers] source to auto, which picks the best")
    if better:
        remedy = msg("Better: {found}; {remedy}", found=better.found, remedy=better.remedy)
    return Finding(Text(kind.name), Severity.WEAK, found, remedy)


def _moving(kind: Kind, problem: Problem | None) -> Finding:
    if problem:
        found = msg("lamps and house buttons need it; {why}", why=problem.found)
        return Finding(Text(kind.name), Severity.BAD, found, problem.remedy)
    return Finding(Text(kind.name), Severity.OK, msg("controls lamps, siren and house buttons"))


def _problem(kind: Kind, chip: Chip | None, machine: Machine, *, needed: bool) -> Problem | None:
    """Return why a kind cannot be used. It is imported only if `needed`."""
    missing = _missing(kind)
    if missing:
        return Problem(missing, msg("{get}", get=kind.get()))
    special = {"lgpio": _lgpio_problem, "rpigpio": _rpigpio_problem}.get(kind.name)
    problem = special(chip, machine) if special else None
    if problem or not needed:
        return problem
    module = _imported_as(kind)
    why = machine.why_not_imported(module)
    if not why:
        return None
    found = msg("{module} is installed but does not start: {why}", module=module, why=why)
    return Problem(found, msg("Reinstall it: {get}", get=kind.get()))


def _imported_as(kind: Kind) -> str:
    return PI_GPIO if kind.name == "rpigpio" else kind.module  # `module` is only its parent package


def _missing(kind: Kind) -> Text | None:
    if importlib.util.find_spec(kind.module) is None:
        return msg("{module} is not installed", module=_imported_as(kind))
    try:
        return msg("{module} is too old", module=kind.module) if kind.missing() else None
    except ImportError:
        return None  # importing it will say why


def _lgpio_problem(chip: Chip | None, machine: Machine) -> Problem | None:
    number = machine.version("lgpio")
    if number and _numbers(number) < _numbers(LEAST_LGPIO):
        found = msg("lgpio {number} does not work; {least} is needed", number=number, least=LEAST_LGPIO)
        return Problem(found, Text(replace_command("lgpio", get_lgpio())))
    named = machine.environment.get("LG_WD")
    try:
        folder = Path(named or tempfile.gettempdir())
    except FileNotFoundError:
        folder = Path("/tmp")  # tempfile found no writable folder
    if not os.access(folder, os.W_OK | os.X_OK):
        found = msg("lgpio cannot write its pipe to {folder}", folder=folder)
        return Problem(found, msg("Set LG_WD to a folder that you can write to, such as LG_WD=/tmp"))
    return None


def _rpigpio_problem(chip: Chip | None, machine: Machine) -> Problem | None:
    original, shim = machine.version(PI_GPIO), machine.version(SHIM)
    if original and shim:
        return Problem(
            msg("both RPi.GPIO and rpi-lgpio are installed and overwrite each other"),
            Text(replace_command("RPi.GPIO rpi-lgpio", install_command("rpi-lgpio"))),
        )
    if original and chip and chip.label == "pinctrl-rp1":
        return Problem(
            msg("RPi.GPIO does not run on a Raspberry Pi 5"),
            msg(
                "{get}; better still: {better}",
                get=replace_command("RPi.GPIO", install_command("rpi-lgpio")),
                better=get_lgpio(),
            ),
        )
    return None


def _numbers(number: str) -> tuple[int, ...]:
    return tuple(int(part) for part in number.split(".") if part.isdecimal())


# --- The lines --------------------------------------------------------------------------------------------


def wired_lines(wiring: Sections, chip: Chip | None, machine: Machine, *, holds_lines: bool) -> Iterator[Finding]:
    for use, pin in wiring.lines:
        if chip is None:
            yield Finding(use, Severity.SKIPPED, msg("line {pin}; no chip to check it with", pin=pin))
        elif pin >= chip.lines:
            most = chip.lines - 1
            found = msg("line {pin}: {label} has only the lines 0 to {most}", pin=pin, label=chip.label, most=most)
            yield Finding(use, Severity.BAD, found, msg("Correct the number, or [buzzers] chip, in table.toml"))
        else:
            yield _line(use, chip, pin, machine, holds_lines=holds_lines)


def _line(use: Text, chip: Chip, pin: int, machine: Machine, *, holds_lines: bool) -> Finding:
    try:
        line = chips.read_line(chip, pin)
    except OSError as error:
        found = msg("line {pin} cannot be read: {why}", pin=pin, why=reason(error))
        return Finding(use, Severity.BAD, found, msg("Restart the machine"))
    name = msg("line {pin} ({name})", pin=pin, name=line.name) if line.name else msg("line {pin}", pin=pin)
    if line.taken_by is None:
        return Finding(use, Severity.OK, msg("{name}, free", name=name))
    if holds_lines:
        return Finding(use, Severity.OK, msg("{name}, in use by this table", name=name))
    found = msg("{name}, taken by {owner!r}", name=name, owner=line.taken_by)
    return Finding(use, Severity.BAD, found, _freeing(chips.holders(machine.proc)))


def _freeing(holders: list[tuple[int, str]]) -> Text:
    if holders:
        named = ", ".join(f"{pid} ({name})" for pid, name in holders)
        return msg(
            "End the process that holds GPIO lines: {named}",
            "End the process that holds GPIO lines, one of these: {named}",
            named=named,
            n=len(holders),
        )
    return msg(
        "None of your processes holds a line. `sudo companion doctor` also sees other users'; if none holds it, "
        "the kernel uses it: look for dtoverlay in /boot/firmware/config.txt"
    )


def not_wired(wiring: Sections) -> Iterator[Finding]:
    lamps = wiring.of(LampWiring)
    dark = range(len(lamps.pins) + 1, len(wiring.of(BuzzerWiring).pins) + 1)
    if dark:
        seats = ", ".join(map(str, dark))
        found = msg("seat {seats} has none", "seats {seats} have none", seats=seats, n=len(dark))
        yield Finding(
            Text("[lamps]"), Severity.WEAK, found, msg("Wire a lamp for each seat, clockwise: [lamps] pins")
        )
    if lamps.siren == NOT_WIRED:
        yield Finding(Text("[lamps] siren"), Severity.SKIPPED, msg("not wired"))
    if wiring.of(HouseWiring).ok == NOT_WIRED:
        found = msg("not wired: only touching the display can say ok")
        yield Finding(Text("[house] ok"), Severity.WEAK, found, msg("Wire a button and name its line: [house] ok"))
