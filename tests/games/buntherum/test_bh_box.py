"""Buntherum's box, and the errors of a bad box.toml."""

import random
import re
from collections import Counter

import pytest

from companion.core.errors import BoxError, IllegalMove, OptionError
from companion.core.match import Match
from companion.games.buntherum import rules
from companion.games.buntherum.box import BuntherumBox
from companion.games.buntherum.game import GAME
from tests.games.buntherum.bh_table import BOX, Play, card


def edited(old: str, new: str) -> str:
    assert GAME.box_text.count(old) == 1
    return GAME.box_text.replace(old, new)


def with_deck(deck: str) -> str:
    return edited('rule = "all_pairs_except_hexagon"', deck)


def test_box_is_the_printed_game():
    assert len(BOX.deck) == 58
    assert [BOX.names[one] for one in BOX.printed] == [
        "green cube", "red butterfly", "blue ball", "yellow icecream", "orange cup", "purple flower",
    ]  # fmt: skip
    assert BOX.hands == (13, 9, 7, 6)
    assert BOX.chips_out == 3


def test_deck_has_every_unprinted_pair_once():
    words = [BOX.names[one].split() for one in BOX.deck]
    assert len({tuple(pair) for pair in words}) == 58
    assert not set(BOX.deck) & set(BOX.printed)
    only_on_cards = {"car", "telephone", "pink", "sky"}
    assert {
        word: n for word, n in Counter(w for pair in words for w in pair).items() if n == 8
    }.keys() == only_on_cards


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("objects = [", "mine.toml: "),
        (edited('"cube", "butterfly"', '"a cube", "butterfly"'), "objects: ["),
        (edited('"cube", "butterfly"', '"cube", "cube"'), "objects: 8 words; allowed: 6 to 8 different ones"),
        (edited('"pink", "sky"', '"pink", "sky", "grey"'), "colours: 9 words; allowed: 6 to 8 different ones"),
        (edited('"pink", "sky"', '"pink", "cube"'), "objects: an object may not have the name of a colour"),
        (edited('6 = { object = "flower", colour = "purple" }', ""), "sides: '6' is missing"),
        (edited('6 = { object = "flower"', '7 = { object = "flower"'), "sides: unknown key '7'"),
        (edited('object = "flower", colour = "purple"', 'object = "flower"'), "sides.6: 'colour' is missing"),
        (
            edited('object = "flower", c', 'object = "flour", c'),
            "sides.6.object: 'flour' is not in the legend; did",
        ),
        (
            edited('colour = "purple"', 'colour = "purpel"'),
            "sides.6.colour: 'purpel' is not in the legend; did you",
        ),
        (edited('6 = { object = "flower", colour = "purple" }', "6 = 3"), "sides.6: 3 is not a table"),
        (
            edited('object = "flower", colour = "purple"', 'object = "cube", colour = "green"'),
            "sides: two sides show the same object in the same colour",
        ),
        (with_deck(""), "deck: 'rule' is missing"),
        (with_deck('rule = "all"'), "deck.rule: 'all'; allowed: 'all_pairs_except_hexagon'"),
        (with_deck('rule = "all_pairs_except_hexagon"\ncards = []'), "deck: unknown key 'rule'; allowed: cards"),
        (with_deck("cards = 58"), "deck.cards: 58 is not a list of cards"),
        (with_deck("cards = []"), "deck: 0 cards; a match needs at least 33"),
        (with_deck("cards = [3]"), "deck.cards[1]: 3 is not a table"),
        (with_deck('cards = [{ object = "car" }]'), "deck.cards[1]: 'colour' is missing"),
        (
            with_deck('cards = [{ object = "car", colour = "red" }, { object = "bus", colour = "red" }]'),
            "deck.cards[2].object: 'bus' is not in the legend",
        ),
        (
            with_deck('cards = [{ object = "car", colour = "red", count = 0 }]'),
            "deck.cards[1].count: 0; allowed: a whole number from 1",
        ),
        (
            with_deck('cards = [{ object = "cube", colour = "green", count = 58 }]'),
            "sides.1: only 0 cards fit at this side; at least 6 are needed",
        ),
    ],
)
def test_bad_box_error_names_file_and_key(text, message):
    with pytest.raises(BoxError, match=re.escape(message)) as refused:
        BuntherumBox.read(text, "mine.toml")
    assert str(refused.value).startswith("mine.toml: ")


