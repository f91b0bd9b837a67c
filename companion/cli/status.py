"""Exit statuses, also described in docs/headless.md."""

from typing import Final

DONE: Final = 0
"""Everything was done and is well."""

FAILED: Final = 1
"""The command failed, or found something to repair."""

BAD_INPUT: Final = 2
"""An invalid option, file or line."""

INTERRUPTED: Final = 130
"""Ended by Ctrl-C."""
