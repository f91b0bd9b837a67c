"""Reads a game's box.toml."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from companion.core.errors import BoxError, nearest
from companion.core.limits import BOX_NUMBER
from companion.core.text import Text, msg
from companion.core.toml import TomlError, parse_toml

_MISSING: Final = object()


class NamedBox(NamedTuple):
    """The text of a box and its owner's name for it, "" for the built-in box."""

    name: str
    text: str


class Mistake(NamedTuple):
    """A wrong value's key, "" for the whole file, and the reason."""

    key: str
    why: Text


def mistake_of(text: Text) -> Mistake:
    values = dict(text.values)
    key, why = values.get("key"), values.get("why")
    return Mistake(key, why) if isinstance(key, str) and isinstance(why, Text) else Mistake("", text)


def out_of_bounds(found: object, least: int, most: int) -> Text:
    return msg("{found!r}; allowed: a whole number from {least} to {most}", found=found, least=least, most=most)


class BoxFile:
    """Validates the data file `where`. Each method returns the value, or an allowed one instead.

    Mistakes are collected; `settle` raises them. A text that is not TOML raises BoxError at once.
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
        """Raise BoxError for the mistakes."""
        if self._mistakes:
            raise BoxError(*self._mistakes)

    @property
    def noted(self) -> int:
        return len(self._mistakes)

    def keys(self, key: str, found: Mapping[str, object], allowed: Iterable[str]) -> Mapping[str, object]:
        """Return the values of the allowed keys."""
        names = list(allowed)
        for name in found:
            if name not in names:
                self.wrong(key, msg("unknown key {name!r}; {near}", name=name, near=nearest(name, names)))
        for name in names:
            if name not in found:
                self.wrong(key, msg("{name!r} is missing", name=name))
        return {name: found.get(name, _MISSING) for name in names}

    def table(self, key: str, found: object, names: Iterable[str]) -> Mapping[str, object]:
        """Return the values of exactly these keys."""
        if isinstance(found, dict):
            return self.keys(key, found, names)
        self._no_such(key, found, msg("{found!r} is not a table of keys and values", found=found))
        return dict.fromkeys(names, _MISSING)

    def number(self, key: str, found: object, least: int = 1, most: int | None = None) -> int:
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
        self._no_such(key, found, msg("{found!r} is not a list", found=found))
        return []

    def choice(self, key: str, found: object, allowed: Sequence[str]) -> str:
        if isinstance(found, str) and found in allowed:
            return found
        near = nearest(str(found), allowed)
        self._no_such(key, found, msg("{found!r} is not allowed here; {near}", found=found, near=near))
        return allowed[0]

    def is_missing(self, found: object) -> bool:
        return found is _MISSING

    def _no_such(self, key: str, found: object, why: Text) -> None:
        if not self.is_missing(found):
            self.wrong(key, why)
