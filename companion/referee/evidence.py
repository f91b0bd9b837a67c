"""The evidence of a verdict as a comment in the record: what was pressed when, how surely, and the margin."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from companion.core.console import Call
from companion.core.errors import RecordError
from companion.core.event import Event, event
from companion.core.move import parse_seat, seat_text
from companion.core.text import msg
from companion.referee.arbiter import Verdict

_CALL: Final = re.compile(
    r"(?P<seat>[1-5]):(?P<control>[a-z0-9*#A-D]+)@(?P<t>-?\d+)\+-(?P<u>\d+)(?P<flags>(?:!\w+)*)"
)


class Evidence(NamedTuple):
    """What a comment says: when the move was made, and for a verdict what it rests on; times in nanoseconds."""

    t_ns: int | None = None
    open_ns: int | None = None
    margin_ns: int | None = None
    calls: tuple[Call, ...] = ()
    early: tuple[Call, ...] = ()


def format_evidence(t_ns: int, verdict: Verdict | None = None, open_ns: int = 0, early: Iterable[Call] = ()) -> str:
    """Return the comment of a move made at `t_ns`; with a verdict, of a race that was open since `open_ns`."""
    words = [f"t_ns={t_ns}"]
    if verdict:
        words.append(f"open_ns={open_ns}")
        if verdict.margin_ns is not None:
            words.append(f"margin_ns={verdict.margin_ns}")
        words += [f"call={_call_text(call)}" for call in verdict.calls]
        words += [f"early={_call_text(call)}" for call in early]
    return " ".join(words)


def parse_evidence(comment: str) -> Evidence:
    """Return what `format_evidence` wrote. Raise RecordError for anything else."""
    numbers: dict[str, int] = {}
    calls: dict[str, list[Call]] = {"call": [], "early": []}
    for word in comment.split():
        key, _, value = word.partition("=")
        if key in calls:
            calls[key].append(_parse_call(value))
        elif key in {"t_ns", "open_ns", "margin_ns"} and value.removeprefix("-").isdecimal():
            numbers[key] = int(value)
        else:
            raise RecordError(msg("{word!r} is no evidence", word=word))
    return Evidence(**numbers, calls=tuple(calls["call"]), early=tuple(calls["early"]))


def verdict_event(verdict: Verdict, open_ns: int) -> Event:
    """Return the announcement of a verdict: its seats, all calls, the margin."""
    return event(
        "verdict",
        seats=tuple(call.seat for call in verdict.winners),
        margin_ns=verdict.margin_ns,
        open_ns=open_ns,
        calls=verdict.calls,
    )


def _call_text(call: Call) -> str:
    flags = "".join(f"!{flag}" for flag in call.flags)
    return f"{seat_text(call.seat)}:{call.control}@{call.t_ns}+-{call.uncertainty_ns}{flags}"


def _parse_call(text: str) -> Call:
    found = _CALL.fullmatch(text)
    if not found:
        raise RecordError(msg("{text!r} is no call; a call is SEAT:CONTROL@T+-U", text=text))
    flags = tuple(found["flags"].split("!")[1:])
    return Call(parse_seat(found["seat"]), int(found["t"]), int(found["u"]), found["control"], flags)
