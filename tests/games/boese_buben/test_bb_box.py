"""Tests of Böse Buben's box and its errors."""

import re

import pytest

from companion.core.errors import BoxError
from companion.games.boese_buben import rules
from companion.games.boese_buben.box import BoeseBubenBox
from companion.games.boese_buben.game import GAME
from tests.games.boese_buben.bb_naive import NAMES, PRICES
from tests.games.boese_buben.bb_table import BOX, Play, ender


def edited(old: str, new: str) -> str:
    assert GAME.box_text.count(old) == 1
    return GAME.box_text.replace(old, new)


def card(value: int, action: str, goblins: int) -> str:
    return f'{{ value = {value}, action = "{action}", goblins = {goblins} }}'


PLAIN_6 = card(6, "none", 3)
KOSTENLOS = card(1, "kostenlos", 1)
SCHIEBUNG = card(2, "schiebung", 1)


def test_bb_a36_box_matches_the_printed_game():
    assert [BOX.goblins[index] for index in range(12)] == [PRICES[name[0]] for name in NAMES]
    assert [str(action) for action in BOX.actions] == [
        *["none"] * 7,
        *["kostenlos", "schiebung", "austausch", "rauswurf", "raengelei"],
    ]
    assert (BOX.ducats, BOX.start_ducats, BOX.lane_prize) == (84, 6, 3)
    assert (BOX.races, BOX.mc_cards, BOX.mc_cost) == (4, 4, (0, 1, 3, 5, 8))
    assert (BOX.track_limit, BOX.penalty_limit) == (3, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("races = [", "mine.toml: "),
        (edited("start_ducats = 6", "start_ducats = -1"), "start_ducats: -1; allowed: a whole number from 0 to 21"),
        (edited("start_ducats = 6", "start_ducats = 22"), "start_ducats: 22; allowed: a whole number from 0 to 21"),
        (edited("mc_cards = 4", "mc_cards = 3"), "mc_cards: 3; allowed: a whole number from 4"),
        (edited("mc_cost = [0, 1, 3, 5, 8]", "mc_cost = 8"), "mc_cost: 8 is not a list"),
        (edited("mc_cost = [0, 1, 3, 5, 8]", "mc_cost = [1, 3, 5, 8]"), "mc_cost: [1, 3, 5, 8]; allowed: 0 first"),
        (edited("mc_cost = [0, 1, 3, 5, 8]", "mc_cost = [0, 3, 1]"), "mc_cost: [0, 3, 1]; allowed: 0 first"),
        (edited("mc_cost = [0, 1, 3, 5, 8]", "mc_cost = [0, 1.5]"), "mc_cost[2]: 1.5; allowed"),
        (edited("mc_cost = [0, 1, 3, 5, 8]", "mc_cost = []"), "mc_cost: []"),
        (edited(f"    {PLAIN_6},\n", ""), "mine.toml: cards: missing cards: 6"),
        (edited(PLAIN_6, f"{PLAIN_6}, {PLAIN_6}"), "cards: 13 cards; allowed: 0, 1, 2, 3, 4, 5, 6, 1a"),
        (edited(PLAIN_6, card(5, "none", 3)), "cards: missing cards: 6"),
        (edited(PLAIN_6, card(7, "none", 3)), "cards[7].value: 7; allowed: a whole number from 0 to 6"),
        (edited(PLAIN_6, card(6, "none", 4)), "cards[7].goblins: 4; allowed: a whole number from 0 to 3"),
        (edited(PLAIN_6, card(6, "rauswurf", 3)), "cards[7].action: a 6 has no action"),
        (edited(card(0, "none", 0), card(0, "none", 1)), "cards[1].goblins: 1; a zero is free, allowed: 0"),
        (
            edited(KOSTENLOS, card(1, "kostnlos", 1)),
            "cards[8].action: 'kostnlos' is not allowed here; did",
        ),
        (edited(KOSTENLOS, card(1, "schiebung", 1)), "cards: 0 cards with kostenlos; allowed: one"),
        (edited(SCHIEBUNG, card(2, "none", 1)), "cards: missing cards: 2a"),
        (edited(PLAIN_6, "6"), "cards[7]: 6 is not a table"),
        (edited(PLAIN_6, '{ value = 6, action = "none" }'), "cards[7]: 'goblins' is missing"),
        (edited(PLAIN_6, PLAIN_6.replace("3 }", '3, name = "6" }')), "cards[7]: unknown key 'name'"),
    ],
)
def test_bad_box_error_names_file_and_key(text, message):
    with pytest.raises(BoxError, match=re.escape(message)) as refused:
        BoeseBubenBox.read(text, "mine.toml")
    assert str(refused.value).startswith("mine.toml: ")


def test_card_order_in_file_does_not_matter():
    lines = GAME.box_text.splitlines()
    cards = [line for line in lines if line.startswith("    {")]
    text = GAME.box_text.replace("\n".join(cards), "\n".join(reversed(cards)))
    assert text != GAME.box_text
    assert BoeseBubenBox.read(text, "mine.toml") == BOX


def test_bb_a36_box_may_change_actions_and_prices():
    text = edited(KOSTENLOS, card(1, "schiebung", 3)).replace(SCHIEBUNG, card(2, "kostenlos", 0))
    box = BoeseBubenBox.read(text, "mine.toml")
    play = ender(2, closing="2a", variant="action", box=box)
    play.end()
    assert "free" in play.answers()
    play = Play(2, box=box).put(["", "", ""], zones=["R1a B2a", "", ""], hands=["0", ""])
    play.lay("R0", 1)
    assert play.price == 3
    play.answer("leave")
    assert play.price == 0


def test_box_numbers_apply_to_the_match():
    text = edited("races = 4", "races = 1")
    for old, new in (("lane_prize = 3", "lane_prize = 2"), ("start_ducats = 6", "start_ducats = 10")):
        text = text.replace(old, new)
    text = text.replace("mc_cost = [0, 1, 3, 5, 8]", "mc_cost = [0, 4]").replace("1 = 24", "1 = 40")
    box = BoeseBubenBox.read(text, "mine.toml")
    start = rules.setup(box, rules.Rulings(), 2)
    assert (rules.view(start, 0).purse, start.books.bank) == (10, 80)
    play = Play(2, box=box)
    play.run("R0 1, B1 1, R2 1, B3 1, R4 1, B5 1, R6 1")
    assert play.phase == rules.Phase.OVER
    assert play.purses == (10 + 2 - 4, 10)


def test_bb_a15_unlisted_mc_cards_cost_3_more_each():
    box = BoeseBubenBox.read(edited("mc_cost = [0, 1, 3, 5, 8]", "mc_cost = [0]"), "mine.toml")
    assert [rules.mc_cost(box, cards) for cards in range(4)] == [0, 3, 6, 9]


@pytest.mark.parametrize(("track_limit", "penalty_limit"), [(2, 4), (4, 4), (3, 2), (1, 1)])
def test_box_may_change_track_and_penalty_limits(track_limit, penalty_limit):
    text = edited("track_limit = 3", f"track_limit = {track_limit}")
    text = text.replace("penalty_limit = 4", f"penalty_limit = {penalty_limit}")
    play = Play(2, box=BoeseBubenBox.read(text, "mine.toml"))
    for index in range(track_limit + penalty_limit):
        assert play.phase == rules.Phase.TURN
        play.make("play", index, 1, seat=index % 2)
    assert play.phase == rules.Phase.BRIBERY
    assert len(play.tracks[0].split()) == track_limit
    assert len(play.zones[0].split()) == penalty_limit
