"""Presses before the card: when the card is visible, and what is too early."""

import pytest

from companion.core.console import BUZZ
from companion.core.event import event
from companion.core.place import Place
from companion.core.signal import DEBOUNCED, Signal
from companion.match.virtual_table import VirtualTable
from companion.referee.events import FalseStart
from tests.referee.bench import FIRST_CARD_MS, MS, Bench, SlowScreen, timeline, timelines

# --- Too early ------------------------------------------------------------------------------------------------


@timelines(
    timeline(
        "told once and by its stamp",  # its level is read before its edge arrives
        "1500 skip, fault 0 late_ns 20, 2490 buzz 0, 4000",
        {"stamps_ms": [2490]},
        settle_ms=30,
    ),
    timeline(
        "a report on its way costs no chip",
        "1500 skip, fault 0 late_ns 20, 2529.5 buzz 0 ~1, 3000",
        {"winners": [(0,)], "chips": (0, 0, 0)},
        settle_ms=30,
        early_buzz="chip",
    ),
    timeline(
        "the level is the press's, not the noise's",
        "1500 skip, fault 0 late_ns 20, 2480 stray 0, 2529.5 buzz 0 ~1, 3000",
        {"winners": [(0,)], "chips": (0, 0, 0), "false_start": 0},
        settle_ms=30,
        early_buzz="chip",
    ),
    timeline(
        "bounce after the opening makes no call",
        "0 fault 0 bounce_ns 8, 998 buzz 0, 1400",
        {"winners": [], "stamps_ms": [998]},
    ),
    timeline(
        "while nobody waits for a card",  # seat 0 has the call and owes its row
        "1500 buzz 0, 1600 buzz 1, 1900 keys 0 1, 2250 buzz 2, 3000",
        {"false_start": [2], "winners": [(0,)]},
    ),
    timeline(
        "one chip a card",
        "600 buzz 0, 750 buzz 0, 760 buzz 2, 2000",
        {"chips": (1, 0, 1), "early": [0, 2]},
        early_buzz="chip",
    ),
    timeline(
        "reported after the opening it costs too",
        "1020 buzz 0 @990, 1300",
        {"chips": (1, 0, 0), "visible_ms": [1000]},
        "buzz 1, 1400",
        {"winners": [(1,)]},
        early_buzz="chip",
    ),
    timeline(
        "it does not put off the next card",
        "1500 skip, 2400 buzz 0, 4000",
        {"flip_ms": [FIRST_CARD_MS, 2510]},
        early_buzz="chip",
    ),
)
def test_press_before_the_card_is_early(steps, options):
    Bench(**options).follow(*steps)


@pytest.mark.parametrize("delivered_ms", [990, 1020])
def test_press_before_the_card_is_not_a_call(delivered_ms):
    bench = Bench().at(delivered_ms)
    bench.buzz(0, stamped_ms=990)
    bench.at(1400)
    assert bench.winners() == []
    assert bench.of("false_start") == [event(FalseStart(990 * MS), 0, seen_by=(0,))]


def test_button_must_be_released_after_a_false_start():
    bench = Bench().at(900)
    bench.buzz(0, hold_ms=700)
    bench.at(1500)
    assert bench.winners() == []
    bench.at(1650)
    bench.buzz(0)
    bench.at(1700)
    assert bench.winners() == [(0,)]
    assert [call.t_ns for call in bench.evidence("call").early] == [900 * MS]


def test_false_starts_are_evidence_for_their_card_only():
    bench = Bench().at(900)
    bench.buzz(0)
    bench.at(1500)
    bench.house("skip")
    bench.at(1900)
    bench.buzz(1)
    bench.at(3000)
    bench.buzz(2)
    bench.at(3100)
    assert [call.seat for call in bench.evidence("call").early] == [1]


@pytest.mark.parametrize("direct", [False, True])
def test_bh_a24_press_in_others_play_off_is_not_early(direct):
    """The press is dead for this card, not early."""
    bench = Bench(early_buzz="chip", call_input="direct" if direct else "buzz_then_key").at(1500)

    def call(seat: int) -> None:
        if direct:
            bench.keys(seat, "3")
        else:
            bench.buzz(seat)

    call(0)
    call(1)
    bench.at(2900)
    call(2)
    bench.at(3000)
    assert bench.winners() == [(0, 1)]
    assert bench.of("false_start") == []
    call(0)
    bench.at(3100)
    assert bench.evidence("call").early == ()
    assert bench.chips()[2] == 0


