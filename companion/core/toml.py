"""TOML that others wrote, and values for it: what is too large, too deep or no TOML is an error, never a hang."""

import re
import tomllib
from collections.abc import Iterable
from typing import Any

from companion.core import limits
from companion.core.text import CONTROLS, Text, msg


class TomlError(ValueError):
    """Error raised for a text that is no TOML, or more than is read; `text` says why."""

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


def parse_toml(text: str) -> dict[str, Any]:
    """Return what a text in TOML holds. Raise TomlError."""
    if len(text.encode("utf-8", "replace")) > limits.TOML_BYTES:
        raise TomlError(msg("it is larger than {n} bytes, more than is ever read", n=limits.TOML_BYTES))
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > limits.TOML_LINE_SIGNS:
            raise TomlError(msg("line {line} is longer than {n} signs", line=number, n=limits.TOML_LINE_SIGNS))
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(msg("{error}", error=error)) from error
    except RecursionError:
        raise TomlError(_too_deep()) from None
    except ValueError as error:  # a date that there is not, a number longer than Python turns into one
        raise TomlError(msg("{error}", error=error)) from error
    _hold(found)
    return found


def _too_deep() -> Text:
    return msg("it is nested deeper than {n}", n=limits.TOML_DEPTH)


def _hold(found: dict[str, Any]) -> None:
    """Raise TomlError for what is nested too deeply and for numbers that are too long; without recursion."""
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
    """Return a value as a table.toml has it; of a text everything is written out that a terminal would obey."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(map(in_toml, value)) + "]"
    if not isinstance(value, str):
        return str(value)
    plain = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{CONTROLS.sub(_escaped, plain)}"'


def _escaped(found: re.Match[str]) -> str:
    """Return a sign by its number; half of one has none in TOML."""
    number = ord(found[0])
    return f"\\u{0xFFFD if 0xD800 <= number <= 0xDFFF else number:04x}"
