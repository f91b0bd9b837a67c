"""The console of a game as it is; a lesson, and a match with real pieces, change something of it."""

from typing import Any, Final

from companion.core.console import Console

PARTS: Final = ["stage", "called", "early", "key", "house", "house_entry", "keys_for", "prompt", "private", "lamps"]
"""What is taken over of a console; of other things that a game's may have nothing is known."""


class WrappedConsole:
    """Does all that the console of a game does, each of it to be changed by a class built on this."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __getattr__(self, name: str) -> Any:
        if name not in PARTS:
            raise AttributeError(name)
        return getattr(self._console, name)
