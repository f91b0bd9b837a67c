"""Dé et Boulanger, for 2 or 4 players: bakers fetch what they need, bake, and sell what the tiles allow."""

from companion.core.game import Sign

SIGN = Sign("de_et_boulanger", seats=4, emblem="baker")
