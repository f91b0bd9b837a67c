"""Tests of Dé et Boulanger's sentences and its text picture."""

import pytest

from companion.core.event import Event
from companion.games.de_et_boulanger import text
from tests.games.de_et_boulanger.db_table import Play, box_with, stocked

NAMES = ("Ada", "Bo", "Cy", "Di")


def told(events: tuple[Event, ...]) -> list[str]:
    return [str(said) for said in (event.sentence(NAMES) for event in events) if said is not None]


def test_setup_is_narrated():
    play = Play(2, until="setup")
    assert told(play.do("1 bakery E")) == ["Ada takes bakery E", "Bo takes bakery W"]
    assert told(play.do("2 tiles 6 1 2 3 4 5")) == ["Bo lines up the tiles: incident, 5/1, 4/2, 3/3, 2/4, 1/5"]
    play.do("1 tiles 1 2 3 4 5 6")
    assert told(play.do("T start 4")) == ["Ada rolls a 4"]
    assert told(play.do("T start 4"))[1] == "A tie: Ada, Bo roll again"
    play.do("T start 2")
    assert told(play.do("T start 6"))[1:] == [
        "Order of play: Bo, Ada",
        "Round 1 of 5",
        "Bo is next, roll 1 of 5",
    ]


def test_moves_of_real_pieces_are_narrated():
    play = Play()
    assert "loads 1 sou," in told(play.do("1 load 1"))[0]
    assert "9 left" in told(play.do("1 unload 0 0 0 1", "1 load 1"))[0]
    assert told(play.do("T roll 6")) == ["Ada rolls a 6"]
    assert told(play.do("1 step 1,5")) == []
    for place in ("1,4", "1,3", "1,2"):
        play.do(f"1 step {place}")
    assert "mill 2,2" in told(play.do("1 step 2,2"))[0]
    assert told(play.do("1 flour 1")) == ["Ada buys 1 flour for 1 sou"]


def test_carrying_home_and_unloading_are_narrated():
    play = Play()
    play.do("1 load 2")
    play.turn(1, "step 1,5")
    play.turn(2, "step 9,5", "step S")
    for _ in range(3):
        play.turn(1)
        play.turn(1)
    play.turn(1)
    play.do("T roll 1")
    sentences = told(play.do("2 end"))
    assert sentences[-1] == "All bakers are home. Everybody bakes"
    assert set(sentences[:-1]) == {
        "Ada's baker is carried home",
        "Ada unloads 2 sous",
        "Bo is home in time and gets 2 sous, now 12",
    }


def test_sale_is_narrated():
    play = stocked(10, 7, 2)
    play.do("1 home no", "2 home no")
    assert told(play.do("1 bake 3 1")) == ["Ada bakes 3 breads, 1 croissant"]
    play.do("1 validate", "2 validate")
    sentences = told(play.do("T sale 3"))
    assert sentences[:4] == [
        "Ada rolls a 3: tile 2/4",
        "Ada sells 2 breads, 1 croissant for 28 sous, now 28",
        "Ada loses 1 bread",
        "Ada: tile 2/4 is used up, marker to 1/5",
    ]


@pytest.mark.parametrize(
    ("die", "said"),
    [
        (1, ["Ada rolls a 1: a flood in the shop", "Ada loses 1 bread"]),
        (
            4,
            [
                "Ada rolls a 4: an earthquake",
                "Ada's lab loses 1 flour, 2 butter",
                "Ada loses 1 bread",
            ],
        ),
        (5, ["Ada rolls a 5: a gift to charity", "Ada gives 3 sous and keeps 4", "Ada loses 1 bread"]),
    ],
)
def test_db_r24_incident_is_narrated(die, said):
    play = stocked(4, 2, 2, sous=7, tiles="1 6 2 3 4 5")
    play.do("1 home no", "2 home no", "1 bake 1 0", "1 validate", "2 validate", "T sale 1")
    assert told(play.do(f"T incident {die}"))[: len(said)] == said


def test_shared_victory_names_all_winners():
    play = Play(movement="trust", box=box_with(rounds=1))
    play.do("1 home no", "2 home no", "1 validate", "2 validate", "T sale 1")
    assert told(play.do("T sale 1"))[-1] == "Ada, Bo win with the most sous"


def test_picture_shows_board_bakers_goods_and_tiles():
    play = Play(tiles="6 1 2 3 4 5")
    play.do("1 load 4")
    play.walk(5, "1,5", "1,4", "1,3", "1,2", "2,2")
    play.do("1 flour 3")
    lines = text.picture(play.view, NAMES[:2], str).splitlines()
    assert [line.strip() for line in lines[:4]] == ["#####N#####", "#.........#", "#.1.....A.#", "#.........#"]
    assert lines[10].strip() == "#####2#####"
    ada = next(line for line in lines if "Ada" in line)
    assert all(part in ada for part in ("6 sous", "3 flour", "1 sou"))
    assert any("[incident] 5/1 4/2 3/3 2/4 1/5" in line for line in lines)


def test_picture_shows_several_bakers_at_fountain():
    play = Play(4)
    for way in (("1,5", "2,5", "3,5"), ("5,1", "5,2", "5,3"), ("9,5", "8,5", "7,5"), ("5,9", "5,8", "5,7")):
        play.turn(4, *(f"step {place}" for place in (*way, "fountain")))
    board = "".join(text.picture(play.view, NAMES, str).splitlines()[:11])
    assert {one for one in board if one.isdecimal()} == set("1234")
