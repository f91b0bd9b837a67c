"""Tests of the action cards, BB-R28 to BB-R33."""

from itertools import permutations

import pytest

from companion.games.boese_buben import rules
from companion.games.boese_buben.rules import Phase
from tests.games.boese_buben.bb_table import BOX, Play, ender


def table(lanes: list[str], hands: list[str], **fields) -> Play:
    return Play(len(hands), variant="action").put(lanes, hands=hands, **fields)


def test_bb_r28_action_follows_its_card_and_is_optional():
    play = table(["R5 B2", "", ""], ["4a 1", "1"])
    play.lay("R4a", 3)
    assert (play.phase, rules.to_act(play.state)) == (Phase.ACTION, (0,))
    assert play.refused("play", 1, 2, seat=0).startswith("BB-")
    assert play.refused("decline", seat=1).startswith("BB-")
    play.make("decline", seat=0)
    assert (play.phase, play.turn) == (Phase.TURN, 1)
    assert play.tracks == ["R5 B2", "", "R4a"]
    assert play.refused("eject", 1, 1, seat=0).startswith("BB-")  # too late


@pytest.mark.parametrize("card", ["3", "4", "5"])
def test_bb_r28_plain_cards_have_no_action(card):
    play = table(["R6 B2", "B6 R2", ""], [f"{card} 1", "1"])
    play.lay(f"R{card}", 3)
    assert (play.phase, play.turn) == (Phase.TURN, 1)


@pytest.mark.parametrize("card", ["1a", "2a"])
def test_bb_r28_kostenlos_and_schiebung_do_nothing_during_race(card):
    play = table(["R6 B5", "B6 R5", ""], [f"{card} 1", "1"], mc=(1, 1))
    play.lay(f"R{card}", 3)
    assert (play.phase, play.turn) == (Phase.TURN, 1)


@pytest.mark.parametrize("closing", ["3a", "4a", "5a"])
def test_bb_r28_other_actions_do_nothing_when_ending_race(closing):
    play = table(["R0 R1 R2", "R6 B5", "B6 R5"], [f"{closing} 1a", "1"], zones=["B1a B2 B3", "", ""])
    play.lay(f"R{closing}", 1)
    assert play.phase == Phase.BRIBERY
    assert play.mc == (1, 0)
    assert play.purses[0] + play.purses[1] + play.bank == 84


def test_bb_r30_bb_e11_schiebung_moves_one_mc_card_between_players():
    play = ender(3, closing="2a", variant="action", mc=(0, 1, 0))
    play.end()
    assert (play.phase, play.mc) == (Phase.MC, (1, 1, 0))
    moves = {("move_mc", pair) for pair in [(0, 1), (0, 2), (1, 0), (1, 2)]} | {("decline", ())}
    assert play.actions() == moves
    assert play.refused("move_mc", 2, 0, seat=0).startswith("BB-")  # seat 3 has none
    assert play.refused("move_mc", 0, 0, seat=0).startswith("BB-")
    assert play.refused("move_mc", 0, 1, seat=1).startswith("BB-")
    play.make("move_mc", 1, 2, seat=0)
    assert play.mc == (1, 0, 1)
    assert play.phase == Phase.BRIBERY


def test_bb_r30_declined_schiebung_keeps_the_race_over():
    play = ender(2, closing="2a", variant="action", hands=["6", "6"])
    play.end()
    play.make("decline", seat=0)
    assert play.mc == (1, 0)
    assert play.phase == Phase.BRIBERY  # both could play


def test_bb_r30_basic_game_has_no_schiebung():
    play = ender(2, closing="2a")
    play.end()
    assert play.phase == Phase.BRIBERY


@pytest.mark.parametrize("race", [1, 4])
def test_bb_a27_new_mc_card_moves_before_scoring(race):
    play = ender(2, closing="2a", variant="action", race=race, lanes=["B6"])
    play.end()
    assert play.purses == (6, 6)
    play.make("move_mc", 0, 1, seat=0)
    assert play.mc == (0, 1)
    assert play.purses == (6, 9 - (race == 4))
    assert play.phase == (Phase.OVER if race == 4 else Phase.BRIBERY)


def test_bb_r31_austausch_swaps_equal_cards_of_two_players():
    play = table(["R4 B2", "B4 R1", "G4a R2 B6", ""], ["3a 6", "5", "6"])
    play.lay("R3a", 4)
    targets = {(1, 1, 2, 1), (1, 1, 3, 1), (2, 1, 3, 1), (1, 2, 3, 2)}
    assert play.actions() == {("exchange", target) for target in targets} | {("decline", ())}
    play.make("exchange", 1, 2, 3, 2, seat=0)
    assert play.tracks == ["R4 R2", "B4 R1", "G4a B2 B6", "R3a"]
    assert (play.phase, play.turn) == (Phase.TURN, 1)


@pytest.mark.parametrize(
    "target",
    [(2, 1, 1, 1), (1, 1, 2, 2), (1, 1, 1, 1), (1, 1, 1, 2), (1, 3, 2, 1), (1, 1, 2), (0, 1, 2, 1), (1, 1, 4, 1)],
)
def test_bb_r31_other_pairs_are_refused(target):
    play = table(["R4 B2", "B4 R1", ""], ["3a 6", "6"])
    play.lay("R3a", 3)
    assert play.refused("exchange", *target, seat=0).startswith("BB-")


def test_bb_a23_austausch_reaches_only_tracks():
    play = table(["R4 B2", "", ""], ["3a 6", "6"], zones=["", "B4", ""])
    play.lay("R3a", 3)
    assert (play.phase, play.turn) == (Phase.TURN, 1)


