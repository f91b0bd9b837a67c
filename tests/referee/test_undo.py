"""The house's undo: the last decision and the draws after it, confirmed if more is at stake."""

import pytest

from companion.core.move import TABLE, Move
from companion.core.replay import loads, new_from_tags, replay
from companion.core.tags import dealer_of
from tests.referee.bench import GAME, Bench, SlowScreen, timeline, timelines


@pytest.fixture
def called() -> Bench:
    """A table at which seat 0 has just got the call."""
    bench = Bench().at(1500)
    bench.buzz(0)
    return bench.at(1600)


@pytest.fixture
def turned(called) -> Bench:
    """A table at which seat 0 has declared and the next card is open."""
    called.keys(0, "0")
    return called.at(3000)


CALLED = "1500 buzz 0, 1600"
TURNED = f"{CALLED} keys 0 0, 3000"
LOST = ("1500 call 0 wrong, 4500 call 0 wrong, 7500 call 0 wrong", {"over": True})
"""The first of two players has three chips."""


@timelines(
    timeline(
        "the clock stands though the screen is slow",
        "1010 flipped @1005, 1500 buzz 0, 1600 undo, 10000",
        {"late": 0},
        "flipped @9999, 10100 buzz 1, 10200",
        {"winners": [(0,), (1,)]},
        screen=SlowScreen(),
        declare_s=3,
    ),
    timeline("no press from before it counts after it", CALLED, "undo, buzz 2 @1590, 2000", {"winners": [(0,)]}),
    timeline(
        "in a pause it leaves the match paused",
        CALLED,
        "pause undo, 5000",
        {"undone": ["T call 1"], "waits": True},
        "pause, 5100 buzz 1, 5200",
        {"winners": [(0,), (1,)]},
    ),
    timeline(
        "what waited behind a call goes too",
        "1020 buzz 2 @990, 1500 buzz 0, 1510 skip, 1520 undo, 3000",
        {"undone": ["T early 3"], "nobody": 0, "refusals house": [], "phase": "open"},
        early_buzz="chip",
        settle_ms=60,
    ),
    timeline(
        "stars that waited behind a call go too",
        "1020 buzz 2 @990, 1500 buzz 0, 1510 keys 1 *, keys 2 *, keys 0 *, 1520 undo, 3000",
        {"undone": ["T early 3"], "nobody": 0, "refusals house": [], "phase": "open"},
        early_buzz="chip",
        settle_ms=60,
    ),
    timeline(
        "a press whose judging it cuts short",
        "1020 buzz 2 @990, 1500 buzz 0, 1510 undo, 1700",
        {"undone": ["T early 3"], "chips": (0, 0, 0)},
        early_buzz="chip",
        settle_ms=60,
    ),
    timeline(
        "nothing is there before the first decision",
        "1500 undo",
        {"refusals house": ["there is nothing to undo"], "length": 8},
    ),
    timeline(
        "every real card laid can be taken back",
        "undo",
        {"refusals house": ["there is nothing to undo"]},
        "starters, undo ok",
        {"undone": ["T starter 6 pink telephone"]},
        "table starter 6 sky car",
        {"phase": "ready"},
        deal="table",
        open="ok",
    ),
    timeline(
        "the end can be taken back",
        *LOST,
        "undo",
        {"over": False, "chips": (2, 0)},
        "keys 0 wrong",
        {"over": True},
        seats=2,
    ),
)
def test_undo_restores_the_position_before(steps, options):
    Bench(**options).follow(*steps)


def test_undone_call_reopens_its_card_at_once(called):
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


def test_undo_of_decision_and_card_needs_ok(turned):
    moves = turned.match.moves
    turned.house("undo")
    asked = turned.of("undo_asked")[0]
    assert [text.split()[:2] for text in asked.facts["moves"]] == [["1", "declare"], ["T", "flip"]]
    assert turned.match.moves == moves
    assert turned.referee.pauses
    turned.at(9000)
    turned.house("ok")
    assert turned.match.moves == moves[:-2]
    assert turned.of("undone")[0].facts == {"moves": asked.facts["moves"], "revealed": True}
    assert not turned.referee.pauses
    assert turned.view.phase == "locked"


# --- Redraws --------------------------------------------------------------------------------------------------


def test_dealer_deals_the_same_card_again(turned):
    card = turned.view.card
    turned.house("undo", "ok")
    turned.keys(0, "0")
    turned.at(6000)
    assert turned.view.card == card
    assert [told.facts for told in turned.of("redrawn")] == [{"same": True}]


