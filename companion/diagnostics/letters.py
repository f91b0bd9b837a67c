"""Checks that the display's fonts, which are European, can write the players' names."""

from collections.abc import Iterable, Iterator
from typing import Final

from companion.core.text import Text, msg
from companion.display.theme import missing_letters

REMEDY: Final = msg("Write names with Latin, Greek or Cyrillic letters: [seats] names in table.toml, or --seats")


def lacking(names: Iterable[str]) -> Iterator[Text]:
    """Yield a sentence per name that lacks letters."""
    for name in dict.fromkeys(names):
        if missing := missing_letters(name):
            yield msg(
                "{name}: the display cannot draw {letters} and shows its number",
                "{name}: the display cannot draw {letters} and shows their numbers",
                name=name,
                letters=" ".join(missing),
                n=len(missing),
            )


def notices(names: Iterable[str]) -> list[Text]:
    """Return sentences with the remedy, for the first screen."""
    found = list(lacking(names))
    return [*found, REMEDY] if found else []
