"""Checks whether the table can start, in a process that may hang or crash. Prints the cause."""

import sys
from contextlib import ExitStack
from pathlib import Path

from companion.club.broker import connection
from companion.config.table_file import TableConfig, read_table
from companion.core.clock import PlanningClock
from companion.core.errors import CompanionError
from companion.core.inbox import Inbox
from companion.core.plugins import PLUGINS
from companion.core.text import Render, Text, reader
from companion.devices.drivers import all_drivers
from companion.devices.findings import Severity
from companion.devices.hardware import Hardware
from companion.devices.phones import driver as phones
from companion.diagnostics.doctor import journal_folder
from companion.games import all_games

MISSING = 3
"""Exit status if a cause was printed."""


def missing(config: TableConfig, *, virtual: bool) -> Text | None:
    """Open and close the devices. Return what is missing, if anything."""
    # Without phones: the safe mode's service lacks network access.
    drivers = [] if virtual else [driver for driver in all_drivers() if driver is not phones.DRIVER]
    try:
        with ExitStack() as opened:
            opened.enter_context(Hardware(config.wiring, Inbox(), PlanningClock(), lambda: drivers))
        if config.club.broker:
            connection(config.club)
    except CompanionError as error:
        return error.text
    folder = journal_folder(config.journal.path)
    return folder.found if folder.severity is Severity.BAD else None


def main(table: str, kind: str) -> int:
    """Check a table.toml; an empty name means the user's file."""
    PLUGINS.wanted = False
    read: Render = str
    try:
        config = read_table(Path(table) if table else None, all_games())
        read = reader(config.display.language)
        why = missing(config, virtual=kind == "virtual")
    except CompanionError as error:
        why = error.text
    if why is None:
        return 0
    print(read(why))  # noqa: T201  for the safe mode
    return MISSING


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
