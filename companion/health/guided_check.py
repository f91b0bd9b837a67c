"""The walk round a table: each device is asked for by name, and what the wires say is measured.

It is served like a referee: it holds no thread and reads no clock.
"""

from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Final, Protocol, TypeGuard, TypeVar

from companion.core.console import BUZZ, KEYS, Lamp
from companion.core.move import TABLE
from companion.core.signal import LEVEL, PC, UNPLUG, Signal
from companion.core.text import Text, msg
from companion.devices.checks import Finding, Verdict
from companion.devices.keypads.troubles import keypad_of
from companion.devices.wiring import NOT_WIRED, Wiring
from companion.display.frame import Poster, told
from companion.health.bounce import LONG_BOUNCE_NS, Burst, burst_of

PATIENCE_NS: Final = 20_000_000_000
"""Who has not pressed by now will not, or the wire is broken."""

NAMED_NS: Final = 3_000_000_000
"""A button that is down for this long when nobody should press is named."""

LOOK_NS: Final = 200_000_000
"""How often the levels are read while buttons are waited for to be let go."""

REST_NS: Final = 100_000_000
"""A line at rest had no edge for this long: longer than any source reports late."""

HELD_NS: Final = 8_000_000_000
"""A press that was asked for does not last longer."""

GREET_NS: Final = 5_000_000_000
"""By then a pod that is plugged in answers, and its clock is known."""

TESTED_KEY: Final = "5"
"""It stands in the middle of every keypad."""

TERMINAL: Final = "terminal"
HOUSE: Final = "house"
"""Sources of signals: who skips by Enter, and the house's own buttons."""

SKIPS: Final = frozenset({"ok", "skip"})
"""The controls that skip a step."""

Say = Callable[[Poster, int | None], None]
"""Shows a poster, and lights the strip of the place that is asked."""


class Devices(Protocol):
    """The devices of a table, as `Hardware` has them."""

    @property
    def places(self) -> Sequence[int]:
        """The places that have a buzzer."""

    @property
    def troubles(self) -> Mapping[int, Text]:
        """What is wrong, by place."""

    def flush(self, now_ns: int) -> Iterable[Signal]:
        """Return every edge that was reported and not handled yet, and a level reading of every buzzer."""

    def show(self, place: int, lamp: Lamp) -> None:
        """Switch one place's lamp."""

    def sound(self) -> None:
        """Sound the siren."""


class Unheard(Enum):
    """Why no press was heard."""

    SKIPPED = auto()
    SILENT = auto()
    HELD = auto()
    BROKEN = auto()


LOOK_INSIDE: Final = msg(
    "Look at the pod's own wires: hardware/pod/README.md; `companion pod test` shows what works"
)

Heard = dict[int, Burst]
"""The places that were pressed at one go."""

T = TypeVar("T")
Waiting = Generator[int, Signal | None, T]
"""A part of the walk: it yields until when it waits, and is sent a signal, or None when that time has come."""