def test_other_decisions_bring_another_card(turned):
    card = turned.view.card
    turned.house("undo", "ok", "undo")
    turned.at(4000)
    turned.house("skip")
    turned.at(6000)
    assert turned.view.card != card
    assert [told.facts for told in turned.of("redrawn")] == [{"same": False}]


def test_returning_to_the_first_decision_restores_its_card(turned):
    card = turned.view.card
    turned.house("undo", "ok")
    turned.keys(0, "1")
    turned.at(6000)
    other = turned.view.card
    turned.house("undo", "ok")
    turned.keys(0, "0")
    turned.at(9000)
    assert turned.view.card == card
    turned.house("undo", "ok")
    turned.keys(0, "1")
    turned.at(12_000)
    assert turned.view.card == other
    assert [told.facts["same"] for told in turned.of("redrawn")] == [False, True, True]


def test_match_without_undo_reports_no_redraw(turned):
    assert turned.of("redrawn") == []


def test_draw_beyond_the_undone_ones_is_new(turned):
    turned.house("undo", "ok")
    turned.keys(0, "0")
    turned.at(4000)
    turned.call(1, 0)
    turned.at(6000)
    assert len(turned.of("redrawn")) == 1


def test_record_with_undone_lines_is_checked_by_seed(turned):
    turned.house("undo", "ok", "undo")
    turned.at(4000)
    turned.house("skip")
    turned.at(6000)
    turned.call(1, 0)
    turned.at(9000)
    again = new_from_tags(turned.match.tags, {"buntherum": GAME})
    dealer, draws = dealer_of(again), 0
    for entry in turned.match.entries:
        draw, choices = again.next_draw, GAME.rules.draws(again.state)
        replay(again, entry)
        if entry.kind == "move" and again.is_draw(again.moves[-1]):
            assert dealer.choose(draw.number, choices, draw.again) == again.moves[-1]
            draws += 1
    assert draws == 11
    assert again.dumps() == turned.match.dumps()


# --- Confirmation ---------------------------------------------------------------------------------------------


@timelines(
    timeline(
        "the answer of another seat",
        "starters, table flip sky car, 500 call 1 4, undo",
        {"undone": ["2 declare 4"]},
        "undo",
        {"undone": ["2 declare 4", "T call 2"]},
        "undo",
        {"undone": ["2 declare 4", "T call 2"], "asked": ["T flip sky car"]},
        deal="table",
        open="ok",
    ),
    timeline("a second undo withdraws", TURNED, "undo undo", {"waits": False}, "undo", {"undo_asked": 2}),
    timeline(
        "a call judged meanwhile opens no card",
        TURNED,
        "buzz 1, undo, 3500",
        {"winners": [(0,), (1,)], "visible_ms": [1000, 2600]},
    ),
    timeline(
        "presses meanwhile are no calls",
        TURNED,
        "undo, 3100 buzz 1, 3300 undo, 4000",
        {"winners": [(0,)]},
    ),
    timeline(
        "no clock runs meanwhile",
        "1500 skip, 3000 undo",
        {"undo_asked": 1},
        "60000",
        {"nobody": 1},
        "undo, 70000",
        {"nobody": 2},
        nobody_after_s=5,
    ),
)
def test_undo_waits_for_confirmation_by_the_house(steps, options):
    Bench(**options).follow(*steps)


@pytest.mark.parametrize("control", ["undo", "pause", "skip", "right", "menu"])
def test_any_other_control_cancels_the_undo(turned, control):
    moves = turned.match.moves
    turned.house("undo", control)
    assert turned.of("undone") == []
    turned.house("ok")
    assert turned.match.moves[: len(moves)] == moves
    assert turned.of("undone") == []


def test_verdict_during_the_confirmation_cancels_the_undo(turned):
    # Seat 1's call is judged before the confirmation; it must not be taken back instead.
    turned.buzz(1)
    turned.house("undo")
    turned.at(3500)
    turned.house("ok")
    assert turned.of("undo_asked")
    assert turned.match.moves[-1].verb == "call"
    assert turned.of("undone") == []


def test_undo_is_an_entry_and_erases_nothing(turned):
    before = list(turned.match.entries)
    turned.house("undo", "ok")
    assert turned.match.entries[: len(before)] == before
    assert [(entry.kind, entry.number) for entry in turned.match.entries[len(before) :]] == [("undo", 2)]


