"""Tests of set-up and turns, BB-R1 to BB-R9."""

import pytest

from companion.core.errors import OptionError
from companion.core.move import TABLE, Move
from companion.games.boese_buben import rules
from companion.games.boese_buben.rules import Phase, Rulings
from tests.games.boese_buben.bb_table import BOX, Play
from tests.games.contract import find

each_number_of_seats = pytest.mark.parametrize("seats", [2, 3, 4])

ALL_NAMES = ["0", "1", "2", "3", "4", "5", "6", "1a", "2a", "3a", "4a", "5a"]


@each_number_of_seats
def test_bb_r1_players_start_with_twelve_cards_and_six_ducats(seats):
    play = Play(seats)
    for seat, colour in zip(range(seats), "RBGY", strict=False):
        assert play.hand(seat) == {f"{colour}{number}" for number in ALL_NAMES}
    assert play.purses == (6,) * seats
    assert play.bank == {2: 72, 3: 66, 4: 60}[seats]


@each_number_of_seats
def test_bb_r2_lanes_outnumber_players_by_one(seats):
    play = Play(seats)
    assert play.tracks == play.zones == [""] * (seats + 1)
    assert play.cannot("R0", seats + 2) == "BB-R2"
    assert play.cannot("R0", 0) == "BB-R2"
    play.lay("R0", seats + 1)
    assert play.tracks == [""] * seats + ["R0"]


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_wrong_number_of_players_is_refused(seats):
    with pytest.raises(OptionError, match="2 to 4"):
        rules.setup(BOX, Rulings(), seats)


@each_number_of_seats
def test_bb_a17_table_chooses_who_begins(seats):
    play = Play(seats, first=None)
    assert rules.to_act(play.state) == (TABLE,)
    assert "first" in rules.DRAWS
    assert sorted(rules.draws(play.state)) == [Move(TABLE, "first", (seat,)) for seat in range(seats)]
    assert play.refused("first", seats).startswith("BB-")
    assert play.refused("first", 0, seat=0).startswith("BB-")
    play.make("first", seats - 1)
    assert play.turn == seats - 1
    assert not rules.draws(play.state)
    assert play.refused("first", 0).startswith("BB-")


@each_number_of_seats
@pytest.mark.parametrize("first", [0, 1])
def test_bb_r4_turns_run_clockwise(seats, first):
    play = Play(seats, first=first)
    for step in range(2 * seats):
        seat = (first + step) % seats
        assert play.turn == seat
        play.make("play", step // seats, 1 + step % seats, seat=seat)


@each_number_of_seats
def test_bb_r5_player_must_place_one_card_anywhere(seats):
    play = Play(seats, first=1)
    placements = {Move(1, "play", (card, lane)) for card in range(12) for lane in range(1, seats + 2)}
    assert set(rules.legal(play.state, 1)) == placements
    play.lay("B4", 2)
    assert len(play.hand(1)) == 11
    assert "B4" not in play.hand(1)
    for verb in ("skip", "pass", "decline"):
        assert play.refused(verb, seat=play.turn).startswith("BB-")


def test_bb_r5_card_joins_the_right_end():
    play = Play(3).run("R6 2, B0 2, G3 2")
    assert play.tracks == ["", "R6 B0 G3", "", ""]


def test_bb_r5_only_cards_in_hand_are_placed():
    play = Play(2).run("R6 2, B0 2")
    assert play.refused("play", ALL_NAMES.index("6"), 1, seat=0) == "BB-R5"
    assert play.refused("play", 12, 1, seat=0).startswith("BB-")
    assert play.refused("play", -1, 1, seat=0).startswith("BB-")
    assert play.refused("play", 0, 1, seat=1) == "BB-R4"


@pytest.mark.parametrize("rival", ["B3", "B3a", "R3a"])
def test_bb_r6_value_appears_once_per_track(rival):
    play = Play(2).put([f"{rival} B0", "", ""], hands=["3", "6"])
    assert play.cannot("R3", 1) == "BB-R6"
    assert play.can(0) == {("R3", 2), ("R3", 3)}


def test_bb_r7_falling_card_blocks_its_value():
    play = Play(2).put(["R2 B5 R3", "", ""], hands=["2a 6", "6"])
    assert play.cannot("R2a", 1) == "BB-R7"
    assert play.can(0) == {("R6", 1), ("R2a", 2), ("R2a", 3), ("R6", 2), ("R6", 3)}


def test_bb_r8_oldest_of_four_falls_into_penalty_zone():
    play = Play(2).put(["", "R2 B5 R3", ""], zones=["", "B1", ""], hands=["6", "6"])
    events = play.lay("R6", 2)
    assert play.tracks == ["", "B5 R3 R6", ""]
    assert play.zones == ["", "B1 R2", ""]
    fallen = find(events, "falls")
    assert (fallen.seat, fallen.facts) == (0, {"card": "2", "lane": 2})


def test_bb_a2_penalty_zone_blocks_no_value():
    play = Play(2).put(["R5", "", ""], zones=["R2 B3", "", ""], hands=["2a 3", "6"])
    assert {("R2a", 1), ("R3", 1)} <= play.can(0)


def test_bb_r9_player_without_cards_skips_every_turn():
    play = Play(3).put(["", "", "", ""], hands=["1 2 3", "", "4 5 6"])
    for card in ("R1", "G4", "R2", "G5", "R3"):
        assert play.turn != 1
        play.lay(card, 1 + (card[1] in "36"))
    assert play.turn == 2


def test_bb_r9_last_player_with_cards_continues_alone():
    play = Play(3).put(["", "", "", ""], hands=["1 2 3", "", ""])
    play.lay("R1", 1)
    assert play.turn == 0
    play.lay("R2", 1)
    assert (play.turn, play.phase) == (0, Phase.TURN)


def test_bb_r9_action_can_unblock_a_player():
    """Blue holds only a 5; red's Rauswurf takes the 5 out of lane 1."""

    def table(target: tuple[int, ...] | None) -> Play:
        play = Play(2, variant="action").put(["R5", "B5a", "R6 R5a"], hands=["4a 1", "5"])
        play.lay("R4a", 3)
        play.make("eject", *target, seat=0) if target else play.make("decline", seat=0)
        return play

    assert table(None).turn == 0
    assert table((3, 1)).turn == 0  # the 6 did not block blue
    freed = table((1, 1))
    assert freed.turn == 1
    assert freed.can(1) == {("B5", 1)}


def test_bb_a1_players_cannot_choose_to_skip():
    play = Play(2).put(["R5", "R5a B1", ""], hands=["0 6", "5a 5"])
    for seat in (0, 1, TABLE):
        assert play.refused("skip", seat=seat).startswith("BB-")
    assert {move.verb for move in rules.legal(play.state, 0)} == {"play"}
    play.lay("R0", 2)
    assert play.can(1) == {("B5", 3), ("B5a", 3)}  # blue must play


def test_bb_a4_blocked_player_is_rechecked_each_turn():
    play = Play(2).put(["R5 R1 B2", "B5a", "R5a"], hands=["0 3 6 4", "5"])
    play.lay("R0", 2)
    assert play.turn == 0  # blue's 5 is blocked everywhere
    play.lay("R3", 1)  # R5 falls
    assert play.turn == 1
    assert play.can(1) == {("B5", 1)}


def test_bb_a35_copies_of_a_value_have_different_names():
    play = Play(2).run("R4a 1, B4 2")
    assert "R4" in play.hand(0)
    assert "R4a" not in play.hand(0)
    assert "B4a" in play.hand(1)
    play.lay("R4", 3)
    assert play.tracks == ["R4a", "B4", "R4"]
