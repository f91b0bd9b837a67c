"""Any other game, for 2 to 5 players: first to press, secret numbers, clocks, dice and lots, points."""

from companion.core.game import Sign

SIGN = Sign("any", seats=5, emblem="quiz")
