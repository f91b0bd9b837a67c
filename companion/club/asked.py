"""What a club may ask of a table, as values; nothing else that a broker says is heard."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from companion.club.topics import whole_number
from companion.core.limits import SENTENCE_SIGNS

NAME_SIGNS: Final = 40
MOST_PLAYERS: Final = 5
LAST_ROUND: Final = 999


class TableCall(NamedTuple):
    """Who is to sit down at this table, in which round of which tournament."""

    tournament: str
    round: int
    game: str
    players: tuple[str, ...]


class Pause(NamedTuple):
    """The table is asked to pause its match."""


class Note(NamedTuple):
    """A sentence for everybody at the table."""

    text: str


Asked = TableCall | Pause | Note | None
"""What a message asks for; None is that nobody is called any more."""


def read_asked(kind: str, found: Mapping[str, Any]) -> Asked:
    """Return what a message asks for. Raise one of `topics.NO_MESSAGE` for one that asks for nothing."""
    if kind == "pause":
        return Pause()
    if kind == "message":
        return Note(_words(found["text"], SENTENCE_SIGNS))
    if not found.get("players"):
        return None
    players = tuple(_words(name, NAME_SIGNS) for name in found["players"])
    if not 2 <= len(players) <= MOST_PLAYERS or len(set(players)) < len(players):
        raise ValueError(f"{len(players)} players")
    number = whole_number(found["round"], 1, LAST_ROUND)
    return TableCall(_words(found["tournament"], NAME_SIGNS), number, str(found["game"]), players)


def _words(found: object, most: int) -> str:
    if not isinstance(found, str) or not found.strip() or not found.isprintable() or len(found) > most:
        raise ValueError(f"{found!r:.60}: this is no text of up to {most} signs")
    return found
