"""The phone's page is small, translated, free of code in HTML, and fit for browsers of 2021."""

import re
from collections.abc import Iterator
from typing import Final

from companion.core.files import assets_folder
from companion.devices.phones.words import WORDS

MOST_BYTES: Final = 60_000

FILES: Final = {path.name: path.read_text("utf-8") for path in sorted((assets_folder() / "phone").iterdir())}

NEWER: Final = {
    ".js": {
        "a regular expression that looks behind (Safari 16.4)": r"\(\?<[=!]",
        "regular expressions by sets or with indices": r"/[gimsuy]*[dv][gimsuy]*[,;.)]",
        "static blocks, private methods or fields tested by `in` (Safari 16.4)": r"\bstatic \{|#\w+ in ",
        "await outside of a function (Firefox 89)": r"^(const .*= )?await ",
        "at (Safari 15.4)": r"\.at\(-?\d",
        "methods of lists (Safari 15.4, 16)": r"\.(findLast(Index)?|to(Sorted|Reversed|Spliced)|with|group(By)?)\(",
        "Object.hasOwn, structuredClone, Array.fromAsync": r"\bObject\.hasOwn\b|\bstructuredClone\b|\bfromAsync\b",
        "crypto that there is only with a certificate": r"(?<!no )\bcrypto\.(randomUUID|subtle)\b",
        "signals that end by themselves": r"\bAbortSignal\.(timeout|any)\b",
        "what not every browser has, without asking": r"\bnavigator\.(wakeLock|vibrate|userActivation)[.(]",
        "modules of JSON, or for workers": r"\bimport .* (assert|with) \{|type: \"module\"",
    },
    ".css": {
        "a parent by its child (Safari 15.4)": r":has\(",
        "heights of what is seen (Safari 15.4)": r"\d[dsl]v[hwi]\b",
        "layers, containers, scopes, nested rules": r"@(layer|container|scope|property|starting-style)\b|^\s*&",
        "mixed colours": r"\b(color-mix|oklch|lab|light-dark)\(",
        "transforms one by one (Safari 14.1, Chrome 104)": r"(?<![-\w])(translate|rotate|scale): ",
        "balanced lines": r"text-wrap",
    },
    ".html": {
        "dialogs, what is inert, and what pops up": r"<dialog|\binert\b|popover",
        "code or looks that stand in the page": r"<style|<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:",
    },
}
"""Patterns, by file ending, that Safari 15, Chrome 90 or Firefox 88 lack, and code in HTML.

eslint-plugin-compat has also checked the files against MDN's browser tables.
"""


def words_of_page() -> Iterator[str]:
    for text in FILES.values():
        yield from re.findall(r'data-(?:word|label)="([^"]+)"', text)
        yield from re.findall(r'say\("\w+", "([^"]+)"\)', text)
        for listed in re.findall(r"_WORDS = \[([^\]]+)\]", text):
            yield from re.findall(r'"([^"]+)"', listed)


def test_page_is_below_the_size_limit() -> None:
    assert sum(len(text.encode()) for text in FILES.values()) < MOST_BYTES


def test_page_avoids_newer_browser_features_and_inline_code() -> None:
    found = [
        f"{name}: {what}: {match[0]!r}"
        for name, text in FILES.items()
        for what, pattern in NEWER.get(f".{name.rpartition('.')[2]}", {}).items()
        if (match := re.search(pattern, text, re.MULTILINE))
    ]
    assert not found, "\n".join(found)


def test_every_word_is_translated_and_used() -> None:
    known, used = {str(word.msgid) for word in WORDS}, {*words_of_page()}
    assert used <= known
    everything = "\n".join(FILES.values())
    assert not {word for word in known if f'"{word}"' not in everything}
