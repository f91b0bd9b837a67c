"""The notation of a match as text, similar to PGN. docs/notation.md is the specification."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from companion.core.console import Call
from companion.core.errors import RecordError
from companion.core.limits import DIGITS
from companion.core.seats import parse_seat, seat_text
from companion.core.text import msg

_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_.]*) "((?:[^"\\]|\\.)*)"\]')
_ENTRY = re.compile(
    r"(?:(?P<number>[1-9][0-9]{0,8})\. (?P<move>[^{};]+?)"
    r"|undo (?P<undo>[1-9][0-9]{0,8})"
    r"|amend (?P<amend>[1-9][0-9]{0,8})\. (?P<amended>[^{};]+?))"
    r"(?: \{(?P<comment>[^{}]*)\})?"
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_UNESCAPES = {escaped[1]: plain for plain, escaped in _ESCAPES.items()}
_CALL: Final = re.compile(
    r"(?P<seat>[1-5]):(?P<control>[a-z0-9*#A-D]+)"
    rf"@(?P<t>-?\d{{1,{DIGITS}}})\+-(?P<u>\d{{1,{DIGITS}}})(?P<flags>(?:!\w+)*)",
    re.ASCII,
)
_NUMBER: Final = re.compile(rf"-?[0-9]{{1,{DIGITS}}}")


class Evidence(NamedTuple):
    """When a move was made and, for a verdict, the presses behind it; in nanoseconds.

    Calls count from `open_ns`. `margin_ns` is the distance of the two earliest `calls`, None for a single caller.
    `early` are false starts, `spikes` contacts too short for a press. `key_move` is the index among the moves of
    one key, from the second on. Its text is the comment in a record.
    """

    t_ns: int | None = None
    open_ns: int | None = None
    margin_ns: int | None = None
    calls: tuple[Call, ...] = ()
    early: tuple[Call, ...] = ()
    spikes: tuple[Call, ...] = ()
    key_move: int | None = None

    def __str__(self) -> str:
        times = zip(self._fields[:3], self[:3], strict=True)
        words = [f"{key}={value}" for key, value in times if value is not None]
        words += [f"call={_call_text(call)}" for call in self.calls]
        words += [f"early={_call_text(call)}" for call in self.early]
        words += [f"spike={_call_text(call)}" for call in self.spikes]
        words += [] if self.key_move is None else [f"key={self.key_move}"]
        return " ".join(words)


Comment = Evidence | str


def read_comment(text: str) -> Comment:
    """Parse a comment; free text is returned unchanged."""
    found: dict[str, list[int]] = {"t_ns": [], "open_ns": [], "margin_ns": [], "key": []}
    calls: dict[str, list[Call]] = {"call": [], "early": [], "spike": []}
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
    t_ns, open_ns, margin_ns, key_move = (numbers[0] if numbers else None for numbers in found.values())
    counted, early, spikes = map(tuple, calls.values())
    evidence = Evidence(t_ns, open_ns, margin_ns, counted, early, spikes, key_move)
    return evidence if str(evidence) == text else text  # another order or leading zeros: nothing is lost


def _call_text(call: Call) -> str:
    flags = "".join(f"!{flag}" for flag in call.flags)
    return f"{seat_text(call.seat)}:{call.control}@{call.t_ns}+-{call.uncertainty_ns}{flags}"


class Entry(NamedTuple):
    """One line of a record.

    `kind` is `move`, `undo` or `amend`. `number` is the move's number in the current line, counted from 1; for an
    undo, the number of moves undone. `move` is the move's text, empty for an undo.
    """

    kind: str
    number: int
    move: str = ""
    comment: Comment = ""

    @property
    def evidence(self) -> Evidence:
        return self.comment if isinstance(self.comment, Evidence) else Evidence()

    def __str__(self) -> str:
        if self.kind == "undo":
            text = f"undo {self.number}"
        elif self.kind == "amend":
            text = f"amend {self.number}. {self.move}"
        else:
            text = f"{self.number}. {self.move}"
        comment = str(self.comment)
        return f"{text} {{{comment}}}" if comment else text


@dataclass(frozen=True)
class Record:
    """A match as text: tags and entries."""

    tags: Mapping[str, str]
    entries: tuple[Entry, ...] = ()

    def __str__(self) -> str:
        return print_record(self.tags, self.entries)


def print_record(tags: Mapping[str, str], entries: Iterable[Entry]) -> str:
    lines = [print_tag(name, value) for name, value in tags.items()]
    return "\n".join([*lines, "", *map(str, entries)]) + "\n"


def print_tag(name: str, value: str) -> str:
    return f'[{name} "{"".join(_ESCAPES.get(char, char) for char in value)}"]'


def parse_tag(line: str, number: int | None = None) -> tuple[str, str]:
    """Return name and value of a tag line. Raise RecordError with the line's `number`."""
    found = _TAG.fullmatch(line)
    if not found:
        raise RecordError(msg('{line!r} is not a tag; expected [Name "value"]', line=line), number)
    name, value = found.groups()
    return name, re.sub(r"\\(.)", lambda escape: _UNESCAPES.get(escape[1], escape[1]), value)


def parse_entry(line: str, number: int | None = None) -> Entry:
    """Parse an entry line. Raise RecordError with the line's `number`."""
    found = _ENTRY.fullmatch(line)
    if not found:
        raise RecordError(
            msg(
                "{line!r} is not an entry; expected N. MOVE, undo N or amend N. MOVE, then {{a comment}}",
                line=line,
            ),
            number,
        )
    comment = read_comment(found["comment"] or "")
    if found["undo"]:
        return Entry("undo", int(found["undo"]), "", comment)
    if found["amend"]:
        return Entry("amend", int(found["amend"]), found["amended"], comment)
    return Entry("move", int(found["number"]), found["move"], comment)


def parse_record(text: str) -> Record:
    """Parse a record. Remarks from `;` on are ignored. Raise RecordError with the line number."""
    tags: dict[str, str] = {}
    entries: list[Entry] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = without_remark(raw).strip()
        if not line:
            continue
        if not line.startswith("["):
            entries.append(parse_entry(line, number))
            continue
        name, value = parse_tag(line, number)
        if name in tags or entries:
            raise RecordError(msg("line {number}: tag {name} is out of place", number=number, name=name), number)
        tags[name] = value
    return Record(tags, tuple(entries))


def without_remark(line: str) -> str:
    """Remove a remark from `;` on, outside tag values and comments."""
    if ";" not in line:
        return line
    quoted = braced = False
    escaped = False
    for place, char in enumerate(line):
        if escaped:
            escaped = False
        elif quoted:
            escaped = char == "\\"
            quoted = char != '"'
        elif braced:
            braced = char != "}"
        elif char == ";":
            return line[:place]
        else:
            quoted = char == '"'
            braced = char == "{"
    return line
