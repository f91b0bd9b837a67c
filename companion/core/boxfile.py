"""Reading a game's data file: TOML, each mistake named by file and key, with what is allowed instead."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence

from companion.core.errors import BoxError, nearest
from companion.core.text import Text, msg


class BoxFile:
    """The data file `where`; its methods check one value each and return it. They raise BoxError."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        try:
            self.found: Mapping[str, object] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise BoxError(msg("{where}: {error}", where=where, error=error)) from error

    def fail(self, key: str, why: Text) -> BoxError:
        """Return the error to raise for a key."""
        return BoxError(msg("{where}: {key}: {why}", where=self.where, key=key, why=why))

    def keys(self, key: str, found: Mapping[str, object], allowed: Iterable[str]) -> None:
        """Raise BoxError unless a table has exactly the keys allowed."""
        names = list(allowed)
        for name in found:
            if name not in names:
                raise self.fail(key, msg("unknown key {name!r}; {near}", name=name, near=nearest(name, names)))
        for name in names:
            if name not in found:
                raise self.fail(key, msg("{name!r} is missing", name=name))

    def table(self, key: str, found: object, names: Iterable[str]) -> Mapping[str, object]:
        """Return a table with exactly these keys."""
        if not isinstance(found, dict):
            raise self.fail(key, msg("{found!r} is no table of keys and values", found=found))
        self.keys(key, found, names)
        return found

    def number(self, key: str, found: object, least: int = 1, most: int | None = None) -> int:
        """Return a whole number from `least` to `most`."""
        if isinstance(found, int) and not isinstance(found, bool):
            above = most is not None and found > most
            if found >= least and not above:
                return found
        if most is None:
            raise self.fail(key, msg("{found!r}; allowed: a whole number from {least}", found=found, least=least))
        raise self.fail(
            key,
            msg("{found!r}; allowed: a whole number from {least} to {most}", found=found, least=least, most=most),
        )

    def array(self, key: str, found: object) -> list[object]:
        """Return a list."""
        if not isinstance(found, list):
            raise self.fail(key, msg("{found!r} is no list", found=found))
        return found

    def choice(self, key: str, found: object, allowed: Sequence[str]) -> str:
        """Return one of the words allowed."""
        if not isinstance(found, str) or found not in allowed:
            near = nearest(str(found), allowed)
            raise self.fail(key, msg("{found!r} is not allowed here; {near}", found=found, near=near))
        return found
