"""Giving new pods to seats: one seat after the other is asked to press a key on its own."""

from typing import Final

from companion.core.place import Place, each_place
from companion.core.text import Render, msg
from companion.devices.pods.pods import Pods
from companion.display.frame import Poster

LOOK_NS: Final = 200_000_000
"""How often to look whether somebody has pressed."""


PATIENCE_NS: Final = 30_000_000_000
"""A seat that does not answer for this long is passed over: nobody may be there, nor any button of the house."""


class Binding:
    """Asks the places that have no pod, clockwise, until all are asked or no pod is left."""

    def __init__(self, pods: Pods, places: int, now_ns: int) -> None:
        self._pods = pods
        self._left = [place for place in each_place(places) if place not in pods.places]
        self._asked_ns = now_ns
        self.changed = False

    @property
    def place(self) -> Place | None:
        """The place that is asked; None when nobody is any more."""
        return self._left[0] if self._left and self._pods.unbound() else None

    def look(self, now_ns: int) -> bool:
        """Give the pod that was pressed to the place that was asked; tell whether one was pressed."""
        place = self.place
        if place is None:
            return False
        newest = self._pods.unbound()[0]
        if newest.pressed_ns is None or newest.pressed_ns <= self._asked_ns:
            if now_ns - self._asked_ns >= PATIENCE_NS:
                self.skip(now_ns)
            return False
        self._pods.bind(newest.identity, place)
        self.changed = True
        self.skip(now_ns)
        return True

    def skip(self, now_ns: int) -> None:
        """Go on to the next place."""
        self._left = self._left[1:]
        self._asked_ns = now_ns

    def poster(self, read: Render = str) -> Poster:
        """Return the screen that asks."""
        seat = 0 if self.place is None else self.place + 1
        ask = read(msg("Seat {n}: press a key on your pod", n=seat))
        return Poster(read(msg("Whose pod is this?")), (ask,), read(msg("House: skip asks the next seat, ok ends")))
