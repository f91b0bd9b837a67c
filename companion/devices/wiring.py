"""How a table is wired: what of `table.toml` the devices need. Pins are lines of the chip: a Pi's BCM numbers."""

import re
from dataclasses import dataclass, field, fields
from typing import Final

from companion.core.errors import OptionError
from companion.core.move import TABLE
from companion.core.options import option
from companion.core.text import Text, msg

NOT_WIRED: Final = -1

_IDENTITY: Final = re.compile(r"[0-9A-F]*")

SOURCES: Final = ("auto", "gpiod", "lgpio", "rpigpio", "mock")
"""What reads the buzzers; `auto` takes the best that this machine has, and says so when it is not the first."""


@dataclass(frozen=True)
class BuzzerWiring:
    """The buzzers' contacts."""

    source: str = option(
        "auto", msg("what reads the buzzers; auto: the best that this machine has"), choices=SOURCES
    )
    chip: str = option("", msg("the label of the GPIO chip, as `companion doctor` lists it; empty: the Pi's own"))
    pins: tuple[int, ...] = option(
        (17, 27, 22, 23, 24), msg("the line of each seat's buzzer, clockwise"), minimum=0
    )
    pull: str = option(
        "up",
        msg("the resistor inside the chip that holds an open line: at a high level, at a low one, or none"),
        choices=("up", "down", "none"),
    )
    active_low: bool = option(
        True,
        msg("whether the line reads low while the contact is closed, as it does where the button leads to ground"),
    )
    normally_closed: bool = option(False, msg("whether the contact is closed until the button is pressed"))

    @property
    def pressed_low(self) -> bool:
        """Whether a line reads low while its button is pressed."""
        return self.active_low != self.normally_closed


@dataclass(frozen=True)
class LampWiring:
    """The seats' lamps, and the siren that sounds with a verdict."""

    pins: tuple[int, ...] = option((5, 6, 13, 19, 12), msg("the line of each seat's lamp, clockwise"), minimum=0)
    siren: int = option(18, msg("the line of the siren; -1: there is none"), minimum=NOT_WIRED)
    active_low: bool = option(False, msg("whether a lamp is lit by a low level"))


@dataclass(frozen=True)
class HouseWiring:
    """The buttons that belong to no seat, between their line and ground."""

    ok: int = option(
        16,
        msg("the line of the button ok, which confirms and turns a real card; -1: there is none"),
        minimum=NOT_WIRED,
    )
    undo: int = option(
        20, msg("the line of the button undo, which takes the last move back; -1: there is none"), minimum=NOT_WIRED
    )
    pause: int = option(
        21,
        msg("the line of the button pause, which opens the menu of the match; -1: there is none"),
        minimum=NOT_WIRED,
    )
    skip: int = option(
        26,
        msg("the line of the button skip, which gives a card up that nobody calls; -1: there is none"),
        minimum=NOT_WIRED,
    )
    right: int = option(
        NOT_WIRED,
        msg("the line of the button right, when the house judges an answer; -1: there is none"),
        minimum=NOT_WIRED,
    )
    wrong: int = option(
        NOT_WIRED,
        msg("the line of the button wrong, when the house judges an answer; -1: there is none"),
        minimum=NOT_WIRED,
    )
    menu: int = option(
        NOT_WIRED,
        msg("the line of the button menu, which does what pause does; -1: there is none"),
        minimum=NOT_WIRED,
    )

    @property
    def pins(self) -> dict[str, int]:
        """The line of each button that is wired, by its control."""
        wired = {button.name: getattr(self, button.name) for button in fields(self)}
        return {control: pin for control, pin in wired.items() if pin != NOT_WIRED}


@dataclass(frozen=True)
class PadWiring:
    """USB number pads, which are not wired but plugged in: by where, or by their serial number if they have one."""

    seats: tuple[str, ...] = option(
        (),
        msg("each seat's USB number pad, clockwise, by its path (usb-...) or serial number; empty: there is none"),
    )
    house: str = option(
        "", msg("the house's USB number pad, by its path (usb-...) or serial; empty: there is none")
    )

    @property
    def bound(self) -> dict[int, str]:
        """The path or serial number of each pad, by its place; TABLE is the house's."""
        bound = {TABLE: self.house, **dict(enumerate(self.seats))}
        return {place: pad for place, pad in bound.items() if pad}


@dataclass(frozen=True)
class MatrixWiring:
    """A keypad of four rows and four columns, of the house or of one seat."""

    seat: int = option(0, msg("whose keypad it is: a seat's, or with 0 the house's"), minimum=0, maximum=5)
    rows: tuple[int, ...] = option(
        (), msg("the line of each row, from 1 2 3 A down; empty: there is none"), minimum=0
    )
    columns: tuple[int, ...] = option(
        (), msg("the line of each column, from 1 4 7 * to the right; empty: there is none"), minimum=0
    )

    @property
    def place(self) -> int:
        """The place that it belongs to; TABLE is the house's."""
        return self.seat - 1 if self.seat else TABLE


