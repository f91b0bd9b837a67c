"""After a call, or without one: rows, cards given up, and the house at a real table."""

import pytest

from companion.core.console import Lamp
from companion.core.move import TABLE, Move
from companion.core.signal import SeatSignal
from companion.games.buntherum.console import LEAST_MS
from tests.referee.bench import MS, Bench, timeline, timelines

CALLED_MS = 1511
"""When the call of a press at 1500 is known; LEAST_MS remain."""


def called(**options) -> Bench:
    """Return a table at which seat 0 has just got the call."""
    bench = Bench(settle_ms=10, **options).at(1500)
    bench.buzz(0)
    return bench.at(CALLED_MS)


# --- The time limit of the declaration ------------------------------------------------------------------------


@timelines(
    timeline(
        "a stamp beyond it is late",
        "1500 buzz 0, 2412 keys 0 4 @2411.001, 2500",
        {"declare": 0, "refusals 0": ["too late"], "late": [0]},
    ),
    timeline("perhaps in time counts", "1500 buzz 0, 2415 keys 0 4 @2414 ~3", {"declare": 1}),
    timeline(
        "nobody is late before its last report",
        "1500 buzz 0, 2420.999",
        {"late": 0},
        "2421",
        {"late": 1},
    ),
    timeline(
        "before the call is judged counts after it",
        "1500 buzz 1, 1505 keys 1 3, 1700",
        {"winners": [(1,)], "declare": 1, "refusals 1": []},
        settle_ms=30,
    ),
)
def test_row_must_be_keyed_within_the_limit(steps, options):
    Bench(**options).follow(*steps)


def test_late_reported_key_within_the_limit_counts():
    bench = called()
    limit_ms = CALLED_MS + LEAST_MS
    bench.at(limit_ms + 9.999)
    bench.keys(0, "4", stamped_ms=limit_ms)
    assert bench.of("declare")[0].facts["row"] == 4
    assert bench.evidence("declare").t_ns == limit_ms * MS


@pytest.mark.parametrize(("late_declare", "chips"), [("chip", 1), ("skip", 0)])
def test_call_without_a_row_costs_by_ruling(late_declare, chips):
    bench = called(late_declare=late_declare).at(6000)
    assert bench.chips() == (chips, 0, 0)
    assert bench.match.moves[8:10] == (Move(TABLE, "call", (0,)), Move(TABLE, "late"))
    assert bench.times("flip") == [1000, 3421]


def test_only_the_caller_declares_and_only_rows():
    bench = called()
    bench.keys(1, "4")
    bench.keys(0, "78A*#")
    assert bench.of("declare") == []
    assert (bench.refusals(1), len(bench.refusals(0))) == (["Seat 1 has the call: only the first counts"], 5)
    bench.keys(0, "4")
    assert bench.of("declare")[0].seat == 0


def test_first_declaration_counts():
    bench = called()
    bench.keys(0, "45")
    assert [event.facts["row"] for event in bench.of("declare")] == [4]


# --- Nobody calls ----------------------------------------------------------------------------------------------


@timelines(
    timeline("without a limit only the house skips", "3600000", {"nobody": 0}, "skip, 3600010", {"nobody": 1}),
    timeline(
        "a call that was heard is judged before",
        "1500 buzz 0, 1530 skip, 1700",
        {"winners": [(0,)]},
        settle_ms=60,
    ),
    timeline("all but one star", "1500 keys 0 *, keys 2 *", {"nobody": 0}, "keys 1 *, 1510", {"nobody": 1}),
    timeline(
        "in a tie break the tied are all",
        "1500 buzz 0, buzz 1, 3000 keys 2 *, keys 0 *",
        {"nobody": 0},
        "keys 1 *, 3010",
        {"nobody": 1, "refusals 2": ["Wait: the others play off a tie"]},
    ),
    timeline(
        "stars bind nobody and go with the card",
        "1500 keys 0 *, keys 1 *, skip, 3000 keys 2 *",
        {"nobody": 1},
        "buzz 0, 3100",
        {"winners": [(0,)]},
    ),
)
def test_uncalled_card_is_given_up(steps, options):
    Bench(**options).follow(*steps)


