"""Buntherum, for 2 to 5 players: the first to call the row of a turned card gets rid of a card."""

from companion.core.game import Sign

SIGN = Sign("buntherum", seats=5, emblem="icecream")
