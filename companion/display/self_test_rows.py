"""The content of the pages of a self-test and of the doctor: plain values."""

from enum import StrEnum
from typing import NamedTuple


class Tried(StrEnum):
    """The state of the test of a device or of a part of one."""

    ABSENT = "absent"
    """The table knows of no such device."""

    WAITING = "waiting"
    WORKS = "works"
    WEAK = "weak"
    WRONG = "wrong"


class PlaceTest(NamedTuple):
    """What a self-test has heard at one place. While its buzzer is `held`, its lamp is on.

    `keys` are those that were heard, the newest last; `lines` are the measurements in words.
    """

    buzzer: Tried = Tried.ABSENT
    keypad: Tried = Tried.ABSENT
    lamp: bool = False
    held: bool = False
    keys: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class SelfTest(NamedTuple):
    """A table that tests itself: all places, the house's controls, sound, clock, and the screen itself.

    `heard` says what was heard last, `troubles` lists the known faults. `house` are the controls of the house,
    `pad` is its keypad. `wall` is the time of day, `stamps` says where timestamps come from, `look` what to check
    on the screen.
    """

    heard: str
    places: tuple[PlaceTest, ...]
    house: tuple[tuple[str, Tried], ...]
    pad: PlaceTest
    troubles: tuple[str, ...]
    sound: tuple[Tried, str]
    wall: str
    stamps: tuple[Tried, str]
    look: str
    hint: tuple[str, ...]


class Found(NamedTuple):
    """One finding of the doctor, with its remedy if there is one."""

    tried: Tried
    said: str
    remedy: str = ""


class Findings(NamedTuple):
    """The doctor's findings, beside the places of the self-test.

    The display shows as many as fit: page number `page`, counted from 0; the first page follows the last.
    """

    title: str
    rows: tuple[Found, ...]
    page: int
    places: tuple[PlaceTest, ...]
    hint: tuple[str, ...]
