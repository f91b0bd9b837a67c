"""Pauses: clocks stop, presses do not call, and every reason has to end."""

import pytest

from companion.core.event import event
from companion.core.move import TABLE
from companion.core.signal import SeatSignal
from companion.referee.events import Paused, WentOn
from tests.referee.bench import MS, Bench, SlowScreen, timeline, timelines

NS = 1e-6
"""A nanosecond, in milliseconds."""


# --- Clocks ---------------------------------------------------------------------------------------------------


@timelines(
    timeline("the next card comes later", "600 pause, 10600.000001 pause, 20000", {"flip_ms": [11_000.000001]}),
    timeline("two pauses add up", "600 pause, 700 pause, 800 pause, 801 pause, 5000", {"flip_ms": [1101]}),
    timeline(
        "it waits behind no call that is judged",
        "1500 buzz 0, 1510 skip pause, 1511",
        {"paused_ms": [1510], "waits": True},
        "60000",
        {"nobody": 0, "winners": [(0,)]},
        settle_ms=60,
    ),
    timeline(
        "the limit of a declaration stands still",
        "1500 buzz 0, 2000 pause, 9000 pause, 9420.999",  # the call was known at 1511, so 411 ms are left
        {"late": 0},
        "keys 0 4 @9411",
        {"declare": 1},
        declare_s=3,
    ),
    timeline(
        "beyond the rest of the limit is late",
        "1500 buzz 0, 2000 pause, 9000 pause, 9412 keys 0 4",
        {"refusals 0": ["too late"]},
        "9421",
        {"late": 1},
        declare_s=3,
    ),
    timeline("nothing is due in it", "600 pause", {"waits": True, "due": None}, "100000", {"flip": 0}),
    timeline(
        "all of before it reported: not turned again",
        "1505 pause, 1534.999999 pause, 1700",
        {"visible_ms": [1000]},
        settle_ms=30,
    ),
    timeline(
        "once all is reported: turned again",
        "1505 pause, 1535 pause, 1700",
        {"visible_ms": [1000, 1535]},
        settle_ms=30,
    ),
)
def test_pause_stops_all_clocks(steps, options):
    Bench(**options).follow(*steps)


@pytest.mark.parametrize("reported_ms", [2006, 2012, 2016])
def test_house_control_waits_for_verdict_despite_a_pause(
    reported_ms,
):
    bench = Bench(deal="table", settle_ms=60).at(100)
    bench.lay_starters()
    bench.keys(0, "#")
    bench.keys(TABLE, "77")  # the pink car, which fits nowhere
    bench.at(300).call(1, 4)
    bench.at(2000).buzz(0)
    right = SeatSignal("test", TABLE, "right", 2005 * MS, 0, reported_ms * MS)
    bench.happens(
        (2010, lambda: bench.house("pause")),
        (2015, lambda: bench.house("pause")),
        (reported_ms, lambda: bench.table.signal(right)),
    )
    bench.at(2200)
    assert bench.winners() == [(1,), (0,)]
    assert (bench.chips(), bench.of("amended")) == ((0, 1, 0), [])


@pytest.mark.parametrize(("stamped_ms", "declared"), [(2411, 1), (2411 + NS, 0)])
@pytest.mark.parametrize("reported_ms", [2412, 2414, 2418])
def test_key_after_limit_is_late_despite_a_pause(stamped_ms, declared, reported_ms):
    bench = Bench(settle_ms=10, declare_s=3).at(1500)
    bench.buzz(0)  # the call is known at 1511
    bench.happens(
        (2413, lambda: bench.house("pause")),
        (2416, lambda: bench.house("pause")),
        (reported_ms, lambda: bench.keys(0, "4", stamped_ms=stamped_ms)),
    )
    bench.at(4600)
    assert (len(bench.of("declare")), len(bench.of("late"))) == (declared, 1 - declared)


# --- Presses and keys -----------------------------------------------------------------------------------------


