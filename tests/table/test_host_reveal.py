"""The presentation of a reveal: drum, flip, hold."""

from gettext import NullTranslations
from itertools import pairwise
from pathlib import Path

import pytest

from companion.config.sections import DisplayOptions
from companion.config.table_file import TableConfig
from companion.core.console import Lamp
from companion.core.place import HOUSE
from companion.core.signal import Signal
from companion.display.frame import Beat, Frame, Menu, Play, Poster, Result
from companion.games import load
from companion.games.buro_crazy.rules import Phase as BidPhase
from companion.match.new_match import NAMES, new_match
from tests.host_bench import MS, Bench, S, bid, duel

OFFICE = load("buro_crazy")

pytestmark = pytest.mark.usefixtures("fixed_secrets")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return duel(tmp_path)


def rekey(bench: Bench, first: int, second: int) -> None:
    """Let `first` choose the last bid, and `second` correct it."""
    bench.correct()
    bench.press(first, "1")
    bench.press(second, "5", "5", "#")


def lit(bench: Bench) -> list[Lamp]:
    return bench.host.devices.lamps[:3]


def beats(frames: list[Frame]) -> list[Beat]:
    seen: list[Beat] = []
    for frame in frames:
        if isinstance(frame.screen, Play) and [frame.screen.beat] != seen[-1:]:
            seen.append(frame.screen.beat)
    return seen


# --- Drum, flip, hold -------------------------------------------------------------------------------------


def test_saved_reveal_is_drummed_then_shown_at_once(bench: Bench) -> None:
    bid(bench)
    assert bench.beat == Beat.DRUM
    assert bench.view.last is None
    assert [entry.move.split()[1] for entry in bench.match.entries[-2:]] == ["commit", "commit"]  # already durable
    bench.wait(0.69)
    assert bench.beat == Beat.DRUM
    hidden = bench.view
    bench.wait(0.02)
    assert bench.beat == Beat.REVEALED
    assert bench.screen.before == hidden
    assert bench.view.last.totals == (20, 10)
    bench.wait(2.95)
    assert bench.beat == Beat.REVEALED
    bench.wait(0.1)
    assert bench.beat == Beat.CALM
    assert beats(bench.frames) == [Beat.CALM, Beat.DRUM, Beat.REVEALED, Beat.CALM]


def test_reveal_without_a_drum_is_shown_at_once(tmp_path: Path) -> None:
    bench = duel(tmp_path, config=TableConfig(display=DisplayOptions(drum_ms=0)))
    bid(bench)
    assert bench.beat == Beat.REVEALED
    assert bench.view.last.totals == (20, 10)
    bench.wait(3.1)
    assert bench.beat == Beat.CALM


def test_lamps_and_strips_wait_for_the_flip(bench: Bench) -> None:
    first, second = bid(bench)
    before = lit(bench)
    assert before[second] == Lamp.BLINK
    assert before[first] == Lamp.ON
    bench.blind = True  # the busy window has the frame, but has not shown it
    bench.wait(5)
    assert bench.beat == Beat.REVEALED
    assert lit(bench) == before
    bench.blind = False
    bench._flip()
    assert lit(bench) != before
    notes = [side.note for side in bench.frame.sides]
    assert any("bids 20" in note and "bids 10" in note for note in notes)
    bench.wait(3.1)
    assert bench.beat == Beat.CALM


def test_late_drum_flip_does_not_start_the_hold(bench: Bench) -> None:
    bid(bench)
    before, drum = lit(bench), bench.host.frames.shown(bench.frame, bench.clock.t_ns)
    assert drum  # this flip lies in the inbox until after the turn
    bench.blind = True
    bench.wait(0.71)
    assert bench.beat == Beat.REVEALED
    turned_ns = bench.clock.t_ns - 10 * MS
    bench.host.signal(drum._replace(t_ns=turned_ns - 1))
    assert lit(bench) == before
    bench.wait(3.1)
    assert bench.beat == Beat.REVEALED, "its hold begins when it can be seen"
    bench.blind = False
    bench._flip()
    assert lit(bench) != before


def test_strips_and_story_reveal_nothing_during_the_drum(bench: Bench) -> None:
    bid(bench)
    assert not any("20" in side.note or "bids" in side.note for side in bench.frame.sides)
    assert not any("bids" in sentence for sentence in bench.frame.story)
    assert [panel.lines[1] for panel in bench.frame.panels] == [""] * 5
    bench.wait(1)
    assert "bids 20" in bench.frame.story[-1]  # without the figure that moves up
    bench.wait(3)
    assert any("moves up" in sentence for sentence in bench.frame.story)


def test_drum_depends_on_no_secret(tmp_path: Path) -> None:
    shown = []
    for number, bids in enumerate((("5", "4"), ("1", "2"), ("4", "4"))):
        bench = duel(tmp_path / str(number))
        bid(bench, *bids)
        bench.wait(5)
        shown.append([(frame, beat) for frame in bench.frames for beat in beats([frame])])
    till = [[frame for frame, beat in frames if beat == Beat.DRUM] for frames in shown]
    assert till[0]
    assert till[0] == till[1] == till[2]
    assert [len(frames) for frames in till] == [len(till[0])] * 3


