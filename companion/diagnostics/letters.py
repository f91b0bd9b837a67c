"""Checks that the display can write the players' names: its fonts only have the letters of Europe."""

from collections.abc import Iterable, Iterator
from typing import Final

from companion.core.text import Text, msg
from companion.display.theme import missing_letters

REMEDY: Final = msg("Write names with Latin, Greek or Cyrillic letters: [seats] names in table.toml, or --seats")


def lacking(names: Iterable[str]) -> Iterator[Text]:
    """Say of each name that the display cannot write which letters it lacks."""
    for name in dict.fromkeys(names):
        if missing := missing_letters(name):
            yield msg(
                "{name}: the display has no letter for {letters} and shows its number",
                "{name}: the display has no letters for {letters} and shows their numbers",
                name=name,
                letters=" ".join(missing),
                n=len(missing),
            )


def notices(names: Iterable[str]) -> list[Text]:
    """Return what people should know before they play: which names the display cannot write, and the remedy."""
    found = list(lacking(names))
    return [*found, REMEDY] if found else []
