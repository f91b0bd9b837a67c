"""The console of a game as it is; a lesson, and a match with real pieces, change something of it."""

from companion.core.console import Console


class WrappedConsole:
    """Has all that the console of a game has, and what only some have; a class built on this changes some of it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        # Taken over at once: `isinstance` asks which words a console has, and sees nothing of a `__getattr__`.
        own = dir(self)
        words = [name for name in dir(console) if name not in own and not name.startswith("_")]
        vars(self).update({word: getattr(console, word) for word in words})