@timelines(
    timeline(
        "the card opens again after it",
        "1500 pause, 1600 buzz 1, 2000 pause, 2500",
        {"winners": [], "open_ms": [1000, 2000]},
        "buzz 1, 2600",
        {"winners": [(1,)], "false_start": 0},
    ),
    timeline("held over its end", "1500 pause, 1900 buzz 1 +500, 2000 pause, 3000", {"winners": []}),
    timeline(
        "a press before it is judged in it",
        "1500 buzz 0, 1505 pause, 1520 buzz 1 @1497, 1600",
        {"winners": [(1,)]},
        settle_ms=30,
    ),
    timeline(
        "a verdict in it counts its first instant",
        "1500 buzz 0, 1505 pause, 1507 buzz 1 @1505, 1600",
        {"winners": [(0, 1)]},
        settle_ms=30,
        tie_margin_ms=12,
    ),
    timeline(
        "a verdict in it counts nothing after that",
        "1500 buzz 0, 1505 pause, 1507 buzz 1 @1505.000001, 1600",
        {"winners": [(0,)]},
        settle_ms=30,
        tie_margin_ms=12,
    ),
    timeline(
        "a loose contact loses no call of its own",
        "1500 buzz 1, 1505 unplug 1, 1510 plug 1, 1600",
        {"winners": [(1,)]},
        settle_ms=30,
    ),
    timeline(
        "too early though it delays the card",
        "1003 buzz 1 @990, 1005 pause, 1020 buzz 2, 1100 pause, 1120 flipped @1116, 1200",
        {"false_start": [1], "chips": (0, 1, 0)},
        settle_ms=30,
        screen=SlowScreen(),
        early_buzz="chip",
    ),
    timeline(
        "keys and controls are refused in it",
        "1500 buzz 0, 1600 pause, keys 0 4, skip",
        {"refusals 0": ["the match is paused"], "refusals house": ["the match is paused"]},
        "pause, keys 0 4",
        {"declare": 1},
    ),
    timeline(
        "a real card is refused in it",
        "starters, pause, table flip sky car",
        {"flip": 0, "refusals house": ["the match is paused"]},
        deal="table",
        open="ok",
    ),
    timeline(
        "before a card it makes no false start",
        "600 pause, 700 buzz 0, 1000 pause, 3000",
        {"false_start": 0, "chips": (0, 0, 0)},
        early_buzz="chip",
    ),
    timeline(
        "no false start when reported after it",
        "600 pause, 900 pause, 905 buzz 0 @890, 3000",
        {"false_start": 0, "chips": (0, 0, 0)},
        early_buzz="chip",
    ),
)
def test_presses_in_a_pause_do_not_call(steps, options):
    Bench(**options).follow(*steps)


@pytest.mark.parametrize("reported_ms", [1507, 1512])
def test_press_in_very_short_pause_does_not_call(reported_ms):
    # A loose plug is out for 5 ms while a call is being judged.
    bench = Bench(settle_ms=30, tie_margin_ms=10).at(1500)
    bench.buzz(0)
    for at_ms, act in sorted([(1505, "out"), (1510, "in"), (reported_ms, "press")]):
        bench.at(at_ms)
        if act == "press":
            bench.buzz(1, stamped_ms=1507)
        else:
            (bench.devices.unplug if act == "out" else bench.devices.plug)(2)
    bench.at(1600)
    assert bench.winners() == [(0,)]


@pytest.mark.parametrize(
    ("stamped_ms", "counts"),
    [(1505 - NS, True), (1505, True), (1505 + NS, False), (1510 - NS, False), (1510, False), (1510 + NS, True)],
)
@pytest.mark.parametrize("reported_ms", [1507, 1512])
def test_pause_excludes_its_start_and_includes_its_end(stamped_ms, counts, reported_ms):
    # A call is being judged; presses within its margin tie, except those in the pause.
    bench = Bench(settle_ms=30, tie_margin_ms=12).at(1500)
    bench.buzz(0)
    for at_ms, act in sorted([(1505, "out"), (1510, "in"), (max(reported_ms, stamped_ms), "press")]):
        bench.at(at_ms)
        if act == "press":
            bench.buzz(1, stamped_ms=stamped_ms)
        else:
            (bench.devices.unplug if act == "out" else bench.devices.plug)(2)
    bench.at(1600)
    assert bench.winners() == [(0, 1) if counts else (0,)]


Reported = tuple[float, int, float]
"""The time of the report, the seat, and the timestamp."""