def test_bh_a11_chip_takes_back_no_star():
    bench = Bench(settle_ms=60, early_buzz="chip").at(1005)
    bench.keys(0, "*")
    bench.keys(1, "*")
    bench.at(1020)
    bench.buzz(2, stamped_ms=990)
    bench.at(1040)
    assert bench.chips() == (0, 0, 1)
    bench.keys(2, "*")
    bench.at(1200)
    assert len(bench.of("nobody")) == 1


@pytest.mark.parametrize("delivered_ms", [999, 1003])
@pytest.mark.parametrize(("within_ms", "verdicts"), [(1, [(0,)]), (0.999999, [])])
def test_press_that_may_be_after_the_opening_counts(delivered_ms, within_ms, verdicts):
    bench = Bench().at(delivered_ms)
    bench.buzz(0, stamped_ms=999, within_ms=within_ms)
    bench.at(1400)
    assert bench.winners() == verdicts


def test_turner_pays_no_chip_for_an_earlier_press():
    bench = Bench(early_buzz="chip", settle_ms=30).at(500)
    bench.referee.pacing.people, bench.referee.pacing.turned = frozenset({0, 1, 2}), True
    bench.at(2000)
    turner = bench.view.flipper
    bench.keys(turner, "#")
    bench.at(2001).buzz((turner + 1) % 3, stamped_ms=1990)
    bench.at(2015).buzz(turner, stamped_ms=1995)
    bench.at(2100)
    assert [event.seat for event in bench.of("false_start")] == [(turner + 1) % 3]
    assert bench.chips()[turner] == 0


@pytest.mark.parametrize(("stamped_ms", "chips"), [(4990, (0, 0, 0)), (5001, (1, 0, 0))])
def test_press_before_a_resumed_match_is_not_early(stamped_ms, chips):
    bench = Bench(early_buzz="chip").at(FIRST_CARD_MS - 100)
    table = VirtualTable(bench.match, settle_ns=30 * MS)
    table.clock.jump(5000 * MS)
    table.start()
    table.run(5010 * MS)
    table.devices.buzzers[0].press(round(stamped_ms * MS))
    table.run(5100 * MS)
    assert bench.chips() == chips


def last_chips(*seats: int, of: int = 2) -> Bench:
    """Return a table with its next card at 5018 ms; one more early press eliminates `seats`."""
    bench = Bench(of, settle_ms=60, early_buzz="chip").at(100)
    for early_ms, skipped_ms in ((900, 1500), (2500, 3958)):
        bench.at(early_ms)
        for seat in seats:
            bench.buzz(seat)
        bench.at(skipped_ms)
        bench.house("skip")
    return bench.at(4018)


@pytest.mark.parametrize("reported_ms", [4900, 4930, 4959])
def test_bh_a14_earlier_of_two_last_chips_comes_first(reported_ms):
    bench = last_chips(0, 1)
    for at_ms, seat, stamped_ms in sorted([(reported_ms, 0, 4900), (4950, 1, 4950)]):
        bench.at(at_ms).buzz(seat, stamped_ms=stamped_ms)
    bench.at(8000)
    assert bench.match.outcome.winners == (1,)
    assert bench.chips()[1] == 2, "all was over when it would have paid"


def test_bh_a14_false_start_is_announced_before_its_pending_chip():
    bench = last_chips(0, 1).at(4900)
    bench.buzz(0)
    bench.at(4900 + 60 + 5 - 0.001)
    assert bench.times("false_start")[-1] == 4900.000001
    assert not bench.referee.over
    assert bench.at(4900 + 60 + 5).referee.over


def test_bh_a14_chip_that_eliminates_nobody_is_immediate():
    bench = last_chips(0, of=3).at(4900)
    bench.buzz(1)
    bench.at(4901)
    assert bench.chips() == (2, 1, 0)


@pytest.mark.parametrize("of", [2, 3])
def test_bh_a14_last_chip_comes_before_the_verdict(of):
    bench = last_chips(0, 1, of=of).at(5015)
    bench.buzz(0)
    bench.at(5017).buzz(1)
    bench.at(5018).buzz(of - 1)
    bench.at(5400)
    assert bench.view.gone == ((0, 1) if of == 3 else (0,))
    assert bench.referee.over
    assert bench.winners() == []


def test_bh_a14_last_chip_blocks_no_other_seats_call():
    bench = last_chips(0, of=3).at(5017)
    bench.buzz(0)
    bench.at(5018).buzz(1)
    bench.at(5400)
    assert bench.view.gone == (0,)
    assert bench.winners() == [(1,)]
    assert bench.kinds().index("eliminated") < bench.kinds().index("verdict")


