"""What the arguments of a command ask for: the table.toml, folders, a club; who plays: `match_arguments`."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from companion.config.sections import ClubOptions
from companion.config.table_file import TableConfig, read_config
from companion.core.errors import OptionError
from companion.core.text import msg
from companion.games import all_games


def table_config(arguments: argparse.Namespace) -> TableConfig:
    """Return the table.toml that was named, or what stands in none."""
    return read_config(arguments.table, all_games()) if arguments.table else TableConfig()


def check_folder(name: str, folder: Path | None) -> None:
    """Raise OptionError for a file where a folder is to be, or to be made."""
    if folder and folder.exists() and not folder.is_dir():
        raise OptionError(msg("{name} {folder}: this is a file; name a folder", name=name, folder=folder))


def asked_club(path: Path) -> ClubOptions:
    """Return what a table.toml says of its club. Raise OptionError where it names no broker."""
    club = read_config(path, all_games()).club
    if not club.broker:
        raise OptionError(msg("{file}: [club]: broker is empty; write where the club's broker is", file=path))
    return club


def check_folders(folders: Iterable[Path]) -> None:
    """Raise OptionError for a folder of `--from` that is not there."""
    for folder in folders:
        if not folder.is_dir():
            raise OptionError(msg("--from {folder}: there is no such folder", folder=folder))


def only_a_lesson(**given: object) -> None:
    """Raise OptionError for an option that a lesson has its own answer to."""
    for name, value in given.items():
        if value:
            raise OptionError(msg("--{name}: a lesson says that itself", name=name))
