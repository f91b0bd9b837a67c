"""Buttons that people own: Buzz! controllers, gamepads, arcade encoders, keyboards with one key, pedals."""

from companion.core.place import Place
from companion.core.text import Text, msg


def button_of(place: Place) -> Text:
    return msg("the button of seat {n}", n=place + 1)
