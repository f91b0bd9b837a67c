"""The base of consoles that modify a game's console, for lessons and for real pieces."""

from companion.core.console import Console


class WrappedConsole:
    """Forwards every attribute of the game's console; a subclass overrides some."""

    def __init__(self, console: Console) -> None:
        self._console = console
        # Copied at once: `isinstance` checks for optional attributes do not see `__getattr__`.
        own = dir(self)
        words = [name for name in dir(console) if name not in own and not name.startswith("_")]
        vars(self).update({word: getattr(console, word) for word in words})
