"""Tests of bribery, BB-R18 to BB-R22, and Kostenlos, BB-R29."""

import pytest

from companion.core.errors import IllegalMove
from companion.core.move import TABLE, Move, SecretMove
from companion.games.boese_buben import rules
from companion.games.boese_buben.rules import Phase
from tests.games.boese_buben.bb_table import Play, ender
from tests.games.contract import find, kinds


def bribery(purses: tuple[int, ...] = (6, 6), **options) -> Play:
    """Return a table at which red has just ended a race in lane 1."""
    seats = len(purses)
    zones = ["R1 B3 R5a", "B5 R6", "B0"] + [""] * (seats - 2)
    lanes = ["R4 R2 R3", *[""] * seats]
    play = Play(seats, **options).put(lanes, zones=zones, hands=["0", *["1"] * (seats - 1)], purses=purses)
    play.lay("R0", 1)  # R2 R3 R0 pays nobody
    assert play.purses == purses
    return play


def test_bb_r18_owners_are_asked_lane_by_lane():
    play = bribery()
    asked = []
    while play.phase == Phase.BRIBERY:
        card = play.asked
        asked.append(card)
        owner = "RB".index(card[0])
        assert rules.to_act(play.state) == (owner,)
        assert not rules.legal(play.state, 1 - owner)
        play.answer("leave")
    assert asked == ["R1", "B3", "R5a", "R4", "B5", "R6", "B0"]


def test_bb_a12_oldest_card_of_a_lane_comes_first():
    play = Play(2).put(["R1 R2 B3", "", ""], hands=["4 6 0", "5 0 3a"])
    for card in ("R4", "B5", "R6", "B0"):
        play.lay(card, 1)
    assert play.zones[0] == "R1 R2 B3 R4"
    asked = []
    while play.phase == Phase.BRIBERY:
        asked.append(play.asked)
        play.answer("leave")
    assert asked == ["R1", "R2", "B3", "R4"]


