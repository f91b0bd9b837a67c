"""Reads a game's box.toml: every mistake is named by file and key, with what is allowed instead."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from companion.core.errors import BoxError, nearest
from companion.core.limits import BOX_NUMBER
from companion.core.text import Text, msg
from companion.core.toml import TomlError, parse_toml

_MISSING: Final = object()
"""Stands for a missing value, which is already noted."""


class NamedBox(NamedTuple):
    """The text of a box and its owner's name for it, which is empty for the built-in box."""

    name: str
    text: str


class Mistake(NamedTuple):
    """The key of a wrong value, which is empty for the whole file, and why it is wrong."""

    key: str
    why: Text


def mistake_of(text: Text) -> Mistake:
    """Return the key and the reason in a sentence of a BoxError."""
    values = dict(text.values)
    key, why = values.get("key"), values.get("why")
    return Mistake(key, why) if isinstance(key, str) and isinstance(why, Text) else Mistake("", text)


def out_of_bounds(found: object, least: int, most: int) -> Text:
    return msg("{found!r}; allowed: a whole number from {least} to {most}", found=found, least=least, most=most)


class BoxFile:
    """The data file `where`; each method checks one value and returns it, or an allowed value instead.

    Mistakes are noted, so that one reading finds them all, and `settle` raises them. A text that is not TOML raises
    BoxError at once.
    """

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self._mistakes: list[Text] = []
        try:
            self.found: Mapping[str, object] = parse_toml(text)
        except TomlError as error:
            raise BoxError(msg("{where}: {error}", where=where, error=error.text)) from error

    def wrong(self, key: str, why: Text) -> None:
        self._mistakes.append(msg("{where}: {key}: {why}", where=self.where, key=key, why=why))

    def settle(self) -> None:
        """Raise BoxError with all mistakes noted so far."""
        if self._mistakes:
            raise BoxError(*self._mistakes)

    @property
    def noted(self) -> int:
        """The number of mistakes noted so far."""
        return len(self._mistakes)

    def keys(self, key: str, found: Mapping[str, object], allowed: Iterable[str]) -> Mapping[str, object]:
        """Return the value of each allowed key; note missing and unknown keys."""
        names = list(allowed)
        for name in found:
            if name not in names:
                self.wrong(key, msg("unknown key {name!r}; {near}", name=name, near=nearest(name, names)))
        for name in names:
            if name not in found:
                self.wrong(key, msg("{name!r} is missing", name=name))
        return {name: found.get(name, _MISSING) for name in names}

    def table(self, key: str, found: object, names: Iterable[str]) -> Mapping[str, object]:
        """Return a table with exactly these keys."""
        if isinstance(found, dict):
            return self.keys(key, found, names)
        self._no_such(key, found, msg("{found!r} is no table of keys and values", found=found))
        return dict.fromkeys(names, _MISSING)

    def number(self, key: str, found: object, least: int = 1, most: int | None = None) -> int:
        """Return a whole number from `least` to `most`."""
        if isinstance(found, int) and not isinstance(found, bool):
            if least <= found <= (BOX_NUMBER if most is None else most):
                return found
            most = BOX_NUMBER if most is None and found > BOX_NUMBER else most
        if most is None:
            why = msg("{found!r}; allowed: a whole number from {least}", found=found, least=least)
        else:
            why = out_of_bounds(found, least, most)
        self._no_such(key, found, why)
        return least

    def array(self, key: str, found: object) -> list[object]:
        if isinstance(found, list):
            return found
        self._no_such(key, found, msg("{found!r} is no list", found=found))
        return []

    def choice(self, key: str, found: object, allowed: Sequence[str]) -> str:
        if isinstance(found, str) and found in allowed:
            return found
        near = nearest(str(found), allowed)
        self._no_such(key, found, msg("{found!r} is not allowed here; {near}", found=found, near=near))
        return allowed[0]

    def is_missing(self, found: object) -> bool:
        """Tell whether a value is missing, which is already noted."""
        return found is _MISSING

    def _no_such(self, key: str, found: object, why: Text) -> None:
        if not self.is_missing(found):
            self.wrong(key, why)