# --- Keys -------------------------------------------------------------------------------------------------


def test_key_during_the_drum_is_refused_in_private(bench: Bench) -> None:
    first, _ = bid(bench)
    public = (bench.screen, bench.frame.sides)
    bench.hand(first, "5")
    said = [panel.lines[1] for panel in bench.frame.panels]
    assert (bench.screen, bench.frame.sides) == public
    bench.host.frames.peek(True)
    bench.hand(first, "5")
    said = [panel.lines[1] for panel in bench.frame.panels]
    assert said[first] == "ignored: pressed before it was shown"
    assert said[:first] + said[first + 1 :] == [""] * 4
    bench.wait(1)
    assert bench.host.session.referee.entries.get(first, "") == ""


def test_key_pressed_before_the_flip_is_refused(bench: Bench) -> None:
    bid(bench)
    bench.wait(0.8)
    mover = bench.view.duel[0]
    for early_ms, half_ms, entry in ((200, 0, ""), (200, 50, ""), (200, 150, "5")):
        now_ns = bench.clock.t_ns
        bench.host.signal(Signal("pod", mover, "5", now_ns - early_ms * MS, half_ms * MS, now_ns))
        assert bench.host.session.referee.entries.get(mover, "") == entry


def test_move_ends_the_hold_early(bench: Bench) -> None:
    bid(bench)
    bench.wait(0.8)
    bench.hand(bench.view.duel[0], "#")
    assert bench.beat == Beat.CALM
    assert bench.view.locked
    bench.wait(10)
    assert beats(bench.frames)[-3:] == [Beat.DRUM, Beat.REVEALED, Beat.CALM]


def test_second_reveal_has_its_own_drum(bench: Bench) -> None:
    bid(bench)
    bench.wait(0.8)
    bid(bench, "1", "2")
    assert bench.beat == Beat.DRUM
    bench.wait(0.8)
    assert bench.beat == Beat.REVEALED
    assert bench.view.last.totals in {(1, 2), (2, 1)}


def test_house_ok_ends_the_hold(bench: Bench) -> None:
    bid(bench)
    bench.wait(0.8)
    bench.hand(HOUSE, "ok")
    assert bench.beat == Beat.CALM


def test_robots_wait_until_the_hold_is_over(tmp_path: Path) -> None:
    bench = duel(tmp_path, robot="strong")
    opened: list[tuple[int, Beat, int]] = []

    def look() -> bool:
        if isinstance(bench.screen, Play):
            opened.append((bench.clock.t_ns, bench.screen.beat, bench.host.session.match.length))
        return len({length for _, _, length in opened}) > 12

    assert bench.until(look, 600)
    for (_, one, length), (_, _, later) in pairwise(opened):
        if one in {Beat.DRUM, Beat.REVEALED}:
            assert later == length
    held = [t_ns for t_ns, shown, _ in opened if shown == Beat.REVEALED]
    assert held[-1] - held[0] > 3 * S


def test_hold_is_as_long_on_a_slow_display(tmp_path: Path) -> None:
    bench = duel(tmp_path, robot="strong")
    bench.flip_ns = 400 * MS
    held: list[int] = []
    was = [Beat.CALM]
    send = bench.host.frames.send

    def sent(frame: Frame) -> None:
        send(frame)
        running = bench.host.session
        if isinstance(frame.screen, Play) and running.reveal.seen_ns is not None:
            if (was[0], frame.screen.beat) == (Beat.REVEALED, Beat.CALM):
                held.append(bench.clock.t_ns - running.reveal.seen_ns)
            was[0] = frame.screen.beat

    bench.host.frames.send = sent
    assert bench.until(lambda: bench.host.session.match.outcome, 3600)
    assert len(held) > 9
    assert min(held) >= 3 * S


def test_robots_play_through_all_drums_to_the_result(tmp_path: Path) -> None:
    bench = duel(tmp_path, robot="strong")
    assert bench.until(lambda: isinstance(bench.screen, Result), 36_000)
    assert all(standing.how.endswith(("points", "point")) for standing in bench.screen.standings)
    assert bench.screen.chart
    over = [frame for frame in bench.frames if isinstance(frame.screen, Play)][-1]
    assert over.screen.beat == Beat.CALM


# --- What may happen in the middle ------------------------------------------------------------------------


def test_pause_during_the_drum(bench: Bench) -> None:
    _, second = bid(bench)
    bench.house("pause")
    bench.wait(5)
    assert isinstance(bench.screen, Menu)
    assert lit(bench)[second] == Lamp.BLINK  # nobody has seen the reveal yet
    bench.take("Go on")
    assert bench.beat == Beat.REVEALED
    bench.wait(3.1)
    assert bench.beat == Beat.CALM


def test_short_pause_during_the_drum_flips_only_once(bench: Bench) -> None:
    bid(bench)
    bench.hand(HOUSE, "pause")
    bench.hand(HOUSE, "pause")
    assert bench.beat == Beat.REVEALED
    asked = bench.frame.serial
    bench.wait(2.9)
    assert (bench.beat, bench.frame.serial) == (Beat.REVEALED, asked)
    bench.wait(0.2)
    assert bench.beat == Beat.CALM


