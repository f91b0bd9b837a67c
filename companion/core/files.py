"""The folders of the program and its user, and safe reading of untrusted files."""

import errno
import os
import stat
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from companion.core.errors import OptionError
from companion.core.text import Text, msg

ENCODING: Final = "utf-8-sig"
"""UTF-8, with or without a BOM."""

BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"

TABLE_FILE: Final = "table.toml"

TABLE_FOLDER: Final = Path("/var/lib/companion")
"""The state of an appliance's service, and the home of its user."""


@cache
def assets_folder() -> Path:
    """Return the folder of the program's drawings and sounds, which is in the package if that is installed."""
    package = Path(__file__).parents[1]
    installed = package / "assets"
    return installed if installed.is_dir() else package.parent / "assets"


def forget_unusable_home() -> None:
    """Remove an empty or relative HOME, so that the user database is used."""
    if not Path(os.environ.get("HOME", "/")).is_absolute():
        del os.environ["HOME"]


def home_folder() -> Path:
    """Return the user's home. Raise OptionError if there is none."""
    try:
        return Path.home()
    except RuntimeError:
        raise OptionError(msg("this user does not have a home folder; set HOME to one")) from None


def user_folder(variable: str, usual: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the companion's folder in the one that `variable` names, by default in `usual` below the home.

    A relative path is ignored, as the XDG specification asks. Raise OptionError without a home.
    """
    said = Path(environ.get(variable, ""))
    return (said if said.is_absolute() else home_folder() / usual) / "companion"


def data_folder() -> Path:
    return user_folder("XDG_DATA_HOME", ".local/share")


def config_folder() -> Path:
    return user_folder("XDG_CONFIG_HOME", ".config")


def plugins_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of plug-ins that outlives updates: the table's, or the user's. Raise OptionError."""
    given = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    if not given and home_folder() == TABLE_FOLDER:  # somebody types commands as the table's user
        return TABLE_FOLDER / "plugins"
    return (Path(given) if given else data_folder()) / "plugins"


def exists(path: Path) -> bool:
    """Return whether the path exists. Raise OSError where `Path.exists` says no since Python 3.14."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):  # no file has a null byte in its name
        return False
    return True


def nearest_folder(folder: Path) -> tuple[Path, bool]:
    """Return the nearest existing folder at or above `folder`, and whether it is writable. Raise OSError."""
    there = next(path for path in (folder, *folder.parents) if exists(path))
    return there, there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the log: the service's, or the user's."""
    given = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    return Path(given) if given else user_folder("XDG_STATE_HOME", ".local/state", environ)


class UnfitError(OSError):
    """A file that is not regular or is too large."""

    def __init__(self, path: Path, why: Text) -> None:
        super().__init__(errno.EINVAL, str(why), str(path))


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """Open a regular file without blocking. Raise OSError, UnfitError if it is not regular."""
    fd = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o600)
    kind = os.fstat(fd).st_mode
    if stat.S_ISREG(kind):
        return fd
    os.close(fd)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise UnfitError(path, msg("this is not a regular file"))


def read_open(fd: int, path: Path, most_bytes: int) -> bytes:
    """Read an open file. Raise OSError, UnfitError for more than `most_bytes`."""
    if os.fstat(fd).st_size > most_bytes:
        raise UnfitError(path, msg("it is over the limit of {n} bytes", n=most_bytes))
    pieces, offset = [], 0
    while offset < most_bytes and (piece := os.pread(fd, most_bytes - offset, offset)):
        pieces.append(piece)
        offset += len(piece)
    return b"".join(pieces)


def read_regular(path: Path, most_bytes: int) -> bytes:
    """Read a regular file. Raise OSError, UnfitError if it is not regular or too large."""
    fd = open_regular(path)
    try:
        return read_open(fd, path, most_bytes)
    finally:
        os.close(fd)