def test_undo_restores_the_lamps(called):
    assert called.devices.lamps[0] == "on"
    called.house("undo")
    assert called.devices.lamps == ["off"] * 3


# --- Until somebody presses something -------------------------------------------------------------------------


@timelines(
    timeline(
        "the limit of a declaration",
        "1500 call 0 0, undo",
        {"phase": "locked"},
        "60000",
        {"late": 0},
        "keys 1 5, 60799",  # anybody, anything
        {"late": 0},
        "60910",
        {"late": 1},
        declare_s=3,
    ),
    timeline(
        "the press that ends it is in time",
        "1500 call 0 0, undo, 60000 keys 0 0",
        {"refusals 0": [], "declare": 2},
        declare_s=3,
    ),
    timeline(
        "the limit of a card",
        "1500 buzz 0, 1600 undo, 60000",
        {"nobody": 0},
        "keys 1 5, 66000",
        {"nobody": 1},
        nobody_after_s=5,
    ),
    timeline(
        "the dealer",
        "1500 skip, 1900 buzz 2, 2000",
        {"early": 1},
        "undo",
        {"undone": ["T early 3"]},
        "60000",
        {"flip": 1},
        "keys 0 5, 62000",
        {"flip_ms": [1000, 60_510]},
        early_buzz="chip",
    ),
    timeline(
        "a device that comes back ends nothing",
        "1500 call 0 0, undo, unplug 1, plug 1, 60000",
        {"late": 0},
        declare_s=3,
    ),
)
def test_clocks_wait_for_a_press_after_an_undo(steps, options):
    Bench(**options).follow(*steps)


@pytest.mark.parametrize("reported_ms", [1599, 1601, 1609])
@pytest.mark.parametrize("control", ["buzzer", "key"])
def test_earlier_press_does_not_end_the_wait(reported_ms, control):
    bench = Bench(nobody_after_s=2).at(1500)
    bench.buzz(0)

    def press() -> None:
        if control == "key":
            bench.keys(1, "5", stamped_ms=1599)
        else:
            bench.buzz(1, stamped_ms=1599)

    bench.happens((reported_ms, press), (1600, lambda: bench.house("undo")))
    bench.at(9000)
    assert bench.of("nobody") == []
    bench.keys(2, "5")
    bench.at(12_000)
    assert len(bench.of("nobody")) == 1


@pytest.mark.parametrize("reported_ms", [1700, 1703, 1709])
@pytest.mark.parametrize(("stamped_ms", "ends"), [(1699, True), (1702, False)])
def test_press_before_a_pause_ends_the_wait(reported_ms, stamped_ms, ends):
    bench = Bench(nobody_after_s=2).at(1500)
    bench.buzz(0)
    bench.at(1600).house("undo")
    bench.happens(
        (1701, lambda: bench.devices.unplug(2)),
        (1704, lambda: bench.devices.plug(2)),
        (max(reported_ms, stamped_ms), lambda: bench.keys(1, "5", stamped_ms=stamped_ms)),
    )
    bench.at(5000)
    assert len(bench.of("nobody")) == ends


def test_end_of_a_pause_ends_the_wait(called):
    called.house("undo", "pause", "pause")
    assert not called.referee.pacing.held


# --- Late reports ---------------------------------------------------------------------------------------------


def all_of(bench: Bench) -> tuple[list[str], list[str]]:
    """Return the moves in force, and those taken back."""
    return [*map(str, bench.match.moves)], [text for told in bench.of("undone") for text in told.facts["moves"]]


@pytest.mark.parametrize("reported_ms", [1500, 1530, 1555, 1559])
@pytest.mark.parametrize(
    ("undo_ms", "undone"),
    [(1559.5, "T early 3"), (1560, "T call 1"), (1562, "T call 1"), (1600, "T call 1"), (1700, "T call 1")],
)
def test_lateness_does_not_change_which_call_is_undone(reported_ms, undo_ms, undone):
    bench = Bench(early_buzz="chip", settle_ms=60).at(1020)
    bench.buzz(2, stamped_ms=990)
    bench.happens((reported_ms, lambda: bench.buzz(0, stamped_ms=1500)), (undo_ms, lambda: bench.house("undo")))
    bench.at(1800)
    assert all_of(bench)[1] == [undone]
    assert (bench.view.phase, bench.chips()) == ("open", (0, 0, int(undone != "T early 3")))
    assert bench.of("late_report") == []