@pytest.mark.parametrize(
    ("name", "price"),
    [
        *[("0", 0), ("1", 1), ("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3)],
        *[("1a", 1), ("2a", 1), ("3a", 2), ("4a", 2), ("5a", 3)],
    ],
)
def test_bb_r19_owner_pays_card_price_to_bank(name, price):
    play = Play(2).put(["", "", ""], zones=[f"B{name}", "", ""], hands=["6", ""])
    play.lay("R6", 1)
    assert play.asked == f"B{name}"
    assert play.price == price
    purse, bank = play.purses[1], play.bank
    play.answer("buy")
    assert (play.purses[1], play.bank) == (purse - price, bank + price)
    assert play.hand(1) == {f"B{name}"}


def test_bb_r19_bought_cards_return_to_hand():
    play = bribery()
    play.answer("buy")
    assert play.hand(0) == {"R1"}
    assert play.zones[0] == "B3 R5a R4"


def test_bb_r19_zero_is_free_for_an_empty_purse():
    play = bribery((6, 0))
    for _ in range(6):
        play.answer("leave")
    assert play.asked == "B0"
    assert play.price == 0
    play.answer("buy")
    assert play.hand(1) == {"B0", "B1"}
    assert play.purses == (6, 0)


def test_bb_r20_bank_gives_no_credit():
    play = bribery((0, 1))
    assert play.refused("answer", 1, seat=0) == "BB-A13"  # red has 0 for R1
    play.answer("leave")
    assert play.refused("answer", 1, seat=1) == "BB-A13"  # blue has 1 of 2 for B3


def test_bb_a13_broke_owner_can_only_leave():
    for purses, answers in (((0, 6), {"leave"}), ((1, 6), {"buy", "leave"})):
        assert bribery(purses).answers() == answers


def test_bb_a13_broke_owner_may_buy_later_cheaper_card():
    play = bribery((2, 2))
    play.answer("leave")
    play.answer("buy")
    assert play.answers() == {"leave"}
    play.answer("leave")
    play.answer("buy")
    for _ in range(2):
        play.answer("leave")
    play.answer("buy")
    assert (play.purses, play.hand(0), play.hand(1)) == ((0, 0), {"R4"}, {"B1", "B3", "B0"})


def test_bb_a13_race_prizes_arrive_before_bribery():
    play = Play(2).put(["R4 B2 R3", "B5", ""], zones=["R1 B3 R5a", "", ""], hands=["0", ""], purses=(0, 0))
    play.lay("R0", 1)
    assert play.purses == (3, 3)
    play.answer("buy")
    play.answer("buy")
    assert play.purses == (2, 1)


def test_bb_r21_unbought_penalty_cards_leave_the_game():
    play = bribery()
    while play.asked != "B5":
        play.answer("leave")
    play.answer("buy")
    play.answer("leave")
    assert play.phase == Phase.BRIBERY
    play.answer("leave")
    assert play.phase == Phase.TURN
    assert play.zones == ["", "", ""]
    assert play.hand(1) == {"B1", "B5"}
    gone = {"R1", "B3", "R5a", "R4", "R6", "B0"}
    assert not gone & (play.all_cards(0) | play.all_cards(1))


def test_bb_r22_race_4_has_no_bribery():
    play = ender(2, race=4)
    play.end()
    assert play.phase == Phase.OVER
    assert rules.to_act(play.state) == ()


def test_bb_a34_race_4_penalty_cards_leave_the_game():
    play = ender(2, race=4, hands=["6", "6"])
    play.end()
    assert play.hand(0) == {"R6"}
    assert play.zones == ["", "", ""]
    assert {"R3a", "R4a", "R5a", "R1a"} <= set(play.out)


def test_bb_r21_event_counts_cards_leaving_now():
    play = bribery()  # many more are already out
    play.answer("buy")
    while play.race == 1:
        events = play.answer("leave")
    assert find(events, "removed").facts == {"cards": 6}


def test_bb_a14_only_the_owner_may_buy():
    play = bribery()
    for seat in (1, TABLE):
        for answer in (0, 1, 2):
            assert play.refused("answer", answer, seat=seat) == "BB-A13"


def test_bb_r29_kostenlos_takes_a_card_back_free():
    play = ender(2, closing="1a", variant="action", purses=(0, 6))
    play.end()
    assert play.asked == "R3a"
    assert play.answers() == {"leave", "free"}
    play.answer("free")
    assert play.hand(0) == {"R3a"}
    assert play.purses == (0, 6)


@pytest.mark.parametrize("variant", ["basic", "action"])
@pytest.mark.parametrize("closing", ["0", "2a", "1a"])
def test_bb_r29_only_race_ending_kostenlos_gives_the_right(variant, closing):
    play = ender(2, closing=closing, variant=variant)
    play.end()
    if play.phase == Phase.MC:
        play.make("decline", seat=0)
    assert ("free" in play.answers()) == (variant == "action" and closing == "1a")


def test_bb_r29_earlier_kostenlos_gives_no_right():
    play = Play(2, variant="action").put(["", "R1 R2 R3", ""], zones=["", "B1 B2 B3", ""], hands=["1a 0", "6"])
    play.lay("R1a", 1)
    assert play.turn == 1
    play.lay("B6", 2)
    assert play.asked == "B1"
    for _ in range(3):
        assert play.answers() == {"buy", "leave"}
        play.answer("leave")
    assert play.asked == "R1"
    assert play.answers() == {"buy", "leave"}


def test_bb_r29_only_the_ender_has_the_right():
    play = ender(2, closing="1a", variant="action", zones=["B4", "", ""])
    play.end()
    assert play.asked == "B4"
    assert play.answers() == {"buy", "leave"}
    assert play.refused("answer", 2, seat=1).startswith("BB-")


def test_bb_r29_right_lasts_for_one_bribery():
    play = ender(2, closing="1a", variant="action", hands=["0 4", "0 6"], zones=["", "", ""])
    play.end()
    play.leave_all()
    assert play.race == 2
    assert play.view.free not in play.seats
    race_2 = play.state
    play.put(["", "", "B1 B2 B3"], zones=["", "", "R6 B4 R2"], hands=["4", "6"], race=2, turn=1)
    play.lay("B6", 3)
    assert play.asked == "R6"
    assert play.answers() == {"buy", "leave"}
    play.state = race_2
    play.put(["", "", "B1"], zones=["R6", "", ""], hands=["", "6"], race=2, turn=1)
    play.lay("B6", 2)  # nobody ends this race
    assert play.asked == "R6"
    assert play.answers() == {"buy", "leave"}


def test_bb_a25_kostenlos_covers_one_card_by_default():
    play = ender(2, closing="1a", variant="action", purses=(6, 6))
    play.end()
    play.answer("leave")
    play.answer("free")
    assert play.answers() == {"buy", "leave"}
    play.answer("buy")
    assert play.hand(0) == {"R4a", "R5a"}
    assert play.purses == (3, 6)


def test_bb_a25_purchase_does_not_spend_the_right():
    play = ender(2, closing="1a", variant="action", purses=(6, 6))
    play.end()
    play.answer("buy")
    assert play.answers() == {"buy", "leave", "free"}
    play.answer("free")
    assert play.hand(0) == {"R3a", "R4a"}
    assert play.purses == (4, 6)


def test_bb_a26_kostenlos_in_race_4_has_no_effect():
    play = ender(2, closing="1a", variant="action", race=4)
    events = play.end()
    assert play.phase == Phase.OVER
    assert play.mc == (1, 0)
    assert "free_right" not in kinds(events)
    assert play.view.free not in play.seats


@pytest.mark.parametrize("left", [0, 8])
def test_bb_a13_correction_never_reveals_who_could_pay(left):
    """A purchase with fewer ducats than before is asked again, even if they suffice."""
    was, now = (ender(2, zones=["R4"], purses=(ducats, 0)) for ducats in (9, left))
    for play in (was, now):
        play.end()
        assert play.asked == "R4"
    with pytest.raises(IllegalMove) as refusal:
        rules.belongs(was.state, now.state, SecretMove(0, "answer", (1,)))
    assert refusal.value.rule == "BB-A12"
    rules.belongs(was.state, now.state, SecretMove(0, "answer", (0,)))
    rules.belongs(now.state, was.state, SecretMove(0, "answer", (1,)))


def test_answers_are_secret_moves():
    play = bribery()
    for move in rules.legal(play.state, 0):
        assert isinstance(move, SecretMove)
    assert Move(0, "answer", (1,)) in rules.legal(play.state, 0)
