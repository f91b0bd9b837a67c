"""Piece tasks with real cards, on the strips until they are confirmed."""

from pathlib import Path

import pytest

from companion.core.console import BUZZ, Lamp
from companion.core.match import Match
from companion.core.move import TABLE, Move, Seat
from companion.display.frame import HousePlace, Play, Side
from companion.games import load
from companion.games.buro_crazy.rules import Phase
from companion.match.new_match import NAMES, new_match
from companion.match.seat_lines import tell_seat
from tests.host_bench import Bench, orders

OFFICE = load("buro_crazy")

pytestmark = pytest.mark.usefixtures("fixed_secrets")

FIRST = "first move the pieces, then # or the buzzer"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Büro Crazy between three people with real cards, with figures placed."""
    bench = Bench(tmp_path, game="buro_crazy", deal="table")
    bench.sit(3, "Start")
    bench.house(*"123123123123123#")
    return bench


def strip(bench: Bench, seat: int) -> Side:
    return bench.frame.sides[seat]


def place_of(bench: Bench) -> HousePlace | None:
    assert isinstance(bench.screen, Play)
    return bench.screen.house


def bids(bench: Bench, one: str, other: str) -> None:
    """Confirm the setup, let two seats bid, and wait for the reveal."""
    bench.answer(0, BUZZ, BUZZ)
    bench.answer(0, *one, "#")
    bench.answer(1, *other, "#")
    assert orders(bench) == ["", "", ""], "nothing before it can be seen"
    assert bench.until(lambda: revealed(bench), 20)


def revealed(bench: Bench) -> bool:
    return isinstance(bench.screen, Play) and bench.view.last is not None and any(orders(bench))


def test_first_player_to_confirm_completes_a_shared_task(bench: Bench) -> None:
    # Both tasks together do not fit a strip.
    assert orders(bench) == ["Figures and kitchen as on the screen"] * 3
    bench.answer(2, "#")
    assert orders(bench) == ["Each takes 20 cards worth 152"] * 3
    bench.answer(2, "#")
    assert orders(bench) == ["", "", ""]
    assert strip(bench, 0).note == "Keys 1-5 add 1, 2, 5, 10, 20. # locks it in"


def test_second_confirmation_is_not_read_as_a_bid(bench: Bench) -> None:
    bench.answer(0, "#", "#")
    bench.answer(1, "#")
    assert not bench.match.view().locked, "it meant the order that has gone"
    bench.answer(1, "#")
    assert bench.match.view().locked == (1,)


def test_second_confirmation_does_not_complete_the_next_task(bench: Bench) -> None:
    bench.answer(0, "#")
    then = orders(bench)[1]
    bench.answer(1, "#")
    assert orders(bench)[1] == then != ""


def test_later_press_answers_the_next_question(bench: Bench) -> None:
    bench.answer(0, "#", "#")
    bench.wait(2)
    bench.answer(1, "#")
    assert bench.match.view().locked == (1,)


def test_player_completes_their_task_before_the_next_question(bench: Bench) -> None:
    bids(bench, "5", "1")
    assert orders(bench) == ["Move up to G1. Lay your bid on the roof", "Take 10 5 2x2", ""]
    bench.answer(1, "5")
    assert bench.frame.panels[1].lines[0] == "Take 10 5 2x2. #: done"
    assert str(bench.host.session.refused[1]) == FIRST
    bench.answer(1, BUZZ)
    assert (orders(bench)[0] != "", orders(bench)[1]) == (True, "")
    bench.wait(600)
    assert orders(bench)[0] != "", "it waits as long as it takes"
    bench.house("ok")
    assert orders(bench)[0] == ""


def test_forgotten_task_is_repeated_as_a_reminder(bench: Bench) -> None:
    bids(bench, "5", "1")
    bench.wait(600)
    assert [strip(bench, seat).tone for seat in range(2)] == ["nudge", "nudge"]
    bench.answer(0, "#")
    assert [strip(bench, seat).tone for seat in range(2)] == ["", ""]
    bench.wait(600)
    assert strip(bench, 1).tone == "nudge"


def test_only_their_owner_sees_which_cards_are_lost(bench: Bench) -> None:
    bids(bench, "43", "4221")
    assert orders(bench)[0] == "Pay 8 to the roof: 3 cards"
    own = [str(tell_seat(bench.host.session.moment(), seat).private) for seat in range(3)]
    assert own[:2] == ["Lay 5 2 1 on the roof", "Lay 3x2 2x1 on the roof"]
    assert "roof" not in own[2]
    shown = repr((bench.frame.screen, bench.frame.sides))
    assert not any(cards in shown for cards in ("5 2 1", "3x2")), "nobody else is told which"
    for place in range(3):
        bench.answer(place, BUZZ)
    assert orders(bench)[0] == orders(bench)[1] == ""


def test_undo_orders_the_pieces_to_be_put_back(bench: Bench) -> None:
    bench.house("undo", "ok", "ok")
    assert orders(bench) == ["Arrange the pieces as on the screen"] * 3
    bench.answer(1, "#")
    assert orders(bench) == ["", "", ""]


def begun(rulings: dict[str, object]) -> Match:
    return new_match(OFFICE, NAMES[:3], rulings=OFFICE.rulings(**rulings), deal="table")


def table(folder: Path, match: Match, *keys: str) -> Bench:
    """Return a table with real cards, after the house has pressed `keys`."""
    bench = Bench(folder, match=match, deal="table")
    bench.house(*keys)
    return bench


def placed(folder: Path, **rulings: object) -> Bench:
    """Return a table with its figures placed and the next tasks open."""
    return table(folder, begun(rulings), *"123123123123123#")


def last_bid(folder: Path, **rulings: object) -> tuple[Bench, Move]:
    """Return a table before the last bid, and that bid: one card against none."""
    match, rules = begun(rulings), OFFICE.rules
    match.push(rules.draws(match.state)[0])
    while rules.view(match.state, None).phase != Phase.ROOF:
        view = rules.view(match.state, None)
        seat = next(seat for seat in view.duel if seat not in view.locked)
        match.push(rules.legal(match.state, seat)[seat == view.duel[1]])
    last = match.undo()[0]
    return table(folder, match, "ok"), last


def make(bench: Bench, last: Move) -> None:
    keys = OFFICE.console.keys_for(bench.match.view(last.seat), last)
    bench.answer(last.seat, *keys)
    assert bench.until(lambda: revealed(bench), 20)
    bench.wait(10)


def dealing(bench: Bench, order: str) -> None:
    """Complete all tasks before the roof is dealt; expect only `order` next."""
    while not any("Shuffle" in order for order in orders(bench)):
        bench.answer(next(seat for seat in range(3) if orders(bench)[seat]), "#")
        bench.wait(3)
    assert orders(bench) == [order] * 3
    bench.answer(1, "#")
    assert orders(bench) == [""] * 3


def test_roof_is_dealt_once_all_cards_lie_there(tmp_path: Path) -> None:
    bench, last = last_bid(tmp_path)
    make(bench, last)
    assert any("on the roof" in order for order in orders(bench))
    assert bench.view.pile_size > 0
    dealing(bench, f"Shuffle the roof: piles of {bench.view.pile_size} as on the screen")


def test_uncounted_roof_is_dealt_into_equal_piles(tmp_path: Path) -> None:
    bench, last = last_bid(tmp_path, tracking="points")
    make(bench, last)
    dealing(bench, "Shuffle the roof: equal piles as on the screen")
    bench.house("1", "4", "#")
    dealing(bench, "Shuffle the roof: piles of 1 as on the screen")
    bench.house("8", "#")
    assert orders(bench) == [""] * 3, "of so few nobody gets any"


def test_keypads_with_reports_due_can_count_the_roof(tmp_path: Path) -> None:
    """A report that rules out further counts ends this."""
    bench, last = last_bid(tmp_path, tracking="points")
    assert bench.host.session is not None
    bench.host.session.lent.needed = True
    make(bench, last)
    assert place_of(bench) is None, "the last cards do not lie there yet"
    dealing(bench, "Shuffle the roof: equal piles as on the screen")
    asked = place_of(bench)
    assert asked is not None
    assert (asked.task, asked.hint) == ("House: how many cards on the roof?", "D: any keypad")
    bench.answer(1, "D", "1", "4")
    assert strip(bench, 1).note == "You act for the house; D: end"
    counting = place_of(bench)
    assert counting is not None
    assert (counting.keyed, counting.meaning) == ("14", "14 cards on the roof?")
    bench.answer(1, "#")
    assert bench.match.moves[-1] == Move(TABLE, "counted", (14,))
    assert place_of(bench) is None
    dealing(bench, "Shuffle the roof: piles of 1 as on the screen")
    bench.answer(1, "9")
    assert place_of(bench) is None, "it is the seat's own keypad again, and its points are its secret"
    bench.answer(2, "D", "1", "3", "#")
    assert bench.match.moves[-1] == Move(TABLE, "counted", (13,)), "as often as somebody counts anew"
    dealing(bench, "Shuffle the roof: piles of 1 as on the screen")
    bench.answer(0, *str(bench.match.view(Seat(0)).reportable[0]), "#")
    bench.answer(0, "D", "1", "2", "#")
    fewer = place_of(bench)
    assert fewer is not None
    assert fewer.refused == "12 cards: the points entered need at least 13"
    bench.answer(0, "2", "7", "#", "D")
    dealing(bench, "Shuffle the roof: piles of 3 as on the screen")


def test_first_report_ends_the_counting_of_the_roof(tmp_path: Path) -> None:
    bench, last = last_bid(tmp_path, tracking="points")
    make(bench, last)
    dealing(bench, "Shuffle the roof: equal piles as on the screen")
    assert place_of(bench) is not None
    bench.answer(0, *str(bench.match.view(Seat(0)).reportable[0]), "#")
    assert place_of(bench) is None
    bench.answer(0, "D")
    assert bench.menu.title == "The house"


@pytest.mark.parametrize("tracking", ["cards", "points"])
def test_lamps_blink_for_all_who_owe_a_report(tmp_path: Path, tracking: str) -> None:
    bench, last = last_bid(tmp_path, tracking=tracking)
    make(bench, last)
    bench.house("ok")
    assert bench.lamps[:3] == [Lamp.BLINK] * 3
    bench.answer(1, *str(bench.match.view(Seat(1)).reportable[0]), "#")
    assert bench.lamps[:3] == [Lamp.BLINK, Lamp.ON, Lamp.BLINK]


def test_handicap_is_paid_from_the_stock(tmp_path: Path) -> None:
    bench = placed(tmp_path, handicap_2=15)
    assert orders(bench)[1] == "Take 10 5 (stock)"


def test_private_screen_names_the_cards_of_a_total(tmp_path: Path) -> None:
    bench = placed(tmp_path, bid_entry="total")
    bench.house("ok")
    bench.answer(0, *"23")
    assert str(tell_seat(bench.host.session.moment(), Seat(0)).typed) == "Bid 23 (20 2 1)"
