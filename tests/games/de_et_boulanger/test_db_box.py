"""Tests of Dé et Boulanger's box, its errors, and other boxes."""

import re
import tomllib

import pytest

from companion.core.errors import BoxError
from companion.games.de_et_boulanger import rules
from companion.games.de_et_boulanger.box import DeEtBoulangerBox
from companion.games.de_et_boulanger.rules.components import Rulings
from tests.games.de_et_boulanger.db_naive import BOARD as MAP
from tests.games.de_et_boulanger.db_naive import NaiveBoard, NaiveMatch
from tests.games.de_et_boulanger.db_table import (
    BOX,
    BOX_TEXT,
    DEAR,
    SMALL,
    SMALL_MAP,
    Play,
    box_with,
    cash,
    laboratory,
    load,
    place,
    produced,
    ranking,
    sell,
    tiles,
)


def edited(old: str, new: str) -> str:
    assert BOX_TEXT.count(old) == 1, BOX_TEXT.count(old)
    return BOX_TEXT.replace(old, new)


def mapped(*changes: tuple[int, int, str]) -> str:
    rows = [list(line) for line in MAP.split()]
    for row, column, letter in changes:
        rows[row][column] = letter
    return edited(MAP, "\n".join("".join(row) for row in rows) + "\n")


def drawn(drawing: str) -> str:
    return edited(MAP, drawing)


