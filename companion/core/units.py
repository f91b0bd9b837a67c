"""Units of time: all times of the program are whole nanoseconds, unless a name says otherwise."""

from typing import Final

MS: Final = 1_000_000
"""A millisecond."""

SECOND: Final = 1_000 * MS
"""A second."""
