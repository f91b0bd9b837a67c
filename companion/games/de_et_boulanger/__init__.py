"""Dé et Boulanger, for 2 or 4 players: bakers fetch ingredients, bake and sell."""

from companion.core.game import Sign

SIGN = Sign("de_et_boulanger", seats=4, emblem="baker")
