"""Folders that are named on the command line."""

from collections.abc import Iterable
from pathlib import Path

from companion.core.errors import OptionError
from companion.core.text import msg


def check_folders(folders: Iterable[Path]) -> None:
    """Raise OptionError for a folder of `--from` that is not there."""
    for folder in folders:
        if not folder.is_dir():
            raise OptionError(msg("--from {folder}: there is no such folder", folder=folder))
