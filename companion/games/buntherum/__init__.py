"""Buntherum, for 2 to 5 players: a card is turned, the first to call its row gets rid of one of his own."""

from companion.core.game import Sign

SIGN = Sign("buntherum", seats=5, emblem="icecream")
