"""The console of a game as it is; a lesson, and a match with real pieces, change something of it."""

from collections.abc import Callable, Mapping

from companion.core.console import Call, Console, HouseEntry, Keyed, Lamp, Stage
from companion.core.move import Move, Seat
from companion.core.rules import View
from companion.core.text import Text


class WrappedConsole:
    """Does all that the console of a game does, each of it to be changed by a class built on this."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def stage(self, view: View) -> Stage:
        """Say what the referee waits for."""
        return self._console.stage(view)

    def called(self, view: View, winners: tuple[Call, ...]) -> Move | None:
        """Return the move of a verdict."""
        return self._console.called(view, winners)

    def early(self, view: View, seat: Seat) -> Move | None:
        """Return what a false start costs."""
        return self._console.early(view, seat)

    def key(self, view: View, seat: Seat, key: str, entries: Mapping[Seat, str]) -> Keyed:
        """Return what a key means."""
        return self._console.key(view, seat, key, entries)

    def house(self, view: View, control: str) -> Move | None:
        """Return what a control of the house means."""
        return self._console.house(view, control)

    def house_entry(self, view: View, entry: str) -> HouseEntry | None:
        """Return what the house can do now; None for nothing, or where the game does not say it."""
        say: Callable[[View, str], HouseEntry | None] | None = getattr(self._console, "house_entry", None)
        return say(view, entry) if say else None

    def keys_for(self, view: View, move: Move) -> tuple[str, ...]:
        """Return the controls that make a move."""
        return self._console.keys_for(view, move)

    def prompt(self, view: View) -> Text:
        """Say what the audience of the view may do."""
        return self._console.prompt(view)

    def private(self, view: View, entry: str) -> Text | None:
        """Say what a seat's own screen says."""
        return self._console.private(view, entry)

    def lamps(self, view: View) -> tuple[Lamp, ...]:
        """Return each seat's lamp."""
        return self._console.lamps(view)
