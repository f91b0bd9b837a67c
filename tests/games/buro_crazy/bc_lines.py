"""Büro Crazy's moves as text, and text that is none with what is said of it."""

from bc_table import STAIRS

from companion.core.move import TABLE, Move, SecretMove

LINES = {
    "T colour 2 black": Move(TABLE, "colour", (1, 4)),
    "T colour 5 red": Move(TABLE, "colour", (4, 0)),
    "T place 1 2 3 4 2 1 4 3 3 1 4 2 1 4 2 3": Move(TABLE, "place", STAIRS[4]),
    "T place 1 2 3 1 2 3 1 2 3 1 2 3 1 2 3": Move(TABLE, "place", STAIRS[3]),
    "1 commit 20 2 1": SecretMove(0, "commit", (1, 1, 0, 0, 1)),
    "3 commit 10 10 5 2 2 2": SecretMove(2, "commit", (0, 3, 1, 2, 0)),
    "2 commit none": SecretMove(1, "commit", (0, 0, 0, 0, 0)),
    "4 total 0": SecretMove(3, "total", (0,)),
    "4 total 152": SecretMove(3, "total", (152,)),
    "4 retract": Move(3, "retract"),
    "T coin 3": Move(TABLE, "coin", (2,)),
    "T roof 20": Move(TABLE, "roof", (20,)),
    "T roof 1": Move(TABLE, "roof", (1,)),
    "5 report 1140": SecretMove(4, "report", (1140,)),
    "5 report 0": SecretMove(4, "report", (0,)),
    "T counted 47": Move(TABLE, "counted", (47,)),
    "T counted 0": Move(TABLE, "counted", (0,)),
}

BAD = [
    ("2 commit", "a bid is the values of its cards, or 'none'"),
    ("2 commit 3", "'3' is not understood"),
    ("2 commit 20 none", "'none' is not understood"),
    ("2 commit 020", "'020' is not understood"),
    ("2 commit ??", "'??' is not understood"),
    ("2 total", "''; allowed: a whole number from 0 to 1140"),
    ("2 total 1141", "'1141'; allowed"),
    ("2 total -1", "'-1'; allowed"),
    ("2 total 05", "'05'; allowed"),
    ("2 total 5 5", "'5 5'; allowed"),
    ("2 total ??", "'??'; allowed"),
    ("2 retract 5", "'5' is too much here"),
    ("T coin", "'' is no seat"),
    ("T coin 0", "'0' is no seat"),
    ("T coin 1 2", "'1 2' is no seat"),
    ("T roof", "'' is not understood"),
    ("T roof 3", "'3' is not understood"),
    ("T roof 5 5", "'5 5' is not understood"),
    ("2 report 1141", "'1141'; allowed"),
    ("2 report ??", "'??'; allowed"),
    ("T counted 151", "'151'; allowed: a whole number from 0 to 150"),
    ("T counted x", "'x'; allowed"),
    ("T place 1 2 6", "'6' is no seat"),
    ("T colour 2", "'' is not understood"),
    ("T colour red 2", "'red' is no seat"),
    ("T colour 2 rde", "'rde' is not understood; did you mean 'red'?"),
    ("T colour 2 red red", "'red red' is not understood"),
    ("T colour", "'' is no seat"),
]
