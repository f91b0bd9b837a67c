"""The self-test: it shows what devices report, and leaving restores them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.config.sections import SoundOptions
from companion.config.table_file import TableConfig
from companion.core.console import BUZZ, HOUSE_CONTROLS, KEYS, Lamp
from companion.core.place import HOUSE
from companion.core.text import msg
from companion.devices.findings import Finding, Severity
from companion.devices.lines import NOT_WIRED, BuzzerWiring, HouseWiring, LampWiring
from companion.devices.wiring import Wiring
from companion.display.frame import Poster
from companion.display.self_test_rows import Findings, PlaceTest, SelfTest, Tried
from companion.screens import doctor_at_table, self_test
from companion.screens.self_test import LONG_NS, SCALE, SelfTestBoard
from tests.host_bench import MS, Bench
from tests.wired_bench import LAMPS, SIREN, WiredBench

S = 1_000_000_000


def open_board(bench: Bench) -> Bench:
    bench.choose("Self-test")
    assert isinstance(bench.screen, SelfTest)
    return bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return open_board(Bench(tmp_path))


@pytest.fixture
def wired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    config = TableConfig(
        wiring=Wiring(BuzzerWiring(pins=(17, 27, 22)), LampWiring(LAMPS, SIREN), HouseWiring(*[NOT_WIRED] * 4)),
    )
    bench = WiredBench(tmp_path, monkeypatch, config=config)
    yield open_board(bench)
    bench.host.close()
    bench.hardware.close()


def board(bench: Bench) -> SelfTest:
    assert isinstance(bench.screen, SelfTest)
    return bench.screen


def place(bench: Bench, number: int) -> PlaceTest:
    return board(bench).places[number]


# --- Buzzers ----------------------------------------------------------------------------------------------


def test_nothing_has_been_tried_at_first(bench: Bench) -> None:
    assert {test.buzzer for test in board(bench).places} == {Tried.WAITING}
    assert {tried for _, tried in board(bench).house} == {Tried.WAITING}
    assert board(bench).troubles == ()


def test_held_buzzer_lights_its_lamp_and_strip(bench: Bench) -> None:
    bench.hand(2, BUZZ)
    assert place(bench, 2).held
    assert [side.lit for side in bench.frame.sides] == [False, False, True, False, False]
    assert bench.lamps[2] == Lamp.ON
    bench.wait(3)
    assert bench.lamps[2] == Lamp.ON
    bench.hand(2, BUZZ, pressed=False)
    bench.wait(0.1)
    assert not place(bench, 2).held
    assert bench.lamps == [Lamp.OFF] * 5
    assert place(bench, 2).buzzer == Tried.WORKS


def test_each_press_is_counted_and_measured_once(bench: Bench) -> None:
    bench.press(0, BUZZ, BUZZ, BUZZ)
    assert place(bench, 0).lines == ("3 ×, ±0 ms", "no bounce")
    assert board(bench).heard == "Seat 1: ±0 ms, reported after 0.0 ms, no bounce"


def test_bounce_is_measured_but_does_not_count(bench: Bench) -> None:
    bench.hand(1, "fault bounce")
    bench.press(1, BUZZ)
    assert place(bench, 1).lines == ("1 ×, ±0 ms", "11 edges, 3.7 ms")
    assert place(bench, 1).buzzer == Tried.WORKS


def test_long_bounce_is_weak(bench: Bench) -> None:
    bench.host.devices.buzzers[1].fault.bounce_ns = 14 * MS
    bench.press(1, BUZZ)
    assert place(bench, 1).buzzer == Tried.WEAK


def test_delay_of_a_report_is_shown(bench: Bench) -> None:
    bench.hand(3, "fault late")
    bench.press(3, BUZZ)
    assert "reported after 20.0 ms" in board(bench).heard


def test_stuck_buzzer_is_named_until_released(bench: Bench) -> None:
    bench.hand(4, "fault stuck")
    assert place(bench, 4).held
    bench.wait(LONG_NS / S + 0.1)
    assert (place(bench, 4).buzzer, place(bench, 4).lines) == (Tried.WRONG, ("stays pressed",))
    bench.hand(4, "fault stuck")
    bench.wait(0.1)
    assert (place(bench, 4).buzzer, place(bench, 4).held) == (Tried.WORKS, False)


def test_buzzer_stuck_before_the_test_is_shown(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.hand(1, "fault stuck")
    bench.visit("Self-test")
    assert [test.held for test in board(bench).places] == [False, True, False, False, False]
    bench.wait(LONG_NS / S + 0.1)
    assert place(bench, 1).lines == ("stays pressed",)


def test_unplugged_place_is_named_until_it_returns(bench: Bench) -> None:
    bench.hand(0, "fault unplug")
    assert place(bench, 0).buzzer == Tried.WRONG
    assert bench.frame.sides[0].tone == "bad"
    assert board(bench).troubles == ("Seat 1: unplugged!",)
    bench.hand(0, "fault unplug")
    assert place(bench, 0).buzzer == Tried.WAITING
    assert board(bench).troubles == ()


def test_one_press_draws_few_frames(bench: Bench) -> None:
    bench.hand(1, "fault bounce")
    bench.wait(1 - bench.clock.t_ns % S / S + 0.2)  # between two seconds of the clock
    seen = len(bench.frames)
    bench.press(1, BUZZ)
    assert len(bench.frames) - seen <= 4


# --- Keys and the house -----------------------------------------------------------------------------------


def test_keypad_passes_once_every_key_is_pressed(bench: Bench) -> None:
    bench.press(0, *[key for key in KEYS if key != "7"])
    assert place(bench, 0).keypad == Tried.WAITING
    bench.press(0, "7")
    assert (place(bench, 0).keypad, set(place(bench, 0).keys)) == (Tried.WORKS, set(KEYS))
    assert board(bench).heard == "Seat 1: key 7, ±0 ms"


def test_house_controls_are_marked_and_do_nothing_else(bench: Bench) -> None:
    bench.house("right", "wrong", "undo", "ok")
    marked = [control for control, tried in board(bench).house if tried == Tried.WORKS]
    assert marked == [control for control in HOUSE_CONTROLS if control in {"right", "wrong", "undo", "ok"}]


@pytest.mark.parametrize("by", ["menu", "pause"])
def test_house_leaves_the_self_test(bench: Bench, by: str) -> None:
    bench.house(by)
    assert bench.menu.title == "The table"


def test_same_key_twice_in_succession_leaves(bench: Bench) -> None:
    bench.press(2, "*")
    bench.wait(2)
    bench.press(2, "*")
    bench.press(3, "*")
    assert isinstance(bench.screen, SelfTest)
    bench.wait(2)
    bench.press(2, "*", "*")
    assert bench.menu.title == "The table"


# --- Sound ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("where", "control"), [(HOUSE, "ok"), (3, "5")])
def test_scale_is_played(bench: Bench, where: int, control: str) -> None:
    played = bench.host.devices.sound.played
    played.clear()
    assert board(bench).sound[0] == Tried.WAITING
    bench.press(where, control)
    bench.wait(3)
    assert [clip.name for clip in played] == list(SCALE)
    assert board(bench).sound[0] == Tried.WORKS


def test_scale_restarts_and_ends_on_leaving(bench: Bench) -> None:
    played = bench.host.devices.sound.played
    played.clear()
    bench.house("ok", "ok")
    assert [clip.name for clip in played] == [SCALE[0], SCALE[0]]
    bench.house("menu")
    bench.wait(3)
    assert [clip.name for clip in played] == [SCALE[0], SCALE[0]]


def test_voice_speaks_after_the_scale(tmp_path: Path) -> None:
    bench = Bench(tmp_path, config=TableConfig(sound=SoundOptions(voice=True)))
    bench.press(0, "0")
    bench.take("Self-test")
    voice = bench.host.devices.sound.voice
    bench.house("ok")
    bench.wait(1)
    assert not voice.said
    bench.wait(2)
    assert [(each.sentence, each.language) for each in voice.said] == [("This is the voice of the table", "en")]
    assert board(bench).sound == (Tried.WORKS, "A scale was played, and a sentence said: volume 7 of 10")
    voice.trouble = msg("No voice: espeak-ng is not installed")
    bench.wait(1.1)
    assert board(bench).sound == (Tried.WEAK, "No voice: espeak-ng is not installed")


def test_reason_for_silence_is_shown(bench: Bench) -> None:
    bench.host.devices.sound.trouble = msg("no sound card")
    bench.wait(1.1)
    assert board(bench).sound == (Tried.WRONG, "no sound card")


# --- Time and leaving -------------------------------------------------------------------------------------


def test_clock_runs_only_while_shown(bench: Bench) -> None:
    bench.wait(5)
    assert board(bench).wall.endswith("on for 5 s")
    bench.house("menu")
    bench.wait(2)
    seen = len(bench.frames)
    bench.wait(60)
    assert len(bench.frames) == seen
    assert bench.host.deadline_ns is None


def test_leaving_switches_the_lamps_off(bench: Bench) -> None:
    bench.hand(1, BUZZ)
    bench.house("menu")
    assert bench.lamps == [Lamp.OFF] * 5
    bench.hand(1, BUZZ, pressed=False)
    bench.wait(1)
    assert bench.lamps == [Lamp.OFF] * 5
    assert bench.menu.title == "The table"


# --- Real devices -----------------------------------------------------------------------------------------


def test_wired_table_shows_its_devices(wired: WiredBench) -> None:
    assert [test.buzzer for test in board(wired).places] == [Tried.WAITING] * 3 + [Tried.ABSENT] * 2
    assert [test.lamp for test in board(wired).places] == [True] * 3 + [False] * 2
    assert {test.keypad for test in board(wired).places} == {Tried.ABSENT}
    assert dict(board(wired).house) == dict.fromkeys(HOUSE_CONTROLS, Tried.ABSENT)


def test_real_buzzer_lights_its_real_lamp(wired: WiredBench) -> None:
    wired.edge(1, True)
    wired.hear()
    assert wired.lit() == [0, 1, 0]
    wired.wait(0.05)
    wired.edge(1, False)
    wired.hear()
    wired.wait(0.05)
    assert wired.lit() == [0, 0, 0]
    assert place(wired, 1).lines == ("1 ×, ±0.15 ms", "no bounce")


def test_leaving_switches_a_real_lamp_off(wired: WiredBench) -> None:
    wired.edge(1, True)
    wired.hear()
    wired.house("menu")
    assert wired.lit() == [0, 0, 0]


def test_keyboard_does_not_count_as_a_real_device(wired: WiredBench) -> None:
    wired.press(0, "7")
    wired.house("undo")
    assert place(wired, 0).keys == ()
    assert dict(board(wired).house)["undo"] == Tried.ABSENT
    assert board(wired).heard == "Keyboard or touch: undo"


def test_lost_buzzers_are_reported_until_they_return(wired: WiredBench) -> None:
    wired.lose()
    assert [test.buzzer for test in board(wired).places][:3] == [Tried.WRONG] * 3
    assert board(wired).troubles == (
        "the buzzers: disconnected. Plug it in again; `companion doctor` lists what is there",
    )
    wired.look()
    assert board(wired).troubles == ()


def test_weak_source_of_timestamps_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = WiredBench(tmp_path, monkeypatch, notice=msg("a mock"))
    bench.buzz(0)
    open_board(bench)
    assert board(bench).stamps == (Tried.WEAK, "mock: stamped by nothing: there are no wires, ±0 ms")
    bench.host.close()
    bench.hardware.close()


def test_self_test_opens_without_working_devices(bench: Bench) -> None:
    alone = SelfTestBoard(bench.host.services, msg("the chip is gone"))
    assert isinstance(alone.screen(), SelfTest)
    assert alone._sentences() == ("the chip is gone",)


# --- What the doctor finds --------------------------------------------------------------------------------


@pytest.fixture
def doctor(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Hold back the doctor's work until the test runs it."""
    waiting: list[Callable[[], None]] = []

    class Kept:
        def __init__(self, *, target: Callable[[], None], **_: Any) -> None:
            self.start = lambda: waiting.append(target)

    monkeypatch.setattr(self_test.threading, "Thread", Kept)
    found = [
        Finding(msg("clock"), Severity.OK, msg("it goes on")),
        Finding(msg("chip"), Severity.BAD, msg("there is none"), msg("Buy one")),
    ]
    monkeypatch.setattr(doctor_at_table, "_devices", lambda config, hardware, why: found)
    monkeypatch.setattr(doctor_at_table, "_around", lambda config, player: [])
    return waiting


