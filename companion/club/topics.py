"""MQTT topics and messages between a table and its club (docs/club.md).

Messages contain only public information. Their times are not evidence.
"""

import json
import logging
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from companion.club import views
from companion.core.event import Event, to_json
from companion.core.game import FewestLead
from companion.core.limits import SENTENCE_SIGNS
from companion.core.match import Match
from companion.core.move import Seat, by_seat
from companion.core.names import read_name
from companion.core.place import MOST_PLACES, Place
from companion.core.rules import State
from companion.core.tags import is_demo, is_lesson
from companion.core.text import printable, shortened
from companion.records.facts import is_handicapped
from companion.referee.events import Verdict

VERSION: Final = 1
"""Version of the messages. Readers refuse others."""

VIEW_BYTES: Final = 12_288
MESSAGE_BYTES: Final = 65_536
"""Maximum length of a message."""

ONLINE: Final = "online"
STATE: Final = "state"
EVENT: Final = "event"
VERDICT: Final = "verdict"
RESULT: Final = "result"
RESULTS: Final = "results"
CALL: Final = "call"
PAUSE: Final = "do/pause"
MESSAGE: Final = "do/message"

NO_MESSAGE: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError)
"""Exceptions that parsing an invalid message raises."""

log = logging.getLogger(__name__)

Message = dict[str, object]

LONGEST_NAME: Final = 32
NAME_SIGNS: Final = 40
LAST_ROUND: Final = 999


class Outgoing(NamedTuple):
    """A message under the table's topic `kind`."""

    kind: str
    message: Message
    kept: bool = False
    sure: bool = False
    """Whether it is sent until the broker confirms it."""


def table_topic(name: str) -> str:
    """Return the name in lower-case letters, digits and hyphens, or "table"."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_NAME].strip("-") or "table"


def payload(message: Mapping[str, object]) -> bytes:
    return plain_json({"v": VERSION, **message})


def plain_json(message: Mapping[str, object]) -> bytes:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def read_payload(data: bytes) -> dict[str, Any]:
    """Parse a message. Raise ValueError if it is invalid or of another version."""
    if len(data) > MESSAGE_BYTES:
        raise ValueError(f"it has {len(data)} bytes, more than {MESSAGE_BYTES}")
    try:
        found = json.loads(data)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(found, dict) or found.get("v") != VERSION:
        raise ValueError(f"this is no message of version {VERSION}")
    return found


def whole_number(found: object, least: int, most: int) -> int:
    """Validate an integer. Raise ValueError, also for true, 1e999 and Infinity."""
    if type(found) is not int or not least <= found <= most:
        raise ValueError(f"{found!r:.40} is no whole number from {least} to {most}")
    return found


def log_refused(topic: str, error: Exception) -> None:
    """Log an invalid message, shortened."""
    log.warning(
        "[club]: %s: %s", printable(shortened(topic)), printable(shortened(f"{type(error).__name__}: {error}"))
    )


def online(name: str, program: str, since_s: int) -> Outgoing:
    return Outgoing(
        ONLINE, {"online": True, "name": name, "program": program, "since_s": since_s}, kept=True, sure=True
    )


def gone(name: str) -> Outgoing:
    """Return the last will."""
    return Outgoing(ONLINE, {"online": False, "name": name}, kept=True, sure=True)


def no_match() -> Outgoing:
    return Outgoing(STATE, {"match": None}, kept=True)


def state(
    record: str, match: Match, position: State, places: Sequence[Place], turn: Sequence[Seat], *, since_s: int
) -> Outgoing:
    game = match.game
    view = game.rules.view(position, None)
    outcome = game.rules.outcome(position)
    scores = game.teller.score(view)
    told: Message = {
        "match": record,
        "game": game.name,
        "game_name": game.title.msgid,
        "players": list(match.names),
        "places": [place + 1 for place in places],
        "turn": _seats(turn),
        "scores": list(scores),
        "leads": _seats(leading(scores, fewest=isinstance(game.teller, FewestLead) and game.teller.FEWEST_LEAD)),
        "since_s": since_s,
        "moves": match.length,
        "over": outcome is not None,
    }
    if outcome:
        told["ranking"] = [_seats(shared) for shared in outcome.ranking]
    if match.box_text == game.box_text:
        board = views.as_json(view)
        if len(json.dumps(board)) <= VIEW_BYTES:
            told["view"] = board
    return Outgoing(STATE, told, kept=True)


def event(record: str, step: int, t_ns: int, event: Event) -> Outgoing:
    """Return a public event. Raise ValueError for a secret one."""
    if not event.visible_to(None):
        raise ValueError(f"{event.kind} is not for everybody")
    return Outgoing(EVENT, {"match": record, "step": step, **to_json(t_ns, event)})


def verdict(record: str, step: int, names: Sequence[str], colours: Sequence[str], found: Verdict) -> Outgoing:
    """Return all calls with their delays. `colours` are the seats', as `#rrggbb`."""
    first_ns = found.calls[0].t_ns
    order = [
        {
            "seat": call.seat + 1,
            "player": names[call.seat],
            "colour": colours[call.seat],
            "after_ns": call.t_ns - first_ns,
            "uncertainty_ns": call.uncertainty_ns,
        }
        for call in found.calls
    ]
    return Outgoing(
        VERDICT,
        {
            "match": record,
            "step": step,
            "first": _seats(found.seats),
            "tie": len(found.seats) > 1,
            "margin_ns": found.margin_ns,
            "order": order,
        },
    )


