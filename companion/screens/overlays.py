"""Overlays: screens that cover the match or an idle table. The topmost one gets every press."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from companion.core.menu import Choice
from companion.core.place import HOUSE, Place
from companion.core.signal import PLUG, UNPLUG, Signal
from companion.core.text import Render, Text
from companion.display.frame import Screen, Side
from companion.match import centre, hints


class Overlay(ABC):
    """A screen that owns the centre of the display while it is on top."""

    stack: "Overlays | None" = None

    @abstractmethod
    def screen(self) -> Screen: ...

    def sides(self) -> tuple[Side, ...] | None:
        """Return the strips; None to keep those below."""
        return None

    def hint(self) -> Text | None:
        return None

    @abstractmethod
    def press(self, place: Place, control: str) -> bool:
        """Handle a new press. Return False to close the overlay."""

    def hear(self, signal: Signal) -> None:  # noqa: B027  most overlays hear presses only
        """Handle every signal, including bounces and releases. Presses also come through `press`."""

    def renew(self) -> None:  # noqa: B027  most overlays show what is so now
        """Update the screen when it is on top again, or after a press."""

    def rewind(self) -> None:  # noqa: B027  most overlays have no lines
        """Go to the first line, before a question covers it."""

    def leave(self) -> None:  # noqa: B027  most overlays have nothing to end
        """Clean up after the overlay was removed."""

    def changed(self) -> None:
        if self.stack and self.stack.top is self:
            self.stack.changed()

    def open(self, overlay: "Overlay") -> None:
        assert self.stack
        self.stack.push(overlay)


class Overlays:
    """The stack of overlays. `laid` is called for a new top, `changed` if the same top may look different."""

    def __init__(self, laid: Callable[[], None], changed: Callable[[], None]) -> None:
        self.changed = changed
        self._laid = laid
        self._lying: list[Overlay] = []
        self.top: Overlay | None = None

    def sides(self) -> tuple[Side, ...] | None:
        return next((sides for overlay in reversed(self._lying) if (sides := overlay.sides())), None)

    def how_many(self, kind: type[Overlay]) -> int:
        return sum(isinstance(overlay, kind) for overlay in self._lying)

    def push(self, *overlays: Overlay) -> None:
        for overlay in overlays:
            overlay.stack = self
            self._lying.append(overlay)
            self.top = overlay
        self._laid()

    def ask(self, overlay: Overlay) -> None:
        """Put a question over a menu and rewind the menu, so that the same key does not answer twice."""
        if self.top:
            self.top.rewind()
        self.push(overlay)

    def pop(self, overlay: Overlay) -> None:
        """Remove an overlay and everything above it."""
        place = self._lying.index(overlay)
        self._take_away(place)
        if self.top:
            self.top.renew()
        self._laid()

    def clear(self) -> None:
        self._take_away(0)

    def lay(self, *overlays: Overlay) -> None:
        """Replace all overlays."""
        self.clear()
        self.push(*overlays)

    def press(self, place: Place, control: str) -> None:
        top = self.top
        assert top
        if not top.press(place, control):
            self.pop(top)
        elif self.top is top:
            top.renew()
            self.changed()

    def _take_away(self, place: int) -> None:
        gone, self._lying = self._lying[place:], self._lying[:place]
        self.top = self._lying[-1] if self._lying else None
        for overlay in reversed(gone):
            overlay.leave()


class Card(Overlay):
    """One screen. Any press closes it, unless `pressed` handles presses.

    `hint` returns what a newcomer presses next.
    """

    def __init__(
        self,
        draw: Callable[[], Screen],
        pressed: Callable[[Place, str], None] | None = None,
        hint: Callable[[], Text | None] = lambda: None,
    ) -> None:
        self._draw = draw
        self._pressed = pressed
        self._hint = hint

    def hint(self) -> Text | None:
        return self._hint()

    def screen(self) -> Screen:
        return self._draw()

    def hear(self, signal: Signal) -> None:
        if signal.control in {PLUG, UNPLUG}:
            self.changed()

    def press(self, place: Place, control: str) -> bool:
        if self._pressed:
            self._pressed(place, control)
        return self._pressed is not None


class Notice(Card):
    """What to know before the first match. Questions about owners come first: without them nobody can press."""


class MenuOverlay(Overlay):
    """A menu that is made again after each action. `drawn` replaces its screen.

    `pressed_at` is the place of the last press.
    """

    def __init__(self, make: Callable[[], Choice], read: Render, *, drawn: Screen | None = None) -> None:
        self.choice = make()
        self.pressed_at: Place = HOUSE
        self._make = make
        self._read = read
        self._drawn = drawn

    def screen(self) -> Screen:
        return self._drawn or centre.menu(self.choice, self._read)

    def hint(self) -> Text | None:
        return hints.to_choose(self.choice)

    def press(self, place: Place, control: str) -> bool:
        self.pressed_at = place
        self.choice, item = self.choice.press(control)
        if item and item.act:
            item.act()
        return item is None or item.act is not None

    def renew(self) -> None:
        choice = self._make()
        self.choice = choice._replace(selected=min(self.choice.selected, len(choice.items) - 1))

    def rewind(self) -> None:
        self.choice = self.choice._replace(selected=0)
