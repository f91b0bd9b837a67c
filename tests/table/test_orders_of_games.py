"""The piece tasks of each game, and what waits for them."""

from pathlib import Path

import pytest

from companion.core.console import BUZZ
from companion.core.move import Seat
from companion.display.frame import Result
from companion.match.seat_lines import tell_seat
from tests.host_bench import STARTERS, Bench, ended, orders

pytestmark = pytest.mark.usefixtures("fixed_secrets")


def seated(folder: Path, game: str, people: int) -> Bench:
    bench = Bench(folder, game=game, deal="table")
    bench.sit(people, "Start")
    return bench


def race(folder: Path) -> Bench:
    """Return Böse Buben after the race of BB-E3 in lane 1, ended by the fourth card."""
    bench = seated(folder, "boese_buben", 2)
    bench.house("1")
    assert orders(bench) == ["3 lanes. Each: 12 cards, 6 ducats"] * 2
    bench.answer(1, "#")
    assert orders(bench) == ["", ""]
    for number, card in enumerate("012345"):
        bench.answer(number % 2, card, "1")
        if number < 3:
            assert orders(bench) == ["", ""], "who keys a card lays it"
        else:
            who, mover = bench.match.names[number % 2 - 1], number % 2
            assert orders(bench)[mover] == f"Move {who}'s {number - 3} into the mud of lane 1"
            assert orders(bench)[1 - mover] == ""
            bench.answer(mover, "#")
    bench.answer(0, "6", "1")
    return bench


def test_pusher_moves_the_card_and_race_pays_once(tmp_path: Path) -> None:
    bench = race(tmp_path)
    names = bench.match.names
    assert orders(bench) == [f"Move {names[1]}'s 3 into the mud of lane 1", ""]
    bench.answer(0, "1")
    assert bench.match.moves[-1].verb == "play", "the first question waits for hands that are not free"
    bench.answer(0, "#")
    assert orders(bench)[0] == "Take an MC card. Take 3 ducats"
    bench.answer(0, BUZZ)
    assert orders(bench) == ["", ""]


def test_bought_card_is_paid_and_the_rest_removed(tmp_path: Path) -> None:
    bench = race(tmp_path)
    bench.house("ok")
    bench.answer(0, "1")
    assert orders(bench) == ["Take back 0 from lane 1", ""]
    bench.answer(1, "1")
    assert orders(bench) == ["Take back 0 from lane 1", "Pay 1 ducat, take back 1 from lane 1"]
    bench.answer(0, "#", "0")
    bench.answer(1, "#", "0")
    assert orders(bench) == ["Take cards left in the mud out of the game"] * 2
    bench.answer(0, "#")
    assert bench.view.race == 2


def test_mud_is_cleared_after_everybody_has_bought_back(tmp_path: Path) -> None:
    bench = race(tmp_path)
    bench.house("ok")
    bench.answer(0, "0")
    bench.answer(1, "1")
    bench.answer(0, "0")
    bench.answer(1, "#", "1")
    assert bench.view.race == 2
    assert orders(bench)[1] == "Pay 2 ducats, take back 3 from lane 1"
    assert bench.host.session is not None
    assert str(tell_seat(bench.host.session.moment(), Seat(0)).prompt) == "Wait until all pieces are moved"
    bench.answer(0, "6")
    assert str(bench.host.session.refused[Seat(0)]) == "Wait until all pieces are moved"
    bench.wait(60)
    assert [side.tone for side in bench.frame.sides] == ["", "nudge"], "seat 2 alone is waited for"
    bench.answer(1, "#")
    assert orders(bench) == ["Take cards left in the mud out of the game"] * 2
    bench.answer(0, "#")
    assert orders(bench) == ["", ""]


def test_person_moves_a_robots_pieces(tmp_path: Path) -> None:
    bench = Bench(tmp_path, game="boese_buben", deal="table")
    bench.answer(0, BUZZ, "C", "#")
    bench.take("Start")
    bench.house("2")
    bench.answer(0, "#")
    shown = f"{bench.match.names[1]}: Arrange the pieces as on the screen"
    bench.wait(30)
    assert orders(bench)[0] == shown, "nobody else has hands to make what it keys"
    bench.answer(0, "#", "0", "1")
    assert orders(bench)[0] == "", "a person has made that"
    bench.wait(30)
    assert orders(bench)[0] == shown


