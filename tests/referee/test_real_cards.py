"""Real cards: when they may be called (BH-A26), and who judges them (BH-A27)."""

import pytest

from companion.core.console import Lamp
from companion.core.move import TABLE, Move
from tests.referee.bench import MS, STARTERS, Bench

ARMED_MS = 1000
"""How soon after a shown verdict the next card opens by itself."""


@pytest.fixture
def armed() -> Bench:
    """Real cards for three, before the first call."""
    bench = Bench(deal="table").at(100)
    bench.lay_starters()
    bench.keys(0, "#")
    return bench.at(200)


def house_judges(**rulings) -> Bench:
    """Return a table where nobody keys cards; seat 0 is the youngest."""
    bench = Bench(deal="table", judged_by="house", **rulings).at(100)
    bench.table_move("youngest 1")
    bench.keys(0, "#")
    return bench.at(200)


def test_bh_a26_first_card_may_be_called_soon_after_starters():
    bench = Bench(deal="table").at(100)
    bench.lay_starters()
    bench.at(ARMED_MS + 200)
    assert bench.times("visible") == [ARMED_MS + 100]
    assert bench.of("flip")[0].facts["card"] == "??"
    bench.buzz(2)
    bench.at(ARMED_MS + 300)
    assert bench.winners() == [(2,)]


def test_bh_a26_youngests_second_press_is_not_a_call():
    """It says that the first card is turned."""
    bench = Bench(deal="table", judged_by="house")
    bench.table.referee.pacing.people = frozenset(range(3))
    bench.at(100)
    bench.table_move("youngest 2")
    bench.at(500)
    bench.buzz(1)
    bench.at(600)
    assert (bench.view.phase, bench.winners(), bench.of("false_start")) == ("open", [], [])


def test_bh_a26_race_is_armed_a_second_after_the_verdict(armed):
    armed.call(1, 4)
    armed.keys(TABLE, "78")
    done_ms = armed.now_ms
    armed.at(done_ms + ARMED_MS + 100)
    assert armed.times("visible") == [100, done_ms + ARMED_MS]
    armed.buzz(2)
    armed.at(done_ms + ARMED_MS + 200)
    assert armed.winners() == [(1,), (2,)]


def test_bh_a26_second_begins_when_the_verdict_is_shown():
    class Late:
        """A screen that shows its newest frame 400 ms late."""

        newest_ms = 0.0

        def show(self, *_):
            self.newest_ms = shown_ms = bench.now_ms + 400
            bench.table.clock.at(round(shown_ms * MS), lambda: self.flipped(shown_ms))

        def flipped(self, shown_ms):
            if shown_ms == self.newest_ms:
                bench.table.visible(round(shown_ms * MS), round(shown_ms * MS))

    bench = Bench(deal="table").at(100)
    bench.lay_starters()
    bench.keys(0, "#")
    bench.at(200)
    bench.table.screen = Late()
    bench.call(1, 4)
    bench.house("right")
    done_ms = bench.now_ms
    bench.at(done_ms + 5000)
    assert bench.times("visible")[-1] == done_ms + 400 + ARMED_MS


@pytest.mark.parametrize("after_ms", [ARMED_MS - 1, 350])
def test_bh_a26_earlier_press_is_a_false_start(armed, after_ms):
    armed.call(1, 4)
    armed.house("wrong")
    done_ms = armed.now_ms
    armed.at(done_ms + after_ms)
    armed.buzz(2)
    armed.at(done_ms + ARMED_MS + 200)
    assert armed.winners() == [(1,)]
    assert [event.seat for event in armed.of("false_start")] == [2]
    assert (armed.of("early"), armed.chips()) == ([], (0, 1, 0))
    armed.buzz(2)
    armed.at(done_ms + ARMED_MS + 300)
    assert armed.winners() == [(1,), (2,)]
    assert [press.seat for press in armed.evidence("call").early] == [2]


