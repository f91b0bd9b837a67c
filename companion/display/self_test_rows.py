"""What the pages of a self-test and of the doctor are told to show: plain values."""

from enum import StrEnum
from typing import NamedTuple


class Tried(StrEnum):
    """How far a device, or a part of one, was tested."""

    ABSENT = "absent"
    """There is none, as far as the table knows."""

    WAITING = "waiting"
    WORKS = "works"
    WEAK = "weak"
    WRONG = "wrong"


class PlaceTest(NamedTuple):
    """What a self-test has heard at one place; `held` is whether its buzzer is down, and so its lamp on.

    `keys` are those that were heard once at least, the newest last; `lines` say in words what was measured.
    """

    buzzer: Tried = Tried.ABSENT
    keypad: Tried = Tried.ABSENT
    lamp: bool = False
    held: bool = False
    keys: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class SelfTest(NamedTuple):
    """A table that tests itself: all places, the house's controls, sound, clock, and the screen itself.

    `heard` says what was heard last, `troubles` what is known to be wrong. `house` are the controls of the house
    and `pad` its keypad. `wall` is the time of day, `stamps` says where the times of presses come from. `look` says
    what must be seen on the screen.
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
    """One finding of the doctor: what was found, and what to do about it, if something is."""

    tried: Tried
    said: str
    remedy: str = ""


class Findings(NamedTuple):
    """What the doctor has found, beside the places of the self-test it belongs to.

    The display shows as many as fit: the page of that number, counted on from 0; after the last comes the first.
    """

    title: str
    rows: tuple[Found, ...]
    page: int
    places: tuple[PlaceTest, ...]
    hint: tuple[str, ...]
