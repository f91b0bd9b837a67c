"""What a lane pays, BB-R13 to BB-R17, and every lane there can be (BB-A8)."""

from itertools import permutations, product

import pytest
from bb_naive import NAMES, Naive
from bb_table import Play, ender, lane_winner, pair, row

COLOURS = "RBGY"


def paid(lane: str, **rulings) -> int | None:
    """Return who is paid for the first lane of a race that yellow ends elsewhere."""
    play = ender(4, seat=3, lanes=[lane], **rulings)
    play.end()
    (winner,) = [seat for seat in range(4) if play.purses[seat] != 6] or [None]
    assert winner is None or play.purses[winner] == 9
    assert play.prizes[0] == winner
    return winner


def test_bb_r13_only_track_cards_count_and_each_lane_alone():
    play = Play(2).put(["B1 B5 R3", "B3 R1", "R6"], zones=["B6 B0 B4", "B4a", "B5a"], hands=["2", "2"])
    play.lay("R2", 1)
    assert play.prizes == [0, 1, 0]
    assert play.purses == (6 + 3 + 3, 6 + 3)
    assert play.bank == 72 - 9


@pytest.mark.parametrize(
    ("lane", "winner"), [("R1 B2", 1), ("R6 B5", 0), ("G1 B2 R3", 0), ("R3 B2 G4", 2), ("B1", 1), ("R2 G6 R3", 2)]
)
def test_bb_r14_the_highest_sum_takes_three_ducats(lane, winner):
    assert paid(lane) == winner


@pytest.mark.parametrize(("lane", "winner"), [("R3 R2 B5", 0), ("B5 R1 R4a", 0), ("R6 B5 B1", 1), ("G3 R1 R2", 0)])
def test_bb_r15_equal_sums_go_to_more_cards(lane, winner):
    assert paid(lane) == winner


@pytest.mark.parametrize(("lane", "winner"), [("R0", None), ("R0 B1", 1), ("R0 B2 G1", 1)])
def test_bb_r16_a_single_zero_wins_nothing(lane, winner):
    assert paid(lane) == winner


@pytest.mark.parametrize("lane", ["R1 R2 R3", "B6 B5 B4a", "G0 G1 G2"])
def test_bb_r17_three_cards_of_one_colour_pay_nothing(lane):
    assert paid(lane) is None


def test_bb_a9_a_zero_beside_another_card_of_its_owner_counts_as_a_card():
    assert paid("R0 R4 B5") == 1
    assert paid("R0 R4 B3") == 0
    assert paid("R0") is None
    assert paid("B0 R1") == 0


@pytest.mark.parametrize(("lane", "winner"), [("R1 R2 R3", None), ("R3 R2", 0), ("R4", 0), ("R0 R1", 0)])
def test_bb_a10_exactly_three_cards_of_one_colour(lane, winner):
    assert paid(lane, monochrome_lane="three") == winner


@pytest.mark.parametrize("lane", ["R0 R1 R2", "B3 B0 B6", "G5a G1 G0"])
def test_bb_a11_three_of_one_colour_with_a_zero_pay_nothing(lane):
    assert paid(lane) is None


@pytest.mark.parametrize(
    ("lane", "why"),
    [
        ("R1 B2", "sum"),
        ("R6 B5 G0", "sum"),
        ("R1 R2 B4", "sum"),
        ("R6 B5 B1", "cards"),
        ("R3 R2 B5", "cards"),
        ("R4", "sum"),
        ("R0", "zero"),
        ("", "empty"),
        ("R1 R2 R3", "colour"),
    ],
)
def test_bb_r13_each_lane_is_told_with_its_winner_its_ducats_and_why(lane, why):
    play = ender(4, seat=3, lanes=[lane])
    told = next(happened for happened in play.end() if happened.kind == "lane")
    winner = play.prizes[0]
    assert (told.seat, told.facts) == (winner, {"lane": 1, "why": why, "ducats": 0 if winner is None else 3})


def longer(lane: str, monochrome: str = "three") -> int | None:
    """Return who wins a lane of more cards than the usual box has room for."""
    return lane_winner([pair(card) for card in row(lane)], monochrome)


def test_bb_a8_on_a_longer_track_a_lane_that_is_level_in_cards_too_pays_nobody():
    assert longer("R1 R4 B2 B3") is None
    assert longer("B3 R4 R1 B2") is None
    assert longer("R1 R4 B2 B3 G6") == 2


def test_bb_a9_on_a_longer_track_a_zero_is_one_of_more_cards():
    assert longer("R0 R1 R4 B2 B3") == 0
    assert longer("R0 R4 B3 B1") is None


@pytest.mark.parametrize("lane", ["R1 R2 R3 R4", "R0 R2 R3 R4", "R1 R2 R3 R4 R5"])
def test_bb_a10_on_a_longer_track_more_than_three_of_one_colour_pay(lane):
    assert longer(lane) == 0
    assert longer(lane, "any") is None


def lanes() -> list[tuple[tuple[int, str], ...]]:
    """Return every track that four colours can make: up to three cards of different values, in order."""
    cards = [(seat, name) for seat in range(4) for name in NAMES]
    found: list[tuple[tuple[int, str], ...]] = [(), *((card,) for card in cards)]
    for values in [*permutations("0123456", 2), *permutations("0123456", 3)]:
        choices = [[card for card in cards if card[1][0] == number] for number in values]
        found += product(*choices)
    return found


def test_bb_a8_no_lane_there_can_be_is_left_tied():
    """Compare every lane with the naive rules, which know of a tie when they see one; 432 sums are equal."""
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