@timelines(
    timeline("in time", "6009.999", {"nobody": 0}, "6010", {"nobody": 1}),
    timeline("a press just before it", "6000 buzz 2 @5999, 6500", {"nobody": 0, "winners": [(2,)]}),
    timeline("the same reported after it", "6009 buzz 2 @5999, 6500", {"nobody": 0, "winners": [(2,)]}),
    timeline("noise is waited for", "5999 stray 0, 6500", {"nobody_ms": [6014]}),
    timeline(
        "a buzzer after it is no call",
        "6005 buzz 2 @6001, 6500",
        {"nobody_ms": [6010], "winners": [], "false_start": 0},
    ),
    timeline(
        "a key after it is no call",
        "6005 keys 2 3 @6001, 6500",
        {"nobody_ms": [6010], "winners": [], "false_start": 0},
        call_input="direct",
    ),
    timeline(
        "of two presses around it the earlier",
        "6001 buzz 1 @6000.6, buzz 2 @6000, 6500",
        {"nobody": 0, "winners": [(2,)]},
    ),
    timeline(
        "who is beyond it would not have counted",
        "5998 buzz 2, 6003 buzz 1, 9000",
        {"winners": [(2,)], "late_report": 0},
        tie_margin_ms=20,
    ),
)
def test_uncalled_card_is_given_up_by_time_limit(steps, options):
    Bench(nobody_after_s=5, **options).follow(*steps)


@pytest.mark.parametrize("skip", ["house", "last star", "script"])
@pytest.mark.parametrize(("stamped_ms", "winners"), [(1490, [(2,)]), (1500, [(2,)]), (1501, [])])
def test_bh_r16_call_before_a_skip_counts_if_reported_later(skip, stamped_ms, winners):
    bench = Bench(settle_ms=30).at(1500)
    bench.give_up(skip)
    bench.at(1520)
    bench.buzz(2, stamped_ms=stamped_ms)
    bench.at(1529.9)
    assert bench.of("nobody") == []
    bench.at(1700)
    assert bench.winners() == winners
    assert len(bench.of("nobody")) == (not winners)
    assert bench.of("false_start") == []


@pytest.mark.parametrize("skip", ["house", "last star", "script"])
@pytest.mark.parametrize("reported_ms", [1490, 1505])
def test_bh_a11_report_order_of_call_and_skip_decides_nothing(skip, reported_ms):
    """A skip between two calls within the margin ends no card."""
    bench = Bench(settle_ms=60, tie_margin_ms=20)
    bench.happens(
        (reported_ms, lambda: bench.buzz(0, stamped_ms=1490)),
        (1500, lambda: bench.give_up(skip)),
        (1508, lambda: bench.buzz(1)),
    )
    bench.at(1800)
    assert bench.winners() == [(0, 1)]
    assert bench.of("nobody") == bench.of("late_report") == []


@pytest.mark.parametrize("by", ["house", "stars"])
@pytest.mark.parametrize("reported_ms", [999, 1003, 1029])
@pytest.mark.parametrize(("stamped_ms", "given_up"), [(999, 0), (1000 - 1e-6, 0), (1000, 1), (1002, 1)])
def test_bh_a11_card_is_given_up_only_after_turning(by, reported_ms, stamped_ms, given_up):
    bench, at_ms = Bench(settle_ms=30), max(reported_ms, stamped_ms)
    skip = SeatSignal("test", TABLE, "skip", round(stamped_ms * MS), 0, round(at_ms * MS))

    def give_up() -> None:
        if by == "house":
            bench.table.signal(skip)
        else:
            for seat in range(3):
                bench.keys(seat, "*", stamped_ms=stamped_ms)

    bench.happens((at_ms, give_up))
    bench.at(1500)
    assert len(bench.of("nobody")) == given_up
    assert len(bench.of("refused")) == (0 if given_up else 1 if by == "house" else 3)


def test_bh_a11_window_belongs_to_the_first_call_heard():
    bench = Bench(settle_ms=30, handicap_1=1000).at(1500)
    bench.house("skip")
    bench.at(1510)
    bench.buzz(1)
    bench.at(1515)
    bench.buzz(0, stamped_ms=1490)
    bench.at(1700)
    assert (bench.times("verdict"), bench.winners()) == ([1541], [(1,)])


