"""The house takes decisions back: the last one and the draws after it, after a question when more is at stake."""

import pytest
from bench import Bench, SlowScreen

from companion.core.move import TABLE, Move


@pytest.fixture
def called() -> Bench:
    """Return a table at which seat 0 has just got the call."""
    bench = Bench().at(1500)
    bench.buzz(0)
    return bench.at(1600)


@pytest.fixture
def turned(called) -> Bench:
    """Return a table at which seat 0 has declared and the next card is open."""
    called.keys(0, "0")
    return called.at(3000)


def test_a_call_is_taken_back_at_once_and_its_card_is_open_again(called):
    card, length = called.view.card, called.match.length
    called.house("undo")
    assert called.match.length == length - 1
    assert (called.view.phase, called.view.card) == ("open", card)
    assert called.of("undo_asked") == []
    assert called.of("undone")[0].facts == {"moves": ["T call 1"], "revealed": False}
    assert called.times("visible") == [1000, 1600]
    called.at(2000)
    called.buzz(2)
    called.at(2100)
    assert called.winners() == [(0,), (2,)]


def test_the_clock_of_what_was_taken_back_stands_though_the_screen_is_slow():
    bench = Bench(screen=SlowScreen(), declare_s=3).at(1010)
    SlowScreen.flipped(bench, stamped_ms=1005)
    bench.at(1500)
    bench.buzz(0)
    bench.at(1600)
    bench.house("undo")
    bench.at(10_000)
    assert bench.of("late") == []
    SlowScreen.flipped(bench, stamped_ms=9999)
    bench.at(10_100)
    bench.buzz(1)
    bench.at(10_200)
    assert bench.winners() == [(0,), (1,)]


def test_a_press_from_before_the_undo_does_not_count_after_it(called):
    called.house("undo")
    called.buzz(2, stamped_ms=1590)
    called.at(2000)
    assert called.winners() == [(0,)]


def test_a_decision_and_the_card_after_it_need_ok(turned):
    moves = turned.match.moves
    turned.house("undo")
    asked = turned.of("undo_asked")[0]
    assert [text.split()[:2] for text in asked.facts["moves"]] == [["1", "declare"], ["T", "flip"]]
    assert turned.match.moves == moves
    assert turned.referee.paused
    turned.at(9000)
    turned.house("ok")
    assert turned.match.moves == moves[:-2]
    assert turned.of("undone")[0].facts == {"moves": asked.facts["moves"], "revealed": True}
    assert not turned.referee.paused
    assert turned.view.phase == "locked"


def test_the_dealer_deals_the_same_card_again(turned):
    card = turned.view.card
    turned.house("undo", "ok")
    turned.keys(0, "0")
    turned.at(6000)
    assert turned.view.card == card


def test_the_same_card_comes_though_another_way_leads_to_it(turned):
    card = turned.view.card
    turned.house("undo", "ok", "undo")
    turned.at(4000)
    turned.house("skip")
    turned.at(6000)
    assert turned.view.card == card


def test_the_answer_of_another_seat_needs_ok():
    bench = Bench(deal="table")
    bench.lay_starters()
    bench.table_move("flip sky car")
    bench.at(500)
    bench.call(1, 4)
    bench.house("undo")
    assert bench.of("undone")[0].facts["moves"] == ["2 declare 4"]
    bench.house("undo")
    assert bench.of("undone")[1].facts["moves"] == ["T call 2"]
    bench.house("undo")
    assert bench.of("undo_asked")[0].facts["moves"] == ["T flip sky car"]


@pytest.mark.parametrize("control", ["undo", "pause", "skip", "right", "menu"])
def test_any_other_control_drops_the_request(turned, control):
    moves = turned.match.moves
    turned.house("undo", control)
    assert turned.of("undone") == []
    turned.house("ok")
    assert turned.match.moves[: len(moves)] == moves
    assert turned.of("undone") == []


