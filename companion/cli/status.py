"""With which status a command ends, for whoever calls it from a script; docs/headless.md says it in these words."""

from typing import Final

DONE: Final = 0
"""All was done, and what was looked at is well."""

FAILED: Final = 1
"""It failed, or what was looked at has to be mended."""

BAD_INPUT: Final = 2
"""Wrong use: an option, a file or a line that cannot be taken; the message names it and what is allowed."""

INTERRUPTED: Final = 130
"""Ended by Ctrl-C."""
