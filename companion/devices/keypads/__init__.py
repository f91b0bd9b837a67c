"""Keypads: USB number pads, and a key matrix on GPIO lines."""

from companion.core.place import HOUSE, Place
from companion.core.text import Text, msg


def keypad_of(place: Place) -> Text:
    return msg("the keypad of the house") if place == HOUSE else msg("the keypad of seat {n}", n=place + 1)