def test_two_undos_are_a_request_and_its_withdrawal(turned):
    turned.house("undo", "undo")
    assert not turned.referee.paused
    turned.house("undo")
    assert len(turned.of("undo_asked")) == 2


def test_what_is_taken_back_is_what_was_asked(turned):
    # Seat 1's call is being judged while the house is asked: it must not be taken back in place of what was said.
    turned.buzz(1)
    turned.house("undo")
    turned.at(3500)
    turned.house("ok")
    asked = turned.of("undo_asked")[-1].facts["moves"]
    assert [event.facts["moves"] for event in turned.of("undone")] in ([], [asked])


def test_a_call_that_is_judged_while_the_house_is_asked_does_not_open_the_card_again(turned):
    turned.buzz(1)
    turned.house("undo")
    turned.at(3500)
    assert turned.winners() == [(0,), (1,)]
    assert turned.times("visible") == [1000, 2600]


def test_a_press_whose_judging_an_undo_cuts_short_costs_nothing():
    bench = Bench(early_buzz="chip", settle_ms=60).at(1020)
    bench.buzz(2, stamped_ms=990)
    bench.at(1500)
    bench.buzz(0)
    bench.at(1510)
    bench.house("undo")
    bench.at(1700)
    assert bench.of("undone")[0].facts["moves"] == ["T early 3"]
    assert bench.chips() == (0, 0, 0)


def test_presses_while_the_house_is_asked_are_no_calls(turned):
    turned.house("undo")
    turned.at(3100)
    turned.buzz(1)
    turned.at(3300)
    turned.house("undo")
    turned.at(4000)
    assert len(turned.winners()) == 1


def test_no_clock_runs_while_the_house_is_asked():
    bench = Bench(nobody_after_s=5).at(1500)
    bench.house("skip")
    bench.at(3000)
    bench.house("undo")
    assert len(bench.of("undo_asked")) == 1
    bench.at(60_000)
    assert len(bench.of("nobody")) == 1
    bench.house("undo")
    bench.at(70_000)
    assert len(bench.of("nobody")) > 1


def test_there_is_nothing_to_take_back_before_the_first_decision():
    bench = Bench().at(1500)
    bench.house("undo")
    assert bench.refusals(None) == ["there is nothing to take back"]
    assert bench.match.length == 8


def test_at_a_real_table_every_card_laid_can_be_taken_back():
    bench = Bench(deal="table")
    bench.house("undo")
    assert bench.refusals(None) == ["there is nothing to take back"]
    bench.lay_starters()
    bench.house("undo", "ok")
    assert bench.of("undone")[0].facts["moves"] == ["T starter 6 pink telephone"]
    bench.table_move("starter 6 sky car")
    assert bench.view.phase == "ready"


def test_the_end_of_a_match_can_be_taken_back():
    bench = Bench(2)
    for turn in range(3):
        bench.at(1500 + 3000 * turn)
        bench.call(0, bench.wrong_row())
    assert bench.referee.over
    bench.house("undo")
    assert not bench.referee.over
    assert bench.chips() == (2, 0)
    bench.keys(0, str(bench.wrong_row()))
    assert bench.referee.over


def test_an_undo_is_an_entry_of_the_record_and_erases_nothing(turned):
    before = list(turned.match.entries)
    turned.house("undo", "ok")
    assert turned.match.entries[: len(before)] == before
    assert [(entry.kind, entry.number) for entry in turned.match.entries[len(before) :]] == [("undo", 2)]


def test_lamps_go_back_with_the_moves(called):
    assert called.devices.lamps.lamps[0] == "on"
    called.house("undo")
    assert called.devices.lamps.lamps == ["off"] * 3


def test_undo_in_a_pause_leaves_the_match_paused(called):
    called.house("pause", "undo")
    assert called.match.moves[-1] != Move(TABLE, "call", (0,))
    assert called.referee.paused
    called.at(5000)
    called.house("pause")
    called.at(5100)
    called.buzz(1)
    called.at(5200)
    assert called.winners() == [(0,), (1,)]