def loose_plug(bench: Bench, seat: int, out_ms: float, in_ms: float, reports: list[Reported]) -> Bench:
    acts = [(out_ms, lambda: bench.devices.unplug(seat)), (in_ms, lambda: bench.devices.plug(seat))]
    for reported_ms, who, stamped_ms in reports:
        acts.append((reported_ms, lambda who=who, t=stamped_ms: bench.buzz(who, stamped_ms=t)))
    return bench.happens(*acts)


@pytest.mark.parametrize("reported_ms", [1504, 1507, 1515, 1533])
def test_call_survives_another_seats_loose_plug(reported_ms):
    bench = loose_plug(Bench(settle_ms=30).at(1500), 2, 1505, 1510, [(reported_ms, 1, 1504)])
    bench.at(1600)
    assert bench.winners() == [(1,)]
    assert bench.times("visible") == [1000]


@pytest.mark.parametrize("reported_ms", [901, 907, 915])
@pytest.mark.parametrize(("stamped_ms", "chips"), [(901, 1), (905, 1), (905 + NS, 0), (910, 0)])
def test_bh_a14_press_before_a_pause_costs_its_chip(stamped_ms, chips, reported_ms):
    bench = Bench(settle_ms=30, early_buzz="chip").at(900)
    loose_plug(bench, 2, 905, 910, [(max(reported_ms, stamped_ms), 1, stamped_ms)])
    bench.at(2000)
    assert len(bench.of("false_start")) == chips
    assert bench.chips() == (0, chips, 0)


def turning(settle_ms: int = 30) -> Bench:
    """Return a table whose people turn the first card."""
    bench = Bench(settle_ms=settle_ms).at(500)
    bench.referee.pacing.people = frozenset({0, 1, 2})
    bench.referee.pacing.turned = True
    return bench.at(900)


@pytest.mark.parametrize("by", ["buzzer", "key"])
@pytest.mark.parametrize(
    ("stamped_ms", "turned"), [(899, True), (900 - NS, True), (901, False), (905 - NS, False), (905 + NS, True)]
)
@pytest.mark.parametrize("reported_ms", [899, 904, 907])
def test_card_is_turned_by_presses_outside_a_pause(by, stamped_ms, turned, reported_ms):
    bench, at_ms = turning().at(890), max(stamped_ms, reported_ms)

    def press() -> None:
        if by == "buzzer":
            bench.buzz(bench.view.flipper, stamped_ms=stamped_ms)
        else:
            bench.keys(bench.view.flipper, "#", stamped_ms=stamped_ms)

    def change() -> None:
        bench.house("pause")

    bench.happens((900, change), (905, change), (at_ms, press))
    bench.at(1200)
    assert len(bench.of("flip")) == turned
    assert bench.of("false_start") == []


def test_card_turned_during_a_pause_opens_after_it():
    bench = turning()
    bench.house("pause")
    bench.at(905).buzz(bench.view.flipper, stamped_ms=899)
    bench.at(990)
    assert (len(bench.of("flip")), bench.of("visible")) == (1, [])
    bench.house("pause")
    assert bench.times("visible") == [990]
    bench.at(1500).buzz(0)
    bench.at(1600)
    assert bench.winners() == [(0,)]


@pytest.mark.parametrize("reported_ms", [2000, 2001])
def test_uncertain_press_in_a_pause_does_not_call(reported_ms):
    bench = Bench(settle_ms=30).at(1500)
    bench.house("pause")
    for at_ms, act in sorted([(2000, "go on"), (reported_ms - NS, "press")]):
        bench.at(at_ms)
        if act == "press":
            bench.buzz(1, stamped_ms=1999, within_ms=5)
        else:
            bench.house("pause")
    bench.at(2500)
    assert bench.winners() == []
    assert bench.of("false_start") == []


@pytest.mark.parametrize("seat_out", [0, 2])
def test_late_report_of_press_in_pause_is_ignored(seat_out):
    bench = Bench(settle_ms=10, tie_margin_ms=10).at(1500)
    loose_plug(bench, seat_out, 1502, 1508, [(1500, 0, 1500), (1540, 1, 1504)])
    bench.at(1600)
    assert bench.winners() == [(0,)]
    assert bench.of("late_report") == []


