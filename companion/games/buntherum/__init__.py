"""Buntherum, for 2 to 5 players: a card is turned, the first to call its row gets rid of one of his own."""

from companion.core.game import LEVELS, Sign

PEOPLE = ("beginner", "random", "human-slow", "human", "human-quick", "planner")
"""Robots that play as people do, and others, beside those of each level."""

SIGN = Sign("buntherum", seats=5, emblem="icecream", robots=(*LEVELS, *PEOPLE))
