"""`companion replay`, `history` and `export`."""

import argparse
import sys

from companion.cli.arguments import table_config
from companion.cli.match_arguments import asked_audience
from companion.cli.status import DONE, FAILED
from companion.games import all_games
from companion.records import history, match_list


def main(arguments: argparse.Namespace) -> int:
    """Return FAILED for a damaged record."""
    folder = table_config(arguments).journal.path
    if arguments.command == "history":
        match_list.show(folder, all_games(), sys.stdout)
        return DONE
    opened = history.open_named(arguments.record, folder, all_games(), sys.stderr)
    if arguments.command == "replay":
        history.replay(opened, sys.stdout)
    else:
        print(opened.match.log(asked_audience(arguments.audience, opened.match)), end="")
    return FAILED if opened.damage else DONE
