"""Böse Buben, for 2 to 4 players: who is still in the race when it ends is paid, who fell can be bought back."""

from companion.core.game import Sign

SIGN = Sign("boese_buben", seats=4, emblem="goblin_on_pig")
