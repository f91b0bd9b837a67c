"""Translatable sentences."""

import errno
import gettext
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from companion.core.limits import SENTENCE_SIGNS

DOMAIN: Final = "companion"
FOLDER: Final = Path(__file__).parents[1] / "locale"
OWN_NAMES: Final = {"en": "English", "fr": "français"}
"""Sentences are written in the first language."""

LANGUAGES: Final = tuple(OWN_NAMES)

CONTROLS: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
"""Control characters, characters that change the text direction, and surrogates."""


def alphabetical(name: str) -> tuple[str, str]:
    """Return a sort key that ignores accents and case."""
    parts = unicodedata.normalize("NFD", name)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold(), name


def printable(text: str) -> str:
    """Return untrusted text of one line with unprintable characters escaped: `\\x1b`."""
    return text if text.isprintable() else CONTROLS.sub(lambda found: written_out(found[0]), text)


def printable_lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


class PrintableStream:
    """A stream that escapes what a terminal would obey."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(printable_lines(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def written_out(letter: str) -> str:
    """Return the escape of a character: `\\x1b`, `\\u05d3`, `\\U0001f600`."""
    number = ord(letter)
    if number < 256:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def shortened(text: str, most: int = SENTENCE_SIGNS) -> str:
    """Leave out the middle of a text longer than `most`."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


class Text(NamedTuple):
    """A translatable sentence; each seat may read another language.

    `values` are (name, value) pairs for the braces in `msgid`; a value may be a Text itself. With a `plural`, the
    value `n` chooses between the two.
    """

    msgid: str
    values: tuple[tuple[str, object], ...] = ()
    plural: str | None = None

    def render(self, translations: gettext.NullTranslations) -> str:
        values = {
            name: value.render(translations) if isinstance(value, Text) else value for name, value in self.values
        }
        if self.plural is None:
            # gettext translates "" to the catalogue's header.
            sentence = translations.gettext(self.msgid) if self.msgid else ""
        else:
            count = values["n"]
            if not isinstance(count, int):
                raise TypeError(f"the plural of {self.msgid!r} needs a whole number n, not {count!r}")
            sentence = translations.ngettext(self.msgid, self.plural, count)
        told = sentence.format(**values)
        return told if told.isprintable() and len(told) <= SENTENCE_SIGNS else shortened(printable(told))

    def __str__(self) -> str:
        return self.render(translations())


def msg(msgid: str, plural: str | None = None, /, **values: object) -> Text:
    """Mark a sentence for translation and fill in its values: `msg("{n} card", "{n} cards", n=3)`."""
    return Text(msgid, tuple(values.items()), plural)


def decimal(value: float, digits: int = 1) -> Text:
    """Return a number with `digits` decimals and the reader's separator."""
    whole, _, part = f"{value:.{digits}f}".partition(".")
    return msg("{whole}.{part}", whole=whole, part=part) if part else Text(whole)


def shortest(value: float) -> Text:
    """Return a number with as few decimals as it needs and at most six digits."""
    return decimal(value, len(f"{value:g}".partition(".")[2]))


def percent(share: float, digits: int = 0) -> Text:
    """Return a share of 1 as a percentage."""
    return msg("{n}%", n=decimal(100 * share, digits))


def listed(parts: Sequence[Text]) -> Text:
    *others, said = parts
    for part in reversed(others):
        said = msg("{first}, {rest}", first=part, rest=said)
    return said


def one_of(numbers: Sequence[int]) -> Text:
    """Return alternatives as text: 2, 3 or 4."""
    *rest, last = numbers
    return msg("{some} or {last}", some=", ".join(map(str, rest)), last=last) if rest else Text(str(last))


_REASONS: Final = {
    errno.ENOENT: msg("No such file or directory"),
    errno.EACCES: msg("Permission denied"),
    errno.EPERM: msg("Operation not permitted"),
    errno.ENOSPC: msg("No space left on device"),
    errno.EROFS: msg("Read-only file system"),
    errno.EIO: msg("Input/output error"),
    errno.ENOTDIR: msg("Not a directory"),
    errno.EISDIR: msg("Is a directory"),
    errno.EBUSY: msg("Device or resource busy"),
    errno.ENODEV: msg("No such device"),
    errno.ECONNREFUSED: msg("Connection refused"),
    errno.EADDRINUSE: msg("Address already in use"),
}


def reason(error: OSError) -> Text | str:
    """Return the reason of an error, translated if common."""
    usual = _REASONS.get(error.errno or 0)
    return usual if usual and usual.msgid == error.strerror else error.strerror or str(error)


SEAT: Final = "seat"
"""The name of a value that is a seat; `with_names` replaces it by a player's name."""


def seat_name(number: int) -> Text:
    return msg("Seat {n}", n=number + 1)


def with_names(text: Text, names: Sequence[str]) -> Text:
    """Return a text with players' names for its seats."""

    def named(name: str, value: object) -> object:
        if not isinstance(value, Text):
            return value
        if name != SEAT:
            return with_names(value, names)
        number = dict(value.values)["n"]
        assert isinstance(number, int)
        return names[number - 1]

    return text._replace(values=tuple((name, named(name, value)) for name, value in text.values))


@cache
def translations(language: str | None = None) -> gettext.NullTranslations:
    """Return a catalogue; None for the environment's language. English if there is none."""
    found = gettext.find(DOMAIN, FOLDER, None if language is None else [language])
    if found is None:
        return gettext.NullTranslations()
    # gettext.translation would fill gaps from the reader's other languages.
    with Path(found).open("rb") as file:
        return gettext.GNUTranslations(file)


def _(msgid: str) -> str:
    """Translate at once."""
    return translations().gettext(msgid)


def language_of_system() -> str:
    """Return the one of LANGUAGES that the environment asks for; English by default."""
    language = translations().info().get("language", "")
    return language if language in LANGUAGES else LANGUAGES[0]


Render = Callable[[Text], str]


def reader(language: str) -> Render:
    """Return a translator; "" is the environment's language."""
    catalogue = translations(language or None)
    return lambda text: text.render(catalogue)
