"""The content of the self-test's and the doctor's pages, as plain values."""

from enum import StrEnum
from typing import NamedTuple


class Tried(StrEnum):
    """The test result of a device or of a part."""

    ABSENT = "absent"
    """The table has no such device."""

    WAITING = "waiting"
    WORKS = "works"
    WEAK = "weak"
    WRONG = "wrong"


class PlaceTest(NamedTuple):
    """The self-test of a place. Its lamp is on while its buzzer is `held`. The newest of `keys` is the last."""

    buzzer: Tried = Tried.ABSENT
    keypad: Tried = Tried.ABSENT
    lamp: bool = False
    held: bool = False
    keys: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class SelfTest(NamedTuple):
    """The self-test of a table.

    `pad` is the house's keypad, `wall` the time of day. `stamps` says where timestamps come from, `look` what to
    check on the screen.
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
    """A finding of the doctor."""

    tried: Tried
    said: str
    remedy: str = ""


class Findings(NamedTuple):
    """The doctor's findings, with the places of the self-test. `page` counts from 0 and wraps around."""

    title: str
    rows: tuple[Found, ...]
    page: int
    places: tuple[PlaceTest, ...]
    hint: tuple[str, ...]
