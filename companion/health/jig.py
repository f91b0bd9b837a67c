"""The jig: what was built is tested seat by seat, each part of a seat passes or fails, and a sheet tells of all."""

import time
from collections.abc import Sequence
from typing import Final

from companion.core.console import KEYPAD
from companion.core.place import HOUSE, Place
from companion.core.signal import UNPLUG
from companion.core.text import Text, msg
from companion.devices.findings import Finding, Severity
from companion.devices.keypads import keypad_of
from companion.health.guided_check import PATIENCE_NS, Walk
from companion.health.listening import Unheard, Waiting, skips

WIGGLE_NS: Final = 10_000_000_000
"""So long a cable is moved: a loose wire in it is heard within that."""

ROW: Final = "#" * 16, "8" * 16
"""What a private screen shows when each of its characters is looked at."""

PASSED: Final = {Severity.OK: msg("pass"), Severity.WEAK: msg("weak"), Severity.BAD: msg("FAIL")}


class Jig(Walk):
    """A walk that stays at a seat until all of it was tested, and asks for more of it."""

    def _walk(self) -> Waiting[None]:
        yield from self._until_answered()
        yield from self._until_released()
        keypads = set(self._wiring.keypad_places)
        for place in sorted({*self._devices.places, *self._wiring.lamps, *keypads} - {HOUSE}):
            if place in self._devices.places:
                yield from self._buzzer(place)
            if place in self._wiring.lamps:
                yield from self._lamp(place)
            if place in keypads:
                yield from self._keys(place)
            if place in self._devices.screen_places:
                yield from self._screen(place)
            if place in self._devices.places:
                yield from self._cable(place)
        self._check_order()
        if HOUSE in keypads:
            yield from self._keys(HOUSE)
        for control, part in self._wiring.controls.items():
            yield from self._house(control, part)
        yield from self._summary()

    def _keys(self, place: Place) -> Waiting[None]:
        """Ask for every key of a keypad, in any order."""
        keypad, missing = keypad_of(place), list("".join(KEYPAD))
        where = None if place == HOUSE else place
        while missing:
            self._ask(msg("Press each key of {keypad} once: {keys}", keypad=keypad, keys=" ".join(missing)), where)
            heard = yield from self._ear.key(self._ear.now_ns + PATIENCE_NS)
            if isinstance(heard, Unheard):
                break
            if heard.place == place and heard.control in missing:
                missing.remove(heard.control)
        if missing:
            remedy = msg("Look at its rows and columns: docs/keypads.md; what it never had is no fault")
            self._note(keypad, Severity.BAD, msg("not heard: {keys}", keys=" ".join(missing)), remedy)
        else:
            self._note(keypad, Severity.OK, msg("every key was heard"))

    def _screen(self, place: Place) -> Waiting[None]:
        """Fill a private screen, and have somebody look at each of its dots."""
        self._devices.say(place, *ROW)
        self._ask(
            msg(
                "Is the private screen of seat {n} full of # above and of 8 below? Then press any buzzer",
                n=place + 1,
            ),
            place,
        )
        heard = yield from self._ear.hear(self._ear.now_ns + PATIENCE_NS)
        self._devices.say(place, "", "")
        remedy = msg("Look at its four wires and its address: hardware/pod/README.md")
        self._note_confirmed(msg("private screen of seat {n}", n=place + 1), msg("two full lines"), heard, remedy)

    def _cable(self, place: Place) -> Waiting[None]:
        """Have a cable moved; nothing may be heard of it meanwhile."""
        if place in self._ear.useless or place in self._devices.troubles:
            return
        self._ask(msg("Move the cable of seat {n} at both ends for 10 s, and press nothing", n=place + 1), place)
        until_ns, moved, lost = self._ear.now_ns + WIGGLE_NS, 0, False
        name = msg("cable of seat {n}", n=place + 1)
        while self._ear.now_ns < until_ns:
            signal = yield until_ns
            if skips(signal):
                self._note(name, Severity.SKIPPED, msg("not moved"))
                return
            lost = lost or bool(signal and signal.control == UNPLUG and signal.place == place)
            moved += self._ear.is_edge(signal) and signal.place == place
        remedy = msg("Look at the plug and at each joint of its wires, then let the doctor look again")
        if lost:
            self._note(name, Severity.BAD, msg("it was lost while it was moved"), remedy)
        elif moved:
            found = msg("the contact was heard once", "the contact was heard {n} times", n=moved)
            self._note(name, Severity.BAD, found, remedy)
        else:
            self._note(name, Severity.OK, msg("nothing was heard while it was moved"))


def sheet(findings: Sequence[Finding]) -> str:
    """Return what can be printed and laid into the box: a line for each part, and who has tested it."""
    rows = [(str(_passed(finding)), str(finding.name), str(finding.found)) for finding in findings]
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    lines = [f"[{state:^{widths[0]}}]  {name:<{widths[1]}}  {found}" for state, name, found in rows]
    tested = msg("Tested on {day} by", day=time.strftime("%Y-%m-%d"))
    return "\n".join(["", str(msg("Sheet of the jig")), "", *lines, "", f"{tested} ____________________"])


def _passed(finding: Finding) -> Text:
    return PASSED.get(finding.severity, msg("not tested"))