@pytest.mark.parametrize("reported_ms", [1502, 1512, 1530])
def test_press_before_an_undo_does_not_call_afterwards(reported_ms):
    bench = Bench(early_buzz="chip", settle_ms=60).at(1020)
    bench.buzz(2, stamped_ms=990)
    bench.happens((reported_ms, lambda: bench.buzz(0, stamped_ms=1502)), (1510, lambda: bench.house("undo")))
    bench.at(1800)
    assert all_of(bench)[1] == ["T early 3"]
    assert (bench.winners(), bench.of("false_start")[1:]) == ([], [])


@pytest.mark.parametrize("reported_ms", [3000, 3030, 3055])
@pytest.mark.parametrize("ok_ms", [3040, 3059, 3061, 3080, 3100, 3150])
def test_undo_confirmation_does_not_depend_on_lateness(reported_ms, ok_ms):
    bench = Bench(settle_ms=60).at(1500)
    bench.house("skip")
    bench.happens(
        (reported_ms, lambda: bench.buzz(0, stamped_ms=3000)),
        (3010, lambda: bench.house("undo")),
        (ok_ms, lambda: bench.house("ok")),
    )
    bench.at(3400)
    undone = [moves.split()[1] for moves in all_of(bench)[1]]
    assert undone == (["nobody", "flip"] if ok_ms < 3060 else [])
    assert bench.winners() == ([] if undone else [(0,)])


@pytest.mark.parametrize("reported_ms", [2400, 2409, 2420, 2459])
@pytest.mark.parametrize("undo_ms", [2410, 2464.9, 2465, 2510])
def test_unseen_chip_is_undone_with_the_move_before(reported_ms, undo_ms):
    """The house has not seen the chip."""
    bench = Bench(early_buzz="chip", settle_ms=60).at(1500)
    bench.house("skip")
    bench.happens((reported_ms, lambda: bench.buzz(2, stamped_ms=2400)), (undo_ms, lambda: bench.house("undo")))
    bench.at(2515)
    assert bench.chips() == (0, 0, 0)
    undone = set(all_of(bench)[1])
    assert undone - {"T early 3"} == (set() if undo_ms >= 2465 else {"T nobody"})
    assert bench.view.phase == ("ready" if undo_ms >= 2465 else "open")


@pytest.mark.parametrize("reported_ms", [2555, 2570, 2590, 2614])
@pytest.mark.parametrize("ok_ms", [2585, 2600, 2613, 2650])
def test_undo_confirmation_survives_a_late_reported_chip(reported_ms, ok_ms):
    bench = Bench(early_buzz="chip", settle_ms=60).at(1500)
    bench.house("skip")  # the next card is turned at 2560
    bench.happens(
        (reported_ms, lambda: bench.buzz(2, stamped_ms=2555)),
        (2580, lambda: bench.house("undo")),
        (ok_ms, lambda: bench.house("ok")),
    )
    bench.at(2700)
    assert [text.split()[1] for text in all_of(bench)[1] if text != "T early 3"] == ["nobody", "flip"]
    assert (bench.chips(), bench.view.phase) == ((0, 0, 0), "open")


@pytest.mark.parametrize("reported_ms", [1590, 1620])
def test_key_before_an_undo_does_nothing_after_it(reported_ms):
    bench = Bench(declare_s=3).at(1500)
    bench.buzz(0)
    bench.at(1550).keys(0, "0")
    bench.happens(
        (reported_ms, lambda: bench.keys(0, "4", stamped_ms=1590)),
        (1610, lambda: bench.house("undo")),
    )
    assert [move.verb for move in bench.match.moves[-2:]] == ["flip", "call"]
    assert len(bench.refusals(0)) == 1
    bench.keys(0, "4")
    assert bench.match.moves[-1].args == (4,)


# --- Overruled verdicts ---------------------------------------------------------------------------------------


def at_the_verdict(**rulings) -> Bench:
    """Return a table at which seat 0 has the call."""
    bench = Bench(**rulings).at(1500)
    bench.buzz(0)
    return bench.at(1600)


@timelines(
    timeline(
        "not by the same verdict",
        CALLED,
        "keys 0 right, right",
        {"refusals house": ["right does nothing now; the house can use: wrong, undo, pause"], "amended": 0},
    ),
    timeline(
        "only while it is the last thing",
        CALLED,
        "keys 0 right, 3000",
        {"phase": "open"},
        "wrong",
        {"refusals house": ["wrong does nothing now; the house can use: skip, undo, pause"], "amended": 0},
    ),
    timeline(
        "that of its caller in direct calls",
        "1500 keys 1 right, 1600 wrong",
        {"chips": (0, 1, 0)},
        call_input="direct",
    ),
    timeline("that which ends a match", *LOST, "undo, keys 0 right, wrong", {"over": True}, seats=2),
)
def test_house_overrules_a_verdict(steps, options):
    Bench(**options).follow(*steps)


