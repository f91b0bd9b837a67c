"""Finds and loads third-party games and drivers. One that fails is recorded; everything else runs.

A plug-in is an installed package, or one in the folder `plugins`, which outlives updates: a wheel, as it is or
unpacked.
"""

import logging
import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from companion.core.errors import OptionError
from companion.core.files import plugins_folder
from companion.core.text import Text, msg, reason

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

OURS: Final = "companion."
"""Prefix of the groups of entry points."""

T = TypeVar("T")

log = logging.getLogger(__name__)


class Plugins:
    """Third-party plug-ins, loaded only if `wanted`; `refused` says what failed, and why."""

    def __init__(self) -> None:
        self.wanted = True
        self.refused: list[Text] = []

    @property
    def some_missing(self) -> bool:
        """Whether a plug-in may be missing here, so a table.toml may mention it."""
        return not self.wanted or bool(self.refused)

    def guarded(self, load: Callable[[], T], refusal: Callable[[str], Text]) -> T | None:
        """Return what `load` returns; None if it fails in any way, even by SystemExit."""
        try:
            return load()
        except (Exception, SystemExit) as error:  # noqa: BLE001  of what others wrote anything can be expected
            self.refuse(refusal(why_of(error)))
            return None

    def refuse(self, why: Text) -> None:
        if why not in self.refused:
            self.refused.append(why)
            log.warning("%s", why)


def why_of(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"it ends the program ({error.code})"
    said = str(error)
    expected = isinstance(error, ImportError | AttributeError | SyntaxError | OSError | TypeError | ValueError)
    return said if said and expected else f"{type(error).__name__}: {said}".rstrip(": ")


class Plugin(NamedTuple):
    """A package with entry points for the companion."""

    name: str
    version: str
    folder: str
    points: "Sequence[EntryPoint]"


def installed() -> Sequence[Plugin]:
    """Return all plug-ins without loading them. Those installed with the program come first."""
    path = tuple(dict.fromkeys((*sys.path, *map(str, _places()))))
    return _on(path) if _some_installed(path) else ()


def entry_points_of(group: str) -> "list[EntryPoint]":
    """Return the entry points of a group `companion.NAME`."""
    return [point for plugin in installed() for point in plugin.points if point.group == group]


def load_point(point: "EntryPoint") -> object:
    """Return the object that an entry point names. Raise anything."""
    for place in _places():
        put_on_path(place)
    return point.load()


def put_on_path(place: Path) -> None:
    """Let modules be imported from a folder or wheel, but none be hidden by them."""
    if str(place) not in sys.path:
        sys.path.append(str(place))


def origin(point: "EntryPoint") -> str:
    """Return what an entry point names, with the name and version of its package."""
    return f"{point.value} ({point.dist.name} {point.dist.version})" if point.dist else point.value


def _places() -> list[Path]:
    """Return the folder `plugins` and its wheels, if only root and this user may write there."""
    try:
        folder = plugins_folder()
        about = folder.stat()
        wheels = sorted(folder.glob("*.whl"))
    except (OptionError, FileNotFoundError):
        return []
    except OSError as error:
        PLUGINS.refuse(msg("{folder}: no plug-in can be used: {why}", folder=folder, why=reason(error)))
        return []
    if about.st_uid not in {0, os.geteuid()} or about.st_mode & stat.S_IWOTH:
        PLUGINS.refuse(
            msg(
                "{folder}: no plug-in is used, since others may write there. Change its owner or mode",
                folder=folder,
            )
        )
        return []
    return [folder, *filter(_is_whole, wheels)]


def _is_whole(wheel: Path) -> bool:
    from zipfile import is_zipfile  # noqa: PLC0415  hardly anybody has wheels there

    if is_zipfile(wheel):
        return True
    PLUGINS.refuse(msg("{file}: this wheel is damaged. Copy it again", file=wheel))
    return False


@cache
def _on(path: tuple[str, ...]) -> Sequence[Plugin]:
    from importlib.metadata import distributions  # noqa: PLC0415  it loads how e-mails are read, and so much else

    found: dict[str, Plugin] = {}
    for dist in distributions(path=list(path)):
        for plugin in PLUGINS.guarded(lambda dist=dist: list(_read(dist)), _unreadable(dist)) or ():  # type: ignore[misc]
            first = found.setdefault(plugin.name, plugin)
            if first.version != plugin.version:
                PLUGINS.refuse(
                    msg(
                        "{name} is there twice: {version} in {folder} is used, {other} is not. Remove one",
                        name=plugin.name,
                        version=first.version,
                        folder=first.folder,
                        other=plugin.version,
                    )
                )
    return tuple(found.values())


def _read(dist: "Distribution") -> Iterator[Plugin]:
    points = [point for point in dist.entry_points if point.group.startswith(OURS)]
    if points:
        if "Name" not in dist.metadata:
            raise ValueError("its METADATA has no name")
        yield Plugin(dist.name, dist.version, str(dist.locate_file("")), points)


def _unreadable(dist: "Distribution") -> Callable[[str], Text]:
    return lambda why: msg("a package in {folder} cannot be read: {why}", folder=dist.locate_file(""), why=why)


@cache
def _some_installed(path: tuple[str, ...]) -> bool:
    """Avoid the slow `importlib.metadata` if no installed package has entry points for us.

    Archives may have some.
    """
    return any(map(_may_name_ours, path))


def _may_name_ours(folder: str) -> bool:
    with suppress(OSError):  # Python cannot read it either
        if Path(folder).is_file():
            return True
        for named in Path(folder).glob("*-[iI][nN][fF][oO]/entry_points.txt"):
            with suppress(OSError):
                if b"[companion." in named.read_bytes():
                    return True
    return False


PLUGINS: Final = Plugins()
