"""`companion play`: the table in its window."""

import argparse
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from companion.cli.arguments import only_a_lesson, table_config, wants_no_devices
from companion.cli.status import DONE
from companion.config.sections import CardOptions, LogOptions
from companion.config.table_file import TableConfig
from companion.core.errors import OptionError
from companion.core.text import _, msg
from companion.devices.findings import Machine
from companion.diagnostics import logbook
from companion.display.screen_drivers import screen_driver
from companion.games import all_games, load


def main(arguments: argparse.Namespace) -> int:
    virtual = arguments.virtual or wants_no_devices(arguments, Machine())
    if arguments.safe:
        from companion.table import safe_mode  # noqa: PLC0415  it draws, as the table does

        with logbook.kept(LogOptions()):
            starts = safe_mode.run(arguments.table, virtual=virtual)
        if starts:
            table = ["--table", str(arguments.table)] if arguments.table else []
            asked = ["--virtual"] if arguments.virtual else []
            os.execv(sys.executable, [sys.executable, "-m", "companion", "play", *table, *asked])
        return DONE
    with here_to_stay():  # until the first picture is there: load_rest ends it
        with logbook.kept(LogOptions()):  # for mistakes in the table.toml, which configures the log
            config = table_config(arguments)
        if virtual and not arguments.virtual and screen_driver(fullscreen=False):
            print(_("This is a virtual table; --table FILE opens a real one"))
        with logbook.kept(config.log):
            _open_table(arguments, config, virtual=virtual)
    return DONE


def _open_table(arguments: argparse.Namespace, config: TableConfig, *, virtual: bool) -> None:
    from companion.table import app  # noqa: PLC0415  what the table.toml lacks is told before all is loaded

    all_games()
    game = load(arguments.game).name if arguments.game else None
    if arguments.phones:
        config = app.with_phones(config)
    if not arguments.lesson:
        bots = [] if arguments.bots is None else arguments.bots.split(",")
        if arguments.deal:
            config = replace(config, cards=CardOptions(arguments.deal))
        app.play(config, game, bots, virtual=virtual)
        return
    if game is None:
        raise OptionError(msg("--lesson: which game? For example: companion play buntherum --lesson"))
    only_a_lesson(bots=arguments.bots, deal=arguments.deal)
    app.teach(config, game, virtual=virtual)


@contextmanager
def here_to_stay() -> Iterator[None]:
    """Exempt everything loaded here from garbage collection, which could delay a press."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
