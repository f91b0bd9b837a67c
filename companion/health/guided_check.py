"""The walk round a table: each device is asked for by name, and what the wires say is measured.

It is served like a referee: it holds no thread and reads no clock.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from companion.core.console import Lamp
from companion.core.place import HOUSE, Place
from companion.core.signal import Signal
from companion.core.text import Text, msg
from companion.devices.driver import Device, Part
from companion.devices.findings import Finding, Severity
from companion.devices.keypads import keypad_of
from companion.devices.lines import NOT_WIRED, LampWiring
from companion.devices.sound import SAMPLE, Player
from companion.devices.wiring import Wiring
from companion.display.frame import Poster, told
from companion.health.listening import LONG_BOUNCE_NS, Listening, Pressed, Unheard, Waiting, skips

PATIENCE_NS: Final = 20_000_000_000
"""Who has not pressed by now will not, or the wire is broken."""

NAMED_NS: Final = 3_000_000_000
"""A button that is down for this long when nobody should press is named."""

LOOK_NS: Final = 200_000_000
"""How often the levels are read while buttons are waited for to be let go."""

GREET_NS: Final = 5_000_000_000
"""By then a device that is plugged in answers, and a pod's clock is known."""

SAMPLE_NS: Final = 3_000_000_000
"""So long a clip is repeated for whoever listens whether it comes."""

TESTED_KEY: Final = "5"
"""It stands in the middle of every keypad."""

Say = Callable[[Poster, Place | None], None]
"""Shows a poster, and lights the strip of the place that is asked."""


