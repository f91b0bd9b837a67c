"""In which language people at one table read: everybody the display, each seat its strip and private screen."""

from typing import NamedTuple

from companion.config.table_file import TableConfig
from companion.core.place import Place
from companion.core.text import Render, reader


class Readers(NamedTuple):
    """Those who read; all in the language of the environment unless somebody chose another."""

    common: Render = str
    places: tuple[Render, ...] = ()

    def at(self, place: Place) -> Render:
        """Return who reads at a place."""
        return self.places[place] if place < len(self.places) else self.common


def readers_of(config: TableConfig) -> Readers:
    """Return the readers as a table.toml has chosen them; a seat that did not choose reads as the display does."""
    common = config.display.language
    return Readers(reader(common), tuple(reader(language or common) for language in config.seats.languages))
