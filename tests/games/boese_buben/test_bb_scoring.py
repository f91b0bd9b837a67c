"""Tests of lane payments, BB-R13 to BB-R17, for every possible lane (BB-A8)."""

from itertools import permutations, product

import pytest

from tests.games.boese_buben.bb_naive import NAMES, Naive
from tests.games.boese_buben.bb_table import ender, lane_winner, pair, row


@pytest.mark.parametrize(
    ("lane", "three", "any_number", "why"),
    [
        ("R1 B2", 1, 1, "sum"),
        ("R6 B5 G0", 0, 0, "sum"),
        ("G1 B2 R3", 0, 0, "sum"),
        ("R4 B3 G2", 0, 0, "sum"),
        ("R1 R2 B4", 1, 1, "sum"),
        ("R6 B5 B1", 1, 1, "cards"),
        ("R3 R2 B5", 0, 0, "cards"),
        ("B5 R1 R4a", 0, 0, "cards"),
        ("R0 R4 B5", 1, 1, "sum"),
        ("R0 R4 B3", 0, 0, "sum"),
        ("R0 B2 G1", 1, 1, "sum"),
        ("R0", None, None, "zero"),
        ("", None, None, "empty"),
        ("R4", 0, None, "sum"),
        ("R3 R2", 0, None, "sum"),
        ("R0 R1", 0, None, "sum"),
        ("R1 R2 R3", None, None, "colour"),
        ("B6 B5 B4a", None, None, "colour"),
        ("B3 B0 B6", None, None, "colour"),
    ],
)
@pytest.mark.parametrize("monochrome_lane", ["three", "any"])
def test_bb_r14_bb_r15_bb_r16_bb_r17_bb_a9_bb_a10_bb_a11_bb_e5_lane_pays_its_winner_with_a_reason(
    lane, three, any_number, why, monochrome_lane
):
    winner = three if monochrome_lane == "three" else any_number
    play = ender(4, seat=3, lanes=[lane], monochrome_lane=monochrome_lane)
    told = next(happened for happened in play.end() if happened.kind == "lane")
    assert play.prizes[0] == winner
    assert play.purses == tuple(9 if seat == winner else 6 for seat in range(4))
    assert (told.seat, told.facts["lane"], told.facts["ducats"]) == (winner, 1, 0 if winner is None else 3)
    assert told.facts["why"] == why or monochrome_lane == "any"


@pytest.mark.parametrize(
    ("lane", "three", "any_number"),
    [
        ("R1 R4 B2 B3", None, None),
        ("B3 R4 R1 B2", None, None),
        ("R1 R4 B2 B3 G6", 2, 2),
        ("R0 R1 R4 B2 B3", 0, 0),
        ("R0 R4 B3 B1", None, None),
        ("R1 R2 R3 R4", 0, None),
        ("R0 R2 R3 R4", 0, None),
        ("R1 R2 R3 R4 R5", 0, None),
    ],
)
def test_bb_a8_bb_a9_bb_a10_longer_tracks_follow_the_same_rules(lane, three, any_number):
    cards = [pair(card) for card in row(lane)]
    assert (lane_winner(cards, "three"), lane_winner(cards, "any")) == (three, any_number)


def lanes() -> list[tuple[tuple[int, str], ...]]:
    """Return every track: up to three cards of different values, in order."""
    cards = [(seat, name) for seat in range(4) for name in NAMES]
    found: list[tuple[tuple[int, str], ...]] = [(), *((card,) for card in cards)]
    for values in [*permutations("0123456", 2), *permutations("0123456", 3)]:
        choices = [[card for card in cards if card[1][0] == number] for number in values]
        found += product(*choices)
    return found


def test_bb_a8_no_possible_lane_stays_tied():
    """Compare every lane with the naive game; 432 have equal sums."""
    seconds = {monochrome: Naive(4, monochrome_lane=monochrome) for monochrome in ("three", "any")}
    equal_sums = set()
    for lane in lanes():
        sums = [sum(int(name[0]) for seat, name in lane if seat == colour) for colour in range(4)]
        best = max(sums)
        if best and sums.count(best) > 1:
            equal_sums.add(tuple((seat, name[0]) for seat, name in lane))
            counts = [len([1 for seat, _ in lane if seat == colour]) for colour in range(4) if sums[colour] == best]
            assert counts.count(max(counts)) == 1
        only_zeros = all(name == "0" for _, name in lane)
        one_colour = len({seat for seat, _ in lane}) == 1
        for monochrome, second in seconds.items():
            expected = second.winner(list(lane))
            assert lane_winner(lane, monochrome) == expected, lane
            unpaid = only_zeros or (one_colour and (len(lane) == 3 or monochrome == "any"))
            assert (expected is None) == unpaid
    assert len(equal_sums) == 432
