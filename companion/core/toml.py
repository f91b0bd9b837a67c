"""Reads TOML from untrusted files and writes values: text that is too large, too deep or not TOML is an error."""

import re
import tomllib
from collections.abc import Iterable
from typing import Any, Final

from companion.core import limits
from companion.core.text import CONTROLS, Text, msg, printable

_PLACE: Final = re.compile(
    r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL
)
"""A message of tomllib, with the place that it names."""

_NEAR: Final = 30
"""Context characters shown on each side of an error."""

_WORDS: Final = (
    ("Cannot declare", msg("this section stands there twice; make one of both")),
    ("Cannot overwrite", msg("this option stands there twice; take one out")),
    ("Duplicate inline table key", msg("this option stands there twice; take one out")),
    (
        "Invalid value",
        msg('this is no value; allowed: true, false, a number, a text between ", or a list between [ ]'),
    ),
    ("Invalid statement", msg("a line begins with the name of an option, with [ or with #")),
    ("Unclosed array", msg("a list has no ] at its end, or no comma before this")),
    ("Unclosed inline table", msg("what begins with a brace has none at its end, or no comma before this")),
    ("Illegal character '\\n'", msg('a text has no " at its end')),
    ("Unterminated string", msg("a text has no end; it ends as it begins")),
    ("Unescaped '\\'", msg("a \\ in a text is written twice: \\\\")),
    ("Expected '=' after a key", msg("between the name of an option and its value stands =")),
    ("Expected ']' at the end of a table", msg("the name of a section stands between [ and ]")),
    (
        "Expected newline or end of document",
        msg("a line ends after its value; the next option has a line of its own"),
    ),
)
"""The frequent messages of tomllib by their beginnings, and what to do about each."""


class TomlError(ValueError):
    """Error raised for a text that is not TOML or exceeds a limit; `text` says why."""

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


def parse_toml(text: str) -> dict[str, Any]:
    """Return the values of a TOML text. Raise TomlError."""
    if len(text.encode("utf-8", "replace")) > limits.TOML_BYTES:
        raise TomlError(msg("it is larger than {n} bytes, more than is ever read", n=limits.TOML_BYTES))
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > limits.TOML_LINE_SIGNS:
            raise TomlError(msg("line {line} is longer than {n} signs", line=number, n=limits.TOML_LINE_SIGNS))
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise TomlError(_too_deep()) from None
    except ValueError as error:  # not TOML, an impossible date, or a number too long for Python
        raise TomlError(_explained(text, str(error))) from error
    _hold(found)
    return found


def _explained(text: str, said: str) -> Text:
    """Translate a message of tomllib about a text, with the place and what is there."""
    found = _PLACE.fullmatch(said)
    if not found:
        return _why(said)
    lines = text.replace("\r\n", "\n").split("\n")
    if found["line"]:
        line, column = int(found["line"]), int(found["column"])
    else:
        line = max(number for number, each in enumerate(lines, 1) if each.strip())
        column = len(lines[line - 1]) + 1
    return msg(
        "line {line}, column {column} ({there}): {why}",
        line=line,
        column=column,
        there=printable(_around(lines[line - 1], column - 1)),
        why=_why(found["what"]),
    )


def _why(what: str) -> Text:
    return next((why for begin, why in _WORDS if what.startswith(begin)), msg("this is no TOML: {what}", what=what))


def _around(line: str, place: int) -> str:
    begin, end = max(0, place - _NEAR), place + _NEAR
    return f"{'…' if begin else ''}{line[begin:end]}{'…' if len(line) > end else ''}".strip()


def _too_deep() -> Text:
    return msg("it is nested deeper than {n}", n=limits.TOML_DEPTH)


def _hold(found: dict[str, Any]) -> None:
    """Raise TomlError for values nested too deeply and for numbers that are too long; without recursion."""
    level: list[object] = [found]
    for _depth in range(limits.TOML_DEPTH):
        level = [inner for value in level for inner in _inside(value)]
        for value in level:
            if type(value) is int and abs(value) >= 10**limits.DIGITS:
                raise TomlError(msg("a number has more than {n} digits", n=limits.DIGITS))
    if level:
        raise TomlError(_too_deep())


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def in_toml(value: object) -> str:
    """Return a value as TOML, with every control character of a text escaped."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(map(in_toml, value)) + "]"
    if not isinstance(value, str):
        return str(value)
    plain = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{CONTROLS.sub(_escaped, plain)}"'


def _escaped(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\u{0xFFFD if 0xD800 <= number <= 0xDFFF else number:04x}"  # TOML has no half of a surrogate pair
