"""The console of a game as it is; a lesson, and a match with real pieces, change something of it."""

from typing import Any

from companion.core.console import Console


class WrappedConsole:
    """Does all that the console of a game does, and what only some do; a class built on this changes some of it."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __getattr__(self, name: str) -> Any:
        return getattr(self._console, name)
