"""The greeting of a pod, and the reports of a conversation with it."""

import re
from typing import Final, NamedTuple

from companion.core.place import Place
from companion.core.text import Text
from companion.devices.pods.sentences import Sentence

VERSION: Final = "1"
"""The version of the protocol that is spoken here; the times below are those of docs/pod-protocol.md."""

PROVES: Final = "P"
"""The capability of a pod that has a key: it can prove who it is."""

_NUMBER: Final = re.compile(r"[0-9]{1,18}")


class Hello(NamedTuple):
    """How a pod introduces itself."""

    version: str
    identity: str
    firmware: str = ""
    capabilities: str = ""
    boot: str = ""
    next: int = 0
    session: str = ""


def read_hello(heard: Sentence) -> Hello | None:
    """Return the contents of a HEL; for another version only version and identity. None for any other sentence."""
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
    """The buzzer's contact closed or opened; `refused` when it is dated further back than is believed, or ahead."""

    t_ns: int
    uncertainty_ns: int
    pressed: bool
    refused: bool = False


class KeyReport(NamedTuple):
    """A key was pressed; `refused` as of an edge."""

    t_ns: int
    uncertainty_ns: int
    key: str
    refused: bool = False


class Level(NamedTuple):
    """Whether the buzzer was pressed at a moment; everything that this pod stamped before it has been told.

    `vague` when no event tells it: since when it is so, nobody knows.
    """

    t_ns: int
    uncertainty_ns: int
    pressed: bool
    vague: bool = False


class Dropped(NamedTuple):
    """Events are missing: the pod had no room left for them."""

    events: int


class Back(NamedTuple):
    """The pod can be relied on: it answers, and its clock is known."""


class Away(NamedTuple):
    """The pod cannot be relied on."""

    why: Text


class Foreign(NamedTuple):
    """Somebody else has spoken at the port of a pod that proves what it says, for the first time since it came."""


class Coarse(NamedTuple):
    """Its clock is coarser than any that is believed: what is pressed there counts from its arrival."""

    grain_us: int


class Named(NamedTuple):
    """The name that somebody has typed there, as they have typed it."""

    name: str


class Sits(NamedTuple):
    """Its player wants to sit at another place."""

    place: Place


Report = EdgeReport | KeyReport | Level | Dropped | Back | Away | Foreign | Coarse | Named | Sits


def number_in(field: str) -> int | None:
    """Return a sentence's field as a number; None if it is not one."""
    return int(field) if _NUMBER.fullmatch(field) else None