@dataclass(frozen=True)
class PodWiring:
    """The pods: what one seat has in front of it, on a microcontroller of its own."""

    seats: tuple[str, ...] = option(
        (), msg('the identity of each seat\'s pod, clockwise, as `companion pod list` shows it; "": it has none')
    )
    ports: tuple[str, ...] = option(
        (), msg("serial ports where pods may be, beside those of Raspberry Pi Picos on USB")
    )
    drift_ppm: int = option(
        100,
        msg("how fast a pod's clock may drift, in millionths; a board without a crystal needs 5000"),
        minimum=1,
        maximum=20_000,
    )

    def check(self, where: str) -> None:
        """Raise OptionError naming `where` for too many seats, a pod with two, or what is no identity."""
        if len(self.seats) > 5:
            raise OptionError(msg("{where}: [pods]: seats: allowed: up to 5 pods, one a seat", where=where))
        for place, identity in enumerate(self.seats):
            if not _IDENTITY.fullmatch(identity):
                raise OptionError(
                    msg(
                        "{where}: [pods]: seats: {identity!r}; allowed: digits and A to F, as `companion pod list` "
                        "shows them",
                        where=where,
                        identity=identity,
                    )
                )
            if identity and identity in self.seats[:place]:
                raise OptionError(
                    msg(
                        "{where}: [pods]: seats: {identity} has two seats, {one} and {other}; give it one",
                        where=where,
                        identity=identity,
                        one=self.seats.index(identity) + 1,
                        other=place + 1,
                    )
                )


@dataclass(frozen=True)
class Wiring:
    """All devices: what is wired to the chip, the number pads, the pods."""

    buzzers: BuzzerWiring = field(default_factory=BuzzerWiring)
    lamps: LampWiring = field(default_factory=LampWiring)
    house: HouseWiring = field(default_factory=HouseWiring)
    pads: PadWiring = field(default_factory=PadWiring)
    matrix: MatrixWiring = field(default_factory=MatrixWiring)
    pods: PodWiring = field(default_factory=PodWiring)

    @property
    def pod_places(self) -> frozenset[int]:
        """The places that have a pod."""
        return frozenset(place for place, identity in enumerate(self.pods.seats) if identity)

    @property
    def buzzer_places(self) -> frozenset[int]:
        """The places that have a buzzer."""
        return frozenset(range(len(self.buzzers.pins))) | self.pod_places

    @property
    def lamp_places(self) -> frozenset[int]:
        """The places that have a lamp."""
        return frozenset(range(len(self.lamps.pins))) | self.pod_places

    @property
    def keypad_places(self) -> frozenset[int]:
        """The places that have a keypad; TABLE is the house's."""
        matrix = {self.matrix.place} if self.matrix.rows else set()
        return self.pod_places | set(self.pads.bound) | matrix

    def buzzers_used(self) -> list[tuple[Text, int]]:
        """Return the lines of the buzzers."""
        return [(msg("[buzzers] seat {n}", n=seat), pin) for seat, pin in enumerate(self.buzzers.pins, 1)]

    def used(self) -> list[tuple[Text, int]]:
        """Return what each line is for, as `table.toml` names it, and its number."""
        lines = self.buzzers_used()
        lines += [(msg("[lamps] seat {n}", n=seat), pin) for seat, pin in enumerate(self.lamps.pins, 1)]
        if self.lamps.siren != NOT_WIRED:
            lines.append((Text("[lamps] siren"), self.lamps.siren))
        lines += [(msg("[matrix] row {n}", n=row), pin) for row, pin in enumerate(self.matrix.rows, 1)]
        lines += [(msg("[matrix] column {n}", n=column), pin) for column, pin in enumerate(self.matrix.columns, 1)]
        return lines + [(Text(f"[house] {control}"), pin) for control, pin in self.house.pins.items()]

    def check(self, where: str) -> None:
        """Raise OptionError naming `where` when a line or a pad is used twice, or there are too few or too many."""
        self.pods.check(where)
        if len(self.buzzers.pins) > 5:
            raise OptionError(msg("{where}: [buzzers]: pins: allowed: up to 5 lines, one a seat", where=where))
        if len(self.lamps.pins) > 5:
            raise OptionError(msg("{where}: [lamps]: pins: allowed: up to 5 lines, one a seat", where=where))
        if (len(self.matrix.rows), len(self.matrix.columns)) not in {(0, 0), (4, 4)}:
            raise OptionError(msg("{where}: [matrix]: allowed: 4 rows and 4 columns, or none", where=where))
        self._check_pads(where)
        taken: dict[int, Text] = {}
        for use, pin in self.used():
            if pin in taken:
                raise OptionError(
                    msg(
                        "{where}: line {pin} is used twice: {one} and {other}; give each its own",
                        where=where,
                        pin=pin,
                        one=taken[pin],
                        other=use,
                    )
                )
            taken[pin] = use

    def _check_pads(self, where: str) -> None:
        if len(self.pads.seats) > 5:
            raise OptionError(msg("{where}: [pads]: seats: allowed: up to 5 pads, one a seat", where=where))
        pads = list(self.pads.bound.values())
        for pad in pads:
            if pads.count(pad) > 1:
                raise OptionError(
                    msg(
                        "{where}: [pads]: {pad!r} stands there twice; give each place its own", where=where, pad=pad
                    )
                )
