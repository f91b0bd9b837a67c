"""Named positions of Böse Buben for counting move sequences."""

from companion.games.boese_buben import rules
from companion.games.boese_buben.rules import Rulings, State
from tests.games.boese_buben.bb_table import BOX, Play, ender

ACTION = {"variant": "action"}


def start(seats: int, **rulings) -> State:
    return rules.setup(BOX, Rulings(**rulings), seats)


def austausch(seats: int) -> State:
    """Red may swap: a 4 and a 2 are in several lanes."""
    lanes = ["R4 B2", "B4 R2 B6", *["R5 B1", "B5 R0"][: seats - 2], ""]
    hands = ["3a 6 1", "3a 0", *["3a 1", "4a 6"][: seats - 2]]
    play = Play(seats, **ACTION).put(lanes, hands=hands)
    play.lay("R3a", seats + 1)
    return play.state


def rauswurf(seats: int) -> State:
    """Red may throw out; one target ends the race."""
    lanes = ["R5 B6", "B5 R2 B1", *["R6", "R0"][: seats - 2], ""]
    zones = ["R1 B2 B3", *[""] * seats]
    hands = ["4a 5a 3", "2a 4a", *["4a 1", "5a 2a"][: seats - 2]]
    play = Play(seats, **ACTION).put(lanes, zones=zones, hands=hands)
    play.lay("R4a", seats + 1)
    return play.state


def schiebung(seats: int) -> State:
    play = ender(seats, closing="2a", mc=(0, 1, *[0] * (seats - 2)), hands=["6 1"] * seats, **ACTION)
    play.end()
    return play.state


def kostenlos(seats: int, value: str = "one") -> State:
    play = ender(
        seats,
        closing="1a",
        zones=["B4", "B0 B1"],
        hands=["6"] * seats,
        purses=(3,) * seats,
        kostenlos=value,
        **ACTION,
    )
    play.end()
    return play.state


def late(seats: int) -> State:
    """Race 4 with few cards: skips and an early end are near."""
    lanes = ["R5 B6", "B5 R6 B1", *["R5a B0", "R0 B4"][: seats - 2], "R2"]
    hands = ["1 3", "5a 2", *["6 5", "6 0"][: seats - 2]]
    zones = ["R4 B3 R3a", *[""] * seats]
    return Play(seats).put(lanes, zones=zones, hands=hands, race=4, purses=(9,) * seats).state


POSITIONS = {
    "start": start,
    "start-action": lambda seats: start(seats, **ACTION),
    "austausch": austausch,
    "rauswurf": rauswurf,
    "schiebung": schiebung,
    "kostenlos": kostenlos,
    "kostenlos-all": lambda seats: kostenlos(seats, "all"),
    "late": late,
}
