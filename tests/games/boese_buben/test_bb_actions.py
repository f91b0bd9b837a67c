"""The action variant, BB-R28 to BB-R33."""

from itertools import permutations

import pytest

from companion.games.boese_buben import rules
from companion.games.boese_buben.rules import Phase
from tests.games.boese_buben.bb_table import BOX, Play, ender


def table(lanes: list[str], hands: list[str], **fields) -> Play:
    return Play(len(hands), variant="action").put(lanes, hands=hands, **fields)


def test_bb_r28_the_action_follows_directly_and_may_be_declined():
    play = table(["R5 B2", "", ""], ["4a 1", "1"])
    play.lay("R4a", 3)
    assert (play.phase, rules.to_act(play.state)) == (Phase.ACTION, (0,))
    assert play.refused("play", 1, 2, seat=0).startswith("BB-")
    assert play.refused("decline", seat=1).startswith("BB-")
    play.make("decline", seat=0)
    assert (play.phase, play.turn) == (Phase.TURN, 1)
    assert play.tracks == ["R5 B2", "", "R4a"]
    assert play.refused("eject", 1, 1, seat=0).startswith("BB-")  # later is too late


@pytest.mark.parametrize("card", ["3", "4", "5"])
def test_bb_r28_plain_cards_have_no_action(card):
    play = table(["R6 B2", "B6 R2", ""], [f"{card} 1", "1"])
    play.lay(f"R{card}", 3)
    assert (play.phase, play.turn) == (Phase.TURN, 1)


@pytest.mark.parametrize("card", ["1a", "2a"])
def test_bb_r28_kostenlos_and_schiebung_do_nothing_while_the_race_goes_on(card):
    play = table(["R6 B5", "B6 R5", ""], [f"{card} 1", "1"], mc=(1, 1))
    play.lay(f"R{card}", 3)
    assert (play.phase, play.turn) == (Phase.TURN, 1)


@pytest.mark.parametrize("closing", ["3a", "4a", "5a"])
def test_bb_r28_the_other_actions_do_nothing_when_their_card_ends_the_race(closing):
    play = table(["R0 R1 R2", "R6 B5", "B6 R5"], [f"{closing} 1a", "1"], zones=["B1a B2 B3", "", ""])
    play.lay(f"R{closing}", 1)
    assert play.phase == Phase.BRIBERY
    assert play.mc == (1, 0)
    assert play.purses[0] + play.purses[1] + play.bank == 84


def test_bb_r30_bb_e11_schiebung_moves_one_mc_card_from_one_player_to_another():
    play = ender(3, closing="2a", variant="action", mc=(0, 1, 0))
    play.end()
    assert (play.phase, play.mc) == (Phase.MC, (1, 1, 0))
    moves = {("move_mc", pair) for pair in [(0, 1), (0, 2), (1, 0), (1, 2)]} | {("decline", ())}
    assert play.actions() == moves
    assert play.refused("move_mc", 2, 0, seat=0).startswith("BB-")  # he has none
    assert play.refused("move_mc", 0, 0, seat=0).startswith("BB-")
    assert play.refused("move_mc", 0, 1, seat=1).startswith("BB-")
    play.make("move_mc", 1, 2, seat=0)
    assert play.mc == (1, 0, 1)
    assert play.phase == Phase.BRIBERY


def test_bb_r30_a_declined_schiebung_moves_nothing_and_does_not_undo_the_end_of_the_race():
    play = ender(2, closing="2a", variant="action", hands=["6", "6"])
    play.end()
    play.make("decline", seat=0)
    assert play.mc == (1, 0)
    assert play.phase == Phase.BRIBERY  # although both could place a card


def test_bb_r30_not_in_the_basic_game():
    play = ender(2, closing="2a")
    play.end()
    assert play.phase == Phase.BRIBERY


@pytest.mark.parametrize("race", [1, 4])
def test_bb_a27_the_ender_may_give_his_new_card_away_before_the_scoring(race):
    play = ender(2, closing="2a", variant="action", race=race, lanes=["B6"])
    play.end()
    assert play.purses == (6, 6)  # lane 1 is not paid yet
    play.make("move_mc", 0, 1, seat=0)
    assert play.mc == (0, 1)
    assert play.purses == (6, 9 - (race == 4))
    assert play.phase == (Phase.OVER if race == 4 else Phase.BRIBERY)


def test_bb_r31_austausch_swaps_two_cards_of_equal_value_of_two_players():
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


def test_bb_a23_austausch_reaches_track_cards_only():
    play = table(["R4 B2", "", ""], ["3a 6", "6"], zones=["", "B4", ""])
    play.lay("R3a", 3)
    assert (play.phase, play.turn) == (Phase.TURN, 1)


