"""Driftwood's box: the format of its file."""

from collections.abc import Iterator
from typing import Any, Final

from companion.core.boxfile import BoxFile
from companion.core.boxschema import BoxSchema, Field, Number, Values
from companion.core.text import Text, msg

from .rules import Box, Find

_PLACES: Final = ("beach", "rocks")


class Finds(Field):
    """A table of finds and their numbers of copies."""

    def read(self, file: BoxFile, found: Any, values: Values) -> list[tuple[Find, int]]:
        finds = []
        for name, entry in (found if isinstance(found, dict) else {}).items():
            key = f"finds.{name}"
            parts = file.table(key, entry, ("worth", "place", "count"))
            worth = file.number(f"{key}.worth", parts["worth"], -9, 9)
            rocks = file.choice(f"{key}.place", parts["place"], _PLACES) == "rocks"
            finds.append((Find(name, worth, rocks), file.number(f"{key}.count", parts["count"])))
        return finds

    def wrong(self, value: list[tuple[Find, int]]) -> Iterator[Text]:
        if not 1 <= len(value) <= 9:
            yield msg("allowed: a table of 1 to 9 finds, which are keyed by their number")


class DriftwoodBox(BoxSchema[Box]):
    """The content of Driftwood's box."""

    stones = Number(1, 9)  # a throw is one key
    finds = Finds()

    @classmethod
    def make(cls, values: dict[str, Any]) -> Box:
        finds = values["finds"]
        bag = [number for number, (_, count) in enumerate(finds) for _ in range(count)]
        return Box(tuple(find for find, _ in finds), tuple(bag), values["stones"])
