"""Reading a game's data file: TOML, every mistake named by file and key, with what is allowed instead."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from companion.core.errors import BoxError, nearest
from companion.core.limits import BOX_NUMBER
from companion.core.text import Text, msg
from companion.core.toml import TomlError, parse_toml

_MISSING: Final = object()
"""What stands for a value that is not there, or cannot be: that was noted where it was looked for."""


class NamedBox(NamedTuple):
    """The text of a box, and what its owner calls it; the one that comes with the game has no name."""

    name: str
    text: str


class Mistake(NamedTuple):
    """What is wrong with a box: the key of the value, empty for the file as a whole, and why."""

    key: str
    why: Text


def mistake_of(text: Text) -> Mistake:
    """Return what a sentence of a BoxError says, without the file that it names."""
    values = dict(text.values)
    key, why = values.get("key"), values.get("why")
    return Mistake(key, why) if isinstance(key, str) and isinstance(why, Text) else Mistake("", text)


def out_of_bounds(found: object, least: int, most: int) -> Text:
    """Say which numbers are allowed instead of one that was found."""
    return msg("{found!r}; allowed: a whole number from {least} to {most}", found=found, least=least, most=most)


class BoxFile:
    """The data file `where`; its methods check one value each and return it, or what could stand there instead.

    They note what is wrong and go on, so that one reading finds all mistakes; `settle` raises them. Raise BoxError
    for a text that is no TOML.
    """

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self._mistakes: list[Text] = []
        try:
            self.found: Mapping[str, object] = parse_toml(text)
        except TomlError as error:
            raise BoxError(msg("{where}: {error}", where=where, error=error.text)) from error

    def wrong(self, key: str, why: Text) -> None:
        """Note what is wrong with a key."""
        self._mistakes.append(msg("{where}: {key}: {why}", where=self.where, key=key, why=why))

    def settle(self) -> None:
        """Raise BoxError with all that was noted until now."""
        if self._mistakes:
            raise BoxError(*self._mistakes)

    @property
    def noted(self) -> int:
        """How many mistakes were noted until now: several values are judged together where none of them is one."""
        return len(self._mistakes)

    def keys(self, key: str, found: Mapping[str, object], allowed: Iterable[str]) -> Mapping[str, object]:
        """Return the values of all keys that are allowed, which have to be there, and no others."""
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
        """Return a list."""
        if isinstance(found, list):
            return found
        self._no_such(key, found, msg("{found!r} is no list", found=found))
        return []

    def choice(self, key: str, found: object, allowed: Sequence[str]) -> str:
        """Return one of the words allowed."""
        if isinstance(found, str) and found in allowed:
            return found
        near = nearest(str(found), allowed)
        self._no_such(key, found, msg("{found!r} is not allowed here; {near}", found=found, near=near))
        return allowed[0]

    def is_missing(self, found: object) -> bool:
        """Tell whether a value is not there, which is noted already."""
        return found is _MISSING

    def _no_such(self, key: str, found: object, why: Text) -> None:
        if not self.is_missing(found):
            self.wrong(key, why)
