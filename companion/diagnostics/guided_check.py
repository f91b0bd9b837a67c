"""A guided walk round a table: asks for each device and measures its signals.

Like a referee, it holds no thread and reads no clock.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from companion.core.console import KEYPAD, Lamp
from companion.core.place import HOUSE, Place
from companion.core.signal import UNPLUG, Signal
from companion.core.text import Text, msg
from companion.devices.driver import Device
from companion.devices.findings import Finding, Severity
from companion.devices.keypads import keypad_of
from companion.devices.lines import NOT_WIRED, LampWiring
from companion.devices.sound import SAMPLE, Player
from companion.devices.wiring import Wiring
from companion.diagnostics import part_findings
from companion.diagnostics.listening import Listening, Pressed, Unheard, Waiting, skips
from companion.diagnostics.part_findings import buzzer_of
from companion.display.frame import Poster, told

PATIENCE_NS: Final = 20_000_000_000
"""Timeout for a press."""

NAMED_NS: Final = 3_000_000_000
"""A button pressed for this long before the walk is named."""

LOOK_NS: Final = 200_000_000
"""Polling interval of levels."""

GREET_NS: Final = 5_000_000_000
"""Time for devices to respond, and for pods' clocks to be known."""

SAMPLE_NS: Final = 3_000_000_000

WIGGLE_NS: Final = 10_000_000_000

TESTED_KEY: Final = "5"

ROW: Final = "#" * 16, "8" * 16
"""Test lines for a private screen."""

Say = Callable[[Poster, Place | None], None]
"""Shows a poster and lights the strip of a place."""


