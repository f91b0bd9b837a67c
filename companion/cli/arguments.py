"""Readers of arguments that several commands share."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from companion.config.sections import ClubOptions
from companion.config.table_file import TableConfig, read_config, read_table
from companion.core.errors import OptionError
from companion.core.text import msg
from companion.devices.findings import Machine, is_pi
from companion.games import all_games


def table_config(arguments: argparse.Namespace) -> TableConfig:
    """Return the settings of the named table.toml or the user's own. Print its mistakes."""
    config = read_table(arguments.table, all_games())
    if config.trouble:
        print(f"companion: {config.trouble}", file=sys.stderr)
    return config


def wants_no_devices(arguments: argparse.Namespace, machine: Machine) -> bool:
    """Return True on a PC if no table.toml was named: a virtual table."""
    return arguments.table is None and not is_pi(machine)


def named_config(arguments: argparse.Namespace) -> TableConfig:
    """Return the settings of the named table.toml or the defaults; scripts ignore the user's file."""
    return read_config(arguments.table, all_games()) if arguments.table else TableConfig()


def check_folder(name: str, folder: Path | None) -> None:
    """Raise OptionError if `folder` is a file."""
    if folder and folder.exists() and not folder.is_dir():
        raise OptionError(msg("{name} {folder}: this is a file; name a folder", name=name, folder=folder))


def asked_club(path: Path) -> ClubOptions:
    """Return the [club] section. Raise OptionError if it names no broker."""
    club = read_config(path, all_games()).club
    if not club.broker:
        raise OptionError(msg("{file}: [club]: broker is empty; enter the address of the club's broker", file=path))
    return club


def check_folders(folders: Iterable[Path]) -> None:
    for folder in folders:
        if not folder.is_dir():
            raise OptionError(msg("--from {folder}: there is no such folder", folder=folder))


def only_a_lesson(**given: object) -> None:
    """Raise OptionError for options that a lesson sets itself."""
    for name, value in given.items():
        if value:
            raise OptionError(msg("--{name}: a lesson sets this itself; leave it out", name=name))