def test_box_has_the_expected_contents():
    assert tomllib.loads(BOX_TEXT) == {
        "map": MAP,
        "rounds": 5,
        "rolls_per_round": 5,
        "load_limit": 6,
        "start_sous": 10,
        "home_bonus": 2,
        "price": {"flour": 1, "butter": 1, "water": 0},
        "sell": {"bread": 10, "croissant": 8},
        "recipe": {
            "bread": {"flour": 3, "water": 2, "butter": 0},
            "croissant": {"flour": 1, "water": 1, "butter": 2},
        },
        "tiles": {"list": [[5, 1], [4, 2], [3, 3], [2, 4], [1, 5], "incident"]},
        "incident": {
            **{"1": "flood", "2": "flood", "3": "earthquake"},
            **{"4": "earthquake", "5": "gift", "6": "gift"},
        },
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("map = [", "mine.toml: "),
        (edited("rounds = 5\n", "rounds = 0\n"), "mine.toml: rounds: 0; allowed: a whole number from 1 to 5"),
        (edited("rounds = 5\n", "rounds = 6\n"), "rounds: 6; allowed: a whole number from 1 to 5"),
        (
            edited("flour = 3\nwater = 2\nbutter = 0", "flour = 0\nwater = 0\nbutter = 0"),
            "recipe.bread: empty recipe",
        ),
        (edited("[[5, 1], ", "[5, "), "tiles.list[1]: 5 is not a tile; allowed: [breads, croissants]"),
        (edited("[5, 1]", "[5, 1, 1]"), "tiles.list[1]: [5, 1, 1] is not a tile"),
        (edited("[5, 1]", "[5, -1]"), "tiles.list[1]: -1; allowed"),
        (edited('"incident"]', '"incidents"]'), "tiles.list[6]: 'incidents' is not a tile"),
        (edited('[[5, 1], [4, 2], [3, 3], [2, 4], [1, 5], "incident"]', "6"), "tiles.list: 6 is not a list"),
        (edited('[[5, 1], [4, 2], [3, 3], [2, 4], [1, 5], "incident"]', "[[5, 1]]"), "tiles.list: 1 tiles; allow"),
        (edited('6 = "gift"\n', ""), "incident: '6' is missing"),
        (edited('6 = "gift"\n', '6 = "gift"\n7 = "gift"\n'), "incident: unknown key '7'"),
        (edited('6 = "gift"\n', '6 = "fire"\n'), "incident.6: 'fire' is not allowed here; allowed: earthquake"),
        (edited('6 = "gift"\n', '6 = "gfit"\n'), "incident.6: 'gfit' is not allowed here; did you mean 'gift'?"),
    ],
)
def test_bad_box_error_names_file_and_key(text, message):
    with pytest.raises(BoxError, match=re.escape(message)) as refused:
        DeEtBoulangerBox.read(text, "mine.toml")
    assert str(refused.value).startswith("mine.toml: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (edited(f'map = """\n{MAP}"""', "map = 5"), "5 is not a map"),
        (drawn(""), "0 lines of 0 letters; allowed: 1 to 40 of each"),
        (drawn("#" * 41), "1 lines of 41 letters; allowed: 1 to 40 of each"),
        (drawn(MAP.replace("#.........#\n#.M", "#........#\n#.M")), "line 2 has 10 letters; allowed: 11"),
        (mapped((2, 4, "x")), "line 3: 'x'; allowed: #.MAFNESW"),
        (mapped((2, 4, " ")), "line 3: ' '; allowed"),
        (mapped((0, 5, "#")), "0 times N (top); allowed: 1"),
        (mapped((10, 6, "S")), "2 times S (bottom); allowed: 1"),
        (mapped((2, 2, ".")), "1 times M (mill); allowed: 2"),
        (mapped((2, 2, "A")), "1 times M (mill); allowed: 2"),
        (mapped((2, 4, "A")), "3 times A (farm); allowed: 2"),
        (mapped((2, 4, "M")), "3 times M (mill); allowed: 2"),
        (mapped((2, 8, ".")), "1 times A (farm); allowed: 2"),
        (drawn(MAP.replace("F", ".")), "there is no fountain"),
        (mapped((2, 5, "F")), "the fountain is in pieces"),
        (mapped((3, 3, "F")), "the fountain is in pieces"),  # touches at a corner
        (mapped((0, 5, "#"), (4, 9, "N")), "shop N (top) is not on its edge"),
        (mapped((0, 5, "#"), (10, 2, "N")), "shop N (top) is not on its edge"),
        (mapped((1, 5, "#")), "shop N (top) has 0 squares next to it; allowed: 1"),
        (mapped((0, 4, ".")), "shop N (top) has 2 squares next to it; allowed: 1"),
        (mapped((5, 0, "#"), (10, 0, "W")), "shop W (left) has 0 squares next to it; allowed: 1"),
        (mapped((1, 2, "#"), (2, 1, "#")), "row 1, column 1 cannot be reached"),
        (mapped((1, 2, "#"), (2, 1, "#"), (3, 2, "#"), (2, 3, "#")), "cannot be reached"),
        (mapped((0, 0, ".")), "row 0, column 0 cannot be reached"),
        (mapped(*((row, column, "#") for row in (3, 7) for column in range(3, 8)),
                *((row, column, "#") for row in range(3, 8) for column in (3, 7))), "cannot be reached"),
    ],
)  # fmt: skip
def test_bad_map_is_refused(text, message):
    with pytest.raises(BoxError, match=re.escape(message)) as refused:
        DeEtBoulangerBox.read(text, "mine.toml")
    assert str(refused.value).startswith("mine.toml: map: ")


def test_paths_through_shops_do_not_count():
    walls = [(row, column, "#") for row in (4, 6) for column in (1, 2, 3)]
    with pytest.raises(BoxError, match="row 5, column 1 cannot be reached"):
        DeEtBoulangerBox.read(mapped(*walls, (5, 3, "#")), "mine.toml")


def small_play(**setup: object) -> Play:
    return Play(box=SMALL, **setup)


def test_custom_map_has_its_own_squares():
    play = small_play()
    play.walk(6, "1,2", "1,1")
    assert play.legal(1, "step") == {"step 1,2", "step 2,1"}
    play.do("1 step 2,1", "1 step fountain")
    assert play.legal(1, "step") == {"step 1,2", "step 2,1", "step 2,3", "step 3,2"}
    assert place(play, 1) == "fountain"


def test_custom_map_matches_the_naive_game():
    start = [
        *("1 bakery E", "1 tiles 1 2 3 4 5 6", "2 tiles 1 2 3 4 5 6", "T start 6", "T start 1"),
        *("1 load 2", "T roll 6", "1 step 2,3", "1 step 1,3", "1 butter 1", "1 step 1,2", "1 step fountain"),
    ]
    naive = NaiveMatch(2, drawing=SMALL_MAP)
    play = small_play(until="setup")
    for line in start:
        naive.play(line)
        play.do(line)
    assert {f"1 {line}" for line in play.legal(1)} == naive.legal("1")
    assert NaiveBoard(SMALL_MAP).distance("E", "W") == 4


def test_shop_may_open_onto_the_fountain():
    play = Play(box=DeEtBoulangerBox.read(drawn("##N##\n#MFA#\nW.FFE\n#A.M#\n##S##\n"), "mine.toml"))
    play.do("T roll 2", "1 step fountain")
    assert play.legal(1, "step") == {"step N", "step 1,1", "step 1,3", "step 2,1", "step 3,2", "step 3,3"}
    assert play.refused("1 step E") == "DB-A15"


def test_box_may_change_prices():
    play = Play(movement="trust", box=DEAR)
    play.do("1 load 6")
    assert play.legal(1, "flour") == {"flour 1", "flour 2", "flour 3"}
    assert play.legal(1, "butter") == {"butter 1", "butter 2"}
    assert play.legal(1, "water") == {f"water {n}" for n in range(1, 7)}
    play.do("1 flour 1", "1 butter 1")
    assert load(play, 1) == {"flour": 1, "water": 0, "butter": 1, "sous": 1}
    assert play.legal(1, "water") == {"water 1"}
    assert play.refused("1 flour 1") == "DB-R15"


def test_box_may_change_the_load_limit():
    play = Play(movement="trust", box=box_with(load_limit=3))
    assert play.legal(1, "load") == {"load 1", "load 2", "load 3"}
    play.do("1 load 2")
    assert play.legal(1, "water") == {"water 1"}


def test_box_may_change_bonus_rolls_and_rounds():
    play = Play(box=box_with(home_bonus=7, rolls_per_round=1, rounds=1))
    play.turn(2, "step 1,5", "step N")
    play.turn(1)
    assert (cash(play, 1), cash(play, 2)) == (17, 10)
    play.do("1 validate", "2 validate")
    sell(play, 1, 1)
    assert ranking(play) == [[1], [2]]
    assert len(tiles(play, 1)) == 5


def test_box_may_change_recipes_and_sale_prices():
    text = edited("flour = 3\nwater = 2\nbutter = 0", "flour = 1\nwater = 0\nbutter = 1")
    text = text.replace("bread = 10", "bread = 3")
    play = Play(movement="trust", box=DeEtBoulangerBox.read(text, "mine.toml"))
    play.do("1 load 4", "1 flour 2", "1 butter 2", "1 home no", "2 home no")
    assert play.legal(1, "bake") == {"bake 1 0", "bake 2 0"}
    play.do("1 bake 2 0")
    assert laboratory(play, 1) == {"flour": 0, "water": 0, "butter": 0}
    play.do("1 validate", "2 validate", "T sale 1")
    assert cash(play, 1) == 6 + 2 * 3


def test_box_may_change_tiles_and_incidents():
    text = edited('[[5, 1], [4, 2], [3, 3], [2, 4], [1, 5], "incident"]', '["incident", [0, 0], "incident"]')
    text = text.replace("rounds = 5\n", "rounds = 2\n").replace('1 = "flood"', '1 = "gift"')
    play = Play(movement="trust", tiles="2 1 3", box=DeEtBoulangerBox.read(text, "mine.toml"))
    produced(play, 0, 0)
    play.do("T sale 1", "T incident 1")
    assert cash(play, 1) == 5


def test_box_read_twice_is_equal():
    assert DeEtBoulangerBox.read(BOX_TEXT, "a") == BOX
    assert hash(rules.setup(BOX, Rulings(), 4)) == hash(
        rules.setup(DeEtBoulangerBox.read(BOX_TEXT, "b"), Rulings(), 4)
    )