@pytest.mark.parametrize("direct", [False, True])
def test_second_press_in_a_pause_keeps_the_call(direct):
    bench = Bench(settle_ms=60, call_input="direct" if direct else "buzz_then_key").at(1500)

    def press() -> None:
        if direct:
            bench.keys(0, "3")
        else:
            bench.buzz(0, hold_ms=5)

    press()
    bench.at(1510).house("pause")
    bench.at(1540)
    press()
    bench.at(1700)
    assert bench.winners() == [(0,)]
    assert [call.t_ns for call in bench.evidence("call").calls] == [1500 * MS]


@pytest.mark.parametrize(("stamped_ms", "turned"), [(1999, 1), (2001, 0), (2006, 1)])
@pytest.mark.parametrize("reported_ms", [1999, 2003, 2007])
def test_real_card_is_turned_by_controls_outside_pauses(stamped_ms, turned, reported_ms):
    bench = Bench(deal="table", open="ok", settle_ms=30)
    bench.lay_starters()
    at_ms = max(stamped_ms, reported_ms)
    signal = SeatSignal("test", TABLE, "ok", stamped_ms * MS, 0, at_ms * MS)
    bench.happens(
        (2000, lambda: bench.house("pause")),
        (2005, lambda: bench.house("pause")),
        (at_ms, lambda: bench.table.signal(signal)),
    )
    bench.at(2100)
    assert len(bench.of("flip")) == turned
    assert len(bench.refusals(None)) == 1 - turned


@pytest.mark.parametrize(("stamped_ms", "declared"), [(1999, 1), (2001, 0), (2006, 1)])
@pytest.mark.parametrize("reported_ms", [1999, 2003, 2007])
def test_only_keys_outside_a_pause_count(stamped_ms, declared, reported_ms):
    bench = Bench(settle_ms=30).at(1500)
    bench.buzz(0)
    bench.happens(
        (2000, lambda: bench.house("pause")),
        (2005, lambda: bench.house("pause")),
        (max(stamped_ms, reported_ms), lambda: bench.keys(0, "4", stamped_ms=stamped_ms)),
    )
    bench.at(2100)
    assert len(bench.of("declare")) == declared
    assert len(bench.refusals(0)) == 1 - declared


@pytest.mark.parametrize(("lost", "declared"), [(0, 1), (1, 0)])
def test_key_stored_by_an_unplugged_device_counts(lost, declared):
    bench = Bench(settle_ms=30).at(1500)
    bench.buzz(0)
    bench.at(1600)
    bench.devices.unplug(lost)
    bench.at(1900)
    bench.devices.plug(lost)
    bench.keys(0, "4", stamped_ms=1700)
    bench.at(2000)
    assert len(bench.of("declare")) == declared
    assert bench.refusals(0) == ["ignored: pressed while the match was paused"] * (1 - declared)


# --- Unplugged ------------------------------------------------------------------------------------------------


@timelines(
    timeline(
        "of two seats both have to be back",
        "1500 unplug 1, unplug 2, plug 2",
        {"waits": True},
        "plug 1",
        {"waits": False},
    ),
    timeline(
        "plugs that tell the same twice",
        "1500 plug 1",
        {"went_on": 0},
        "unplug 1, unplug 1, plug 1",
        {"paused": 1, "went_on": 1},
    ),
    timeline(
        "a button let go meanwhile can call",
        "990 buzz 1 +700, 1500 unplug 1, 2000 plug 1, 2100 buzz 1, 2200",
        {"winners": [(1,)]},
    ),
)
def test_match_continues_only_with_all_devices(steps, options):
    Bench(**options).follow(*steps)


def test_lost_device_pauses_the_match_until_it_returns():
    bench = Bench().at(1500)
    bench.devices.unplug(1)
    assert bench.of("paused") == [event(Paused("unplugged"), 1)]
    bench.at(4000)
    bench.devices.plug(1)
    assert bench.of("went_on") == [event(WentOn("unplugged", False), 1)]
    assert not bench.referee.pauses