@pytest.mark.parametrize("control", ["#", "buzz"])
def test_bh_a26_turner_arms_the_race_on_laying_the_card(armed, control):
    armed.call(1, 4)
    armed.house("right")
    done_ms = armed.now_ms
    armed.at(done_ms + 400)
    armed.buzz(1) if control == "buzz" else armed.keys(1, "#")
    armed.at(done_ms + 500)
    assert (armed.view.phase, armed.winners(), armed.of("false_start")) == ("open", [(1,)], [])
    armed.buzz(2)
    armed.at(done_ms + 600)
    assert armed.winners() == [(1,), (2,)]


def test_bh_a26_only_the_turner_arms_the_race(armed):
    armed.call(1, 4)
    armed.house("right")
    armed.at(armed.now_ms + 400)
    armed.keys(2, "#")
    armed.at(armed.now_ms + 100)
    assert armed.view.phase == "ready"


@pytest.mark.parametrize(("after_ms", "chips"), [(299, (0, 0, 0)), (400, (0, 0, 1))])
def test_bh_a14_early_press_costs_a_chip_by_ruling(after_ms, chips):
    bench = Bench(deal="table", early_buzz="chip").at(100)
    bench.lay_starters()
    bench.keys(0, "#")
    bench.at(200)
    bench.call(1, 4)
    bench.house("right")
    bench.at(bench.now_ms + after_ms)
    bench.buzz(2)
    bench.at(bench.now_ms + 1000)
    assert bench.chips() == chips


def test_two_house_inputs_in_quick_succession_are_answered(armed):
    for ms in (500, 505):
        armed.at(ms)
        armed.table_move("read 1 red car")
    armed.at(600)
    assert len(armed.refusals(None)) == 2
    armed.at(700)
    armed.table_move("read 1 red car")
    armed.at(705)
    armed.house("skip")
    armed.at(800)
    assert len(armed.refusals(None)) == 3
    assert len(armed.of("nobody")) == 1


@pytest.mark.parametrize("reported_ms", [1499, 1502])
def test_bh_a27_naming_a_card_does_not_end_calls(reported_ms):
    bench = Bench(deal="table", settle_ms=60, tie_margin_ms=10).at(100)
    bench.lay_starters()
    bench.at(1000)
    bench.keys(TABLE, "7")
    bench.happens(
        (reported_ms, lambda: bench.buzz(0, stamped_ms=1499)),
        (1500, lambda: bench.keys(TABLE, "8")),
        (1503, lambda: bench.buzz(1)),
    )
    bench.at(1800)
    assert bench.winners() == [(0, 1)]
    assert bench.of("late_report") == []


def test_input_waiting_for_calls_runs_after_a_pause(armed):
    """The house's skip, or the last seat's star."""
    armed.at(500)
    armed.keys(0, "*")
    armed.keys(1, "*")
    armed.at(1000)
    armed.keys(2, "*")
    armed.table.pause(armed.table.clock.now_ns())
    armed.at(5000)
    assert armed.of("nobody") == []
    armed.table.resume(armed.table.clock.now_ns())
    armed.at(5100)
    assert len(armed.of("nobody")) == 1
    assert armed.refusals(2) == []
    armed.at(6000)
    armed.house("skip")
    armed.table.pause(armed.table.clock.now_ns())
    armed.at(9000)
    armed.table.resume(armed.table.clock.now_ns())
    armed.at(9100)
    assert len(armed.of("nobody")) == 2


@pytest.mark.parametrize("control", ["skip", "*"])
def test_bh_a26_skipped_card_arms_the_next_one(armed, control):
    if control == "skip":
        armed.house(control)
    else:
        for seat in range(3):
            armed.keys(seat, control)
    armed.at(1300)
    assert [event.facts["card"] for event in armed.of("under")] == ["??"]
    assert len(armed.of("visible")) == 2


def test_bh_a26_tie_is_played_off_without_a_key(armed):
    armed.buzz(0)
    armed.buzz(1)
    armed.at(1400)
    assert armed.winners() == [(0, 1)]
    armed.buzz(2)
    armed.buzz(1)
    armed.at(1500)
    assert armed.winners() == [(0, 1), (1,)]


def test_bh_a26_time_limit_never_skips_an_unturned_card():
    bench = Bench(deal="table", nobody_after_s=5).at(100)
    bench.lay_starters()
    bench.at(60_000)
    assert bench.of("nobody") == []


