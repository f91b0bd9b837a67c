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
    ("T flip red kar", "'red kar' is no card; did you mean 'red car'?"),
    (
        "T flip",
        "'' is no card; a card is a colour (green, red, blue, yellow, orange, purple, pink, sky) and an object "
        "(cube, butterfly, ball, icecream, cup, flower, car, telephone)",
    ),
    ("T flip red", "'red' is no card"),
    ("T flip red car car", "is no card"),
    ("T starter", "a card that lies at a side is named by side and card"),
    ("T starter 7 red car", "'7' is not understood; allowed: 1, 2, 3, 4, 5, 6"),
    ("2 declare imposible", "'imposible' is not understood; did you mean 'impossible'?"),
    ("2 declare 0", "'0' is not understood"),
    ("2 declare", "'' is not understood"),
    ("T judge rihgt", "did you mean 'right'?"),
    ("T call", "'' is no seat"),
    ("T call 0", "'0' is no seat"),
    ("T call 2 seven", "'seven' is not understood"),
    ("T youngest 1 2", "'1 2' is no seat"),
    ("T tie 1 x", "'x' is no seat"),
    ("T nobody 3", "'3' is too much here"),
]