def test_unusual_deck_size_is_played_with_a_warning(caplog):
    cards = [f'{{ object = "{thing}", colour = "{colour}" }}' for colour in BOX.colours for thing in BOX.objects]
    box = BuntherumBox.read(with_deck(f"cards = [{', '.join(cards)}]"), "mine.toml")
    assert len(box.deck) == 64
    assert "mine.toml: the deck has 64 cards, the printed game 58" in caplog.text
    assert Play(2, box=box).view.draw_pile == 32


def test_printed_game_loads_without_a_warning(caplog):
    BuntherumBox.read(GAME.box_text, "box.toml")
    assert not caplog.records


def test_listed_deck_may_hold_duplicates():
    lines = ['{ object = "car", colour = "sky", count = 2 }']
    lines += [f'{{ object = "telephone", colour = "{colour}", count = 7 }}' for colour in BOX.colours]
    box = BuntherumBox.read(with_deck(f"cards = [{', '.join(lines)}]"), "mine.toml")
    assert Counter(box.deck)[card("sky car")] == 2
    assert Counter(box.deck)[card("red telephone")] == 7


def test_chips_out_is_set_by_the_box():
    box = BuntherumBox.read(edited("chips_out = 3", "chips_out = 1"), "mine.toml")
    play = Play(3, box=box)
    play.wrong(2)
    assert play.view.gone == (2,)


def test_deck_too_small_for_five_serves_four():
    box = BuntherumBox.read(edited("5 = 6\n", "5 = 11\n"), "mine.toml")
    assert rules.setup(box, rules.Rulings(), 4).seats == 4
    with pytest.raises(OptionError, match="the deck has 58 cards; 5 players need 62"):
        rules.setup(box, rules.Rulings(), 5)


# --- Real hexagons ----------------------------------------------------------------------------------------


def real_hexagon(luck: random.Random) -> list[tuple[str, str]]:
    """Return six random sides."""
    return list(zip(luck.sample(BOX.objects[:6], 6), luck.sample(BOX.colours, 6), strict=True))


def of_hexagon(hexagon: list[tuple[str, str]]) -> str:
    """Return the custom box for a hexagon."""
    text = GAME.box_text
    for side, (thing, colour) in enumerate(hexagon, 1):
        line = re.compile(rf"^{side} = {{ object.*$", re.MULTILINE)
        text = line.sub(f'{side} = {{ object = "{thing}", colour = "{colour}" }}', text)
    return text


def laid_by_the_rulebook(hexagon: list[tuple[str, str]], luck: random.Random) -> list[str]:
    """Return random starters that fit a hexagon (BH-R3)."""
    pile = [
        f"{colour} {thing}" for thing in BOX.objects for colour in BOX.colours if (thing, colour) not in hexagon
    ]
    luck.shuffle(pile)
    starters = []
    for thing, colour in hexagon:
        fitting = next(name for name in pile if not {thing, colour} & set(name.split()))
        pile.remove(fitting)
        starters.append(fitting)
    return starters


def is_accepted(box_text: str, starters: list[str]) -> bool:
    match = Match(GAME, ["Ann", "Bob"], box_text=box_text)
    lines = ["T youngest 1", *(f"T starter {side} {name}" for side, name in enumerate(starters, 1))]
    try:
        for line in lines:
            match.push(GAME.notation.parse_move(match.box, line))
    except IllegalMove:
        return False
    return True


def test_real_starters_need_a_box_with_their_hexagon():
    # Nine times in ten, starters that fit a real hexagon clash with the guessed sides of the built-in box.
    luck, usual = random.Random("hexagon"), 0
    for _ in range(100):
        hexagon = real_hexagon(luck)
        starters = laid_by_the_rulebook(hexagon, luck)
        assert is_accepted(of_hexagon(hexagon), starters), hexagon
        usual += is_accepted(GAME.box_text, starters)
    assert usual < 20
