"""Named positions of Büro Crazy for perft."""

from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Rulings, State
from tests.games.buro_crazy.bc_table import BOX, Play

POOR = {0: [2, 1], 1: [2, 1], 2: [5, 1], 3: [1, 1], 4: [2]}
"""Small hands, so that positions have few bids."""

SMALL = [1] * 6 + [2] * 6 + [5] * 3 + [10] * 2


def poor(play: Play, **piles) -> State:
    hands = {seat: cards for seat, cards in POOR.items() if seat < play.state.terms.seats}
    play.put(hands, **{"stock": SMALL, "kitchen": [5, 2, 2, 1], "roof": [1] * 6, **piles})
    return play.state


def richer(play: Play) -> State:
    """Return a position whose duellists have three cards each, some equal."""
    left, right = play.duel
    poor(play, roof=[1, 2] * 5)
    play.put({left: [5, 2, 1], right: [2, 2, 1]})
    return play.state


def empty(seats: int) -> State:
    play = Play(seats).to("G4")
    poor(play)
    play.put({seat: [] for seat in play.duel})
    return play.state


def totals(seats: int) -> State:
    play = Play(seats, tracking="points").to("T")
    play.state = play.state._replace(hands=((2,), (1,), (2,), (1,), (0,))[:seats])
    return play.state


POSITIONS = {
    "start": lambda seats: rules.setup(BOX, Rulings(), seats),
    "p7": lambda seats: poor(Play(seats).to("P7")),
    "g4-top-up": lambda seats: poor(Play(seats, kitchen_adjust="top_up").to("P7"), kitchen=[20] * 4),
    "coins": lambda seats: poor(Play(seats, zero_tie_limit=1, tie_rounding="down").to("G1")),
    "empty": empty,
    "no-change": lambda seats: richer(Play(seats, change="none").to("F2")),
    "last": lambda seats: richer(Play(seats).to("T")),
    "totals": totals,
    "reports": lambda seats: Play(seats, tracking="points").to("roof").state,
}