@pytest.mark.parametrize(("where", "keys"), [(HOUSE, ["skip"]), (1, ["#", "#"])])
def test_doctor_runs_on_request_and_lists_worst_first(
    bench: Bench, doctor: list[Callable[[], None]], where: int, keys: list[str]
) -> None:
    assert doctor == []
    bench.press(where, *keys)
    assert isinstance(bench.screen, Findings)
    assert (bench.screen.title, bench.screen.rows) == ("The doctor is checking …", ())
    doctor.pop()()
    bench.wait(1.1)
    assert isinstance(bench.screen, Findings)
    assert [(row.tried, row.said, row.remedy) for row in bench.screen.rows] == [
        (Tried.WRONG, "chip: there is none", "Buy one"),
        (Tried.WORKS, "clock: it goes on", ""),
    ]
    bench.press(where, *keys)
    assert bench.screen.page == 1
    bench.press(2, "*", "*")
    assert isinstance(bench.screen, SelfTest)
    bench.press(where, *keys)
    assert doctor == []


@pytest.mark.logs_errors
def test_failing_doctor_is_reported(
    bench: Bench, doctor: list[Callable[[], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> list[Finding]:
        raise RuntimeError("no such thing")

    monkeypatch.setattr(doctor_at_table, "look", fails)
    bench.house("skip")
    doctor.pop()()
    bench.wait(1.1)
    assert isinstance(bench.screen, Findings)
    assert "RuntimeError" in bench.screen.rows[0].said
    assert "no such thing" not in bench.screen.rows[0].said, "what nobody foresaw might quote anything"


def test_findings_about_real_devices_come_first(wired: WiredBench) -> None:
    wired.lose()
    found = doctor_at_table.look(
        wired.host.services.settings.config, wired.hardware, wired.host.services.player, None
    )
    assert [str(finding.name) for finding in found[:3]] == ["Seat 1", "Seat 2", "Seat 3"]
    assert {finding.severity for finding in found[:3]} == {Severity.BAD}


def test_leaving_twice_returns_to_the_attract_screen(bench: Bench) -> None:
    bench.house("menu", "menu")
    assert isinstance(bench.screen, Poster)


def test_spike_is_reported_but_does_not_count(wired: WiredBench) -> None:
    for pressed in (True, False):
        wired.edge(1, pressed, early_ns=20_000 * pressed)
        wired.hear()
    wired.wait(0.05)
    assert wired.lit() == [0, 0, 0]
    assert place(wired, 1).lines == ("1 × too short", "press it")
    assert place(wired, 1).buzzer == Tried.WAITING
    wired.buzz(1)
    assert place(wired, 1).lines == ("1 × too short", "1 ×, ±0.15 ms", "no bounce")
    assert place(wired, 1).buzzer == Tried.WEAK