class Walk:
    """Asks for each device in turn and collects `findings`, then calls `ended`."""

    def __init__(
        self,
        wiring: Wiring,
        devices: Device,
        say: Say,
        ended: Callable[[], None],
        linger_ns: int = 0,
        *,
        player: Player | None = None,
        jig: bool = False,
    ) -> None:
        """`linger_ns`: how long the last poster stays. `jig`: test every part, seat by seat."""
        self._player = player
        self._jig = jig
        self.findings: list[Finding] = []
        self.deadline_ns: int | None = None
        self._wiring = wiring
        self._devices = devices
        self._say = say
        self._ended = ended
        self._linger_ns = linger_ns
        self._ear = Listening(devices, self._give_up)
        self._told: list[str] = []
        self._moved_by: dict[Place, Place] = {}
        self._script = self._walk()

    def start(self, now_ns: int) -> None:
        self._go(now_ns, None)

    def tick(self, now_ns: int) -> None:
        if self.deadline_ns is not None and now_ns >= self.deadline_ns:
            self._go(now_ns, None)

    def signal(self, signal: Signal) -> None:
        if self.deadline_ns is not None:
            self._go(signal.received_ns, signal)

    def _go(self, now_ns: int, signal: Signal | None) -> None:
        self._ear.now_ns = max(self._ear.now_ns, now_ns)
        try:
            self.deadline_ns = self._script.send(signal)
        except StopIteration:
            self.deadline_ns = None
            self._ended()

    def _walk(self) -> Waiting[None]:
        yield from self._until_answered()
        yield from self._until_released()
        yield from self._by_seat() if self._jig else self._by_kind()
        for control in self._wiring.controls:
            yield from self._house(control)
        yield from self._summary()

    def _by_kind(self) -> Waiting[None]:
        for place in self._devices.places:
            yield from self._buzzer(place)
        self._check_order()
        for place in sorted(self._wiring.lamps):
            yield from self._lamp(place)
        siren = self._wiring.of(LampWiring).siren
        if siren != NOT_WIRED:
            yield from self._siren(siren)
        yield from self._sound()
        for place in sorted(self._wiring.keypad_places, key=lambda place: (place == HOUSE, place)):
            yield from self._keypad(place)

    def _by_seat(self) -> Waiting[None]:
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

    # --- Steps ----------------------------------------------------------------------------------------------

    def _until_answered(self) -> Waiting[None]:
        until_ns = self._ear.now_ns + GREET_NS
        while self._ear.now_ns < until_ns and any(
            place in self._devices.troubles for place in self._wiring.buzzers
        ):
            if skips((yield self._ear.now_ns + LOOK_NS)):
                return

    def _until_released(self) -> Waiting[None]:
        """Wait until no button is pressed. Buzzers that stay down are stuck."""
        began_ns = self._ear.now_ns
        named: list[Place] = []
        while True:
            self._ear.look()
            stuck = self._ear.pressed()
            if not stuck:
                break
            waited_ns = self._ear.now_ns - began_ns
            if waited_ns >= NAMED_NS and stuck != named:
                named = stuck
                self._told = [str(self._stuck(place)) for place in stuck]
                self._ask(msg("Release the buzzers"), None, trouble=True)
            if waited_ns >= PATIENCE_NS or skips((yield self._ear.now_ns + LOOK_NS)):
                break
        for place in stuck:
            self._ear.useless.add(place)
            self._note(Finding(buzzer_of(place), Severity.BAD, self._stuck(place), self._freeing(stuck)))
        if stuck:
            seats = ", ".join(str(place + 1) for place in stuck)
            # The display has too little space for each one.
            self._told = [
                str(msg("Stuck: seat {seats}.", "Stuck: seats {seats}.", seats=seats, n=len(stuck))),
                f"{self._freeing(stuck)}.",
            ]
        if self._ear.now_ns != began_ns:
            yield from self._ear.rest(defaultdict(list))  # a release may bounce like a press

    def _buzzer(self, place: Place) -> Waiting[None]:
        trouble = self._devices.troubles.get(place)
        if place in self._ear.useless:
            return
        if trouble:
            self._note(part_findings.troubled(buzzer_of(place), trouble))
            return
        self._devices.show(place, Lamp.BLINK)
        mistaken: Place | None = None
        while True:
            self._ask(msg("Press the buzzer of seat {n}, hold it a moment, release it", n=place + 1), place)
            heard = yield from self._ear.hear(self._ear.now_ns + PATIENCE_NS, place)
            if isinstance(heard, Unheard) or place in heard or min(heard) == mistaken:
                break
            mistaken = min(heard)
            where = self._where(mistaken)
            self._told = [
                str(msg("That was {where}, of seat {n}. Was it the right buzzer?", where=where, n=mistaken + 1))
            ]
        self._devices.show(place, Lamp.OFF)
        self._conclude(place, heard)

    def _conclude(self, place: Place, heard: Pressed | Unheard) -> None:
        parts = self._wiring.buzzers
        if heard is Unheard.BROKEN:
            trouble = self._devices.troubles.get(place, msg("the buzzers stopped reporting"))
            self._note(part_findings.troubled(buzzer_of(place), trouble))
        elif isinstance(heard, Unheard):
            self._note(part_findings.unheard(buzzer_of(place), parts[place], heard))
        else:
            self._moved_by[place] = place if place in heard else min(heard)
            self._note(part_findings.pressed(place, parts, heard))

    def _check_order(self) -> None:
        """Suggest the right order of swapped lines."""
        wrong = [place for place, moved in self._moved_by.items() if place != moved]
        if not wrong:
            return
        seats = ", ".join(str(place + 1) for place in wrong)
        found = msg("swapped: seats {seats}", seats=seats)
        parts = self._wiring.buzzers
        order = [self._moved_by.get(place, place) for place in self._devices.places]
        name = part_findings.option_of(parts[wrong[0]])
        self._note(Finding(name, Severity.BAD, found, part_findings.in_order(order, parts)))

    def _lamp(self, place: Place) -> Waiting[None]:
        self._devices.show(place, Lamp.ON)
        ask = msg("Now the lamp of seat {n} is on. Press the buzzer beside the lit lamp", n=place + 1)
        if place not in self._moved_by:
            ask = msg("Is the lamp of seat {n} lit, and no other? Then press any buzzer that works", n=place + 1)
        self._ask(ask, place)
        lit = yield from self._lit(place)
        self._devices.show(place, Lamp.OFF)
        self._note(part_findings.lit(place, self._wiring.lamps[place], lit))

    def _give_up(self, restless: Sequence[Place]) -> None:
        """Ignore lines that do not come to rest."""
        remedy = self._freeing(restless)
        for place in restless:
            self._ear.useless.add(place)
            found = msg("{where} does not settle", where=self._where(place))
            self._note(Finding(buzzer_of(place), Severity.BAD, found, remedy))

    def _lit(self, place: Place) -> Waiting[Place | Unheard]:
        """Return the place whose buzzer was pressed. If that of `place` is unusable, any buzzer stands for it."""
        place_of = {moved: place for place, moved in self._moved_by.items()}
        until_ns = self._ear.now_ns + PATIENCE_NS
        while True:
            heard = yield from self._ear.hear(until_ns)
            if isinstance(heard, Unheard):
                return heard
            places = {place_of[moved] for moved in heard if moved in place_of}
            if place in places or place not in self._moved_by:
                return place
            if places:
                return min(places)

    def _siren(self, line: int) -> Waiting[None]:
        self._devices.sound_siren()
        self._ask(msg("Did you hear the siren? Then press any buzzer"), None)
        heard = yield from self._ear.hear(self._ear.now_ns + PATIENCE_NS)
        where = msg("line {line}", line=line)
        remedy = msg("Check the wire from {where}; without a siren: [lamps] siren = -1", where=where)
        self._note(part_findings.confirmed(msg("siren"), where, heard, remedy))

    def _sound(self) -> Waiting[None]:
        if self._player is None or not self._devices.places:
            return
        self._player.play(SAMPLE, SAMPLE_NS)
        self._ask(msg("Did you hear a sound from the table? Then press any buzzer"), None)
        heard = yield from self._ear.hear(self._ear.now_ns + PATIENCE_NS)
        name, where = msg("sound"), msg("the clip {clip}", clip=SAMPLE)
        if self._player.trouble and isinstance(heard, Unheard):
            self._note(Finding(name, Severity.BAD, self._player.trouble))
            return
        remedy = msg("Turn it up, or set [sound] device to another one from the doctor's list")
        self._note(part_findings.confirmed(name, where, heard, remedy))

    def _keypad(self, place: Place) -> Waiting[None]:
        trouble = self._devices.troubles.get(place)
        if trouble:
            self._note(part_findings.troubled(keypad_of(place), trouble))
            return
        mistaken: tuple[Place, str] | None = None
        while True:
            lit = None if place == HOUSE else place
            self._ask(msg("Press {key} on {keypad}", key=TESTED_KEY, keypad=keypad_of(place)), lit)
            heard = yield from self._ear.key(self._ear.now_ns + PATIENCE_NS)
            if isinstance(heard, Unheard):
                break
            pressed = heard.place, heard.control
            if pressed in {(place, TESTED_KEY), mistaken}:
                break
            mistaken = pressed
            self._told = [str(msg("That was {key} on {keypad}.", key=pressed[1], keypad=keypad_of(pressed[0])))]
        self._note(part_findings.one_key(place, TESTED_KEY, heard))

    def _keys(self, place: Place) -> Waiting[None]:
        keypad, missing = keypad_of(place), list("".join(KEYPAD))
        where = None if place == HOUSE else place
        while missing:
            self._ask(msg("Press each key of {keypad} once: {keys}", keypad=keypad, keys=" ".join(missing)), where)
            heard = yield from self._ear.key(self._ear.now_ns + PATIENCE_NS)
            if isinstance(heard, Unheard):
                break
            if heard.place == place and heard.control in missing:
                missing.remove(heard.control)
        self._note(part_findings.every_key(place, missing))

    def _screen(self, place: Place) -> Waiting[None]:
        self._devices.say(place, *ROW)
        self._ask(
            msg(
                "Is the private screen of seat {n} filled with # above and 8 below? Then press any buzzer",
                n=place + 1,
            ),
            place,
        )
        heard = yield from self._ear.hear(self._ear.now_ns + PATIENCE_NS)
        self._devices.say(place, "", "")
        name, where = msg("private screen of seat {n}", n=place + 1), msg("two full lines")
        remedy = msg("Check its four wires and its address: hardware/pod/README.md")
        self._note(part_findings.confirmed(name, where, heard, remedy))

    def _cable(self, place: Place) -> Waiting[None]:
        """Ask people to move a cable, which must stay silent."""
        if place in self._ear.useless or place in self._devices.troubles:
            return
        self._ask(msg("Move the cable of seat {n} at both ends for 10 s, and press nothing", n=place + 1), place)
        until_ns, moved, lost, skipped = self._ear.now_ns + WIGGLE_NS, 0, False, False
        while self._ear.now_ns < until_ns and not skipped:
            signal = yield until_ns
            skipped = skips(signal)
            lost = lost or bool(signal and signal.control == UNPLUG and signal.place == place)
            moved += self._ear.is_edge(signal) and signal.place == place
        self._note(part_findings.cable(place, moved, lost=lost, skipped=skipped))

    def _house(self, control: str) -> Waiting[None]:
        parts = self._wiring.controls
        mistaken: str | None = None
        while True:
            self._ask(msg("Press the button {control} of the house", control=control), None)
            heard = yield from self._ear.house_press(self._ear.now_ns + PATIENCE_NS)
            if isinstance(heard, Unheard) or heard in {control, mistaken}:
                break
            mistaken = heard
            where = parts[heard].where
            self._told = [
                str(msg("That was {where}, {control}. Was it the right one?", where=where, control=heard))
            ]
        self._note(part_findings.button(control, parts, heard))

    def _summary(self) -> Waiting[None]:
        bad = [str(finding.name) for finding in self.findings if finding.severity is Severity.BAD]
        title = msg("{n} thing to fix", "{n} things to fix", n=len(bad)) if bad else msg("Nothing to fix")
        self._say(Poster(told(title), (", ".join(bad),) if bad else (), "", trouble=bool(bad)), None)
        until_ns = self._ear.now_ns + self._linger_ns
        while self._ear.now_ns < until_ns and not skips((yield until_ns)):
            pass

    # --- Output ---------------------------------------------------------------------------------------------

    def _ask(self, what: Text, place: Place | None, *, trouble: bool = False) -> None:
        self._say(Poster(told(what), tuple(self._told), told(msg("Enter or ok: skip")), trouble), place)
        self._told = []

    def _note(self, finding: Finding | None) -> None:
        if finding:
            self.findings.append(finding)
            self._told.append(f"{finding.name}: {finding.severity.word}, {finding.found}.")
            if finding.remedy:
                self._told.append(f"{finding.remedy}.")

    def _where(self, place: Place) -> Text:
        return self._wiring.buzzers[place].where

    def _stuck(self, place: Place) -> Text:
        return msg("{where} of seat {n} stays pressed", where=self._where(place), n=place + 1)

    def _freeing(self, stuck: Sequence[Place]) -> Text:
        all_down = {self._wiring.buzzers[place].all_down for place in stuck}
        if len(stuck) == len(self._devices.places) and len(all_down) == 1 and (why := all_down.pop()):
            return why
        return msg("Release it; otherwise look for a jammed button, or a wire that touches ground")
