"""Random matches and exact move counts."""

from random import Random

import pytest

from companion.core.dealer import Dealer
from companion.core.match import Match
from companion.core.move import TABLE, Move
from companion.testing.playout import perft, playout, random_move
from tests.sealed import SEALED, RealDieRules, Rulings

BOX = SEALED.read_box(SEALED.box_text, "box.toml")


def start(seats: int = 2, goal: int = 3, ties: str = "die"):
    return SEALED.rules.setup(BOX, Rulings(goal, ties), seats)


@pytest.mark.parametrize("seed", range(10))
def test_playout_is_a_whole_match(seed: int) -> None:
    state, moves = playout(SEALED.rules, start(3), Random(seed).randrange)
    match = Match(SEALED, ["Ann", "Bob", "Cleo"])
    for move in moves:
        match.push(move)
    assert match.state == state
    assert match.outcome is not None


def test_playout_is_repeatable() -> None:
    assert playout(SEALED.rules, start(), Random(4).randrange) == playout(
        SEALED.rules, start(), Random(4).randrange
    )


def test_playout_over_the_limit_raises() -> None:
    with pytest.raises(RuntimeError, match=r"^not over after 5 moves$"):
        playout(SEALED.rules, start(goal=4), Random(1).randrange, limit=5)


def test_playout_may_end_with_the_last_allowed_move() -> None:
    _, moves = playout(SEALED.rules, start(), Random(4).randrange)
    assert playout(SEALED.rules, start(), Random(4).randrange, limit=len(moves))[1] == moves


def test_random_moves_cover_every_legal_move() -> None:
    state = start(2)
    state = SEALED.rules.apply(state, Move(0, "commit", (1,)))
    luck = Random(1)
    found = {random_move(SEALED.rules, state, luck.randrange) for _ in range(200)}
    assert found == {Move(0, "retract"), *(Move(1, "commit", (bid,)) for bid in range(4))}


def test_random_move_is_a_draw_when_due() -> None:
    luck = Random(1)
    found = {random_move(RealDieRules(), start()._replace(rolling=True), luck.randrange) for _ in range(50)}
    assert found == {Move(TABLE, "roll", (0,)), Move(TABLE, "roll", (1,))}


def test_perft_branches_at_decisions_but_not_at_draws() -> None:
    assert [perft(RealDieRules(), start(), depth, Dealer("7")) for depth in (1, 2)] == [9, 9 + 8 * 6]


def test_perft_numbers_its_draws_in_sequence() -> None:
    class Noting(Dealer):
        def choose(self, draw, choices):
            drawn.append(draw)
            return super().choose(draw, choices)

    drawn: list[int] = []
    perft(SEALED.rules, start(), 4, Noting("7"))
    assert set(drawn) == {0, 1}
    drawn.clear()
    perft(SEALED.rules, start()._replace(rolling=True), 2, Noting("7"), drawn=5)
    assert set(drawn) == {5, 6}


@pytest.mark.parametrize(
    ("goal", "ties", "counts"),
    [
        # 4 bids of either seat; then 4 of the other or 1 retraction; then 8 in a new round or after a retraction
        (3, "nobody", [1, 8, 40, 320]),
        (3, "die", [1, 8, 40, 320]),  # the roll of the die is not counted
        # The first point ends the match: 3 of 4 second bids win; on a tie nobody, or the die, decides.
        (1, "nobody", [1, 8, 40, 8 * (8 + 3 + 8)]),
        (1, "die", [1, 8, 40, 8 * (8 + 3 + 1)]),
    ],
)
@pytest.mark.parametrize("seed", ["7", "8"])
def test_perft_counts_the_lines_of_play(goal: int, ties: str, counts: list[int], seed: str) -> None:
    state = start(2, goal, ties)
    assert [perft(SEALED.rules, state, depth, Dealer(seed)) for depth in range(4)] == counts
