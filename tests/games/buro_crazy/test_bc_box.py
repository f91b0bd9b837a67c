"""Büro Crazy's box, and the errors of a bad box.toml."""

import re

import pytest

from companion.core.errors import BoxError
from companion.games.buro_crazy.box import BuroCrazyBox
from companion.games.buro_crazy.game import GAME
from tests.games.buro_crazy.bc_table import BOX, BOX_TEXT, Play, edited

KITCHEN = "{ 1 = 4, 2 = 3, 5 = 4, 10 = 5, 20 = 0 }"
TARGETS = "{ stairs = 80, ground = 60, first = 40, second = 20 }"
COLOURS = "{ red = 5, blue = 5, green = 5, yellow = 5, black = 4 }"
EACH = "{ 3 = 5, 4 = 4, 5 = 3 }"
SHARES = "{ boss = 3, challenger = 2, semifinalist = 1 }"
DECK = "[deck]\n1 = 30\n2 = 30\n5 = 30\n10 = 30\n20 = 30\n"
HAND = "[hand]\n1 = 4\n2 = 4\n5 = 4\n10 = 4\n20 = 4\n"


def test_box_is_the_printed_game():
    assert BOX.values == (1, 2, 5, 10, 20)
    assert (BOX.deck, sum(BOX.deck)) == ((30,) * 5, 150)
    assert BOX.hand == (4,) * 5
    assert BOX.kitchen == (4, 3, 4, 5, 0)
    assert BOX.targets == (80, 60, 40, 20)
    assert sum(BOX.figures) == 24
    assert dict(zip(BOX.colours, BOX.figures, strict=True)) == {
        "red": 5, "blue": 5, "green": 5, "yellow": 5, "black": 4,
    }  # fmt: skip
    assert BOX.per_player == (5, 4, 3)
    assert (BOX.piles, BOX.shares, BOX.forfeit) == (9, (3, 2, 1), 10)
    assert GAME.box_text == BOX_TEXT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[deck", "mine.toml: "),
        (edited(DECK, DECK.replace("20 = 30", "20 = 29")), "mine.toml: deck: 149 cards; allowed: 150 in all"),
        (edited(DECK, DECK.replace("20 = 30", "20 = 31")), "mine.toml: deck: 151 cards; allowed: 150 in all"),
        (
            edited(DECK, DECK.replace("1 = 30\n2 = 30", "1 = 40\n2 = 20")),
            "deck.2: 20; 5 hands and the kitchen need 23",
        ),
        (edited(HAND, HAND.replace("20 = 4", "20 = 7")), "deck.20: 30; 5 hands and the kitchen need 35"),
        (edited(HAND, HAND.replace("= 4", "= 0")), "hand: no cards"),
        (edited(KITCHEN, KITCHEN.replace("1 = 4", "1 = 5")), "kitchen.start: worth 81; allowed: 80, the target"),
        (edited(TARGETS, TARGETS.replace("80", "70")), "kitchen.start: worth 80; allowed: 70"),
        (
            edited(COLOURS, "{ red = 5, blue = 5, green = 5, yellow = 5 }"),
            "figures.colours: 4 colours have 3 figures; 5",
        ),
        (edited(COLOURS, COLOURS.replace("5", "4")), "figures.colours: 0 colours have 5 figures; 3 players need"),
        (edited(COLOURS, COLOURS.replace("red = 5", "red = 0")), "figures.colours.red: 0; allowed: a whole number"),
        (edited(COLOURS, COLOURS.replace("red", '"dark red"')), "figures.colours: {"),
        (edited(COLOURS, COLOURS.replace("red", "Red")), "not a table of lower-case colours"),
        (edited(COLOURS, "[]"), "figures.colours: [] is not a table of lower-case colours"),
        (
            edited(EACH, EACH.replace("5 = 3", "5 = 2")),
            "figures.per_player.5: 10 figures in all; allowed: 15 or 16",
        ),
        (edited(EACH, EACH.replace("4 = 4", "4 = 5")), "figures.per_player.4: 20 figures in all"),
        (edited("piles = 9", "piles = 6"), "end.shares: 7 piles in all; allowed: up to 6"),
        (edited(SHARES, SHARES.replace("3", "6")), "end.shares: 10 piles in all; allowed: up to 9"),
    ],
)
def test_bad_box_error_names_key_and_allowed_values(text, message):
    with pytest.raises(BoxError, match=re.escape(message)):
        BuroCrazyBox.read(text, "mine.toml")


def test_custom_forfeit_and_kitchen_target_are_used():
    text = edited("forfeit = 10", "forfeit = 4")
    text = edited(TARGETS, TARGETS.replace("60", "30"), text)
    play = Play(3, box=BuroCrazyBox.read(text, "mine.toml")).to("P7")
    single = play.at("P8")[0]
    had = play.points(single)
    play.decide()
    assert had - play.points(single) == 4
    assert play.kitchen == 30


def test_custom_shares_and_piles_are_dealt():
    text = edited("piles = 9", "piles = 5")
    text = edited(SHARES, "{ boss = 2, challenger = 0, semifinalist = 1 }", text)
    play = Play(4, box=BuroCrazyBox.read(text, "mine.toml")).to("T")
    play.put({play.duel[0]: [1], play.duel[1]: []}, roof=[5] * 11, kitchen=[])
    play.fight([1], [])
    assert play.view.pile_size == 2
    cards = 0
    while play.view.phase == "roof":
        play.make("roof", 5 if 5 in play.piles.roof else 1)
        cards += 1
    assert cards == 2 * (2 + 0 + 1 + 1)
