"""The systems of a tournament: all that the command line loads of a club."""

from typing import Final

SWISS: Final = "swiss"
ROUND_ROBIN: Final = "robin"
SYSTEMS: Final = (SWISS, ROUND_ROBIN)