# --- The house at a table with real cards ----------------------------------------------------------------------


@pytest.fixture
def real() -> Bench:
    """Real starters are laid; seat 0 turns the first card."""
    bench = Bench(deal="table", open="ok").at(100)
    bench.lay_starters()
    return bench


def test_real_card_turned_with_ok_is_visible_immediately(real):
    real.at(5000)
    real.house("ok")
    assert real.of("flip")[0].facts["card"] == "??"
    assert real.of("visible")[0].facts["open_ns"] == 5000 * MS


@timelines(
    timeline("nothing is dealt by itself", "60000", {"flip": 0, "due": None}),
    timeline(
        "right of what the Pi cannot see",
        "ok, 500 call 1 4",
        {"phase": "judge"},
        "right",
        {"chips": (0, 0, 0), "phase": "ready", "right": 1},
    ),
    timeline(
        "wrong of what the Pi cannot see",
        "ok, 500 call 1 4",
        {"phase": "judge"},
        "wrong",
        {"chips": (0, 1, 0), "phase": "ready", "wrong": 1},
    ),
)
def test_house_turns_and_judges_real_cards(real, steps, options):
    real.follow(*steps)


@pytest.mark.parametrize("early", [True, False])
def test_two_house_keys_name_the_card_for_judging(real, early):
    real.house("ok")
    real.at(500)
    real.buzz(1)
    real.at(600)
    if early:
        real.keys(TABLE, "78")
        assert real.of("card")[0].facts["card"] == named(real, 7, 8)
        real.keys(1, "4")
    else:
        real.keys(1, "4")
        real.keys(TABLE, "7")
        assert real.of("card") == []
        real.keys(TABLE, "8")
    assert real.of("declare")[0].facts["row"] == 4
    assert len(real.of("right")) + len(real.of("wrong")) == 1


def named(bench: Bench, thing: int, colour: int) -> str:
    box = bench.match.box
    return f"{box.colours[colour - 1]} {box.objects[thing - 1]}"


def test_wrong_house_key_is_refused_and_retyped(real):
    real.house("ok")
    real.at(500)
    real.call(1, 4)
    real.keys(TABLE, "9078")
    assert real.refusals(None) == ["Objects are 1 to 8"] * 2
    assert real.of("card")[0].facts["card"] == named(real, 7, 8)


@pytest.mark.parametrize("control", ["right", "wrong", "ok", "menu"])
def test_meaningless_control_is_refused_in_public(real, control):
    real.house("ok")
    moves = real.match.length
    real.house(control)
    assert real.refusals(None) == [f"{control} does nothing now; the house can use: skip, undo, pause"]
    assert real.of("refused")[0].seen_by is None
    assert real.match.length == moves


def test_house_cannot_turn_a_dealt_card():
    bench = Bench().at(700)
    bench.house("ok")
    assert bench.of("flip") == []
    assert len(bench.refusals(None)) == 1


def test_impossible_next_card_is_refused_with_its_paragraph(real):
    real.table_move("flip pink ball")
    assert real.of("flip") == []
    assert real.of("refused")[0].facts["rule"] == "BH-R6"


# --- Lamps -----------------------------------------------------------------------------------------------------


def test_lamps_follow_what_everybody_may_see():
    bench = Bench().at(1500)
    lamps = bench.devices.lamps
    bench.buzz(0)
    bench.buzz(2)
    assert lamps == [Lamp.OFF] * 3
    bench.at(1600)
    assert lamps == [Lamp.BLINK, Lamp.OFF, Lamp.BLINK]
    bench.at(3000)
    bench.buzz(2)
    bench.at(3100)
    assert lamps == [Lamp.OFF, Lamp.OFF, Lamp.ON]
    bench.keys(2, "0")
    assert lamps == [Lamp.OFF] * 3
    told = [(event.seat, event.facts["lamp"]) for event in bench.of("lamp")]
    assert told == [(0, "blink"), (2, "blink"), (0, "off"), (2, "on"), (2, "off")]
