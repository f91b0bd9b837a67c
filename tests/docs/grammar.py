"""Converts a page's EBNF into a regular expression."""

import re
from collections.abc import Mapping
from pathlib import Path

_TOKEN = re.compile(r"""\s*(?:"([^"]+)"|'([^']+)'|(\d+)\s*\*|([a-z][a-z ]*?(?=\s*[=,|;)}\]]))|([=,|;(){}\[\]]))""")
_CLOSING = {"(": ")", "{": "}", "[": "]"}
_REPEAT = {"(": "", "{": "*", "[": "?"}


def blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", document.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def compiled(ebnf: str, start: str, classes: Mapping[str, str]) -> re.Pattern[str]:
    """Return the pattern of rule `start`; `classes` has patterns for names that the page explains in words."""
    rules = dict(rule.split("=", 1) for rule in re.split(r";\s*\n", ebnf) if rule.strip())
    known = {name.strip(): body for name, body in rules.items()}

    def expand(name: str) -> str:
        if name in classes:
            return classes[name]
        tokens = [match.groups() for match in _TOKEN.finditer(known[name] + " ;")]
        pattern, rest = alternatives(tokens)
        assert not rest, f"{name}: {rest}"
        return pattern

    def alternatives(tokens: list[tuple[str, ...]]) -> tuple[str, list[tuple[str, ...]]]:
        pattern, times = "", ""
        while tokens:
            (double, single, count, name, sign), *tokens = tokens
            if sign and sign in ")}];":
                break
            if count:
                times = f"{{{count}}}"
            elif sign and sign in _CLOSING:
                inner, tokens = alternatives(tokens)
                pattern += f"(?:(?:{inner}){_REPEAT[sign]}){times}"
                times = ""
            elif sign == "|":
                pattern += "|"
            elif not sign:
                pattern += f"(?:{expand(name) if name else re.escape(double or single)})"
        return pattern, tokens

    return re.compile(expand(start), re.DOTALL)
