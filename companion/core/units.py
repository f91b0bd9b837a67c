"""Units of time. Times are whole nanoseconds unless a name says otherwise."""

from typing import Final

MS: Final = 1_000_000

SECOND: Final = 1_000 * MS
