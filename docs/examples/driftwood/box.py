"""Reads Driftwood's box.toml and checks that it describes a box that can be played."""

from typing import Final

from companion.core.boxfile import BoxFile
from companion.core.text import msg

from .rules import Box, Find

_PLACES: Final = ("beach", "rocks")


def read_box(text: str, where: str) -> Box:
    """Return the box that a TOML text describes. Raise BoxError naming `where`, the key and what is allowed."""
    file = BoxFile(text, where)
    box = file.keys("box", file.found, ("stones", "finds"))
    stones = file.number("stones", box["stones"], most=9)  # a throw is one key
    listed = box["finds"]
    if not isinstance(listed, dict) or not 1 <= len(listed) <= 9:
        file.wrong("finds", msg("allowed: a table of 1 to 9 finds, which are keyed by their number"))
        listed = {}
    finds: list[Find] = []
    bag: list[int] = []
    for name, found in listed.items():
        entry = file.table(f"finds.{name}", found, ("worth", "place", "count"))
        worth = file.number(f"finds.{name}.worth", entry["worth"], least=-9, most=9)
        rocks = file.choice(f"finds.{name}.place", entry["place"], _PLACES) == "rocks"
        bag += [len(finds)] * file.number(f"finds.{name}.count", entry["count"])
        finds.append(Find(name, worth, rocks))
    file.settle()
    return Box(tuple(finds), tuple(bag), stones)