def test_bh_a26_undo_takes_back_verdict_and_automatic_flip(armed):
    armed.call(1, 4)
    armed.house("right")
    armed.at(armed.now_ms + 1000)
    assert armed.view.phase == "open"
    armed.house("undo", "ok")
    assert armed.of("undone")[0].facts["moves"] == ["T judge right", "T flip ??"]
    assert (armed.view.phase, armed.view.said) == ("judge", 4)
    armed.house("wrong")
    armed.at(armed.now_ms + 1000)
    assert armed.chips() == (0, 1, 0)
    assert armed.view.phase == "open"


def test_bh_a26_undone_skip_reopens_the_card(armed):
    armed.house("skip")
    armed.at(1000)
    armed.house("undo", "ok")
    armed.at(2000)
    armed.buzz(2)
    armed.at(2100)
    assert armed.winners() == [(2,)]


def test_bh_a26_house_overrules_although_next_card_is_armed(armed):
    armed.keys(TABLE, "77")  # the pink car, which fits nowhere
    armed.at(300)
    armed.call(1, 4)
    armed.at(armed.now_ms + 1000)
    assert (armed.chips(), armed.view.phase) == ((0, 1, 0), "open")
    armed.house("right")
    assert (armed.chips(), armed.match.moves[-1]) == ((0, 0, 0), Move(TABLE, "judge", (4, 1)))
    armed.at(armed.now_ms + 1100)
    assert armed.view.phase == "open"


def test_bh_a26_correction_before_next_call_keeps_it_armed(armed):
    armed.call(1, 4)
    armed.house("wrong")
    armed.at(armed.now_ms + 1000)
    armed.table.amend(armed.match.length - 1, Move(TABLE, "judge", (1,)), armed.table.clock.now_ns())
    assert (armed.chips(), armed.view.phase) == ((0, 0, 0), "open")
    armed.at(armed.now_ms + 1)
    armed.buzz(2)
    armed.at(armed.now_ms + 100)
    assert armed.winners() == [(1,), (2,)]


def test_bh_a26_pause_stops_the_arming(armed):
    armed.call(1, 4)
    armed.house("right")
    armed.house("pause")
    armed.at(armed.now_ms + 1000)
    assert armed.view.phase == "ready"
    armed.house("pause")
    armed.at(armed.now_ms + 1000)
    assert armed.view.phase == "open"


def test_bh_a26_ruling_changes_nothing_when_companion_deals():
    dealt = [Bench(open=value).at(3000) for value in ("at_once", "ok")]
    assert dealt[0].match.moves == dealt[1].match.moves
    assert dealt[0].kinds() == dealt[1].kinds()


# --- Keyed cards ------------------------------------------------------------------------------------------------


def test_bh_a27_row_is_judged_by_the_keyed_card(armed):
    armed.keys(TABLE, "78")
    armed.at(300)
    assert armed.of("card")[0].facts["card"] == "sky car"
    armed.call(1, 4)
    assert len(armed.of("right")) == 1


def test_bh_a27_late_reported_call_precedes_the_keyed_card(armed):
    armed.at(300)
    armed.keys(TABLE, "78")
    armed.at(305)
    armed.buzz(1, stamped_ms=299)
    armed.at(400)
    kinds = armed.kinds()
    assert kinds.index("call") < kinds.index("card")
    armed.keys(1, "4")
    assert len(armed.of("right")) == 1


def test_bh_a27_half_keyed_card_outlives_the_call(armed):
    armed.keys(TABLE, "7")
    armed.buzz(1)
    armed.at(300)
    armed.keys(TABLE, "8")
    assert armed.of("card")[0].facts["card"] == "sky car"


def test_bh_a27_house_keys_keep_order_while_judging():
    """For a seat 6 is a call, for the house a colour."""
    bench = Bench(deal="table", call_input="direct", settle_ms=60).at(100)
    bench.lay_starters()
    bench.keys(0, "#")
    bench.at(300)
    bench.keys(1, "4")
    bench.at(320)
    bench.keys(TABLE, "76")
    bench.at(400)
    assert bench.of("card")[0].facts["card"] == "purple car"


