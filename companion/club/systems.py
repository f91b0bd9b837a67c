"""Names of the tournament systems, for the command line."""

from typing import Final

SWISS: Final = "swiss"
ROUND_ROBIN: Final = "robin"
SYSTEMS: Final = (SWISS, ROUND_ROBIN)
