"""The greeting of a pod, and what a link reports."""

import re
from typing import Final, NamedTuple

from companion.core.place import Place
from companion.core.text import Text
from companion.devices.pods.sentences import Sentence

VERSION: Final = "1"
"""The supported protocol version."""

SAFE_MODE: Final = "0"
"""The version that a pod in safe mode reports."""

PROVES: Final = "P"
"""The capability of a pod with a key."""

_NUMBER: Final = re.compile(r"[0-9]{1,18}")


class Hello(NamedTuple):
    """A pod's greeting."""

    version: str
    identity: str
    firmware: str = ""
    capabilities: str = ""
    boot: str = ""
    next: int = 0
    session: str = ""


def read_hello(heard: Sentence) -> Hello | None:
    """Parse a HEL, or return None. Of another version, only version and identity are read."""
    if heard.kind != "HEL" or len(heard.fields) < 2 or not heard.fields[1]:
        return None
    if heard.fields[0] != VERSION:
        return Hello(heard.fields[0], heard.fields[1])
    if len(heard.fields) != 7:
        return None
    version, identity, firmware, capabilities, boot, first, session = heard.fields
    number = number_in(first)
    return Hello(version, identity, firmware, capabilities, boot, number, session) if number and boot else None


class EdgeReport(NamedTuple):
    """A change of the buzzer; `refused` if its timestamp is too old or in the future."""

    t_ns: int
    uncertainty_ns: int
    pressed: bool
    refused: bool = False


class KeyReport(NamedTuple):
    """A key press; `refused` as for an edge."""

    t_ns: int
    uncertainty_ns: int
    key: str
    refused: bool = False


class Level(NamedTuple):
    """The buzzer's level at a time before which all events have been reported; `vague` if events were lost."""

    t_ns: int
    uncertainty_ns: int
    pressed: bool
    vague: bool = False


class Dropped(NamedTuple):
    """The pod ran out of room for events."""

    events: int


class Back(NamedTuple):
    """The pod answers and its clock is known."""


class Away(NamedTuple):
    """The pod cannot be relied on."""

    why: Text


class Foreign(NamedTuple):
    """Somebody else sends at the port of a proved pod; reported once a session."""


class Coarse(NamedTuple):
    """Its clock is too coarse: presses count when they arrive."""

    grain_us: int


class Named(NamedTuple):
    """The name that its player typed."""

    name: str


class Sits(NamedTuple):
    """Its player asks for another place."""

    place: Place


Report = EdgeReport | KeyReport | Level | Dropped | Back | Away | Foreign | Coarse | Named | Sits


def number_in(field: str) -> int | None:
    """Parse a number, or return None."""
    return int(field) if _NUMBER.fullmatch(field) else None
