"""A table's host in virtual time: seats, menus, presses, frames."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.config.sections import Seats
from companion.config.table_file import TableConfig
from companion.core.console import BUZZ, Lamp
from companion.core.place import HOUSE, Place
from companion.core.signal import PC, Signal
from companion.core.tags import is_demo
from companion.display.frame import Frame, Play, Result
from companion.games.buntherum.rules import Phase
from companion.match import centre
from companion.match.new_match import NAMES, new_match
from tests.host_bench import GAME, MS, Bench

pytestmark = pytest.mark.usefixtures("fixed_secrets")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


# --- From attract to the first card -----------------------------------------------------------------------


def test_attract_screen_says_what_to_press(bench: Bench) -> None:
    assert bench.poster.hint == centre.attract().hint
    assert not bench.poster.trouble
    assert [side.note for side in bench.frame.sides] == ["free"] * 5
    assert bench.host.deadline_ns is None  # nothing is due: the program sleeps


def test_buzzer_seats_its_player_at_once(bench: Bench) -> None:
    bench.press(3, BUZZ)
    assert bench.poster.title == "Who plays?"
    assert [side.name for side in bench.frame.sides] == ["", "", "", "Dan", ""]
    assert bench.frame.sides[3].lit


@pytest.mark.parametrize("control", ["#", "5", "ok"])
def test_any_key_leaves_attract_and_seats_nobody(bench: Bench, control: str) -> None:
    bench.press(HOUSE if control == "ok" else 1, control)
    assert bench.poster.title == "Who plays?"
    assert not any(side.name for side in bench.frame.sides)


def test_one_player_is_not_enough(bench: Bench) -> None:
    bench.press(0, BUZZ, "#")
    assert bench.poster.hint == "2, 3, 4 or 5 players are needed. *: back"
    bench.press(1, BUZZ)
    assert bench.poster.hint == "#: everybody is here. *: back"
    bench.press(1, BUZZ)
    assert bench.poster.hint == "2, 3, 4 or 5 players are needed. *: back"


def test_back_from_joining_returns_to_attract(bench: Bench) -> None:
    bench.press(0, BUZZ, "*")
    assert bench.poster.hint == centre.attract().hint
    bench.press(1, BUZZ)
    assert [side.name for side in bench.frame.sides] == ["Anna", "Ben", "", "", ""]


def test_back_key_does_nothing_on_the_attract_screen(bench: Bench) -> None:
    bench.press(0, "*")
    assert bench.poster.hint == centre.attract().hint


def test_presses_lead_from_attract_to_the_first_card(bench: Bench) -> None:
    bench.press(0, BUZZ)
    bench.press(2, BUZZ, "A")
    bench.press(0, "#")
    assert bench.menu.title == "Which game?"
    bench.press(0, "2")
    assert bench.menu.title == "House rules of Buntherum"
    bench.press(2, BUZZ, BUZZ, BUZZ)
    assert bench.menu.detail.startswith("call with the buzzer")
    bench.press(2, "#")
    assert bench.menu.items[3] == "Call: one key"
    assert bench.menu.selected == 3
    bench.press(0, "1")
    assert isinstance(bench.screen, Play)
    assert bench.until(bench.open)
    assert bench.match.names == ("Anna", "Dan")
    assert bench.match.rulings == GAME.rulings(call_input="direct")
    assert not is_demo(bench.match)
    assert bench.records[-1].stat().st_mode & 0o077 == 0


def test_buzzer_and_hash_reach_every_menu(bench: Bench) -> None:
    bench.press(1, BUZZ)
    bench.press(4, BUZZ, "#")
    bench.press(4, BUZZ, "#", BUZZ, BUZZ, BUZZ, BUZZ, "#")  # the second game, its second ruling
    assert "Ties: within 2 ms" in bench.menu.items
    bench.take("Start")
    assert bench.until(bench.open)
    assert bench.match.rulings == GAME.rulings(tie_margin_ms=2)


def test_back_leads_from_menus_to_the_seats(bench: Bench) -> None:
    bench.sit(2)
    bench.press(1, "*")
    assert bench.poster.title == "Who plays?"
    bench.press(1, "#", "#", "*")
    assert bench.poster.title == "Who plays?"
    assert [side.name for side in bench.frame.sides][:2] == ["Anna", "Ben"]


def test_named_game_is_not_asked_for(tmp_path: Path) -> None:
    bench = Bench(tmp_path, game="buntherum")
    bench.sit(2)
    assert bench.menu.title == "House rules of Buntherum"


def test_configured_names_and_rulings_are_the_defaults(tmp_path: Path) -> None:
    config = TableConfig(seats=Seats(("Zoé", "Yann")), rulings={"buntherum": GAME.rulings(declare_s=8)})
    bench = Bench(tmp_path, config=config)
    bench.play()
    assert bench.match.names == ("Zoé", "Yann", "Anna")
    assert bench.match.rulings.declare_s == 8


# --- Presses ----------------------------------------------------------------------------------------------


def test_bouncing_buzzer_counts_once_in_a_menu(bench: Bench) -> None:
    bench.hand(0, "fault bounce")
    assert bench.frame.panels[0].faults == ("bounce",)
    bench.press(0, BUZZ)
    assert bench.frame.sides[0].name == "Anna"  # a second press would free the seat again
    bench.press(1, BUZZ, "#", "2")
    for expected in (1, 2, 3):
        bench.press(0, BUZZ)
        assert bench.menu.selected == expected


def test_releasing_a_house_control_does_nothing(bench: Bench) -> None:
    bench.sit(2)
    bench.hand(HOUSE, "2")  # a click on the second line
    assert bench.menu.title == "House rules of Buntherum"
    bench.hand(HOUSE, "2", pressed=False)
    assert bench.menu.title == "House rules of Buntherum"


def test_taps_shorter_than_a_window_sleep_count(bench: Bench) -> None:
    """A press and its release arrive together and have the same timestamp."""
    seen = []
    for _ in range(4):
        bench.hand(0, BUZZ)
        bench.hand(0, BUZZ, pressed=False)
        bench.wait(0.3)
        seen.append(bench.frame.sides[0].name)
    assert seen == ["Anna", "", "Anna", ""]


def test_held_buzzer_counts_once(bench: Bench) -> None:
    bench.hand(0, BUZZ)
    bench.wait(5)
    bench.hand(0, BUZZ, pressed=False)
    bench.wait(1)
    assert bench.frame.sides[0].name == "Anna"


def test_late_buzzer_works_in_menus(bench: Bench) -> None:
    bench.hand(0, "fault late")
    bench.press(0, BUZZ)
    assert bench.frame.sides[0].name == "Anna"
    assert bench.frame.panels[0].faults == ("late",)


def test_device_faults_are_shown_and_cleared(bench: Bench) -> None:
    for fault in ("unplug", "bounce", "stuck", "late"):
        bench.hand(2, f"fault {fault}")
        bench.hand(2, f"fault {fault}", pressed=False)
        assert bench.frame.panels[2].faults == (fault,)
        bench.hand(2, f"fault {fault}")
        assert bench.frame.panels[2].faults == ()
    assert bench.frame.panels[2].plugged


def test_unplugged_place_is_ignored(bench: Bench) -> None:
    bench.hand(0, "fault unplug")
    bench.press(0, BUZZ, "#")
    assert bench.poster.hint == centre.attract().hint


# --- Visibility -------------------------------------------------------------------------------------------


def calls_of(bench: Bench) -> list[str]:
    return [entry.move for entry in bench.match.entries if " call " in entry.move or " tie " in entry.move]


def test_only_the_newest_frame_counts_as_visible(bench: Bench) -> None:
    bench.play()
    bench.call(0, bench.wrong())
    bench.blind = True
    assert bench.until(bench.open)
    old, bench.waiting = bench.waiting[0], []
    bench.house("pause", "1")  # requests a new frame for the card
    assert bench.open()
    assert bench.frame.serial > old.serial
    assert bench.host.frames.shown(old, bench.clock.t_ns) is None
    assert bench.host.frames.shown(bench.frame, bench.clock.t_ns).t_ns == bench.clock.t_ns


def test_call_counts_only_once_the_card_is_shown(bench: Bench) -> None:
    bench.play()
    bench.call(0, bench.wrong())
    bench.blind = True
    assert bench.until(bench.open)
    bench.press(1, BUZZ)
    bench.wait(10)
    assert bench.open()
    assert calls_of(bench) == ["T call 1"]


@pytest.mark.parametrize(("pressed_ms", "counts"), [(-50, False), (-1, False), (1, True), (50, True)])
def test_press_counts_by_timestamp_not_by_arrival(bench: Bench, pressed_ms: int, counts: bool) -> None:
    bench.play()
    bench.call(0, bench.wrong())
    for first in ("press", "visible"):
        bench.blind = True
        assert bench.until(bench.open)
        before = calls_of(bench)
        flipped_ns = bench.clock.t_ns + 100 * MS
        bench.wait(0.16)
        told = bench.host.frames.shown(bench.frame, flipped_ns)
        early_ns = bench.clock.t_ns - flipped_ns - pressed_ms * MS
        if first == "press":
            bench.hand(1, BUZZ, early_ns=early_ns)
            bench.host.signal(told)
        else:
            bench.host.signal(told)
            bench.hand(1, BUZZ, early_ns=early_ns)
        bench.hand(1, BUZZ, pressed=False)
        bench.blind = False
        bench.wait(0.2)
        assert calls_of(bench) == before + ["T call 2"] * counts, first
        bench.house(*(() if counts else ("skip",)))
        bench.wait(3.5 if counts else 0)  # without a row the call is late


def test_slow_window_costs_nobody_the_call(bench: Bench) -> None:
    bench.flip_ns = 300 * MS
    bench.play()
    bench.call(2, bench.fitting()[0])
    assert calls_of(bench) == ["T call 3"]


@pytest.mark.parametrize(("before_ms", "made"), [(100, "declare"), (-100, "late")])
def test_key_counts_by_timestamp_when_handled_late(bench: Bench, before_ms: int, made: str) -> None:
    """The host handles the key 500 ms after the deadline for the row."""
    bench.play()
    bench.call(1, None)
    limit = bench.frame.limit
    assert limit
    noticed_ns = limit.ends_ns - before_ms * MS
    bench.clock.t_ns = limit.ends_ns + 500 * MS
    bench.host.signal(Signal(PC, Place(1), str(bench.wrong()), noticed_ns, 0, noticed_ns))
    assert bench.match.moves[-1].verb == made


# --- Places with gaps -------------------------------------------------------------------------------------


def test_seats_map_to_places_with_gaps(bench: Bench) -> None:
    bench.play((0, 2, 4))
    assert bench.match.names == ("Anna", "Cleo", "Eva")
    bench.press(1, BUZZ)  # this place is free
    bench.press(3, BUZZ, "1")
    assert bench.open()
    bench.press(4, BUZZ)
    assert bench.view.caller == 2
    assert bench.lamps == [Lamp.OFF, Lamp.OFF, Lamp.OFF, Lamp.OFF, Lamp.ON]
    assert [side.lit for side in bench.frame.sides] == [False, False, True]
    assert [side.seat for side in bench.frame.sides] == [0, 1, 2]
    assert [panel.keys for panel in bench.frame.panels] == ["", "", "", "", "digits"]
    assert bench.frame.panels[4].lines[0].startswith("Your row")
    assert bench.frame.panels[2].lines[0] == "Eva has the call"
    bench.press(2, "1")
    assert bench.view.phase == Phase.LOCKED  # the call belongs to Eva
    assert bench.frame.panels[2].lines[1] == "Eva has the call: only the first counts"
    assert bench.frame.panels[4].lines[1] == ""
    bench.press(4, str(bench.fitting()[0]))
    assert bench.match.moves[-1].seat == 2
    assert bench.lamps == [Lamp.OFF] * 5


def test_unplugged_empty_place_does_not_pause_the_match(bench: Bench) -> None:
    bench.play((0, 2, 4))
    bench.hand(1, "fault unplug")
    bench.press(2, BUZZ)
    assert bench.view.caller == 1


def test_device_unplugged_before_the_match_pauses_it(bench: Bench) -> None:
    bench.press(0, BUZZ)
    bench.press(2, BUZZ)
    bench.hand(2, "fault unplug")
    bench.press(0, "#", "2", "1")
    assert bench.frame.sides[1].note == "unplugged!"
    bench.wait(30)
    assert bench.match.length == 0
    bench.hand(2, "fault unplug")
    assert bench.until(bench.open, 5)


# --- Fairness ---------------------------------------------------------------------------------------------


def fair(folder: Path) -> Bench:
    return Bench(folder, match=new_match(GAME, NAMES[:3], seed="fair"))


def looks(frames: Sequence[Frame]) -> list[Frame]:
    seen: list[Frame] = []
    for frame in frames:
        if not frame.looks_like(seen[-1] if seen else None):
            seen.append(frame)
    return [frame._replace(serial=0) for frame in seen]


def test_no_frame_shows_who_pressed_before_the_verdict(tmp_path: Path) -> None:
    """This also holds for lamps and private lines."""
    frames = {}
    for presser in (None, 0, 1, 2):
        bench = fair(tmp_path / str(presser))
        assert bench.until(bench.open)
        if presser is not None:
            bench.hand(presser, BUZZ)
        bench.wait(0.029)
        assert bench.open()
        frames[presser] = looks(bench.frames)
        if presser is not None:
            bench.wait(0.1)
            assert bench.view.caller == presser  # the press was heard
        bench.host.close()
    assert frames[0] == frames[1] == frames[2] == frames[None]


def test_losing_press_changes_no_frame_before_the_verdict(tmp_path: Path) -> None:
    """Only the photo finish distinguishes a second press from none."""
    frames, notes = [], []
    for second in (None, 1, 2):
        bench = fair(tmp_path / str(second))
        assert bench.until(bench.open)
        bench.hand(0, BUZZ)
        bench.wait(0.01)
        if second is not None:
            bench.hand(second, BUZZ)
        bench.wait(0.3)
        assert bench.view.caller == 0
        opened = [frame for frame in bench.frames if isinstance(frame.screen, Play)]
        frames.append(looks([frame for frame in opened if frame.screen.view.caller != 0]))
        notes.append([bench.frame.sides[seat].note for seat in (1, 2)])
        bench.host.close()
    assert frames[0] == frames[1] == frames[2]
    assert notes[0] == ["Anna was first", "Anna was first"]
    assert notes[1] == ["+10.0 ms", "Anna was first"]
    assert notes[2] == ["Anna was first", "+10.0 ms"]


def between_cards(folder: Path) -> Bench:
    bench = fair(folder)
    assert bench.until(bench.open)
    bench.call(0, bench.wrong())
    assert bench.until(lambda: bench.view.phase == Phase.READY)
    bench.wait(0.5)
    assert bench.view.phase == Phase.READY
    return bench


def test_early_press_changes_no_frame_of_the_card(tmp_path: Path) -> None:
    frames = []
    for early in (None, 2):
        bench = between_cards(tmp_path / str(early))
        bench.press(2, *[BUZZ] * (early is not None))
        assert bench.until(bench.open)
        first = len(bench.frames) - 1
        bench.wait(3)
        frames.append(looks(bench.frames[first:]))
        bench.host.close()
    assert frames[0] == frames[1]


def test_strip_reports_an_early_press_at_once(tmp_path: Path) -> None:
    bench = between_cards(tmp_path)
    bench.press(2, BUZZ)
    assert (bench.frame.sides[2].note, bench.frame.sides[2].tone) == ("Too early: wait for the card", "bad")
    assert "Too early: wait for the card" not in {side.note for side in bench.frame.sides[:2]}
    assert bench.until(bench.open)
    assert not bench.frame.sides[2].tone


def test_early_press_reported_late_waits_for_the_verdict(tmp_path: Path) -> None:
    bench = between_cards(tmp_path)
    pressed_ns = bench.clock.t_ns
    assert bench.until(bench.open)
    first = len(bench.frames) - 1
    bench.hand(2, BUZZ, early_ns=bench.clock.t_ns - pressed_ns)
    bench.wait(3)
    assert list(bench.host.session.referee.calls.false_starts) == [2]
    assert len(looks(bench.frames[first:])) == 1


def test_window_polls_fast_only_while_calls_are_open(bench: Bench) -> None:
    bench.play()
    assert bench.frame.calls_open
    bench.house("pause")
    assert not bench.frame.calls_open
    bench.house("pause")
    assert bench.frame.calls_open
    bench.press(0, BUZZ)
    assert not bench.frame.calls_open


def test_report_from_the_display_requests_no_new_frame(bench: Bench) -> None:
    bench.play()
    sent = len(bench.frames)
    told = bench.host.frames.shown(bench.frame, bench.clock.t_ns)
    bench.host.signal(told)
    bench.wait(60)
    assert len(bench.frames) == sent
    assert bench.host.deadline_ns is None


def test_frames_never_change_once_sent(bench: Bench) -> None:
    bench.play()
    copies = [(frame, repr(frame)) for frame in bench.frames]
    bench.call(0, 1)
    bench.house("pause", "5", "2")
    assert all(repr(frame) == was for frame, was in copies)
    assert all(hash(frame.screen) for frame in bench.frames if not isinstance(frame.screen, Play | Result))
