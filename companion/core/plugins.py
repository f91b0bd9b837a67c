"""Loads third-party games and drivers. One that fails is recorded; everything else runs."""

import logging
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from companion.core.text import Text

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

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


def entry_points_of(group: str) -> "Iterable[EntryPoint]":
    """Return the entry points of a group `companion.NAME`."""
    path = tuple(sys.path)
    return cast("Iterable[EntryPoint]", _installed(path).select(group=group)) if _some_installed(path) else ()


@cache
def _installed(_path: tuple[str, ...]) -> Any:  # its class differs between Python versions
    from importlib.metadata import entry_points  # noqa: PLC0415  it loads how e-mails are read, and so much else

    return entry_points()  # of all groups, so that packages are scanned once


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
