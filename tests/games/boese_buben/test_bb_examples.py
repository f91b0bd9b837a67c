"""Tests of the worked examples BB-E1 to BB-E12."""

import pytest

from companion.games.boese_buben.rules import Phase
from tests.games.boese_buben.bb_table import Play, ender
from tests.games.contract import find, kinds


def test_bb_r13_bb_e1_rulebook_scoring_example():
    play = Play(2).put(
        ["B1 B5 R3", "B3 R1", "R6 B5a"],
        zones=["R0 B0 R1a", "", ""],
        hands=["2 4", "2"],
    )
    play.lay("R2", 1)
    assert play.tracks == ["B5 R3 R2", "B3 R1", "R6 B5a"]
    assert play.prizes == [0, 1, 0]
    assert play.purses == (12, 9)
    assert play.bank == 72 - 9
    assert play.mc == (1, 0)


def test_bb_a3_bb_e2_falling_card_blocks_its_value_until_gone():
    play = Play(2).run("R2 1, B5 1, R3 1, B0 2")
    assert play.tracks[0] == "R2 B5 R3"
    assert play.cannot("R2a", 1) == "BB-R7"
    for name in ("R3a", "R5", "R5a"):
        assert play.cannot(name, 1) == "BB-R6"
    play.lay("R6", 1)
    assert (play.tracks[0], play.zones[0]) == ("B5 R3 R6", "R2")
    play.lay("B2", 1)
    assert (play.tracks[0], play.zones[0]) == ("R3 R6 B2", "R2 B5")


def after_e3() -> Play:
    return Play(2).run("R0 1, B1 1, R2 1, B3 1, R4 1, B5 1, R6 1")


def test_bb_e3_whole_race():
    play = after_e3()
    assert (play.tracks, play.zones) == (["R4 B5 R6", "", ""], ["R0 B1 R2 B3", "", ""])
    assert play.prizes == [0, None, None]
    assert (play.mc, play.purses, play.bank) == ((1, 0), (9, 6), 69)
    for card, answer, purses in (("R0", "buy", (9, 6)), ("B1", "buy", (9, 5)), ("R2", "leave", (9, 5))):
        assert play.asked == card
        play.answer(answer)
        assert play.purses == purses
    assert play.asked == "B3"
    play.answer("buy")
    assert [len(play.hand(seat)) for seat in (0, 1)] == [9, 11]
    assert (sum(len(track.split()) for track in play.tracks), play.out) == (3, ["R2"])
    assert (play.purses, play.bank) == ((9, 3), 72)
    assert (play.race, play.phase, play.turn) == (2, Phase.TURN, 1)


def test_bb_r9_bb_e4_forced_skip_is_announced():
    play = Play(2).put(["", "R5a B1", "B5"], hands=["5 6", "5a"])
    events = play.lay("R5", 1)
    assert play.tracks == ["R5", "R5a B1", "B5"]
    assert find(events, "skips").seat == 1
    assert play.turn == 0
    play = Play(2).put(["", "R5a B1", "B5"], hands=["5 6", "5a 0"])
    events = play.lay("R5", 1)
    assert "skips" not in kinds(events)
    assert play.can(1) == {("B0", 1), ("B0", 2), ("B0", 3)}


@pytest.mark.parametrize("race", [1, 2, 3])
def test_bb_r12_bb_a5_bb_e6_early_end_pays_lanes_and_keeps_bribery(race):
    play = Play(2).put(["R5", "R5a B1", ""], zones=["R1 B2", "", ""], hands=["", "5 5a"], turn=1, race=race)
    events = play.lay("B5", 3)
    assert play.mc == (0, 0)
    assert "mc" not in kinds(events)
    assert play.prizes == [0, 0, 1]
    assert play.purses == (12, 9)
    assert (play.race, play.phase, play.asked) == (race, Phase.BRIBERY, "R1")
    play.answer("buy")
    assert (play.hand(0), play.purses) == ({"R1"}, (11, 9))


def test_bb_e6_race_4_without_cards_scores_again():
    play = Play(2).put(["R5", "R5a B1", "B5"], zones=["B2", "", ""], hands=["", "0"], turn=1, race=3)
    play.lay("B0", 2)  # pays 3, 3 and 3; nobody has a card for race 4
    assert (play.race, play.phase) == (3, Phase.BRIBERY)
    assert play.purses == (12, 9)
    play.answer("leave")
    assert play.phase == Phase.OVER
    assert play.purses == (18, 12)


def test_bb_e7_mc_costs_decide_the_ranking():
    play = ender(3, race=4, purses=(9, 5, 2), mc=(1, 1, 1))
    told = find(play.end(), "over").facts
    assert play.mc == (2, 1, 1)
    assert play.purses == told["purses"] == (6, 4, 1)
    assert play.ranking == told["ranking"] == ((0,), (1,), (2,))


@pytest.mark.parametrize(("hands", "ranking"), [(["4 1", "6"], ((1,), (0,))), (["2 4", "6"], ((0, 1),))])
def test_bb_r27_bb_e8_hand_points_break_ducat_ties(hands, ranking):
    play = ender(2, race=4, purses=(13, 12), hands=hands)
    play.end()
    assert play.purses == (12, 12)
    assert play.ranking == ranking


def test_bb_a20_bb_e9_rauswurf_of_fourth_penalty_card_ends_race():
    play = Play(2, variant="action").put(["R5 B2", "", ""], zones=["R0 B0 R2", "", ""], hands=["4a 1", "1"])
    play.lay("R4a", 3)
    assert find(play.make("eject", 1, 1, seat=0), "mc").seat == 0
    assert play.zones[0] == "R0 B0 R2 R5"
    assert (play.mc, play.phase) == ((1, 0), Phase.BRIBERY)
    assert play.purses == (6 + 1 + 3, 6 + 3)  # reward, lane 3 and lane 1


def test_bb_e10_austausch_changes_lane_winners():
    play = Play(2, variant="action").put(["R4 B2", "B4 R1", ""], hands=["3a 6", "6"])
    play.lay("R3a", 3)
    assert play.actions() == {("exchange", (1, 1, 2, 1)), ("decline", ())}
    play.make("exchange", 1, 1, 2, 1, seat=0)
    assert play.tracks == ["B4 B2", "R4 R1", "R3a"]
    play.put(play.tracks, zones=["", "", ""], hands=["", "0"], turn=1)
    play.lay("B0", 3)
    assert play.prizes == [1, 0, 0]


def test_bb_e10_one_owners_cards_cannot_be_swapped():
    play = Play(2, variant="action").put(["R4 B2", "R4a R1", ""], hands=["3a 6", "6"])
    play.lay("R3a", 3)
    assert play.phase == Phase.TURN
    assert play.refused("exchange", 1, 1, 2, 1, seat=0).startswith("BB-")
    play = Play(2, variant="action").put(["R4 B2", "R4a R1", "B4"], hands=["3a 6", "6"])
    play.lay("R3a", 3)
    assert play.actions() == {("exchange", (1, 1, 3, 1)), ("exchange", (2, 1, 3, 1)), ("decline", ())}


@pytest.mark.parametrize(("next_start", "starter"), [("after_last_play", 0), ("after_starter", 1)])
def test_bb_e12_next_start_decides_who_begins(next_start, starter):
    play = Play(3, next_start=next_start)
    play.run("R0 2, B1 2, G0 1, R1 1, B2 1, G3 1, R4 1, B5 1, G6 1")
    assert play.mc == (0, 0, 1)
    play.leave_all()
    assert (play.race, play.turn) == (2, starter)