class Walk:
    """Asks for each device in turn and keeps what it found; `ended` is called after the last one."""

    def __init__(
        self, wiring: Wiring, devices: Devices, say: Say, ended: Callable[[], None], linger_ns: int = 0
    ) -> None:
        """The last poster stays for `linger_ns`, or until it is skipped."""
        self.findings: list[Finding] = []
        self.deadline_ns: int | None = None
        self._wiring = wiring
        self._devices = devices
        self._say = say
        self._ended = ended
        self._linger_ns = linger_ns
        self._pods = {place: identity for place, identity in enumerate(wiring.pods.seats) if identity}
        self._now_ns = 0
        self._told: list[str] = []
        self._down: dict[int, bool] = {}
        self._useless: set[int] = set()
        self._moved_by: dict[int, int] = {}
        self._script = self._walk()

    def start(self, now_ns: int) -> None:
        """Ask for the first device."""
        self._go(now_ns, None)

    def tick(self, now_ns: int) -> None:
        """Do what is due by now."""
        if self.deadline_ns is not None and now_ns >= self.deadline_ns:
            self._go(now_ns, None)

    def signal(self, signal: Signal) -> None:
        """Take in what a device reports; after the end nothing is asked any more."""
        if self.deadline_ns is not None:
            self._go(signal.received_ns, signal)

    def _go(self, now_ns: int, signal: Signal | None) -> None:
        self._now_ns = max(self._now_ns, now_ns)
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
        for place in sorted(self._wiring.lamp_places):
            yield from self._lamp(place)
        if self._wiring.lamps.siren != NOT_WIRED:
            yield from self._siren()
        for place in self._keypads():
            yield from self._keypad(place)
        for control in self._wiring.house.pins:
            yield from self._house(control)
        yield from self._summary()

    # --- What is asked --------------------------------------------------------------------------------------

    def _until_answered(self) -> Waiting[None]:
        """Give the pods the time to answer; whichever has not done so by then is told when its turn comes."""
        until_ns = self._now_ns + GREET_NS
        while self._now_ns < until_ns and any(place in self._devices.troubles for place in self._pods):
            if _skips((yield self._now_ns + LOOK_NS)):
                return

    def _until_released(self) -> Waiting[None]:
        """Wait until nobody presses; whoever still does after that is stuck."""
        began_ns = self._now_ns
        named: list[int] = []
        while True:
            self._look()
            stuck = self._pressed()
            if not stuck:
                break
            waited_ns = self._now_ns - began_ns
            if waited_ns >= NAMED_NS and stuck != named:
                named = stuck
                self._told = [str(self._stuck(place)) for place in stuck]
                self._ask(msg("Let the buzzers go"), None, trouble=True)
            if waited_ns >= PATIENCE_NS or _skips((yield self._now_ns + LOOK_NS)):
                break
        for place in stuck:
            self._useless.add(place)
            self._note(_buzzer_of(place), Verdict.BAD, self._stuck(place), self._freeing(stuck))
        if stuck:
            seats = ", ".join(str(place + 1) for place in stuck)
            # All of them one by one would be too long for a display.
            self._told = [
                str(msg("Stuck: seat {seats}.", "Stuck: seats {seats}.", seats=seats, n=len(stuck))),
                f"{self._freeing(stuck)}.",
            ]
        if self._now_ns != began_ns:
            yield from self._rest(defaultdict(list))  # else the bounce of letting go would be the first press

    def _buzzer(self, place: int) -> Waiting[None]:
        trouble = self._devices.troubles.get(place)
        if place in self._useless:
            return
        if trouble:
            self._note(_buzzer_of(place), Verdict.BAD, trouble, msg("Mend it and let the doctor look again"))
            return
        self._devices.show(place, Lamp.BLINK)
        mistaken: int | None = None
        while True:
            self._ask(msg("Press the buzzer of seat {n}, hold it a moment, let it go", n=place + 1), place)
            heard = yield from self._hear(self._now_ns + PATIENCE_NS, place)
            if isinstance(heard, Unheard) or place in heard or min(heard) == mistaken:
                break
            mistaken = min(heard)
            where = self._where(mistaken)
            self._told = [
                str(msg("That was {where}, of seat {n}. Was it the right buzzer?", where=where, n=mistaken + 1))
            ]
        self._devices.show(place, Lamp.OFF)
        self._conclude(place, heard)

    def _conclude(self, place: int, heard: Heard | Unheard) -> None:
        name, where = _buzzer_of(place), self._where(place)
        if isinstance(heard, Unheard):
            self._conclude_unheard(place, heard)
            return
        if place not in heard:
            moved = min(heard)
            self._moved_by[place] = moved
            found = msg(
                "it moves {where}, which table.toml gives to seat {n}", where=self._where(moved), n=moved + 1
            )
            self._note(name, Verdict.BAD, found, msg("The right order of {option} follows", option=self._option()))
            return
        self._moved_by[place] = place
        if len(heard) > 1:
            moving = ", ".join(str(self._where(moved)) for moved in sorted(heard))
            found = msg("{moving} move together", moving=moving)
            self._note(name, Verdict.BAD, found, msg("Let nobody else press; look for wires that touch"))
            return
        edges, bounce_ns = heard[place]
        ms = f"{bounce_ns / 1e6:.2f}"
        found = msg("{where}: no bounce", "{where}: bounce of {ms} ms, {n} edges", where=where, n=edges, ms=ms)
        if bounce_ns > LONG_BOUNCE_NS:
            most = f"{LONG_BOUNCE_NS / 1e6:g}"
            remedy = msg("Above {most} ms: check the wire, hold it longer, else take another button", most=most)
            self._note(name, Verdict.WEAK, found, remedy)
        else:
            self._note(name, Verdict.OK, found)

    def _conclude_unheard(self, place: int, why: Unheard) -> None:
        name, where = _buzzer_of(place), self._where(place)
        if why is Unheard.SKIPPED:
            self._note(name, Verdict.SKIPPED, where)
        elif why is Unheard.SILENT:
            remedy = msg(
                "Check the wire from {where} over the button to ground, or take the line out of [buzzers] pins",
                where=where,
            )
            if place in self._pods:
                remedy = LOOK_INSIDE
            self._note(name, Verdict.BAD, msg("{where}: nothing was heard", where=where), remedy)
        elif why is Unheard.BROKEN:
            found = self._devices.troubles.get(place, msg("the buzzers stopped reporting"))
            self._note(name, Verdict.BAD, found, msg("Mend it and let the doctor look again"))

    def _check_order(self) -> None:
        """Say how table.toml names the lines in the order in which they are wired."""
        wrong = [place for place, moved in self._moved_by.items() if place != moved]
        if not wrong:
            return
        seats = ", ".join(str(place + 1) for place in wrong)
        found = msg("swapped: seats {seats}", seats=seats)
        self._note(self._option(), Verdict.BAD, found, self._in_order())

    def _in_order(self) -> Text:
        """Return how table.toml names lines or pods in the order in which they stand round the table."""
        order = [self._moved_by.get(place, place) for place in self._devices.places]
        if len(set(order)) == len(order) and not self._pods:
            pins = ", ".join(str(self._line(place)) for place in order)
            return msg("In table.toml, [buzzers]: pins = [{pins}]", pins=pins)
        if len(set(order)) == len(order) and set(order) == set(self._pods) == set(range(len(order))):
            identities = ", ".join(f'"{self._pods[place]}"' for place in order)
            return msg("In table.toml, [pods]: seats = [{identities}]", identities=identities)
        return msg("Give each seat a line or pod of its own, and let the doctor look again")

    def _option(self) -> Text:
        return Text("[pods] seats" if self._pods else "[buzzers] pins")

    def _lamp(self, place: int) -> Waiting[None]:
        self._devices.show(place, Lamp.ON)
        ask = msg("Now the lamp of seat {n} is on. Press the buzzer beside the lit lamp", n=place + 1)
        if place not in self._moved_by:
            ask = msg("Is the lamp of seat {n} lit, and no other? Then press any buzzer that works", n=place + 1)
        self._ask(ask, place)
        lit = yield from self._lit(place)
        self._devices.show(place, Lamp.OFF)
        name = msg("lamp of seat {n}", n=place + 1)
        if place in self._pods:
            where, exchange, check = self._where(place), msg("Exchange the two seats: [pods] seats"), LOOK_INSIDE
        else:
            where = _line(self._wiring.lamps.pins[place])
            exchange = msg("Exchange the lines of the two seats: [lamps] pins")
            check = msg("Check lamp, resistor, the wire from {where}, and [lamps] active_low", where=where)
        if isinstance(lit, int) and lit != place:
            found = msg("{where}: it lights the lamp of seat {n}", where=where, n=lit + 1)
            self._note(name, Verdict.BAD, found, exchange)
            return
        self._note_confirmed(name, where, lit, check)

    def _give_up(self, restless: Sequence[int]) -> None:
        """Listen no more to lines that do not come to rest: they would drown the others."""
        remedy = self._freeing(restless)
        for place in restless:
            self._useless.add(place)
            found = msg("{where} does not come to rest", where=self._where(place))
            self._note(_buzzer_of(place), Verdict.BAD, found, remedy)

    def _lit(self, place: int) -> Waiting[int | Unheard]:
        """Return the seat whose buzzer was pressed; `place` for any buzzer when its own is of no use."""
        seat_of = {moved: seat for seat, moved in self._moved_by.items()}
        until_ns = self._now_ns + PATIENCE_NS
        while True:
            heard = yield from self._hear(until_ns)
            if isinstance(heard, Unheard):
                return heard
            seats = {seat_of[moved] for moved in heard if moved in seat_of}
            if place in seats or place not in self._moved_by:
                return place
            if seats:
                return min(seats)

    def _siren(self) -> Waiting[None]:
        self._devices.sound()
        self._ask(msg("Did you hear the siren? Then press any buzzer"), None)
        heard = yield from self._hear(self._now_ns + PATIENCE_NS)
        where = _line(self._wiring.lamps.siren)
        remedy = msg("Check the wire from {where}; without a siren: [lamps] siren = -1", where=where)
        self._note_confirmed(msg("siren"), where, heard, remedy)

    def _note_confirmed(self, name: Text, where: Text, heard: object, remedy: Text) -> None:
        if heard is Unheard.SKIPPED:
            self._note(name, Verdict.SKIPPED, where)
        elif isinstance(heard, Unheard):
            self._note(name, Verdict.BAD, msg("{where}: nobody has confirmed it", where=where), remedy)
        else:
            self._note(name, Verdict.OK, msg("{where}: confirmed", where=where))

    def _keypads(self) -> list[int]:
        """Return the places that have a keypad; the house's comes last."""
        return sorted(self._wiring.keypad_places, key=lambda place: (place == TABLE, place))

    def _keypad(self, place: int) -> Waiting[None]:
        name, trouble = keypad_of(place), self._devices.troubles.get(place)
        if trouble:
            self._note(name, Verdict.BAD, trouble, msg("Mend it and let the doctor look again"))
            return
        mistaken: tuple[int, str] | None = None
        while True:
            lit = None if place == TABLE else place
            self._ask(msg("Press {key} on {keypad}", key=TESTED_KEY, keypad=keypad_of(place)), lit)
            heard = yield from self._key(self._now_ns + PATIENCE_NS)
            if isinstance(heard, Unheard):
                break
            pressed = heard.seat, heard.control
            if pressed in {(place, TESTED_KEY), mistaken}:
                break
            mistaken = pressed
            self._told = [str(msg("That was {key} on {keypad}.", key=pressed[1], keypad=keypad_of(pressed[0])))]
        self._conclude_keypad(name, place, heard)

    def _conclude_keypad(self, name: Text, place: int, heard: Signal | Unheard) -> None:
        if heard is Unheard.SKIPPED:
            self._note(name, Verdict.SKIPPED, msg("not pressed"))
        elif isinstance(heard, Unheard):
            remedy = msg("See to its cable and wires; `companion pod test` shows what pods report, docs/keypads.md")
            self._note(name, Verdict.BAD, msg("nothing was heard"), remedy)
        elif heard.seat != place:
            found = msg("what is pressed there comes from {keypad}", keypad=keypad_of(heard.seat))
            self._note(name, Verdict.BAD, found, msg("Exchange the two in [pads] seats or [pods] seats"))
        elif heard.control != TESTED_KEY:
            found = msg("{key} is heard as {control}", key=TESTED_KEY, control=heard.control)
            self._note(name, Verdict.BAD, found, msg("Rows or columns are swapped: see docs/keypads.md"))
        else:
            ms = f"{heard.uncertainty_ns / 1e6:.2g}"
            self._note(name, Verdict.OK, msg("key {key}, known to {ms} ms", key=TESTED_KEY, ms=ms))

    def _house(self, control: str) -> Waiting[None]:
        pins = self._wiring.house.pins
        name, line = msg("button {control}", control=control), pins[control]
        mistaken: str | None = None
        while True:
            self._ask(msg("Press the button {control} of the house", control=control), None)
            heard = yield from self._house_press(self._now_ns + PATIENCE_NS)
            if isinstance(heard, Unheard) or heard in {control, mistaken}:
                break
            mistaken = heard
            self._told = [
                str(msg("That was line {line}, {control}. Was it the right one?", line=pins[heard], control=heard))
            ]
        if heard is Unheard.SKIPPED:
            self._note(name, Verdict.SKIPPED, msg("line {line}", line=line))
        elif isinstance(heard, Unheard):
            remedy = msg(
                "Check the wire from line {line} over the button to ground; -1 in [house] if there is none",
                line=line,
            )
            self._note(name, Verdict.BAD, msg("line {line}: nothing was heard", line=line), remedy)
        elif heard != control:
            found = msg("it moves line {line}, which table.toml calls {control}", line=pins[heard], control=heard)
            remedy = msg("Exchange {one} and {other}: [house]", one=control, other=heard)
            self._note(name, Verdict.BAD, found, remedy)
        else:
            self._note(name, Verdict.OK, msg("line {line}: pressed", line=line))

    def _summary(self) -> Waiting[None]:
        bad = [str(finding.name) for finding in self.findings if finding.verdict is Verdict.BAD]
        title = msg("{n} thing to mend", "{n} things to mend", n=len(bad)) if bad else msg("Nothing to mend")
        self._say(Poster(told(title), (", ".join(bad),) if bad else (), "", trouble=bool(bad)), None)
        until_ns = self._now_ns + self._linger_ns
        while self._now_ns < until_ns and not _skips((yield until_ns)):
            pass

    # --- What is heard --------------------------------------------------------------------------------------

    def _hear(self, until_ns: int, asked: int | None = None) -> Waiting[Heard | Unheard]:
        """Wait for a press, and then until every contact is at rest again; the place that is asked must do so."""
        edges: dict[int, list[Signal]] = defaultdict(list)
        while self._now_ns < until_ns:
            signal = yield until_ns
            if _skips(signal):
                return Unheard.SKIPPED
            if signal and signal.control == UNPLUG and signal.seat == asked:
                return Unheard.BROKEN
            if self._is_edge(signal):
                edges[signal.seat] += [signal, *self._level(signal.seat)]
                if not (yield from self._rest(edges)):
                    self._give_up(self._pressed() or [signal.seat])
                    if asked in self._useless:
                        return Unheard.HELD
                    edges.clear()
                if asked in self._devices.troubles:
                    return Unheard.BROKEN
                heard = {place: burst for place, each in edges.items() if (burst := burst_of(each))}
                if heard:
                    return heard
        return Unheard.SILENT

    def _rest(self, edges: dict[int, list[Signal]]) -> Waiting[bool]:
        """Gather edges until all contacts are open and quiet; return False when they are not in time."""
        until_ns = self._now_ns + HELD_NS
        while self._now_ns < until_ns:
            signal = yield self._now_ns + REST_NS
            if self._is_edge(signal):
                edges[signal.seat].append(signal)
            elif signal is None and not self._look() and not self._pressed():
                return True
        self._look()
        return False

    def _house_press(self, until_ns: int) -> Waiting[str | Unheard]:
        while self._now_ns < until_ns:
            signal = yield until_ns
            if signal and signal.source == HOUSE:
                return signal.control
            if _skips(signal):
                return Unheard.SKIPPED
        return Unheard.SILENT

    def _key(self, until_ns: int) -> Waiting[Signal | Unheard]:
        while self._now_ns < until_ns:
            signal = yield until_ns
            if _skips(signal):
                return Unheard.SKIPPED
            if signal and signal.control in KEYS and signal.source != PC:
                return signal
        return Unheard.SILENT

    def _is_edge(self, signal: Signal | None) -> TypeGuard[Signal]:
        """Tell whether a signal is an edge of a wired buzzer: a touch of the display is none."""
        return bool(signal and signal.control == BUZZ and signal.source != PC and signal.seat not in self._useless)

    def _level(self, place: int) -> list[Signal]:
        """Read the level of a place that reported an edge: its polarity may have been read too late."""
        signals = self._devices.flush(self._now_ns)
        return [signal for signal in signals if LEVEL in signal.flags and signal.seat == place]

    def _look(self) -> bool:
        """Read all levels; tell whether edges wait to be heard, which come by themselves."""
        signals = list(self._devices.flush(self._now_ns))
        self._down.update({signal.seat: signal.pressed for signal in signals if LEVEL in signal.flags})
        return any(self._is_edge(signal) for signal in signals if LEVEL not in signal.flags)

    def _pressed(self) -> list[int]:
        return [place for place, down in sorted(self._down.items()) if down and place not in self._useless]

    # --- What is told ---------------------------------------------------------------------------------------

    def _ask(self, what: Text, place: int | None, *, trouble: bool = False) -> None:
        """Say what to do, below what was found since the last time."""
        self._say(Poster(told(what), tuple(self._told), told(msg("Enter or ok: skip")), trouble), place)
        self._told = []

    def _note(self, name: Text, verdict: Verdict, found: Text, remedy: Text | None = None) -> None:
        self.findings.append(Finding(name, verdict, found, remedy))
        self._told.append(f"{name}: {verdict.word}, {found}.")
        if remedy:
            self._told.append(f"{remedy}.")

    def _line(self, place: int) -> int:
        return self._wiring.buzzers.pins[place]

    def _where(self, place: int) -> Text:
        """Name what a place's buzzer hangs at."""
        if place in self._pods:
            return msg("pod {identity}", identity=self._pods[place])
        return _line(self._line(place))

    def _stuck(self, place: int) -> Text:
        return msg("{where} of seat {n} is pressed all the time", where=self._where(place), n=place + 1)

    def _freeing(self, stuck: Sequence[int]) -> Text:
        if len(stuck) == len(self._devices.places) and not self._pods:
            return msg(
                "All of them: table.toml says it the wrong way round; see active_low, normally_closed and pull in "
                "[buzzers]"
            )
        return msg("Let it go; else look for a jammed button, or for a wire that touches ground")


def _line(number: int) -> Text:
    return msg("line {line}", line=number)


def _buzzer_of(place: int) -> Text:
    return msg("buzzer of seat {n}", n=place + 1)


def _skips(signal: Signal | None) -> bool:
    return signal is not None and signal.seat == TABLE and signal.control in SKIPS