def test_match_continues_when_all_pause_reasons_end():
    bench = Bench().at(1500)
    bench.devices.unplug(1)
    bench.house("pause")
    bench.at(2000)
    bench.devices.plug(1)
    assert bench.referee.pauses
    assert bench.of("went_on")[0].facts["paused"]
    bench.at(3000)
    bench.house("pause")
    assert not bench.referee.pauses
    assert bench.times("visible") == [1000, 3000]


def test_button_pressed_while_unplugged_does_not_call():
    bench = Bench().at(1500)
    bench.devices.unplug(1)
    bench.at(1600)
    bench.devices.buzzers[1].stick()
    bench.at(2000)
    bench.devices.plug(1)
    bench.at(3000)
    assert bench.winners() == []
    bench.devices.buzzers[1].mend()
    bench.at(3100)
    bench.buzz(1)
    bench.at(3200)
    assert bench.winners() == [(1,)]


def test_bounce_after_unplugged_press_is_not_a_press():
    bench = Bench(early_buzz="chip").at(1500)
    bench.buzz(0)
    bench.at(1600)
    bench.devices.unplug(1)
    button = bench.devices.buzzers[1]
    button.fault.bounce_ns = 4 * MS
    button.hold(1600 * MS, 0, pressed=True)
    bench.at(1700)
    bench.devices.plug(1)
    bench.keys(0, "4")
    bench.at(2200)
    button.hold(2200 * MS, 0, pressed=False)
    bench.at(2300)
    assert bench.of("false_start") == []
    bench.buzz(1)
    bench.at(2400)
    assert [event.seat for event in bench.of("false_start")] == [1], "it works again"


def test_device_lost_after_the_end_starts_nothing():
    bench = Bench(2)
    for turn in range(3):
        bench.at(1500 + 3000 * turn)
        bench.call(0, bench.wrong_row())
    assert bench.referee.over
    bench.devices.unplug(1)
    bench.devices.plug(1)
    bench.at(20_000)
    bench.buzz(1)
    bench.at(21_000)
    assert bench.match.outcome.winners == (1,)
    assert len(bench.winners()) == 3


def test_bh_a7_eliminated_players_device_pauses_nothing_until_undo():
    bench = Bench(early_buzz="chip").at(100)
    for early_ms, skipped_ms in ((600, 1500), (1900, 3000)):
        bench.at(early_ms)
        bench.buzz(2)
        bench.at(skipped_ms)
        bench.house("skip")
    bench.at(3500)
    bench.buzz(2)
    bench.at(3600)
    assert bench.match.view().gone == (2,)
    bench.devices.unplug(2)
    assert bench.of("paused") == []
    bench.house("undo")
    assert [event.seat for event in bench.of("paused")] == [2]
    bench.devices.plug(2)
    assert len(bench.of("went_on")) == 1


def test_bh_a7_elimination_by_pending_call_ends_the_wait():
    bench = Bench(call_input="direct")
    for turn in range(3):
        bench.at(1500 + 3000 * turn)
        bench.keys(0, str(bench.wrong_row()))
    bench.at(7502)
    bench.devices.unplug(0)
    assert bench.referee.pauses
    bench.at(7900)
    assert bench.match.view().gone == (0,)
    assert bench.of("went_on") == [event(WentOn("unplugged", False), 0)]
    bench.house("undo")
    assert [event.seat for event in bench.of("paused")] == [0, 0], "he plays again"


def test_bh_a7_elimination_by_correction_ends_the_wait():
    bench = Bench()
    for turn in range(2):
        bench.at(1500 + 3000 * turn)
        bench.call(0, bench.wrong_row())
    bench.at(7500)
    bench.call(0, bench.right_row())
    bench.devices.unplug(0)
    bench.table.amend(bench.match.length, bench.match.overruled(right=False), bench.table.clock.now_ns())
    assert bench.match.view().gone == (0,)
    assert not bench.referee.pauses


def test_finished_match_waits_for_no_device_until_undo():
    bench = Bench()
    for turn in range(6):
        bench.at(1500 + 3000 * turn)
        if turn == 3:
            bench.devices.unplug(0)
        bench.call(turn // 3, bench.wrong_row())
    assert bench.referee.over
    bench.devices.unplug(2)
    assert bench.of("paused") == []
    bench.house("undo")
    assert [event.seat for event in bench.of("paused")] == [2], "the first player is out"
