"""The sections of `table.toml` for GPIO lines.

Pins are line numbers of the chip, on a Raspberry Pi BCM numbers.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

from companion.core.errors import OptionError
from companion.core.options import option
from companion.core.place import HOUSE, Place, by_place
from companion.core.text import Text, msg
from companion.devices.driver import DeviceOptions, Part

NOT_WIRED: Final = -1

SOURCES: Final = ("auto", "gpiod", "lgpio", "rpigpio", "mock")
"""`auto` uses the best source available and warns if that is not the first."""


def _line(pin: int) -> Text:
    return msg("line {line}", line=pin)


@dataclass(frozen=True)
class BuzzerWiring(DeviceOptions):
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
        msg("the resistor inside the chip that pulls an open line up or down, or none"),
        choices=("up", "down", "none"),
    )
    active_low: bool = option(
        True,
        msg("whether the line reads low while the contact is closed, as with a button to ground"),
    )
    normally_closed: bool = option(False, msg("whether the contact is closed until the button is pressed"))

    @property
    def pressed_low(self) -> bool:
        return self.active_low != self.normally_closed

    @property
    def buzzers(self) -> Mapping[Place, Part]:
        return {place: self._part(pin) for place, pin in by_place(self.pins)}

    @property
    def lines(self) -> Sequence[tuple[Text, int]]:
        return [(msg("[buzzers] seat {n}", n=seat), pin) for seat, pin in enumerate(self.pins, 1)]

    def check(self, where: str) -> None:
        if len(self.pins) > 5:
            raise OptionError(msg("{where}: [buzzers]: pins: allowed: up to 5 lines, one a seat", where=where))

    def _part(self, pin: int) -> Part:
        silent = msg(
            "Check the wire from {where} through the button to ground, or remove the line from [buzzers] pins",
            where=_line(pin),
        )
        all_down = msg(
            "All of them: the levels in table.toml are inverted; see active_low, normally_closed and pull in "
            "[buzzers]"
        )
        return Part(_line(pin), silent, "buzzers", "pins", str(pin), all_down)


@dataclass(frozen=True)
class LampWiring(DeviceOptions):
    """The seats' lamps, and the siren for verdicts."""

    pins: tuple[int, ...] = option((5, 6, 13, 19, 12), msg("the line of each seat's lamp, clockwise"), minimum=0)
    siren: int = option(18, msg("the line of the siren; -1: there is none"), minimum=NOT_WIRED)
    active_low: bool = option(False, msg("whether a lamp is lit by a low level"))

    @property
    def lamps(self) -> Mapping[Place, Part]:
        return {place: self._part(pin) for place, pin in by_place(self.pins)}

    @property
    def lines(self) -> Sequence[tuple[Text, int]]:
        lines = [(msg("[lamps] seat {n}", n=seat), pin) for seat, pin in enumerate(self.pins, 1)]
        return lines if self.siren == NOT_WIRED else [*lines, (Text("[lamps] siren"), self.siren)]

    def check(self, where: str) -> None:
        if len(self.pins) > 5:
            raise OptionError(msg("{where}: [lamps]: pins: allowed: up to 5 lines, one a seat", where=where))

    def _part(self, pin: int) -> Part:
        dark = msg("Check lamp, resistor, the wire from {where}, and [lamps] active_low", where=_line(pin))
        return Part(_line(pin), dark, "lamps", "pins", str(pin))


def _button(line: int, said: Text) -> int:
    return option(line, said, minimum=NOT_WIRED)


@dataclass(frozen=True)
class HouseWiring(DeviceOptions):
    """The house's buttons, each between its line and ground."""

    ok: int = _button(16, msg("the line of the button ok, which confirms and turns a real card; -1: there is none"))
    undo: int = _button(20, msg("the line of the button undo, which takes the last move back; -1: there is none"))
    pause: int = _button(
        21, msg("the line of the button pause, which opens the menu of the match; -1: there is none")
    )
    skip: int = _button(
        26, msg("the line of the button skip, which skips a card that nobody calls; -1: there is none")
    )
    right: int = _button(
        NOT_WIRED, msg("the line of the button right, when the house judges an answer; -1: there is none")
    )
    wrong: int = _button(
        NOT_WIRED, msg("the line of the button wrong, when the house judges an answer; -1: there is none")
    )
    menu: int = _button(
        NOT_WIRED, msg("the line of the button menu, which does the same as pause; -1: there is none")
    )

    @property
    def pins(self) -> dict[str, int]:
        """Wired lines, by control."""
        wired = {button.name: getattr(self, button.name) for button in fields(self)}
        return {control: pin for control, pin in wired.items() if pin != NOT_WIRED}

    @property
    def controls(self) -> Mapping[str, Part]:
        return {control: self._part(control, pin) for control, pin in self.pins.items()}

    @property
    def lines(self) -> Sequence[tuple[Text, int]]:
        return [(Text(f"[house] {control}"), pin) for control, pin in self.pins.items()]

    def _part(self, control: str, pin: int) -> Part:
        silent = msg(
            "Check the wire from line {line} through the button to ground; -1 in [house] if there is none", line=pin
        )
        return Part(_line(pin), silent, "house", control, str(pin))


@dataclass(frozen=True)
class MatrixWiring(DeviceOptions):
    """A 4 x 4 keypad of the house or of one seat."""

    seat: int = option(0, msg("whose keypad it is: a seat's, or with 0 the house's"), minimum=0, maximum=5)
    rows: tuple[int, ...] = option(
        (), msg("the line of each row, from 1 2 3 A down; empty: there is none"), minimum=0
    )
    columns: tuple[int, ...] = option(
        (), msg("the line of each column, from 1 4 7 * to the right; empty: there is none"), minimum=0
    )

    @property
    def place(self) -> Place:
        return Place(self.seat - 1) if self.seat else HOUSE

    @property
    def keypad_places(self) -> Collection[Place]:
        return {self.place} if self.rows else ()

    @property
    def lines(self) -> Sequence[tuple[Text, int]]:
        rows = [(msg("[matrix] row {n}", n=row), pin) for row, pin in enumerate(self.rows, 1)]
        return rows + [(msg("[matrix] column {n}", n=column), pin) for column, pin in enumerate(self.columns, 1)]

    def check(self, where: str) -> None:
        if (len(self.rows), len(self.columns)) not in {(0, 0), (4, 4)}:
            raise OptionError(msg("{where}: [matrix]: allowed: 4 rows and 4 columns, or none", where=where))