class Walk:
    """Asks for each device in turn and keeps what it found; `ended` is called after the last one."""

    def __init__(
        self,
        wiring: Wiring,
        devices: Device,
        say: Say,
        ended: Callable[[], None],
        linger_ns: int = 0,
        *,
        player: Player | None = None,
    ) -> None:
        """The last poster stays for `linger_ns`, or until it is skipped; a `player` is to be heard."""
        self._player = player
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
        """Hear what a device reports; after the end nothing is asked any more."""
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
        for control, part in self._wiring.controls.items():
            yield from self._house(control, part)
        yield from self._summary()

    # --- What is asked --------------------------------------------------------------------------------------

    def _until_answered(self) -> Waiting[None]:
        """Give the devices the time to answer; whichever has not done so by then is told when its turn comes."""
        until_ns = self._ear.now_ns + GREET_NS
        while self._ear.now_ns < until_ns and any(
            place in self._devices.troubles for place in self._wiring.buzzers
        ):
            if skips((yield self._ear.now_ns + LOOK_NS)):
                return

    def _until_released(self) -> Waiting[None]:
        """Wait until nobody presses; whoever still does after that is stuck."""
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
                self._ask(msg("Let the buzzers go"), None, trouble=True)
            if waited_ns >= PATIENCE_NS or skips((yield self._ear.now_ns + LOOK_NS)):
                break
        for place in stuck:
            self._ear.useless.add(place)
            self._note(_buzzer_of(place), Severity.BAD, self._stuck(place), self._freeing(stuck))
        if stuck:
            seats = ", ".join(str(place + 1) for place in stuck)
            # All of them one by one would be too long for a display.
            self._told = [
                str(msg("Stuck: seat {seats}.", "Stuck: seats {seats}.", seats=seats, n=len(stuck))),
                f"{self._freeing(stuck)}.",
            ]
        if self._ear.now_ns != began_ns:
            yield from self._ear.rest(defaultdict(list))  # else the bounce of letting go would be the first press

    def _buzzer(self, place: Place) -> Waiting[None]:
        trouble = self._devices.troubles.get(place)
        if place in self._ear.useless:
            return
        if trouble:
            self._note(_buzzer_of(place), Severity.BAD, trouble, msg("Mend it and let the doctor look again"))
            return
        self._devices.show(place, Lamp.BLINK)
        mistaken: Place | None = None
        while True:
            self._ask(msg("Press the buzzer of seat {n}, hold it a moment, let it go", n=place + 1), place)
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
        name, where = _buzzer_of(place), self._where(place)
        if heard is Unheard.BROKEN:
            found = self._devices.troubles.get(place, msg("the buzzers stopped reporting"))
            self._note(name, Severity.BAD, found, msg("Mend it and let the doctor look again"))
            return
        if isinstance(heard, Unheard):
            self._note_unheard(name, self._part(place), heard)
            return
        if place not in heard:
            moved = min(heard)
            self._moved_by[place] = moved
            found = msg(
                "it moves {where}, which table.toml gives to seat {n}", where=self._where(moved), n=moved + 1
            )
            self._note(
                name,
                Severity.BAD,
                found,
                msg("The right order of {option} follows", option=_option(self._part(place))),
            )
            return
        self._moved_by[place] = place
        if len(heard) > 1:
            moving = ", ".join(str(self._where(moved)) for moved in sorted(heard))
            found = msg("{moving} move together", moving=moving)
            self._note(name, Severity.BAD, found, msg("Let nobody else press; look for wires that touch"))
            return
        edges, bounce_ns = heard[place]
        ms = f"{bounce_ns / 1e6:.2f}"
        found = msg("{where}: no bounce", "{where}: bounce of {ms} ms, {n} edges", where=where, n=edges, ms=ms)
        if bounce_ns > LONG_BOUNCE_NS:
            most = f"{LONG_BOUNCE_NS / 1e6:g}"
            remedy = msg("Above {most} ms: check the wire, hold it longer, else take another button", most=most)
            self._note(name, Severity.WEAK, found, remedy)
        else:
            self._note(name, Severity.OK, found)

    def _note_unheard(self, name: Text, part: Part, why: Unheard) -> None:
        if why is Unheard.SKIPPED:
            self._note(name, Severity.SKIPPED, part.where)
        elif why is Unheard.SILENT:
            self._note(name, Severity.BAD, msg("{where}: nothing was heard", where=part.where), part.mend)

    def _check_order(self) -> None:
        """Say how table.toml names the lines in the order in which they are wired."""
        wrong = [place for place, moved in self._moved_by.items() if place != moved]
        if not wrong:
            return
        seats = ", ".join(str(place + 1) for place in wrong)
        found = msg("swapped: seats {seats}", seats=seats)
        self._note(_option(self._part(wrong[0])), Severity.BAD, found, self._in_order())

    def _in_order(self) -> Text:
        """Return how table.toml names buzzers in the order in which they stand round the table."""
        order = [self._moved_by.get(place, place) for place in self._devices.places]
        parts = [self._part(place) for place in order]
        if sorted(order) == list(range(len(order))) and len({_option(part) for part in parts}) == 1:
            return msg(
                "In table.toml, [{section}]: {key} = [{entries}]",
                section=parts[0].section,
                key=parts[0].key,
                entries=", ".join(part.entry for part in parts),
            )
        return msg("Give each seat a line or pod of its own, and let the doctor look again")

    def _lamp(self, place: Place) -> Waiting[None]:
        self._devices.show(place, Lamp.ON)
        ask = msg("Now the lamp of seat {n} is on. Press the buzzer beside the lit lamp", n=place + 1)
        if place not in self._moved_by:
            ask = msg("Is the lamp of seat {n} lit, and no other? Then press any buzzer that works", n=place + 1)
        self._ask(ask, place)
        lit = yield from self._lit(place)
        self._devices.show(place, Lamp.OFF)
        name = msg("lamp of seat {n}", n=place + 1)
        part = self._wiring.lamps[place]
        if isinstance(lit, int) and lit != place:
            found = msg("{where}: it lights the lamp of seat {n}", where=part.where, n=lit + 1)
            remedy = msg("Exchange the two seats: {option}", option=_option(part))
            self._note(name, Severity.BAD, found, remedy)
            return
        self._note_confirmed(name, part.where, lit, part.mend)

    def _give_up(self, restless: Sequence[Place]) -> None:
        """Listen no more to lines that do not come to rest: they would drown the others."""
        remedy = self._freeing(restless)
        for place in restless:
            self._ear.useless.add(place)
            found = msg("{where} does not come to rest", where=self._where(place))
            self._note(_buzzer_of(place), Severity.BAD, found, remedy)

    def _lit(self, place: Place) -> Waiting[Place | Unheard]:
        """Return the place whose buzzer was pressed; `place` for any buzzer when its own is of no use."""
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
        self._note_confirmed(msg("siren"), where, heard, remedy)

    def _sound(self) -> Waiting[None]:
        if self._player is None or not self._devices.places:
            return
        self._player.play(SAMPLE, SAMPLE_NS)
        self._ask(msg("Did you hear a sound from the table? Then press any buzzer"), None)
        heard = yield from self._ear.hear(self._ear.now_ns + PATIENCE_NS)
        name, where = msg("sound"), msg("the clip {clip}", clip=SAMPLE)
        if self._player.trouble and isinstance(heard, Unheard):
            self._note(name, Severity.BAD, self._player.trouble)
            return
        remedy = msg("Turn it up; or take another one of [sound] device, which the doctor lists")
        self._note_confirmed(name, where, heard, remedy)

    def _note_confirmed(self, name: Text, where: Text, heard: object, remedy: Text) -> None:
        if heard is Unheard.SKIPPED:
            self._note(name, Severity.SKIPPED, where)
        elif isinstance(heard, Unheard):
            self._note(name, Severity.BAD, msg("{where}: nobody has confirmed it", where=where), remedy)
        else:
            self._note(name, Severity.OK, msg("{where}: confirmed", where=where))

    def _keypad(self, place: Place) -> Waiting[None]:
        name, trouble = keypad_of(place), self._devices.troubles.get(place)
        if trouble:
            self._note(name, Severity.BAD, trouble, msg("Mend it and let the doctor look again"))
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
        self._conclude_keypad(name, place, heard)

    def _conclude_keypad(self, name: Text, place: Place, heard: Signal | Unheard) -> None:
        if heard is Unheard.SKIPPED:
            self._note(name, Severity.SKIPPED, msg("not pressed"))
        elif isinstance(heard, Unheard):
            remedy = msg("See to its cable and wires; `companion pod test` shows what pods report, docs/keypads.md")
            self._note(name, Severity.BAD, msg("nothing was heard"), remedy)
        elif heard.place != place:
            found = msg("what is pressed there comes from {keypad}", keypad=keypad_of(heard.place))
            self._note(name, Severity.BAD, found, msg("Exchange the two in [pads] seats or [pods] seats"))
        elif heard.control != TESTED_KEY:
            found = msg("{key} is heard as {control}", key=TESTED_KEY, control=heard.control)
            self._note(name, Severity.BAD, found, msg("Rows or columns are swapped: see docs/keypads.md"))
        else:
            ms = f"{heard.uncertainty_ns / 1e6:.2g}"
            self._note(name, Severity.OK, msg("key {key}, known to {ms} ms", key=TESTED_KEY, ms=ms))

    def _house(self, control: str, part: Part) -> Waiting[None]:
        parts, name = self._wiring.controls, msg("button {control}", control=control)
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
        if isinstance(heard, Unheard):
            self._note_unheard(name, part, heard)
        elif heard != control:
            where = parts[heard].where
            found = msg("it moves {where}, which table.toml calls {control}", where=where, control=heard)
            remedy = msg("Exchange {one} and {other}: [{section}]", one=control, other=heard, section=part.section)
            self._note(name, Severity.BAD, found, remedy)
        else:
            self._note(name, Severity.OK, msg("{where}: pressed", where=part.where))

    def _summary(self) -> Waiting[None]:
        bad = [str(finding.name) for finding in self.findings if finding.severity is Severity.BAD]
        title = msg("{n} thing to mend", "{n} things to mend", n=len(bad)) if bad else msg("Nothing to mend")
        self._say(Poster(told(title), (", ".join(bad),) if bad else (), "", trouble=bool(bad)), None)
        until_ns = self._ear.now_ns + self._linger_ns
        while self._ear.now_ns < until_ns and not skips((yield until_ns)):
            pass

    # --- What is told ---------------------------------------------------------------------------------------

    def _ask(self, what: Text, place: Place | None, *, trouble: bool = False) -> None:
        """Say what to do, below what was found since the last time."""
        self._say(Poster(told(what), tuple(self._told), told(msg("Enter or ok: skip")), trouble), place)
        self._told = []

    def _note(self, name: Text, severity: Severity, found: Text, remedy: Text | None = None) -> None:
        self.findings.append(Finding(name, severity, found, remedy))
        self._told.append(f"{name}: {severity.word}, {found}.")
        if remedy:
            self._told.append(f"{remedy}.")

    def _part(self, place: Place) -> Part:
        return self._wiring.buzzers[place]

    def _where(self, place: Place) -> Text:
        return self._part(place).where

    def _stuck(self, place: Place) -> Text:
        return msg("{where} of seat {n} is pressed all the time", where=self._where(place), n=place + 1)

    def _freeing(self, stuck: Sequence[Place]) -> Text:
        all_down = {self._part(place).all_down for place in stuck}
        if len(stuck) == len(self._devices.places) and len(all_down) == 1 and (why := all_down.pop()):
            return why
        return msg("Let it go; else look for a jammed button, or for a wire that touches ground")


def _option(part: Part) -> Text:
    """Name the option of table.toml that a device is in."""
    return Text(f"[{part.section}] {part.key}")


def _buzzer_of(place: Place) -> Text:
    return msg("buzzer of seat {n}", n=place + 1)
