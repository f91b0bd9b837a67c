"""Exact counts of the lines of moves from named positions, as perft.txt has them; the plain game counts too."""

from copy import deepcopy
from itertools import product
from pathlib import Path

import pytest
from bc_naive import ORDER, TABLE, Naive
from bc_table import BOX, EMPTY, Play, board_of, piles_of

from companion.core.dealer import Dealer
from companion.games.buro_crazy import rules
from companion.games.buro_crazy.rules import Rulings, State
from companion.testing.playout import perft

POOR = {0: [2, 1], 1: [2, 1], 2: [5, 1], 3: [1, 1], 4: [2]}
"""Hands of a few cards, so that positions have few bids."""

SMALL = [1] * 6 + [2] * 6 + [5] * 3 + [10] * 2


def poor(play: Play, **piles) -> State:
    hands = {seat: cards for seat, cards in POOR.items() if seat < play.state.terms.seats}
    play.put(hands, **{"stock": SMALL, "kitchen": [5, 2, 2, 1], "roof": [1] * 6, **piles})
    return play.state


def richer(play: Play) -> State:
    """Duellists with three cards each, of which some are equal."""
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

NAIVE_COUNTS = 800
"""The plain game counts no further: it is slow."""

COUNTS = [
    line.split()
    for line in Path(__file__).with_name("perft.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


def naive_at(state: State) -> Naive:
    """Return the plain game in the same position."""
    view, rulings, piles = rules.view(state, None), state.terms.rulings, piles_of(state)
    second = Naive(
        state.terms.seats,
        tracking=rulings.tracking,
        kitchen_adjust=rulings.kitchen_adjust,
        tie_rounding=rulings.tie_rounding,
        change=rulings.change,
        zero_tie_limit=rulings.zero_tie_limit,
    )
    second.phase = view.phase.value
    if second.phase == "setup":
        return second
    second.board = {
        place: [None if seat == EMPTY else seat for seat in seats] for place, seats in board_of(view).items()
    }
    second.hands, second.kitchen = list(piles.hands), piles.kitchen
    second.stock, second.roof = piles.stock, piles.roof
    second.to_come = ORDER[view.step :]
    second.attempt, second.zero_ties = view.attempt, view.zeros
    return second


def naive_moves(second: Naive) -> list[tuple[int, str, tuple[int, ...]]]:
    moves = []
    for seat in sorted(second.to_act()):
        moves += sorted(second.legal(seat))
        if second.phase == "bid" and second.tracking == "cards" and seat not in second.bids:
            held = second.counts(second.hands[seat])
            moves += [(seat, "commit", args) for args in product(*(range(n + 1) for n in held))]
    return [move for move in moves if second.allows(*move)]


def naive_perft(second: Naive, depth: int, dealer: Dealer, drawn: int) -> int:
    """Count as `perft` does: coins and roof cards come from the dealer and do not branch."""
    second = deepcopy(second)
    while second.phase == "coin" or (second.phase == "roof" and second.tracking == "cards"):
        if second.phase == "coin":
            choices = [(TABLE, "coin", (seat,)) for seat in second.duellists()]
        else:
            choices = [(TABLE, "roof", (card,)) for card in sorted(second.roof)]
        second.play(*dealer.choose(drawn, choices))
        drawn += 1
    if depth == 0 or second.phase == "over":
        return 1
    count = 0
    for move in naive_moves(second):
        following = deepcopy(second)
        following.play(*move)
        count += naive_perft(following, depth - 1, dealer, drawn)
    return count


def test_the_counts_cover_every_position_with_every_number_of_players():
    assert {(name, int(seats)) for name, seats, *_ in COUNTS} == {
        (name, seats) for name in POSITIONS for seats in rules.SEATS
    }
    assert len({tuple(line[:3]) for line in COUNTS}) == len(COUNTS)


@pytest.mark.parametrize(("name", "seats", "depth", "seed", "count"), COUNTS)
def test_perft(name, seats, depth, seed, count):
    assert perft(rules, POSITIONS[name](int(seats)), int(depth), Dealer(seed)) == int(count)


@pytest.mark.parametrize(
    ("name", "seats", "depth", "seed", "count"),
    [line for line in COUNTS if int(line[-1]) <= NAIVE_COUNTS and line[0] != "start"],
)
def test_the_plain_game_counts_the_same(name, seats, depth, seed, count):
    state = POSITIONS[name](int(seats))
    assert naive_perft(naive_at(state), int(depth), Dealer(seed), 0) == int(count)
