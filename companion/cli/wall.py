"""`companion wall`: shows all tables of a club in a window."""

import argparse

from companion.cli.arguments import table_config
from companion.cli.status import DONE
from companion.diagnostics import logbook
from companion.table import wall_app


def main(arguments: argparse.Namespace) -> int:
    config = table_config(arguments)
    with logbook.kept(config.log):
        wall_app.run(
            config, print, tournament=arguments.tournament, picture=arguments.picture, serve=arguments.serve
        )
    return DONE
