"""Turns what the walk heard into findings, and into the jig's sheet."""

import time
from collections.abc import Mapping, Sequence
from typing import Final

from companion.core.place import Place
from companion.core.signal import Signal
from companion.core.text import Text, msg
from companion.devices.driver import Part
from companion.devices.findings import Finding, Severity
from companion.devices.keypads import keypad_of
from companion.diagnostics.listening import LONG_BOUNCE_NS, Pressed, Unheard

MEND: Final = msg("Fix it and run the doctor again")

PASSED: Final = {Severity.OK: msg("pass"), Severity.WEAK: msg("weak"), Severity.BAD: msg("FAIL")}


def buzzer_of(place: Place) -> Text:
    return msg("buzzer of seat {n}", n=place + 1)


def option_of(part: Part) -> Text:
    return Text(f"[{part.section}] {part.key}")


def troubled(name: Text, trouble: Text) -> Finding:
    return Finding(name, Severity.BAD, trouble, MEND)


def unheard(name: Text, part: Part, why: Unheard) -> Finding | None:
    """Return None if the part already has a finding."""
    if why is Unheard.SKIPPED:
        return Finding(name, Severity.SKIPPED, part.where)
    if why is Unheard.SILENT:
        return Finding(name, Severity.BAD, msg("{where}: no signal", where=part.where), part.mend)
    return None


def pressed(place: Place, parts: Mapping[Place, Part], heard: Pressed) -> Finding:
    name = buzzer_of(place)
    if place not in heard:
        moved = min(heard)
        where = parts[moved].where
        found = msg("it triggers {where}, which table.toml gives to seat {n}", where=where, n=moved + 1)
        remedy = msg("The right order of {option} follows", option=option_of(parts[place]))
        return Finding(name, Severity.BAD, found, remedy)
    if len(heard) > 1:
        moving = ", ".join(str(parts[moved].where) for moved in sorted(heard))
        found = msg("{moving} respond together", moving=moving)
        return Finding(
            name, Severity.BAD, found, msg("Check that nobody else presses, and look for wires that touch")
        )
    edges, bounce_ns = heard[place]
    ms = f"{bounce_ns / 1e6:.2f}"
    where = parts[place].where
    found = msg("{where}: no bounce", "{where}: bounce of {ms} ms, {n} edges", where=where, n=edges, ms=ms)
    if bounce_ns <= LONG_BOUNCE_NS:
        return Finding(name, Severity.OK, found)
    most = f"{LONG_BOUNCE_NS / 1e6:g}"
    remedy = msg("Above {most} ms: check the wire, hold it longer, or use another button", most=most)
    return Finding(name, Severity.WEAK, found, remedy)


def in_order(order: Sequence[Place], parts: Mapping[Place, Part]) -> Text:
    """Return the entry of table.toml for the buzzers in `order` round the table."""
    ordered = [parts[place] for place in order]
    if sorted(order) == list(range(len(order))) and len({option_of(part) for part in ordered}) == 1:
        return msg(
            "In table.toml, [{section}]: {key} = [{entries}]",
            section=ordered[0].section,
            key=ordered[0].key,
            entries=", ".join(part.entry for part in ordered),
        )
    return msg("Give each seat a line or pod of its own, and run the doctor again")


def lit(place: Place, part: Part, seen: Place | Unheard) -> Finding:
    """Evaluate a lamp that was `seen` at a place."""
    name = msg("lamp of seat {n}", n=place + 1)
    if isinstance(seen, Unheard) or seen == place:
        return confirmed(name, part.where, seen, part.mend)
    found = msg("{where}: it lights the lamp of seat {n}", where=part.where, n=seen + 1)
    return Finding(name, Severity.BAD, found, msg("Swap the two seats: {option}", option=option_of(part)))


def confirmed(name: Text, where: Text, heard: object, remedy: Text) -> Finding:
    """Evaluate a part that people confirm by a press."""
    if heard is Unheard.SKIPPED:
        return Finding(name, Severity.SKIPPED, where)
    if isinstance(heard, Unheard):
        return Finding(name, Severity.BAD, msg("{where}: not confirmed", where=where), remedy)
    return Finding(name, Severity.OK, msg("{where}: confirmed", where=where))


def one_key(place: Place, key: str, heard: Signal | Unheard) -> Finding:
    name = keypad_of(place)
    if heard is Unheard.SKIPPED:
        return Finding(name, Severity.SKIPPED, msg("not pressed"))
    if isinstance(heard, Unheard):
        remedy = msg("Check its cable and wires; `companion pod test` shows what pods report (docs/keypads.md)")
        return Finding(name, Severity.BAD, msg("no signal"), remedy)
    if heard.place != place:
        found = msg("its presses arrive from {keypad}", keypad=keypad_of(heard.place))
        return Finding(name, Severity.BAD, found, msg("Swap the two in [pads] seats or [pods] seats"))
    if heard.control != key:
        found = msg("{key} arrives as {control}", key=key, control=heard.control)
        return Finding(name, Severity.BAD, found, msg("Rows or columns are swapped: see docs/keypads.md"))
    ms = f"{heard.uncertainty_ns / 1e6:.2g}"
    return Finding(name, Severity.OK, msg("key {key}, ±{ms} ms", key=key, ms=ms))


def every_key(place: Place, missing: Sequence[str]) -> Finding:
    name = keypad_of(place)
    if not missing:
        return Finding(name, Severity.OK, msg("every key works"))
    remedy = msg("Check its rows and columns: docs/keypads.md. A key that it does not have is not a fault")
    return Finding(name, Severity.BAD, msg("no signal: {keys}", keys=" ".join(missing)), remedy)


def button(control: str, parts: Mapping[str, Part], heard: str | Unheard) -> Finding | None:
    name, part = msg("button {control}", control=control), parts[control]
    if isinstance(heard, Unheard):
        return unheard(name, part, heard)
    if heard == control:
        return Finding(name, Severity.OK, msg("{where}: pressed", where=part.where))
    where = parts[heard].where
    found = msg("it triggers {where}, which table.toml calls {control}", where=where, control=heard)
    remedy = msg("Swap {one} and {other}: [{section}]", one=control, other=heard, section=part.section)
    return Finding(name, Severity.BAD, found, remedy)


def cable(place: Place, moved: int, *, lost: bool, skipped: bool) -> Finding:
    """Evaluate a moved cable, whose contact was heard `moved` times."""
    name = msg("cable of seat {n}", n=place + 1)
    if skipped:
        return Finding(name, Severity.SKIPPED, msg("not moved"))
    if not (lost or moved):
        return Finding(name, Severity.OK, msg("no signal while it was moved"))
    found = msg("one false press", "{n} false presses", n=moved)
    remedy = msg("Check the plug and each joint of its wires, then run the doctor again")
    return Finding(name, Severity.BAD, msg("it disconnected while it was moved") if lost else found, remedy)


def sheet(findings: Sequence[Finding]) -> str:
    """Return a test sheet for the box: a line per part, and a place to sign."""
    rows = [
        (str(PASSED.get(finding.severity, msg("not tested"))), str(finding.name), str(finding.found))
        for finding in findings
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    lines = [f"[{state:^{widths[0]}}]  {name:<{widths[1]}}  {found}" for state, name, found in rows]
    tested = msg("Tested on {day} by", day=time.strftime("%Y-%m-%d"))
    return "\n".join(["", str(msg("Test sheet")), "", *lines, "", f"{tested} ____________________"])
