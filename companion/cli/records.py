"""`companion replay`, `history` and `export`: what was played."""

import argparse
import sys

from companion.cli.arguments import table_config
from companion.cli.match_arguments import asked_audience
from companion.cli.status import DONE, FAILED
from companion.games import all_games
from companion.records import history
from companion.referee.journal import Opened


def main(arguments: argparse.Namespace) -> int:
    """Show a match again, list all, or print the record of one; it fails for one that is damaged."""
    return {"replay": _replay, "history": _history, "export": _export}[arguments.command](arguments)


def _replay(arguments: argparse.Namespace) -> int:
    opened = _named(arguments)
    history.replay(opened, sys.stdout)
    return FAILED if opened.damage else DONE


def _named(arguments: argparse.Namespace) -> Opened:
    """Return the match that was named."""
    return history.open_named(arguments.record, table_config(arguments).journal.path, all_games(), sys.stderr)


def _history(arguments: argparse.Namespace) -> int:
    history.show(table_config(arguments).journal.path, all_games(), sys.stdout)
    return DONE


def _export(arguments: argparse.Namespace) -> int:
    opened = _named(arguments)
    print(opened.match.log(asked_audience(arguments.audience, opened.match)), end="")
    return FAILED if opened.damage else DONE
