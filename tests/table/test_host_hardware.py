"""A host with real buzzers and lamps."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.console import BUZZ
from companion.core.signal import LEVEL, LOST, PLUG, Signal
from companion.core.text import msg
from companion.devices.buzzers.source import Edge
from companion.devices.buzzers.watch import STUCK_NS
from companion.devices.lamps import GpiozeroLamps
from companion.devices.pins import Board
from companion.display.frame import Poster, Result
from companion.games.buntherum.rules import Phase
from companion.match import centre
from companion.match.seating import Sitter
from companion.referee.journal import Journal, JournalError
from tests.host_bench import MS
from tests.wired_bench import LAMPS, WiredBench

pytestmark = pytest.mark.usefixtures("fixed_secrets")


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    benches: list[WiredBench] = []

    def make(**options: Any) -> WiredBench:
        benches.append(WiredBench(tmp_path, monkeypatch, **options))
        return benches[-1]

    yield make
    for bench in benches:
        bench.host.close()
        bench.hardware.close()


@pytest.fixture
def bench(make: Any) -> WiredBench:
    return make()


# --- The lobby --------------------------------------------------------------------------------------------


def test_people_sit_down_with_their_real_buzzers(bench: WiredBench) -> None:
    bench.buzz(2, 0)
    assert [side.name for side in bench.frame.sides] == ["Anna", "", "Cleo", "", ""]
    bench.buzz(2)
    assert [side.name for side in bench.frame.sides] == ["Anna", "", "", "", ""]


def test_weaker_source_is_reported_before_anything_else(make: Any) -> None:
    bench = make(notice=msg("The buzzers are read by rpigpio"))
    assert bench.poster.title == "Good to know"
    assert bench.poster.lines == ("The buzzers are read by rpigpio",)
    bench.buzz(1)
    assert bench.poster.title == "The table companion"
    bench.buzz(1)
    assert bench.poster.title == "Who plays?"


def test_requested_lesson_begins_after_the_notice(make: Any) -> None:
    bench = make(notice=msg("The buzzers are read by rpigpio"), game="buntherum", lesson=True)
    assert bench.host.session is None
    bench.buzz(1)
    assert bench.host.session.tutor


def test_good_source_leads_straight_to_attract(bench: WiredBench) -> None:
    assert bench.poster.title == "The table companion"


# --- Calls ------------------------------------------------------------------------------------------------


def test_real_buzzer_calls_and_lights_its_lamp(bench: WiredBench) -> None:
    bench.sit_and_play()
    assert bench.lit() == [0, 0, 0]
    bench.buzz(1)
    assert bench.view.phase == Phase.LOCKED
    assert bench.view.caller == 1
    assert bench.lit() == [0, 1, 0]
    [call] = [text for entry in bench.opened().match.entries if "t_ns" in (text := str(entry.comment))][-1:]
    assert "call=2:buzz" in call


def test_earlier_timestamp_wins_over_earlier_report(bench: WiredBench) -> None:
    bench.sit_and_play()
    bench.wait(1)
    bench.edge(0, True)
    bench.edge(2, True, early_ns=8 * MS)
    bench.hear()
    bench.wait(0.2)
    assert bench.view.caller == 2


def test_reports_in_the_inbox_are_judged_together(bench: WiredBench) -> None:
    """The busy host has read only one of them."""
    bench.sit_and_play()
    bench.wait(1)
    bench.edge(0, True)
    bench.edge(2, True, early_ns=8 * MS)
    first = bench.inbox.get(0)
    assert first
    bench.host.signal(first)
    bench.wait(0.2)
    assert bench.view.caller == 2
    bench.hear()
    bench.wait(0.5)
    assert bench.view.caller == 2


def test_edges_in_the_descriptor_are_judged_together(bench: WiredBench) -> None:
    bench.sit_and_play()
    bench.wait(1)
    bench.edge(0, True)
    bench.sources[-1].waiting.append(Edge(2, bench.clock.t_ns - 8 * MS, 150_000, True))
    bench.hear()
    bench.wait(0.2)
    assert bench.view.caller == 2


def test_robots_buzzer_does_nothing(make: Any) -> None:
    bench = make(sitters=[Sitter("Robot 1", "random"), None, None])
    bench.buzz(1, 2)
    bench.house("ok")
    bench.take("Buntherum", "Start")
    assert bench.until(bench.open)
    assert bench.host.session.wired == {1, 2}
    bench.edge(0, True)
    bench.hear()
    assert not bench.host.session.referee.calls.log.new(0, bench.clock.t_ns)
    bench.edge(0, False)
    bench.clock.t_ns += STUCK_NS
    bench.edge(0, True)
    bench.look()
    bench.clock.t_ns += STUCK_NS
    bench.look()
    assert set(bench.hardware.troubles) == {0}
    assert bench.host.session.troubles == {}
    assert not bench.host.session.referee.pauses


def test_robots_devices_pause_and_leave_their_match(make: Any) -> None:
    """A table without a keyboard and house buttons has only these."""
    bench = make(sitters=[Sitter(f"Robot {number}", "strong") for number in (1, 2, 3)])
    bench.house("ok", "ok")
    bench.take("Buntherum", "Start")
    assert bench.until(bench.open)
    before = bench.match.entries
    bench.hand(1, "3", source="pod")
    assert bench.open()
    assert bench.match.entries == before
    bench.hand(1, "D", source="pod")
    assert bench.menu.title == "The house"
    bench.buzz(0)
    assert bench.menu.selected == 1
    bench.hand(1, "A", source="pod")
    bench.hand(1, LOST, source="pod")
    assert bench.menu.title == "The house"
    bench.hand(2, "*", source="pod")
    assert bench.until(lambda: isinstance(bench.screen, Result))
    bench.hand(0, "*", source="pod")
    assert bench.poster.title == "The table companion"


# --- The siren --------------------------------------------------------------------------------------------


def test_siren_sounds_once_the_verdict_is_saved(bench: WiredBench, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []
    monkeypatch.setattr(
        bench.hardware.of(GpiozeroLamps), "sound_siren", lambda: kept.append(bench.match.moves[-1].verb)
    )
    bench.sit_and_play()
    assert kept == []
    bench.buzz(1)
    assert kept == ["call"]


def test_unsaved_verdict_changes_no_lamp_and_no_siren(bench: WiredBench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.sit_and_play()
    heard: list[str] = []
    monkeypatch.setattr(bench.hardware.of(GpiozeroLamps), "sound_siren", lambda: heard.append("siren"))

    def full(journal: Journal, entry: Any) -> None:
        raise JournalError(msg("the disk is full"))

    monkeypatch.setattr(Journal, "append", full)
    bench.buzz(1)
    assert heard == []
    assert bench.lit() == [0, 0, 0]
    assert "the disk is full" in bench.poster.lines


# --- Losing and finding -----------------------------------------------------------------------------------


def test_lost_source_pauses_the_match_until_it_returns(bench: WiredBench) -> None:
    bench.sit_and_play()
    bench.lose()
    assert bench.poster.title == "The match waits"
    assert bench.poster.lines == (
        "the buzzers: disconnected. Plug it in again; `companion doctor` lists what is there",
    )
    assert [side.note for side in bench.frame.sides] == ["unplugged!"] * 3
    bench.refused = True
    bench.look()
    bench.wait(60)
    assert bench.poster.title == "The match waits"
    bench.refused = False
    bench.look()
    bench.wait(1)
    assert bench.open()
    bench.buzz(2)
    assert bench.view.caller == 2


def test_stuck_buzzer_is_named_and_pauses_the_match(bench: WiredBench) -> None:
    bench.sit_and_play()
    bench.buzz(1)
    caller = bench.view.caller
    bench.stick(2)
    assert caller == 1
    assert bench.poster.lines == ("the buzzer of seat 3 stays pressed: release it, or see `companion doctor`",)
    assert [side.note == "unplugged!" for side in bench.frame.sides] == [False, False, True]
    bench.edge(2, False)
    bench.look()
    assert not isinstance(bench.screen, Poster)


def test_buzzer_stuck_before_the_match_pauses_it(bench: WiredBench) -> None:
    bench.buzz(0, 1, 2)
    bench.house("ok")
    bench.stick(0)
    bench.take("Buntherum", "Start")
    assert bench.poster.title == "The match waits"
    assert "seat 1 stays pressed" in bench.poster.lines[0]


def test_source_lost_in_a_pause_stays_lost(bench: WiredBench) -> None:
    bench.sit_and_play()
    bench.house("pause")
    assert bench.menu.title == "Pause"
    bench.lose()
    assert bench.menu.title == "Pause"
    bench.house("pause")
    assert bench.poster.title == "The match waits"
    bench.look()
    bench.wait(1)
    assert bench.open()


def test_source_returns_during_a_pause(bench: WiredBench) -> None:
    bench.sit_and_play()
    bench.lose()
    bench.house("pause")
    bench.look()
    bench.house("pause")
    bench.wait(1)
    assert bench.open()


def test_lost_presses_are_reported_until_the_next_one(bench: WiredBench) -> None:
    bench.sit_and_play()
    notes = [side.note for side in bench.frame.sides]

    def hear(control: str, *, pressed: bool = True, flags: tuple[str, ...] = ()) -> str:
        now_ns = bench.clock.t_ns
        bench.host.signal(Signal("pod", 1, control, now_ns, 0, now_ns, pressed, flags))
        return bench.frame.sides[1].note

    assert hear(LOST, pressed=False) == "some presses were lost"
    assert [side.note for side in bench.frame.sides][::2] == notes[::2]
    assert hear(PLUG) == "some presses were lost"
    assert hear(BUZZ, pressed=False, flags=(LEVEL,)) == "some presses were lost"
    bench.house("pause", "pause")
    assert bench.frame.sides[1].note == "some presses were lost"
    assert hear("7") == notes[1]


def test_presses_lost_before_a_match_are_ignored(bench: WiredBench) -> None:
    shown = bench.poster
    bench.hand(1, LOST, pressed=False, source="pod")
    assert bench.poster == shown


def test_failing_lamp_does_not_end_the_match(
    bench: WiredBench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("unknown handle")

    bench.sit_and_play()
    monkeypatch.setattr(bench.hardware.of(Board).factory.pin(LAMPS[1]), "_set_state", broken)
    bench.buzz(1)
    assert bench.view.caller == 1
    assert "[lamps] seat 2: unknown handle" in caplog.text


def test_lamps_go_out_when_a_match_is_left(bench: WiredBench) -> None:
    bench.sit_and_play()
    bench.buzz(1)
    assert bench.lit() == [0, 1, 0]
    bench.choose("Leave", "Yes")
    assert bench.lit() == [0, 0, 0]


def test_resumed_match_keeps_its_places(make: Any) -> None:
    first = make()
    first.buzz(0, 2)
    first.house("ok")
    first.take("Buntherum", "Start")
    assert first.until(first.open)
    first.buzz(2)
    first.host.close()
    again = make()
    again.take("Resume it", "Go on")
    assert [side.name for side in again.frame.sides] == ["Anna", "Cleo"]
    assert again.host.session.places == (0, 2)


def test_bh_a7_match_resumes_without_an_eliminated_players_buzzer(make: Any) -> None:
    first = make()
    first.sit_and_play()
    for _ in range(3):
        first.call(2, first.wrong())
        first.next_card()
    assert first.view.gone == (2,)
    first.host.close()
    again = make()
    again.stick(2)
    again.take("Resume it", "Go on")
    assert again.until(again.open, 10)
    assert not isinstance(again.screen, Poster)


def test_troubles_of_two_seats_are_two_sentences():
    found = {0: msg("the pod is gone"), 1: msg("the buzzer sticks"), 2: msg("the pod is gone")}
    assert centre.troubles(found).lines == ("the pod is gone. the buzzer sticks",)
