"""What others have written for this program, games and drivers: each is loaded in a guard of its own.

What fails is kept by its place and its reason, to be named wherever people look; everything else runs.
"""

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
    """What of others is loaded: all of it, unless it is not `wanted`; `refused` says what failed, and why."""

    def __init__(self) -> None:
        self.wanted = True
        self.refused: list[Text] = []

    @property
    def some_missing(self) -> bool:
        """Whether something that is installed may not be there, so that a table.toml may speak of it."""
        return not self.wanted or bool(self.refused)

    def guarded(self, load: Callable[[], T], refusal: Callable[[str], Text]) -> T | None:
        """Return what is loaded; None where that fails in any way, even by ending the program, which is kept."""
        try:
            return load()
        except (Exception, SystemExit) as error:  # noqa: BLE001  of what others wrote anything can be expected
            self.refuse(refusal(why_of(error)))
            return None

    def refuse(self, why: Text) -> None:
        """Keep that something cannot be used."""
        if why not in self.refused:
            self.refused.append(why)
            log.warning("%s", why)


def why_of(error: BaseException) -> str:
    """Return what went wrong in a line; an error that says nothing is told by its name."""
    if isinstance(error, SystemExit):
        return f"it ends the program ({error.code})"
    said = str(error)
    expected = isinstance(error, ImportError | AttributeError | SyntaxError | OSError | TypeError | ValueError)
    return said if said and expected else f"{type(error).__name__}: {said}".rstrip(": ")


def entry_points_of(group: str) -> "Iterable[EntryPoint]":
    """Return the entry points of one of our groups, `companion.` and a name."""
    path = tuple(sys.path)
    return cast("Iterable[EntryPoint]", _installed(path).select(group=group)) if _some_installed(path) else ()


@cache
def _installed(_path: tuple[str, ...]) -> Any:  # Python 3.11 has another class for them than the newer ones
    from importlib.metadata import entry_points  # noqa: PLC0415  it loads how e-mails are read, and so much else

    return entry_points()  # of all groups: what is installed is looked through once


@cache
def _some_installed(path: tuple[str, ...]) -> bool:
    """Tell whether anything that is installed may name something for us; what lies in an archive may."""
    return any(map(_may_name_ours, path))


def _may_name_ours(folder: str) -> bool:
    """Tell whether one folder of the path may. Asking Python takes as long as all that a command loads."""
    with suppress(OSError):  # what cannot be looked at names nothing for Python either
        if Path(folder).is_file():
            return True
        for named in Path(folder).glob("*-[iI][nN][fF][oO]/entry_points.txt"):
            with suppress(OSError):
                if b"[companion." in named.read_bytes():
                    return True
    return False


PLUGINS: Final = Plugins()
"""What is loaded of them in this program."""
