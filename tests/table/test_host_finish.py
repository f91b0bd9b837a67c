"""The photo finish of a contested call."""

from pathlib import Path

import pytest

from companion.core.console import BUZZ
from companion.core.place import HOUSE
from companion.display.frame import Beat, Menu, PhotoFinish, PressKind
from companion.games import load
from companion.games.buntherum.rules import Phase
from companion.match.new_match import NAMES, new_match
from companion.table.match_menus import VERDICT_NS
from tests.host_bench import MS, STARTERS, Bench, ended, entries, robots, started

pytestmark = pytest.mark.usefixtures("fixed_secrets")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path)
    bench.play()
    bench.wait(1)
    return bench


def contest(bench: Bench, *after_ms: float) -> None:
    """Let seat `i` press `after_ms[i]` milliseconds after the start."""
    began_ns = bench.clock.t_ns
    for seat, later in enumerate(after_ms):
        bench.wait((began_ns + later * MS - bench.clock.t_ns) / 1e9)
        bench.hand(seat, BUZZ)
    bench.wait(0.2)
    for seat in range(len(after_ms)):
        bench.hand(seat, BUZZ, pressed=False)


def photo(bench: Bench) -> PhotoFinish:
    assert bench.screen.finish
    return bench.screen.finish


def test_card_stays_visible_and_strips_show_the_finish(bench: Bench) -> None:
    contest(bench, 0, 12, 25)
    assert bench.beat == Beat.CALM
    assert bench.view.phase == Phase.LOCKED
    assert bench.frame.sides[0].note.startswith("First, by 12.0 ms. Your row")
    assert [side.note for side in bench.frame.sides[1:]] == ["+12.0 ms", "+25.0 ms"]
    presses = [(line.seat, line.after_ns, line.first) for line in photo(bench).presses]
    assert presses == [(0, 0, True), (1, 12 * MS, False), (2, 25 * MS, False)]
    assert photo(bench).margin_ns == 12 * MS
    assert photo(bench).verdict == "Anna calls 12.0 ms before Ben"


def test_finish_covers_the_scene_after_the_answer(bench: Bench) -> None:
    contest(bench, 0, 12)
    turn = bench.view.turn
    bench.hand(0, str(bench.fitting()[0]))
    assert bench.beat == Beat.CALM  # everybody sees the card land
    bench.wait(0.79)
    assert bench.beat == Beat.CALM
    bench.wait(0.02)
    assert bench.beat == Beat.FINISH
    bench.wait(2.1)
    assert bench.beat == Beat.FINISH
    bench.wait(0.1)
    assert bench.beat == Beat.CALM  # everybody sees the rows before the next card
    bench.wait(0.45)
    assert bench.view.phase == Phase.READY
    bench.wait(0.1)
    assert bench.view.phase == Phase.OPEN
    assert bench.view.turn == turn + 1
    assert bench.screen.finish is None


def test_uncontested_call_has_no_finish_and_no_delay(bench: Bench) -> None:
    contest(bench, 0)
    assert bench.screen.finish is None
    bench.hand(0, str(bench.fitting()[0]))
    bench.wait(1.1)
    assert bench.view.phase == Phase.OPEN


@pytest.mark.parametrize("after_s", [1, 0.4], ids=["shown", "before it is shown"])
def test_house_ok_ends_the_finish_early(bench: Bench, after_s: float) -> None:
    contest(bench, 0, 12)
    bench.hand(0, str(bench.fitting()[0]))
    bench.wait(after_s)
    bench.hand(HOUSE, "ok")
    bench.wait(0.01)
    assert bench.view.phase == Phase.OPEN
    bench.wait(3)
    assert bench.beat == Beat.CALM


def test_press_during_the_finish_is_a_false_start(bench: Bench) -> None:
    contest(bench, 0, 12)
    bench.hand(0, str(bench.fitting()[0]))
    bench.wait(1.5)
    bench.press(2, BUZZ)
    assert bench.beat == Beat.FINISH
    assert bench.view.phase == Phase.READY


