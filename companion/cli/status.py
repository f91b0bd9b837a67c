"""The exit statuses, for scripts; docs/headless.md has the same words."""

from typing import Final

DONE: Final = 0
"""Success: everything was done, and everything checked is well."""

FAILED: Final = 1
"""The command failed, or it found something to repair."""

BAD_INPUT: Final = 2
"""Wrong use: an option, a file or a line that cannot be taken; the message names it and what is allowed."""

INTERRUPTED: Final = 130
"""Ended by Ctrl-C."""
