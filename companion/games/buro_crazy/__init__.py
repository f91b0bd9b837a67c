"""Büro Crazy, for 3 to 5 players: secret bids of influence for places in a building."""

from companion.core.game import Sign

SIGN = Sign("buro_crazy", seats=5, emblem="figure")