def result(record: str, match: Match, ended_s: int = 0) -> Message | None:
    """Return a match's result, or None for an unfinished match, a demo or a lesson."""
    outcome = match.outcome
    if outcome is None or is_demo(match) or is_lesson(match):
        return None
    return {
        "match": record,
        "revision": 1,
        "game": match.game.name,
        "players": list(match.names),
        "scores": list(match.game.teller.score(match.view())),
        "ranking": [_seats(shared) for shared in outcome.ranking],
        "moves": match.length,
        "handicapped": is_handicapped(match),
        "ended_s": ended_s,
    }


def leading(scores: Sequence[int | None], *, fewest: bool) -> list[Seat]:
    """Return the seats with the best score, or [] if all are equal."""
    known = [score for score in scores if score is not None]
    if len(set(known)) < 2:
        return []
    best = min(known) if fewest else max(known)
    return [seat for seat, score in by_seat(scores) if score == best]


def _seats(seats: Sequence[Seat]) -> list[int]:
    return [seat + 1 for seat in seats if seat >= 0]


# --- Requests ---------------------------------------------------------------------------------------------


class TableCall(NamedTuple):
    """A request to these players to sit down."""

    tournament: str
    round: int
    game: str
    players: tuple[str, ...]


class PauseRequest(NamedTuple):
    """A request to pause the match."""


class Note(NamedTuple):
    """A sentence for everybody at the table."""

    text: str


Asked = TableCall | PauseRequest | Note | None
"""A request. None withdraws a call."""


def read_asked(kind: str, found: Mapping[str, Any]) -> Asked:
    """Parse a request. Raise one of NO_MESSAGE."""
    if kind == "pause":
        return PauseRequest()
    if kind == "message":
        return Note(_words(found["text"], SENTENCE_SIGNS))
    if not found.get("players"):
        return None
    players = tuple(map(read_name, found["players"]))
    if not 2 <= len(players) <= MOST_PLACES or len(set(players)) < len(players):
        raise ValueError(f"{len(players)} players")
    number = whole_number(found["round"], 1, LAST_ROUND)
    return TableCall(_words(found["tournament"], NAME_SIGNS), number, str(found["game"]), players)


def _words(found: object, most: int) -> str:
    if not isinstance(found, str) or not found.strip() or not found.isprintable() or len(found) > most:
        raise ValueError(f"{found!r:.60}: this is no text of up to {most} signs")
    return found