def test_undo_takes_back_a_pending_chip():
    bench = last_chips(0, of=3).at(6000)
    bench.house("skip")
    bench.at(6900).buzz(0)
    bench.at(6901)
    bench.house("undo", "ok")
    bench.at(8000)
    assert len(bench.of("undone")) == 1
    assert bench.view.gone == ()


# --- Presses that turn out to be early -------------------------------------------------------------------------


@timelines(
    timeline(
        "a spike, then the press of its contact",
        "990 touch 0 995.9 995.92 1000.95 1080, touch 1 1000 1080, 1400",
        {"winners": [(1, 0)], "chips": (0, 0, 0)},
        early_buzz="chip",
    ),
    timeline(
        "a spike before the card",
        "700 touch 0 800 800.02, 990",
        {"false_start": 0, "chips": (0, 0, 0)},
        "touch 0 991 1100, 998",
        {"stamps_ms": [991]},
        early_buzz="chip",
    ),
    timeline(
        "a press that begins before the card",
        "990 touch 0 999 999.02 1000.5 1080, 1100",
        {"stamps_ms": [999], "winners": []},
    ),
)
def test_bare_contact_is_early_by_its_first_touch(steps, options):
    Bench(settle_ms=5, **options).follow(*steps)


@pytest.mark.parametrize("settle_ms", [5, 10, 60])
@pytest.mark.parametrize("closes_ms", [1000.5, 1001.2, 1002, 1002.9])
def test_bounce_after_the_opening_is_not_a_call(settle_ms, closes_ms):
    """Without the bounce, the wait would end before the press is certain."""
    bench = Bench(settle_ms=settle_ms, early_buzz="chip").at(990)
    bench.touch(0, 998, 998.02, closes_ms, 1080)
    bench.touch(1, 1000, 1080)
    bench.at(1400)
    assert bench.winners() == [(1,)]
    assert [(told.seat, told.facts["stamp_ns"]) for told in bench.of("false_start")] == [(0, 998 * MS)]
    assert bench.chips() == (1, 0, 0)
    evidence = bench.evidence("call")
    assert [[call.seat for call in calls] for calls in (evidence.early, evidence.calls)] == [[0], [1]]


@pytest.mark.parametrize("first", [0, 1])
def test_bh_a14_last_chip_waits_for_an_uncertain_earlier_press(first):
    other = 1 - first
    bench = last_chips(0, 1)
    bench.touch(first, 5016.5, 5016.52, 5019.2, 5080)
    bench.touch(other, 5017, 5080)
    bench.at(5018).buzz(other, stamped_ms=5018)
    bench.at(8000)
    assert bench.match.outcome.winners == (other,)


def test_bh_a14_delayed_false_start_is_announced_before_the_verdict():
    bench = Bench(settle_ms=10, early_buzz="chip").at(1001)
    waiting = Signal("test", Place(0), BUZZ, 999 * MS, 0, 1008 * MS, flags=(DEBOUNCED,))
    levels = bench.devices.flush
    bench.devices.flush = lambda now_ns: [*([waiting] if now_ns >= 1008 * MS else []), *levels(now_ns)]
    bench.buzz(1)
    bench.at(1400)
    assert bench.winners() == [(1,)]
    assert [told.seat for told in bench.of("false_start")] == [0]
    assert bench.chips() == (1, 0, 0)


# --- When the card is visible ---------------------------------------------------------------------------------


@timelines(
    timeline("a later flip opens it later", "1030", {"visible": 0}, "flipped @1016", {"open_ms": [1016]}),
    timeline(
        "a press before its report counts by its stamp",
        "1020 buzz 0 @1016, 1025",
        {"false_start": 0, "verdict": 0},
        "flipped @1016, 1300",
        {"winners": [(0,)], "false_start": 0},
        settle_ms=30,
    ),
    timeline(
        "a press before it is early",
        "1020 buzz 0 @1015.999, 1025",
        {"false_start": 0, "verdict": 0},
        "flipped @1016, 1300",
        {"winners": [], "false_start": 1},
        settle_ms=30,
    ),
    timeline("an older flip opens nothing", "1010 flipped @999", {"visible": 0}),
    timeline(
        "only its first flip counts",
        "1020 flipped @1016, 1040 flipped @1033, 1050 buzz 0 @1020, 1100",
        {"winners": [(0,)]},
    ),
)
def test_card_opens_at_its_flip(steps, options):
    Bench(screen=SlowScreen(), **options).follow(*steps)