def test_bh_a11_naming_a_card_keeps_the_stars(armed):
    armed.keys(0, "*")
    armed.keys(1, "*")
    armed.keys(TABLE, "78")
    armed.at(300)
    assert len(armed.of("card")) == 1
    armed.keys(2, "*")
    armed.at(400)
    assert len(armed.of("nobody")) == 1


def test_bh_a27_undo_clears_a_half_keyed_card(armed):
    armed.buzz(1)
    armed.at(300)
    armed.keys(TABLE, "7")
    armed.house("undo")
    armed.keys(TABLE, "8")
    assert armed.of("card") == []


def test_bh_a27_unnamed_card_can_be_named_later(armed):
    armed.call(1, 4)
    armed.house("right")
    armed.at(armed.now_ms + 1000)
    armed.keys(TABLE, "B478")
    armed.at(armed.now_ms + 100)
    assert armed.of("read")[0].facts == {"row": 4, "card": "sky car"}
    armed.buzz(2)
    armed.at(armed.now_ms + 100)
    assert armed.winners() == [(1,), (2,)]  # naming it did not end the race


# --- The house judges -------------------------------------------------------------------------------------------


def test_bh_a27_judging_house_keys_no_starters():
    bench = house_judges()
    assert bench.kinds()[-1] == "visible"
    assert bench.view.phase == "open"
    assert [move.verb for move in bench.match.moves] == ["youngest", "laid", "flip"]


def test_bh_a27_caller_names_row_then_house_judges():
    bench = house_judges()
    for verdict in ("right", "wrong"):
        bench.call(1, 4)
        bench.house(verdict)
        bench.at(bench.now_ms + ARMED_MS)
    assert (bench.view.piles, bench.chips()) == ((9, 8, 9), (0, 1, 0))
    assert bench.devices.lamps == [Lamp.OFF] * 3
    bench.keys(TABLE, "7")
    assert bench.refusals(None) == ["Cards are not entered here: the house judges"]


def test_bh_a27_undo_takes_back_youngest_and_automatic_moves():
    bench = house_judges()
    bench.house("undo", "ok")
    assert bench.match.length == 0


def test_bh_a27_card_opens_only_with_ok():
    bench = house_judges(open="ok")
    assert bench.view.phase == "ready"
    bench.at(60_000)
    assert bench.view.phase == "ready"
    bench.house("ok")
    assert bench.times("visible") == [60_000]
    assert bench.of("visible")[0].facts["open_ns"] == 60_000 * MS


# --- How many keys a match takes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rulings", "setting_up", "each"),
    [
        ({"open": "ok"}, 13, 4),
        ({}, 13, 3),
        ({"judged_by": "house"}, 1, 2),
    ],
)
def test_match_takes_the_stated_number_of_keys(rulings, setting_up, each):
    """The buzzer is not a key."""
    bench = Bench(deal="table", **rulings).at(100)
    pressed = 0

    def key(seat: int, keys: str) -> None:
        nonlocal pressed
        pressed += len(keys)
        bench.keys(seat, keys)

    key(TABLE, "1")
    if bench.match.rulings.judged_by == "cards":
        key(TABLE, "".join(keys_of(bench, card) for card in STARTERS))
    assert pressed == setting_up
    pressed = 0
    for number in range(10):
        if rulings.get("open") == "ok":
            pressed += 1
            bench.house("ok")
        bench.at(bench.now_ms + ARMED_MS)
        bench.buzz(number % 3)
        bench.at(bench.now_ms + 100)
        key(number % 3, "0")
        if bench.match.rulings.judged_by == "cards":
            key(TABLE, keys_of(bench, bench.match.box.names[bench.match.state.unseen[0]]))
        else:
            pressed += 1
            bench.house("right" if number % 4 else "wrong")
        assert bench.view.phase in {"ready", "over"}
    assert pressed == 10 * each


def keys_of(bench: Bench, card: str) -> str:
    colour, thing = card.split()
    box = bench.match.box
    return f"{box.objects.index(thing) + 1}{box.colours.index(colour) + 1}"
