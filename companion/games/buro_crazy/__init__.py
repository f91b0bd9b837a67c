"""Büro Crazy, for 3 to 5 players: bid influence in secret for a place higher up the house."""

from companion.core.game import Sign

SIGN = Sign("buro_crazy", seats=5, emblem="figure")
