"""Buntherum's moves as text, and invalid text with its error."""

from companion.core.move import TABLE, Move
from companion.games.buntherum.rules import UNKNOWN
from tests.games.buntherum.bh_table import card

LINES = {
    "T youngest 2": Move(TABLE, "youngest", (1,)),
    "T first 2": Move(TABLE, "first", (1,)),
    "T lot 2": Move(TABLE, "lot", (1,)),
    "T laid": Move(TABLE, "laid"),
    "T read 3 green flower": Move(TABLE, "read", (3, card("green flower"))),
    "T starter 1 red car": Move(TABLE, "starter", (1, card("red car"))),
    "T starter 6 sky cube": Move(TABLE, "starter", (6, card("sky cube"))),
    "T flip blue butterfly": Move(TABLE, "flip", (card("blue butterfly"),)),
    "T flip ??": Move(TABLE, "flip", (UNKNOWN,)),
    "T early 5": Move(TABLE, "early", (4,)),
    "T call 2": Move(TABLE, "call", (1,)),
    "T call 2 4": Move(TABLE, "call", (1, 4)),
    "T call 2 impossible": Move(TABLE, "call", (1, 0)),
    "T tie 1 4": Move(TABLE, "tie", (0, 3)),
    "T tie 1 2 3 4 5": Move(TABLE, "tie", (0, 1, 2, 3, 4)),
    "T nobody": Move(TABLE, "nobody"),
    "2 declare 4": Move(1, "declare", (4,)),
    "2 declare impossible": Move(1, "declare", (0,)),
    "T late": Move(TABLE, "late"),
    "T card green telephone": Move(TABLE, "card", (card("green telephone"),)),
    "T judge right": Move(TABLE, "judge", (1,)),
    "T judge wrong": Move(TABLE, "judge", (0,)),
}

BAD = [
    ("T flip red kar", "'red kar' is not a card; did you mean 'red car'?"),
    (
        "T flip",
        "'' is not a card; a card is a colour (green, red, blue, yellow, orange, purple, pink, sky) and an object "
        "(cube, butterfly, ball, icecream, cup, flower, car, telephone)",
    ),
    ("T flip red", "'red' is not a card"),
    ("T flip red car car", "is not a card"),
    ("T starter", "name a starter by its side and card"),
    ("T starter 7 red car", "unknown word '7'; allowed: 1, 2, 3, 4, 5, 6"),
    ("2 declare imposible", "unknown word 'imposible'; did you mean 'impossible'?"),
    ("2 declare 0", "unknown word '0'"),
    ("2 declare", "unknown word ''"),
    ("T judge rihgt", "did you mean 'right'?"),
    ("T call", "'' is not a seat"),
    ("T call 0", "'0' is not a seat"),
    ("T call 2 seven", "unknown word 'seven'"),
    ("T youngest 1 2", "'1 2' is not a seat"),
    ("T tie 1 x", "'x' is not a seat"),
    ("T nobody 3", "unexpected '3'"),
]