def test_wrong_overrules_right_at_once():
    bench = at_the_verdict()
    bench.keys(0, str(bench.right_row()))
    assert bench.view.chips == (0, 0, 0)
    bench.house("wrong")
    assert bench.chips() == (1, 0, 0)
    assert [entry.kind for entry in bench.match.entries[-2:]] == ["move", "amend"]
    (amended,) = bench.of("amended")
    assert amended.facts["number"] == bench.match.length
    again = loads(bench.match.dumps(), {"buntherum": GAME})
    assert again.state == bench.match.state


def test_right_overrules_wrong_at_once():
    bench = Bench(deal="table", open="ok")
    bench.lay_starters()
    bench.table_move("flip pink car")  # which fits nowhere
    bench.at(500)
    bench.call(0, 3)
    assert bench.chips() == (1, 0, 0)
    bench.house("right")
    assert bench.chips() == (0, 0, 0)
    assert bench.match.moves[-1] == Move(TABLE, "judge", (3, 1))


@pytest.mark.parametrize("said", ["right", "wrong"])
def test_bh_r9_overruled_declaration_stays_in_the_record(said):
    bench = at_the_verdict()
    row = bench.wrong_row() if said == "right" else bench.right_row()
    bench.keys(0, str(row))
    bench.house(said)
    assert [str(entry).partition(" {")[0] for entry in bench.match.entries[-2:]] == [
        f"{bench.match.length}. 1 declare {row}",
        f"amend {bench.match.length}. T judge {row} {said}",
    ]
    bench.house("right" if said == "wrong" else "wrong")
    assert bench.chips() == ((0, 0, 0) if said == "wrong" else (1, 0, 0))
    assert loads(bench.match.dumps(), {"buntherum": GAME}).state == bench.match.state


@pytest.fixture
def one_card_left() -> Bench:
    """A match of two with real cards; seat 1 has one card left."""
    bench = Bench(2, deal="table", open="at_once", judged_by="cards")
    bench.lay_starters()
    for _ in range(12):
        bench.at(bench.now_ms + 2000)
        bench.call(1, 0)
        bench.house("right")
    assert bench.at(bench.now_ms + 2000).view.piles[1] == 1
    return bench


def test_bh_r9_wrong_ends_a_match_that_continued():
    bench = Bench(2, deal="table", open="at_once")
    bench.lay_starters()
    for card in ("pink car", "pink flower", "sky car"):
        bench.at(bench.now_ms + 2000)
        bench.table_move(f"card {card}")
        bench.call(1, 1)
    bench.at(bench.now_ms + 2000)
    assert (bench.chips(), bench.match.move_text(bench.match.length)) == ((0, 2), "T flip ??")
    bench.house("wrong")
    assert bench.referee.over
    assert bench.match.outcome.winners == (0,)
    assert loads(bench.match.dumps(), {"buntherum": GAME}).state == bench.match.state


def test_bh_r9_right_ends_a_match_that_continued(one_card_left):
    bench = one_card_left
    bench.table_move("card pink flower")
    bench.call(1, 1)
    bench.at(bench.now_ms + 2000)
    assert (bench.chips(), bench.referee.over) == ((0, 1), False)
    bench.house("right")
    assert bench.referee.over
    assert bench.match.outcome.winners == (1,)
    bench.house("undo", "ok")
    assert not bench.referee.over


@pytest.mark.parametrize("said", ["wrong", "right"])
def test_house_overrules_a_verdict_by_keyed_card(said):
    """The card is then unknown, and none is invented."""
    bench = Bench(deal="table", open="ok")
    bench.lay_starters()
    bench.house("ok")
    bench.at(500)
    bench.call(0, 1)
    assert bench.view.phase == "judge"
    bench.table_move("card red car" if said == "wrong" else "card pink car")
    assert bench.chips() == ((0, 0, 0) if said == "wrong" else (1, 0, 0))
    bench.house(said)
    assert bench.chips() == ((1, 0, 0) if said == "wrong" else (0, 0, 0))
    assert bench.match.moves[-1] == Move(TABLE, "judge", (int(said == "right"),))