def test_bb_a23_lane_values_stay_different_after_austausch():
    play = table(["R4 B2 R1", "B4 R2 B1", ""], ["3a 6", "6"])
    play.lay("R3a", 3)
    exchanges = [args for verb, args in play.actions() if verb == "exchange"]
    assert len(exchanges) == 3
    before = play.state
    for args in exchanges:
        play.state = before
        play.make("exchange", *args, seat=0)
        assert [{card[1] for card in lane.split()} for lane in play.tracks] == [{"4", "2", "1"}] * 2 + [{"3"}]


def test_bb_a24_action_may_target_its_own_card():
    play = table(["B3", "R1", ""], ["3a 6", "6"])
    play.lay("R3a", 2)
    assert play.actions() == {("exchange", (1, 1, 2, 2)), ("decline", ())}
    play.make("exchange", 1, 1, 2, 2, seat=0)
    assert play.tracks == ["R3a", "R1 B3", ""]


def test_bb_r32_rauswurf_throws_out_5_or_6_for_ducat():
    play = table(["R5 B2", "B6 R1 R5a", ""], ["4a 6", "5"])
    play.lay("R4a", 3)
    assert play.actions() == {("eject", args) for args in [(1, 1), (2, 1), (2, 3)]} | {("decline", ())}
    for target in [(1, 2), (2, 2), (3, 1), (1, 3), (4, 1), (0, 1), (1,)]:
        assert play.refused("eject", *target, seat=0).startswith("BB-")
    play.make("eject", 2, 1, seat=0)
    assert (play.purses, play.bank) == ((7, 6), 71)
    assert play.tracks == ["R5 B2", "R1 R5a", "R4a"]


@pytest.mark.parametrize(("target", "zone"), [((1, 1), "B0 R5"), ((1, 2), "B0 B6")])
def test_bb_a19_thrown_card_goes_to_its_lanes_penalty_zone(target, zone):
    play = table(["R5 B6 R1", "", ""], ["4a 6", "5"], zones=["B0", "R0", ""])
    play.lay("R4a", 3)
    play.make("eject", *target, seat=0)
    assert play.zones == [zone, "R0", ""]


def test_bb_a19_thrown_card_can_be_bought_back():
    play = table(["B5", "", ""], ["4a", ""])
    play.lay("R4a", 3)
    play.make("eject", 1, 1, seat=0)
    assert play.asked == "B5"  # the race ended early
    play.answer("buy")
    assert "B5" in play.all_cards(1)


def test_bb_a21_rauswurf_without_5_or_6_does_nothing():
    play = table(["R4 B2", "", ""], ["4a 6", "6"])
    play.lay("R4a", 3)
    assert (play.phase, play.turn, play.purses) == (Phase.TURN, 1, (6, 6))


def test_bb_a22_rauswurf_may_throw_out_its_own_card():
    """This box has Rauswurf on the 5."""
    box = BOX._replace(actions=(*BOX.actions[:10], *BOX.actions[:9:-1]))
    play = Play(2, variant="action", box=box).put(["B2", "", ""], hands=["5a 6", "6"])
    play.lay("R5a", 1)
    assert play.actions() == {("eject", (1, 2)), ("decline", ())}
    play.make("eject", 1, 2, seat=0)
    assert (play.tracks[0], play.zones[0], play.purses) == ("B2", "R5a", (7, 6))


def test_bb_r33_raengelei_reorders_one_track():
    play = table(["R1 B2 R3", "B1 R2", "", "R0"], ["5a 6", "6", "6"])
    play.lay("R5a", 4)
    orders = {(1, *order) for order in permutations((1, 2, 3))} - {(1, 1, 2, 3)}
    orders |= {(2, 2, 1), (4, 2, 1)}
    assert play.actions() == {("reorder", order) for order in orders} | {("decline", ())}
    play.make("reorder", 1, 3, 1, 2, seat=0)
    assert play.tracks == ["R3 R1 B2", "B1 R2", "", "R0 R5a"]
    assert play.turn == 1


@pytest.mark.parametrize(
    "order", [(1, 1, 2, 3), (2, 1, 2), (1, 1, 1, 2), (1, 2, 1), (1, 3, 2, 1, 4), (3, 1), (3,), (1,), (), (5, 2, 1)]
)
def test_bb_r33_invalid_orders_are_refused(order):
    play = table(["R1 B2 R3", "B1 R2", "", "R0"], ["5a 6", "6", "6"])
    play.lay("R5a", 4)
    assert play.refused("reorder", *order, seat=0).startswith("BB-")


def test_bb_r33_raengelei_needs_two_cards_in_a_lane():
    play = table(["R1", "B1", ""], ["5a 6", "6"])
    play.lay("R5a", 3)
    assert (play.phase, play.turn) == (Phase.TURN, 1)


def test_bb_a18_action_comes_after_the_fall():
    play = table(["R6 B1 R2", "", ""], ["5a 3", "3"])
    play.lay("R5a", 1)
    assert (play.tracks[0], play.zones[0]) == ("B1 R2 R5a", "R6")
    assert play.phase == Phase.ACTION
    play.make("reorder", 1, 3, 2, 1, seat=0)
    assert play.tracks[0] == "R5a R2 B1"


def test_bb_a18_fallen_card_is_not_a_target():
    play = table(["R6 B1 R2", "", ""], ["4a 3", "3"])
    play.lay("R4a", 1)
    assert (play.phase, play.turn) == (Phase.TURN, 1)


def test_bb_r28_action_precedes_an_early_end():
    play = table(["B5", "", ""], ["4a", ""], race=4)
    play.lay("R4a", 2)
    assert play.phase == Phase.ACTION
    play.make("eject", 1, 1, seat=0)
    assert play.phase == Phase.OVER
    assert play.purses == (6 + 1 + 3, 6)