def test_strips_show_a_tie_before_the_finish(bench: Bench) -> None:
    contest(bench, 0, 0.3)
    assert bench.view.phase == Phase.READY
    assert [side.note for side in bench.frame.sides[:2]] == ["A tie: 0.3 ms apart"] * 2
    bench.wait(0.9)
    assert bench.beat == Beat.FINISH
    assert [line.first for line in photo(bench).presses] == [True, True]
    assert photo(bench).tie_margin_ns == MS
    bench.wait(3)
    assert bench.view.phase == Phase.OPEN
    assert bench.view.callers == (0, 1)


def test_pause_menu_shows_the_last_finish_again(bench: Bench) -> None:
    bench.house("pause")
    assert "Photo finish" not in bench.menu.items
    bench.take("Go on")
    contest(bench, 0, 12)
    bench.hand(0, str(bench.fitting()[0]))
    bench.wait(5)
    assert bench.view.phase == Phase.OPEN
    bench.choose("Photo finish")
    assert bench.beat == Beat.FINISH
    assert photo(bench).margin_ns == 12 * MS
    assert photo(bench).hint == "Press any button"
    bench.press(1, BUZZ)
    assert isinstance(bench.screen, Menu)
    bench.take("Go on")
    assert bench.beat == Beat.CALM
    assert bench.view.phase == Phase.OPEN


def test_finish_shows_a_false_start(bench: Bench) -> None:
    contest(bench, 0)
    bench.hand(0, str(bench.fitting()[0]))
    bench.wait(0.5)
    bench.press(2, BUZZ)
    bench.next_card()
    bench.wait(0.5)
    contest(bench, 0, 12)
    early = [line for line in photo(bench).presses if line.kind == PressKind.EARLY]
    assert [line.seat for line in early] == [2]
    assert early[0].after_ns < -500 * MS


def test_press_reported_after_the_verdict_joins_the_finish(bench: Bench) -> None:
    began_ns = bench.clock.t_ns
    contest(bench, 5, 17)
    assert bench.view.caller == 0
    assert len(photo(bench).presses) == 2
    bench.hand(2, BUZZ, early_ns=bench.clock.t_ns - began_ns)
    bench.wait(0.1)
    late = [line for line in photo(bench).presses if line.kind == PressKind.LATE]
    assert [(line.seat, line.after_ns) for line in late] == [(2, -5 * MS)]


def test_leaving_discards_a_waiting_finish(bench: Bench) -> None:
    contest(bench, 0, 12)
    bench.hand(0, str(bench.fitting()[0]))
    bench.choose("Leave", "Yes")
    bench.wait(10)
    assert bench.poster.title == "The table companion"


def test_undo_takes_back_only_what_the_menu_named(bench: Bench) -> None:
    """A call that was heard is still judged during a pause."""
    contest(bench, 0)
    bench.hand(0, str(bench.fitting()[0]))
    bench.next_card()
    bench.wait(0.5)
    bench.hand(0, BUZZ)
    bench.hand(HOUSE, "undo")
    said = bench.menu.detail
    bench.wait(0.2)
    judged = entries(bench)
    bench.hand(HOUSE, "ok")
    assert entries(bench) == judged
    assert bench.menu.detail != said
    bench.take("Undo")
    assert entries(bench)[-1] == "undo 1"


def test_undoing_the_answer_shows_the_card_again(bench: Bench) -> None:
    contest(bench, 0, 12)
    bench.hand(0, str(bench.fitting()[0]))
    bench.wait(1)
    assert bench.beat == Beat.FINISH
    bench.undo()
    assert bench.view.phase == Phase.LOCKED
    assert bench.beat == Beat.CALM


def test_finish_is_retranslated_after_a_language_change(bench: Bench) -> None:
    contest(bench, 0, 12)
    assert photo(bench).verdict == "Anna calls 12.0 ms before Ben"
    bench.choose("Settings", "Language")
    while bench.host.services.settings.language != "fr":
        bench.press(0, "#")
    bench.press(0, "*")
    bench.take("Photo")
    assert "12,0 ms" in photo(bench).verdict
    assert "before" not in photo(bench).verdict