def test_undo_during_the_drum_hides_the_bids(bench: Bench) -> None:
    first, second = bid(bench)
    bench.undo()
    assert bench.beat == Beat.CALM
    assert not {first, second} & set(bench.view.locked)
    assert lit(bench)[first] == lit(bench)[second] == Lamp.BLINK
    bench.wait(5)
    assert not any("bids" in sentence for frame in bench.frames for sentence in frame.story)
    assert any("?? " in sentence or sentence.endswith("??") for sentence in bench.frame.story), (
        "its text says no bid"
    )
    bench.press(first, "5", "#")
    bench.press(second, "1", "#")
    bench.wait(0.8)
    assert bench.view.last.totals == (20, 1)


def test_pause_during_the_hold_ends_it(bench: Bench) -> None:
    bid(bench)
    bench.wait(1)
    bench.house("pause")
    bench.wait(5)
    bench.take("Go on")
    assert bench.beat == Beat.CALM
    assert bench.view.last.totals == (20, 10)


def test_lost_device_extends_the_drum_until_it_returns(bench: Bench) -> None:
    bid(bench)
    bench.hand(2, "fault unplug")
    bench.wait(5)
    assert bench.beat == Beat.DRUM
    assert bench.frame.sides[2].note == "unplugged!"
    bench.hand(2, "fault unplug")
    assert bench.beat == Beat.REVEALED
    bench.wait(3.1)
    assert bench.beat == Beat.CALM


def test_leaving_during_the_drum_hides_the_reveal(bench: Bench) -> None:
    bid(bench)
    bench.choose("Leave", "Yes")
    assert isinstance(bench.screen, Poster)
    bench.wait(20)
    assert isinstance(bench.screen, Poster)
    assert lit(bench) == [Lamp.OFF] * 3


def test_program_ended_during_the_drum_resumes_after_it(bench: Bench, tmp_path: Path) -> None:
    bid(bench)
    bench.host.close()
    again = Bench(tmp_path)
    again.take("Resume it", "Go on")
    assert again.beat == Beat.CALM
    assert again.view.last.totals == (20, 10)


def test_corrected_bid_has_no_drum(bench: Bench) -> None:
    first, second = bid(bench)
    bench.wait(5)
    rekey(bench, first, second)
    bench.take("Go on")
    assert bench.beat == Beat.CALM
    assert bench.view.last.totals == (20, 40)


def test_correction_during_the_drum_keeps_lamps_waiting(bench: Bench) -> None:
    first, second = bid(bench)
    waiting = lit(bench)
    rekey(bench, first, second)
    assert lit(bench) == waiting  # nobody has seen the reveal yet
    bench.take("Go on")
    assert (bench.beat, bench.view.last.totals) == (Beat.REVEALED, (20, 40))
    bench.wait(3.1)
    assert bench.beat == Beat.CALM


def test_correction_during_the_drum_hides_the_corrected_bid(bench: Bench) -> None:
    first, second = bid(bench)
    rekey(bench, first, second)
    bench.take("Go on")
    bench.wait(5)
    assert bench.view.last.totals == (20, 40)
    assert not any("10" in sentence for sentence in bench.frame.story)


# --- The roof, which is dealt once the last bids were shown ------------------------------------------------


def last_bids(folder: Path) -> tuple[Bench, int]:
    """Return a table with its last bids just revealed, and a seat there."""
    match = new_match(OFFICE, NAMES[:3], seed="reveal")
    rules = OFFICE.rules
    while rules.view(match.state, None).phase != BidPhase.ROOF:
        draws = rules.draws(match.state)
        if draws:
            match.push(draws[0])
            continue
        view = rules.view(match.state, None)
        seat = next(seat for seat in view.duel if seat not in view.locked)
        match.push(rules.legal(match.state, seat)[seat == view.duel[1]])  # one card or none
    last = match.undo()[0]
    bench = Bench(folder, match=match)
    bench.read()
    bench.press(last.seat, *OFFICE.console.keys_for(rules.view(match.state, last.seat), last))
    bench.wait(0.7)
    assert bench.beat == Beat.REVEALED
    return bench, last.seat


def test_last_bids_are_shown_before_points_are_due(tmp_path: Path) -> None:
    bench, _ = last_bids(tmp_path)
    assert all("bids" in side.note for side in bench.frame.sides)
    assert {panel.lines[0] for panel in bench.frame.panels[:3]} == {"The roof is dealt into 9 piles"}


def test_points_are_refused_before_the_roof_is_dealt(tmp_path: Path) -> None:
    bench, seat = last_bids(tmp_path)
    before = bench.match.length
    bench.read()
    bench.press(seat, "5")
    assert "the companion rolls and deals here" in bench.host.session.refused[seat].render(NullTranslations())
    bench.press(seat, "#")
    assert bench.match.length == before
    assert bench.until(lambda: isinstance(bench.screen, Result), 10)
    assert not any(move.verb == "report" for move in bench.match.moves)
