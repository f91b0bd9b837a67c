"""What others have written for this program, games and drivers: each is loaded in a guard of its own.

What fails is kept by its place and its reason, to be named wherever people look; everything else runs.
"""

import logging
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, TypeVar, cast

from companion.core.text import Text

T = TypeVar("T")

log = logging.getLogger(__name__)


class Others:
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


def entry_points_of(group: str) -> Iterable[EntryPoint]:
    """Return the entry points of a group."""
    return cast("Iterable[EntryPoint]", _installed(tuple(sys.path)).select(group=group))


@cache
def _installed(_path: tuple[str, ...]) -> Any:  # Python 3.11 has another class for them than the newer ones
    return entry_points()  # of all groups: what is installed is looked through once


OTHERS: Final = Others()
"""Those of this program."""