def test_baker_gets_tasks_for_sale_and_way_home(tmp_path: Path) -> None:
    bench = seated(tmp_path, "de_et_boulanger", 2)
    bench.answer(0, "8", *"A#")
    assert orders(bench) == ["", "Your bakery is S: put your baker there"]
    bench.answer(1, "#", *"A#")
    bench.house("6", "5")
    assert bench.view.order[0] == 0
    bench.answer(0, "D")
    bench.answer(1, "6", "8")
    bench.answer(1, "#")
    while bench.view.phase == "move":
        bench.answer(1, "6" if not bench.view.die else "#")
    assert orders(bench) == ["", "Carry your baker home"]
    bench.answer(1, "#")
    for place in (0, 1):
        bench.answer(place, "#", "#")
    assert bench.view.phase == "sale"
    bench.answer(0, "5")
    assert orders(bench) == ["Move your marker to tile incident", ""]
    bench.answer(0, "1")
    assert bench.view.die == 5, "the die of the incident waits"
    bench.answer(0, "#", "1")
    assert orders(bench) == ["Remove tile incident, marker to 5/1", ""]


def test_result_waits_for_the_last_piece(tmp_path: Path) -> None:
    bench = seated(tmp_path, "buntherum", 2)
    bench.house(*STARTERS)
    assert orders(bench) == ["13 cards each, 26 in the draw pile", "Next: the draw pile"]
    for _ in range(3):
        bench.house("ok")
        bench.answer(0, BUZZ, "1")
        assert bench.match.moves[-1].verb == "declare", "no order keeps anybody from calling, or from his row"
        bench.house("wrong")
    assert orders(bench) == ["Card under the draw pile, take a chip", ""]
    assert bench.match.outcome
    bench.wait(600)
    assert not isinstance(bench.screen, Result)
    assert [side.tone for side in bench.frame.sides] == ["nudge", ""], "everybody waits for that one"
    bench.answer(0, "#")
    assert orders(bench) == ["You are out: cards aside, chips back", ""]
    bench.answer(0, "#")
    assert ended(bench)


def test_resumed_match_orders_the_whole_setup(tmp_path: Path) -> None:
    race(tmp_path).host.close()
    again = Bench(tmp_path)
    again.take("Resume it")
    assert orders(again) == ["", ""], "it is paused"
    again.take("Go on")
    assert orders(again) == ["Arrange the pieces as on the screen"] * 2
    again.answer(1, "#")
    assert orders(again) == ["", ""]


def test_corrected_move_renews_its_piece_task(tmp_path: Path) -> None:
    bench = seated(tmp_path, "buntherum", 3)
    bench.house(*STARTERS, "ok")
    bench.press(0, BUZZ, "1")
    bench.house("7", "2")  # a red car
    assert orders(bench) == ["Lay the card in row 1. Next: your pile", "", ""]
    bench.answer(0, "#")
    bench.correct()
    bench.answer(0, "1")
    bench.house("7", "1")  # a green one, and green is there
    bench.take("Go on")
    assert orders(bench) == ["Card under the draw pile, take a chip", *["Arrange the pieces as on the screen"] * 2]


def test_strip_of_an_armed_card_says_buzzer_calls(tmp_path: Path) -> None:
    bench = seated(tmp_path, "buntherum", 3)
    bench.house(*STARTERS, "ok")
    bench.press(0, BUZZ, "1")
    bench.house("7", "2")
    assert bench.frame.sides[0].note == "Lay the card in row 1. Next: your pile. #: done"
    bench.wait(2)
    assert bench.frame.sides[0].note == "Lay the card in row 1. Next: your pile. Buzzer: call"
    bench.press(0, "#")
    assert bench.frame.sides[0].note == "The red car goes to row 1"
