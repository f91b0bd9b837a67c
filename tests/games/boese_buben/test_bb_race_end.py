"""Tests of a race's end and the next start, BB-R10 to BB-R12, BB-R23, BB-R24."""

import pytest

from companion.games.boese_buben.rules import Phase
from tests.games.boese_buben.bb_table import Play, ender
from tests.games.contract import find


def test_bb_r10_fourth_penalty_card_ends_the_race():
    play = Play(3).put(["R2 B5 R3", "", "", ""], zones=["B1 G1", "G2 G3 G4", "", ""], hands=["6 5", "2 3", "0"])
    play.lay("R6", 1)
    assert play.phase == Phase.TURN  # no zone has four
    play.lay("B2", 1)
    assert play.zones[0] == "B1 G1 R2 B5"
    assert play.phase == Phase.BRIBERY
    assert play.race == 1


def test_bb_r11_race_ender_takes_an_mc_card():
    play = ender(3, seat=1, mc=(1, 1, 0))
    events = play.end()
    assert play.mc == (1, 2, 0)
    told = find(events, "mc")
    assert (told.seat, told.facts) == (1, {"cards": 2})


def test_bb_a6_race_ends_once_nobody_can_play():
    """The last play itself ends the race."""
    play = Play(4).put(["R5", "G5", "B5", "Y5", ""], zones=["R1", "", "", "", ""], hands=["5a", "5a", "5a", "5a"])
    play.lay("R5a", 5)
    assert play.phase == Phase.BRIBERY
    assert play.purses == (12, 9, 9, 9)


def test_bb_a7_race_nobody_can_begin_pays_again():
    play = Play(2).put(["R5", "R5a B1", ""], hands=["", "5 5a"], turn=1, race=1)
    play.lay("B5", 3)  # blue's 5a fits nowhere: races 2 to 4 pay the same
    assert play.phase == Phase.OVER
    assert play.purses == (6 + 4 * 6, 6 + 4 * 3)
    assert play.mc == (0, 0)
    assert play.hand(1) == {"B5a"}


@pytest.mark.parametrize(("card", "phase"), [("1a", Phase.BRIBERY), ("2a", Phase.BRIBERY)])
def test_bb_a28_early_end_triggers_no_action(card, phase):
    play = Play(2, variant="action").put(["", "B4", ""], zones=["R6", "", ""], hands=[card, ""], mc=(0, 1))
    play.lay(f"R{card}", 1)
    assert play.phase == phase  # no Schiebung
    assert play.answers() == {"buy", "leave"}  # no Kostenlos


def test_bb_r23_tracks_stay_and_hands_are_not_refilled():
    play = Play(2).put(["B1 B5 R3", "B3 R1", ""], zones=["R0 B0 R1a", "B4", ""], hands=["2 4 6", "2"], race=2)
    play.lay("R2", 1)
    play.leave_all()
    assert play.race == 3
    assert play.tracks == ["B5 R3 R2", "B3 R1", ""]
    assert play.zones == ["", "", ""]
    assert (play.hand(0), play.hand(1)) == ({"R4", "R6"}, {"B2"})


def test_bb_r24_next_race_event_names_number_and_starter():
    play = ender(3, seat=1, race=2, hands=["6", "6", "6"])
    play.end()
    while play.race == 2:
        events = play.answer("leave")
    told = find(events, "race")
    assert (told.seat, told.facts) == (2, {"race": 3})


def test_bb_a16_starter_without_cards_is_skipped():
    """Blue starts race 2, but only red has a card."""
    play = Play(3).put(["R5", "R5a B1", "B5", "G5"], zones=["R2", "", "", ""], hands=["0", "", ""], race=1)
    play.lay("R0", 1)
    assert play.asked == "R2"
    play.answer("buy")
    assert (play.race, play.turn) == (2, 0)  # blue and green skip
    assert play.starter == 1
    play.lay("R2", 1)
    assert play.phase == Phase.OVER  # nobody has a card for races 3 and 4


def test_bb_a16_starter_moves_on_after_empty_races():
    """All hands are empty, so races 2 to 4 end at once."""
    play = Play(3).put(["R5", "", "", ""], hands=["0", "", ""], race=1)
    events = play.lay("R0", 2)
    starters = [happened.seat for happened in events if happened.kind == "race"]
    assert starters == [1, 2, 0]
