"""The evidence of an entry, its comment in the record: when the move was made and what a verdict rests on."""

import re
from typing import Final, NamedTuple

from companion.core.console import Call
from companion.core.move import parse_seat, seat_text

_CALL: Final = re.compile(
    r"(?P<seat>[1-5]):(?P<control>[a-z0-9*#A-D]+)@(?P<t>-?\d+)\+-(?P<u>\d+)(?P<flags>(?:!\w+)*)", re.ASCII
)
_NUMBER: Final = re.compile(r"-?[0-9]+")


class Evidence(NamedTuple):
    """When a move was made, and for a verdict since when calls counted and what was pressed; in nanoseconds.

    `margin_ns` is the distance between the two earliest of the `calls`, None where one seat alone called. `early`
    are the false starts before. Its text is the comment that a record has for it.
    """

    t_ns: int | None = None
    open_ns: int | None = None
    margin_ns: int | None = None
    calls: tuple[Call, ...] = ()
    early: tuple[Call, ...] = ()

    def __str__(self) -> str:
        times = zip(self._fields[:3], self[:3], strict=True)
        words = [f"{key}={value}" for key, value in times if value is not None]
        words += [f"call={_call_text(call)}" for call in self.calls]
        words += [f"early={_call_text(call)}" for call in self.early]
        return " ".join(words)


Comment = Evidence | str
"""What stands in the braces of an entry: evidence, or whatever somebody wrote by hand."""


def read_comment(text: str) -> Comment:
    """Return the evidence that a comment is; the comment as it stands where it is none."""
    found: dict[str, list[int]] = {"t_ns": [], "open_ns": [], "margin_ns": []}
    calls: dict[str, list[Call]] = {"call": [], "early": []}
    for word in text.split(" "):
        key, _, value = word.partition("=")
        if key in found and _NUMBER.fullmatch(value):
            found[key].append(int(value))
        elif key in calls and (call := _CALL.fullmatch(value)):
            flags = tuple(call["flags"].split("!")[1:])
            calls[key].append(
                Call(parse_seat(call["seat"]), int(call["t"]), int(call["u"]), call["control"], flags)
            )
        else:
            return text
    t_ns, open_ns, margin_ns = (numbers[0] if numbers else None for numbers in found.values())
    evidence = Evidence(t_ns, open_ns, margin_ns, tuple(calls["call"]), tuple(calls["early"]))
    return evidence if str(evidence) == text else text  # another order, a zero in front: not one digit is lost


def _call_text(call: Call) -> str:
    flags = "".join(f"!{flag}" for flag in call.flags)
    return f"{seat_text(call.seat)}:{call.control}@{call.t_ns}+-{call.uncertainty_ns}{flags}"
