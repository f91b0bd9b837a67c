"""Moves of Dé et Boulanger as text, and bad lines with their errors."""

from companion.core.move import TABLE, Move

LINES = {
    "1 bakery N": Move(0, "bakery", (0,)),
    "2 bakery E": Move(1, "bakery", (1,)),
    "3 bakery S": Move(2, "bakery", (2,)),
    "4 bakery W": Move(3, "bakery", (3,)),
    "2 tiles 3 1 6 2 5 4": Move(1, "tiles", (2, 0, 5, 1, 4, 3)),
    "T start 5": Move(TABLE, "start", (5,)),
    "1 load 4": Move(0, "load", (4,)),
    "1 unload 3 2 0 1": Move(0, "unload", (3, 2, 0, 1)),
    "4 flour 3": Move(3, "flour", (3,)),
    "4 butter 2": Move(3, "butter", (2,)),
    "4 water 6": Move(3, "water", (6,)),
    "3 ready": Move(2, "ready"),
    "T roll 4": Move(TABLE, "roll", (4,)),
    "1 step 2,4": Move(0, "step", (2 * 11 + 4,)),
    "1 stay": Move(0, "stay"),
    "2 end": Move(1, "end"),
    "2 home yes": Move(1, "home", (1,)),
    "2 home no": Move(1, "home", (0,)),
    "1 bake 2 1": Move(0, "bake", (2, 1)),
    "1 bake 12 0": Move(0, "bake", (12, 0)),
    "1 validate": Move(0, "validate"),
    "T sale 3": Move(TABLE, "sale", (3,)),
    "T incident 5": Move(TABLE, "incident", (5,)),
}

NONSENSE = [
    *("", "1", "T", "1 lode 4", "5x load 4", "0 load 1", "6 load 1", "1 load", "1 load 0", "1 load 1 2"),
    *("1 load -1", "1 load +1", "1 load 01", "1 load one", "1 load ٣", "1 unload 1 2 3"),
    *("1 unload 1 2 3 4 5", "1 unload", "1 flour", "1 bakery", "1 bakery n", "1 bakery X", "1 bakery N E"),
    *("1 tiles 1 2 3 4 5", "1 tiles 1 2 3 4 5 5", "1 tiles 0 1 2 3 4 5", "1 tiles 1 2 3 4 5 7"),
    *("1 tiles 1 2 3 4 5 6 1", "1 step", "1 step 0,0", "1 step 99,1", "1 step 2", "1 step 2,", "1 step 2, 4"),
    *("1 step 2,4,5", "1 step 02,4", "1 step 5,5", "1 step fontaine", "1 step n", "1 ready now", "1 end 1"),
    *("1 home", "1 home maybe", "1 home 1", "1 bake 1", "1 bake 1 2 3", "1 validate 1", "T roll", "T roll 0"),
    *("T roll 7", "T start seven", "T sale 1 2", "T incident 7"),
]

BAD = [
    *((text, "") for text in NONSENSE),
    ("1 lode 4", "did you mean 'load'?"),
    ("T rol 4", "did you mean 'roll'?"),
    ("6 load 4", "'6' is not a seat; allowed: 1 to 5, T for the table"),
    ("T roll 7", "'7'; allowed: a whole number from 1 to 6"),
    ("1 ready now", "unexpected 'now'"),
    ("1 tiles 1 2 3", "3 tiles; a row has 6"),
    ("1 tiles 1 2 3 4 5 5", "'1 2 3 4 5 5'; allowed: each tile once"),
    ("1 tiles 0 1 2 3 4 5", "'0'; allowed: a whole number from 1 to 6"),
    ("1 unload 1 2", "'1 2'; allowed: 4 numbers"),
    ("1 bake 1", "'1'; allowed: 2 numbers"),
    ("1 load 1000", "'1000'; allowed: a whole number from 1 to 9"),
    ("1 bakery n", "unknown word 'n'; allowed: E, N, S, W"),
    (
        "1 step 2, 4",
        "'2, 4' is not a square; allowed: row,column on the board of 11 by 11, fountain, N, E, S, W",
    ),
]
