"""Named positions of Dé et Boulanger for counting move sequences."""

from collections.abc import Sequence

from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.rules import VERBS
from companion.games.de_et_boulanger.rules.components import Rulings, State
from tests.games.de_et_boulanger.db_table import BOX

SETUP = {
    2: ("1 bakery N", "1 tiles 1 2 3 4 5 6", "2 tiles 6 5 4 3 2 1", "T start 6", "T start 1"),
    4: (
        *("1 bakery N", "2 bakery E", "3 bakery S", "4 bakery W"),
        *("1 tiles 1 2 3 4 5 6", "2 tiles 6 5 4 3 2 1", "3 tiles 1 6 2 5 3 4", "4 tiles 3 4 2 5 1 6"),
        *("T start 6", "T start 1", "T start 5", "T start 6", "T start 2", "T start 1"),
    ),
}
OTHERS_STAY = {2: ("T roll 1", "2 end"), 4: ("T roll 1", "4 end", "T roll 1", "3 end", "T roll 1", "2 end")}
LOAD = ("1 load 2",)
TO_FOUNTAIN = ("T roll 6", *(f"1 step {place}" for place in ("1,5", "2,5", "3,5", "fountain")))
TO_MILL = ("1 load 5", "T roll 6", *(f"1 step {place}" for place in ("1,5", "1,4", "1,3", "1,2", "2,2")))
SHOPPING = (
    *("1 load 4", "1 flour 4", "1 water 2", "1 unload 4 2 0 0", "1 load 3", "1 butter 3", "1 water 3"),
    *("1 unload 0 3 3 0", "2 load 5", "2 flour 3", "2 butter 2", "2 water 1"),
)
BACK = {
    seats: (
        *("1 water 2", "1 end", *others),
        *("T roll 6", "1 step 3,5", "1 step 2,5", "1 step 1,5", "1 step N"),
    )
    for seats, others in OTHERS_STAY.items()
}


HOME = {seats: tuple(f"{who} home no" for who in range(1, seats + 1)) for seats in SETUP}


def position(seats: int, lines: Sequence[str], **rulings: object) -> State:
    state = rules.setup(BOX, Rulings(**rulings), seats)
    for line in lines:
        state = rules.apply(state, VERBS.parse_move(BOX, line))
    return state


POSITIONS = {
    "set-up": lambda seats: position(seats, ()),
    "door": lambda seats: position(seats, SETUP[seats]),
    "mill": lambda seats: position(seats, (*SETUP[seats], *TO_MILL)),
    "fountain": lambda seats: position(seats, (*SETUP[seats], *LOAD, *TO_FOUNTAIN)),
    "back": lambda seats: position(seats, (*SETUP[seats], *LOAD, *TO_FOUNTAIN, *BACK[seats])),
    "loose": lambda seats: position(
        seats, (*SETUP[seats], *LOAD, *TO_FOUNTAIN, *BACK[seats]), shop_stops_move=False
    ),
    "trust": lambda seats: position(seats, (*SETUP[seats], "1 load 3", "2 load 6"), movement="trust"),
    "ovens": lambda seats: position(seats, (*SETUP[seats], *SHOPPING, *HOME[seats]), movement="trust"),
}
