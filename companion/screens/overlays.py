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
    """The stack it was laid on."""

    @abstractmethod
    def screen(self) -> Screen:
        """Return what the centre shows."""

    def sides(self) -> tuple[Side, ...] | None:
        """Return the strips; None if they stay as they are."""
        return None

    def hint(self) -> Text | None:
        """Return the hint for a beginner, if it needs one."""
        return None

    @abstractmethod
    def press(self, place: Place, control: str) -> bool:
        """Handle a new press; return False to go back to what lies below."""

    def hear(self, signal: Signal) -> None:  # noqa: B027  most overlays hear presses only
        """Handle every signal, including bounces and releases; presses also come through `press`."""

    def renew(self) -> None:  # noqa: B027  most overlays show what is so now
        """Update the screen: it is on top again, or something was pressed."""

    def rewind(self) -> None:  # noqa: B027  most overlays have no lines
        """Go to the first line, before a question is laid over it."""

    def leave(self) -> None:  # noqa: B027  most overlays have nothing to end
        """Clean up: it was taken away."""

    def changed(self) -> None:
        if self.stack and self.stack.top is self:
            self.stack.changed()

    def open(self, overlay: "Overlay") -> None:
        assert self.stack
        self.stack.push(overlay)


class Overlays:
    """The stack of overlays: `laid` is called for a new top, `changed` when the same top may look different."""

    def __init__(self, laid: Callable[[], None], changed: Callable[[], None]) -> None:
        self.changed = changed
        self._laid = laid
        self._lying: list[Overlay] = []
        self.top: Overlay | None = None
        """The topmost overlay, if any."""

    def sides(self) -> tuple[Side, ...] | None:
        """Return the strips of the topmost overlay that has some."""
        return next((sides for overlay in reversed(self._lying) if (sides := overlay.sides())), None)

    def how_many(self, kind: type[Overlay]) -> int:
        """Return how many of a kind lie there."""
        return sum(isinstance(overlay, kind) for overlay in self._lying)

    def push(self, *overlays: Overlay) -> None:
        """Put overlays on top, one upon the other."""
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
        """Lay these there instead of all that lies there."""
        self.clear()
        self.push(*overlays)

    def press(self, place: Place, control: str) -> None:
        """Give a new press to the top, and show the effect."""
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
    """One screen; `pressed` handles presses, without it any press goes back.

    `hint` says what a newcomer presses next.
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
        """Say what a newcomer presses next."""
        return self._hint()

    def screen(self) -> Screen:
        """Return what the centre shows."""
        return self._draw()

    def hear(self, signal: Signal) -> None:
        """Update when devices come or go."""
        if signal.control in {PLUG, UNPLUG}:
            self.changed()

    def press(self, place: Place, control: str) -> bool:
        """Do what a press means here."""
        if self._pressed:
            self._pressed(place, control)
        return self._pressed is not None


class MenuOverlay(Overlay):
    """A menu, made again after each action; `drawn` replaces its lines.

    `pressed_at` is the place of whoever pressed last.
    """

    def __init__(self, make: Callable[[], Choice], read: Render, *, drawn: Screen | None = None) -> None:
        self.choice = make()
        self.pressed_at: Place = HOUSE
        self._make = make
        self._read = read
        self._drawn = drawn

    def screen(self) -> Screen:
        """Return the page of the menu."""
        return self._drawn or centre.menu(self.choice, self._read)

    def hint(self) -> Text | None:
        """Say how a line is taken."""
        return hints.to_choose(self.choice)

    def press(self, place: Place, control: str) -> bool:
        """Go to a line, do what it says, or go back."""
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