def test_bb_a23_the_values_of_a_lane_stay_different():
    play = table(["R4 B2 R1", "B4 R2 B1", ""], ["3a 6", "6"])
    play.lay("R3a", 3)
    exchanges = [args for verb, args in play.actions() if verb == "exchange"]
    assert len(exchanges) == 3
    before = play.state
    for args in exchanges:
        play.state = before
        play.make("exchange", *args, seat=0)
        assert [{card[1] for card in lane.split()} for lane in play.tracks] == [{"4", "2", "1"}] * 2 + [{"3"}]


def test_bb_a24_an_action_may_touch_the_lane_and_the_card_itself():
    play = table(["B3", "R1", ""], ["3a 6", "6"])
    play.lay("R3a", 2)
    assert play.actions() == {("exchange", (1, 1, 2, 2)), ("decline", ())}
    play.make("exchange", 1, 1, 2, 2, seat=0)
    assert play.tracks == ["R3a", "R1 B3", ""]


def test_bb_r32_rauswurf_throws_a_5_or_6_out_for_a_ducat():
    play = table(["R5 B2", "B6 R1 R5a", ""], ["4a 6", "5"])
    play.lay("R4a", 3)
    assert play.actions() == {("eject", args) for args in [(1, 1), (2, 1), (2, 3)]} | {("decline", ())}
    for target in [(1, 2), (2, 2), (3, 1), (1, 3), (4, 1), (0, 1), (1,)]:
        assert play.refused("eject", *target, seat=0).startswith("BB-")
    play.make("eject", 2, 1, seat=0)
    assert (play.purses, play.bank) == ((7, 6), 71)
    assert play.tracks == ["R5 B2", "R1 R5a", "R4a"]


@pytest.mark.parametrize(("target", "zone"), [((1, 1), "B0 R5"), ((1, 2), "B0 B6")])
def test_bb_a19_the_thrown_card_goes_to_the_penalty_zone_of_its_lane(target, zone):
    play = table(["R5 B6 R1", "", ""], ["4a 6", "5"], zones=["B0", "R0", ""])
    play.lay("R4a", 3)
    play.make("eject", *target, seat=0)
    assert play.zones == [zone, "R0", ""]


def test_bb_a19_a_thrown_card_can_be_bought_back():
    play = table(["B5", "", ""], ["4a", ""])
    play.lay("R4a", 3)
    play.make("eject", 1, 1, seat=0)
    assert play.asked == "B5"  # the race ended early
    play.answer("buy")
    assert "B5" in play.all_cards(1)


def test_bb_a21_without_a_5_or_6_nothing_happens():
    play = table(["R4 B2", "", ""], ["4a 6", "6"])
    play.lay("R4a", 3)
    assert (play.phase, play.turn, play.purses) == (Phase.TURN, 1, (6, 6))


def test_bb_a22_a_rauswurf_may_throw_out_the_card_just_placed():
    """In the usual box no Rauswurf is a 5 or 6; in this one it stands on the 5."""
    box = BOX._replace(actions=(*BOX.actions[:10], *BOX.actions[:9:-1]))
    play = Play(2, variant="action", box=box).put(["B2", "", ""], hands=["5a 6", "6"])
    play.lay("R5a", 1)
    assert play.actions() == {("eject", (1, 2)), ("decline", ())}
    play.make("eject", 1, 2, seat=0)
    assert (play.tracks[0], play.zones[0], play.purses) == ("B2", "R5a", (7, 6))


def test_bb_r33_raengelei_puts_one_track_into_any_order():
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
def test_bb_r33_what_is_no_new_order_is_refused(order):
    play = table(["R1 B2 R3", "B1 R2", "", "R0"], ["5a 6", "6", "6"])
    play.lay("R5a", 4)
    assert play.refused("reorder", *order, seat=0).startswith("BB-")


def test_bb_r33_nothing_to_put_in_order_is_no_action():
    play = table(["R1", "B1", ""], ["5a 6", "6"])
    play.lay("R5a", 3)
    assert (play.phase, play.turn) == (Phase.TURN, 1)


def test_bb_a18_the_action_comes_after_the_ejection():
    play = table(["R6 B1 R2", "", ""], ["5a 3", "3"])
    play.lay("R5a", 1)
    assert (play.tracks[0], play.zones[0]) == ("B1 R2 R5a", "R6")
    assert play.phase == Phase.ACTION
    play.make("reorder", 1, 3, 2, 1, seat=0)
    assert play.tracks[0] == "R5a R2 B1"


def test_bb_a18_what_fell_is_no_target():
    play = table(["R6 B1 R2", "", ""], ["4a 3", "3"])
    play.lay("R4a", 1)  # the only 6 falls
    assert (play.phase, play.turn) == (Phase.TURN, 1)


def test_bb_r28_the_action_comes_before_the_test_whether_anybody_can_go_on():
    """Everybody's hand is empty, yet the action of the last card is due before the race ends early."""
    play = table(["B5", "", ""], ["4a", ""], race=4)
    play.lay("R4a", 2)
    assert play.phase == Phase.ACTION
    play.make("eject", 1, 1, seat=0)
    assert play.phase == Phase.OVER
    assert play.purses == (6 + 1 + 3, 6)
