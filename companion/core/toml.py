"""Reads TOML from untrusted files and writes values."""

import re
from collections.abc import Iterable
from typing import Any

from companion.core import limits
from companion.core.text import CONTROLS, Text, msg


class TomlError(ValueError):
    """A text that is not TOML or exceeds a limit; `text` says why."""

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


def parse_toml(text: str) -> dict[str, Any]:
    """Return the values of a TOML text. Raise TomlError."""
    if len(text.encode("utf-8", "replace")) > limits.TOML_BYTES:
        raise TomlError(msg("it is over the limit of {n} bytes", n=limits.TOML_BYTES))
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > limits.TOML_LINE_SIGNS:
            raise TomlError(msg("line {line} is longer than {n} characters", line=number, n=limits.TOML_LINE_SIGNS))
    import tomllib  # noqa: PLC0415  most tables on a PC have no file, and the first picture does not wait

    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise TomlError(_too_deep()) from None
    except ValueError as error:  # not TOML, an impossible date, or a number too long for Python
        raise TomlError(msg("not valid TOML: {why}", why=str(error))) from error
    _hold(found)
    return found


def _too_deep() -> Text:
    return msg("it is nested more than {n} levels deep", n=limits.TOML_DEPTH)


def _hold(found: dict[str, Any]) -> None:
    """Raise TomlError for deep nesting and long numbers; without recursion."""
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
    """Return a value as TOML; control characters are escaped."""
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
    return f"\\u{0xFFFD if 0xD800 <= number <= 0xDFFF else number:04x}"  # TOML does not allow surrogates
