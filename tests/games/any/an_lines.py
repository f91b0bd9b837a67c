"""The moves of any other game as text, and invalid text with its error."""

from companion.core.move import TABLE, Move, SecretMove

LINES = {
    "T open": Move(TABLE, "open"),
    "T tick 3": Move(TABLE, "tick", (3,)),
    "T early 5": Move(TABLE, "early", (4,)),
    "T call 2": Move(TABLE, "call", (1,)),
    "T tie 1 4": Move(TABLE, "tie", (0, 3)),
    "T right": Move(TABLE, "right"),
    "T wrong": Move(TABLE, "wrong"),
    "T late": Move(TABLE, "late"),
    "2 lock 27": SecretMove(1, "lock", (27,)),
    "2 retract": Move(1, "retract"),
    "T number 27": Move(TABLE, "number", (27,)),
    "T pass 2 12345": Move(TABLE, "pass", (1, 12345)),
    "T flag 2": Move(TABLE, "flag", (1,)),
    "T draw 6": Move(TABLE, "draw", (6,)),
    "T add 2 10": Move(TABLE, "add", (1, 10)),
    "T take 2 10": Move(TABLE, "take", (1, 10)),
    "T skip": Move(TABLE, "skip"),
}

BAD = [
    ("T opne", "did you mean 'open'?"),
    ("T open 1", "unexpected '1'"),
    ("T call", "'' is not a seat"),
    ("2 lock 10000", "allowed: a whole number from 0 to 9999"),
    ("2 lock 07", "allowed: a whole number from 0 to 9999"),
    ("2 lock", "''; allowed: a whole number from 0 to 9999"),
    ("T pass 2", "''; allowed: a whole number from 0 to 99999999"),
    ("T add 10", "'10' is not a seat"),
    ("T add 2 -1", "'-1'; allowed: a whole number from 0 to 999"),
]
