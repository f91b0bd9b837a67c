"""Böse Buben, for 2 to 4 players: goblins race in lanes, and fallen cards can be bought back."""

from companion.core.game import Sign

SIGN = Sign("boese_buben", seats=4, emblem="goblin_on_pig")