# --- At the end -------------------------------------------------------------------------------------------


@pytest.fixture
def over(tmp_path: Path) -> Bench:
    """A match of robots after a contested last call, before its result is shown."""
    bench = started(robots(tmp_path, kind="strong"))
    assert bench.until(lambda: bench.host.session.match.outcome)
    assert bench.host.session.finish.photo
    return bench


def test_result_does_not_cover_an_open_finish(over: Bench) -> None:
    over.choose("Photo finish")
    over.wait(10)
    assert over.beat == Beat.FINISH
    over.house("ok")
    assert "Go on" in over.menu.items
    over.take("Go on")
    assert ended(over).title.endswith("wins")


def test_repeated_end_is_held_again(over: Bench) -> None:
    over.undo()
    assert over.until(lambda: over.host.session.match.outcome)
    began_ns = over.clock.t_ns
    ended(over)
    assert over.clock.t_ns - began_ns >= VERDICT_NS


# --- Piece tasks with real cards ------------------------------------------------------------------------------


def test_piece_task_outlives_a_quick_next_card(tmp_path: Path) -> None:
    bench = Bench(tmp_path, deal="table")
    for place in (0, 1, 2):
        bench.press(place, BUZZ)
    bench.press(0, "#")
    bench.take("Buntherum", "Start")
    bench.house(*STARTERS)
    bench.wait(1.1)
    bench.press(0, BUZZ, "1")
    bench.house("wrong")
    assert bench.frame.sides[0].tone == "bad"
    assert bench.frame.sides[0].note == "Card under the draw pile, take a chip. #: done"
    bench.wait(1.1)  # the next card may be called
    assert bench.view.phase == Phase.OPEN
    bench.wait(3)
    assert bench.frame.sides[0].note == "Card under the draw pile, take a chip. Buzzer: call"
    bench.press(0, "#", "#")  # the player who turned the card has also done that task
    assert bench.frame.sides[0].note == "You turn the next card. First buzzer counts"


def test_bh_a26_arming_the_next_card_completes_the_turners_task(tmp_path: Path) -> None:
    bench = Bench(tmp_path, deal="table")
    for place in (0, 1, 2):
        bench.press(place, BUZZ)
    bench.press(0, "#")
    bench.take("Buntherum", "Start")
    bench.house(*STARTERS)
    bench.wait(1.1)
    bench.press(0, BUZZ, "1")
    bench.house("wrong")
    bench.wait(0.5)
    assert bench.view.phase == Phase.READY
    bench.press(0, "#")
    assert bench.view.phase == Phase.OPEN
    assert (
        bench.frame.sides[0].note == "Next: the draw pile. Buzzer: call"
    )  # the card is under the pile, and the chip is taken


@pytest.mark.parametrize("asks", ["house", "nobody"])
@pytest.mark.parametrize("kind", ["first", "sealed", "clock", "lots", "points"])
def test_finish_covers_every_kind_of_round(tmp_path: Path, asks: str, kind: str) -> None:
    game = load("any")
    rounds = f'[[rounds]]\nkind = "first"\nasks = "{asks}"\n[[rounds]]\nkind = "{kind}"\n'
    bench = Bench(tmp_path, match=new_match(game._replace(box_text=rounds), NAMES[:3]))
    bench.house("ok")
    contest(bench, 0, 12)
    phase = bench.view.phase
    seen = []
    for wait_s in (0.1, 1, 3):
        bench.wait(wait_s)
        seen.append(bench.beat)
    assert seen == [Beat.CALM, Beat.FINISH, Beat.CALM]
    assert bench.view.phase == phase
    if asks == "house":
        bench.house("right")
        bench.wait(2)
        assert bench.beat == Beat.CALM, "once is enough"
